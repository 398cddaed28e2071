"""A source listed whole, and whether what it lacks means anything."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace

from connectors.guard import SECOND_RUN_SHARE
from connectors.ledger import Entry, EntryState
from connectors.ports import Complete, Incomplete, Item, Page, Source
from connectors.syncing.difference import without_twins

_PAGE_S = 120.0
"""Seconds a source may take for one page."""


@dataclass(frozen=True, slots=True)
class Listed:
    """What a source listed.

    Attributes:
        items: what may be taken in.
        seen: files in the listing.
        moved_house: the root stands on something else than before, but holds the same.
        foreign: it does not hold the same; nothing of it is taken.
    """

    items: tuple[Item, ...]
    end: Complete | Incomplete
    seen: int
    skipped: int = 0
    moved_house: bool = False
    foreign: bool = False


async def list_all(source: Source, name: str, on_seen: Callable[[int], None]) -> Listed:
    """Every page of a listing.

    Args:
        source: is listed.
        name: of the source, for sentences.
        on_seen: is told the number of files so far after each page.
    """
    items: list[Item] = []
    skipped = 0
    async with aclosing(source.listing()) as values:
        while True:
            value = await _next(values, name)
            if not isinstance(value, Page):
                return Listed(tuple(items), value, len(items), skipped)
            items += value.items
            skipped += len(value.skipped)
            on_seen(len(items))


def trusted(listed: Listed, entries: Sequence[Entry], place: str, *, confirmed: bool) -> Listed:
    """The listing, unless it is that of another place under the same name.

    A mount that comes back on another device holds the same documents; an unmounted path, or
    another disk in its place, does not: then nothing of it is taken.

    Args:
        listed: what the source listed.
        entries: what is known of the source.
        place: what its root stood on when it was last seen whole; empty: never.
        confirmed: an admin has confirmed that the documents are gone.
    """
    if isinstance(listed.end, Incomplete) or confirmed or place in ("", listed.end.place):
        return listed
    known = {entry.address for entry in entries if entry.state is not EntryState.PURGED}
    lost = known - {item.address for item in listed.items}
    if len(lost) <= SECOND_RUN_SHARE * len(known):
        return Listed(listed.items, listed.end, listed.seen, listed.skipped, moved_house=True)
    problem = Incomplete(
        f"Suspicious: another device stands at its path, and {len(lost)} of {len(known)} documents "
        "are not on it; nothing was touched.",
        "Mount the right one. If it was replaced on purpose, confirm the deletions.",
    )
    return Listed((), problem, listed.seen, listed.skipped, foreign=True)


def each_once(listed: Listed, entries: Sequence[Entry]) -> Listed:
    """The listing without further names of files that it holds already."""
    items = without_twins(listed.items, entries)
    twins = len(listed.items) - len(items)
    return replace(listed, items=items, seen=listed.seen - twins, skipped=listed.skipped + twins)


async def _next(
    values: AsyncGenerator[Page | Complete | Incomplete, None], name: str
) -> Page | Complete | Incomplete:
    try:
        async with asyncio.timeout(_PAGE_S):
            return await anext(values)
    except TimeoutError:
        return Incomplete(
            f"{name} did not answer within {_PAGE_S:.0f} s.",
            "Check that it is mounted and that its server runs.",
        )
