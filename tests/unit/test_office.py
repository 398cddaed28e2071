"""Slides, sheets and books: their sections and what they keep back."""

import datetime
from pathlib import Path

import openpyxl
import pytest
from lxml import etree

from agent.domain import BlockKind, ParseOutcome
from connectors.formats import drawn
from tests.format_files import edited, everything, headings, kinds, read, texts, zipped

_A = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
_P = 'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"'
_REL = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def shape(text: str, role: str = "body", level: int = 0) -> str:
    return (
        f'<p:sp><p:nvSpPr><p:nvPr><p:ph type="{role}"/></p:nvPr></p:nvSpPr><p:txBody><a:p>'
        f'<a:pPr lvl="{level}"/><a:r><a:t>{text}</a:t></a:r></a:p></p:txBody></p:sp>'
    )


def relations(kinds_and_targets: list[tuple[str, str]]) -> str:
    inner = "".join(
        f'<Relationship Id="r{place}" Type="{_REL}/{kind}" Target="{target}"/>'
        for place, (kind, target) in enumerate(kinds_and_targets)
    )
    namespace = "http://schemas.openxmlformats.org/package/2006/relationships"
    return f'<Relationships xmlns="{namespace}">{inner}</Relationships>'


def pptx(slides: list[str], notes: dict[int, str] | None = None) -> bytes:
    """A presentation of these slides (the inside of the shape tree); `!` before one hides it."""
    ids = "".join(f'<p:sldId id="{256 + place}" r:id="r{place}"/>' for place in range(len(slides)))
    members: dict[str, bytes | str] = {
        "_rels/.rels": relations([("officeDocument", "ppt/presentation.xml")]),
        "ppt/presentation.xml": f'<p:presentation {_P} xmlns:r="{_REL}"><p:sldIdLst>{ids}'
        "</p:sldIdLst></p:presentation>",
        "ppt/_rels/presentation.xml.rels": relations(
            [("slide", f"slides/slide{place}.xml") for place in range(len(slides))]
        ),
    }
    for place, slide in enumerate(slides):
        shown = "0" if slide.startswith("!") else "1"
        members[f"ppt/slides/slide{place}.xml"] = (
            f'<p:sld {_P} {_A} show="{shown}"><p:cSld><p:spTree>{slide.lstrip("!")}</p:spTree>'
            "</p:cSld></p:sld>"
        )
    for place, note in (notes or {}).items():
        members[f"ppt/slides/_rels/slide{place}.xml.rels"] = relations(
            [("notesSlide", f"../notesSlides/n{place}.xml")]
        )
        members[f"ppt/notesSlides/n{place}.xml"] = (
            f"<p:notes {_P} {_A}><p:cSld><p:spTree>{shape(note)}</p:spTree></p:cSld></p:notes>"
        )
    return zipped(members)


def test_a_slide_is_a_section_with_its_number_and_notes(tmp_path: Path) -> None:
    data = pptx(
        [
            shape("Plan", "ctrTitle") + shape("for next year"),
            shape("Costs", "title") + shape("low"),
        ],
        {1: "say it slowly"},
    )
    document = read(tmp_path, "a.pptx", data)
    assert (document.title, document.pages) == ("Plan", 2)
    assert headings(document) == [(1, "Plan"), (1, "Costs")]
    assert texts(document, "Costs") == ["low", "say it slowly"]
    assert document.sections[1].page_from == 2


def test_a_slide_without_a_title_goes_by_its_first_line_or_number(tmp_path: Path) -> None:
    document = read(tmp_path, "a.pptx", pptx([shape("First line") + shape("second"), ""]))
    assert headings(document) == [(1, "First line"), (1, "Slide 2")]


def test_hidden_slides_footers_and_numbers_are_kept_out(tmp_path: Path) -> None:
    slides = ["!" + shape("Secret", "title"), shape("Open", "title") + shape("9", "sldNum")]
    document = read(tmp_path, "a.pptx", pptx(slides))
    assert headings(document) == [(1, "Open")]
    assert everything(document) == ""
    assert document.hidden_chars == 6


def test_deeper_lines_of_a_slide_are_items(tmp_path: Path) -> None:
    slide = shape("T", "title") + shape("one") + shape("two", level=1)
    assert everything(read(tmp_path, "a.pptx", pptx([slide]))) == "one\n  - two"


