"""Scanned pages: recognised where asked for, marked as such, kept, bounded, and never guessed."""

import shutil
import stat
import zlib
from pathlib import Path

import pypdfium2
import pytest

from agent.domain import ParsedDocument, ParseOutcome
from agent.library.encoding import pack_blocks, unpack_blocks
from agent.map.building import build_document
from bots.doctor import State, examine
from config.settings import OcrSettings, Settings, SyncSettings
from connectors.formats.ocr.hocr import read_hocr
from connectors.formats.ocr.recogniser import fingerprint, rests_on_recognition
from connectors.formats.ocr.tesseract import problem_of
from connectors.formats.parser import Parser
from connectors.jobs import Jobs
from connectors.reports import Busy, SyncReport
from tests.format_files import Put, everything, headings, pdf
from tests.library_files import facts
from tests.sync_fakes import Bench, bench

PICTURE = b"200 0 0 200 100 300 cm /I Do"
SCAN = pdf([[]], drawing=PICTURE)
HOCR = """<html><body><div class='ocr_page' title='bbox 0 0 1000 1400'>
<span class='ocr_header' title='bbox 100 100 500 140; x_size 40'>
 <span class='ocrx_word' title='bbox 100 100 300 140; x_wconf 96'>Parental</span>
 <span class='ocrx_word' title='bbox 310 100 500 140; x_wconf 95'>leave</span></span>
{lines}
</div></body></html>"""
LINE = """<span class='ocr_line' title='bbox 100 {y} 500 {bottom}; x_size {size}'>
 <span class='ocrx_word' title='bbox 100 {y} 300 {bottom}; x_wconf 96'>Thirty</span>
 <span class='ocrx_word' title='bbox 310 {y} 400 {bottom}; x_wconf {sure}'>days</span>
 <span class='ocrx_word' title='bbox 410 {y} 500 {bottom}; x_wconf 95'>off.</span></span>"""


def page_of(*lines: str) -> str:
    return HOCR.format(lines="\n".join(lines))


def line(y: int, *, size: int = 20, sure: int = 96) -> str:
    return LINE.format(y=y, bottom=y + 20, size=size, sure=sure)


def program(folder: Path, says: str, *, code: int = 0, languages: str = "eng") -> OcrSettings:
    """Settings with a stand-in for tesseract that notes each call and says the same every time."""
    path = folder / "stand-in"
    (folder / "says").write_text(says)
    path.write_text(
        "#!/bin/sh\n"
        f'[ "$1" = --list-langs ] && printf "List:\\n{languages}\\nosd\\n" && exit 0\n'
        f'echo "$@" >> "{folder}/calls"\ncat > /dev/null\ncat "{folder}/says"\n'
        f"echo trouble >&2\nexit {code}\n"
    )
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return OcrSettings(enabled=True, command=str(path))


def calls(folder: Path) -> int:
    noted = folder / "calls"
    return len(noted.read_text().splitlines()) if noted.exists() else 0


def scanned(data: bytes) -> bytes:
    """The first page of a PDF as a picture on a page."""
    with pypdfium2.PdfDocument(data) as file:
        picture = file[0].render(scale=200 / 72, grayscale=True)
        rows = [
            bytes(picture.buffer)[row * picture.stride :][: picture.width]
            for row in range(picture.height)
        ]
    packed = zlib.compress(b"".join(rows))
    image = b"<</Type/XObject/Subtype/Image/Width 1/Height 1/ColorSpace/DeviceGray"
    old = image + b"/BitsPerComponent 8/Length 1>>\nstream\n\x80\nendstream"
    new = image.replace(b"Width 1/Height 1", b"Width %d/Height %d" % (len(rows[0]), len(rows)))
    new += b"/BitsPerComponent 8/Filter/FlateDecode/Length %d>>\nstream\n" % len(packed)
    whole = pdf([[]], drawing=b"595 0 0 842 0 0 cm /I Do")
    assert old in whole
    return whole.replace(old, new + packed + b"\nendstream")


async def parsed(folder: Path, data: bytes, ocr: OcrSettings) -> ParsedDocument:
    path = folder / "a.pdf"
    path.write_bytes(data)
    parser = Parser(SyncSettings(workers=1), ocr, folder / "cache")
    try:
        return await parser.parse(path, "a.pdf")
    finally:
        await parser.close()


async def test_a_scanned_page_is_read_and_marked(tmp_path: Path) -> None:
    ocr = program(tmp_path, page_of(line(200), line(230), line(260)))
    document = await parsed(tmp_path, SCAN, ocr)
    assert document.outcome is ParseOutcome.OK
    assert document.reason == "recognised from a scan: page 1"
    assert headings(document) == [(1, "Parental leave")] or document.title == "Parental leave"
    assert "Thirty days off." in everything(document)
    assert all(b.recognised for section in document.sections for b in section.blocks)


