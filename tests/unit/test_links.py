"""Links to quoted places: what they hold, how long they open, and that none can be made up."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from agent.domain import Answer, Citation, DocId, Outcome, SectionPath
from bots.links import Permit, Place, SourceLinks, address, digest_of, place_in

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
QUOTE = "14 weeks at full pay"
PLACE = Place(DocId("d1"), SectionPath("leave/育儿假~2"), 30, 50, digest_of(QUOTE))
CITATION = Citation(
    1, "handbook", "leave.md", PLACE.doc_id, "Leave", ("Leave",), PLACE.path, QUOTE, 30, 50
)
ANSWER = Answer("a1", "How long?", Outcome.ANSWERED, "14 weeks [1].", (CITATION,))


def links(base_url: str = "https://docs.example", now: datetime = NOW) -> SourceLinks:
    return SourceLinks(b"s" * 32, base_url, lambda: now)


def query_of(url: str) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(url).query).items()}


def test_an_address_leads_back_to_its_place() -> None:
    url = address(PLACE)

    assert place_in("d1", query_of(url)) == PLACE
    assert unquote(urlsplit(url).fragment) == PLACE.path


def test_an_address_holds_no_words_of_the_document() -> None:
    assert "weeks" not in links().signed(PLACE)


def test_a_signed_link_opens_for_seven_days() -> None:
    query = query_of(links().signed(PLACE))

    assert links(now=NOW + timedelta(days=6, hours=23)).check(PLACE, query) is Permit.VALID
    assert links(now=NOW + timedelta(days=7, seconds=1)).check(PLACE, query) is Permit.EXPIRED


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param({"at": "salaries"}, id="another section"),
        pytest.param({"from": "0", "to": "9000"}, id="a longer stretch"),
        pytest.param({"until": "9999999999"}, id="a later end"),
        pytest.param({"until": "soon"}, id="an end that is no number"),
        pytest.param({"until": "٣"}, id="an end in other digits"),
        pytest.param({"sig": "AAAA"}, id="another signature"),
        pytest.param({"sig": "é"}, id="a signature that is no ASCII"),
        pytest.param({"q": ""}, id="no digest"),
    ],
)
def test_a_changed_link_is_forged(changed: dict[str, str]) -> None:
    query = query_of(links().signed(PLACE)) | changed

    assert links().check(place_in("d1", query), query) is Permit.FORGED


def test_a_link_of_another_document_is_forged() -> None:
    query = query_of(links().signed(PLACE))

    assert links().check(place_in("d2", query), query) is Permit.FORGED


def test_a_link_signed_with_another_secret_is_forged() -> None:
    query = query_of(SourceLinks(b"t" * 32, "https://docs.example", lambda: NOW).signed(PLACE))

    assert links().check(PLACE, query) is Permit.FORGED


def test_an_address_without_a_signature_is_no_permit() -> None:
    assert links().check(PLACE, query_of(address(PLACE))) is Permit.NONE


def test_footnotes_without_an_address_get_a_signed_one() -> None:
    answer = links("https://docs.example/").with_links(ANSWER)

    assert answer.citations[0].url.startswith("https://docs.example/source/d1?at=leave/")
    assert "sig=" in answer.citations[0].url


def test_footnotes_of_a_drive_keep_its_address() -> None:
    there = replace(ANSWER, citations=(replace(CITATION, url="https://drive.example/1"),))

    assert links().with_links(there) == there


def test_without_a_base_url_there_are_no_links() -> None:
    assert links("").with_links(ANSWER) == ANSWER
    assert links("").signed(PLACE) == ""


def test_a_quote_is_found_where_it_stood() -> None:
    text = "x" * 30 + QUOTE + " and more"

    assert PLACE.find_in(text) == (30, 50)


def test_a_quote_is_found_again_when_words_were_put_before_it() -> None:
    text = "A new sentence first. " + "x" * 30 + QUOTE

    found = PLACE.find_in(text)

    assert found is not None
    assert text[slice(*found)] == QUOTE


@pytest.mark.parametrize("text", ["", "short", "x" * 30 + "15 weeks at full pay"])
def test_a_quote_that_is_gone_is_not_found(text: str) -> None:
    assert PLACE.find_in(text) is None


@pytest.mark.parametrize(
    "query",
    [{}, {"from": "9", "to": "3"}, {"from": "-1", "to": "2"}, {"from": "x", "to": "y"}],
    ids=["nothing", "backwards", "negative", "words"],
)
def test_offsets_that_make_no_sense_are_left_out(query: dict[str, str]) -> None:
    assert place_in("d1", query | {"at": "leave"}) == Place(DocId("d1"), SectionPath("leave"))
