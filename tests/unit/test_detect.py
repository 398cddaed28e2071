"""What a file is, from its content; and why it is none that we read."""

import io
import zipfile
from pathlib import Path

import pytest

from agent.domain import PARSE_REASONS, ParseOutcome
from tests.format_files import Put, docx, paragraph, pdf, read, zipped

PAGE = pdf([[Put("Hello there", 72, 700)]])
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


@pytest.mark.parametrize(
    ("name", "data", "format_"),
    [
        ("a.docx", PAGE, "pdf"),
        ("a.txt", docx(paragraph("Hello")), "docx"),
        ("a.pdf", b"<!DOCTYPE html><html><body><p>Hi</p></body></html>", "html"),
        ("a.docx", b"# Title\n\nText.\n\n## Part\n\nMore.\n", "markdown"),
        ("a.md", b"no mark at all", "markdown"),
        ("a", b"plain words", "text"),
        ("a.txt", b"From: a@b.example\nTo: c@d.example\nSubject: Hi\n\nText.\n", "eml"),
        ("a.md", b"Headers:\n\nFrom: a\nTo: b\nSubject: c\n", "markdown"),
        ("a.html", b"<p>only a paragraph</p>", "html"),
        ("a.xls", b"<title>T</title><h1>A</h1><p>Text.</p>", "html"),
        ("a.txt", b"<table><tr><td>1</td></tr></table>", "html"),
        ("a.md", b"<h1 align='center'>A</h1>\n\nText.\n", "markdown"),
        ("README", b"<h1 align='center'>A</h1>\n\n## Use\n\n**Text**.\n", "markdown"),
        ("a.pdf", b"junk before\n" + PAGE, "pdf"),
    ],
)
def test_content_decides_and_not_the_name(
    tmp_path: Path, name: str, data: bytes, format_: str
) -> None:
    document = read(tmp_path, name, data)
    assert (document.format, document.outcome) == (format_, ParseOutcome.OK)


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("a.md", b"", "empty"),
        ("a.md", b" \n\n\t", "empty"),
        ("a.txt", b"\xef\xbb\xbf", "empty"),
        ("a.txt", b"\0" * 500, "empty"),
        ("a.docx", OLE + "EncryptedPackage".encode("utf-16-le"), "password"),
        ("a.doc", OLE + b"\0" * 600 + "WordDocument".encode("utf-16-le"), "legacy"),
        ("a.xls", OLE + "Workbook".encode("utf-16-le"), "legacy"),
        ("a.ppt", OLE + "PowerPoint Document".encode("utf-16-le"), "legacy"),
        ("a.docx", b"\x89PNG\r\n\x1a\n" + bytes(range(256)), "unsupported"),
        ("a.md", bytes(range(256)) * 40, "unsupported"),
        ("a.docx", b"{\\rtf1 Hello}", "unsupported"),
        ("a.zip", zipped({"notes.txt": "hi"}), "unsupported"),
        ("a.xlsx", zipped({"xl/workbook.bin": "x", "xl/theme/theme1.xml": "x"}), "unsupported"),
        ("a.pages", zipped({"Index/Document.iwa": "x"}), "unsupported"),
        ("a.odt", zipped({"mimetype": "application/vnd.oasis.opendocument.text"}), "unsupported"),
        ("a.mp4", b"\0\0\0\x20ftypisom" + bytes(64), "unsupported"),
        ("a.doc", b"\xdb\xa5\x2d\0" + bytes(range(64)), "legacy"),
        ("a.xls", b"\t\4\6\0" + bytes(range(64)), "legacy"),
        ("a.doc", b'<?xml version="1.0"?><?mso-application progid="Word.Document"?><x/>', "legacy"),
        ("a.docx", docx(paragraph("Hello"))[:700], "damaged"),
        ("a.docx", b"PK\x03\x04 and nothing else", "damaged"),
    ],
)
def test_what_cannot_be_read_is_named_with_its_reason(
    tmp_path: Path, name: str, data: bytes, reason: str
) -> None:
    document = read(tmp_path, name, data)
    assert document.outcome is ParseOutcome.NOT_READABLE
    assert document.sections == ()
    assert document.reason.split(":")[0] == reason
    assert reason in PARSE_REASONS


def test_a_file_over_the_limit_is_refused(tmp_path: Path) -> None:
    from connectors.formats.worker import parse_file

    path = tmp_path / "a.txt"
    path.write_bytes(b"x" * 2_000)
    assert parse_file(str(path), "a.txt", 1_999).document.reason.startswith("too_large")


def test_a_zip_bomb_by_declared_size_is_refused(tmp_path: Path) -> None:
    data = zipped({"word/document.xml": b"0" * (30 * 1024 * 1024)})
    assert read(tmp_path, "a.docx", data).reason.startswith("too_large")


def test_a_zip_bomb_that_lies_about_its_size_is_refused(tmp_path: Path) -> None:
    data = bytearray(zipped({"word/document.xml": b"0" * (30 * 1024 * 1024)}))
    size = (30 * 1024 * 1024).to_bytes(4, "little")
    while (place := data.find(size)) >= 0:
        data[place : place + 4] = (1000).to_bytes(4, "little")
    reason = read(tmp_path, "a.docx", bytes(data)).reason
    assert reason.split(":")[0] in ("too_large", "damaged")


def test_a_package_of_too_many_entries_is_refused(tmp_path: Path) -> None:
    data = zipped({f"word/{number}.xml": "" for number in range(10_001)})
    assert read(tmp_path, "a.docx", data).reason.startswith("too_large")


def test_an_encrypted_zip_entry_means_a_password(tmp_path: Path) -> None:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as package:
        package.writestr("word/document.xml", "x")
    data = bytearray(target.getvalue())
    data[6] |= 1
    data[data.find(b"PK\x01\x02") + 8] |= 1
    assert read(tmp_path, "a.docx", bytes(data)).reason.startswith("password")
