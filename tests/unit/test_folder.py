"""A folder as a source: what it lists, what it leaves out, and that nothing leads outside."""

import os
import socket
import time
import unicodedata
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from config.settings import SourceSettings
from connectors.ports import (
    Complete,
    Incomplete,
    Item,
    ItemChanged,
    ItemGone,
    Page,
    Presence,
    Skipped,
)
from connectors.sources import rooted
from connectors.sources.folder import FolderSource


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = tmp_path / "root"
    made.mkdir()
    return made


def source_of(root: Path, **settings: Any) -> FolderSource:
    return FolderSource(SourceSettings(name="drive", path=root, **settings))


async def listed(
    source: FolderSource,
) -> tuple[list[Item], list[Skipped], Complete | Incomplete]:
    items: list[Item] = []
    skipped: list[Skipped] = []
    end: Complete | Incomplete = Incomplete("nothing came")
    async for value in source.listing():
        if isinstance(value, Page):
            items += value.items
            skipped += value.skipped
        else:
            end = value
    return items, skipped, end


async def docs(source: FolderSource) -> list[str]:
    return [item.doc for item in (await listed(source))[0]]


async def read(source: FolderSource, item: Item) -> bytes:
    return b"".join([chunk async for chunk in source.open(item)])


class TestLinks:
    async def test_a_link_out_of_the_folder_is_left_out_and_named(
        self, root: Path, tmp_path: Path
    ) -> None:
        (tmp_path / "secret.md").write_text("secret")
        (tmp_path / "outside").mkdir()
        (tmp_path / "outside" / "more.md").write_text("secret")
        (root / "link.md").symlink_to(tmp_path / "secret.md")
        (root / "folder").symlink_to(tmp_path / "outside")
        (root / "a.md").write_text("a")

        items, skipped, end = await listed(source_of(root))

        assert [item.doc for item in items] == ["a.md"]
        assert {one.doc for one in skipped} == {"link.md", "folder"}
        assert isinstance(end, Complete)

    async def test_a_link_inside_adds_nothing_to_what_it_leads_to(self, root: Path) -> None:
        (root / "a.md").write_text("a")
        (root / "b.md").symlink_to("a.md")
        (root / "loop").symlink_to(".")
        (root / "dangling.md").symlink_to("nowhere")

        assert await docs(source_of(root)) == ["a.md"]

    async def test_a_file_replaced_by_a_link_before_it_is_opened_is_not_followed(
        self, root: Path, tmp_path: Path
    ) -> None:
        (tmp_path / "secret.md").write_text("secret")
        (root / "a.md").write_text("a")
        (item,), _, _ = await listed(source_of(root))
        (root / "a.md").unlink()
        (root / "a.md").symlink_to(tmp_path / "secret.md")

        with pytest.raises(ItemGone):
            await read(source_of(root), item)
        assert await source_of(root).still_there(item.address, item.file_id) is Presence.GONE

    async def test_a_folder_replaced_by_a_link_before_it_is_entered_is_not_followed(
        self, root: Path, tmp_path: Path
    ) -> None:
        (root / "x").mkdir()
        (root / "x" / "a.md").write_text("a")
        (item,), _, _ = await listed(source_of(root))
        (root / "x").rename(tmp_path / "moved")
        (root / "x").symlink_to(tmp_path / "moved")

        with pytest.raises(ItemGone):
            await read(source_of(root), item)

    async def test_an_address_cannot_climb_out(self, root: Path, tmp_path: Path) -> None:
        (tmp_path / "secret.md").write_text("secret")
        (root / "a.md").write_text("a")
        (item,), _, _ = await listed(source_of(root))

        for address in ("../secret.md", str(tmp_path / "secret.md"), "x/../../secret.md"):
            climbing = Item(address, "a.md", item.size_bytes, item.version)
            with pytest.raises(ItemGone):
                await read(source_of(root), climbing)

    async def test_the_root_itself_may_be_a_link(self, root: Path, tmp_path: Path) -> None:
        (root / "a.md").write_text("a")
        (tmp_path / "shortcut").symlink_to(root)

        assert await docs(source_of(tmp_path / "shortcut")) == ["a.md"]


