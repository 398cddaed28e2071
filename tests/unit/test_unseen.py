"""Marks in Markdown that no reader sees, and what of them is text."""

from pathlib import Path

import pytest

from agent.domain import BlockKind
from tests.format_files import everything, headings, kinds, read, texts


@pytest.mark.parametrize("label", ["[!NOTE]", "[!WARNING]", "[!tip]-", "[!info]+"])
def test_the_label_of_an_alert_is_no_text(tmp_path: Path, label: str) -> None:
    below = read(tmp_path, "a.md", f"> {label}\n> Ask first.\n")
    beside = read(tmp_path, "b.md", f"> {label} Ask first.\n")
    assert everything(below) == everything(beside) == "Ask first."


def test_a_label_outside_a_quote_is_text(tmp_path: Path) -> None:
    assert everything(read(tmp_path, "a.md", "[!NOTE] is a label.\n")) == "[!NOTE] is a label."


def test_shortcodes_are_dropped_and_what_they_wrap_stays(tmp_path: Path) -> None:
    source = (
        "Before.\n{{< note >}}\nInside.\n{{< /note >}}\n\n{{% alert color=red %}}\n- an item\n"
        '{{% /alert %}}\n\n{{<toc>}}\n\nAfter {{< icon "star" >}} all.\n'
    )
    document = read(tmp_path, "a.md", source)
    assert texts(document) == ["Before.", "Inside.", "- an item", "After all."]


def test_titles_that_shortcodes_show_are_text(tmp_path: Path) -> None:
    source = (
        '{{< table title="表一" >}}\n| A | B |\n|---|---|\n| 1 | 2 |\n{{< /table >}}\n\n'
        '{{< callout note "Good to know" >}}\nText.\n{{< /callout >}}\n\n'
        'A {{< glossary text="pod" term_id="p" >}} runs.\n'
    )
    document = read(tmp_path, "a.md", source)
    assert texts(document) == ["表一", "A | B", "1 | 2", "Good to know", "Text.", "A pod runs."]


def test_shortcodes_in_code_and_escaped_ones_are_text(tmp_path: Path) -> None:
    source = "Write `{{< note >}}` or {{</* tip */>}}.\n\n```\n{{< note >}}\n[TOC]\n```\n"
    document = read(tmp_path, "a.md", source)
    assert texts(document) == ["Write {{< note >}} or {{</* tip */>}}.", "{{< note >}}\n[TOC]"]


def test_shortcodes_in_raw_html_are_dropped(tmp_path: Path) -> None:
    source = "<div>\n{{< note >}}\nInside.\n{{< /note >}}\n</div>\n"
    assert everything(read(tmp_path, "a.md", source)) == "Inside."


def test_attributes_of_pictures_links_and_code_are_no_text(tmp_path: Path) -> None:
    source = (
        "![A chart](c.png){width=50%}\n\n![Map](m.png)\n{width=600 height=363}\n\n"
        'See [this](x.md){: target="_blank"} and `run`{.sh}.\n\n{: .lead}\nWords.\n'
    )
    document = read(tmp_path, "a.md", source)
    assert texts(document) == ["A chart", "Map", "See this and run.", "Words."]


@pytest.mark.parametrize("end", ["{#place}", "{ #place }", "{: #place .wide}", "{.wide #place}"])
def test_attributes_of_a_heading_give_its_anchor(tmp_path: Path, end: str) -> None:
    document = read(tmp_path, "a.md", f"## One {end}\n\na\n\n## Two {{.wide}}\n\nb\n")
    assert headings(document) == [(2, "One"), (2, "Two")]
    assert [each.anchor for each in document.sections] == ["#place", "#two"]


def test_braces_that_are_no_attributes_are_text(tmp_path: Path) -> None:
    source = "## GET /users/{id}\n\nSet {a, b} and /pods/{name}.\n\n## Next\n\n{}\n"
    document = read(tmp_path, "a.md", source)
    assert headings(document)[0] == (2, "GET /users/{id}")
    assert everything(document) == "Set {a, b} and /pods/{name}.\n{}"


@pytest.mark.parametrize("mark", ["[TOC]", "[toc]", "[[_TOC_]]", "{:toc}"])
def test_the_mark_of_a_contents_list_is_no_text(tmp_path: Path, mark: str) -> None:
    assert everything(read(tmp_path, "a.md", f"{mark}\n\nText.\n")) == "Text."


def test_marks_are_known_at_every_depth(tmp_path: Path) -> None:
    document = read(
        tmp_path, "a.md", "- one\n  - > [!TIP]\n    > two\n    > {{< x >}}\n    > three\n"
    )
    assert kinds(document, BlockKind.ITEM) == ["- one", "  - two"]
    assert kinds(document, BlockKind.PARAGRAPH) == ["three"]
