"""The source viewer: a document with the quote marked in its place, and what signed links open."""

import re
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import urlsplit

import aiohttp
import pytest

from agent.domain import WORKSPACE, DocId, Scope, SectionPath
from agent.library.writing import (
    NewDocument,
    hide_documents,
    purge_documents,
    put_documents,
    set_readers,
)
from bots.links import Place, SourceLinks, address, digest_of
from bots.web.private import build_private
from config.settings import PrivateSettings
from tests.web_house import (
    HOTEL,
    PARENTAL,
    SALARIES,
    SECRET,
    House,
    handbook,
    open_house,
    private_app,
    served,
)

ELSEWHERE = {"X-Forwarded-For": "192.0.2.7"}
BASE_URL = "https://docs.example"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    opened = open_house(tmp_path)
    yield opened
    opened.store.close()


@dataclass
class Reader:
    """Opens pages of a house's private listener."""

    http: aiohttp.ClientSession
    url: str
    house: House

    async def open(self, path: str, headers: dict[str, str] | None = None) -> tuple[int, str]:
        reply = await self.http.get(self.url + path, headers=headers or {})
        return reply.status, await reply.text()

    async def place(self, doc: str, quote: str, scope: Scope = WORKSPACE) -> Place:
        library = self.house.library
        document = await library.find_document(scope, doc)
        (entry,) = await library.read_map(scope, [document.doc_id])
        for line in entry.outline:
            section = await library.read_section(scope, document.doc_id, line.path)
            if (start := section.text.find(quote)) >= 0:
                end = start + len(quote)
                return Place(document.doc_id, line.path, start, end, digest_of(quote))
        raise AssertionError(f"{quote!r} is not in {doc}")


@pytest.fixture
async def reader(house: House) -> AsyncIterator[Reader]:
    app = private_app(house, base_url=BASE_URL)
    async with served(app) as url, aiohttp.ClientSession() as http:
        yield Reader(http, url, house)


def marked(page: str) -> list[str]:
    return re.findall(r"<mark>(.*?)</mark>", page, re.DOTALL)


def signed(place: Place, now: datetime | None = None) -> str:
    links = SourceLinks(SECRET, BASE_URL, lambda: now or datetime.now(UTC))
    parts = urlsplit(links.signed(place))
    return f"{parts.path}?{parts.query}"


# ---------------------------------------------------------------- for those who are let in


async def test_a_document_is_shown_with_its_headings(reader: Reader) -> None:
    document = await reader.house.library.find_document(WORKSPACE, "people-handbook.md")

    status, page = await reader.open(f"/source/{document.doc_id}")

    assert status == 200
    assert "<h1>People handbook</h1>" in page
    assert 'id="leave/parental-leave"' in page
    assert "2.2 Parental leave</h3>" in page
    assert marked(page) == []


async def test_the_quote_is_marked_in_its_place(reader: Reader) -> None:
    place = await reader.place("people-handbook.md", PARENTAL)

    _, page = await reader.open(f"/{address(place)}")

    section = page.partition(f'id="{place.path}"')[2].partition("</section>")[0]
    assert marked(section) == [PARENTAL]
    assert marked(page) == [PARENTAL]


async def test_a_quoted_table_is_a_table_with_its_cells_marked(reader: Reader) -> None:
    place = await reader.place("expenses.md", HOTEL)

    _, page = await reader.open(f"/{address(place)}")

    assert '<th scope="col"><mark>City</mark></th>' in page
    assert "<td><mark>Amsterdam</mark></td>" in page
    assert "<td>Berlin</td>" in page


async def test_code_is_shown_as_code(reader: Reader) -> None:
    document = await reader.house.library.find_document(WORKSPACE, "runbook-mail-gateway.md")

    _, page = await reader.open(f"/source/{document.doc_id}")

    assert re.search(r"<pre[^>]*><code>gatewayctl queue --summary\n", page)
    assert "restart &lt;node&gt;\nfi</code>" in page


async def test_a_quote_that_is_gone_is_said_to_be(reader: Reader) -> None:
    place = await reader.place("people-handbook.md", PARENTAL)

    _, page = await reader.open(f"/{address(replace(place, digest=digest_of('other words')))}")

    assert marked(page) == []
    assert "no longer stand here" in page


async def test_words_of_a_document_are_never_markup(reader: Reader) -> None:
    document = await reader.house.library.find_document(WORKSPACE, "hostile.md")

    _, page = await reader.open(f"/source/{document.doc_id}")

    assert "<script>document" not in page
    assert "<img" not in page
    assert "&lt;script&gt;document.body.textContent" in page


async def test_a_long_document_is_shown_in_stretches(reader: Reader) -> None:
    place = await reader.place("rules.md", "Rule 200 says what is done in case 200.")

    _, page = await reader.open(f"/{address(place)}")

    assert len(page) < 150_000
    assert marked(page) == ["Rule 200 says what is done in case 200."]
    assert 'id="rule-199"' in page
    assert 'id="rule-201"' in page
    assert 'id="rule-1"' not in page
    assert page.count('class="turn-page"') == 2


