"""Every way a parse can end, from a file in a folder to the report, the map and the map check."""

import io
from collections.abc import Callable
from pathlib import Path

import pytest
from pypdf import PdfWriter

from agent.domain import PARSE_REASONS, Document, ParseOutcome, Scope
from agent.library.library import StoreLibrary
from agent.map.checking import MapRemark, check_map
from bots.admin.reports import failed_text, results_text
from config.settings import LoopSettings, Settings
from connectors.jobs import Jobs
from connectors.reports import Busy, SyncReport
from tests.format_files import Put, docx, pdf, zipped
from tests.sync_fakes import bench

READ = "Thirty days of leave."
PICTURE = b"200 0 0 200 100 300 cm /I Do"


def locked_pdf() -> bytes:
    writer = PdfWriter()
    writer.add_blank_page(200, 200)
    writer.encrypt("secret", algorithm="AES-256")
    target = io.BytesIO()
    writer.write(target)
    return target.getvalue()


def old_word_file() -> bytes:
    return b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600) + "WordDocument".encode("utf-16-le")


def encrypted_mail() -> bytes:
    return (
        b"From: a@example.com\nTo: b@example.com\nSubject: Salaries\nMIME-Version: 1.0\n"
        b'Content-Type: multipart/encrypted; protocol="application/pgp-encrypted"; boundary="b"\n\n'
        b"--b\nContent-Type: application/pgp-encrypted\n\nVersion: 1\n--b--\n"
    )


def mixed_pdf() -> bytes:
    """A page of text, a scanned page, a page of text."""
    page = [Put(READ, 72, 700)]
    whole = pdf([page, [], page])
    return whole.replace(b"<</Length 1>>\nstream\n\n\nendstream", picture_stream(), 1)


def picture_stream() -> bytes:
    return b"<</Length %d>>\nstream\n%b\nendstream" % (len(PICTURE), PICTURE)


WORD_PICTURE = (
    '<w:p><w:r><w:drawing><a:blip xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"/>'
    "</w:drawing></w:r></w:p>"
)
FILES: dict[str, tuple[str, Callable[[], bytes]]] = {
    "locked.pdf": ("password", locked_pdf),
    "scan.pdf": ("scanned", lambda: pdf([[]], drawing=PICTURE)),
    "garbled.pdf": ("garbled", lambda: pdf([[Put("/g18/g152/g33/g7/g99/g12" * 5, 72, 700)]])),
    "cut.docx": ("damaged", lambda: docx("<w:p/>")[:300]),
    "nothing.txt": ("empty", lambda: b""),
    "blanks.md": ("empty", lambda: b" \n\n\t\n"),
    "blank.pdf": ("empty", lambda: pdf([[], []])),
    "pictures.docx": ("scanned", lambda: docx(WORD_PICTURE)),
    "pictures.pptx": ("scanned", lambda: slides("<p:pic/>")),
    "blank.xlsx": ("empty", lambda: workbook()),
    "script.html": ("empty", lambda: b"<html><body><script>f(1)</script></body></html>"),
    "old.doc": ("legacy", old_word_file),
    "bomb.docx": ("too_large", lambda: zipped({"word/document.xml": bytes(20_000_000)})),
    "secret.eml": ("encrypted_mail", encrypted_mail),
    "photo.docx": ("unsupported", lambda: b"\x89PNG\r\n\x1a\n" + bytes(40)),
}


def slides(shape: str) -> bytes:
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006/relationships"
    main = "http://schemas.openxmlformats.org/presentationml/2006/main"
    return zipped(
        {
            "_rels/.rels": f'<Relationships xmlns="{package}"><Relationship Id="r1" '
            f'Type="{office}/officeDocument" Target="ppt/presentation.xml"/></Relationships>',
            "ppt/presentation.xml": f'<p:presentation xmlns:p="{main}" xmlns:r="{office}">'
            '<p:sldIdLst><p:sldId id="256" r:id="s1"/></p:sldIdLst></p:presentation>',
            "ppt/_rels/presentation.xml.rels": f'<Relationships xmlns="{package}"><Relationship '
            f'Id="s1" Type="{office}/slide" Target="slides/slide1.xml"/></Relationships>',
            "ppt/slides/slide1.xml": f'<p:sld xmlns:p="{main}"><p:cSld><p:spTree>{shape}'
            "</p:spTree></p:cSld></p:sld>",
        }
    )


def workbook() -> bytes:
    from openpyxl import Workbook

    target = io.BytesIO()
    Workbook().save(target)
    return target.getvalue()


