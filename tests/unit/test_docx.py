"""Word files: every visible word once, under the right heading."""

from pathlib import Path

import docx as python_docx
import pytest

from agent.domain import BlockKind
from tests.format_files import (
    W,
    docx,
    edited,
    everything,
    headings,
    kinds,
    paragraph,
    read,
    style,
    texts,
)

HEADINGS = "".join(style(f"H{level}", f"heading {level}") for level in (1, 2, 3))
TWO = paragraph("A", "H1") + paragraph("a") + paragraph("B", "H1") + paragraph("b")


def test_a_file_written_by_a_common_library_is_read(tmp_path: Path) -> None:
    file = python_docx.Document()
    file.core_properties.title = "Leave policy"
    file.add_heading("Days", 1)
    file.add_paragraph("Thirty days.")
    file.add_heading("Carry over", 2)
    file.add_paragraph("Five days.", style="List Bullet")
    table = file.add_table(2, 2)
    for place, cell in enumerate(("Country", "Days", "Spain", "22")):
        table.cell(place // 2, place % 2).text = cell
    file.save(str(tmp_path / "source.docx"))
    document = read(tmp_path, "a.docx", (tmp_path / "source.docx").read_bytes())
    assert document.title == "Leave policy"
    assert headings(document) == [(1, "Days"), (2, "Carry over")]
    assert texts(document, "Carry over") == ["- Five days.", "Country | Days", "Spain | 22"]


def test_levels_come_from_outline_style_and_translated_names(tmp_path: Path) -> None:
    outline = '<w:pPr><w:outlineLvl w:val="1"/></w:pPr>'
    styles = (
        style("x1", "Überschrift 1") + style("x2", "Corporate", outline) + style("x3", "标题 3")
        + style("x4", "Deeper", based_on="x2") + style("x5", "Firm Heading 3")
    )  # fmt: skip
    own = '<w:outlineLvl w:val="3"/>'
    body = "".join(
        paragraph(f"{key} head", key) + paragraph("text") for key in ("x1", "x2", "x3", "x4", "x5")
    ) + paragraph("own head", "", own)
    document = read(tmp_path, "a.docx", docx(body + paragraph("text"), styles=styles))
    assert [level for level, _ in headings(document)] == [1, 2, 3, 2, 3, 4]


def test_the_title_style_is_the_title_and_no_section(tmp_path: Path) -> None:
    body = paragraph("Handbook", "T") + TWO
    data = docx(body, styles=HEADINGS + style("T", "Titel"), title="Old name of the template")
    document = read(tmp_path, "a.docx", data)
    assert document.title == "Handbook"
    assert headings(document) == [(1, "A"), (1, "B")]
    assert "Handbook" not in everything(document)


def test_a_property_left_by_a_program_is_no_title(tmp_path: Path) -> None:
    assert (
        read(tmp_path, "a.docx", docx(TWO, styles=HEADINGS, title="Microsoft Word - x")).title == ""
    )


def test_insertions_and_moves_stay_and_deletions_go(tmp_path: Path) -> None:
    run = '<w:r><w:t xml:space="preserve">{}</w:t></w:r>'
    inserted = f"<w:ins>{run.format('new ')}</w:ins>"
    deleted = "<w:del><w:r><w:delText>old </w:delText></w:r></w:del>"
    moved = f"<w:moveFrom>{run.format('here ')}</w:moveFrom>"
    moved += f"<w:moveTo>{run.format('there')}</w:moveTo>"
    body = f"<w:p>{inserted}{deleted}{moved}</w:p>"
    assert everything(read(tmp_path, "a.docx", docx(body))) == "new there"


def test_content_controls_hold_text_and_tables(tmp_path: Path) -> None:
    row = "<w:tr><w:tc>{}</w:tc><w:tc>{}</w:tc></w:tr>"
    table = "<w:tbl>" + row.format(paragraph("a"), paragraph("b")) + "</w:tbl>"
    control = "<w:sdt><w:sdtContent>{}</w:sdtContent></w:sdt>"
    body = control.format(control.format(paragraph("inside") + table))
    assert everything(read(tmp_path, "a.docx", docx(body))) == "inside\na | b"


def test_a_text_box_comes_once_after_its_paragraph(tmp_path: Path) -> None:
    box = f"<w:txbxContent>{paragraph('in the box')}</w:txbxContent>"
    body = (
        "<w:p><w:r><w:t>before</w:t></w:r><w:r><mc:AlternateContent><mc:Choice><w:drawing><wps:txbx>"
        f"{box}</wps:txbx></w:drawing></mc:Choice><mc:Fallback><w:pict><v:textbox>{box}</v:textbox>"
        "</w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>"
    )
    assert everything(read(tmp_path, "a.docx", docx(body))) == "before\nin the box"


def test_merged_cells_and_nested_tables_come_once(tmp_path: Path) -> None:
    def cell(content: str, properties: str = "") -> str:
        return f"<w:tc><w:tcPr>{properties}</w:tcPr>{content}</w:tc>"

    row, table = "<w:tr>{}{}</w:tr>", "<w:tbl>{}</w:tbl>"
    inner = table.format(row.format(cell(paragraph("x")), cell(paragraph("y"))))
    tall = cell(paragraph("tall"), '<w:vMerge w:val="restart"/>')
    first = row.format(tall, cell(paragraph("b")))
    second = row.format(cell(paragraph(""), "<w:vMerge/>"), cell(inner + paragraph("d")))
    body = table.format(first + second)
    assert everything(read(tmp_path, "a.docx", docx(body))) == "tall | b\n | d\nx | y"


def test_the_first_row_of_a_table_is_its_header(tmp_path: Path) -> None:
    row = "<w:tr><w:tc>{}</w:tc><w:tc>{}</w:tc></w:tr>"
    rows = row.format(paragraph("Size"), paragraph("Type"))
    rows += row.format(paragraph("small"), paragraph("n2"))
    document = read(tmp_path, "a.docx", docx(f"<w:tbl>{rows}</w:tbl>"))
    assert kinds(document, BlockKind.HEADER_ROW) == ["Size | Type"]
    assert kinds(document, BlockKind.ROW) == ["small | n2"]


def test_footnotes_stand_at_the_end_of_their_section(tmp_path: Path) -> None:
    note = f'<w:footnote w:id="2">{paragraph("Unless agreed.")}</w:footnote>'
    note = f'<w:footnotes xmlns:w="{W}">{note}</w:footnotes>'
    cited = '<w:p><w:r><w:t>Paid.</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r></w:p>'
    body = paragraph("A", "H1") + cited + paragraph("more") + paragraph("B", "H1") + paragraph("b")
    data = docx(body, styles=HEADINGS, parts={"footnotes": ("footnotes.xml", note)})
    document = read(tmp_path, "a.docx", data)
    assert texts(document, "A") == ["Paid.[^1]", "more", "[^1] Unless agreed."]


def test_hidden_text_is_kept_out_and_counted(tmp_path: Path) -> None:
    body = paragraph("seen") + paragraph("hidden", run="<w:vanish/>")
    document = read(tmp_path, "a.docx", docx(body))
    assert everything(document) == "seen"
    assert document.hidden_chars == 6


WHITE = '<w:color w:val="FFFFFF"/>'
DARK = '<w:shd w:val="clear" w:fill="1F4E79"/>'


def test_white_letters_on_white_are_kept_out_and_counted(tmp_path: Path) -> None:
    body = paragraph("seen") + paragraph("hidden", run=WHITE)
    document = read(tmp_path, "a.docx", docx(body))
    assert everything(document) == "seen"
    assert document.hidden_chars == 6


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(paragraph("seen", run=WHITE + DARK), id="letters on a colour"),
        pytest.param(paragraph("seen", run=f'{WHITE}<w:highlight w:val="black"/>'), id="marked"),
        pytest.param(
            f"<w:p><w:pPr>{DARK}</w:pPr><w:r><w:rPr>{WHITE}</w:rPr><w:t>seen</w:t></w:r></w:p>",
            id="paragraph on a colour",
        ),
        pytest.param(paragraph("seen", "B", run=WHITE), id="style with a colour"),
        pytest.param(
            f"<w:tbl><w:tr><w:tc><w:tcPr>{DARK}</w:tcPr>{paragraph('seen', run=WHITE)}</w:tc>"
            "</w:tr></w:tbl>",
            id="cell on a colour",
        ),
        pytest.param(
            '<w:tbl><w:tblPr><w:tblStyle w:val="T"/></w:tblPr><w:tr><w:tc>'
            f"{paragraph('seen', run=WHITE)}</w:tc></w:tr></w:tbl>",
            id="table with a style",
        ),
        pytest.param(
            "<w:p><w:r><w:drawing><w:txbxContent>"
            f"{paragraph('seen', run=WHITE)}</w:txbxContent></w:drawing></w:r></w:p>",
            id="text box",
        ),
    ],
)
def test_white_letters_on_a_ground_are_text(tmp_path: Path, body: str) -> None:
    styles = style("B", "Banner", f"<w:pPr>{DARK}</w:pPr>")
    document = read(tmp_path, "a.docx", docx(body + paragraph("more"), styles=styles))
    assert everything(document) == "seen\nmore"