def picture(description: str) -> str:
    return f'<p:pic><p:nvPicPr><p:cNvPr id="1" name="x" descr="{description}"/></p:nvPicPr></p:pic>'


def test_a_picture_gives_what_was_written_of_it_and_no_mere_name(tmp_path: Path) -> None:
    slide = shape("T", "title") + picture("The new floor plan") + picture("plan.png")
    slide += picture("Picture 3")
    assert everything(read(tmp_path, "a.pptx", pptx([slide]))) == "The new floor plan"


def test_shapes_in_groups_are_read_and_the_number_of_the_slide_is_not(tmp_path: Path) -> None:
    number = (
        '<p:sp><p:txBody><a:p><a:fld type="slidenum"><a:t>7</a:t></a:fld></a:p></p:txBody></p:sp>'
    )
    slide = shape("T", "title") + f"<p:grpSp>{shape('inside')}</p:grpSp>" + number
    assert everything(read(tmp_path, "a.pptx", pptx([slide]))) == "inside"


def test_slides_that_are_pictures_alone_are_scanned(tmp_path: Path) -> None:
    document = read(tmp_path, "a.pptx", pptx([picture("a.png"), picture("b.png")]))
    assert document.outcome is ParseOutcome.NOT_READABLE
    assert document.reason.startswith("scanned")


def test_a_broken_slide_leaves_the_others(tmp_path: Path) -> None:
    data = pptx([shape("One", "title"), shape("Two", "title")])
    broken = edited(data, "ppt/slides/slide1.xml", b"</p:sld>", b"</p:sl>")
    document = read(tmp_path, "a.pptx", broken)
    assert headings(document) == [(1, "One")]
    assert (document.outcome, document.reason) == (
        ParseOutcome.PARTIAL,
        "damaged: what stands on slide 2 cannot be read",
    )


def test_notes_of_a_hidden_slide_are_counted_with_it(tmp_path: Path) -> None:
    data = pptx([shape("Open", "title"), "!" + shape("Secret", "title")], {1: "whisper"})
    document = read(tmp_path, "a.pptx", data)
    assert document.hidden_chars == len("Secretwhisper")


def test_sections_of_a_deck_stand_above_their_slides_even_if_the_first_is_hidden(
    tmp_path: Path,
) -> None:
    p14 = "http://schemas.microsoft.com/office/powerpoint/2010/main"
    sections = "".join(
        f'<p14:section name="{name}"><p14:sldIdLst><p14:sldId id="{first}"/></p14:sldIdLst>'
        "</p14:section>"
        for name, first in (("Start", 256), ("End", 257))
    )
    slides = [shape("One", "title"), "!" + shape("Two", "title"), shape("Three", "title")]
    data = edited(
        pptx(slides),
        "ppt/presentation.xml",
        b"</p:presentation>",
        f'<p:extLst xmlns:p14="{p14}">{sections}</p:extLst></p:presentation>'.encode(),
    )
    assert headings(read(tmp_path, "a.pptx", data)) == [
        (1, "Start"),
        (2, "One"),
        (1, "End"),
        (2, "Three"),
    ]


def test_a_chart_is_the_table_behind_it() -> None:
    c = "http://schemas.openxmlformats.org/drawingml/2006/chart"
    points = "<c:pt idx='{}'><c:v>{}</c:v></c:pt>"
    names = points.format(0, "Spain") + points.format(1, "France")
    values = points.format(0, "0.30000000000000004") + points.format(1, "2")
    root = etree.fromstring(
        f"<c:chartSpace xmlns:c='{c}'><c:ser><c:tx><c:v>Days</c:v></c:tx><c:cat>{names}</c:cat>"
        f"<c:val>{values}</c:val></c:ser></c:chartSpace>"
    )
    assert [text for _, text in drawn.chart(root)] == ["Days", "Spain | 0.3", "France | 2"]


def workbook(tmp_path: Path) -> tuple[openpyxl.Workbook, Path]:
    return openpyxl.Workbook(), tmp_path / "made.xlsx"


def test_a_sheet_is_a_section_of_rows_under_their_header(tmp_path: Path) -> None:
    book, path = workbook(tmp_path)
    sheet = book.active
    assert sheet is not None
    sheet.title = "Leave"
    for row in (["Days by country"], ["Country", "Days"], ["Spain", 22], [], ["Note", "see HR"]):
        sheet.append(row)
    book.create_sheet("Empty")
    book.save(path)
    document = read(tmp_path, "a.xlsx", path.read_bytes())
    assert headings(document) == [(1, "Leave"), (1, "Empty")]
    assert kinds(document, BlockKind.PARAGRAPH) == ["Days by country"]
    assert kinds(document, BlockKind.HEADER_ROW) == ["Country | Days"]
    assert kinds(document, BlockKind.ROW) == ["Spain | 22", "Note | see HR"]


