"""Files: as a drive has them, as a parser reads them, as the library and the map hold them."""

import hashlib
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import NewType

DocId = NewType("DocId", str)
"""Stable id of a document: a hash of its source and the source's own id, never of its path."""


SectionPath = NewType("SectionPath", str)
"""Slug path with ordinals, `leave/parental~2`: a section's identity in store, citation and link."""


PARSE_REASONS = (
    "password", "scanned", "garbled", "damaged", "empty", "legacy", "too_large",
    "encrypted_mail", "timeout", "unsupported",
)  # fmt: skip
"""First word of the reason why a document is not readable."""


class ParseOutcome(StrEnum):
    """How the parse of a document ended."""

    OK = "ok"
    PARTIAL = "partial"
    NOT_READABLE = "not_readable"


class BlockKind(StrEnum):
    """What a block of a section is to a reader."""

    PARAGRAPH = "paragraph"
    ITEM = "item"
    HEADER_ROW = "header_row"
    ROW = "row"
    CODE = "code"


@dataclass(frozen=True, slots=True)
class TextBlock:
    """A paragraph, list item, table row or code block as a parser found it.

    Attributes:
        text: as a reader sees it: links by their text, row cells joined by ` | `, an item with
            its own bullet or number (`- `, `2. `) and indented by its depth; nothing added.
        page: physical page, from 1; None where the format has none.
        recognised: whether a program read it from a picture of the page and may be mistaken.
    """

    kind: BlockKind
    text: str
    page: int | None = None
    recognised: bool = False


