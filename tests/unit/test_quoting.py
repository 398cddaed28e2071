"""From believed words to citations: found in what was shown, widened, placed."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.citations.quoting import covers, locate, merged
from agent.domain import Citation, Quote, Window
from tests.pages import cited, day, page, shown

LEAVE = "Parents get 14 weeks of leave. It is paid in full, except in the first year. Ask HR."


def quotes(text: str, window: Window, section_id: str = "D1.1") -> list[str]:
    return [place.citation.quote for place in locate(Quote(section_id, text), shown(window))]


@pytest.mark.parametrize(
    ("text", "quote", "whole"),
    [
        pytest.param(LEAVE, "14 weeks", "Parents get 14 weeks of leave.", id="sentence"),
        pytest.param(
            LEAVE,
            "of leave. It is paid",
            "Parents get 14 weeks of leave. It is paid in full, except in the first year.",
            id="every sentence touched",
        ),
        pytest.param("年假十五天。须提前申请！", "提前", "须提前申请！", id="Chinese sentence"),
        pytest.param("You need:\n- a visa. And a ticket\n- cash", "a visa", "a visa. And a ticket",
                     id="list item without its bullet"),
        pytest.param("| Plan | Days\n| Basic | 14\n| Plus | 21", "21", "Plus | 21", id="table row"),
        pytest.param("> a = 1\n> b = 2 + 3", "2 + 3", "b = 2 + 3", id="line of code"),
    ],
)  # fmt: skip
def test_a_quote_is_widened_to_what_can_be_judged(text: str, quote: str, whole: str) -> None:
    assert quotes(quote, page(text)) == [whole]


def test_several_items_are_quoted_from_the_first_ones_bullet() -> None:
    text = "Rate it:\n- Very bad (1)\n- Bad (2)\n- Neither good nor bad (3)\n- Good (4)"

    assert quotes("Bad (2)\n- Neither", page(text)) == ["- Bad (2)\n- Neither good nor bad (3)"]


def test_a_lead_in_quoted_with_its_first_item_brings_the_list() -> None:
    text = "How good was it?\n- Very bad (1)\n- Bad (2)\n- Neither good nor bad (3)"

    assert quotes("good was it?\n- Very bad", page(text)) == [text]


def test_the_sources_own_characters_are_cited() -> None:
    assert quotes('the "pool" car', page("Take the “pool”\ncar.")) == ["Take the “pool”\ncar."]


def test_parts_around_an_ellipsis_are_separate_citations() -> None:
    assert quotes("14 weeks … Ask HR", page(LEAVE)) == [
        "Parents get 14 weeks of leave.",
        "Ask HR.",
    ]


@pytest.mark.parametrize("text", ["16 weeks", "", "…", "weeks 14", "arents get"])
def test_words_that_do_not_stand_there_are_not_cited(text: str) -> None:
    assert quotes(text, page(LEAVE)) == []


def test_text_outside_the_shown_window_cannot_be_quoted() -> None:
    whole = page(LEAVE)
    window = Window(whole.document, whole.section, 0, 30)

    assert quotes("Ask HR", window) == []


def test_a_sentence_cut_by_the_window_is_still_quoted_whole() -> None:
    whole = page(LEAVE)
    window = Window(whole.document, whole.section, 0, 20)

    assert quotes("14 weeks", window) == ["Parents get 14 weeks of leave."]


def test_a_wrong_id_does_not_make_true_words_false() -> None:
    places = locate(Quote("D9.9", "14 weeks"), shown(page(LEAVE)))

    assert [place.quote.section_id for place in places] == ["D1.1"]


def test_the_named_section_is_preferred() -> None:
    pages = shown(page(LEAVE, "Old"), page(LEAVE, "New"))

    (place,) = locate(Quote("D2.1", "14 weeks"), pages)

    assert place.citation.title == "New"


def test_a_heading_may_be_quoted() -> None:
    (place,) = locate(Quote("D1.1", "parental leave"), shown(page("See the intranet.")))

    assert (place.citation.quote, place.citation.start, place.citation.end) == (
        "Parental leave",
        0,
        0,
    )


def test_a_long_quote_may_be_cut_inside_its_last_word() -> None:
    cut = LEAVE[:72]

    assert cut.endswith("first y")
    assert quotes(cut, page(LEAVE)) == [LEAVE.removesuffix(" Ask HR.")]


def test_a_row_knows_the_header_over_it() -> None:
    (place,) = locate(
        Quote("D1.1", "Plus | 21"), shown(page("| Plan | Days\n| A | 1\n| Plus | 21"))
    )

    assert place.citation.header == "Plan | Days"


@pytest.mark.parametrize(
    ("text", "quote", "turned"),
    [
        pytest.param(LEAVE, "It is paid in full", True, id="exception behind"),
        pytest.param(LEAVE, "Parents get 14 weeks", False, id="nothing added"),
        pytest.param(LEAVE, "except in the first year", False, id="exception quoted"),
        pytest.param("Never share your password.", "share your password", True, id="before"),
        pytest.param("除试用期外，年假十五天。", "年假十五天", True, id="Chinese exception"),
        pytest.param("年假不得结转。", "年假", True, id="Chinese negation"),
        pytest.param("非常重要：年假十五天。", "年假十五天", False, id="a word that only looks so"),
    ],
)
def test_widening_tells_when_it_adds_a_negation(text: str, quote: str, turned: bool) -> None:
    (place,) = locate(Quote("D1.1", quote), shown(page(text)))

    assert place.turned is turned


def test_an_item_is_quoted_with_the_line_that_denies_it() -> None:
    assert quotes("Alcohol", page("Not reimbursed:\n- Alcohol\n- Fines")) == [
        "Not reimbursed:\n- Alcohol"
    ]


def test_a_lead_in_that_denies_something_else_is_not_quoted_with_its_items() -> None:
    lead = "While you need not ask, we expect the following of everybody:"

    assert quotes("Tell your manager", page(f"{lead}\n- Tell your manager\n- Name a deputy")) == [
        "Tell your manager"
    ]


def test_a_citation_says_where_it_stands() -> None:
    window = page(
        LEAVE,
        doc="hr/leave.pdf",
        format="pdf",
        url="https://drive.example/leave.pdf",
        modified=day(2026, 1, 2),
        page_from=12,
        page_label="10",
        content_hash="abc",
    )

    (place,) = locate(Quote("D1.1", "Ask HR"), shown(window))

    citation = place.citation
    assert (citation.source, citation.doc, citation.section) == (
        "handbook",
        "hr/leave.pdf",
        ("Parental leave",),
    )
    assert (citation.page, citation.label, citation.url) == (
        12,
        "10",
        "https://drive.example/leave.pdf#page=12",
    )
    assert (citation.modified, citation.content_hash) == (day(2026, 1, 2), "abc")
    assert LEAVE[citation.start : citation.end] == citation.quote == "Ask HR."


def test_a_web_page_opens_at_its_heading() -> None:
    window = page(LEAVE, url="https://drive.example/leave", anchor="#parental")

    (place,) = locate(Quote("D1.1", "Ask HR"), shown(window))

    assert place.citation.url == "https://drive.example/leave#parental"


@pytest.mark.parametrize(
    ("more", "note"),
    [
        ({"trust": "external"}, "from outside"),
        ({"not_seen_since": day(2026, 5, 1)}, "not seen since 2026-05-01"),
        ({"doc": "archive/leave.md"}, "archived"),
        ({"doc": "leave_draft.md", "trust": "external"}, "draft; from outside"),
        ({}, ""),
    ],
)
def test_what_the_reader_should_know_stands_beside_a_citation(
    more: dict[str, Any], note: str
) -> None:
    (place,) = locate(Quote("D1.1", "Ask HR"), shown(page(LEAVE, **more)))

    assert place.citation.note == note


def test_overlapping_citations_become_one() -> None:
    text = "one two three four"
    one, two, three = (cited(0, text[a:b], start=a, end=b) for a, b in ((0, 7), (14, 18), (4, 16)))

    assert [(each.start, each.end, each.quote) for each in merged([one, two, three])] == [
        (0, 18, text)
    ]


def test_citations_of_other_places_stay_apart() -> None:
    assert len(merged([cited(0, "same"), cited(0, "same", title="Other")])) == 2


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(1, 8)), max_size=6))
def test_merging_loses_nothing_and_leaves_no_overlap(spans: list[tuple[int, int]]) -> None:
    text = "abcdefghijklmnopqrstuvwxyz0123456789"
    citations = [
        cited(0, text[start : start + length], start=start, end=start + length)
        for start, length in spans
    ]

    whole = merged(citations)

    assert all(each.quote == text[each.start : each.end] for each in whole)
    assert all(any(covers(one, each) for one in whole) for each in citations)
    assert sum(each.end - each.start for each in whole) == len(_characters(citations))


def _characters(citations: list[Citation]) -> set[int]:
    return {at for each in citations for at in range(each.start, each.end)}
