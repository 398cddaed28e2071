"""HTML pages: what a browser shows, in which encoding, under which headings."""

from pathlib import Path

import pytest

from agent.domain import BlockKind
from tests.format_files import everything, headings, kinds, read, texts


def test_scripts_navigation_and_forms_are_no_text(tmp_path: Path) -> None:
    page = (
        "<html><head><title>Leave</title><style>p{}</style></head><body><nav>Menu</nav>"
        "<header>Logo</header><script>var a;</script><p>Thirty days of leave.</p><form>Search"
        "<input value='q'></form><aside>Ads</aside><footer>Imprint</footer></body></html>"
    )
    document = read(tmp_path, "a.html", page)
    assert document.title == "Leave"
    assert everything(document) == "Thirty days of leave."


def test_hidden_text_is_kept_out_and_counted(tmp_path: Path) -> None:
    page = (
        "<html><body><p>Seen.</p><p hidden>12345</p><p style='display: none'>678</p></body></html>"
    )
    document = read(tmp_path, "a.html", page)
    assert everything(document) == "Seen."
    assert document.hidden_chars == 8


def test_only_the_main_part_is_read(tmp_path: Path) -> None:
    page = (
        "<html><body><div>Cookie notice</div><main><h1>Travel</h1><p>Book early, at the best price."
        "</p></main></body></html>"
    )
    document = read(tmp_path, "a.html", page)
    assert document.title == "Travel"
    assert everything(document) == "Book early, at the best price."


def test_headings_make_sections_with_anchors(tmp_path: Path) -> None:
    page = "<html><body><h2 id='d'>Days <a>¶</a></h2><p>30</p><h3>More</h3><p>x</p></body></html>"
    document = read(tmp_path, "a.html", page)
    assert headings(document) == [(2, "Days"), (3, "More")]
    assert document.sections[0].anchor == "#d"


def test_the_h1_of_a_page_whose_title_names_the_site_too_is_the_title(tmp_path: Path) -> None:
    head = "<head><title>Leave | Example</title></head>"
    page = f"<html>{head}<body><h1>Leave</h1><p>x</p></body></html>"
    document = read(tmp_path, "a.html", page)
    assert (document.title, headings(document)) == ("Leave", [])


def test_a_heading_in_a_table_cell_does_not_cut_the_table(tmp_path: Path) -> None:
    page = (
        "<html><body><table><tr><td><h1>A</h1></td><td>B</td></tr><tr><td>1</td><td>2</td></tr>"
        "</table>After</body></html>"
    )
    document = read(tmp_path, "a.html", page)
    assert headings(document) == []
    assert everything(document) == "A | B\n1 | 2\nAfter"


def test_a_table_that_only_frames_the_page_may_hold_headings(tmp_path: Path) -> None:
    page = "<html><body><table><tr><td><h2>A</h2><p>x</p></td></tr></table></body></html>"
    assert headings(read(tmp_path, "a.html", page)) == [(2, "A")]


def test_lists_are_numbered_as_shown(tmp_path: Path) -> None:
    page = "<html><body><ol start='3'><li>a<ul><li>b</li></ul></li><li>c</li></ol></body></html>"
    assert kinds(read(tmp_path, "a.html", page), BlockKind.ITEM) == ["3. a", "  - b", "4. c"]


def test_bold_lines_are_headings_where_the_page_has_none(tmp_path: Path) -> None:
    page = (
        "<html><body><p align='center'><b>PART I</b></p><p><b>Item 1. Business</b></p><p>We sell "
        "<b>shoes</b>.</p><p><b>Item 2. Property</b></p><p>A house.</p></body></html>"
    )
    document = read(tmp_path, "a.html", page)
    assert headings(document) == [(1, "PART I"), (2, "Item 1. Business"), (2, "Item 2. Property")]


def test_breaks_split_lines_and_code_keeps_its_own(tmp_path: Path) -> None:
    page = "<html><body><p>one<br>two</p><pre>a\n  b</pre></body></html>"
    document = read(tmp_path, "a.html", page)
    assert texts(document) == ["one\ntwo", "a\n  b"]


@pytest.mark.parametrize(
    ("charset", "encoding", "text"),
    [
        ("gb2312", "gb18030", "请假流程说明"),
        ("big5", "big5", "請假流程說明"),
        ("shift_jis", "cp932", "休暇の申請"),
        ("iso-8859-1", "cp1252", "“können” – Straße"),
        ("utf-8", "utf-8", "混合 ü"),
    ],
)
def test_the_declared_encoding_is_believed(
    tmp_path: Path, charset: str, encoding: str, text: str
) -> None:
    page = f"<html><head><meta charset='{charset}'></head><body><p>{text}</p></body></html>"
    assert everything(read(tmp_path, "a.html", page.encode(encoding))) == text