class TestWhatIsNoFile:
    async def test_pipes_and_sockets_are_left_out_unopened(self, root: Path) -> None:
        os.mkfifo(root / "pipe.md")
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(str(root / "socket.md"))
            (root / "a.md").write_text("a")

            items, skipped, _ = await listed(source_of(root))

        assert [item.doc for item in items] == ["a.md"]
        assert {one.doc for one in skipped} == {"pipe.md", "socket.md"}

    async def test_a_pipe_put_in_a_files_place_does_not_block_the_reader(self, root: Path) -> None:
        (root / "a.md").write_text("a")
        (item,), _, _ = await listed(source_of(root))
        (root / "a.md").unlink()
        os.mkfifo(root / "a.md")

        with pytest.raises(ItemGone):
            await read(source_of(root), item)

    async def test_a_folder_named_like_a_document_is_entered(self, root: Path) -> None:
        (root / "x.pdf").mkdir()
        (root / "x.pdf" / "a.md").write_text("a")

        assert await docs(source_of(root)) == ["x.pdf/a.md"]

    async def test_two_names_of_one_file_are_said_to_be_the_same(self, root: Path) -> None:
        (root / "a.md").write_text("a")
        os.link(root / "a.md", root / "b.md")
        (root / "c.md").write_text("c")

        items, _, _ = await listed(source_of(root))

        assert {item.doc: item.shared for item in items} == {
            "a.md": True,
            "b.md": True,
            "c.md": False,
        }
        assert len({item.file_id for item in items}) == 2

    async def test_hidden_and_temporary_files_are_left_out(self, root: Path) -> None:
        (root / ".git").mkdir()
        (root / ".git" / "config.md").write_text("x")
        for name in (".hidden.md", "~$a.docx", ".~lock.a.odt#", "a.tmp", "Thumbs.db"):
            (root / name).write_text("x")
        (root / "a.md").write_text("a")

        assert await docs(source_of(root)) == ["a.md"]


class TestNames:
    async def test_look_alikes_are_two_documents_told_apart(self, root: Path) -> None:
        (root / "caf\u00e9.md").write_text("composed")
        (root / "cafe\u0301.md").write_text("decomposed")

        items, _, _ = await listed(source_of(root))

        shown = [item.doc for item in items]
        assert len(set(shown)) == 2
        assert all(unicodedata.is_normalized("NFC", doc) for doc in shown)
        assert {await read(source_of(root), item) for item in items} == {
            b"composed",
            b"decomposed",
        }

    async def test_look_alike_folders_are_told_apart_too(self, root: Path) -> None:
        for name in ("\u00e9", "e\u0301"):
            (root / name).mkdir()
            (root / name / "a.md").write_text(name)

        assert len(set(await docs(source_of(root)))) == 2

    async def test_bytes_that_are_no_text_are_listed_shown_and_read(self, root: Path) -> None:
        raw = os.fsencode(root) + b"/bad-\xff-name.md"
        Path(os.fsdecode(raw)).write_text("bad")

        (item,), _, _ = await listed(source_of(root))

        assert item.doc == "bad-\ufffd-name.md"
        item.address.encode("utf-8")
        assert await read(source_of(root), item) == b"bad"
        assert await source_of(root).still_there(item.address) is Presence.THERE

    async def test_a_percent_in_a_name_is_no_escape(self, root: Path) -> None:
        (root / "a%FF.md").write_text("percent")
        Path(os.fsdecode(os.fsencode(root) + b"/a\xff.md")).write_text("byte")

        items, _, _ = await listed(source_of(root))

        assert sorted([await read(source_of(root), item) for item in items]) == [
            b"byte",
            b"percent",
        ]

    async def test_control_characters_are_not_shown(self, root: Path) -> None:
        (root / "two\nlines\x1b[31m.md").write_text("a")

        assert await docs(source_of(root)) == ["two\ufffdlines\ufffd[31m.md"]

    async def test_names_that_differ_by_case_are_two_documents(self, root: Path) -> None:
        (root / "a.md").write_text("small")
        (root / "A.md").write_text("large")

        assert sorted(await docs(source_of(root))) == ["A.md", "a.md"]

    async def test_the_link_template_gets_the_escaped_path(self, root: Path) -> None:
        (root / "x y").mkdir()
        (root / "x y" / "a#1.md").write_text("a")

        (item,), _, _ = await listed(source_of(root, link="https://d.example/{path}?web=1"))

        assert item.url == "https://d.example/x%20y/a%231.md?web=1"


class TestSelection:
    async def test_globs_choose_and_prune(self, root: Path) -> None:
        for path in ("a.md", "b.pdf", "drafts/c.md", "x/d.md"):
            (root / path).parent.mkdir(exist_ok=True)
            (root / path).write_text(path)

        source = source_of(root, include=("**/*.md",), exclude=("drafts",))

        assert await docs(source) == ["a.md", "x/d.md"]

    async def test_a_file_that_falls_out_of_the_selection_is_gone(self, root: Path) -> None:
        (root / "a.md").write_text("a")
        (item,), _, _ = await listed(source_of(root))

        narrower = source_of(root, exclude=("a.md",))

        assert await narrower.still_there(item.address, item.file_id) is Presence.GONE

    async def test_folders_too_deep_are_left_out_and_named(self, root: Path) -> None:
        deep = root.joinpath(*["d"] * 66)
        deep.mkdir(parents=True)
        (deep / "a.md").write_text("a")
        (root / "d" / "b.md").write_text("b")

        items, skipped, end = await listed(source_of(root))

        assert [item.doc for item in items] == ["d/b.md"]
        assert "64 folders deep" in skipped[0].why
        assert isinstance(end, Complete)


