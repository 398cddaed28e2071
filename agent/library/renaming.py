"""Sections whose heading changed: what led to the old path leads to where the text stands now.

The identity of a section is its path, which is made of its heading; its text is told by a hash.
When a document is replaced, an old path that is gone leads on to the section that holds the very
same text, so that links, footnotes and what a thread remembers outlive a better heading.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from agent.domain import Section, SectionPath
from agent.library.tables import documents, renamed_sections, sections

Before = Mapping[str, Sequence[tuple[str, str, int]]]
"""By document: path, content hash and length of each section, in reading order."""


def paths_before(connection: Connection, doc_ids: Sequence[str]) -> Before:
    """The sections as they stand, before their documents are replaced."""
    found: dict[str, list[tuple[str, str, int]]] = defaultdict(list)
    columns = (sections.c.doc_id, sections.c.path, sections.c.content_hash, sections.c.chars)
    for row in connection.execute(
        sa.select(*columns)
        .where(sections.c.doc_id.in_(doc_ids))
        .order_by(sections.c.doc_id, sections.c.position)
    ):
        found[row.doc_id].append((row.path, row.content_hash, row.chars))
    return found


def lead_on(connection: Connection, before: Before, now: Mapping[str, Sequence[Section]]) -> None:
    """Remember for every path that is gone where its text stands now.

    Args:
        connection: holds the transaction in which the documents are replaced.
        before: what `paths_before` gave.
        now: the new sections by document.
    """
    for doc_id, after in now.items():
        old = before.get(doc_id, ())
        went = renamed(old, after)
        kept = _kept(connection, doc_id)
        there = {str(section.path) for section in after}
        whole = {path: went.get(to, to) for path, to in kept.items()} | went
        rows = [
            {"doc_id": doc_id, "before": path, "path": to}
            for path, to in sorted(whole.items())
            if path not in there and to in there
        ]
        if kept:
            gone = renamed_sections.c.doc_id == doc_id
            connection.execute(sa.delete(renamed_sections).where(gone))
        if rows:
            connection.execute(sa.insert(renamed_sections), rows)


def _kept(connection: Connection, doc_id: str) -> dict[str, str]:
    rows = connection.execute(
        sa.select(renamed_sections.c.before, renamed_sections.c.path).where(
            renamed_sections.c.doc_id == doc_id
        )
    )
    return {row.before: row.path for row in rows}


def path_now(connection: Connection, doc_id: str, path: str) -> str | None:
    """Where the section of that name stands now; None where that is not known."""
    found: str | None = connection.scalar(
        sa.select(renamed_sections.c.path).where(
            renamed_sections.c.doc_id == doc_id, renamed_sections.c.before == path
        )
    )
    return found


def former_paths(
    connection: Connection, wanted: sa.ColumnElement[bool]
) -> Mapping[tuple[str, str], list[SectionPath]]:
    """By document and path of today, the paths from before; `wanted` chooses documents."""
    rows = connection.execute(
        sa.select(renamed_sections)
        .join(documents, documents.c.doc_id == renamed_sections.c.doc_id)
        .where(wanted)
        .order_by(renamed_sections.c.before)
    )
    found: dict[tuple[str, str], list[SectionPath]] = defaultdict(list)
    for row in rows:
        found[row.doc_id, row.path].append(row.before)
    return found


def renamed(old: Iterable[tuple[str, str, int]], after: Sequence[Section]) -> dict[str, str]:
    """Old path to new path of the sections whose name is gone and whose text is not.

    Text that stood at several places, or does now, is matched in reading order if it stands as
    often as before. A heading without text follows what stands below it, and what stands below a
    renamed heading follows it under its own name.
    """
    before = list(old)
    there = {str(section.path) for section in after}
    known = {path for path, _, _ in before}
    gone = [(path, digest) for path, digest, chars in before if path not in there and chars]
    new = [(str(s.path), s.content_hash) for s in after if str(s.path) not in known and s.text]
    went = dict(_matched(gone, new))
    for path, _, chars in reversed(before):
        if path not in there and not chars and (to := _above(path, went)) in there:
            went[path] = to
    for path, _, _ in before:
        over, _, name = path.rpartition("/")
        if path not in there and path not in went and f"{went.get(over)}/{name}" in there:
            went[path] = f"{went[over]}/{name}"
    return went


def _matched(
    gone: Sequence[tuple[str, str]], new: Sequence[tuple[str, str]]
) -> Iterable[tuple[str, str]]:
    by_text: dict[str, list[str]] = defaultdict(list)
    for path, digest in new:
        by_text[digest].append(path)
    times = Counter(digest for _, digest in gone)
    seen: Counter[str] = Counter()
    for path, digest in gone:
        places = by_text[digest]
        if len(places) == times[digest]:
            yield path, places[seen[digest]]
        seen[digest] += 1


def _above(path: str, went: Mapping[str, str]) -> str:
    """Where most of what stood below a heading went, one level up; empty where it went nowhere."""
    parents = Counter(
        to.rpartition("/")[0]
        for before, to in went.items()
        if before.rpartition("/")[0] == path and "/" in to
    )
    return parents.most_common(1)[0][0] if parents else ""
