"""Markdown files: what is a heading, what a reader sees, what is left out."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.domain import BlockKind
from connectors.formats import markdown
from tests.format_files import everything, headings, kinds, read, texts

_LINES = (
    "",
    "",
    "",
    "text",
    "two *em* `co`",
    "# One",
    "## Two ##",
    "- item",
    "- **bold** item",
    "1. first",
    "2. second",
    "  - nested",
    "  more",
    "    deep",
    "> quote",
    "```",
    "~~~",
    "---",
    "===",
    "| a | b |",
    "|---|---|",
    "| 1 | 2 |",
    "<div>",
    "</div>",
    "<!-- x",
    "-->",
    "[a](b.md)",
    "[r]: c.md",
    "[r]",
    "* * *",
    "**b**[x](y)",
    "a\\*b",
    "   # Three",
    "中文，",
    "**重点**：",
    "+",
    "-",
    "10) ten",
    "a_b_c _d_",
    "***x***",
    "line  ",
    "\ttab",
)


def test_the_single_h1_is_the_title_and_no_section(tmp_path: Path) -> None:
    document = read(
        tmp_path, "a.md", "# Leave\n\nIntro.\n\n## Days\n\n30 days.\n\n## Sick\n\nCall.\n"
    )
    assert document.title == "Leave"
    assert headings(document) == [(2, "Days"), (2, "Sick")]
    assert texts(document) == ["Intro."]


def test_front_matter_names_the_title_and_is_no_text(tmp_path: Path) -> None:
    document = read(
        tmp_path, "a.md", '---\nweight: 1\ntitle: "集群概述"\n---\n\n前言。\n\n## 背景\n\n正文。\n'
    )
    assert document.title == "集群概述"
    assert headings(document) == [(2, "背景")]
    assert everything(document) == "前言。\n正文。"


def test_toml_front_matter_names_the_title(tmp_path: Path) -> None:
    document = read(tmp_path, "a.md", '+++\ntitle = "Runbook"\n+++\n\nText.\n')
    assert document.title == "Runbook"
    assert everything(document) == "Text."


def test_an_h1_that_differs_from_the_front_matter_stays_a_section(tmp_path: Path) -> None:
    document = read(tmp_path, "a.md", "---\ntitle: Short\n---\n# Long name\n\nText.\n")
    assert document.title == "Short"
    assert headings(document) == [(1, "Long name")]


def test_several_h1_are_sections_and_no_title(tmp_path: Path) -> None:
    document = read(tmp_path, "handbook.md", "# One\n\na\n\n# Two\n\nb\n")
    assert document.title == ""
    assert headings(document) == [(1, "One"), (1, "Two")]


def test_a_hash_inside_a_fence_is_no_heading(tmp_path: Path) -> None:
    source = "## A\n\n~~~~sh\n# not a heading\n```\n## nor this\n~~~~\n\n## B\n\nx\n"
    document = read(tmp_path, "a.md", source)
    assert [heading for _, heading in headings(document)] == ["A", "B"]
    assert kinds(document, BlockKind.CODE) == ["# not a heading\n```\n## nor this"]


def test_setext_closing_hashes_and_explicit_ids(tmp_path: Path) -> None:
    source = (
        "Top\n===\n\nText.\n\nSecond\n---\n\na\n\n### Third ### \n\nb\n\n### Fourth {#four}\n\nc\n"
    )
    document = read(tmp_path, "a.md", source)
    assert document.title == "Top"
    assert headings(document) == [(2, "Second"), (3, "Third"), (3, "Fourth")]
    assert document.sections[-1].anchor == "#four"


def test_headings_carry_no_markup(tmp_path: Path) -> None:
    source = "## The `--force` **flag** of [git](x.md)\n\na\n\n## Next\n\nb\n"
    assert headings(read(tmp_path, "a.md", source))[0][1] == "The --force flag of git"


def test_a_reader_sees_link_texts_alt_texts_and_no_tags(tmp_path: Path) -> None:
    source = "See [the guide](guide.md) and ![a chart](c.png), press <kbd>K</kbd>.<!-- hush -->\n"
    document = read(tmp_path, "a.md", source)
    assert everything(document) == "See the guide and a chart, press K."
    assert document.links == ("guide.md",)


def test_links_inside_the_page_are_no_links(tmp_path: Path) -> None:
    assert read(tmp_path, "a.md", "[up](#top) [b](b.md) [b](b.md)\n").links == ("b.md",)


def test_items_keep_their_own_mark_and_depth(tmp_path: Path) -> None:
    document = read(tmp_path, "a.md", "- one\n  - two\n\n3. three\n4. four\n\n   more of four\n")
    assert kinds(document, BlockKind.ITEM) == ["- one", "  - two", "3. three", "4. four"]
    assert kinds(document, BlockKind.PARAGRAPH) == ["more of four"]


def test_tables_become_rows_with_a_header(tmp_path: Path) -> None:
    document = read(tmp_path, "a.md", "| Size | Type |\n|---|---|\n| small | `n2` |\n| big |  |\n")
    assert kinds(document, BlockKind.HEADER_ROW) == ["Size | Type"]
    assert kinds(document, BlockKind.ROW) == ["small | n2", "big"]


def test_a_broken_line_is_one_line_without_a_blank_in_chinese(tmp_path: Path) -> None:
    document = read(tmp_path, "a.md", "one\ntwo\n\n请假\n流程\n")
    assert texts(document) == ["one two", "请假流程"]


def test_raw_html_is_read_like_a_page(tmp_path: Path) -> None:
    source = (
        '<h1 align="center">Project</h1>\n\n<!-- # hidden -->\n\n'
        "<table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table>\n\n<script>x()</script>\n\nText.\n"
    )
    document = read(tmp_path, "a.md", source)
    assert document.title == "Project"
    assert everything(document) == "A | B\n1 | 2\nText."


def test_footnotes_stand_in_the_section_that_refers_to_them(tmp_path: Path) -> None:
    source = "## A\n\nPaid.[^1]\n\n## B\n\nOther.\n\n[^1]: Unless agreed otherwise.\n"
    document = read(tmp_path, "a.md", source)
    assert texts(document, "A") == ["Paid.[^1]", "[^1] Unless agreed otherwise."]
    assert texts(document, "B") == ["Other."]


def test_anchors_are_those_of_the_drive_and_unique(tmp_path: Path) -> None:
    document = read(
        tmp_path, "a.md", "## What's new?\n\na\n\n## 请假 流程\n\nb\n\n## What's new?\n\nc\n"
    )
    assert [each.anchor for each in document.sections] == [
        "#whats-new",
        "#请假-流程",
        "#whats-new-1",
    ]


def test_windows_line_ends_and_a_byte_order_mark_change_nothing(tmp_path: Path) -> None:
    document = read(
        tmp_path, "a.md", b"\xef\xbb\xbf---\r\ntitle: T\r\n---\r\n\r\n## A\r\n\r\nx\r\ny\r\n"
    )
    assert (document.title, headings(document)) == ("T", [(2, "A")])
    assert texts(document, "A") == ["x y"]


@pytest.mark.parametrize("name", ["1.md", "untitled.md", "scan_0003.md"])
def test_a_name_that_says_nothing_gives_way_to_the_first_heading(tmp_path: Path, name: str) -> None:
    assert read(tmp_path, name, "# Travel\n\na\n\n# Costs\n\nb\n").title == "Travel"


PLAIN = """# Title

