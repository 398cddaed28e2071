"""Spreadsheets: what their reader sees, and what is kept back; lines divided by any mark."""

import io
import re
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from openpyxl.chart import BarChart, Reference
from openpyxl.comments import Comment

from agent.domain import BlockKind, ParseOutcome
from connectors.formats.sheet import blocks
from tests.format_files import edited, everything, headings, kinds, read, texts


def made(rows: Sequence[Sequence[object]], title: str = "Data") -> openpyxl.Workbook:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = title
    for row in rows:
        sheet.append(list(row))
    return book


def saved(book: openpyxl.Workbook) -> bytes:
    target = io.BytesIO()
    book.save(target)
    return target.getvalue()


def test_hidden_columns_and_comments_are_kept_out_and_counted(tmp_path: Path) -> None:
    book = made([["Name", "Pay", "Place"], ["Ann", "high", "Bern"]])
    book["Data"].column_dimensions["B"].hidden = True
    book["Data"]["A1"].comment = Comment("psst", "x")
    document = read(tmp_path, "a.xlsx", saved(book))
    assert everything(document) == "Name | Place\nAnn | Bern"
    assert document.hidden_chars == len("Payhigh") + len("psst")


def test_a_value_that_its_format_hides_is_counted(tmp_path: Path) -> None:
    book = made([["a", "secret"], ["b", "shown"]])
    book["Data"]["B1"].number_format = ";;;"
    document = read(tmp_path, "a.xlsx", saved(book))
    assert "secret" not in everything(document)
    assert document.hidden_chars == 6


def test_a_sheet_that_claims_to_be_smaller_than_it_is_is_read_whole(tmp_path: Path) -> None:
    data = saved(made([["a", "b"], ["c", "d"]]))
    claimed = edited(data, "xl/worksheets/sheet1.xml", b'ref="A1:B2"', b'ref="A1:A1"')
    assert claimed != data
    assert everything(read(tmp_path, "a.xlsx", claimed)) == "a | b\nc | d"


def test_blank_columns_at_the_left_are_no_cells(tmp_path: Path) -> None:
    data = saved(made([["", "Country", "Days"], ["", "Spain", 22]]))
    assert everything(read(tmp_path, "a.xlsx", data)) == "Country | Days\nSpain | 22"


def test_a_row_of_numbers_is_no_header_and_a_row_of_years_is_one(tmp_path: Path) -> None:
    years = read(tmp_path, "a.xlsx", saved(made([["", 2023, 2024], ["Sales", 5, 6]])))
    numbers = read(tmp_path, "b.xlsx", saved(made([[17, 4], [5, 6]])))
    assert kinds(years, BlockKind.HEADER_ROW) == [" | 2023 | 2024"]
    assert kinds(numbers, BlockKind.HEADER_ROW) == []


def test_a_merged_cell_is_read_once(tmp_path: Path) -> None:
    book = made([["Budget 2024", None, None], ["Item", "Plan", "Spent"], ["Rent", 5, 4]])
    book["Data"].merge_cells("A1:C1")
    document = read(tmp_path, "a.xlsx", saved(book))
    assert kinds(document, BlockKind.PARAGRAPH) == ["Budget 2024"]
    assert kinds(document, BlockKind.HEADER_ROW) == ["Item | Plan | Spent"]


def test_formulas_give_the_values_that_were_last_worked_out(tmp_path: Path) -> None:
    data = saved(made([["Sum"], ["=1+2"]]))
    cached = edited(data, "xl/worksheets/sheet1.xml", b"<v></v>", b"<v>3</v>")
    assert cached != data
    assert everything(read(tmp_path, "a.xlsx", cached)) == "Sum\n3"


def test_a_chart_of_a_hidden_sheet_is_the_only_place_of_its_numbers(tmp_path: Path) -> None:
    book = made([["Report"]], "Page")
    hidden = book.create_sheet("Raw")
    for row in (["Year", "Golf"], ["2023", 7]):
        hidden.append(row)
    chart = BarChart()
    chart.title = "Revenue"
    chart.add_data(Reference(hidden, min_col=2, min_row=1, max_row=2), titles_from_data=True)
    page: Any = book["Page"]
    page.add_chart(chart, "A3")
    hidden.sheet_state = "hidden"
    kept = b'</f><numCache><pt idx="0"><v>7</v></pt></numCache></numRef>'
    data = edited(saved(book), "xl/charts/chart1.xml", b"</f></numRef>", kept)
    document = read(tmp_path, "a.xlsx", data)
    assert texts(document, "Page") == ["Report", "Revenue", " | 7"]


