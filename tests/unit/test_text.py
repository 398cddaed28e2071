"""Plain text: titles, headings and lists that are typed without any marks."""

from pathlib import Path

from agent.domain import BlockKind
from tests.format_files import everything, headings, kinds, read, texts


def test_the_first_line_alone_is_the_title(tmp_path: Path) -> None:
    document = read(tmp_path, "a.txt", "Travel policy\n\nBook early.\nPay later.\n\nAsk first.\n")
    assert document.title == "Travel policy"
    assert texts(document) == ["Book early.\nPay later.", "Ask first."]


def test_a_first_sentence_is_no_title(tmp_path: Path) -> None:
    assert read(tmp_path, "a.txt", "We book early.\n\nAsk first.\n").title == ""


def test_chapters_numbers_capitals_and_underlines_are_headings(tmp_path: Path) -> None:
    source = (
        "CHAPTER I\nIt began.\n\nCHAPTER II\nIt went on.\n\n1.2 Scope\n\nAll staff.\n\n"
        "HOW TO APPLY\n\nWrite.\n\nNotes\n-----\nNone.\n"
    )
    assert headings(read(tmp_path, "a.txt", source)) == [
        (1, "CHAPTER I"),
        (1, "CHAPTER II"),
        (2, "1.2 Scope"),
        (2, "HOW TO APPLY"),
        (2, "Notes"),
    ]


def test_chinese_chapters_and_numbers_are_headings(tmp_path: Path) -> None:
    source = "员工手册\n\n第一章 总则\n\n适用于全体员工。\n\n第二节 请假\n\n一、年假\n\n十五天。\n"
    document = read(tmp_path, "a.txt", source)
    assert document.title == "员工手册"
    assert headings(document) == [(1, "第一章 总则"), (2, "第二节 请假"), (1, "一、年假")]


def test_a_sentence_about_the_first_chapter_is_no_heading(tmp_path: Path) -> None:
    assert headings(read(tmp_path, "a.txt", "第一章的内容很多，不再重复。\n\n完。\n")) == []


def test_wide_chinese_indents_begin_paragraphs(tmp_path: Path) -> None:
    document = read(
        tmp_path, "a.txt", "二、主要举措 \u3000\u3000（一）提前部署 \u3000\u3000节前召开会议。"
    )
    assert headings(document) == [(1, "二、主要举措"), (2, "（一）提前部署")]
    assert everything(document) == "节前召开会议。"


def test_numbered_lists_are_lists(tmp_path: Path) -> None:
    document = read(tmp_path, "a.txt", "To do:\n\n1. Buy milk\n\n2. Call home\n\n3. Sleep\n")
    assert headings(document) == []
    assert kinds(document, BlockKind.ITEM) == ["1. Buy milk", "2. Call home", "3. Sleep"]


def test_items_within_a_paragraph_are_blocks_of_their_own(tmp_path: Path) -> None:
    document = read(tmp_path, "a.txt", "You need:\n- a form\n- a stamp\n  in red\n")
    assert texts(document) == ["You need:", "- a form", "- a stamp\nin red"]


def test_contents_lines_are_no_headings(tmp_path: Path) -> None:
    assert headings(read(tmp_path, "a.txt", "Intro\n\n1 Scope ........ 3\n\nText.\n")) == []


def test_lines_numbered_in_the_margin_are_no_headings(tmp_path: Path) -> None:
    lines = "Hearing\n\n1      IN THE SUPREME COURT\n\nof the state, in its session.\n\nEnd here.\n"
    assert headings(read(tmp_path, "a.txt", lines)) == []
