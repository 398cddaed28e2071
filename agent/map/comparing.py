"""Documents beside each other: the same text twice, versions of one document, equal titles."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from agent.citations.versions import DecidedBy, Edition, edition_of, newer, superseded
from agent.domain import DocId, Document, MapEntry, ParseOutcome

SAME = 0.9
"""Share of its text that a document has in common with another of which it is a copy."""
_LEAST_CHARS = 200
"""A shorter text says too little to be called a copy, unless all of it is the same."""
_LEAST_SAME_CHARS = 60
_NAMED_COPY = re.compile(r"\b(?:copy|kopie|copie|copia)\b|副本|拷贝|\(\d\)\.\w+$", re.IGNORECASE)
_MOST_PLACES = 20
"""A section that stands in more documents is a form's, not a copy's."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two documents that stand for one.

    Attributes:
        other: the one that counts today; where nothing decides, the first by path, one called
            a copy last.
        shared: share of the text of `entry` that stands in `other` too; 0 for versions by name.
        decided: what shows which of the two is newer.
    """

    entry: MapEntry
    other: MapEntry
    shared: float
    decided: DecidedBy


def edition(entry: MapEntry) -> Edition:
    """A document's place among its versions, by name, by its stated dates, by the drive."""
    return edition_of(entry.document, _said(entry))


def copies(entries: Sequence[MapEntry]) -> list[Pair]:
    """Documents of which nine tenths of the text stand in another one as well."""
    by_id = {entry.document.doc_id: entry for entry in entries}
    sizes = {doc_id: sum(s.chars for s in entry.outline) for doc_id, entry in by_id.items()}
    found: dict[DocId, Pair] = {}
    for (one, other), shared in sorted(_shared(entries).items()):
        if not _is_copy(shared, max(sizes[one], sizes[other])):
            continue
        pair = _pair(by_id[one], by_id[other], shared / max(sizes[one], 1))
        found.setdefault(pair.entry.document.doc_id, pair)
    return list(found.values())


def _is_copy(shared: int, chars: int) -> bool:
    if chars < _LEAST_CHARS:
        return shared == chars >= _LEAST_SAME_CHARS
    return shared >= SAME * chars


def versions(entries: Sequence[MapEntry]) -> list[Pair]:
    """Documents that a newer version in the same place replaces."""
    readable = [e for e in entries if e.document.outcome is not ParseOutcome.NOT_READABLE]
    by_id = {entry.document.doc_id: entry for entry in readable}
    said = {entry.document.doc_id: _said(entry) for entry in readable}
    replaced = superseded([entry.document for entry in readable], said)
    return [
        Pair(by_id[old], by_id[new], 0.0, newer(edition(by_id[new]), edition(by_id[old]))[2])
        for old, new in replaced.items()
    ]


def same_titles(
    entries: Iterable[MapEntry], apart: Mapping[DocId, DocId]
) -> list[tuple[MapEntry, list[Document]]]:
    """Documents whose title others carry too.

    Args:
        entries: of the map; what is not readable has no title of its own.
        apart: copies and older versions, each with what it stands beside: their titles are equal
            for a reason.
    """
    by_title: dict[str, list[MapEntry]] = defaultdict(list)
    for entry in entries:
        document = entry.document
        if document.outcome is not ParseOutcome.NOT_READABLE and document.doc_id not in apart:
            by_title[document.title.casefold()].append(entry)
    return [
        (entry, [each.document for each in same if each is not entry])
        for same in by_title.values()
        if len(same) > 1
        for entry in same
    ]


def _said(entry: MapEntry) -> str:
    document = entry.document
    effective = f"effective {document.effective}. " if document.effective else ""
    updated = f"updated {document.updated}. " if document.updated and not effective else ""
    version = f"version {document.version}" if document.version else ""
    return effective + updated + version


def _shared(entries: Sequence[MapEntry]) -> Counter[tuple[DocId, DocId]]:
    """Characters that stand word for word in both of two documents, each place counted once."""
    places: dict[tuple[str, int], dict[DocId, int]] = defaultdict(lambda: defaultdict(int))
    for entry in entries:
        for section in entry.outline:
            if section.chars and section.content_hash:
                places[section.content_hash, section.chars][entry.document.doc_id] += 1
    shared: Counter[tuple[DocId, DocId]] = Counter()
    for (_, chars), times in places.items():
        docs = sorted(times)
        if not 1 < len(docs) <= _MOST_PLACES:
            continue
        for at, one in enumerate(docs):
            for other in docs[at + 1 :]:
                shared[one, other] += chars * min(times[one], times[other])
    return shared


def _pair(one: MapEntry, other: MapEntry, shared: float) -> Pair:
    first, second = sorted((one, other), key=_place)
    current, _, decided = newer(edition(first), edition(second))
    stale = second if current.doc_id == first.document.doc_id else first
    return Pair(stale, first if stale is second else second, min(shared, 1.0), decided)


def _place(entry: MapEntry) -> tuple[bool, str, str]:
    document = entry.document
    return _NAMED_COPY.search(document.doc) is not None, document.source, document.doc