async def test_the_rest_of_a_long_document_is_one_click_away(reader: Reader) -> None:
    document = await reader.house.library.find_document(WORKSPACE, "rules.md")
    seen: set[str] = set()
    path = f"/source/{document.doc_id}"
    for _ in range(50):
        _, page = await reader.open(path)
        seen |= set(re.findall(r'<section id="(rule-\d+)"', page))
        after = re.search(r'href="\.\./(source/[^"#]*)#[^"]*">↓', page)
        if not after:
            break
        path = f"/{after[1]}"

    assert seen == {f"rule-{number}" for number in range(1, 301)}


async def test_the_outline_of_a_long_document_is_whole(reader: Reader) -> None:
    document = await reader.house.library.find_document(WORKSPACE, "rules.md")

    _, page = await reader.open(f"/source/{document.doc_id}")

    assert 'href="?at=rule-300#rule-300"' in page


async def test_a_file_that_could_not_be_read_says_why(reader: Reader) -> None:
    document = await reader.house.library.find_document(WORKSPACE, "plan.pdf")

    status, page = await reader.open(f"/source/{document.doc_id}")

    assert status == 200
    assert "password: the file is locked" in page


@pytest.mark.parametrize(
    "path",
    [
        pytest.param("/source/0000000000000000", id="no such document"),
        pytest.param("/source/..%2f..%2fetc%2fpasswd", id="a path"),
        pytest.param("/source/%00", id="a null"),
        pytest.param("/source/" + "a" * 65, id="too long"),
        pytest.param("/source/", id="nothing"),
    ],
)
async def test_what_is_not_there_is_not_found(reader: Reader, path: str) -> None:
    status, page = await reader.open(path)

    assert status == 404
    assert '"error"' in page


async def test_a_document_of_others_looks_like_none(reader: Reader) -> None:
    place = await reader.place("salaries.md", SALARIES, Scope.of("slack:C1"))
    hidden = await reader.open(f"/{address(place)}")

    none = await reader.open(f"/{address(replace(place, doc_id=DocId('0' * 16)))}")

    assert hidden == none


async def test_a_section_that_is_not_there_is_not_found(reader: Reader) -> None:
    document = await reader.house.library.find_document(WORKSPACE, "expenses.md")

    for at in ("nowhere", "../..", "%00", "%ff", "x" * 5_000):
        status, _ = await reader.open(f"/source/{document.doc_id}?at={at}")
        assert status == 404


async def test_odd_offsets_do_no_harm(reader: Reader) -> None:
    place = await reader.place("expenses.md", HOTEL)
    path = f"/source/{place.doc_id}?at={place.path}"

    for odd in ("&from=x&to=y", "&from=9&to=1", "&from=-1", f"&from={10**30}&to={10**31}&q=x"):
        status, page = await reader.open(path + odd)
        assert (status, marked(page)) == (200, [])


# ---------------------------------------------------------------- for those with a signed link


async def test_a_signed_link_opens_the_quote_for_anybody(reader: Reader) -> None:
    place = await reader.place("people-handbook.md", PARENTAL)

    status, page = await reader.open(signed(place), ELSEWHERE)

    assert status == 200
    assert marked(page) == [PARENTAL]
    assert "The lead is told at least 10 weeks before" in page


async def test_a_signed_link_opens_nothing_else_of_the_document(reader: Reader) -> None:
    place = await reader.place("people-handbook.md", PARENTAL)

    _, page = await reader.open(signed(place), ELSEWHERE)

    assert "annual leave" not in page
    assert "Working hours" not in page
    assert 'href="map"' not in page
    assert "../map" not in page


async def test_of_a_long_section_only_the_window_and_its_neighbours_are_shown(
    reader: Reader,
) -> None:
    facts, parsed = handbook("expenses.md")
    lines = [f"Line {number} of a very long section. " + "x" * 60 for number in range(400)]
    (section, *_) = parsed.sections
    blocks = tuple(replace(section.blocks[0], text=line) for line in lines)
    long = replace(parsed, sections=(replace(section, heading="Long", blocks=blocks),))
    paper = NewDocument(facts, long, frozenset({"workspace"}))
    await reader.house.store.write(lambda connection: put_documents(connection, [paper]))
    place = await reader.place("expenses.md", "Line 200 of a very long section.")

    _, page = await reader.open(signed(place), ELSEWHERE)

    shown = [int(number) for number in re.findall(r"Line (\d+) of", page)]
    assert marked(page) == ["Line 200 of a very long section."]
    assert 195 in shown
    assert 205 in shown
    assert min(shown) > 160
    assert max(shown) < 240


async def test_a_signed_link_opens_what_only_a_channel_may_read(reader: Reader) -> None:
    place = await reader.place("salaries.md", SALARIES, Scope.of("slack:C1"))

    status, page = await reader.open(signed(place), ELSEWHERE)

    assert status == 200
    assert marked(page) == [SALARIES]


