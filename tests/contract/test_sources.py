"""What every source promises; a new one is given a house here and must pass as it is.

A house is the drive as its users see it: they write, rename and delete, the source only looks.
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

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
    Source,
)
from connectors.sources.folder import FolderSource
from tests.sync_fakes import MemorySource


class House(Protocol):
    """A drive and what people do to it."""

    @property
    def source(self) -> Source: ...
    def put(self, path: str, content: bytes) -> None: ...
    def delete(self, path: str) -> None: ...
    def rename(self, old: str, new: str) -> None: ...
    def take_away(self) -> None: ...


class FolderHouse:
    def __init__(self, folder: Path) -> None:
        self._root = folder / "drive"
        self._root.mkdir()
        settings = SourceSettings(name="drive", path=self._root)
        self.source = FolderSource(settings)

    def put(self, path: str, content: bytes) -> None:
        file = self._root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)

    def delete(self, path: str) -> None:
        (self._root / path).unlink()

    def rename(self, old: str, new: str) -> None:
        (self._root / new).parent.mkdir(parents=True, exist_ok=True)
        (self._root / old).rename(self._root / new)

    def take_away(self) -> None:
        self._root.rename(self._root.with_name("away"))


class MemoryHouse:
    def __init__(self, ids: str) -> None:
        self.source = MemorySource(ids=ids)

    def put(self, path: str, content: bytes) -> None:
        self.source.put(path, content)

    def delete(self, path: str) -> None:
        self.source.delete(path)

    def rename(self, old: str, new: str) -> None:
        self.source.rename(old, new)

    def take_away(self) -> None:
        self.source.breaks_off = "It is away."
        self.source.speechless = True


HOUSES: dict[str, Callable[[Path], House]] = {
    "folder": FolderHouse,
    "memory with lasting ids": lambda _: MemoryHouse("lasting"),
    "memory with file ids": lambda _: MemoryHouse("file"),
    "memory with paths only": lambda _: MemoryHouse("none"),
}


@pytest.fixture(params=list(HOUSES.values()), ids=list(HOUSES))
def house(request: pytest.FixtureRequest, tmp_path: Path) -> House:
    made: House = request.param(tmp_path)
    return made


async def listed(source: Source) -> tuple[dict[str, Item], Complete | Incomplete]:
    """Items by path, and the end, which must be the last value and come once."""
    values = [value async for value in source.listing()]
    ends = [value for value in values if not isinstance(value, Page)]
    assert len(ends) == 1
    assert values[-1] is ends[0]
    items = [item for page in values if isinstance(page, Page) for item in page.items]
    return {item.doc: item for item in items}, ends[0]


async def read(source: Source, item: Item) -> bytes:
    return b"".join([chunk async for chunk in source.open(item)])


async def test_every_file_is_listed_once_and_the_end_says_complete(house: House) -> None:
    for path in ("a.md", "x/b.md", "x/y/c.md"):
        house.put(path, path.encode())

    items, end = await listed(house.source)

    assert sorted(items) == ["a.md", "x/b.md", "x/y/c.md"]
    assert isinstance(end, Complete)
    assert len({item.address for item in items.values()}) == 3


async def test_an_item_tells_size_and_version(house: House) -> None:
    house.put("a.md", b"12345")

    items, _ = await listed(house.source)

    assert items["a.md"].size_bytes == 5
    assert items["a.md"].version


async def test_an_empty_drive_is_complete_and_knows_nothing_of_a_lost_file(house: House) -> None:
    items, end = await listed(house.source)

    assert (items, isinstance(end, Complete)) == ({}, True)


async def test_two_listings_of_an_unchanged_drive_are_alike(house: House) -> None:
    house.put("a.md", b"a")
    house.put("x/b.md", b"b")

    first, _ = await listed(house.source)
    second, _ = await listed(house.source)

    assert {one.doc: one.version for one in first.values()} == {
        one.doc: one.version for one in second.values()
    }
    assert [one.address for one in first.values()] == [one.address for one in second.values()]


async def test_the_place_stays_the_same(house: House) -> None:
    house.put("a.md", b"a")

    assert (await listed(house.source))[1] == (await listed(house.source))[1]


async def test_changed_content_has_another_version(house: House) -> None:
    house.put("a.md", b"before")
    before, _ = await listed(house.source)
    house.put("a.md", b"after it")

    after, _ = await listed(house.source)

    assert before["a.md"].version != after["a.md"].version


async def test_reading_gives_the_bytes(house: House) -> None:
    content = bytes(range(256)) * 10_000
    house.put("a.bin", content)
    items, _ = await listed(house.source)

    assert await read(house.source, items["a.bin"]) == content


async def test_a_large_file_comes_in_chunks(house: House) -> None:
    house.put("a.bin", bytes(3 << 20))
    items, _ = await listed(house.source)

    sizes = [len(chunk) async for chunk in house.source.open(items["a.bin"])]

    assert sum(sizes) == 3 << 20
    assert max(sizes) <= 1 << 20


async def test_an_empty_file_is_listed_and_read(house: House) -> None:
    house.put("a.md", b"")
    items, _ = await listed(house.source)

    assert await read(house.source, items["a.md"]) == b""


async def test_another_version_is_refused_and_handed_over(house: House) -> None:
    house.put("a.md", b"before")
    items, _ = await listed(house.source)
    house.put("a.md", b"after it")

    with pytest.raises(ItemChanged) as caught:
        await read(house.source, items["a.md"])

    assert await read(house.source, caught.value.fresh) == b"after it"
    assert caught.value.fresh.doc == "a.md"


async def test_a_deleted_file_is_gone_for_the_reader(house: House) -> None:
    house.put("a.md", b"a")
    items, _ = await listed(house.source)
    house.delete("a.md")

    with pytest.raises(ItemGone):
        await read(house.source, items["a.md"])


async def test_a_reading_may_be_given_up_halfway(house: House) -> None:
    house.put("a.bin", bytes(3 << 20))
    items, _ = await listed(house.source)

    chunks = house.source.open(items["a.bin"])
    await anext(chunks)
    await chunks.aclose()

    assert len(await read(house.source, items["a.bin"])) == 3 << 20


async def test_a_listing_may_be_given_up_halfway(house: House) -> None:
    house.put("a.md", b"a")
    house.put("x/b.md", b"b")

    values = house.source.listing()
    await anext(values)
    await values.aclose()

    assert len((await listed(house.source))[0]) == 2


async def test_a_file_that_is_there_is_there(house: House) -> None:
    house.put("a.md", b"a")
    items, _ = await listed(house.source)
    item = items["a.md"]

    assert await house.source.still_there(item.address, item.file_id) is Presence.THERE


async def test_a_file_deleted_beside_others_is_gone(house: House) -> None:
    house.put("a.md", b"a")
    house.put("b.md", b"b")
    items, _ = await listed(house.source)
    house.delete("a.md")
    item = items["a.md"]

    assert await house.source.still_there(item.address, item.file_id) is Presence.GONE


async def test_a_drive_that_is_away_is_incomplete_and_knows_nothing(house: House) -> None:
    house.put("a.md", b"a")
    items, _ = await listed(house.source)
    item = items["a.md"]
    house.take_away()

    _, end = await listed(house.source)

    assert isinstance(end, Incomplete)
    assert end.problem
    assert end.hint
    assert await house.source.still_there(item.address, item.file_id) is Presence.UNKNOWN


async def test_a_renamed_file_keeps_the_id_that_the_source_has(house: House) -> None:
    house.put("a.md", b"a")
    before, _ = await listed(house.source)
    house.rename("a.md", "x/b.md")

    after, _ = await listed(house.source)

    assert before["a.md"].native_id == after["x/b.md"].native_id
    assert before["a.md"].file_id == after["x/b.md"].file_id


@pytest.mark.parametrize(
    "name",
    [
        "with space.md", "a#b.md", "a?b.md", "100%25.md", "a+b;c&d.md", "résumé.md", "部门/假期.md",
        "trailing.", "-dash.md", "x" * 200 + ".md", "quote'\".md", "back\\slash.md",
    ],
)  # fmt: skip
async def test_odd_names_are_listed_and_read(house: House, name: str) -> None:
    house.put(name, b"odd")

    items, _ = await listed(house.source)

    assert list(items) == [name]
    assert await read(house.source, items[name]) == b"odd"


async def test_many_files_come_in_pages(house: House) -> None:
    for number in range(1_200):
        house.put(f"{number % 3}/{number:04}.md", os.urandom(4))

    pages = [value async for value in house.source.listing() if isinstance(value, Page)]

    assert sum(len(page.items) for page in pages) == 1_200
    assert max(len(page.items) for page in pages) <= 500
