"""What becomes of the documents that a listing lacked."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from connectors.guard import Fate, Guard, Purging
from connectors.ledger import Entry, EntryState
from connectors.ports import Presence, Source
from connectors.syncing.changes import Change, Sight

_ASKED_AT_ONCE = 8
_ANSWER_S = 20.0
"""Seconds a source may take to say whether one document is there; then it did not say."""


@dataclass(frozen=True, slots=True)
class Absence:
    """The documents a run lacked, and what was decided.

    Attributes:
        removed: how many can no longer be answered from, but could before.
        held_back: how many answer on.
        waiting: how many are out of sight but not purged.
        purged: how many are gone for good.
    """

    changes: tuple[Change, ...] = ()
    removed: int = 0
    held_back: int = 0
    waiting: int = 0
    purged: int = 0


async def ask(source: Source, missing: Sequence[Entry], taken: set[str]) -> dict[str, Presence]:
    """What the source says of each missing document, by id.

    Args:
        source: is asked for one document at a time, a few side by side.
        missing: what a complete listing lacked.
        taken: addresses in that listing: another document stands there now.
    """
    free = asyncio.Semaphore(_ASKED_AT_ONCE)
    said: dict[str, Presence] = {}

    async def one(entry: Entry) -> None:
        async with free:
            said[entry.doc_id] = await _asked(source, entry)

    async with asyncio.TaskGroup() as group:
        for entry in missing:
            if entry.address in taken:
                said[entry.doc_id] = Presence.GONE
            else:
                group.create_task(one(entry))
    return said


def judged(
    missing: Iterable[Entry], said: Mapping[str, Presence], guard: Guard, last_seen: datetime
) -> Absence:
    """The fate of what a complete listing lacked.

    Args:
        missing: the documents.
        said: what the source said of each, by id.
        guard: decides.
        last_seen: when the source was last seen whole, before this run.
    """
    changes: list[Change] = []
    removed = held_back = waiting = purged = 0
    for entry in missing:
        fate = guard.fate(said[entry.doc_id], entry.missing_since)
        out_of_sight = fate in (Fate.HIDDEN, Fate.PURGED)
        removed += entry.in_map and out_of_sight
        held_back += entry.in_map and not out_of_sight
        waiting += fate is not Fate.PURGED and (out_of_sight or not entry.in_map)
        purged += fate is Fate.PURGED
        changes += _change(entry, fate, guard.now, last_seen)
    return Absence(tuple(changes), removed, held_back, waiting, purged)


def kept(
    missing: Iterable[Entry],
    arrived: frozenset[str],
    last_seen: datetime,
    missing_since: datetime | None = None,
) -> Absence:
    """What nothing can be concluded of: it answers on, but for what has moved elsewhere.

    Args:
        missing: what an incomplete listing lacked.
        arrived: contents that have come to another place since.
        last_seen: when the source was last seen whole.
        missing_since: when an admin may take it from that they are gone; None: not yet.
    """
    changes: list[Change] = []
    removed = held_back = 0
    for entry in missing:
        if not entry.in_map:
            continue
        if entry.content_hash in arrived:
            removed += 1
            changes.append(_hidden(entry, entry.missing_since))
        else:
            held_back += 1
            marked = replace(entry, missing_since=entry.missing_since or missing_since)
            if marked != entry or entry.state is EntryState.LIVE:
                changes.append(_held(marked, last_seen))
    return Absence(tuple(changes), removed, held_back)


async def _asked(source: Source, entry: Entry) -> Presence:
    try:
        async with asyncio.timeout(_ANSWER_S):
            return await source.still_there(entry.address, entry.file_id)
    except TimeoutError:
        return Presence.UNKNOWN


def _change(entry: Entry, fate: Fate, now: datetime, last_seen: datetime) -> list[Change]:
    """One change, or none where everything stays as it is."""
    since = entry.missing_since or now
    if fate is Fate.PURGED:
        return [Change(tombstone(entry, now), sight=Sight.PURGED)]
    if fate is Fate.HIDDEN and (entry.in_map or entry.missing_since is None):
        return [_hidden(entry, since)]
    if fate is Fate.HELD and (entry.state is EntryState.LIVE or entry.missing_since is None):
        marked = replace(entry, missing_since=since)
        return [_held(marked, last_seen) if entry.in_map else Change(marked)]
    return []


def tombstone(entry: Entry, now: datetime) -> Entry:
    """What is kept of a purged document: who it was and when it went."""
    return replace(
        entry,
        version="",
        content_hash="",
        state=EntryState.PURGED,
        has_copy=False,
        reason="",
        attempts=0,
        missing_since=now,
    )


def _hidden(entry: Entry, since: datetime | None) -> Change:
    gone = replace(entry, state=EntryState.HIDDEN, reason="", missing_since=since)
    return Change(gone, sight=Sight.HIDDEN)


def _held(entry: Entry, since: datetime) -> Change:
    return Change(replace(entry, state=EntryState.HELD), sight=Sight.STALE, since=since)


def why_waiting(name: str, purging: Purging, absence: Absence, known: int) -> tuple[str, str]:
    """A sentence on what waits and one on what to do; empty where nothing does."""
    missing = absence.waiting + absence.held_back
    if not missing:
        return "", ""
    confirm = f"If they were deleted on purpose: /reindex confirm-deletes {name}."
    match purging:
        case Purging.NEVER:
            return (
                f"Suspicious: {name} lists none of its {known} documents; none was deleted here.",
                f"Check that it is mounted and the path is right. {confirm}",
            )
        case Purging.AFTER_AN_ADMIN:
            return f"Suspicious: {missing} of {known} documents of {name} are missing.", confirm
        case Purging.AFTER_A_SECOND_RUN:
            return (
                f"{missing} of {known} documents of {name} are missing; "
                "they are deleted here if the next run misses them too.",
                confirm,
            )
        case Purging.NOW:
            return "", ""
