"""Has notes written for documents that have none, a few at a time, beside everything else.

A sync never waits for it. Each note is kept at once, so that work cut short goes on where it was;
what a model wrote of a text is remembered by the text, so that a document that moved or was read
again unchanged costs nothing.
"""

import asyncio
import hashlib
import logging
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from agent.caching import ContentCache
from agent.domain import ParseOutcome
from agent.errors import ServiceUnreachable
from agent.library.tables import documents, sections, sources
from agent.store import Store

logger = logging.getLogger(__name__)

LOOK_S = 60.0
"""Seconds between two looks for documents without a note."""
_SHOWN_CHARS = 3_000
_SECTIONS = 40
_BATCH = 50


class Notes(Protocol):
    """Who writes notes."""

    @property
    def made_by(self) -> str:
        """In one word, what a note is made by."""
        ...

    async def note_on(self, text: str) -> str:
        """A line on a document; empty where none can be made of it."""
        ...


@dataclass(frozen=True, slots=True)
class Unnoted:
    """A document without a note, and what is shown of it."""

    doc_id: str
    text: str

    def key(self, made_by: str) -> str:
        """Under which its note is remembered."""
        return hashlib.sha256(f"note\0{made_by}\0{self.text}".encode()).hexdigest()


@dataclass(slots=True)
class NoteKeeper:
    """Brings the notes in step with the library.

    Attributes:
        per_hour: documents described in an hour at most.
    """

    store: Store
    notes: Notes
    cache: ContentCache
    per_hour: int
    _passed: set[str] = field(default_factory=set)

    async def complete(self, most: int) -> int:
        """Ask for the notes of at most so many documents; how many were asked for.

        Raises:
            ServiceUnreachable: the model does not answer; what was done is kept.
        """
        asked, after = 0, ""
        while asked < most and (batch := await self._next(after)):
            after = batch[-1].doc_id
            for each in batch:
                if asked >= most:
                    break
                asked += await self._write(each)
        return asked

    async def run(self) -> None:
        """Stay in step until cancelled; a model that fails is asked again a minute later.

        The first look waits as well: whoever has just started asks first.
        """
        failing = False
        while True:
            await asyncio.sleep(LOOK_S)
            try:
                await self.complete(math.ceil(self.per_hour * LOOK_S / 3_600))
                failing = False
            except ServiceUnreachable as error:
                if not failing:
                    logger.warning("notes wait for the model", extra={"problem": error.problem})
                failing = True

    async def _next(self, after: str) -> list[Unnoted]:
        return await self.store.read(lambda connection: read_unnoted(connection, after, _BATCH))

    async def _write(self, document: Unnoted) -> bool:
        """Whether the model was asked."""
        key = document.key(self.notes.made_by)
        if key in self._passed:
            return False
        known = await asyncio.to_thread(self.cache.get, key)
        note = known if isinstance(known, str) else await self.notes.note_on(document.text)
        if not isinstance(known, str):
            await asyncio.to_thread(self.cache.put, key, note)
        if note:
            await self.store.write(lambda connection: put_note(connection, document, note))
        else:
            self._passed.add(key)
        return not isinstance(known, str)


def read_unnoted(connection: Connection, after: str, most: int) -> list[Unnoted]:
    """The next documents without a note, by id; none of a source whose text may not leave."""
    rows = connection.execute(
        sa.select(documents.c.doc_id, documents.c.title)
        .join(sources, sources.c.name == documents.c.source)
        .where(documents.c.doc_id > after, documents.c.notes == "")
        .where(documents.c.outcome != ParseOutcome.NOT_READABLE.value)
        .where(documents.c.hidden.is_(False), sources.c.egress == "any")
        .order_by(documents.c.doc_id)
        .limit(most)
    ).all()
    outlines = _outlines(connection, [row.doc_id for row in rows])
    return [Unnoted(row.doc_id, _shown(row.title, outlines.get(row.doc_id, []))) for row in rows]


def put_note(connection: Connection, document: Unnoted, note: str) -> None:
    """Put a note in, unless the document has changed meanwhile."""
    title = connection.scalar(
        sa.select(documents.c.title).where(documents.c.doc_id == document.doc_id)
    )
    outlines = _outlines(connection, [document.doc_id])
    if title is None or _shown(title, outlines.get(document.doc_id, [])) != document.text:
        return
    row = documents.c.doc_id == document.doc_id
    connection.execute(sa.update(documents).where(row).values(notes=note))


def _outlines(connection: Connection, doc_ids: Sequence[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    rows = connection.execute(
        sa.select(sections.c.doc_id, sections.c.headings, sections.c.first_sentence)
        .where(sections.c.doc_id.in_(doc_ids), sections.c.position < _SECTIONS)
        .order_by(sections.c.doc_id, sections.c.position)
    )
    for row in rows:
        line = ": ".join(filter(None, (*row.headings[-1:], row.first_sentence)))
        found.setdefault(row.doc_id, []).append(line)
    return found


def _shown(title: str, lines: Sequence[str]) -> str:
    return "\n".join(filter(None, (title, *lines)))[:_SHOWN_CHARS]
