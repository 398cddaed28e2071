"""Documents that hang on another one, as attachments do on a mail: they share its fate.

Drives know nothing of them, so the sync speaks of the mail alone; whatever the library does to
a mail it does to what hangs on it, at any depth: show, hide, mark, move, purge, readers.
"""

from collections.abc import Iterable, Iterator, Sequence

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from agent.domain import DocId, DocumentFacts, ParsedDocument
from agent.library.tables import documents

_IDS_AT_ONCE = 500


def hanging_on(
    facts: DocumentFacts, parsed: ParsedDocument
) -> Iterator[tuple[DocumentFacts, ParsedDocument]]:
    """Everything attached to a document, and to what is attached to it, with what it says."""
    for attachment in parsed.attachments:
        inner = facts.of_attachment(attachment)
        yield inner, attachment.document
        yield from hanging_on(inner, attachment.document)


def with_hanging(connection: Connection, doc_ids: Iterable[DocId]) -> list[DocId]:
    """These documents and all that hangs on them, as the library has it now."""
    ids = list(doc_ids)
    found = [
        DocId(doc_id)
        for start in range(0, len(ids), _IDS_AT_ONCE)
        for doc_id in connection.scalars(
            sa.select(documents.c.doc_id)
            .where(documents.c.attached_to.in_(ids[start : start + _IDS_AT_ONCE]))
            .order_by(documents.c.doc_id)
        )
    ]
    return list(dict.fromkeys([*ids, *found]))


def no_longer_hanging(
    connection: Connection, mails: Sequence[DocId], kept: Iterable[DocId]
) -> list[DocId]:
    """What hung on these documents and is not among those that do now."""
    return sorted(set(with_hanging(connection, mails)) - set(mails) - set(kept))


def places_of_hanging(
    connection: Connection, doc_id: DocId, before: str, after: str
) -> list[tuple[DocId, str, str]]:
    """(id, path until now, path from now on) of what hangs on a document that moves."""
    rows = connection.execute(
        sa.select(documents.c.doc_id, documents.c.doc).where(documents.c.attached_to == doc_id)
    )
    return [(DocId(row.doc_id), row.doc, after + row.doc.removeprefix(before)) for row in rows]
