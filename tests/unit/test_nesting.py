"""Text far down in its file is read, or the file says that it was not."""

from pathlib import Path

import pytest

from agent.domain import ParseOutcome
from tests.format_files import Put, docx, everything, paragraph, pdf, read, texts, zipped

TOO_DEEP = "damaged: nested too deeply"


@pytest.mark.parametrize("depth", [30, 300])
def test_quotes_in_quotes_are_read(tmp_path: Path, depth: int) -> None:
    assert everything(read(tmp_path, "a.md", "> " * depth + "far down\n")) == "far down"


@pytest.mark.parametrize("depth", [60, 200])
def test_lists_in_lists_are_read(tmp_path: Path, depth: int) -> None:
    source = "".join(f"{'  ' * place}- item {place}\n" for place in range(depth))
    assert everything(read(tmp_path, "a.md", source)) + "\n" == source


def test_tables_and_quotes_far_down_are_read_as_such(tmp_path: Path) -> None:
    quote = "> " * 40
    source = f"{quote}| A | B |\n{quote}|---|---|\n{quote}| 1 | 2 |\n"
    assert texts(read(tmp_path, "a.md", source)) == ["A | B", "1 | 2"]


def test_markdown_deeper_than_any_reader_follows_says_so(tmp_path: Path) -> None:
    document = read(tmp_path, "a.md", "Start.\n\n" + "> " * 5_000 + "far down\n")
    assert document.outcome is ParseOutcome.NOT_READABLE
    assert document.reason == "damaged: its parts are nested too deeply"


def _deep(opening: str, closing: str, depth: int = 1_000) -> str:
    return opening * depth + "far down" + closing * depth


@pytest.mark.parametrize(
    "inside",
    [
        _deep("<div>", "</div>"),
        _deep("<table><tr><td>", "</td></tr></table>"),
        _deep("<ul><li>", "</li></ul>"),
        _deep("<b>", "</b>"),
    ],
    ids=["div", "table", "list", "bold"],
)
def test_a_page_that_is_too_deep_is_never_called_empty_or_read(tmp_path: Path, inside: str) -> None:
    bare = read(tmp_path, "a.html", f"<html><title>Named</title><body>{inside}</body></html>")
    begun = read(tmp_path, "b.html", f"<html><body><p>Start.</p>{inside}<p>End.</p></body></html>")
    assert (bare.outcome, bare.reason[:26]) == (ParseOutcome.NOT_READABLE, TOO_DEEP)
    assert (begun.outcome, begun.reason[:26]) == (ParseOutcome.PARTIAL, TOO_DEEP)
    assert everything(begun) == "Start."


def test_a_page_of_two_hundred_levels_is_read(tmp_path: Path) -> None:
    page = f"<html><body>{_deep('<div>', '</div>', 200)}</body></html>"
    document = read(tmp_path, "a.html", page)
    assert (document.outcome, everything(document)) == (ParseOutcome.OK, "far down")


def test_deep_html_inside_markdown_and_mails_says_so(tmp_path: Path) -> None:
    inside = _deep("<div>", "</div>")
    markdown = read(tmp_path, "a.md", f"Start.\n\n{inside}\n")
    mail = read(
        tmp_path,
        "a.eml",
        f"From: a@b.example\nSubject: S\nMIME-Version: 1.0\nContent-Type: text/html\n\n{inside}\n",
    )
    for document in (markdown, mail):
        assert (document.outcome, document.reason[:26]) == (ParseOutcome.PARTIAL, TOO_DEEP)


def test_a_chapter_of_a_book_that_is_too_deep_says_so(tmp_path: Path) -> None:
    opf = "http://www.idpf.org/2007/opf"
    chapter = f"<html><body><p>Start.</p>{_deep('<div>', '</div>')}</body></html>"
    book = zipped(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": (
                '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
                '<rootfile full-path="b.opf"/></rootfiles></container>'
            ),
            "b.opf": (
                f'<package xmlns="{opf}"><manifest><item id="c" href="c.xhtml" '
                'media-type="application/xhtml+xml"/></manifest>'
                '<spine><itemref idref="c"/></spine></package>'
            ),
            "c.xhtml": chapter,
        }
    )
    document = read(tmp_path, "a.epub", book)
    assert (document.outcome, document.reason[:26]) == (ParseOutcome.PARTIAL, TOO_DEEP)
    assert everything(document) == "Start."


@pytest.mark.parametrize("depth", [20, 100])
def test_word_tables_in_tables_are_read_or_the_reason_is_true(tmp_path: Path, depth: int) -> None:
    inner = paragraph("far down")
    for _ in range(depth):
        inner = f"<w:tbl><w:tr><w:tc>{inner}{paragraph('')}</w:tc></w:tr></w:tbl>"
    document = read(tmp_path, "a.docx", docx(inner))
    if depth == 20:
        assert "far down" in everything(document)
    else:
        assert document.reason == TOO_DEEP


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.md", "# Only this\n"),
        ("a.txt", "Only this\n=========\n"),
        ("a.html", "<html><body><h1>Only this</h1></body></html>"),
        ("a.html", "<html><title>T</title><body><nav>Only this</nav></body></html>"),
        ("a.html", "<html><title>T</title><body><header>Only this</header></body></html>"),
        ("a.docx", docx(paragraph("Only this", "Title"))),
        ("a.pdf", pdf([[Put("Only this", 72, 700, size=30)]])),
    ],
    ids=["markdown", "text", "html", "nav", "header", "docx", "pdf"],
)
def test_a_title_that_is_all_the_text_is_text(tmp_path: Path, name: str, data: bytes | str) -> None:
    document = read(tmp_path, name, data)
    assert document.outcome is ParseOutcome.OK
    shown = [each.heading for each in document.sections]
    assert "Only this" in [*shown, *everything(document).split("\n")]


def test_a_page_with_a_title_and_no_text_is_empty(tmp_path: Path) -> None:
    document = read(tmp_path, "a.html", "<html><title>T</title><body></body></html>")
    assert document.outcome is ParseOutcome.NOT_READABLE
    assert document.reason == "empty: the file holds no text"


def test_an_attachment_that_is_too_deep_leaves_its_mail_readable(tmp_path: Path) -> None:
    mail = (
        "From: a@b.example\nSubject: S\nMIME-Version: 1.0\n"
        'Content-Type: multipart/mixed; boundary="x"\n\n--x\nContent-Type: text/plain\n\nSee it.\n'
        "--x\nContent-Type: text/markdown\nContent-Transfer-Encoding: 8bit\n"
        'Content-Disposition: attachment; filename="deep.md"\n\n' + "> " * 5_000 + "x\n\n--x--\n"
    )
    document = read(tmp_path, "a.eml", mail)
    assert "See it." in everything(document)
    [deep] = document.attachments
    assert (deep.name, deep.document.outcome) == ("deep.md", ParseOutcome.NOT_READABLE)