def test_numbers_and_dates_read_as_they_are_shown(tmp_path: Path) -> None:
    book, path = workbook(tmp_path)
    sheet = book.active
    assert sheet is not None
    sheet.append(["a", 0.125, 1234567.5, 3.0, datetime.date(2024, 5, 1), True])
    sheet["B1"].number_format = "0.0%"
    sheet["C1"].number_format = "#,##0.00"
    book.save(path)
    shown = everything(read(tmp_path, "a.xlsx", path.read_bytes()))
    assert shown == "a | 12.5% | 1,234,567.50 | 3 | 2024-05-01 | TRUE"


def test_hidden_sheets_and_rows_are_kept_out_and_counted(tmp_path: Path) -> None:
    book, path = workbook(tmp_path)
    sheet = book.active
    assert sheet is not None
    for row in (["Name", "Pay"], ["Ann", "high"], ["Bob", "low"]):
        sheet.append(row)
    sheet.row_dimensions[2].hidden = True
    book.create_sheet("Secret").append(["abc"])
    book["Secret"].sheet_state = "hidden"
    book.save(path)
    document = read(tmp_path, "a.xlsx", path.read_bytes())
    assert everything(document) == "Name | Pay\nBob | low"
    assert document.hidden_chars == 10


def test_a_sheet_that_claims_a_million_rows_ends_where_its_rows_end(tmp_path: Path) -> None:
    book, path = workbook(tmp_path)
    sheet = book.active
    assert sheet is not None
    sheet["A1"], sheet["A1048576"] = "top", "bottom"
    book.save(path)
    assert everything(read(tmp_path, "a.xlsx", path.read_bytes())) == "top"


@pytest.mark.parametrize("mark", [",", ";", "\t", "|"])
def test_the_delimiter_of_a_table_is_found(tmp_path: Path, mark: str) -> None:
    lines = [["name", "note"], ["Ann", "a, b"], ["Bob", "c"]]
    data = "\n".join(mark.join(f'"{cell}"' for cell in line) for line in lines)
    document = read(tmp_path, "a.csv", data)
    assert kinds(document, BlockKind.HEADER_ROW) == ["name | note"]
    assert kinds(document, BlockKind.ROW) == ["Ann | a, b", "Bob | c"]


def test_a_book_is_cut_where_its_contents_list_says(tmp_path: Path) -> None:
    page = "<html xmlns='http://www.w3.org/1999/xhtml'><body>{}</body></html>"
    links = "<li><a href='one.xhtml'>One</a><ol><li><a href='one.xhtml#b'>Inner</a></li></ol></li>"
    nav = f"<nav epub:type='toc' xmlns:epub='http://www.idpf.org/2007/ops'><ol>{links}</ol></nav>"
    opf = (
        "<package xmlns='http://www.idpf.org/2007/opf' xmlns:dc='http://purl.org/dc/elements/1.1/'>"
        "<metadata><dc:title>A book</dc:title></metadata><manifest>"
        "<item id='n' href='nav.xhtml' media-type='application/xhtml+xml' properties='nav'/>"
        "<item id='o' href='one.xhtml' media-type='application/xhtml+xml'/></manifest>"
        "<spine><itemref idref='n'/><itemref idref='o'/></spine></package>"
    )
    container = (
        "<container xmlns='urn:oasis:names:tc:opendocument:xmlns:container'><rootfiles>"
        "<rootfile full-path='OPS/book.opf'/></rootfiles></container>"
    )
    one = "<h1>One</h1><p>first</p><div id='b'><p>second</p></div>"
    data = zipped(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": container,
            "OPS/book.opf": opf,
            "OPS/nav.xhtml": page.format(nav),
            "OPS/one.xhtml": page.format(one),
        }
    )
    document = read(tmp_path, "a.epub", data)
    assert document.title == "A book"
    assert headings(document) == [(1, "One"), (2, "Inner")]
    assert (texts(document, "One"), texts(document, "Inner")) == (["first"], ["second"])
