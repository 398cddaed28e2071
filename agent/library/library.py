"""The library as the engine sees it: the store behind the port, scope in every query."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import TypeVar

from sqlalchemy.engine import Connection

from agent.domain import (
    DocId,
    Document,
    MapEntry,
    Scope,
    SearchResult,
    Section,
    SectionPath,
    SourceState,
)
from agent.library import reading
from agent.library.reranking.opinion import Opinion
from agent.library.searching.choosing import SearchBounds
from agent.library.searching.search import Search
from agent.library.searching.statistics import Statistics
from agent.library.searching.uniting import clauses_of
from agent.library.vectors.meaning import Meaning
from agent.store.engine import Store
from config.settings import LoopSettings

T = TypeVar("T")


class StoreLibrary:
    """Documents in the store. Every call is one read transaction in a thread of its own."""

    def __init__(
        self,
        store: Store,
        bounds: LoopSettings,
        glossary: Mapping[str, str] | None = None,
        meaning: Meaning | None = None,
        opinion: Opinion | None = None,
    ) -> None:
        """A library over a store.

        Args:
            store: where the documents are.
            bounds: sizes of windows.
            glossary: abbreviations of the settings.
            meaning: finds by meaning beside words; None: words alone.
            opinion: a second one on the order of passages; None: none.
        """
        self._meaning = meaning
        self._opinion = opinion
        self._store = store
        self._bounds = bounds
        self._glossary = glossary or {}
        self._statistics = Statistics()

    async def search(self, query: str, scope: Scope, *, windows: int = 6) -> SearchResult:
        """Sections, passages and documents for a question, best first."""
        bounds = SearchBounds(windows, self._bounds.window_chars)
        asked = (query, *clauses_of(query))
        meant = await self._meaning.of(asked) if self._meaning else []

        if self._opinion is None:
            return await self._read(lambda c: self._search(c, scope).run(asked, bounds, meant))
        found = await self._read(lambda c: self._search(c, scope).find(asked, meant))
        better = await self._opinion.on(found)
        return await self._read(lambda c: self._search(c, scope).finish(better, bounds))

    def _search(self, connection: Connection, scope: Scope) -> Search:
        return Search(connection, scope, self._statistics, self._glossary)

    async def read_map(self, scope: Scope, doc_ids: Sequence[DocId]) -> Sequence[MapEntry]:
        """Map entries of these documents in the order given; those out of scope are left out."""
        return await self._read(lambda connection: reading.read_entries(connection, scope, doc_ids))

    async def read_document_map(self, scope: Scope) -> Sequence[MapEntry]:
        """The whole map, by source and path."""
        return await self._read(lambda connection: reading.read_entries(connection, scope))

    async def read_section(self, scope: Scope, doc_id: DocId, path: SectionPath) -> Section:
        """One section with its own text.

        Raises:
            DocumentNotFound: no such document in this scope.
            SectionNotFound: the path is not in the document's outline.
        """
        return await self._read(
            lambda connection: reading.read_section(connection, scope, doc_id, path)
        )

    async def read_subtree(
        self, scope: Scope, doc_id: DocId, path: SectionPath
    ) -> Sequence[Section]:
        """The section and all below it, in reading order; raises like `read_section`."""
        return await self._read(
            lambda connection: reading.read_subtree(connection, scope, doc_id, path)
        )

    async def find_document(self, scope: Scope, name: str) -> Document:
        """A document by id, by path inside its source, or by title; raises DocumentNotFound."""
        return await self._read(lambda connection: reading.find_document(connection, scope, name))

    async def sources(self, scope: Scope) -> Sequence[SourceState]:
        """The sources that hold something in this scope, with counts."""
        return await self._read(lambda connection: reading.read_sources(connection, scope))

    async def last_changed(self) -> datetime | None:
        """When the library last changed; None before the first sync."""
        return await self._read(reading.last_changed)

    async def _read(self, work: Callable[[Connection], T]) -> T:
        return await self._store.read(work)