async def test_a_signed_link_is_dead_after_seven_days(reader: Reader) -> None:
    place = await reader.place("people-handbook.md", PARENTAL)
    path = signed(place, datetime.now(UTC) - timedelta(days=7, minutes=1))

    status, page = await reader.open(path, ELSEWHERE)

    assert status == 410
    assert PARENTAL not in page


@pytest.mark.parametrize(
    "gone",
    [
        pytest.param(lambda c, doc: purge_documents(c, [doc]), id="purged"),
        pytest.param(lambda c, doc: hide_documents(c, [doc]), id="hidden"),
        pytest.param(lambda c, doc: set_readers(c, doc, frozenset()), id="without readers"),
    ],
)
async def test_a_signed_link_is_dead_when_the_document_is(reader: Reader, gone: object) -> None:
    place = await reader.place("people-handbook.md", PARENTAL)
    assert callable(gone)
    await reader.house.store.write(lambda connection: gone(connection, place.doc_id))

    status, page = await reader.open(signed(place), ELSEWHERE)

    assert status == 404
    assert PARENTAL not in page


async def test_a_changed_link_opens_nothing(reader: Reader) -> None:
    place = await reader.place("people-handbook.md", PARENTAL)
    path = signed(place)

    for forged in (
        path.replace("at=leave/parental-leave", "at=leave/annual-leave"),
        re.sub(r"to=\d+", "to=9999", path),
        re.sub(r"sig=[^&]+", "sig=x", path),
        re.sub(r"until=\d+", "until=99999999999", path),
        f"/{address(place)}&sig=&until=",
    ):
        status, page = await reader.open(forged, ELSEWHERE)
        assert (status, PARENTAL in page) == (401, False)


async def test_a_quote_moved_within_its_section_is_still_found(reader: Reader) -> None:
    place = await reader.place("people-handbook.md", PARENTAL)
    facts, parsed = handbook("people-handbook.md")
    sections = tuple(
        replace(each, blocks=(replace(each.blocks[0], text="A new first paragraph."), *each.blocks))
        if each.heading == "2.2 Parental leave"
        else each
        for each in parsed.sections
    )
    paper = NewDocument(facts, replace(parsed, sections=sections), frozenset({"workspace"}))
    await reader.house.store.write(lambda connection: put_documents(connection, [paper]))

    _, page = await reader.open(signed(place), ELSEWHERE)

    assert marked(page) == [PARENTAL]


@pytest.mark.parametrize("headers", [{}, ELSEWHERE], ids=["let in", "by a signed link"])
async def test_a_quote_is_found_under_the_new_name_of_its_section(
    reader: Reader, headers: dict[str, str]
) -> None:
    place = await reader.place("people-handbook.md", PARENTAL)
    facts, parsed = handbook("people-handbook.md")
    sections = tuple(
        replace(each, heading="2.2 Time for parents")
        if each.heading == "2.2 Parental leave"
        else each
        for each in parsed.sections
    )
    paper = NewDocument(facts, replace(parsed, sections=sections), frozenset({"workspace"}))
    await reader.house.store.write(lambda connection: put_documents(connection, [paper]))

    status, page = await reader.open(signed(place), headers)

    assert status == 200
    assert "Time for parents" in page
    assert marked(page) == [PARENTAL]
    assert f'<span id="{place.path}">' in page


async def test_who_is_let_in_sees_the_whole_document_by_a_signed_link(reader: Reader) -> None:
    place = await reader.place("people-handbook.md", PARENTAL)

    _, page = await reader.open(signed(place))

    assert marked(page) == [PARENTAL]
    assert "Working hours" in page


async def test_a_signed_link_opens_no_other_page(reader: Reader) -> None:
    query = signed(Place(DocId("x"), SectionPath("y"))).partition("?")[2]

    for path in ("/", "/map", "/gaps", "/metrics", "/readyz", "/how/x", "/open"):
        assert (await reader.open(f"{path}?{query}", ELSEWHERE))[0] == 401


async def test_style_and_script_are_there_for_holders_of_links(reader: Reader) -> None:
    for name in ("footnote.css", "footnote.js", "icon.svg"):
        assert (await reader.open(f"/static/{name}", ELSEWHERE))[0] == 200
    assert (await reader.open("/static/page.html"))[0] == 404
    assert (await reader.open("/static/..%2fpages.py"))[0] == 404


async def test_unset_secret_of_another_house_opens_nothing(house: House) -> None:
    app = build_private(replace(house.deps, links=SourceLinks(b"o" * 32)), PrivateSettings())
    async with served(app) as url, aiohttp.ClientSession() as http:
        here = Reader(http, url, house)
        place = await here.place("people-handbook.md", PARENTAL)

        assert (await here.open(signed(place), ELSEWHERE))[0] == 401