def test_a_workbook_in_the_strict_form_is_read(tmp_path: Path) -> None:
    target = io.BytesIO()
    usual = re.compile(rb"http://schemas\.openxmlformats\.org/(spreadsheetml|officeDocument)/2006/")
    with (
        zipfile.ZipFile(io.BytesIO(saved(made([["kept"]])))) as source,
        zipfile.ZipFile(target, "w") as strict,
    ):
        for name in source.namelist():
            strict.writestr(name, usual.sub(rb"http://purl.oclc.org/ooxml/\1/", source.read(name)))
    assert everything(read(tmp_path, "a.xlsx", target.getvalue())) == "kept"


def test_members_written_with_other_slashes_and_capitals_are_found(tmp_path: Path) -> None:
    target = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(saved(made([["kept"]])))) as source,
        zipfile.ZipFile(target, "w") as odd,
    ):
        for name in source.namelist():
            other = name.replace("/", "\\").replace("sheet1", "Sheet1")
            odd.writestr(other, source.read(name))
    assert everything(read(tmp_path, "a.xlsx", target.getvalue())) == "kept"


def test_a_workbook_of_which_all_is_hidden_says_so(tmp_path: Path) -> None:
    book = made([["secret"]])
    book["Data"].row_dimensions[1].hidden = True
    document = read(tmp_path, "a.xlsx", saved(book))
    assert document.reason == "empty: everything in it is hidden"


def test_a_workbook_of_empty_sheets_is_empty(tmp_path: Path) -> None:
    document = read(tmp_path, "a.xlsx", saved(made([])))
    assert document.outcome is ParseOutcome.NOT_READABLE
    assert document.reason.startswith("empty")


def test_a_sheet_that_cannot_be_read_leaves_the_others(tmp_path: Path) -> None:
    book = made([["kept"]])
    book.create_sheet("Broken").append(["lost"])
    data = edited(saved(book), "xl/worksheets/sheet2.xml", b"</row>", b"</wor>")
    document = read(tmp_path, "a.xlsx", data)
    assert texts(document, "Data") == ["kept"]
    assert document.outcome is ParseOutcome.PARTIAL
    assert document.reason.startswith("damaged: Broken")


def test_a_file_may_name_its_delimiter(tmp_path: Path) -> None:
    assert everything(read(tmp_path, "a.csv", "sep=;\na;b,c\nd;e,f\n")) == "a | b,c\nd | e,f"


def test_marks_within_quotes_divide_nothing(tmp_path: Path) -> None:
    lines = 'name;note\nAnn;"a,b,c"\nBob;"d,e,f"\n'
    assert kinds(read(tmp_path, "a.csv", lines), BlockKind.ROW) == ["Ann | a,b,c", "Bob | d,e,f"]


def test_a_quote_that_never_ends_swallows_nothing(tmp_path: Path) -> None:
    lines = 'size,place\n"5 inch,Bern\n6 inch,Rome\n'
    shown = everything(read(tmp_path, "a.csv", lines))
    assert shown.endswith("6 inch | Rome")


def test_rows_of_unlike_lengths_are_kept(tmp_path: Path) -> None:
    shown = everything(read(tmp_path, "a.csv", "a,b\nc\nd,e,f,g\n"))
    assert shown == "a | b\nc\nd | e | f | g"


@pytest.mark.parametrize("mark", ["\t", ";"])
def test_a_table_is_one_whatever_its_name(tmp_path: Path, mark: str) -> None:
    lines = [
        ("Country", "Days", "Place", "Who"),
        *(("Spain", "22", f"P{n}", "x") for n in range(5)),
    ]
    data = "\n".join(mark.join(line) for line in lines)
    document = read(tmp_path, "export.xls", data)
    assert document.format == "csv"
    assert kinds(document, BlockKind.HEADER_ROW) == ["Country | Days | Place | Who"]


def test_sentences_with_commas_are_no_table(tmp_path: Path) -> None:
    lines = "\n".join(["Well, this is, as you see, prose.", "So, too, is this, I think."] * 4)
    assert read(tmp_path, "a.txt", lines).format == "text"


def test_a_sheet_name_is_a_heading(tmp_path: Path) -> None:
    assert headings(read(tmp_path, "a.xlsx", saved(made([["x"]], "休假")))) == [(1, "休假")]


def test_a_string_that_every_cell_shows_fills_no_memory() -> None:
    rows = blocks.Rows([["x" * 10]] * 10, most_chars=35)
    assert (len(list(rows)), rows.is_cut) == (3, True)
