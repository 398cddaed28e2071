"""A folder kept in step: what people really do to folders, from renames to unmounts."""

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from agent.domain import DocId
from config.settings import Settings
from connectors.jobs import Jobs
from connectors.reports import Busy, RunState, SyncReport
from tests.sync_fakes import NAME, Bench, PlainParser, bench


@dataclass
class House:
    """A folder and the library of it."""

    root: Path
    desk: Bench
    parser: PlainParser = field(default_factory=PlainParser)
    source: dict[str, Any] = field(default_factory=dict)

    async def run(self) -> SyncReport:
        jobs = self.jobs
        (report,) = await jobs.run()
        await jobs.close()
        assert not isinstance(report, Busy)
        return report

    @property
    def jobs(self) -> Jobs:
        source = {"name": NAME, "path": self.root, "audience": ["workspace"]} | self.source
        settings = Settings.model_validate(
            {"data_dir": self.desk.folder, "sources": [source], "sync": {"interval_s": 10}}
        )
        return Jobs(self.desk.store, settings, parser=self.parser)

    async def ids(self) -> dict[str, DocId]:
        return {doc: one.doc_id for doc, one in (await self.desk.documents()).items()}


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    root = tmp_path / "drive"
    (root / "hr").mkdir(parents=True)
    (root / "it").mkdir()
    for number in range(4):
        (root / "hr" / f"{number}.txt").write_text(f"Rule number {number} of the house.")
    (root / "it" / "vpn.txt").write_text("How to reach the office from home.")
    with bench(tmp_path / "data") as desk:
        yield House(root, desk)


async def test_a_renamed_folder_keeps_its_documents(house: House) -> None:
    await house.run()
    before = await house.ids()
    (house.root / "hr").rename(house.root / "people")

    report = await house.run()

    after = await house.ids()
    assert (report.moved, report.removed, report.added, report.parsed) == (4, 0, 0, 0)
    assert {doc.replace("people", "hr"): one for doc, one in after.items()} == before


async def test_a_tree_copied_to_a_new_disk_is_the_same_library(house: House) -> None:
    await house.run()
    before = await house.ids()
    shutil.copytree(house.root, house.root.with_name("copy"))
    shutil.rmtree(house.root)
    house.root.with_name("copy").rename(house.root)

    report = await house.run()

    assert (report.unchanged, report.parsed, report.touched) == (5, 0, 0)
    assert await house.ids() == before


async def test_files_copied_elsewhere_and_deleted_have_moved(house: House) -> None:
    await house.run()
    before = await house.ids()
    shutil.copytree(house.root / "hr", house.root / "people")
    shutil.rmtree(house.root / "hr")

    report = await house.run()

    assert (report.moved, report.added, report.removed) == (4, 0, 0)
    assert set((await house.ids()).values()) == set(before.values())


async def test_a_deleted_folder_is_not_answerable_after_the_run(house: House) -> None:
    await house.run()
    shutil.rmtree(house.root / "it")

    report = await house.run()

    assert (report.removed, report.state) == (1, RunState.DONE)
    assert "it/vpn.txt" not in await house.ids()


async def test_what_a_new_glob_leaves_out_is_gone_and_comes_back_with_it(house: House) -> None:
    await house.run()
    before = await house.ids()
    house.source = {"exclude": ["it/**"]}
    out = await house.run()
    excluded = await house.ids()
    house.source = {}
    back = await house.run()

    assert (out.removed, back.added, back.parsed) == (1, 1, 0)
    assert "it/vpn.txt" not in excluded
    assert await house.ids() == before


async def test_an_emptied_root_is_suspicious_and_answers_on(house: House) -> None:
    await house.run()
    shutil.rmtree(house.root)
    house.root.mkdir()

    report = await house.run()

    assert (report.complete, report.removed, report.held_back) == (True, 0, 5)
    assert report.state is RunState.SUSPICIOUS
    documents = await house.desk.documents()
    assert len(documents) == 5
    assert all(one.not_seen_since for one in documents.values())


async def test_an_emptied_root_that_an_admin_confirms_is_empty(house: House) -> None:
    await house.run()
    shutil.rmtree(house.root)
    house.root.mkdir()
    await house.run()
    jobs = house.jobs

    assert await jobs.confirm_deletes(NAME) == 5

    assert await house.ids() == {}
    await jobs.close()


async def test_a_missing_root_says_so_and_loses_nothing(house: House) -> None:
    await house.run()
    house.root.rename(house.root.with_name("away"))

    report = await house.run()

    assert (report.complete, report.seen, report.held_back) == (False, 0, 5)
    assert report.state is RunState.SUSPICIOUS
    assert str(house.root) in report.problem
    assert len(await house.ids()) == 5


async def test_a_root_that_was_never_there_is_a_failure(house: House) -> None:
    house.root.rename(house.root.with_name("away"))

    report = await house.run()

    assert (report.state, report.complete) == (RunState.FAILED, False)
    assert "cannot be listed" in report.problem


async def test_an_edit_that_keeps_size_and_date_is_found(house: House) -> None:
    file = house.root / "it" / "vpn.txt"
    os.utime(file, (1_700_000_000, 1_700_000_000))
    await house.run()
    file.write_text("How to reach the office from HOME.")
    os.utime(file, (1_700_000_000, 1_700_000_000))

    report = await house.run()

    assert report.changed == 1
    assert "HOME" in await house.desk.text("it/vpn.txt")


async def test_a_change_of_rights_or_links_is_no_change(house: House) -> None:
    await house.run()
    (house.root / "it" / "vpn.txt").chmod(0o600)
    os.link(house.root / "it" / "vpn.txt", house.root / "vpn-too.txt")

    report = await house.run()

    assert (report.unchanged, report.skipped, report.touched, report.parsed) == (5, 1, 0, 0)


async def test_a_second_name_takes_over_when_the_first_is_deleted(house: House) -> None:
    await house.run()
    before = await house.ids()
    os.link(house.root / "it" / "vpn.txt", house.root / "vpn-too.txt")
    await house.run()
    (house.root / "it" / "vpn.txt").unlink()

    report = await house.run()

    assert (report.moved, report.removed, report.parsed) == (1, 0, 0)
    assert (await house.ids())["vpn-too.txt"] == before["it/vpn.txt"]


async def test_ids_do_not_depend_on_the_library(house: House, tmp_path: Path) -> None:
    await house.run()
    before = await house.ids()

    with bench(tmp_path / "another") as desk:
        anew = House(house.root, desk)
        await anew.run()

        assert await anew.ids() == before


async def test_a_changed_link_template_is_applied_without_a_parse(house: House) -> None:
    await house.run()
    house.source = {"link": "https://drive.example/{path}"}

    report = await house.run()

    document = (await house.desk.documents())["it/vpn.txt"]
    assert document.url == "https://drive.example/it/vpn.txt"
    assert (report.unchanged, report.parsed) == (5, 0)