async def test_text_beside_a_scanned_page_is_not_marked(tmp_path: Path) -> None:
    page = [Put(f"Printed line {n} of the page, as it came.", 72, 700 - 14 * n) for n in range(4)]
    whole = pdf([page, []])
    drawn = b"<</Length %d>>\nstream\n%b\nendstream" % (len(PICTURE), PICTURE)
    mixed = whole.replace(b"<</Length 1>>\nstream\n\n\nendstream", drawn, 1)
    document = await parsed(tmp_path, mixed, program(tmp_path, page_of(line(200))))
    marks = {b.page: b.recognised for each in document.sections for b in each.blocks}
    assert marks == {1: False, 2: True}
    assert document.reason == "recognised from a scan: page 2"


async def test_a_page_is_recognised_once(tmp_path: Path) -> None:
    ocr = program(tmp_path, page_of(line(200)))
    first = await parsed(tmp_path, SCAN, ocr)
    again = await parsed(tmp_path, SCAN, ocr)
    assert (again, calls(tmp_path)) == (first, 1)


async def test_pages_beyond_the_limit_stay_unread_and_are_named(tmp_path: Path) -> None:
    scan = pdf([[], [], []], drawing=PICTURE)
    ocr = program(tmp_path, page_of(line(200))).model_copy(update={"max_pages": 2})
    document = await parsed(tmp_path, scan, ocr)
    assert document.outcome is ParseOutcome.PARTIAL
    assert document.reason == (
        "scanned: no text layer on page 3; at most 2 pages are recognised (ocr.max_pages); "
        "recognised from a scan: pages 1–2"
    )
    assert calls(tmp_path) == 2


async def test_a_program_that_fails_leaves_the_page_unread(tmp_path: Path) -> None:
    document = await parsed(tmp_path, SCAN, program(tmp_path, "", code=3))
    assert document.outcome is ParseOutcome.NOT_READABLE
    assert document.reason.startswith("scanned: no text layer (1 of 1 pages)")
    assert document.reason.endswith("Tesseract failed: trouble")


async def test_a_page_that_takes_too_long_is_given_up(tmp_path: Path) -> None:
    ocr = program(tmp_path, "").model_copy(update={"page_s": 0.2})
    Path(ocr.command).write_text(
        '#!/bin/sh\n[ "$1" = --list-langs ] && printf "List:\\neng\\n" && exit 0\nexec sleep 60\n'
    )
    document = await parsed(tmp_path, SCAN, ocr)
    assert document.reason.endswith("Tesseract took over 0.2 s.")


async def test_without_the_program_the_reason_says_what_to_do(tmp_path: Path) -> None:
    document = await parsed(tmp_path, SCAN, OcrSettings(enabled=True, command="no-such-program"))
    assert document.outcome is ParseOutcome.NOT_READABLE
    assert document.reason.startswith("scanned: ")
    assert "no program no-such-program. Install tesseract-ocr" in document.reason


async def test_a_picture_without_any_words_is_no_scan(tmp_path: Path) -> None:
    document = await parsed(tmp_path, SCAN, program(tmp_path, "<html><body></body></html>"))
    assert document.reason.split(":")[0] == "empty"


def test_words_in_doubt_are_shown_as_such() -> None:
    found = read_hocr(page_of(line(200, sure=20)).encode(), 1, dpi=300, confidence=50)
    assert [each.text for each in found.lines] == ["Parental leave", "Thirty [?] off."]
    assert found.doubtful == 1


def test_a_measured_size_a_little_off_is_plain_text() -> None:
    lines = [line(200), line(230, size=23), line(260, size=18), line(290)]
    found = read_hocr(page_of(*lines).encode(), 1, dpi=300, confidence=50)
    assert len({each.size for each in found.lines[1:]}) == 1
    assert found.lines[0].size > found.lines[1].size


def test_chinese_words_are_joined_without_blanks() -> None:
    page = page_of(line(200).replace("Thirty", "育儿").replace("days", "假期"))
    found = read_hocr(page.encode(), 1, dpi=300, confidence=50)
    assert found.lines[1].text == "育儿假期 off."


def test_the_mark_lasts_in_the_library(tmp_path: Path) -> None:
    import asyncio

    ocr = program(tmp_path, page_of(line(200)))
    document = asyncio.run(parsed(tmp_path, SCAN, ocr))
    (section, *_) = build_document(facts("a.pdf"), document).sections
    assert unpack_blocks(pack_blocks(section.blocks)) == section.blocks
    assert section.is_recognised(0, 5)


def test_a_missing_language_pack_is_named(tmp_path: Path) -> None:
    ocr = program(tmp_path, "", languages="deu").model_copy(update={"languages": ("chi_sim",)})
    problem = problem_of(ocr)
    assert problem is not None
    assert problem.problem == "Tesseract has no language pack chi_sim."
    assert problem.hint == "Install it (tesseract-ocr-chi-sim), or choose from: deu."