class Outcome:
    """What became of files in a folder, wherever it is told."""

    def __init__(self, report: SyncReport, documents: dict[str, Document]) -> None:
        self.report = report
        self.documents = documents
        self.failed = {one.doc: one.reason for one in report.failed}
        self.remarks: list[MapRemark] = []
        self.admin = ""
        self.list = ""


async def taken_in(folder: Path, data: Path, **sync: float) -> Outcome:
    source = {"name": "drive", "path": folder, "audience": ["workspace"]}
    settings = Settings.model_validate({"data_dir": data, "sources": [source], "sync": sync})
    with bench(data) as desk:
        jobs = Jobs(desk.store, settings)
        (report,) = await jobs.run()
        assert not isinstance(report, Busy)
        outcome = Outcome(report, await desk.documents())
        library = StoreLibrary(desk.store, LoopSettings())
        outcome.remarks = check_map(await library.read_document_map(Scope.of("workspace")))
        outcome.admin = results_text([report], "en")
        outcome.list = failed_text([("drive", await jobs.failed("drive"))], "en")
        await jobs.close()
    return outcome


@pytest.fixture
def drive(tmp_path: Path) -> Path:
    folder = tmp_path / "drive"
    folder.mkdir()
    return folder


async def test_what_cannot_be_read_is_told_with_its_reason_everywhere(
    drive: Path, tmp_path: Path
) -> None:
    for name, (_, make) in FILES.items():
        (drive / name).write_bytes(make())
    (drive / "good.md").write_text(f"# Leave\n\n{READ}\n")
    outcome = await taken_in(drive, tmp_path / "data")
    wanted = {name: reason for name, (reason, _) in FILES.items()}
    assert {doc: reason.split(":")[0] for doc, reason in outcome.failed.items()} == wanted
    shown = {doc: one for doc, one in outcome.documents.items() if doc != "good.md"}
    assert {doc: one.reason for doc, one in shown.items()} == outcome.failed
    assert {one.outcome for one in shown.values()} == {ParseOutcome.NOT_READABLE}
    checked = {each.doc: each for each in outcome.remarks if each.kind == "not_readable"}
    assert {doc: each.says for doc, each in checked.items()} == outcome.failed
    assert all(each.fix for each in checked.values())
    assert all(f"• {doc}: {reason}" in outcome.list for doc, reason in outcome.failed.items())
    assert outcome.documents["good.md"].outcome is ParseOutcome.OK


async def test_a_file_that_takes_too_long_is_told_as_such(drive: Path, tmp_path: Path) -> None:
    (drive / "slow.md").write_bytes(b"*a " * 300_000)
    outcome = await taken_in(drive, tmp_path / "data", parse_s=0.02)
    assert outcome.failed["slow.md"].startswith("timeout: reading took over 0.02 s")
    assert outcome.documents["slow.md"].reason == outcome.failed["slow.md"]


async def test_a_file_above_the_limit_is_too_large(drive: Path, tmp_path: Path) -> None:
    (drive / "long.txt").write_bytes(b"word " * 400)
    outcome = await taken_in(drive, tmp_path / "data", file_bytes=1_000)
    assert outcome.failed["long.txt"].startswith("too_large: ")


async def test_the_pages_missing_from_a_file_are_told_everywhere(
    drive: Path, tmp_path: Path
) -> None:
    (drive / "mixed.pdf").write_bytes(mixed_pdf())
    outcome = await taken_in(drive, tmp_path / "data")
    document = outcome.documents["mixed.pdf"]
    assert document.outcome is ParseOutcome.PARTIAL
    assert document.reason == "scanned: no text layer on page 2"
    assert outcome.report.failed == ()
    assert outcome.report.report_object()["partial"] == [
        {"doc": "mixed.pdf", "reason": document.reason}
    ]
    told = f"Read only in part:\n• mixed.pdf: in part; {document.reason}"
    assert told in outcome.admin
    assert f"• mixed.pdf: in part; {document.reason}" in outcome.list
    assert [each.says for each in outcome.remarks if each.kind == "partial"] == [document.reason]


async def test_a_name_without_words_does_not_make_a_document(drive: Path, tmp_path: Path) -> None:
    (drive / "titled.docx").write_bytes(docx("<w:p/>", title="A title alone"))
    outcome = await taken_in(drive, tmp_path / "data")
    assert outcome.failed["titled.docx"].startswith("empty")
    assert outcome.documents["titled.docx"].title == "A title alone"


def test_every_reason_is_tried_here() -> None:
    tried = {reason for reason, _ in FILES.values()} | {"timeout"}
    assert tried == set(PARSE_REASONS)
