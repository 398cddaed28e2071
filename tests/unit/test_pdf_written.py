"""PDF files: what is tagged, filled in, turned, or kept from the reader's eye."""

from pathlib import Path

import pytest

from connectors.formats.pdf import typography
from connectors.formats.pdf.page import Line
from tests.format_files import Mark, Put, everything, headings, pdf, read, texts
from tests.pdf_files import Tagged, tagged, with_fields

BODY = "All members of the staff may take thirty days of paid leave in a year."


def piece(tag: str, text: str, y: float) -> Tagged:
    """A tagged line that looks like any other."""
    return Tagged(tag, text, 72, y)


def test_tags_name_headings_that_look_like_text(tmp_path: Path) -> None:
    pieces = [
        piece("Title", "Leave policy", 780),
        piece("H1", "Scope", 740), piece("P", BODY, 720),
        piece("H2", "Staff", 700), piece("P", BODY, 680),
        piece("H1", "Costs", 660), piece("P", BODY, 640),
    ]  # fmt: skip
    document = read(tmp_path, "a.pdf", tagged(pieces))
    assert document.title == "Leave policy"
    assert headings(document) == [(1, "Scope"), (2, "Staff"), (1, "Costs")]
    assert texts(document, "Scope") == [BODY]


@pytest.mark.parametrize(
    ("names", "roles"),
    [
        (("Heading#201", "Heading#202"), "/Heading#201/P/Heading#202/P"),
        (("_1._Ahead", "_2._Bhead"), "/_1._Ahead/P/_2._Bhead/P"),
        (("Kapitel", "Abschnitt"), "/Kapitel/H1/Abschnitt/H2"),
    ],
)
def test_names_of_own_styles_are_understood(
    tmp_path: Path, names: tuple[str, str], roles: str
) -> None:
    top, below = names
    pieces = [
        piece(top, "Scope", 740), piece("P", BODY, 720),
        piece(below, "Staff", 700), piece("P", BODY, 680),
        piece(top, "Costs", 660), piece("P", BODY, 640),
    ]  # fmt: skip
    document = read(tmp_path, "a.pdf", tagged(pieces, roles=roles))
    assert headings(document) == [(1, "Scope"), (2, "Staff"), (1, "Costs")]


def test_one_or_two_tagged_headings_are_no_outline(tmp_path: Path) -> None:
    pieces = [piece("H1", "Scope", 740), piece("P", BODY, 720), piece("P", BODY, 700)]
    assert headings(read(tmp_path, "a.pdf", tagged(pieces))) == []


def test_values_of_a_form_stand_behind_their_labels(tmp_path: Path) -> None:
    fields = [
        "/Subtype/Widget/FT/Tx/T(a)/V(Ada Example)/Rect[130 696 300 712]",
        "/Subtype/Widget/FT/Tx/T(b)/V(Finance)/Rect[130 676 300 692]",
    ]
    data = with_fields(["Name:", "Office:", "Please send this back."], fields)
    assert everything(read(tmp_path, "a.pdf", data)).split("\n") == [
        "Name: | Ada Example",
        "Office: | Finance",
        "Please send this back.",
    ]


def test_a_box_that_is_not_ticked_and_a_password_are_left_out(tmp_path: Path) -> None:
    fields = [
        "/Subtype/Widget/FT/Btn/T(a)/AS/Off/Rect[130 696 140 706]",
        "/Subtype/Widget/FT/Tx/Ff 8192/T(b)/V(secret word)/Rect[130 676 300 692]",
    ]
    text = everything(read(tmp_path, "a.pdf", with_fields(["Agreed", "Code"], fields)))
    assert "secret" not in text
    assert "☒" not in text


def test_text_boxes_are_read_and_comments_counted(tmp_path: Path) -> None:
    notes = [
        "/Subtype/FreeText/Contents(Valid from May)/Rect[300 690 400 720]",
        "/Subtype/Text/Contents(ask the lawyer)/Rect[400 690 420 710]",
        "/Subtype/FreeText/F 2/Contents(hidden box)/Rect[300 600 400 620]",
    ]
    document = read(tmp_path, "a.pdf", with_fields(["Leave policy"], notes))
    assert "Valid from May" in everything(document)
    assert "lawyer" not in everything(document)
    assert "hidden box" not in everything(document)
    assert document.hidden_chars == len("ask the lawyer")