@dataclass(frozen=True, slots=True)
class ParsedSection:
    """A heading with its own text, up to the next heading of any level.

    Attributes:
        heading: as printed, without markup; empty for text before the first heading.
        level: depth from 1; levels may skip, the map building sorts that out.
        page_label: the printed number of the first page, where it differs from the physical.
        anchor: where the drive's own page can be opened (`#parental-leave`); may be empty.
    """

    heading: str
    level: int
    blocks: tuple[TextBlock, ...] = ()
    page_from: int | None = None
    page_to: int | None = None
    page_label: str = ""
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """What a parser made of a file.

    Attributes:
        title: the real title; empty where the file names none (the map then takes the file name).
        format: `markdown`, `html`, `text`, `docx`, `pdf`, …
        reason: for partial and not_readable; begins with a word of `PARSE_REASONS`. For ok empty,
            or which pages were `recognised from a scan`.
        links: targets of links to other documents as written, relative or absolute.
        hidden_chars: invisible text kept out, in characters.
        attachments: files inside this one that are documents of their own.
        author: who wrote it, by the file's properties; may be empty.
        modified: when it was last saved, by the file's properties.
    """

    title: str
    format: str
    outcome: ParseOutcome
    sections: tuple[ParsedSection, ...] = ()
    reason: str = ""
    pages: int | None = None
    links: tuple[str, ...] = ()
    hidden_chars: int = 0
    attachments: "tuple[Attachment, ...]" = ()
    author: str = ""
    modified: datetime | None = None


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file inside another one, such as what hangs on a mail.

    Attributes:
        name: without `/`, unlike those beside it; the document stands at `<doc>!/<name>`.
        content_hash: SHA-256 of its bytes, hex.
    """

    name: str
    document: ParsedDocument
    content_hash: str = ""
    size_bytes: int = 0


@dataclass(frozen=True, slots=True)
class DocumentFacts:
    """What a drive says of a file.

    Attributes:
        native_id: the drive's own id, the path only where it has none.
        doc: path inside the source, `/`-separated, for people; valid Unicode (NFC).
        content_hash: SHA-256 of the bytes, hex.
        url: the drive's own address of the document; may be empty.
    """

    source: str
    native_id: str
    doc: str
    content_hash: str = ""
    size_bytes: int = 0
    modified: datetime | None = None
    url: str = ""
    owner: str = ""

    @property
    def doc_id(self) -> DocId:
        """Identity of the document, stable over renames where the drive has ids."""
        digest = hashlib.sha256(
            f"{self.source}\0{self.native_id}".encode("utf-8", "surrogateescape")
        )
        return DocId(digest.hexdigest()[:16])

    def of_attachment(self, attachment: Attachment) -> "DocumentFacts":
        """The same of a file inside this one; no file of a drive can have its id."""
        return replace(
            self,
            native_id=f"{self.native_id}\0!/{attachment.name}",
            doc=f"{self.doc}!/{attachment.name}",
            content_hash=attachment.content_hash,
            size_bytes=attachment.size_bytes,
        )


@dataclass(frozen=True, slots=True)
class Block:
    """A block's place in its section's source text: `text[start:end]`, offsets in characters."""

    kind: BlockKind
    start: int
    end: int
    page: int | None = None
    recognised: bool = False


@dataclass(frozen=True, slots=True)
class Document:
    """One file of the library, as stored.

    Attributes:
        modified: when it was changed, by the drive; by the file where the drive does not say.
        owner: by the drive; may be empty.
        author: by the file's own properties; may be empty.
        effective, updated: dates that its text states, `2026-04-01` or as far as it says; may be
            empty.
        version: stated in title or text, `2.1`; may be empty.
    """

    doc_id: DocId
    source: str
    doc: str
    title: str
    format: str
    outcome: ParseOutcome
    reason: str = ""
    pages: int | None = None
    modified: datetime | None = None
    url: str = ""
    owner: str = ""
    trust: str = "own"
    contact: str = ""
    not_seen_since: datetime | None = None
    hidden_chars: int = 0
    author: str = ""
    effective: str = ""
    updated: str = ""
    version: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with its own text.

    Attributes:
        number: place in the outline, `3.2`; for people, not an identity.
        headings: the chain from the top heading down to its own; empty for a lead section.
        text: source text; quotes, offsets, windows and hashes refer to it.
    """

    doc_id: DocId
    path: SectionPath
    number: str
    headings: tuple[str, ...]
    level: int
    text: str
    blocks: tuple[Block, ...] = ()
    page_from: int | None = None
    page_to: int | None = None
    page_label: str = ""
    anchor: str = ""
    content_hash: str = ""

    @property
    def heading(self) -> str:
        """Its own heading; empty for a lead section."""
        return self.headings[-1] if self.headings else ""

    def page_at(self, offset: int) -> int | None:
        """Physical page of a character of the source text."""
        page = self.page_from
        for block in self.blocks:
            if block.start > offset:
                break
            page = block.page or page
        return page

    def is_recognised(self, start: int, end: int) -> bool:
        """Whether any of `text[start:end]` was read from a picture of the page."""
        return any(b.recognised for b in self.blocks if b.start < end and start < b.end)


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """A section as the map shows it.

    Attributes:
        see_also: sections of the same document that its text sends the reader to.
        content_hash: of its own text.
        former: paths it had under earlier headings; links to them still lead here.
    """

    path: SectionPath
    number: str
    headings: tuple[str, ...]
    level: int
    chars: int
    first_sentence: str = ""
    page_from: int | None = None
    page_to: int | None = None
    see_also: tuple[SectionPath, ...] = ()
    content_hash: str = ""
    former: tuple[SectionPath, ...] = ()

    def is_at(self, path: SectionPath) -> bool:
        """Whether a path, of today or from before, leads here."""
        return path == self.path or path in self.former


@dataclass(frozen=True, slots=True)
class CrossReference:
    """A link or mention that leads from one document to another of the library."""

    doc_id: DocId
    title: str


@dataclass(frozen=True, slots=True)
class MapEntry:
    """One document as the map shows it: enough to choose it, not to answer from it.

    Attributes:
        summary: one line, by rule; in the document's own words.
        cross_references: documents that it leads to.
        referred_by: documents that lead to it.
        notes: one line that a model wrote of it; empty where none did.
    """

    document: Document
    summary: str
    outline: tuple[OutlineEntry, ...]
    cross_references: tuple[CrossReference, ...] = ()
    referred_by: tuple[CrossReference, ...] = ()
    notes: str = ""
