"""Documents beside each other: copies, versions and equal titles in the map check."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from agent.domain import WORKSPACE, ParsedDocument
from agent.library.checking import check_library, check_sources
from agent.library.writing import NewDocument
from agent.store import Store, open_store
from tests.library_files import fill, new, parsed, section


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(f"sqlite:///{tmp_path / 'footnote.db'}")
    yield opened
    opened.close()


async def check(store: Store, *documents: NewDocument) -> list[tuple[str, str]]:
    """(document, kind) of every remark."""
    fill(store, *documents)
    return [(one.doc, one.kind) for one in await check_library(store, WORKSPACE)]


def leave(days: int, *more: str, title: str = "Leave") -> ParsedDocument:
    first = section("Annual leave", f"Everybody has {days} days of annual leave.")
    return parsed(title, first, *(section(text[:20], text) for text in more))


HANDBOOK = parsed("Handbook", section("Leave", "It is paid."))
LONG = tuple(f"Number {n} is a paragraph about something that is nowhere else." for n in range(20))


async def test_the_same_text_twice_is_told_at_one_of_them(store: Store) -> None:
    fill(store, new("a.md", leave(28, *LONG)), new("b.md", leave(28, *LONG)))
    [remark] = await check_library(store, WORKSPACE)

    assert (remark.doc, remark.kind) == ("b.md", "stale_copy")
    assert "a.md" in remark.says
    assert "Keep one" in remark.fix


async def test_a_short_document_is_a_copy_where_all_of_it_is_the_same(store: Store) -> None:
    text = "Everybody asks two weeks ahead, in writing, and waits for an answer."
    one, other = (new(name, parsed("Leave", section("Asking", text))) for name in ("a.md", "b.md"))

    assert await check(store, one, other) == [("b.md", "stale_copy")]


async def test_a_file_that_is_called_a_copy_is_the_copy(store: Store) -> None:
    named, plain = new("a copy.md", leave(28, *LONG)), new("a.md", leave(28, *LONG))

    assert await check(store, named, plain) == [("a copy.md", "stale_copy")]


async def test_nine_tenths_are_a_copy_too(store: Store) -> None:
    one, other = leave(28, *LONG), leave(28, *LONG[:-1], "A last paragraph of its own, and new.")

    assert await check(store, new("a.md", one), new("b.md", other)) == [("b.md", "stale_copy")]


async def test_half_is_none(store: Store) -> None:
    one, other = leave(28, *LONG), leave(28, *LONG[:8], title="Sick leave")

    assert await check(store, new("a.md", one), new("b.md", other)) == []


async def test_a_newer_version_is_named(store: Store) -> None:
    one, other = leave(25, title="Leave policy 2024"), leave(28, title="Leave policy 2026")

    found = await check(store, new("leave-2024.md", one), new("leave-2026.md", other))

    assert found == [("leave-2024.md", "older_version")]


async def test_a_contradiction_is_told_with_both_sentences(store: Store) -> None:
    fill(store, new("a.md", leave(25)), new("b.md", leave(28, title="Handbook")))
    [remark] = await check_library(store, WORKSPACE)

    assert remark.kind == "contradiction"
    assert {remark.doc} < {"a.md", "b.md"}
    assert "25 days" in remark.says
    assert "28 days" in remark.says


async def test_an_archived_document_contradicts_nobody(store: Store) -> None:
    documents = new("archive/a.md", leave(25)), new("b.md", leave(28, title="Handbook"))

    assert await check(store, *documents) == []


async def test_a_scope_is_told_nothing_of_what_it_may_not_read(store: Store) -> None:
    secret = new("a.md", leave(25), frozenset({"slack:C1"}), source="legal")

    assert await check(store, secret, new("b.md", leave(28, title="Handbook"))) == []


async def test_an_operator_is_told_by_source(store: Store) -> None:
    secret = new(
        "a.md", parsed("Untitled", section("Introduction", "y")), frozenset({"slack:C1"}), "legal"
    )
    fill(store, secret, new("handbook.md", HANDBOOK))

    assert [one.doc for one in await check_sources(store, ["legal"])] == ["a.md"]
    assert await check_sources(store, ["handbook"]) == []