@pytest.mark.parametrize("bad", ["-c", "eng;ls", "", "../eng"])
def test_a_language_is_a_plain_word(bad: str) -> None:
    with pytest.raises(ValueError, match="languages"):
        OcrSettings(languages=(bad,))


@pytest.mark.parametrize(
    ("reason", "rests"),
    [
        ("scanned: no text layer on page 2", True),
        ("damaged: cannot be read, page 1; garbled: the text makes no sense on page 2", True),
        ("recognised from a scan: page 1", True),
        ("damaged: cannot be read, page 1", False),
        ("", False),
    ],
)
def test_only_scanned_documents_rest_on_recognition(reason: str, rests: bool) -> None:
    document = ParsedDocument("", "pdf", ParseOutcome.PARTIAL, reason=reason)
    assert rests_on_recognition(document) is rests


def test_a_setting_that_cannot_work_counts_as_another() -> None:
    off, missing = OcrSettings(), OcrSettings(enabled=True, command="no-such-program")
    assert (fingerprint(off), fingerprint(missing)) == ("off", "missing")


async def test_the_doctor_looks_for_the_program(tmp_path: Path) -> None:
    works = Settings(ocr=program(tmp_path, ""))
    broken = Settings(ocr=OcrSettings(enabled=True, command="no-such-program"))
    states = [(await examine(each, "ocr"))[0].state for each in (Settings(), works, broken)]
    assert states == [State.OK, State.OK, State.FAILED]


async def synced(desk: Bench, folder: Path, ocr: OcrSettings) -> SyncReport:
    source = {"name": "drive", "path": folder, "audience": ["workspace"]}
    settings = Settings.model_validate(
        {"data_dir": desk.folder, "sources": [source], "ocr": ocr.model_dump()}
    )
    jobs = Jobs(desk.store, settings)
    (report,) = await jobs.run()
    await jobs.close()
    assert not isinstance(report, Busy)
    return report


async def test_another_setting_reads_the_scanned_files_again_and_no_others(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "drive"
    folder.mkdir()
    (folder / "scan.pdf").write_bytes(SCAN)
    (folder / "text.md").write_text("# Leave\n\nThirty days.\n")
    ocr = program(tmp_path, page_of(line(200)))
    with bench(tmp_path / "data") as desk:
        runs = [await synced(desk, folder, each) for each in (OcrSettings(), ocr, ocr)]
        known = (await desk.documents())["scan.pdf"]
    assert [each.parsed for each in runs] == [2, 1, 0]
    assert [len(each.failed) for each in runs] == [1, 0, 0]
    assert known.reason == "recognised from a scan: page 1"


real = pytest.mark.skipif(shutil.which("tesseract") is None, reason="tesseract is not installed")


@real
async def test_a_real_scan_is_read_word_for_word(tmp_path: Path) -> None:
    lines = ["Parental leave lasts thirty days.", "Ask two weeks before.", "Call the desk at 4711."]
    page = [Put(text, 72, 700 - 20 * place, 12) for place, text in enumerate(lines)]
    scan = scanned(pdf([[Put("Employee handbook", 72, 760, 24), *page]]))
    document = await parsed(tmp_path, scan, OcrSettings(enabled=True))
    assert document.outcome is ParseOutcome.OK
    assert document.title == "Employee handbook"
    assert all(text in " ".join(everything(document).split()) for text in lines)


@real
async def test_a_real_chinese_scan_is_read(tmp_path: Path) -> None:
    ocr = OcrSettings(enabled=True, languages=("chi_sim",))
    if problem_of(ocr):
        pytest.skip("the Chinese language pack of tesseract is not installed")
    scan = Path(__file__).parents[1] / "data" / "formats" / "scan-zh.pdf"
    document = await parsed(tmp_path, scan.read_bytes(), ocr)
    assert "育儿假期为三十天" in everything(document)
    assert "年假最多可以结转五天" in everything(document)


async def test_a_picture_that_claims_to_be_huge_is_not_unpacked(tmp_path: Path) -> None:
    huge = SCAN.replace(b"/Width 1/Height 1", b"/Width 48000/Height 48000")
    document = await parsed(tmp_path, huge, program(tmp_path, page_of(line(200))))
    assert document.reason.endswith("A picture on page 1 is too large to be looked at.")
    assert calls(tmp_path) == 0


async def test_a_document_is_left_alone_after_three_pages_that_fail(tmp_path: Path) -> None:
    scan = pdf([[]] * 8, drawing=PICTURE)
    document = await parsed(tmp_path, scan, program(tmp_path, "", code=1))
    assert document.outcome is ParseOutcome.NOT_READABLE
    assert calls(tmp_path) == 3
