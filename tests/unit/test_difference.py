"""Which item of a listing is which document of the ledger; the corner cases of names and ids."""

from dataclasses import replace
from datetime import UTC, datetime

from agent.domain import DocId
from connectors.ledger import Entry, EntryState
from connectors.ports import Item
from connectors.syncing.difference import compare, settle

DAY = datetime(2025, 3, 1, tzinfo=UTC)
CURRENT = frozenset({"1"})


def entry(path: str, file_id: str = "", content_hash: str = "", **values: object) -> Entry:
    made = Entry(
        DocId(path), "s", path, path, path, DAY, file_id=file_id, version=f"v-{path}",
        size_bytes=10, content_hash=content_hash or f"hash of {path}", parser_version="1",
        has_copy=True,
    )  # fmt: skip
    return replace(made, **values)  # type: ignore[arg-type] # names of its own fields


def item(path: str, file_id: str = "", version: str = "") -> Item:
    return Item(path, path, 10, version or f"v-{path}", file_id=file_id)


def test_the_same_version_at_the_same_place_is_unchanged() -> None:
    difference = compare([item("a", "1")], [entry("a", "1")], CURRENT)

    assert [work.item.doc for work in difference.unchanged] == ["a"]
    assert difference.missing == ()


def test_a_copy_made_by_another_parser_is_read_again() -> None:
    difference = compare([item("a", "1")], [entry("a", "1")], frozenset({"2"}))

    assert [work.item.doc for work in difference.work] == ["a"]


def test_a_file_written_as_it_was_read_is_read_again() -> None:
    difference = compare([item("a", "1")], [entry("a", "1", settled=False)], CURRENT)

    assert [work.item.doc for work in difference.work] == ["a"]


def test_two_files_of_one_id_are_never_one_document() -> None:
    known = entry("old", "7", "same")
    difference = compare([item("a", "7"), item("b", "7")], [known], CURRENT)

    settled = settle(difference, {"a": "same", "b": "same"})

    assert len(settled.moves) == 1
    assert [work.entry for work in settled.work] == [None]


def test_a_file_that_could_not_be_read_is_no_known_document() -> None:
    difference = compare([item("b", "7")], [entry("a", "7")], CURRENT)

    settled = settle(difference, {})

    assert (settled.moves, [work.entry for work in settled.work]) == ((), [None])
    assert [one.doc for one in settled.missing] == ["a"]


def test_a_tombstone_gives_its_identity_to_what_comes_back_to_its_place() -> None:
    gone = entry("a", "1", state=EntryState.PURGED, content_hash="", version="")
    difference = compare([item("a", "9")], [gone], CURRENT)

    assert difference.work[0].entry == gone
    assert difference.missing == ()


def test_a_living_document_at_a_place_goes_before_a_remembered_one() -> None:
    remembered = entry("a", "1", state=EntryState.HIDDEN)
    living = replace(entry("b", "2"), address="a", doc="a", version="v-a")
    difference = compare([item("a", "2")], [remembered, living], CURRENT)

    assert difference.unchanged[0].entry == living
    assert difference.missing == (remembered,)


def test_empty_files_are_not_taken_for_one_another() -> None:
    empty = entry("a", content_hash="hash of nothing", size_bytes=0)
    new = replace(item("b"), size_bytes=0)

    difference = compare([new], [empty], CURRENT)

    assert difference.suspects == ()
    assert [work.item.doc for work in difference.work] == ["b"]
