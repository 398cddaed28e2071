"""Chunks by structure: whole sections packed up to about 500 tokens, long ones cut at sentences."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agent.domain import Document, MapEntry, Scope, Section
from agent.library.passages import cut_passages
from agent.ports import Library

CHUNK_CHARS = 2_000


@dataclass(frozen=True, slots=True)
class Piece:
    """A section, or a stretch of one."""

    section: Section
    start: int
    end: int

    @property
    def text(self) -> str:
        """With its heading above, as a reader sees it."""
        own = self.section.text[self.start : self.end]
        return f"{self.section.heading}\n{own}" if self.section.heading else own


@dataclass(frozen=True, slots=True)
class Chunk:
    """What is ranked, and shown as a numbered passage."""

    document: Document
    pieces: tuple[Piece, ...]

    @property
    def text(self) -> str:
        """All its pieces."""
        return "\n\n".join(piece.text for piece in self.pieces)

    @property
    def place(self) -> str:
        """Path and headings, for the one who reads it."""
        return " › ".join((self.document.doc, *self.pieces[0].section.headings))

    @property
    def indexed(self) -> str:
        """What it is found by: title, path, heading chain and text."""
        chain = " ".join(self.pieces[0].section.headings)
        return f"{self.document.title} {self.document.doc} {chain} {self.text}"


async def read_chunks(library: Library, scope: Scope) -> list[Chunk]:
    """All chunks of a library."""
    chunks: list[Chunk] = []
    for entry in await library.read_document_map(scope):
        chunks += pack(entry.document, await sections_of(library, scope, entry))
    return chunks


async def sections_of(library: Library, scope: Scope, entry: MapEntry) -> list[Section]:
    """The sections of a document in reading order."""
    found: list[Section] = []
    for top in entry.outline:
        if "/" not in top.path:
            found += await library.read_subtree(scope, entry.document.doc_id, top.path)
    return found


def pack(document: Document, sections: Sequence[Section]) -> Iterator[Chunk]:
    """Sections of one document as chunks, in reading order."""
    packed: list[Piece] = []
    size = 0
    for piece in (piece for section in sections for piece in _pieces(section)):
        if packed and size + len(piece.text) > CHUNK_CHARS:
            yield Chunk(document, tuple(packed))
            packed, size = [], 0
        packed.append(piece)
        size += len(piece.text)
    if packed:
        yield Chunk(document, tuple(packed))


def _pieces(section: Section) -> Iterator[Piece]:
    """The section whole where it fits, else runs of its passages; a bare heading is none."""
    if not section.text.strip():
        return
    if len(section.text) <= CHUNK_CHARS:
        yield Piece(section, 0, len(section.text))
        return
    start = end = 0
    for passage_start, passage_end in cut_passages(section.text, section.blocks):
        if end > start and passage_end - start > CHUNK_CHARS:
            yield Piece(section, start, end)
            start = passage_start
        end = passage_end
    yield Piece(section, start, end)