def test_a_contents_list_is_no_text(tmp_path: Path) -> None:
    entry = "<w:p><w:r><w:t>Days</w:t><w:tab/><w:t>4</w:t></w:r></w:p>"
    body = paragraph("Contents", "TH") + paragraph("Sick leave 7", "T1") + entry + TWO
    styles = HEADINGS + style("TH", "TOC Heading") + style("T1", "toc 1")
    document = read(tmp_path, "a.docx", docx(body, styles=styles))
    assert everything(document) == "a\nb"


def test_bold_lines_head_sections_where_no_style_does(tmp_path: Path) -> None:
    bold = "<w:b/>"
    body = (
        paragraph("CHAPTER 1", run=bold) + paragraph("CHAPTER 1 – LEAVE", run=bold)
        + paragraph("A.\tPURPOSE") + paragraph("It grants leave to all staff.")
        + paragraph("Sick days", run=bold) + paragraph("Call us before nine.")
    )  # fmt: skip
    document = read(tmp_path, "a.docx", docx(body))
    assert headings(document) == [(1, "CHAPTER 1 – LEAVE"), (2, "A. PURPOSE"), (2, "Sick days")]


def test_bold_lines_are_text_where_styles_mark_headings(tmp_path: Path) -> None:
    body = TWO + paragraph("Note well", run="<w:b/>") + paragraph("c")
    assert headings(read(tmp_path, "a.docx", docx(body, styles=HEADINGS))) == [(1, "A"), (1, "B")]