A *soft* line
break with `code *x*`, [a **link**](other.md), ![alt](a.png) and \\_escapes\\_.
Hard\x20\x20
break, snake_case, 3 * 4, a < b.

- one **bold**
  goes on
- two
  1. nested
  2. _again_

| A | B |
|---|:-:|
| 1 | `x` |
| only |

```py
# no heading

x = 1
```

Setext
======

Text before a list
* item

***

## Closed ##
"""


@pytest.mark.parametrize(
    "source",
    [
        PLAIN,
        "> quoted\n> - item\n\nafter\n",
        "- a\n\n  second paragraph\n\n- b\n\ntext\n",
        "- a\n```\ncode\n\n# no heading\n```\n",
        "text\n<!-- hidden\n\n# no heading -->\n\n# Real\n",
        "1. a\n   ```\n   code\n   ```\n2. b\n",
        "see [the rules][r] and [r]\n\n[r]: rules.md\n",
        "a **b *c* d** e __f__ g*h*i **(x)**y\n",
        "请**注意**事项和**[链接](a.md)**说明\n下一行\n",
        "a&amp;b &copy; <b>c</b> <https://x.org> ~~gone~~\n",
        "    code at the margin\n\n    more\n\ntext\n",
        "a | b\n--|--\n1 | 2\n\nc \\| d\n",
        "| a \\| b | `c \\| d` |\n|---|---|\n| \\* | e \\| |\n",
        "- [ ] open\n- [x] done\n",
        "10. ten\n11) eleven\n+ plus\n",
        "* * *\n- - -\n_a_ * b\n",
        "para\n    not code\n  # no heading? yes\n",
        "#no heading\n\n####### seven\n\n# \n\ntext\n",
    ],
)
def test_the_scanner_reads_what_the_parser_reads(source: str) -> None:
    assert _scanned(source) == _parsed(source)


@given(st.lists(st.sampled_from(_LINES), max_size=9))
@settings(max_examples=150, deadline=None)
def test_the_scanner_reads_any_lines_as_the_parser_does(lines: list[str]) -> None:
    source = "\n".join(lines)
    assert _scanned(source) == _parsed(source)


def test_a_footnote_stands_where_it_is_first_referred_to(tmp_path: Path) -> None:
    source = "# T\n\n## A\n\nx[^n] y\n\n## B\n\nz[^n]\n\n[^n]: The *note*.\n"
    document = read(tmp_path, "a.md", source)
    assert texts(document, "A") == ["x[^n] y", "[^n] The note."]
    assert texts(document, "B") == ["z[^n]"]


def _scanned(source: str) -> object:
    reader = markdown._Reader()
    reader.take(source)
    return reader.builder.sections(), reader.links


def _parsed(source: str) -> object:
    reader = markdown._Reader()
    reader.read(markdown._engine().parse(source))
    return reader.builder.sections(), reader.links
