"""Files made to hurt: each costs little, is named with a reason, and the next one is read."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from multiprocessing import active_children
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agent.domain import PARSE_REASONS, ParseOutcome
from config.settings import SyncSettings
from connectors.formats.parser import Parser
from connectors.formats.worker import parse_file
from tests.format_files import Put, docx, everything, paragraph, pdf, read, zipped

_STARTS = (
    b"", b"%PDF-1.7\n", b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"<html><body>",
    b"From: a@b\nTo: c@d\nSubject: e\n", b"# Title\n\n", b"---\ntitle: ", b"a,b\n", b"<?xml ",
    b"\xff\xfe", b"\xef\xbb\xbf",
)  # fmt: skip
_ENDINGS = (
    "md", "html", "txt", "pdf", "docx", "pptx", "xlsx", "csv", "tsv", "epub", "eml", "msg", "doc",
)  # fmt: skip
GOOD = "Leave\n\nThirty days.\n"


@pytest.fixture
async def parser() -> AsyncIterator[Parser]:
    made = Parser(SyncSettings(workers=1, parse_s=2, parse_bytes=1 << 28))
    yield made
    await made.close()


@pytest.fixture
def good(tmp_path: Path) -> Path:
    path = tmp_path / "good.txt"
    path.write_text(GOOD)
    return path


async def test_a_file_that_hangs_is_stopped_and_the_next_is_read(
    parser: Parser, good: Path, tmp_path: Path
) -> None:
    endless = tmp_path / "endless.md"
    os.mkfifo(endless)
    stopped = await parser.parse(endless, "endless.md")
    assert stopped.reason == "timeout: reading took over 2 s"
    assert (await parser.parse(good, "good.txt")).title == "Leave"


async def test_a_file_that_eats_memory_is_refused_and_the_next_is_read(
    good: Path, tmp_path: Path
) -> None:
    parser = Parser(SyncSettings(workers=1, parse_s=60, parse_bytes=1 << 28))
    huge = tmp_path / "huge.txt"
    huge.write_bytes(b"word " * 18_000_000)
    refused = await parser.parse(huge, "huge.txt")
    read_next = await parser.parse(good, "good.txt")
    await parser.close()
    assert refused.reason.split(":")[0] == "too_large"
    assert read_next.title == "Leave"


async def test_a_file_that_kills_its_process_is_damaged_and_the_next_is_read(
    good: Path, tmp_path: Path
) -> None:
    parser = Parser(SyncSettings(workers=1, parse_s=60))
    deadly = tmp_path / "deadly.md"
    os.mkfifo(deadly)
    reading = asyncio.create_task(parser.parse(deadly, "deadly.md"))
    # a writer can open the pipe only when the process has begun to read it
    pipe = await asyncio.to_thread(os.open, deadly, os.O_WRONLY)
    for process in active_children():
        if process.name == "pebble_pool_worker":
            os.kill(process.pid or 0, signal.SIGKILL)
    died = await reading
    os.close(pipe)
    read_next = await parser.parse(good, "good.txt")
    await parser.close()
    assert died.reason.split(":")[0] == "damaged"
    assert read_next.title == "Leave"


async def test_a_pool_that_lost_its_idle_processes_is_built_again(good: Path) -> None:
    parser = Parser(SyncSettings(workers=1, parse_s=60))
    await parser.parse(good, "good.txt")
    for process in active_children():
        if process.name == "pebble_pool_worker":
            os.kill(process.pid or 0, signal.SIGKILL)
            process.join()
    document = await parser.parse(good, "good.txt")
    await parser.close()
    assert document.title == "Leave"


async def test_many_files_are_read_side_by_side(tmp_path: Path) -> None:
    paths = []
    for number in range(40):
        path = tmp_path / f"{number}.md"
        path.write_text(f"# Title {number}\n\nText.\n")
        paths.append(path)
    parser = Parser(SyncSettings(workers=2))
    documents = await asyncio.gather(*(parser.parse(path, path.name) for path in paths))
    await parser.close()
    assert [each.title for each in documents] == [f"Title {number}" for number in range(40)]


async def test_a_closed_parser_reads_again_when_asked(parser: Parser, good: Path) -> None:
    await parser.parse(good, "good.txt")
    await parser.close()
    assert (await parser.parse(good, "good.txt")).title == "Leave"


@pytest.mark.parametrize("end", ["close", "leave"])
def test_a_program_that_parses_ends_in_silence_and_is_imported_once(
    good: Path, tmp_path: Path, end: str
) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "import asyncio, pathlib, sys\n"
        "from config.settings import SyncSettings\n"
        "from connectors.formats.parser import Parser\n"
        "print('imported', flush=True)\n"
        "async def main():\n"
        "    parser = Parser(SyncSettings())\n"
        "    print((await parser.parse(pathlib.Path(sys.argv[1]), 'good.txt')).title)\n"
        "    if sys.argv[2] == 'close':\n"
        "        await parser.close()\n"
        "if __name__ == '__main__':\n"
        "    asyncio.run(main())\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", str(program), str(good), end],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "imported\nLeave\n", "")


def test_a_loop_in_the_page_tree_ends(tmp_path: Path) -> None:
    data = pdf([[Put("Hello there", 72, 700)]])
    looped = data.replace(b"/Type/Pages/Kids[", b"/Type/Pages/Kids[2 0 R ")
    document = read(tmp_path, "a.pdf", looped)
    assert document.outcome in (ParseOutcome.OK, ParseOutcome.PARTIAL, ParseOutcome.NOT_READABLE)


def test_a_pdf_that_claims_a_billion_pages_is_refused_or_read(tmp_path: Path) -> None:
    data = pdf([[Put("Hello there", 72, 700)]]).replace(b"/Count 1>>", b"/Count 999999999>>")
    document = read(tmp_path, "a.pdf", data)
    assert document.reason.split(":")[0] in ("", "too_large", "damaged", "scanned")


def test_an_entity_bomb_stays_small(tmp_path: Path) -> None:
    entities = '<!ENTITY a0 "ha">' + "".join(
        f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10)
    )
    bomb = f"<?xml version='1.0'?><!DOCTYPE html [{entities}]><html><body><p>&a9;</p></body></html>"
    assert len(everything(read(tmp_path, "a.html", bomb))) < 1_000
    data = zipped({"word/document.xml": bomb, "[Content_Types].xml": bomb, "_rels/.rels": bomb})
    assert read(tmp_path, "a.docx", data).reason.split(":")[0] == "damaged"


def test_a_line_of_ten_million_characters_is_read(tmp_path: Path) -> None:
    document = read(tmp_path, "a.txt", "word " * 2_000_000)
    assert document.outcome is ParseOutcome.OK


@pytest.mark.parametrize(
    "source",
    [
        "[" * 20_000,
        "> " * 5_000 + "x",
        "*a " * 20_000,
        "- " * 2_000 + "x",
        "`" * 9_999,
        "<a " * 20_000,
    ],
    ids=["brackets", "quotes", "stars", "lists", "ticks", "tags"],
)
def test_markdown_made_to_be_slow_is_read(source: str, tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text(source)
    assert parse_file(str(path), "a.md", 1_000_000).trouble == ""


@pytest.mark.parametrize(
    "body",
    [" " * 300_000, "> " * 150_000, "On " + " " * 300_000, "<style>" * 40_000, "<" * 300_000],
    ids=["blanks", "quotes", "introduction", "styles", "tags"],
)
@pytest.mark.parametrize("kind", ["plain", "html"])
async def test_mails_made_to_be_slow_are_read(
    parser: Parser, body: str, kind: str, tmp_path: Path
) -> None:
    head = "From: a@b\nTo: c@d\nSubject: Leave\nMIME-Version: 1.0\nContent-Type: "
    path = tmp_path / "a.eml"
    path.write_text(
        f"{head}multipart/alternative; boundary=x\n\n--x\nContent-Type: text/plain\n\nDays.\n"
        f"--x\nContent-Type: text/{kind}\n\n{body}\n--x--\n"
    )
    assert (await parser.parse(path, "a.eml")).outcome is ParseOutcome.OK


async def test_a_run_of_brackets_is_text_and_costs_no_time(parser: Parser, tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("Days " + "[" * 300_000 + "[leave](leave.md)")
    document = await parser.parse(path, "a.md")
    assert (document.outcome, document.links) == (ParseOutcome.OK, ("leave.md",))
    assert everything(document).count("[") == 300_000


def test_zero_bytes_in_text_are_dropped(tmp_path: Path) -> None:
    text = "a line of text that goes on for a while\n" * 40
    assert "\0" not in everything(read(tmp_path, "a.txt", text + "\0" + text))


def test_deep_html_is_read_or_refused(tmp_path: Path) -> None:
    page = "<html><body>" + "<div>" * 50_000 + "deep" + "</div>" * 50_000 + "</body></html>"
    document = read(tmp_path, "a.html", page)
    assert document.reason.split(":")[0] in ("", "damaged", "empty")


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    start=st.sampled_from(_STARTS),
    data=st.binary(max_size=300) | st.text(max_size=200).map(str.encode),
    name=st.sampled_from([f"a.{end}" for end in _ENDINGS]) | st.text(max_size=20),
)
def test_any_bytes_give_a_result(tmp_path: Path, start: bytes, data: bytes, name: str) -> None:
    path = tmp_path / "file"
    path.write_bytes(start + data)
    document = parse_file(str(path), name, 1_000_000).document
    if document.outcome is ParseOutcome.NOT_READABLE:
        assert document.reason.split(":")[0] in PARSE_REASONS


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(place=st.integers(0, 10_000), byte=st.integers(0, 255), cut=st.booleans())
@pytest.mark.parametrize("kind", ["pdf", "docx"])
def test_a_flipped_or_truncated_file_gives_a_result(
    tmp_path: Path, kind: str, place: int, byte: int, cut: bool
) -> None:
    whole = pdf([[Put("Hello", 72, 700)]]) if kind == "pdf" else docx(paragraph("Hello"))
    data = bytearray(whole)
    place %= len(data)
    data[place] = byte
    document = read(tmp_path, f"a.{kind}", bytes(data[:place] if cut else data))
    if document.outcome is ParseOutcome.NOT_READABLE:
        assert document.reason.split(":")[0] in PARSE_REASONS