class TestAway:
    async def test_a_missing_root_is_incomplete_and_named(self, tmp_path: Path) -> None:
        items, _, end = await listed(source_of(tmp_path / "nowhere"))

        assert items == []
        assert isinstance(end, Incomplete)
        assert "nowhere cannot be listed (No such file or directory)" in end.problem

    async def test_a_root_that_is_a_file_is_incomplete(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("x")

        _, _, end = await listed(source_of(tmp_path / "file"))

        assert isinstance(end, Incomplete)

    async def test_an_empty_root_is_complete_but_says_nothing_of_a_file(self, root: Path) -> None:
        (root / "a.md").write_text("a")
        (item,), _, _ = await listed(source_of(root))
        (root / "a.md").unlink()

        _, _, end = await listed(source_of(root))

        assert isinstance(end, Complete)
        assert await source_of(root).still_there(item.address, item.file_id) is Presence.UNKNOWN

    async def test_a_folder_that_cannot_be_entered_makes_the_listing_incomplete(
        self, root: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (root / "closed").mkdir()
        (root / "a.md").write_text("a")
        real = rooted.folder

        def closed(at: Path, raw: str) -> Any:
            if raw == "closed":
                raise PermissionError(13, "Permission denied")
            return real(at, raw)

        monkeypatch.setattr(rooted, "folder", closed)

        items, _, end = await listed(source_of(root))

        assert [item.doc for item in items] == ["a.md"]
        assert isinstance(end, Incomplete)
        assert "closed cannot be listed (Permission denied)" in end.problem

    async def test_a_file_missing_where_another_device_stands_now_is_unknown(
        self, root: Path
    ) -> None:
        (root / "a.md").write_text("a")
        device = root.stat().st_dev

        source = source_of(root)

        assert await source.still_there("b.md", f"{device}:1") is Presence.GONE
        assert await source.still_there("b.md", f"{device + 1}:1") is Presence.UNKNOWN

    async def test_a_deleted_folder_takes_its_files_along(self, root: Path) -> None:
        (root / "x" / "y").mkdir(parents=True)
        (root / "x" / "y" / "a.md").write_text("a")
        (root / "b.md").write_text("b")
        items, _, _ = await listed(source_of(root))
        item = next(one for one in items if one.doc == "x/y/a.md")
        (root / "x" / "y" / "a.md").unlink()
        (root / "x" / "y").rmdir()
        (root / "x").rmdir()

        assert await source_of(root).still_there(item.address, item.file_id) is Presence.GONE


class TestVersions:
    async def test_a_change_of_the_same_size_with_its_date_put_back_is_seen(
        self, root: Path
    ) -> None:
        (root / "a.md").write_text("one")
        os.utime(root / "a.md", (1_000_000_000, 1_000_000_000))
        (before,), _, _ = await listed(source_of(root))
        (root / "a.md").write_text("two")
        os.utime(root / "a.md", (1_000_000_000, 1_000_000_000))

        (after,), _, _ = await listed(source_of(root))

        assert after.modified == before.modified
        assert after.version != before.version

    async def test_a_file_written_just_now_is_not_settled(
        self, root: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (root / "a.md").write_text("a")
        changed_at = (root / "a.md").stat().st_ctime

        monkeypatch.setattr(time, "time", lambda: changed_at + 1)
        (now,), _, _ = await listed(source_of(root))
        monkeypatch.setattr(time, "time", lambda: changed_at + 3)
        (later,), _, _ = await listed(source_of(root))

        assert (now.settled, later.settled) == (False, True)

    @pytest.mark.parametrize("seconds", [0, -11_644_473_600, 2**32 - 1, 2**40])
    async def test_dates_that_are_defaults_are_unknown(self, root: Path, seconds: int) -> None:
        (root / "a.md").write_text("a")
        os.utime(root / "a.md", (seconds, seconds))
        kept = (root / "a.md").stat().st_mtime

        (item,), _, _ = await listed(source_of(root))

        expected = None if not 0 < kept < 2**32 - 1 else datetime.fromtimestamp(kept, UTC)
        assert item.modified == expected

    async def test_a_file_that_grows_while_it_is_read_is_noticed(self, root: Path) -> None:
        (root / "a.md").write_bytes(bytes(2 << 20))
        (item,), _, _ = await listed(source_of(root))
        chunks = source_of(root).open(item)
        await anext(chunks)
        with (root / "a.md").open("ab") as file:
            file.write(b"more")

        with pytest.raises(ItemChanged) as caught:
            async for _ in chunks:
                pass

        assert caught.value.fresh.size_bytes == (2 << 20) + 4
