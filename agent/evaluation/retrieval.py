"""What an engine's search found, against the gold; and whether quotes stand where they are said to.

The section of a gold quote is known by its words, so a copy of a section elsewhere counts too.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from agent.domain import DocId, MapEntry, Scope, Section
from agent.errors import LibraryError
from agent.evaluation.matching import folded
from agent.evaluation.questions import Evidence
from agent.ports import Library

_QUOTE_CHARS = 60
"""So much of a gold quote, folded, names its section; a longer one may go over its end."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """What was found for a question, best first.

    Attributes:
        documents: paths inside the source.
        sections: headings and text of each section, folded.
    """

    documents: tuple[str, ...] = ()
    sections: tuple[str, ...] = ()

    def ranks_of(self, evidence: Sequence[Evidence]) -> tuple[int, ...]:
        """The rank of each evidence's section, from 1; 0: not among those found."""
        return tuple(self._rank(folded(one.quote)[:_QUOTE_CHARS]) for one in evidence)

    def _rank(self, quote: str) -> int:
        places = (at for at, text in enumerate(self.sections, 1) if quote and quote in text)
        return next(places, 0)


class Ranking(Protocol):
    """Finds for a question as an engine does."""

    async def rank(self, question: str) -> Ranked:
        """Documents and sections for it, best first."""
        ...


class SearchRanking:
    """Finds by the library's search, as the loop and the extractive core do."""

    def __init__(self, library: Library, scope: Scope) -> None:
        self._library = library
        self._scope = scope

    async def rank(self, question: str) -> Ranked:
        """The search's shortlist, and the sections of its passages."""
        found = await self._library.search(question, self._scope)
        entries = await self._library.read_map(self._scope, found.documents)
        paths = {entry.document.doc_id: entry.document.doc for entry in entries}
        sections = {(p.section.doc_id, p.section.path): p.section for p in found.passages}
        return Ranked(
            tuple(paths[doc_id] for doc_id in found.documents if doc_id in paths),
            tuple(folded_section(section) for section in sections.values()),
        )


def folded_section(section: Section) -> str:
    """Headings and text of a section, folded."""
    return folded(" ".join((*section.headings, section.text)))


class QuoteCheck:
    """Tells whether quotes stand in the documents they are said to be from; remembers texts."""

    def __init__(self, library: Library, scope: Scope) -> None:
        self._library = library
        self._scope = scope
        self._texts: dict[str, str] = {}

    async def stands(self, doc: str, quote: str) -> bool:
        """Whether a quote stands in the document of this path, by its letters and digits."""
        wanted = folded(quote)
        return bool(wanted) and wanted in await self._text(doc)

    async def _text(self, doc: str) -> str:
        if doc not in self._texts:
            try:
                document = await self._library.find_document(self._scope, doc)
            except LibraryError:
                return ""
            entries = await self._library.read_map(self._scope, [document.doc_id])
            self._texts[doc] = "".join([await self._whole(entry) for entry in entries])
        return self._texts[doc]

    async def _whole(self, entry: MapEntry) -> str:
        doc_id: DocId = entry.document.doc_id
        tops = [one.path for one in entry.outline if "/" not in one.path]
        trees = [await self._library.read_subtree(self._scope, doc_id, path) for path in tops]
        return folded(" ".join(f"{one.heading} {one.text}" for tree in trees for one in tree))
