"""A folder full of traps, synced whole: every file is taken in or named, and nothing escapes."""

import os
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from agent.domain import PARSE_REASONS, Scope
from agent.library.library import StoreLibrary
from agent.store import Store
from config.settings import LoopSettings, Settings
from connectors.jobs import Jobs
from connectors.reports import Busy, RunState, SyncReport
from tests.sync_fakes import fresh_store

SECRET = "the canary outside the folder"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    made = fresh_store(tmp_path / "data")
    yield made
    made.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A drive in which every second file is a trap."""
    root = tmp_path / "drive"
    (root / "x.pdf").mkdir(parents=True)
    (root / "x.pdf" / "inside.md").write_text("# Inside\n\nA folder may be called like a file.\n")
    (root / "good.md").write_text("# Leave\n\nEveryone has 28 days of leave.\n")
    (root / "好.md").write_text("# 假期\n\n每人每年有二十八天假期。\n")
    (root / "zero.pdf").write_bytes(b"")
    (root / "page.pdf").write_bytes(b"%PDF-1.7\n" + os.urandom(4_000))
    (root / "not-a-word-file.docx").write_bytes(os.urandom(4_000))
    (root / "no extension").write_text("Notes\n\nPlain text without an ending.\n")
    Path(os.fsdecode(os.fsencode(root) + b"/byte-\xff.txt")).write_text("Bytes\n\nOdd name.\n")
    with (root / "huge.txt").open("wb") as huge:
        huge.truncate(200_000_000)
    with zipfile.ZipFile(root / "bomb.docx", "w", zipfile.ZIP_DEFLATED) as bomb:
        bomb.writestr("word/document.xml", b" " * 220_000_000)
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.md").write_text(f"# Secret\n\n{SECRET}\n")
    (root / "link.md").symlink_to(outside / "secret.md")
    (root / "linked").symlink_to(outside)
    (root / "up").symlink_to("..")
    os.mkfifo(root / "pipe.md")
    return root


async def sync(store: Store, folder: Path, tmp_path: Path) -> SyncReport:
    settings = Settings.model_validate(
        {
            "data_dir": tmp_path / "data",
            "sources": [{"name": "drive", "path": folder, "audience": ["workspace"]}],
        }
    )
    jobs = Jobs(store, settings)
    (report,) = await jobs.run()
    await jobs.close()
    assert not isinstance(report, Busy)
    return report


async def test_every_file_is_taken_in_or_named_and_nothing_escapes(
    store: Store, folder: Path, tmp_path: Path
) -> None:
    report = await sync(store, folder, tmp_path)

    library, everyone = StoreLibrary(store, LoopSettings()), Scope.of("workspace")
    entries = {e.document.doc: e for e in await library.read_document_map(everyone)}
    readable = {doc for doc, entry in entries.items() if not entry.document.reason}
    assert readable == {
        "good.md", "好.md", "no extension", "byte-\ufffd.txt", "x.pdf/inside.md",
    }  # fmt: skip
    failed = {one.doc: one.reason.partition(":")[0] for one in report.failed}
    assert set(failed) == {"zero.pdf", "page.pdf", "not-a-word-file.docx", "huge.txt", "bomb.docx"}
    assert set(failed.values()) <= set(PARSE_REASONS)
    assert (failed["zero.pdf"], failed["huge.txt"]) == ("empty", "too_large")
    assert set(entries) == readable | set(failed)
    assert (report.seen, report.added, report.skipped) == (10, 5, 4)
    assert report.state is RunState.DONE_WITH_ERRORS
    found = await library.search(SECRET, everyone)
    assert SECRET not in "".join(window.text for window in found.windows)
    assert not list((tmp_path / "data" / "spool").rglob("*.*"))


async def test_a_second_run_reads_no_trap_again(store: Store, folder: Path, tmp_path: Path) -> None:
    first = await sync(store, folder, tmp_path)

    second = await sync(store, folder, tmp_path)

    assert (second.parsed, second.unchanged, second.touched) == (0, 5, 0)
    assert second.failed == first.failed
