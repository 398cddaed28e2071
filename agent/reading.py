"""What the leaves of one question have seen of the library, under short ids that never change.

The document reader stands between loop and library: it searches and reads inside the scope, gives
every document and section an id short enough for a prompt (`D3.2`), remembers all text that was
shown, since only shown text can be quoted, and sets a document aside once enough of it was read.
"""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from agent.citations.settling import current
from agent.domain import (
    DocId,
    Document,
    LookedAt,
    MapEntry,
    Scope,
    SearchResult,
    Section,
    SectionPath,
    Term,
    Window,
)
from agent.errors import DecisionError, LibraryError
from agent.fitting import fitted, within
from agent.library.windows import cut_windows
from agent.ports import Library, ShownDocument, ShownWindow, TextSize
from config.settings import LoopSettings

_BEGINNING_CHARS = 500
_SECTIONS_DATED = 3
"""Sections at the beginning of a document where its own date may stand."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What one search or one read brought.

    Attributes:
        windows: best first for a search, in reading order for a read.
        new: whether it holds a section or a document not seen before in this question.
    """

    windows: tuple[ShownWindow, ...]
    new: bool
    found: SearchResult | None = None


class DocumentReader:
    """Searches and reads for one question; its leaves share one, so ids agree between them."""

    def __init__(self, library: Library, scope: Scope, bounds: LoopSettings) -> None:
        self._library = library
        self._scope = scope
        self._bounds = bounds
        self._entries: dict[DocId, ShownDocument] = {}
        self._shown: dict[str, list[Window]] = {}
        self._aside: dict[Window, None] = {}
        self._beginnings: dict[DocId, str] = {}
        self._sections_read: dict[DocId, set[SectionPath]] = {}
        self._found: dict[tuple[str, int], SearchResult] = {}
        self._searching: dict[tuple[str, int], asyncio.Lock] = {}
        self._terms: tuple[Term, ...] = ()

    @property
    def shown(self) -> Mapping[str, Sequence[Window]]:
        """All text shown so far, by short section id."""
        return self._shown

    @property
    def said(self) -> Mapping[DocId, str]:
        """What is known of the documents' texts; their own dates may stand there."""
        return {
            doc_id: " ".join((known.entry.summary, *_first_sentences(known.entry)))
            for doc_id, known in self._entries.items()
        } | self._beginnings

    async def read_beginnings(self, doc_ids: Iterable[DocId]) -> None:
        """Read where documents begin, so that `said` knows the dates they state themselves."""
        for doc_id in set(doc_ids) & self._entries.keys() - self._beginnings.keys():
            paths = [section.path for section in self._entries[doc_id].entry.outline]
            texts = []
            for path in paths[:_SECTIONS_DATED]:
                with suppress(LibraryError):  # gone meanwhile: then no date is known
                    section = await self._library.read_section(self._scope, doc_id, path)
                    texts.append(section.text[:_BEGINNING_CHARS])
            self._beginnings[doc_id] = "\n".join(texts)

    @property
    def windows(self) -> tuple[Window, ...]:
        """All text shown so far, in the order it was, then what was set aside as outdated."""
        shown = (window for windows in self._shown.values() for window in windows)
        return tuple(dict.fromkeys((*shown, *self._aside)))

    @property
    def looked_at(self) -> tuple[LookedAt, ...]:
        """Every place that was shown, in the order it was."""
        return places([window for windows in self._shown.values() for window in windows[:1]])

    @property
    def contacts(self) -> Mapping[str, str]:
        """Whom to ask, by the path of a document seen so far."""
        documents = [shown.entry.document for shown in self._entries.values()]
        return {document.doc: document.contact for document in documents if document.contact}

    async def search(self, query: str, size: TextSize, *, outdated: bool = False) -> Reading:
        """Search the scope and show the best windows, within `size`; see `find` and `show`."""
        (found,) = await self.find([query], size)
        return await self.show(found, query, size, outdated=outdated)

    async def find(self, queries: Sequence[str], size: TextSize) -> list[SearchResult]:
        """Search the scope with each of these, in their order; nothing is shown yet.

        The leaves of a question search for much the same, so each search is made once.
        """
        return [await self._searched(query, size.wanted) for query in queries]

    async def _searched(self, query: str, windows: int) -> SearchResult:
        asked = (query, windows)
        async with self._searching.setdefault(asked, asyncio.Lock()):
            if asked not in self._found:
                self._found[asked] = await self._library.search(query, self._scope, windows=windows)
        return self._found[asked]

    async def show(
        self, found: SearchResult, query: str, size: TextSize, *, outdated: bool = False
    ) -> Reading:
        """Show the best windows of what was found, within `size`.

        Args:
            found: what a search, or several fused, brought.
            query: a question or words.
            size: windows at most, characters in all.
            outdated: whether archived documents and drafts are shown beside others; they always
                are where there are no others.
        """
        shortlist = found.documents[: self._bounds.top_k_documents]
        known = len(self._entries)
        await self._admit([*shortlist, *(window.document.doc_id for window in found.windows)])
        self._terms = self._terms or found.terms
        today = current(found.windows, query, self.said, outdated=outdated)
        self._aside |= dict.fromkeys(today.aside)
        shown = self._show(fitted(today.windows, found.passages, size))
        return Reading(shown.windows, shown.new or len(self._entries) > known, found)

    async def read(self, section_ids: Sequence[str], size: TextSize) -> Reading:
        """Show sections with all below them, within `size`: what speaks of the question first.

        Raises:
            DecisionError: an id was never shown, or its document is set aside.
            LibraryError: the library changed under the question.
        """
        windows: list[Window] = []
        for section_id in section_ids:
            document, path = self._find(section_id)
            self._count(document, path)
            sections = await self._library.read_subtree(
                self._scope, document.entry.document.doc_id, path
            )
            windows += self._cut(document.entry, sections)
        return self._show(within(windows, size.chars, self._terms))

    async def read_whole(self, short_id: str, size: TextSize) -> Reading:
        """Show a document from its beginning, within `size`; for summaries, which may read it all.

        Raises:
            LibraryError: the library changed under the question.
        """
        document = next(each for each in self._entries.values() if each.short_id == short_id)
        windows: list[Window] = []
        for section in document.entry.outline:
            read = await self._library.read_section(
                self._scope, document.entry.document.doc_id, section.path
            )
            windows += self._cut(document.entry, [read])
            if sum(window.end - window.start for window in windows) > size.chars:
                break
        return self._show(within(windows, size.chars))

    async def section(self, doc_id: DocId, path: SectionPath) -> Window | None:
        """All of one section, not shown yet; None where it is gone."""
        await self._admit([doc_id])
        if doc_id not in self._entries:
            return None
        try:
            read = await self._library.read_section(self._scope, doc_id, path)
        except LibraryError:
            return None
        return Window(self._entries[doc_id].entry.document, read, 0, len(read.text))

    def lay(self, windows: Iterable[Window]) -> Reading:
        """Show these windows as they are."""
        return self._show(windows)

    async def shares_its_date(self, document: Document) -> bool:
        """Whether half of a source's files carry this document's date: then it says nothing."""
        if document.modified is None:
            return False
        day = document.modified.date()
        entries = await self._library.read_document_map(self._scope)
        of_source = [each.document for each in entries if each.document.source == document.source]
        same = sum(1 for each in of_source if each.modified and each.modified.date() == day)
        return len(of_source) > 1 and 2 * same >= len(of_source)

    def outlined(self, found: SearchResult, windows: Sequence[ShownWindow]) -> list[ShownDocument]:
        """The documents to outline beside these windows: theirs first, then the shortlist."""
        wanted = dict.fromkeys(shown.window.document.doc_id for shown in windows)
        wanted |= dict.fromkeys(found.documents[: self._bounds.top_k_documents])
        return [self._entries[doc_id] for doc_id in wanted if doc_id in self._entries]

    def nearest(self, found: SearchResult) -> tuple[LookedAt, ...]:
        """The places that come nearest to what was searched, one a document, best first."""
        best: dict[DocId, Window] = {}
        for window in found.windows:
            best.setdefault(window.document.doc_id, window)
        return places(best.values())

    async def _admit(self, doc_ids: Iterable[DocId]) -> None:
        wanted = [doc_id for doc_id in dict.fromkeys(doc_ids) if doc_id not in self._entries]
        if not wanted:
            return
        for entry in await self._library.read_map(self._scope, wanted):
            doc_id = entry.document.doc_id
            number = len(self._entries) + 1
            self._entries.setdefault(doc_id, ShownDocument(f"D{number}", entry))

    def _show(self, windows: Iterable[Window]) -> Reading:
        shown: list[ShownWindow] = []
        new = False
        for window in windows:
            section_id = self._section_id(window)
            if section_id is None:
                continue
            seen = self._shown.setdefault(section_id, [])
            if all((window.start, window.end) != (old.start, old.end) for old in seen):
                seen.append(window)
                new = True
            shown.append(ShownWindow(section_id, window))
        return Reading(tuple(shown), new)

    def _section_id(self, window: Window) -> str | None:
        document = self._entries.get(window.document.doc_id)
        if document is None:
            return None
        for number, entry in enumerate(document.entry.outline, start=1):
            if entry.path == window.section.path:
                return f"{document.short_id}.{number}"
        return None

    def _find(self, section_id: str) -> tuple[ShownDocument, SectionPath]:
        short_id, _, number = section_id.partition(".")
        for document in self._entries.values():
            if document.short_id == short_id and number.isdecimal():
                outline = document.entry.outline
                if 1 <= int(number) <= len(outline):
                    return document, outline[int(number) - 1].path
        raise DecisionError(
            f"There is no section {section_id}.", hint="Use ids that stand in LIBRARY."
        )

    def _count(self, document: ShownDocument, path: SectionPath) -> None:
        read = self._sections_read.setdefault(document.entry.document.doc_id, set())
        if path not in read and len(read) >= self._bounds.sections_per_document:
            raise DecisionError(
                f"{document.short_id} is set aside after {len(read)} sections.",
                hint="Read another document, search in other words, or decide.",
            )
        read.add(path)

    def _cut(self, entry: MapEntry, sections: Iterable[Section]) -> list[Window]:
        """Windows of these sections in reading order; a heading without own text shows none."""
        size, overlap = self._bounds.window_chars, self._bounds.overlap
        return [
            Window(entry.document, section, start, end)
            for section in sections
            for start, end in cut_windows(section, size, overlap)
        ]


def _first_sentences(entry: MapEntry) -> list[str]:
    return [section.first_sentence for section in entry.outline[:_SECTIONS_DATED]]


def places(windows: Iterable[Window]) -> tuple[LookedAt, ...]:
    """Where these windows stand, each place once."""
    return tuple(
        dict.fromkeys(
            LookedAt(window.document.doc, window.document.title, window.section.headings)
            for window in windows
        )
    )
