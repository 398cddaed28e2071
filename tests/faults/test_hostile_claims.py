"""Files that call home, claim what they do not hold, or hold what parsers choke on."""

import os
import resource
import select
import socket
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from agent.domain import ParseOutcome
from config.settings import SyncSettings
from connectors.formats.ocr.pages import draw
from connectors.formats.parser import Parser
from tests.format_files import Put, docx, edited, everything, paragraph, pdf, read, zipped


@pytest.fixture
async def parser() -> AsyncIterator[Parser]:
    made = Parser(SyncSettings(workers=1, parse_s=20, parse_bytes=1 << 28))
    yield made
    await made.close()


# ------------------------------------------------------------ nothing is fetched


class Listener:
    """A server on loopback that notes whoever calls."""

    def __init__(self) -> None:
        self._server = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self._server.getsockname()[1]}"

    def was_called(self) -> bool:
        """Whether a connection waits; the kernel takes them in although nobody accepts."""
        return bool(select.select([self._server], [], [], 0)[0])

    def close(self) -> None:
        self._server.close()


@pytest.fixture
def listener() -> Iterator[Listener]:
    made = Listener()
    yield made
    made.close()


_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def _with_relations(package: bytes, part: str, address: str) -> bytes:
    """A package whose part names a picture, a template and a link outside of it."""
    outside = "".join(
        f'<Relationship Id="x{kind}" Type="{_OFFICE}/{kind}" TargetMode="External" '
        f'Target="http://{address}/{kind}"/>'
        for kind in ("image", "attachedTemplate", "subDocument", "aFChunk", "frame", "oleObject")
    )
    return edited(package, part, b"</Relationships>", f"{outside}</Relationships>".encode())


def _calling(address: str, secret: Path) -> dict[str, bytes]:
    """Files of every kind that ask for something at an address, and for a file beside them."""
    entities = (
        f'<!DOCTYPE x SYSTEM "http://{address}/dtd" [<!ENTITY web SYSTEM "http://{address}/e">'
        f'<!ENTITY own SYSTEM "{secret.as_uri()}"><!ENTITY % more SYSTEM "http://{address}/p">'
        "%more;]>"
    )
    page = (
        f'<html><head><base href="http://{address}/"><link rel="stylesheet" href="a.css">'
        f'<meta http-equiv="refresh" content="0;url=http://{address}/r"></head><body>'
        f'<p>Some text</p><img src="http://{address}/i.png"><iframe src="//{address}/f"></iframe>'
        f'<script src="http://{address}/s.js"></script><object data="http://{address}/o"></object>'
        f'<svg><image href="http://{address}/v"/></svg></body></html>'
    )
    letter = docx(paragraph("Some text"))
    xml = '<?xml version="1.0"?>' + entities
    writing = edited(
        edited(letter, "word/document.xml", b"<w:document", f"{xml}<w:document".encode()),
        "word/document.xml",
        b"Some text",
        b"Some text &own;&web;",
    )
    return {
        "page.html": page.encode(),
        "page.xhtml": f"{xml}<html><body><p>Some text &own;&web;</p></body></html>".encode(),
        "note.md": f"# Some text\n\n![i](http://{address}/i.png)\n\n{page}\n".encode(),
        "letter.docx": _with_relations(letter, "word/_rels/document.xml.rels", address),
        "entities.docx": writing,
        "chunk.docx": edited(
            _with_relations(letter, "word/_rels/document.xml.rels", address),
            "word/document.xml",
            b"<w:body>",
            b'<w:body><w:altChunk r:id="xaFChunk"/><w:subDoc r:id="xsubDocument"/>',
        ),
        "mail.eml": b"From: a@example.com\nTo: b@example.com\nSubject: Some text\nMIME-Version: 1.0"
        b"\nContent-Type: text/html\n\n" + page.encode(),
        "outside.eml": b"From: a@example.com\nTo: b@example.com\nSubject: Some text\n"
        b"MIME-Version: 1.0\nContent-Type: message/external-body; access-type=URL; "
        b'URL="http://' + address.encode() + b'/x"\n\nContent-Type: text/plain\n\n',
        "book.epub": zipped(
            {
                "mimetype": "application/epub+zip",
                "META-INF/container.xml": '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:'
                'container"><rootfiles><rootfile full-path="c.opf"/></rootfiles></container>',
                "c.opf": '<package xmlns="http://www.idpf.org/2007/opf"><manifest><item id="a" '
                'href="a.xhtml" media-type="application/xhtml+xml"/><item id="b" media-type="'
                f'application/xhtml+xml" href="http://{address}/b.xhtml"/></manifest><spine>'
                '<itemref idref="a"/><itemref idref="b"/></spine></package>',
                "a.xhtml": page,
            }
        ),
        "table.csv": f'name,value\nSome text,"=WEBSERVICE(""http://{address}/w"")"\n'.encode(),
        "report.pdf": pdf([[Put("Some text", 72, 700)]]).replace(
            b"/Catalog",
            f"/Catalog/OpenAction<</S/URI/URI(http://{address}/u)>>/AA<</WC<</S/SubmitForm"
            f"/F<</FS/URL/F(http://{address}/f)>>>>>>".encode(),
        ),
        "stream.pdf": pdf([[Put("Some text", 72, 700)], [Put("More text", 72, 700)]]).replace(
            b"<</Length 38>>", f"<</Length 0/F<</FS/URL/F(http://{address}/s)>>>>".encode(), 1
        ),
    }


