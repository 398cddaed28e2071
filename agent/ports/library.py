"""What the engine asks of the documents, and whom it tells what it reads."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from agent.domain import (
    DocId,
    Document,
    MapEntry,
    ProgressEvent,
    Scope,
    SearchResult,
    Section,
    SectionPath,
    SourceState,
)


class Library(Protocol):
    """The documents, as far as the scope of the reply allows; nothing outside it is ever told."""

    async def search(self, query: str, scope: Scope, *, windows: int = 6) -> SearchResult:
        """Sections, passages and documents for a question, best first."""
        ...

    async def read_map(self, scope: Scope, doc_ids: Sequence[DocId]) -> Sequence[MapEntry]:
        """Map entries of these documents in the order given; those out of scope are left out."""
        ...

    async def read_document_map(self, scope: Scope) -> Sequence[MapEntry]:
        """The whole map, by source and path."""
        ...

    async def read_section(self, scope: Scope, doc_id: DocId, path: SectionPath) -> Section:
        """One section with its own text.

        Raises:
            DocumentNotFound: no such document in this scope.
            SectionNotFound: the path is not in the document's outline.
        """
        ...

    async def read_subtree(
        self, scope: Scope, doc_id: DocId, path: SectionPath
    ) -> Sequence[Section]:
        """The section and all below it, in reading order; raises like `read_section`."""
        ...

    async def find_document(self, scope: Scope, name: str) -> Document:
        """A document by id, by path inside its source, or by title; raises DocumentNotFound."""
        ...

    async def sources(self, scope: Scope) -> Sequence[SourceState]:
        """The sources that hold something in this scope, with counts."""
        ...

    async def last_changed(self) -> datetime | None:
        """When the library last changed; None before the first sync."""
        ...


class Progress(Protocol):
    """Is told what is being read. Its failure never blocks an answer."""

    async def show(self, event: ProgressEvent) -> None:
        """Show the newest state; older ones may be dropped."""
        ...