def test_list_items_carry_the_numbers_that_word_prints(tmp_path: Path) -> None:
    levels = "".join(
        f'<w:lvl w:ilvl="{level}"><w:start w:val="1"/><w:numFmt w:val="{form}"/>'
        f'<w:lvlText w:val="{text}"/></w:lvl>'
        for level, form, text in ((0, "decimal", "%1."), (1, "lowerLetter", "%2)"))
    )
    numbering = (
        f'<w:numbering xmlns:w="{W}"><w:abstractNum w:abstractNumId="0">{levels}</w:abstractNum>'
        '<w:num w:numId="5"><w:abstractNumId w:val="0"/></w:num></w:numbering>'
    )
    place = '<w:numPr><w:ilvl w:val="{}"/><w:numId w:val="5"/></w:numPr>'
    body = "".join(paragraph("x", "", place.format(level)) for level in (0, 1, 1, 0, 1))
    data = docx(body, parts={"numbering": ("numbering.xml", numbering)})
    assert kinds(read(tmp_path, "a.docx", data), BlockKind.ITEM) == [
        "1. x", "  a) x", "  b) x", "2. x", "  a) x",
    ]  # fmt: skip


def test_links_come_from_relationships_and_fields(tmp_path: Path) -> None:
    body = (
        '<w:p><w:hyperlink r:id="k1"><w:r><w:t>guide</w:t></w:r></w:hyperlink><w:r><w:instrText>'
        ' HYPERLINK "other.docx" </w:instrText></w:r><w:r><w:t> other</w:t></w:r></w:p>'
    )
    document = read(tmp_path, "a.docx", docx(body, links={"k1": "guide.docx"}))
    assert document.links == ("guide.docx", "other.docx")
    assert everything(document) == "guide other"


def test_the_strict_form_of_the_standard_is_read(tmp_path: Path) -> None:
    document = read(tmp_path, "a.docx", docx(TWO, styles=HEADINGS, strict=True))
    assert headings(document) == [(1, "A"), (1, "B")]


def test_a_relationship_to_a_missing_part_does_no_harm(tmp_path: Path) -> None:
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/image"
    gone = f'<Relationship Id="z" Type="{kind}" Target="NULL"/></Relationships>'.encode()
    rels = "word/_rels/document.xml.rels"
    data = edited(docx(TWO, styles=HEADINGS), rels, b"</Relationships>", gone)
    assert headings(read(tmp_path, "a.docx", data)) == [(1, "A"), (1, "B")]


def test_tables_in_tables_without_end_are_damage(tmp_path: Path) -> None:
    deep = "<w:tbl><w:tr><w:tc>" * 240 + paragraph("x") + "</w:tc></w:tr></w:tbl>" * 240
    assert read(tmp_path, "a.docx", docx(deep)).reason.startswith("damaged")


@pytest.mark.parametrize("entity", ['SYSTEM "file:///etc/passwd"', '"secret"'])
def test_entities_of_a_word_file_are_not_followed(tmp_path: Path, entity: str) -> None:
    data = docx(paragraph("x"))
    main = "word/document.xml"
    data = edited(
        data,
        main,
        b"<w:document",
        f"<!DOCTYPE w:document [<!ENTITY e {entity}>]><w:document".encode(),
    )
    data = edited(data, main, b">x<", b">x&e;<")
    assert "root:" not in everything(read(tmp_path, "a.docx", data))


def test_an_ellipsis_or_a_single_number_behind_a_tab_is_text(tmp_path: Path) -> None:
    total = "<w:p><w:r><w:t>Total</w:t><w:tab/><w:t>45</w:t></w:r></w:p>"
    body = paragraph("Players, cameras, tills......") + total + paragraph("the end")
    document = read(tmp_path, "a.docx", docx(body))
    assert everything(document) == "Players, cameras, tills......\nTotal 45\nthe end"


def test_a_typed_contents_list_goes_with_the_word_above_it(tmp_path: Path) -> None:
    entry = "<w:p><w:r><w:t>{}</w:t><w:tab/><w:t>{}</w:t></w:r></w:p>"
    listed = entry.format("Scope", 1) + entry.format("Leave", 3)
    document = read(tmp_path, "a.docx", docx(paragraph("Contents") + listed + paragraph("Text.")))
    assert everything(document) == "Text."