async def test_nothing_inside_a_document_is_fetched(listener: Listener, tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("sesame")
    parser = Parser(SyncSettings(workers=2))
    for name, data in _calling(listener.address, secret).items():
        path = tmp_path / name
        path.write_bytes(data)
        document = await parser.parse(path, name)
        assert document.outcome is not ParseOutcome.NOT_READABLE or "entities" in name, name
        assert "sesame" not in everything(document), name
        assert not listener.was_called(), name
    await parser.close()


def test_the_listener_notes_a_call(listener: Listener) -> None:
    host, port = listener.address.split(":")
    socket.create_connection((host, int(port))).close()
    assert listener.was_called()


# ------------------------------------------------------------ sizes that are claimed


def _sheet(rows: str, dimension: str) -> bytes:
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    package = "http://schemas.openxmlformats.org/package/2006"
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    return zipped(
        {
            "[Content_Types].xml": f'<Types xmlns="{package}/content-types"><Default '
            'Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships'
            f'+xml"/><Override PartName="/xl/workbook.xml" ContentType="{kind}.sheet.main+xml"/>'
            f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{kind}.worksheet+xml"/>'
            "</Types>",
            "_rels/.rels": f'<Relationships xmlns="{package}/relationships"><Relationship Id="r1" '
            f'Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
            "xl/workbook.xml": f'<workbook xmlns="{main}" xmlns:r="{_OFFICE}"><sheets>'
            '<sheet name="Prices" sheetId="1" r:id="r1"/></sheets></workbook>',
            "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{package}/relationships">'
            f'<Relationship Id="r1" Type="{_OFFICE}/worksheet" Target="worksheets/sheet1.xml"/>'
            "</Relationships>",
            "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{main}"><dimension ref="{dimension}"/>'
            f"<sheetData>{rows}</sheetData></worksheet>",
        }
    )


def _row(number: int, text: str = "tea") -> str:
    return f'<row r="{number}"><c r="A{number}" t="inlineStr"><is><t>{text}</t></is></c></row>'


@pytest.mark.parametrize(
    "rows",
    [
        _row(1) + _row(1_048_576, "far"),
        _row(1) + "".join(f'<row r="{n}"/>' for n in range(2, 200_000)),
        '<row r="1">' + '<c r="XFD1"/>' * 100_000 + "</row>" + _row(2),
    ],
    ids=["far apart", "empty rows", "empty cells"],
)
async def test_a_sheet_that_claims_a_million_rows_costs_little(
    rows: str, tmp_path: Path, parser: Parser
) -> None:
    path = tmp_path / "prices.xlsx"
    path.write_bytes(_sheet(rows, "A1:XFD1048576"))
    document = await parser.parse(path, "prices.xlsx")
    assert document.outcome is not ParseOutcome.NOT_READABLE, document.reason
    assert "tea" in everything(document)


def test_a_package_that_lies_about_its_size_is_refused(tmp_path: Path) -> None:
    bomb = bytearray(zipped({"word/document.xml": bytes(300_000_000)}))
    declared = (300_000_000).to_bytes(4, "little")
    while (place := bomb.find(declared)) >= 0:
        bomb[place : place + 4] = (1_000).to_bytes(4, "little")
    document = read(tmp_path, "a.docx", bytes(bomb))
    assert document.reason.split(":")[0] in ("too_large", "damaged")


def test_a_page_as_large_as_a_field_is_looked_at_in_small(tmp_path: Path) -> None:
    page = pdf([[]], drawing=b"200 0 0 200 100 300 cm /I Do").replace(b"595 842", b"14400 14400")
    (tmp_path / "a.pdf").write_bytes(page)
    picture, _, dpi = draw(str(tmp_path / "a.pdf"), 1, 600)
    assert len(picture) < 31_000_000
    assert dpi < 40


async def test_a_parser_process_stands_back_and_is_limited(parser: Parser) -> None:
    nice, memory = await parser.run(_rank, (), 20)
    assert nice >= 10
    assert memory == 1 << 28


def _rank() -> tuple[int, int]:
    return os.nice(0), resource.getrlimit(resource.RLIMIT_AS)[0]


def test_as_many_processes_as_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(6)), raising=False)
    assert SyncSettings().processes == 6
    assert SyncSettings(workers=1).processes == 1


# ------------------------------------------------------------ text made to be slow


_TRAPS = {
    "spaces": " " * 20_000 + "x",
    "blank lines": " \n" * 10_000 + "x",
    "dots": "." * 20_000,
    "numbers": "1." * 10_000,
    "comments": "<!--" * 5_000,
    "closed comments": "<!---->" * 500 + "x",
    "entities": "&#" * 10_000,
    "tags": "<div>" * 4_000,
    "pipes": "|a" * 8_000 + "\n" + "|-" * 8_000,
    "contents": "Title .......... 12\n" * 2_500,
    "chapters": "第一章 " * 5_000,
    "links": "[a](" * 4_000,
    "accents": "a" + "\u0301" * 20_000,
}


@pytest.mark.parametrize("kind", ["txt", "md", "html", "csv"])
async def test_text_made_to_be_slow_is_read_in_time(kind: str, tmp_path: Path) -> None:
    parser = Parser(SyncSettings(workers=2, parse_s=40))
    slow = []
    for name, text in _TRAPS.items():
        path = tmp_path / f"{name}.{kind}"
        path.write_text(text)
        document = await parser.parse(path, path.name)
        slow += [name] if document.reason.startswith("timeout") else []
    await parser.close()
    assert slow == []
