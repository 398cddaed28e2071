"""An answer on a page: safe text, quotes as what they are, markers that lead to their places."""

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from agent.domain import Answer, Citation, DocId, Outcome, PartAnswer, SectionPath
from bots.web.pages.answer_html import shown_answer
from bots.web.pages.answer_text import Footing, Piece, answer_pieces
from bots.web.pages.rendering import web_address
from bots.web.pages.shown import ShownBlock

MODIFIED = datetime(2026, 2, 3, tzinfo=UTC)


def citation(number: int, quote: str, *, header: str = "") -> Citation:
    return Citation(
        number,
        "handbook",
        "leave.md",
        DocId("d1"),
        "Leave",
        ("Leave",),
        SectionPath("leave"),
        quote,
        0,
        len(quote),
        modified=MODIFIED,
        header=header,
    )


WEEKS = citation(1, "Parents get 14 weeks.")
PLACES = {"1": "source/d1?at=leave#leave", "2": 'source/d2?x="&y'}


def pieces(text: str, *citations: Citation, quoted: bool = True) -> tuple[Piece, ...]:
    return answer_pieces(text, Footing(citations, PLACES, "a7"), quoted=quoted)


def html(text: str, *, quoted: bool = False) -> str:
    (piece,) = pieces(text, quoted=quoted)
    return str(piece.html)


def words(blocks: tuple[ShownBlock, ...]) -> list[str]:
    return ["".join(piece.text for piece in block.pieces) for block in blocks]


# ---------------------------------------------------------------- running text


def test_a_marker_is_a_link_that_hangs_on_the_word_before_it() -> None:
    assert html("14 weeks [1].") == (
        '<p>14 weeks<a class="marker" role="doc-noteref" href="source/d1?at=leave#leave" '
        'data-footnote="a7-1">1</a>.</p>\n'
    )


def test_two_markers_side_by_side_are_two_links() -> None:
    assert html("Yes [1][2]").count('class="marker"') == 2


def test_a_marker_without_a_footnote_stays_text() -> None:
    assert html("See [9].") == "<p>See [9].</p>\n"


@pytest.mark.parametrize("quoted", [True, False])
@pytest.mark.parametrize(
    "text",
    [
        '<script>alert("1")</script>',
        "<img src=x onerror=alert(1)> [1]",
        "[click](javascript:alert(1))",
        "![x](http://tracker.example/p.png)",
        "<http://evil.example>",
        "[1]: javascript:alert(1)\n\n[1]",
        "a\n\n<div onclick=x>\n\nb",
    ],
)
def test_markup_and_links_stay_text(text: str, quoted: bool) -> None:
    written = html(text, quoted=quoted)

    assert "<script" not in written
    assert "<img" not in written
    assert "<div" not in written
    assert 'href="javascript' not in written
    assert 'href="http' not in written


def test_the_address_of_a_place_is_escaped() -> None:
    assert 'href="source/d2?x=&#34;&amp;y"' in html("x [2]")


def test_a_written_answer_may_use_emphasis_and_lists() -> None:
    written = html("**Both** count:\n- one [1]\n- two [2]")

    assert "<strong>Both</strong>" in written
    assert written.count("<li>") == 2


def test_signs_in_a_quote_are_the_documents_own() -> None:
    written = html("Set **kwargs and `__init__` to *.txt [1]", quoted=True)

    assert "Set **kwargs and `__init__` to *.txt" in written


# ---------------------------------------------------------------- quotes


def test_a_quote_stands_for_itself() -> None:
    found = pieces("“Parents get 14 weeks.” [1]\nI found nothing on the rest.", WEEKS)

    assert [piece.number for piece in found] == [1, 0]
    assert words(found[0].blocks) == ["Parents get 14 weeks."]
    assert found[0].is_prose
    assert "nothing on the rest" in str(found[1].html)


def test_quoted_items_are_a_list() -> None:
    steps = citation(1, "1. Stop it.\n2. Start it.")

    (found,) = pieces("“1. Stop it.\n2. Start it.” [1]", steps)

    assert [item.number for item in found.blocks[0].items] == ["1.", "2."]
    assert not found.is_prose


def test_a_quoted_row_is_a_table_under_its_column_names() -> None:
    row = citation(1, "Berlin | 140 EUR", header="City | Limit")

    (found,) = pieces("“Berlin | 140 EUR” (columns: City | Limit) [1]", row)

    assert [each.header for each in found.blocks[0].rows] == [True, False]


def test_what_stands_over_a_quote_does_not_hide_it() -> None:
    item = citation(1, "- smoking", header="It is not allowed:")

    found = pieces("“It is not allowed: … - smoking” [1]", item)

    assert [piece.number for piece in found] == [1]


def test_a_quote_cited_elsewhere_is_left_in_the_text() -> None:
    (found,) = pieces("“Parents get 14 weeks.” [2]", WEEKS)

    assert found.number == 0
    assert "Parents get 14 weeks." in str(found.html)


def test_what_a_model_wrote_is_not_taken_apart() -> None:
    (found,) = pieces("It says “Parents get 14 weeks.” [1]", WEEKS, quoted=False)

    assert found.number == 0


# ---------------------------------------------------------------- the whole

ANSWER = Answer("a7", "How long?", Outcome.ANSWERED, "“Parents get 14 weeks.” [1]", (WEEKS,))


def test_a_quote_in_the_answer_is_not_repeated_in_its_footnote() -> None:
    (footnote,) = shown_answer(ANSWER).footnotes

    assert footnote.repeats


def test_a_quote_behind_other_words_is_shown_in_the_footnote() -> None:
    (footnote,) = shown_answer(replace(ANSWER, text="14 weeks [1].")).footnotes

    assert not footnote.repeats


def test_parts_with_texts_of_their_own_are_shown_one_by_one() -> None:
    parts = (
        PartAnswer("How long?", Outcome.ANSWERED, "“Parents get 14 weeks.” [1]"),
        PartAnswer("A car?", Outcome.NOT_COVERED, "I found nothing."),
    )

    shown = shown_answer(replace(ANSWER, parts=parts))

    assert [part.question for part in shown.parts] == ["How long?", "A car?"]
    assert shown.parts[0].pieces[0].number == 1
    assert shown.plan == ()


def test_a_text_made_of_all_parts_is_shown_with_the_plan() -> None:
    parts = (
        PartAnswer("How long?", Outcome.ANSWERED, "14 weeks [1]."),
        PartAnswer("A car?", Outcome.NOT_COVERED, "I found nothing."),
    )

    shown = shown_answer(replace(ANSWER, parts=parts, extractive=False))

    assert len(shown.parts) == 1
    assert shown.plan == (("How long?", Outcome.ANSWERED), ("A car?", Outcome.NOT_COVERED))


def test_a_date_that_half_the_source_carries_is_not_shown() -> None:
    shared = {("handbook", date(2026, 2, 3))}

    assert shown_answer(ANSWER).footnotes[0].updated == date(2026, 2, 3)
    assert shown_answer(ANSWER, shared=shared).footnotes[0].updated is None


def test_addresses_lead_from_where_the_page_stands() -> None:
    assert shown_answer(ANSWER, "../").footnotes[0].place.startswith("../source/d1?")


@pytest.mark.parametrize(
    ("url", "link"),
    [
        ("https://drive.example/1", "https://drive.example/1"),
        ("javascript:alert(1)", ""),
        (" data:text/html,x", ""),
        ("", ""),
    ],
)
def test_a_drives_address_is_a_link_only_if_it_is_one_of_the_web(url: str, link: str) -> None:
    assert web_address(url) == link
