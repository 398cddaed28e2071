"""A run killed anywhere is taken up by the next: nothing lost, nothing doubled."""

import os
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from agent.domain import Scope
from agent.library.library import StoreLibrary
from agent.library.tables import documents
from agent.store import open_store
from config.settings import LoopSettings, Settings
from connectors.jobs import Jobs
from connectors.ledger import sync_ledger
from connectors.reports import Busy, RunState, SyncReport
from tests.faults.sync_child import settings_for
from tests.sync_fakes import PlainParser, fresh_store

FILES = 60
READ_AT_ONCE = 4
REPOSITORY = Path(__file__).parents[2]


class Kills:
    """A folder, a library of it, and processes that sync it until they are killed."""

    def __init__(self, at: Path) -> None:
        self.folder = at / "drive"
        self.data = at / "data"
        self.folder.mkdir()
        fresh_store(self.data).close()
        self.parsed: list[str] = []
        self._parent = subprocess.Popen(
            [sys.executable, "-m", "tests.faults.sync_child", str(self.data), str(self.folder)],
            cwd=REPOSITORY,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._parent.stdout
        self._lines = self._parent.stdout

    @property
    def settings(self) -> Settings:
        return settings_for(self.data, self.folder)

    def run_until(self, stage: str, count: int) -> bool:
        """Sync in a child and kill it at the n-th line of a kind; False if it ended before."""
        self._tell("go")
        pid = 0
        for line in self._lines:
            word, _, rest = line.strip().partition(" ")
            if word == "pid":
                pid = int(rest)
            elif word == "ended":
                return int(rest) == -signal.SIGKILL
            elif word == "parsed":
                self.parsed.append(rest)
            count -= word == stage
            if count == 0 and pid:
                os.kill(pid, signal.SIGKILL)
                count = -1
        raise AssertionError("the children's parent is gone")

    def _tell(self, line: str) -> None:
        assert self._parent.stdin
        self._parent.stdin.write(line + "\n")
        self._parent.stdin.flush()

    def close(self) -> None:
        self._parent.communicate(timeout=60)

    async def finish(self) -> SyncReport:
        """The next run, left alone."""
        store = open_store(self.settings.store_url)
        parser = PlainParser()
        jobs = Jobs(store, self.settings, parser=parser)
        (report,) = await jobs.run()
        await jobs.close()
        self.parsed += parser.parsed
        store.close()
        assert not isinstance(report, Busy)
        return report

    async def texts(self) -> dict[str, str]:
        """What may be answered from: the text of every document by its path."""
        store = open_store(self.settings.store_url)
        library, scope = StoreLibrary(store, LoopSettings()), Scope.of("workspace")
        found: dict[str, str] = {}
        for entry in await library.read_document_map(scope):
            document = entry.document
            assert document.doc not in found, "a document is there twice"
            sections = [
                await library.read_section(scope, document.doc_id, one.path)
                for one in entry.outline
            ]
            found[document.doc] = "".join(section.text for section in sections)
        await store.read(_ledger_and_library_agree)
        store.close()
        return found

    def on_disk(self) -> dict[str, str]:
        return {path.name: path.read_text() for path in self.folder.iterdir()}


def _ledger_and_library_agree(connection: sa.Connection) -> None:
    kept = sa.select(sync_ledger.c.doc_id).where(sync_ledger.c.state != "purged")
    assert set(connection.scalars(kept)) == set(connection.scalars(sa.select(documents.c.doc_id)))


@pytest.fixture
def kills(tmp_path: Path) -> Iterator[Kills]:
    made = Kills(tmp_path)
    for number in range(FILES):
        (made.folder / f"{number:02}.txt").write_text(f"This is what document {number:02} says.")
    yield made
    made.close()


async def test_a_first_run_killed_again_and_again_is_finished_by_the_next(kills: Kills) -> None:
    chance = random.Random(20250301)
    killed = [kills.run_until("parsed", chance.randint(1, 8)) for _ in range(6)]

    report = await kills.finish()

    assert all(killed)
    assert await kills.texts() == kills.on_disk()
    assert set(kills.parsed) == set(kills.on_disk())
    assert len(kills.parsed) - FILES <= len(killed) * READ_AT_ONCE
    assert report.added + report.unchanged == FILES
    assert not list((kills.data / "spool").rglob("*.*"))
    again = await kills.finish()
    assert (again.unchanged, again.parsed, again.state) == (FILES, 0, RunState.DONE)


async def test_renames_deletions_and_edits_survive_kills(kills: Kills) -> None:
    await kills.finish()
    for number in range(40):
        (kills.folder / f"{number:02}.txt").rename(kills.folder / f"moved-{number:02}.txt")
    for number in range(40, 50):
        (kills.folder / f"{number:02}.txt").unlink()
    for number in range(50, FILES):
        (kills.folder / f"{number:02}.txt").write_text(f"Document {number:02} was edited.")
    kills.parsed.clear()

    killed = [kills.run_until("listing", 1), kills.run_until("reading", 3)]
    report = await kills.finish()

    assert all(killed)
    assert await kills.texts() == kills.on_disk()
    assert all(name.startswith("5") for name in kills.parsed)
    assert report.failed == ()
    assert (await kills.finish()).touched == 0
