"""Keeps a bounded number of files in flight and commits what is ready in batches.

A handful of readers take work from one iterator; a single writer gathers their results. The queue
between them is short, so a slow database slows the reading down instead of filling the memory.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence

from connectors.syncing.changes import Change
from connectors.syncing.difference import Work

_BATCH_CHARS = 4_000_000
"""Text committed together at most, in characters, however few documents that is."""
_BATCH_S = 5.0
"""Seconds after which what is ready is committed, however little."""

Read = Callable[[Work], Awaitable[Change | None]]
Commit = Callable[[Sequence[Change]], Awaitable[None]]
_Ready = asyncio.Queue[Change | None]


async def flow(
    work: Iterable[Work], read: Read, commit: Commit, *, at_once: int, batch_documents: int
) -> None:
    """Read everything and commit it, in whatever order it gets ready.

    Whatever `read` or `commit` raises first is raised here; what was committed stays.

    Args:
        work: what to read; taken from as readers get free.
        read: reads one; its result, if there is one, is committed.
        commit: writes a batch.
        at_once: files being read at the same time.
        batch_documents: documents in a batch at most.
    """
    pending = iter(work)
    ready = _Ready(maxsize=at_once)
    try:
        async with asyncio.TaskGroup() as group:
            readers = [group.create_task(_read(pending, read, ready)) for _ in range(at_once)]
            group.create_task(_end(readers, ready))
            group.create_task(_write(ready, commit, batch_documents))
    except BaseExceptionGroup as several:
        raise several.exceptions[0] from several


async def _read(pending: Iterator[Work], read: Read, ready: _Ready) -> None:
    for one in pending:
        if change := await read(one):
            await ready.put(change)


async def _end(readers: Sequence[asyncio.Task[None]], ready: _Ready) -> None:
    await asyncio.wait(readers)
    await ready.put(None)


async def _write(ready: _Ready, commit: Commit, batch_documents: int) -> None:
    ended = False
    while not ended:
        batch, ended = await _next_batch(ready, batch_documents)
        if batch:
            await commit(batch)


async def _next_batch(ready: _Ready, batch_documents: int) -> tuple[list[Change], bool]:
    """What is ready, and whether that was all."""
    batch: list[Change] = []
    chars = 0
    try:
        async with asyncio.timeout(_BATCH_S):
            while len(batch) < batch_documents and chars < _BATCH_CHARS:
                change = await ready.get()
                if change is None:
                    return batch, True
                batch.append(change)
                chars += change.chars
    except TimeoutError:
        return batch, False
    return batch, False
