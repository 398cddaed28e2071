"""Words of documents come out in Teams as they stand."""

import pytest
from markdown_it import MarkdownIt

from bots.teams.markup import cut, literal, literal_with_markers

TEAMS = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
HOSTILE = [
    "a *bold* _lie_ and `code` and ~~gone~~",
    "[click me](https://evil.example)",
    "![x](https://evil.example/x.png)",
    "<at>everyone</at> <b>bold</b> & &lt;tag&gt;",
    "# no heading",
    "> no quote",
    "- no list",
    "1. no list",
    "2) no list",
    "+ no list",
    "a | b\n--- | ---\nc | d",
    "title\n=====",
    "title\n-----",
    "back\\slash \\*",
    "snake_case_name and __dunder__",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_markup_of_documents_is_shown_not_obeyed(text: str) -> None:
    html = TEAMS.render(literal(text))
    shown = html.replace("<p>", "").replace("</p>", "").strip()

    assert "<" not in shown
    unescaped = shown.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
    assert unescaped.replace("\u2060", "").replace("&quot;", '"') == text


@pytest.mark.parametrize("text", ["see https://a.example", "www.a.example", "ann@a.example"])
def test_addresses_become_no_links(text: str) -> None:
    written = literal(text)

    assert written != text
    assert written.replace("\u2060", "") == text


def test_footnote_markers_stay_markers() -> None:
    assert literal_with_markers("14 [weeks] [1].") == "14 \\[weeks\\] [1]."


def test_lists_keep_their_items_and_depth() -> None:
    written = literal_with_markers("Two:\n- one [1]\n  * deep\n\nEnd")

    assert written == "Two:  \n• one [1]  \n\u2003• deep\n\nEnd"


def test_cutting_ends_in_an_ellipsis() -> None:
    assert cut("one  two\nthree", 80) == "one two three"
    assert cut("one two three", 8) == "one two…"
