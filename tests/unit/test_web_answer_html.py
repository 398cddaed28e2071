"""An answer's text on a page: safe, and every marker a link to its footnote's place."""

import pytest

from bots.web.answer_html import answer_text

PLACES = {"1": "source/d1?at=leave#leave", "2": 'source/d2?x="&y'}


def html(text: str, *, quoted: bool = False) -> str:
    return str(answer_text(text, PLACES, "a7", quoted=quoted))


def test_a_marker_is_a_link_that_hangs_on_the_word_before_it() -> None:
    assert html("14 weeks [1].") == (
        '<p>14 weeks<a class="marker" href="source/d1?at=leave#leave" data-footnote="a7-1">1</a>'
        ".</p>\n"
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
