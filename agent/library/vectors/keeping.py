"""Vectors in the store: which texts have none yet, and how new ones are put in.

What is embedded is a stretch: the title, the chain of headings and the first 450 characters of its
text. Only its beginning would find less; all of it would take twice the time and finds no more.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from struct import pack, unpack

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from agent.domain import ParseOutcome
from agent.library.tables import documents, library_state, sections, sources, stretches, vectors
from agent.ports import Vector
from agent.store.upserting import insert_into

EMBEDDED_CHARS = 450


@dataclass(frozen=True, slots=True)
class Pending:
    """A stretch that has no vector of the model yet."""

    stretch_id: int
    doc_id: str
    text: str

    def key(self, model: str) -> str:
        """Under which its vector is remembered: it depends on text and model alone."""
        return hashlib.sha256(f"vector 1\0{model}\0{self.text}".encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class VectorState:
    """How far the vectors have come: texts that may have one, and those that do."""

    texts: int
    done: int

    @property
    def share(self) -> float:
        """Of the texts that have one, 0 to 1; 1 where there is no text."""
        return self.done / self.texts if self.texts else 1.0


def read_pending(
    connection: Connection, model: str, *, after: int, most: int, outside: bool
) -> list[Pending]:
    """The next stretches without a vector of this model, by id.

    Args:
        connection: a read transaction.
        model: name of the embedder.
        after: id behind which to look.
        most: at most so many.
        outside: whether texts leave the machine; then sources with egress `none` are left out.
    """
    text = sa.func.substr(sections.c.text, stretches.c.start_char + 1, EMBEDDED_CHARS)
    rows = connection.execute(
        sa.select(
            *(stretches.c.id, stretches.c.doc_id, documents.c.title, sections.c.headings),
            *(stretches.c.start_char, stretches.c.end_char, text.label("text")),
        )
        .select_from(_embeddable(model).join(sections, _same_section()))
        .where(stretches.c.id > after, vectors.c.stretch_id.is_(None), *_allowed(outside))
        .order_by(stretches.c.id)
        .limit(most)
    )
    return [
        Pending(
            row.id,
            row.doc_id,
            embedded_text(row.title, row.headings, row.text[: row.end_char - row.start_char]),
        )
        for row in rows
    ]


def embedded_text(title: str, headings: Sequence[str], text: str) -> str:
    """What is embedded of a stretch."""
    chain = dict.fromkeys((title, *headings))
    return f"{' > '.join(each for each in chain if each)}\n{text}"


def put_vectors(
    connection: Connection, model: str, found: Mapping[int, tuple[str, Vector]]
) -> None:
    """Put vectors in, (document, vector) by stretch; those whose stretch has gone are dropped."""
    there = set(
        connection.scalars(sa.select(stretches.c.id).where(stretches.c.id.in_(list(found))))
    )
    rows = [
        {"stretch_id": number, "doc_id": doc_id, "model": model, "vector": to_bytes(vector)}
        for number, (doc_id, vector) in found.items()
        if number in there
    ]
    if not rows:
        return
    statement = insert_into(connection, vectors)
    changed = {name: statement.excluded[name] for name in ("doc_id", "model", "vector")}
    connection.execute(
        statement.on_conflict_do_update(index_elements=[vectors.c.stretch_id], set_=changed), rows
    )
    now = library_state.c.vectors_version + 1
    connection.execute(sa.update(library_state).values(vectors_version=now))


def read_state(connection: Connection, model: str, *, outside: bool) -> VectorState:
    """How far the vectors of a model have come."""
    counted = connection.execute(
        sa.select(sa.func.count(), sa.func.count(vectors.c.stretch_id))
        .select_from(_embeddable(model))
        .where(*_allowed(outside))
    ).one()
    return VectorState(*counted)


def to_bytes(vector: Vector) -> bytes:
    """Half precision, little-endian: half the room, and the order stays the same."""
    return pack(f"<{len(vector)}e", *vector)


def from_bytes(kept: bytes) -> Vector:
    """What `to_bytes` made."""
    return unpack(f"<{len(kept) // 2}e", kept)


def _embeddable(model: str) -> sa.FromClause:
    """Stretches with their documents, sources and, if there is one, their vector of the model."""
    of_model = sa.and_(vectors.c.stretch_id == stretches.c.id, vectors.c.model == model)
    return (
        stretches.join(documents, documents.c.doc_id == stretches.c.doc_id)
        .join(sources, sources.c.name == documents.c.source)
        .outerjoin(vectors, of_model)
    )


def _same_section() -> sa.ColumnElement[bool]:
    return sa.and_(
        sections.c.doc_id == stretches.c.doc_id, sections.c.position == stretches.c.position
    )


def _allowed(outside: bool) -> list[sa.ColumnElement[bool]]:
    readable = documents.c.outcome != ParseOutcome.NOT_READABLE.value
    return [readable, sources.c.egress == "any"] if outside else [readable]
