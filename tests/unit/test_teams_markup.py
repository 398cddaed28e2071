"""Words of documents come out in Teams as they stand."""

import pytest
from markdown_it import MarkdownIt

from bots.replies.prose import Block, Item, Paragraph, Preformatted, Quotation, Run
from bots.teams.markup import link, literal, written

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
    assert written([Paragraph((Run("14 [weeks] [1]."),))]) == "14 \\[weeks\\] [1]."


def test_lists_are_written_with_bullets_that_keep_chips_working() -> None:
    blocks: list[Block] = [
        Paragraph((Run("Two:"),)),
        Item((Run("one [1]"),)),
        Item((Run("deep"),), depth=1),
        Item((Run("third"),), number=3),
        Paragraph((Run("End"),)),
    ]

    assert written(blocks) == "Two:  \n• one [1]  \n\u2003• deep  \n3\\. third\n\nEnd"


@pytest.mark.parametrize(
    ("run", "text"),
    [
        pytest.param(Run(" a*b ", bold=True), " **a\\*b** ", id="bold, blanks outside"),
        pytest.param(Run("a", italic=True, struck=True), "~~_a_~~", id="italic and struck"),
        pytest.param(Run("a_b", code=True), "`a_b`", id="code as it stands"),
        pytest.param(Run("a`b", code=True), "a\\`b", id="code with a backtick"),
        pytest.param(Run("  ", bold=True), "  ", id="nothing to embolden"),
        pytest.param(
            Run("Leave", url="https://d.example/a (b)"),
            "[Leave](https://d.example/a%20%28b%29)",
            id="a known document",
        ),
        pytest.param(Run("one\ntwo"), "one  \ntwo", id="a line break"),
    ],
)
def test_runs_keep_their_look(run: Run, text: str) -> None:
    assert written([Paragraph((run,))]) == text


def test_tables_and_code_are_shown_in_a_fixed_width() -> None:
    text = written([Preformatted("a | b\n``` | *c*"), Quotation((Run("one\ntwo"),))])

    assert text == "```\na | b\n`\u2060`` | *c*\n```\n\n> one\n> two"


def test_an_address_cannot_break_out_of_its_link() -> None:
    assert link("x", "https://d.example/) [y](z") == "[x](https://d.example/%29%20[y]%28z)"
