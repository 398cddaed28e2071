"""Tables of PDF files: rows with their header, every figure under its own name."""

from collections.abc import Sequence
from pathlib import Path

from agent.domain import BlockKind
from tests.format_files import Put, everything, kinds, pdf, read
from tests.pdf_files import TaggedRow, tagged

RULES = b"1 w 70 600 400 90 re S 70 630 m 470 630 l S 70 660 m 470 660 l S 200 600 m 200 690 l S "


def cells(rows: Sequence[tuple[str, ...]], xs: tuple[float, ...], top: float = 670) -> list[Put]:
    """The cells of a table, 30 points a row; empty ones are not written."""
    return [
        Put(text, x, top - 30 * place)
        for place, row in enumerate(rows)
        for text, x in zip(row, xs, strict=True)
        if text
    ]


def test_empty_cells_of_an_undrawn_table_keep_their_column(tmp_path: Path) -> None:
    rows = [("Item", "Place", "Expected", "Actual"), ("SKU-1", "A-12", "450", "")]
    rows += [("SKU-2", "", "", "289"), ("SKU-3", "B-07", "780", "778")]
    document = read(tmp_path, "a.pdf", pdf([cells(rows, (72, 160, 250, 340))]))
    assert kinds(document, BlockKind.HEADER_ROW) == ["Item | Place | Expected | Actual"]
    assert kinds(document, BlockKind.ROW) == [
        "SKU-1 | A-12 | 450",
        "SKU-2 |  |  | 289",
        "SKU-3 | B-07 | 780 | 778",
    ]


def test_names_that_stand_close_are_divided_where_the_columns_below_are(tmp_path: Path) -> None:
    rows = [("Product Code", "Location", "Count"), ("SKU-1", "A-12", "450")]
    rows += [("SKU-2", "B-07", "289")]
    document = read(tmp_path, "a.pdf", pdf([cells(rows, (72, 144, 260))]))
    assert kinds(document, BlockKind.HEADER_ROW) == ["Product Code | Location | Count"]


def test_lines_of_one_drawn_cell_stay_together(tmp_path: Path) -> None:
    lines = [Put("Country", 75, 670, bold=True), Put("Rule", 205, 670, bold=True)]
    lines += [Put("Spain", 75, 648), Put("Thirty days of leave", 205, 648)]
    lines += [Put("in every year", 205, 635)]
    lines += [Put("France", 75, 610), Put("Twenty-five days", 205, 610)]
    document = read(tmp_path, "a.pdf", pdf([lines], drawing=RULES))
    assert kinds(document, BlockKind.HEADER_ROW) == ["Country | Rule"]
    assert kinds(document, BlockKind.ROW) == [
        "Spain | Thirty days of leave in every year",
        "France | Twenty-five days",
    ]


def test_cells_that_touch_are_divided_by_the_rule_between_them(tmp_path: Path) -> None:
    rows = [("A very long first column", "Next"), ("Spain", "22"), ("France", "25")]
    lines = cells(rows, (85, 202))
    document = read(tmp_path, "a.pdf", pdf([lines], drawing=RULES))
    assert kinds(document, BlockKind.HEADER_ROW) == ["A very long first column | Next"]


def test_prose_in_a_box_is_no_table(tmp_path: Path) -> None:
    lines = [
        Put("This box says that all members of the staff may ask for leave", 75, 670),
        Put("and that the head of the office answers within two weeks.", 75, 657),
    ]
    box = b"1 w 70 600 400 90 re S "
    document = read(tmp_path, "a.pdf", pdf([lines], drawing=box))
    assert kinds(document, BlockKind.ROW) == []
    assert "may ask for leave and that the head" in everything(document)


def test_tagged_tables_have_their_rows_whatever_the_order_of_writing(tmp_path: Path) -> None:
    rows = [
        TaggedRow((("TH", "Year", 72), ("TH", "Days", 200)), 600),
        TaggedRow((("TD", "First", 72), ("TD", "twenty", 200)), 580),
        TaggedRow((("TD", "Second", 72), ("TD", "thirty", 200)), 560),
    ]
    document = read(tmp_path, "a.pdf", tagged([], rows, order=-1))
    assert kinds(document, BlockKind.HEADER_ROW) == ["Year | Days"]
    assert kinds(document, BlockKind.ROW) == ["First | twenty", "Second | thirty"]


def test_pairs_of_name_and_value_have_no_header(tmp_path: Path) -> None:
    rows = [("Name:", "Ada Example"), ("Phone:", "555 0100"), ("Room:", "12")]
    document = read(tmp_path, "a.pdf", pdf([cells(rows, (72, 200))]))
    assert kinds(document, BlockKind.HEADER_ROW) == []
    assert kinds(document, BlockKind.ROW)[0] == "Name: | Ada Example"


def test_years_name_columns_of_figures(tmp_path: Path) -> None:
    rows = [("Revenue", "2023", "2024"), ("Europe", "12.5", "13.1"), ("Asia", "8.0", "9.2")]
    document = read(tmp_path, "a.pdf", pdf([cells(rows, (72, 200, 300))]))
    assert kinds(document, BlockKind.HEADER_ROW) == ["Revenue | 2023 | 2024"]