def test_an_undeclared_western_page_is_read_as_one(tmp_path: Path) -> None:
    page = "<html><body><p>Die Straße können wir überqueren</p></body></html>".encode("cp1252")
    assert everything(read(tmp_path, "a.html", page)) == "Die Straße können wir überqueren"


def test_links_are_kept_as_written(tmp_path: Path) -> None:
    page = "<html><body><p><a href='../b.html'>b</a> <a href='#x'>x</a></p></body></html>"
    assert read(tmp_path, "a.html", page).links == ("../b.html",)


def test_an_entity_bomb_and_an_outside_entity_give_nothing(tmp_path: Path) -> None:
    page = (
        '<!DOCTYPE html [<!ENTITY a "x"><!ENTITY b "&a;&a;&a;"><!ENTITY f SYSTEM "file:///etc/passwd">]>'
        "<html><body><p>Safe &b; &f;</p></body></html>"
    )
    assert "root:" not in everything(read(tmp_path, "a.html", page))


def test_cells_over_several_columns_or_rows_keep_the_others_in_place(tmp_path: Path) -> None:
    page = (
        "<html><body><table><tr><th>Site</th><th colspan='2'>Days</th></tr><tr><td rowspan='2'>Rome"
        "</td><td>1</td><td>2</td></tr><tr><td>3</td><td>4</td></tr></table></body></html>"
    )
    assert everything(read(tmp_path, "a.html", page)) == "Site | Days\nRome | 1 | 2\n | 3 | 4"


def test_control_characters_are_no_text(tmp_path: Path) -> None:
    page = "<html><body><p>Thirty<script>f()</script>&#1; days\f of&#x1f; leave</p></body></html>"
    assert "Thirty days of leave" in " ".join(everything(read(tmp_path, "a.html", page)).split())


@pytest.mark.parametrize(
    "style",
    [
        "opacity:0",
        "opacity: 0.0;",
        "font-size:0",
        "font-size: 1px",
        "position:absolute;left:-9999px",
        "color:white",
        "margin:0; color: #FFFFFF",
        "color:#fff;background-color:#fff",
    ],
)
def test_what_a_style_makes_invisible_is_kept_out(tmp_path: Path, style: str) -> None:
    document = read(tmp_path, "a.html", f"<p>Seen.</p><p style='{style}'>12345</p>")
    assert everything(document) == "Seen."
    assert document.hidden_chars == 5


@pytest.mark.parametrize(
    "page",
    [
        "<p style='font-size:14px;opacity:0.9'>Seen.</p>",
        "<p style='font-size:1em;background-color:white'>Seen.</p>",
        "<div style='background:#000'><p style='color:white'>Seen.</p></div>",
        "<table><tr><td bgcolor='navy'><b style='color:#fff'>Seen.</b></td></tr></table>",
        "<p class='banner' style='color:white'>Seen.</p>",
    ],
)
def test_what_may_be_seen_is_text(tmp_path: Path, page: str) -> None:
    assert everything(read(tmp_path, "a.html", f"{page}<p>More.</p>")) == "Seen.\nMore."


def test_a_header_with_the_heading_belongs_to_the_text(tmp_path: Path) -> None:
    page = (
        "<body><header><h1>Leave policy</h1><time>3 May 2026</time></header><p>Thirty days.</p>"
        "</body>"
    )
    document = read(tmp_path, "a.html", page)
    assert document.title == "Leave policy"
    assert everything(document) == "3 May 2026\nThirty days."


def test_a_role_makes_a_heading(tmp_path: Path) -> None:
    page = (
        "<div role='heading' aria-level='1'>A</div><p>a</p><p role=heading>B</p><p>b</p><h1>C</h1>"
    )
    document = read(tmp_path, "a.html", f"<body>{page}<p>c</p></body>")
    assert headings(document) == [(1, "A"), (2, "B"), (1, "C")]


def test_a_heading_before_the_only_h1_is_not_lost(tmp_path: Path) -> None:
    page = "<body><h2>News</h2><p>a</p><h1>Leave policy</h1><p>b</p></body>"
    document = read(tmp_path, "a.html", page)
    assert document.title == "Leave policy"
    assert headings(document) == [(2, "News"), (1, "Leave policy")]
