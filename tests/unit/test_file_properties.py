"""Author and date as a file's own properties say them, in every format that has them."""

import io
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import pytest
from docx import Document as WordFile
from pypdf import PdfWriter

from agent.domain import ParsedDocument
from connectors.formats.worker import parse_file

APRIL = datetime(2024, 4, 3, 10, 20, 30, tzinfo=UTC)


@pytest.fixture
def parsed(tmp_path: Path) -> "Parsed":
    return Parsed(tmp_path)


class Parsed:
    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(self, name: str, data: bytes) -> ParsedDocument:
        path = self.folder / name
        path.write_bytes(data)
        return parse_file(str(path), name, 10_000_000).document


def word(author: str) -> bytes:
    file, target = WordFile(), io.BytesIO()
    file.add_paragraph("Everybody has 28 days.")
    file.core_properties.author = author
    file.core_properties.last_modified_by = ""
    file.core_properties.modified = APRIL.replace(tzinfo=None)
    file.save(target)
    return target.getvalue()


def pdf(date: str) -> bytes:
    writer, target = PdfWriter(), io.BytesIO()
    writer.add_blank_page(200, 200)
    writer.add_metadata({"/Author": "Ann Lee", "/ModDate": date})
    writer.write(target)
    return target.getvalue()


def test_word(parsed: Parsed) -> None:
    document = parsed("a.docx", word("Ann Lee"))

    assert (document.author, document.modified) == ("Ann Lee", APRIL)


@pytest.mark.parametrize("name", ["", "python-docx", "(anonymous)", "User", "Administrator"])
def test_a_name_that_a_program_put_there_is_nobodys(parsed: Parsed, name: str) -> None:
    assert parsed("a.docx", word(name)).author == ""


@pytest.mark.parametrize(
    "date", ["D:20240403102030Z", "D:20240403122030+02'00'", "D:20240403102030"]
)
def test_pdf(date: str) -> None:
    from connectors.formats.detect import Kind
    from connectors.formats.properties import with_record
    from tests.library_files import parsed as nothing

    document = with_record(nothing(""), Kind.PDF, pdf(date))

    assert (document.author, document.modified) == ("Ann Lee", APRIL)


@pytest.mark.parametrize("date", ["", "D:2024", "D:99999999999999", "yesterday"])
def test_a_date_that_is_none_is_left_out(date: str) -> None:
    from connectors.formats.detect import Kind
    from connectors.formats.properties import with_record
    from tests.library_files import parsed as nothing

    assert with_record(nothing(""), Kind.PDF, pdf(date)).modified is None


@pytest.mark.parametrize(
    "text",
    [
        "---\ntitle: Leave\nauthor: Ann Lee\nlastmod: 2024-04-03T10:20:30Z\n---\n\nText here.\n",
        '+++\nauthors = ["Ann Lee"]\nupdated = 2024-04-03T10:20:30Z\n+++\n\nText here.\n',
    ],
)
def test_front_matter(parsed: Parsed, text: str) -> None:
    document = parsed("a.md", text.encode())

    assert (document.author, document.modified) == ("Ann Lee", APRIL)


def test_web_page(parsed: Parsed) -> None:
    page = (
        "<html><head><meta content='Ann &amp; Bob' name='Author'>"
        "<meta property='article:modified_time' content='2024-04-03T10:20:30+00:00'></head>"
        "<body><p>Everybody has 28 days.</p></body></html>"
    )
    document = parsed("a.html", page.encode())

    assert (document.author, document.modified) == ("Ann & Bob", APRIL)


def test_mail(parsed: Parsed) -> None:
    mail = (
        "From: Ann Lee <ann@acme.example>\r\nTo: all@acme.example\r\nSubject: Leave\r\n"
        "Date: Wed, 03 Apr 2024 12:20:30 +0200\r\n\r\nEverybody has 28 days.\r\n"
    )
    document = parsed("a.eml", mail.encode())

    assert (document.author, document.modified) == ("Ann Lee <ann@acme.example>", APRIL)


def test_book(parsed: Parsed) -> None:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as book:
        book.writestr("mimetype", "application/epub+zip")
        book.writestr(
            "META-INF/container.xml",
            '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
            '<rootfile full-path="b.opf"/></rootfiles></container>',
        )
        book.writestr(
            "b.opf",
            '<package xmlns="http://www.idpf.org/2007/opf" '
            'xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata><dc:creator>Ann Lee'
            '</dc:creator><meta property="dcterms:modified">2024-04-03T10:20:30Z</meta>'
            '</metadata><manifest><item id="a" href="a.xhtml" '
            'media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine>'
            "</package>",
        )
        book.writestr("a.xhtml", "<html><body><p>Everybody has 28 days.</p></body></html>")
    document = parsed("a.epub", target.getvalue())

    assert (document.author, document.modified) == ("Ann Lee", APRIL)


def test_what_has_no_properties_says_nothing(parsed: Parsed) -> None:
    document = parsed("a.txt", b"Everybody has 28 days.")

    assert (document.author, document.modified) == ("", None)