def test_pages_written_sideways_are_read_like_others(tmp_path: Path) -> None:
    turned = b"0 1 -1 0 595 0 cm "
    rows = [("Country", "Days"), ("Spain", "22"), ("France", "25")]
    lines = [
        Put(cell, 72 + 200 * c, 500 - 20 * r)
        for r, row in enumerate(rows)
        for c, cell in enumerate(row)
    ]
    document = read(tmp_path, "a.pdf", pdf([lines], drawing=turned))
    assert everything(document).split("\n") == ["Country | Days", "Spain | 22", "France | 25"]


def test_text_in_the_colour_of_its_ground_is_kept_out(tmp_path: Path) -> None:
    seen = [Put("White words on a dark bar", 80, 705), Put("White words on the page", 80, 500)]
    bar = b"0.1 g 70 690 400 40 re f 1 g 70 480 400 40 re f 1 g "
    document = read(tmp_path, "a.pdf", pdf([seen], drawing=bar))
    assert everything(document) == "White words on a dark bar"
    assert document.hidden_chars == len("White words on the page")


@pytest.mark.parametrize("stated", ["hr_policy_v2", "leave-2024-final", "88300 162..177"])
def test_the_name_of_a_file_yields_to_the_printed_title(tmp_path: Path, stated: str) -> None:
    page = [Put("Leave policy", 72, 790, 20), Put(BODY, 72, 740)]
    assert read(tmp_path, "a.pdf", pdf([page], title=stated)).title == "Leave policy"


def test_a_number_in_large_type_is_no_title(tmp_path: Path) -> None:
    page = [Put("47698", 72, 790, 30), Put("Leave policy", 72, 760, 20), Put(BODY, 72, 700)]
    assert read(tmp_path, "a.pdf", pdf([page])).title == "Leave policy"


def test_bookmarks_of_a_whole_book_on_a_single_page_are_no_outline(tmp_path: Path) -> None:
    marks = [Mark(f"Part {number}", 0) for number in range(60)]
    assert headings(read(tmp_path, "a.pdf", pdf([[Put(BODY, 72, 700)]], marks=marks))) == []


def test_a_map_holds_three_hundred_headings_at_most(tmp_path: Path) -> None:
    pages = [[Put(f"Entry {number}", 72, 700), Put(BODY, 72, 680)] for number in range(330)]
    children = tuple(Mark(f"Entry {number}", number, 712) for number in range(1, 330))
    document = read(tmp_path, "a.pdf", pdf(pages, marks=[Mark("Glossary", 0, 712, children),
                                                         Mark("Index", 329, 690)]))  # fmt: skip
    assert (1, "Glossary") in headings(document)
    assert (1, "Index") in headings(document)
    assert len(headings(document)) <= 300
    assert "Entry 17" in everything(document)


def test_a_long_section_without_headings_is_divided_by_pages(tmp_path: Path) -> None:
    pages = [[Put(BODY, 72, 700)] for _ in range(14)]
    marks = [Mark("First", 0, 712), Mark("Second", 12, 712), Mark("Third", 13, 712)]
    document = read(tmp_path, "a.pdf", pdf(pages, marks=marks))
    assert headings(document) == [
        (1, "First"), (2, "Pages 6–10"), (2, "Pages 11–12"), (1, "Second"), (1, "Third"),
    ]  # fmt: skip


def test_chinese_reports_have_their_numbers_below_their_parts() -> None:
    words = ["第一节 重要提示", "正文", "第二节 公司情况", "正文", "一、财务指标", "正文"]
    rows = [
        Line(word, 1, 72, 200, 100 + 40 * place, 16 if "、" in word or "第" in word else 10)
        for place, word in enumerate(words)
    ]
    rows.append(Line("正文内容" * 40, 1, 72, 500, 500, 10))
    found = typography.headings(rows, 1, frozenset())
    assert [(each.level, each.text) for each in found] == [
        (1, "第一节 重要提示"), (1, "第二节 公司情况"), (2, "一、财务指标"),
    ]  # fmt: skip
