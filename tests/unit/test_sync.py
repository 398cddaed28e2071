"""A run over a source: what is new, changed, moved, gone or broken, and what stays."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from connectors.reports import RunState
from connectors.syncing import intake, listing
from tests.sync_fakes import Bench, bench


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Bench]:
    with bench(tmp_path) as made:
        yield made


def fill(desk: Bench, count: int) -> None:
    """Documents a00.txt, a01.txt, …, no two alike."""
    for number in range(count):
        desk.drive.put(f"a{number:02}.txt", f"The text of document {number:02}.")


class TestNewAndChanged:
    async def test_new_files_can_be_answered_from(self, desk: Bench) -> None:
        desk.drive.put("a.txt", "Parental leave is 14 weeks.")

        report = await desk.run()

        assert (report.seen, report.added, report.parsed) == (1, 1, 1)
        assert "14 weeks" in await desk.text("a.txt")

    async def test_a_second_run_parses_and_changes_nothing(self, desk: Bench) -> None:
        fill(desk, 7)
        await desk.run()
        before = await desk.documents()
        desk.drive.opened.clear()

        report = await desk.run()

        assert (report.unchanged, report.parsed, report.touched) == (7, 0, 0)
        assert desk.drive.opened == []
        assert await desk.documents() == before

    async def test_a_changed_file_keeps_its_id_and_shows_its_new_text(self, desk: Bench) -> None:
        desk.drive.put("a.txt", "Leave is 14 weeks.")
        await desk.run()
        before = (await desk.documents())["a.txt"]
        desk.drive.put("a.txt", "Leave is 16 weeks.")

        report = await desk.run()

        assert (report.changed, report.added) == (1, 0)
        assert (await desk.documents())["a.txt"].doc_id == before.doc_id
        assert "16 weeks" in await desk.text("a.txt")

    async def test_a_file_touched_without_a_change_is_read_but_not_parsed(
        self, desk: Bench
    ) -> None:
        desk.drive.put("a.txt", "The same.")
        await desk.run()
        desk.drive.put("a.txt", "The same.")

        report = await desk.run()

        assert (report.unchanged, report.changed, report.parsed) == (1, 0, 0)

    async def test_an_older_date_is_a_change_like_any_other(self, desk: Bench) -> None:
        desk.drive.put("a.txt", "New text.", modified=datetime(2025, 3, 1, tzinfo=UTC))
        await desk.run()
        desk.drive.put("a.txt", "Restored text.", modified=datetime(2001, 1, 1, tzinfo=UTC))

        await desk.run()

        assert await desk.text("a.txt") == "Restored text."
        assert (await desk.documents())["a.txt"].modified == datetime(2001, 1, 1, tzinfo=UTC)

    async def test_content_seen_before_is_not_parsed_again(self, desk: Bench) -> None:
        desk.drive.put("a.txt", "The same words.")
        await desk.run()
        desk.drive.put("b.txt", "The same words.")

        report = await desk.run()

        assert (report.added, report.parsed) == (1, 0)
        assert desk.parser.parsed == ["a.txt"]

    async def test_a_file_whose_date_nobody_knows_is_taken_in(self, desk: Bench) -> None:
        desk.drive.put("a.txt", "Undated.", modified=None)

        await desk.run()

        assert (await desk.documents())["a.txt"].modified is None


class TestMoves:
    @pytest.mark.parametrize("ids", ["lasting", "file", "none"])
    async def test_a_rename_keeps_id_and_text_and_parses_nothing(
        self, desk: Bench, ids: str
    ) -> None:
        desk.drive.ids = ids
        desk.drive.put("old/a.txt", "Words that move.")
        await desk.run()
        before = (await desk.documents())["old/a.txt"]
        desk.drive.rename("old/a.txt", "new/b.txt")

        report = await desk.run()

        assert (report.moved, report.added, report.removed, report.parsed) == (1, 0, 0, 0)
        documents = await desk.documents()
        assert list(documents) == ["new/b.txt"]
        assert documents["new/b.txt"].doc_id == before.doc_id
        assert await desk.text("new/b.txt") == "Words that move."

    async def test_a_moved_document_has_the_readers_of_its_new_place(self, desk: Bench) -> None:
        desk.groups = {"hr": {"members": ["mail:h@x.example"]}}
        desk.changed = {"drive": {"rules": [{"path": "/hr/**", "audience": ["group:hr"]}]}}
        desk.drive.put("a.txt", "Salaries.")
        await desk.run()
        desk.drive.rename("a.txt", "hr/a.txt")

        await desk.run()

        assert await desk.documents("workspace") == {}
        assert list(await desk.documents("mail:h@x.example")) == ["hr/a.txt"]

    async def test_two_names_swapped_follow_their_contents(self, desk: Bench) -> None:
        desk.drive.put("a.txt", "I was a.")
        desk.drive.put("b.txt", "I was b.")
        await desk.run()
        before = await desk.documents()
        for old, new in (("a.txt", "c.txt"), ("b.txt", "a.txt"), ("c.txt", "b.txt")):
            desk.drive.rename(old, new)

        report = await desk.run()

        after = await desk.documents()
        assert (report.moved, report.parsed) == (2, 0)
        assert after["b.txt"].doc_id == before["a.txt"].doc_id
        assert after["a.txt"].doc_id == before["b.txt"].doc_id
        assert await desk.text("a.txt") == "I was b."

    async def test_a_rotation_moves_each_file_on_and_makes_one_new_document(
        self, desk: Bench
    ) -> None:
        desk.drive.put("log.txt", "Today.")
        desk.drive.put("log.1.txt", "Yesterday.")
        await desk.run()
        before = await desk.documents()
        desk.drive.rename("log.1.txt", "log.2.txt")
        desk.drive.rename("log.txt", "log.1.txt")
        desk.drive.put("log.txt", "Tomorrow.")

        report = await desk.run()

        after = await desk.documents()
        assert (report.moved, report.added, report.changed, report.removed) == (2, 1, 0, 0)
        assert after["log.1.txt"].doc_id == before["log.txt"].doc_id
        assert after["log.2.txt"].doc_id == before["log.1.txt"].doc_id
        assert after["log.txt"].doc_id not in {one.doc_id for one in before.values()}

    async def test_a_file_renamed_over_another_replaces_it(self, desk: Bench) -> None:
        desk.drive.put("a.txt", "Stays.")
        desk.drive.put("b.txt", "Goes.")
        await desk.run()
        before = await desk.documents()
        desk.drive.rename("a.txt", "b.txt")

        report = await desk.run()

        after = await desk.documents()
        assert (report.moved, report.removed) == (1, 1)
        assert {path: one.doc_id for path, one in after.items()} == {
            "b.txt": before["a.txt"].doc_id
        }

    async def test_a_reused_file_id_is_no_rename(self, desk: Bench) -> None:
        desk.drive.put("a.txt", "Old words.")
        await desk.run()
        before = (await desk.documents())["a.txt"]
        desk.drive.delete("a.txt")
        desk.drive.put("b.txt", "Any words.")  # as long, and with the freed id
        assert desk.drive.files["b.txt"].file_id == "f1"

        report = await desk.run()

        assert (report.added, report.removed, report.moved) == (1, 1, 0)
        assert (await desk.documents())["b.txt"].doc_id != before.doc_id

    async def test_an_office_style_save_is_a_new_version(self, desk: Bench) -> None:
        desk.drive.put("a.txt", "First.")
        await desk.run()
        before = (await desk.documents())["a.txt"]
        desk.drive.save_as_office_does("a.txt", "Second.")

        report = await desk.run()

        assert (report.changed, report.added, report.removed) == (1, 0, 0)
        assert (await desk.documents())["a.txt"].doc_id == before.doc_id

    async def test_a_rename_with_an_edit_is_one_document_where_ids_last(self, desk: Bench) -> None:
        desk.drive.ids = "lasting"
        desk.drive.put("a.txt", "First.")
        await desk.run()
        before = (await desk.documents())["a.txt"]
        desk.drive.rename("a.txt", "b.txt")
        desk.drive.put("b.txt", "Second.")

        report = await desk.run()

        assert (report.changed, report.removed) == (1, 0)
        assert (await desk.documents())["b.txt"].doc_id == before.doc_id
        assert await desk.text("b.txt") == "Second."

    async def test_a_rename_with_an_edit_is_another_document_where_ids_are_reused(
        self, desk: Bench
    ) -> None:
        desk.drive.put("a.txt", "First.")
        await desk.run()
        desk.drive.rename("a.txt", "b.txt")
        desk.drive.put("b.txt", "Second.")

        report = await desk.run()

        assert (report.added, report.removed) == (1, 1)

    async def test_two_candidates_are_never_guessed_between(self, desk: Bench) -> None:
        desk.drive.ids = "none"
        desk.drive.put("a.txt", "Twins.")
        desk.drive.put("b.txt", "Twins.")
        await desk.run()
        before = await desk.documents()
        desk.drive.rename("a.txt", "c.txt")
        desk.drive.rename("b.txt", "d.txt")

        report = await desk.run()

        after = await desk.documents()
        assert (report.added, report.removed, report.moved, report.parsed) == (2, 2, 0, 0)
        assert not {one.doc_id for one in before.values()} & {o.doc_id for o in after.values()}

    async def test_the_same_content_at_two_places_is_two_documents(self, desk: Bench) -> None:
        desk.drive.put("a.txt", "Copied.")
        await desk.run()
        desk.drive.put("b.txt", "Copied.")

        report = await desk.run()

        assert (report.added, report.moved) == (1, 0)
        assert set(await desk.documents()) == {"a.txt", "b.txt"}

    async def test_a_moved_file_is_not_taken_along_by_a_listing_that_broke_off(
        self, desk: Bench
    ) -> None:
        desk.drive.ids = "none"
        desk.drive.put("z.txt", "Copied, not moved.")
        await desk.run()
        before = (await desk.documents())["z.txt"]
        desk.drive.put("a.txt", "Copied, not moved.")
        desk.drive.breaks_off = "The second half did not come."

        report = await desk.run()

        documents = await desk.documents()
        assert (report.complete, report.added, report.moved) == (False, 1, 0)
        assert documents["z.txt"].doc_id == before.doc_id
        assert documents["a.txt"].doc_id != before.doc_id

    async def test_a_new_file_at_a_place_whose_document_moved_on_gets_an_id_of_its_own(
        self, desk: Bench
    ) -> None:
        desk.drive.put("a.txt", "Moves on.")
        await desk.run()
        desk.drive.rename("a.txt", "b.txt")
        await desk.run()
        desk.drive.put("a.txt", "Comes after.")

        report = await desk.run()

        documents = await desk.documents()
        assert report.added == 1
        assert documents["a.txt"].doc_id != documents["b.txt"].doc_id


class TestDeletions:
    async def test_a_deleted_file_is_not_answerable_after_the_run(self, desk: Bench) -> None:
        fill(desk, 9)
        await desk.run()
        desk.drive.delete("a03.txt")

        report = await desk.run()

        assert (report.removed, report.held_back, report.state) == (1, 0, RunState.DONE)
        assert "a03.txt" not in await desk.documents()

    async def test_a_restored_file_is_the_same_document_again(self, desk: Bench) -> None:
        desk.drive.put("a.txt", "Gone and back.")
        desk.drive.put("b.txt", "Stays.")
        await desk.run()
        before = (await desk.documents())["a.txt"]
        desk.drive.delete("a.txt")
        await desk.run()
        desk.drive.put("a.txt", "Gone and back.", modified=datetime(1999, 1, 1, tzinfo=UTC))

        report = await desk.run()

        assert (report.added, report.parsed) == (1, 0)
        assert (await desk.documents())["a.txt"].doc_id == before.doc_id

    async def test_a_restored_document_that_had_moved_is_still_the_same(self, desk: Bench) -> None:
        desk.drive.put("a.txt", "Well travelled.")
        desk.drive.put("c.txt", "Stays.")
        await desk.run()
        before = (await desk.documents())["a.txt"]
        desk.drive.rename("a.txt", "b.txt")
        await desk.run()
        desk.drive.delete("b.txt")
        await desk.run()
        desk.drive.put("b.txt", "Well travelled.")

        await desk.run()

        assert (await desk.documents())["b.txt"].doc_id == before.doc_id

    async def test_a_listing_of_nothing_deletes_nothing_and_is_called_suspicious(
        self, desk: Bench
    ) -> None:
        fill(desk, 3)
        await desk.run()
        kept, desk.drive.files = desk.drive.files, {}
        desk.drive.speechless = True  # as an empty mount point is

        report = await desk.run()

        assert (report.removed, report.held_back, report.state) == (0, 3, RunState.SUSPICIOUS)
        assert "none of its 3 documents" in report.problem
        documents = await desk.documents()
        assert len(documents) == 3
        assert all(one.not_seen_since for one in documents.values())
        desk.drive.files = kept
        report = await desk.run()
        assert (report.unchanged, report.parsed, report.state) == (3, 0, RunState.DONE)
        assert all(one.not_seen_since is None for one in (await desk.documents()).values())

    async def test_what_the_source_calls_gone_is_hidden_at_once_whatever_the_share(
        self, desk: Bench
    ) -> None:
        fill(desk, 9)
        await desk.run()
        for number in range(8):
            desk.drive.delete(f"a{number:02}.txt")

        report = await desk.run()

        assert (report.removed, report.held_back, report.purged) == (8, 0, 0)
        assert report.state is RunState.SUSPICIOUS
        assert "8 of 9" in report.problem
        assert list(await desk.documents()) == ["a08.txt"]

    async def test_more_than_half_waits_for_an_admin_however_many_runs_miss_it(
        self, desk: Bench
    ) -> None:
        fill(desk, 9)
        await desk.run()
        for number in range(8):
            desk.drive.delete(f"a{number:02}.txt")
        await desk.run()
        await desk.an_interval_later()

        report = await desk.run()

        assert (report.purged, report.removed) == (0, 0)
        assert await desk.jobs.confirm_deletes("drive") == 8
        report = await desk.run()
        assert (report.state, report.unchanged) == (RunState.DONE, 1)

    async def test_a_fifth_waits_for_a_second_run_an_interval_later(self, desk: Bench) -> None:
        fill(desk, 20)
        await desk.run()
        for number in range(6):
            desk.drive.delete(f"a{number:02}.txt")

        first = await desk.run()
        at_once = await desk.run()
        await desk.an_interval_later()
        later = await desk.run()

        assert [first.removed, at_once.removed, later.removed] == [6, 0, 0]
        assert [first.purged, at_once.purged, later.purged] == [0, 0, 6]
        assert later.state is RunState.DONE

    async def test_hidden_documents_that_come_back_are_shown_without_a_parse(
        self, desk: Bench
    ) -> None:
        fill(desk, 9)
        await desk.run()
        kept = dict(desk.drive.files)
        desk.drive.files = {"a08.txt": kept["a08.txt"]}
        await desk.run()
        desk.drive.files = kept

        report = await desk.run()

        assert (report.unchanged, report.parsed) == (9, 0)
        assert len(await desk.documents()) == 9

    async def test_an_incomplete_listing_takes_in_what_came_and_removes_nothing(
        self, desk: Bench
    ) -> None:
        fill(desk, 6)
        await desk.run()
        desk.drive.delete("a05.txt")
        desk.drive.put("a00.txt", "Changed.")
        desk.drive.breaks_off = "The folder /x cannot be listed."

        report = await desk.run()

        assert (report.complete, report.changed, report.removed) == (False, 1, 0)
        assert report.held_back == 4
        assert report.problem == "The folder /x cannot be listed."
        documents = await desk.documents()
        assert documents["a05.txt"].not_seen_since
        assert documents["a00.txt"].not_seen_since is None

    async def test_a_document_that_is_there_after_all_stays_as_it_is(self, desk: Bench) -> None:
        fill(desk, 3)
        await desk.run()
        desk.drive.unlisted = {"a01.txt"}

        report = await desk.run()

        assert (report.removed, report.held_back) == (0, 1)
        assert (await desk.documents())["a01.txt"].not_seen_since is None

    async def test_another_device_at_the_path_is_not_touched(self, desk: Bench) -> None:
        fill(desk, 6)
        await desk.run()
        desk.drive.files.clear()
        desk.drive.place = "disk-2"
        desk.drive.put("foreign.txt", "Somebody else's.")

        report = await desk.run()

        assert (report.complete, report.added, report.held_back) == (False, 0, 6)
        assert report.state is RunState.SUSPICIOUS
        assert "another device" in report.problem
        assert "foreign.txt" not in await desk.documents()

    async def test_a_mount_that_comes_back_on_another_device_is_recognised(
        self, desk: Bench
    ) -> None:
        fill(desk, 6)
        await desk.run()
        desk.drive.place = "disk-2"
        for number, file in enumerate(desk.drive.files.values()):
            file.file_id = f"other-{number}"

        report = await desk.run()

        assert (report.unchanged, report.parsed, report.state) == (6, 0, RunState.DONE)

    async def test_a_replaced_disk_is_accepted_by_an_admin(self, desk: Bench) -> None:
        fill(desk, 6)
        await desk.run()
        desk.drive.files.clear()
        desk.drive.place = "disk-2"
        desk.drive.put("new.txt", "The new disk.")
        desk.drive.speechless = True  # what was on the old disk is nothing the new one knows of
        await desk.run()

        assert await desk.jobs.confirm_deletes("drive") == 6

        assert list(await desk.documents()) == ["new.txt"]

    async def test_a_forbidden_document_is_hidden_at_once_and_named(self, desk: Bench) -> None:
        fill(desk, 3)
        await desk.run()
        desk.drive.forbidden = {"a01.txt"}
        desk.drive.put("a01.txt", "Now secret.")

        report = await desk.run()

        assert report.removed == 1
        assert [(one.doc, one.old_copy) for one in report.failed] == [("a01.txt", False)]
        assert "a01.txt" not in await desk.documents()
        desk.drive.forbidden = set()
        await desk.run()
        assert await desk.text("a01.txt") == "Now secret."

    async def test_a_new_forbidden_document_never_shows(self, desk: Bench) -> None:
        desk.drive.put("a.txt", "Secret.")
        desk.drive.forbidden = {"a.txt"}

        report = await desk.run()

        assert report.failed[0].reason.startswith("unsupported")
        assert await desk.documents() == {}

    async def test_a_file_deleted_between_listing_and_reading_is_no_error(
        self, desk: Bench
    ) -> None:
        fill(desk, 3)
        desk.drive.vanishing = {"a01.txt"}

        report = await desk.run()

        assert (report.added, report.failed, report.state) == (2, (), RunState.DONE)


class TestAcrossSources:
    async def test_a_held_document_that_appears_in_another_source_has_moved(
        self, tmp_path: Path
    ) -> None:
        with bench(tmp_path, "old", "new") as desk:
            desk.changed = {"new": {"audience": ("slack:C1",)}}
            desk.drives["old"].put("a.txt", "Travelling words.")
            desk.drives["old"].put("b.txt", "Staying words.")
            await desk.run("old")
            desk.drives["old"].files.clear()
            desk.drives["old"].speechless = True
            await desk.run("old")
            desk.drives["new"].put("x/a.txt", "Travelling words.")

            report = await desk.run("new")

            assert (report.added, report.parsed) == (1, 0)
            assert list(await desk.documents("workspace")) == ["b.txt"]
            assert list(await desk.documents("slack:C1")) == ["x/a.txt"]

    async def test_a_document_that_moved_before_its_old_place_was_missed_has_moved_too(
        self, tmp_path: Path
    ) -> None:
        with bench(tmp_path, "old", "new") as desk:
            desk.changed = {"new": {"audience": ("slack:C1",)}}
            desk.drives["old"].put("a.txt", "Travelling words.")
            await desk.run("old")
            desk.drives["new"].put("a.txt", "Travelling words.")
            await desk.run("new")
            desk.drives["old"].breaks_off = "Away."

            report = await desk.run("old")

            assert (report.removed, report.held_back) == (1, 0)
            assert await desk.documents("workspace") == {}

    async def test_a_copy_that_was_always_elsewhere_does_not_take_a_held_one_away(
        self, tmp_path: Path
    ) -> None:
        with bench(tmp_path, "one", "two") as desk:
            desk.drives["two"].put("b.txt", "In both.")
            await desk.run("two")
            desk.drives["one"].put("a.txt", "In both.")
            await desk.run("one")
            desk.drives["one"].breaks_off = "Away."

            report = await desk.run("one")

            assert (report.removed, report.held_back) == (0, 1)


class TestFailures:
    async def test_one_bad_file_is_named_and_the_others_are_taken_in(self, desk: Bench) -> None:
        fill(desk, 20)
        desk.drive.put("bad.pdf", "damaged: no PDF at all")

        report = await desk.run()

        assert (report.added, report.state) == (20, RunState.DONE_WITH_ERRORS)
        (failed,) = report.failed
        assert (failed.doc, failed.reason, failed.old_copy) == (
            "bad.pdf",
            "damaged: no PDF at all",
            False,
        )

    async def test_a_bad_new_file_stands_in_the_map_with_its_reason(self, desk: Bench) -> None:
        desk.drive.put("locked.pdf", "password: it needs one")

        await desk.run()

        document = (await desk.documents())["locked.pdf"]
        assert (document.outcome.value, document.reason) == (
            "not_readable",
            "password: it needs one",
        )

    async def test_a_bad_file_keeps_the_title_and_pages_that_its_parser_found(
        self, desk: Bench
    ) -> None:
        desk.drive.put("1.pdf", "password: Salary Bands")
        await desk.run()
        desk.drive.rename("1.pdf", "2.pdf")

        report = await desk.run()

        document = (await desk.documents())["2.pdf"]
        assert (report.moved, report.parsed) == (1, 0)
        assert (document.title, document.pages, document.format) == ("Salary Bands", 12, "pdf")

    async def test_a_bad_file_is_set_aside_until_it_changes_and_stays_named(
        self, desk: Bench
    ) -> None:
        desk.drive.put("bad.pdf", "damaged: at first")
        await desk.run()

        again = await desk.run()
        desk.drive.put("bad.pdf", "Mended.")
        mended = await desk.run()

        assert (again.parsed, again.unchanged, len(again.failed)) == (0, 0, 1)
        assert again.state is RunState.DONE_WITH_ERRORS
        assert (mended.changed, mended.failed) == (1, ())
        assert await desk.text("bad.pdf") == "Mended."

    async def test_the_old_copy_answers_on_when_a_new_version_is_bad(self, desk: Bench) -> None:
        desk.drive.put("a.txt", "Good words.")
        await desk.run()
        desk.drive.put("a.txt", "damaged: cut off")

        report = await desk.run()

        (failed,) = report.failed
        assert (failed.doc, failed.old_copy) == ("a.txt", True)
        assert await desk.text("a.txt") == "Good words."
        assert (await desk.documents())["a.txt"].not_seen_since

    async def test_a_good_version_after_a_bad_one_takes_the_mark_away(self, desk: Bench) -> None:
        desk.drive.put("a.txt", "Good words.")
        await desk.run()
        desk.drive.put("a.txt", "damaged: cut off")
        await desk.run()
        desk.drive.put("a.txt", "Good words.")

        report = await desk.run()

        assert (report.unchanged, report.parsed, report.failed) == (1, 0, ())
        assert (await desk.documents())["a.txt"].not_seen_since is None

    async def test_what_may_be_the_machines_fault_is_tried_twice(self, desk: Bench) -> None:
        desk.drive.put("slow.txt", "timeout: too slow")

        reports = [await desk.run() for _ in range(4)]

        assert desk.parser.parsed == ["slow.txt", "slow.txt"]
        assert [len(report.failed) for report in reports] == [1, 1, 1, 1]

    async def test_a_file_that_cannot_be_read_now_is_tried_in_every_run(self, desk: Bench) -> None:
        desk.drive.put("a.txt", "Readable some day.")
        desk.drive.unreadable = {"a.txt"}
        first = await desk.run()
        desk.drive.unreadable = set()

        second = await desk.run()

        assert first.failed[0].reason == "damaged: a.txt cannot be read."
        assert (second.failed, await desk.text("a.txt")) == ((), "Readable some day.")

    async def test_a_file_that_changes_while_it_is_read_is_read_again(self, desk: Bench) -> None:
        desk.drive.put("a.txt", "Growing")
        desk.drive.restless = {"a.txt": 2}

        report = await desk.run()

        assert report.added == 1
        assert await desk.text("a.txt") == "Growing and on. and on."
        assert (await desk.run()).unchanged == 1

    async def test_a_file_that_never_holds_still_keeps_its_old_copy(self, desk: Bench) -> None:
        desk.drive.put("a.txt", "Quiet.")
        await desk.run()
        desk.drive.put("a.txt", "Loud")
        desk.drive.restless = {"a.txt": 99}

        report = await desk.run()

        assert report.failed[0].reason.startswith("timeout")
        assert await desk.text("a.txt") == "Quiet."

    async def test_a_drive_that_stops_in_the_middle_of_a_file_costs_only_that_file(
        self, desk: Bench, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(intake, "_CHUNK_S", 0.05)
        fill(desk, 3)
        desk.drive.hanging = {"a01.txt"}

        report = await desk.run()

        assert (report.added, len(report.failed)) == (2, 1)
        assert report.failed[0].reason.startswith("timeout: The drive did not go on with a01.txt")

    async def test_a_drive_that_stops_in_the_middle_of_its_listing_loses_nothing(
        self, desk: Bench, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        fill(desk, 6)
        await desk.run()
        monkeypatch.setattr(listing, "_PAGE_S", 0.05)
        desk.drive.hanging = {"the listing"}

        report = await desk.run()

        assert (report.complete, report.removed, report.held_back) == (False, 0, 3)
        assert "did not answer" in report.problem

    async def test_a_file_over_the_limit_is_named_and_not_fetched(self, desk: Bench) -> None:
        desk.sync = {"file_bytes": 1_000}
        desk.drive.put("big.txt", "x" * 2_000)

        report = await desk.run()

        assert report.failed[0].reason.startswith("too_large")
        assert desk.drive.opened == []
        assert (await desk.documents())["big.txt"].reason.startswith("too_large")
        assert (await desk.run()).failed == report.failed

    async def test_a_stream_that_goes_on_past_the_listed_size_is_cut_off(self, desk: Bench) -> None:
        desk.sync = {"file_bytes": 1_000}
        desk.drive.put("liar.txt", "x" * 5_000)
        desk.drive.listed_size = {"liar.txt": 10}

        report = await desk.run()

        assert report.failed[0].reason.startswith("too_large")
        assert desk.parser.parsed == []

    async def test_a_higher_limit_lets_a_large_file_in(self, desk: Bench) -> None:
        desk.sync = {"file_bytes": 1_000}
        desk.drive.put("big.txt", "x" * 2_000)
        await desk.run()
        desk.sync = {"file_bytes": 3_000}

        report = await desk.run()

        assert (report.failed, report.changed) == ((), 1)

    async def test_an_empty_file_is_named_and_not_parsed(self, desk: Bench) -> None:
        desk.drive.put("nothing.md", b"")

        report = await desk.run()

        assert [one.reason.partition(":")[0] for one in report.failed] == ["empty"]
        assert desk.parser.parsed == []

    async def test_a_file_cut_to_nothing_is_given_up_only_in_a_second_run(
        self, desk: Bench
    ) -> None:
        desk.drive.put("a.txt", "Full.")
        await desk.run()
        desk.drive.put("a.txt", b"")

        first = await desk.run()
        still = await desk.text("a.txt")
        second = await desk.run()

        assert (first.failed[0].old_copy, still) == (True, "Full.")
        assert second.failed[0].old_copy is False
        assert (await desk.documents())["a.txt"].reason.startswith("empty")

    async def test_a_full_disk_ends_the_run_with_a_sentence_and_leaves_the_library(
        self, desk: Bench
    ) -> None:
        desk.drive.put("a.txt", "Before.")
        await desk.run()
        desk.drive.put("a.txt", "After.")
        (desk.folder / "spool").rename(desk.folder / "was")
        (desk.folder / "spool").write_text("no folder")

        with pytest.raises(Exception, match="data folder cannot be written"):
            await desk.run()

        assert await desk.text("a.txt") == "Before."
        (status,) = await desk.jobs.status()
        assert (status.state, "cannot be written" in status.problem) == (RunState.FAILED, True)


class TestReaders:
    async def test_other_readers_take_effect_without_a_parse(self, desk: Bench) -> None:
        desk.drive.put("a.txt", "For some.")
        await desk.run()
        desk.changed = {"drive": {"audience": ("slack:C1",)}}

        changed = await desk.jobs.apply_settings()

        assert changed == 1
        assert await desk.documents("workspace") == {}
        assert list(await desk.documents("slack:C1")) == ["a.txt"]
        assert desk.parser.parsed == ["a.txt"]

    async def test_a_source_without_an_audience_answers_nobody(self, desk: Bench) -> None:
        desk.changed = {"drive": {"audience": ()}}
        desk.drive.put("a.txt", "For nobody.")

        report = await desk.run()

        assert report.added == 1
        assert await desk.documents("workspace", "slack:C1", "mail:admin@x.example") == {}

    async def test_hidden_documents_come_back_with_todays_readers(self, desk: Bench) -> None:
        fill(desk, 9)
        await desk.run()
        kept = dict(desk.drive.files)
        desk.drive.files = {"a08.txt": kept["a08.txt"]}
        await desk.run()
        desk.changed = {"drive": {"audience": ("slack:C1",)}}
        desk.drive.files = kept

        await desk.run()

        assert await desk.documents("workspace") == {}
        assert len(await desk.documents("slack:C1")) == 9

    async def test_a_source_taken_from_the_settings_is_gone_with_all_it_left(
        self, tmp_path: Path
    ) -> None:
        with bench(tmp_path, "kept", "dropped") as desk:
            desk.drives["kept"].put("a.txt", "Stays.")
            desk.drives["dropped"].put("b.txt", "Goes.")
            await desk.run("kept")
            await desk.run("dropped")
            smaller = replace(desk, drives={"kept": desk.drives["kept"]})

            await smaller.jobs.apply_settings()

            assert list(await smaller.documents()) == ["a.txt"]
            assert [one.source for one in await smaller.jobs.status()] == ["kept"]
