"""The words of the trade, as frozen values.

Nothing here does I/O or knows who calls it. Whoever learns these names can follow every other
module; a module that needs a new noun adds it here first (docs/architecture.md, Words).
"""

import hashlib
from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from enum import StrEnum
from typing import NewType, Self

DocId = NewType("DocId", str)
"""Stable id of a document: a hash of its source and the source's own id, never of its path."""
SectionPath = NewType("SectionPath", str)
"""Slug path with ordinals, `leave/parental~2`: a section's identity in store, citation and link."""

PARSE_REASONS = (
    "password", "scanned", "garbled", "damaged", "empty", "legacy", "too_large",
    "encrypted_mail", "timeout", "unsupported",
)  # fmt: skip
"""First word of the reason why a document is not readable."""


class Outcome(StrEnum):
    """How a question ended."""

    ANSWERED = "answered"
    PARTIAL = "partial"
    NOT_COVERED = "not_covered"
    CLARIFY = "clarify"
    UNAVAILABLE = "unavailable"
    TALK = "talk"


class StopReason(StrEnum):
    """Why the loop ended."""

    ANSWERED = "answered"
    DECLINED = "declined"
    NO_PROGRESS = "no_progress"
    MAX_ROUNDS = "max_rounds"
    OUT_OF_TOKENS = "out_of_tokens"
    OUT_OF_TIME = "out_of_time"
    TOOL_FAILURES = "tool_failures"
    UNAVAILABLE = "unavailable"
    CANCELLED = "cancelled"


class ParseOutcome(StrEnum):
    """How the parse of a document ended."""

    OK = "ok"
    PARTIAL = "partial"
    NOT_READABLE = "not_readable"


# ---------------------------------------------------------------- scope


@dataclass(frozen=True, slots=True)
class Scope:
    """What those who will see the reply may read.

    Attributes:
        audiences: audience words they hold (`workspace`, `slack:C012`, `mail:a@b.example`);
            a document is in scope if one of its readers is among them. Empty: nothing.
        sources: names of the sources it is narrowed to; None: all.
    """

    audiences: frozenset[str] = frozenset()
    sources: frozenset[str] | None = None

    @classmethod
    def of(cls, *audiences: str, sources: Iterable[str] | None = None) -> Self:
        """The scope of those who hold these audience words."""
        return cls(frozenset(audiences), None if sources is None else frozenset(sources))

    @property
    def key(self) -> str:
        """Short and stable; part of every cache key."""
        sources = "*" if self.sources is None else ",".join(sorted(self.sources))
        text = f"{','.join(sorted(self.audiences))}|{sources}"
        return hashlib.sha256(text.encode()).hexdigest()[:16]


WORKSPACE = Scope.of("workspace")


# ---------------------------------------------------------------- documents


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
    """

    kind: BlockKind
    text: str
    page: int | None = None


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
        reason: for partial and not_readable; begins with a word of `PARSE_REASONS`.
        links: targets of links to other documents as written, relative or absolute.
        hidden_chars: invisible text kept out, in characters.
    """

    title: str
    format: str
    outcome: ParseOutcome
    sections: tuple[ParsedSection, ...] = ()
    reason: str = ""
    pages: int | None = None
    links: tuple[str, ...] = ()
    hidden_chars: int = 0


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


@dataclass(frozen=True, slots=True)
class Block:
    """A block's place in its section's source text: `text[start:end]`, offsets in characters."""

    kind: BlockKind
    start: int
    end: int
    page: int | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """One file of the library, as stored."""

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


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """A section as the map shows it."""

    path: SectionPath
    number: str
    headings: tuple[str, ...]
    level: int
    chars: int
    first_sentence: str = ""
    page_from: int | None = None
    page_to: int | None = None


@dataclass(frozen=True, slots=True)
class CrossReference:
    """A link or mention that leads from one document to another of the library."""

    doc_id: DocId
    title: str


@dataclass(frozen=True, slots=True)
class MapEntry:
    """One document as the map shows it: enough to choose it, not to answer from it."""

    document: Document
    summary: str
    outline: tuple[OutlineEntry, ...]
    cross_references: tuple[CrossReference, ...] = ()


@dataclass(frozen=True, slots=True)
class Passage:
    """The unit that is scored: whole sentences, items or rows, about 500 characters.

    Attributes:
        start, end: half-open offsets in the section's source text.
        score: at least 0; comparable within one search only.
    """

    section: Section
    start: int
    end: int
    score: float = 0.0

    @property
    def text(self) -> str:
        """The passage as it stands."""
        return self.section.text[self.start : self.end]


@dataclass(frozen=True, slots=True)
class Window:
    """The stretch read at once, about 2,000 characters of one section."""

    document: Document
    section: Section
    start: int
    end: int
    score: float = 0.0

    @property
    def text(self) -> str:
        """The window as it stands."""
        return self.section.text[self.start : self.end]


@dataclass(frozen=True, slots=True)
class Correction:
    """A word unknown to the library and the known one that was searched instead."""

    written: str
    used: str


@dataclass(frozen=True, slots=True)
class Expansion:
    """An abbreviation and what it stands for, from the settings or from a document in scope."""

    short: str
    long: str


@dataclass(frozen=True, slots=True)
class Term:
    """One word of the question as search compared it, stop words left out.

    Attributes:
        written: as in the question.
        forms: what is compared, any of them counts as the term: a stem, a Chinese bigram, a
            folded identifier, the long form of an abbreviation.
        weight: inverse document frequency over the library, above 0; the highest for words that
            occur nowhere.
        parts: of an identifier, forms of its pieces, which count half.
        known: whether it occurs in the library.
        rarity: `weight` as a share of the weight of a word that occurs nowhere, 0 to 1.
        kin: derived forms and synonyms, any of which counts half.
    """

    written: str
    forms: tuple[str, ...]
    weight: float
    parts: tuple[str, ...] = ()
    known: bool = True
    rarity: float = 1.0
    kin: tuple[str, ...] = ()

    def presence(self, forms: AbstractSet[str]) -> float:
        """How much of the term stands among these forms, 0 to 1."""
        if any(form in forms for form in self.forms):
            return 1.0
        if any(form in forms for form in self.kin):
            return 0.5
        if not self.parts:
            return 0.0
        return 0.5 * sum(part in forms for part in self.parts) / len(self.parts)


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What one search found, best first.

    Attributes:
        windows: around the best passages; at most three a document.
        passages: the scored passages themselves, best first.
        documents: shortlist, best first.
        coverage: idf-weighted share of the question's terms found in the best of the top four
            windows, 0 to 1.
        missing: terms of the question, as written, that the library does not know, heaviest first.
        expansions: abbreviations of the question and the long forms that were searched too.
        other_language_documents: documents in scope written in a language the question is not in,
            so that their words could not be matched.
        terms: every term of the question with its weight, in the question's order.
    """

    windows: tuple[Window, ...] = ()
    passages: tuple[Passage, ...] = ()
    documents: tuple[DocId, ...] = ()
    coverage: float = 0.0
    missing: tuple[str, ...] = ()
    corrections: tuple[Correction, ...] = ()
    expansions: tuple[Expansion, ...] = ()
    other_language_documents: int = 0
    terms: tuple[Term, ...] = ()


@dataclass(frozen=True, slots=True)
class SourceState:
    """What the library holds of a source, as far as the scope allows."""

    name: str
    documents: int
    contact: str = ""
    last_synced: datetime | None = None


# ---------------------------------------------------------------- questions and answers


@dataclass(frozen=True, slots=True)
class Facts:
    """Facts used in place of the real ones (`given` in a batch line)."""

    owners: dict[str, str] = field(default_factory=dict)
    modified: dict[str, str] = field(default_factory=dict)
    bot_name: str = "Footnote"
    kept_days: int = 30
    visible_to: str = ""
    sources: tuple[SourceState, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked.

    Attributes:
        text: the asker's words, mention removed.
        thread_key: the thread whose earlier turns may complete it; empty: none.
        direct: asked in a direct conversation, where only turns of the last minutes count.
        today: the asker's date.
        timezone: IANA name of the asker's time zone.
        language: of fixed phrases, `en` or `zh`; `auto` follows the question.
    """

    text: str
    scope: Scope
    thread_key: str = ""
    direct: bool = False
    today: date = field(default_factory=lambda: datetime.now(UTC).date())
    timezone: str = "UTC"
    language: str = "auto"
    facts: Facts = field(default_factory=Facts)


class Stage(StrEnum):
    """What is being done while the asker waits."""

    QUEUED = "queued"
    MAP = "map"
    READING = "reading"
    CHECKING = "checking"
    COMPOSING = "composing"


class PartState(StrEnum):
    """How far a part of the question is."""

    PENDING = "pending"
    READING = "reading"
    ANSWERED = "answered"
    PARTIAL = "partial"
    NOT_COVERED = "not_covered"


@dataclass(frozen=True, slots=True)
class PartProgress:
    """One part of a plan while it is worked on."""

    question: str
    state: PartState


@dataclass(frozen=True, slots=True)
class ProgressEvent:
    """What is being read right now; titles and headings in the scope of the reply.

    Attributes:
        ahead: for `queued`, the questions that are answered first.
    """

    stage: Stage
    document: str = ""
    section: str = ""
    parts: tuple[PartProgress, ...] = ()
    ahead: int = 0


@dataclass(frozen=True, slots=True)
class Citation:
    """A checked quote with its place: `quote` stands verbatim in the section's source text.

    Attributes:
        section: headings from the top down; empty for a lead section.
        page: physical page of the quote's first character; None without pages.
        label: the printed page number, where it differs.
        start, end: half-open offsets of the quote in the section's source text.
        note: what the reader should know: "archived", "from outside", "not seen since …".
        header: the header row of a quoted table row, or the line that leads into a quoted list
            item; for display beside the quote, which it is no part of.
    """

    number: int
    source: str
    doc: str
    doc_id: DocId
    title: str
    section: tuple[str, ...]
    section_path: SectionPath
    quote: str
    start: int
    end: int
    page: int | None = None
    label: str = ""
    url: str = ""
    modified: datetime | None = None
    content_hash: str = ""
    note: str = ""
    header: str = ""


@dataclass(frozen=True, slots=True)
class PartAnswer:
    """How one part of the question ended."""

    question: str
    outcome: Outcome
    text: str


@dataclass(frozen=True, slots=True)
class LookedAt:
    """A place that was read."""

    doc: str
    title: str
    section: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Usage:
    """What an answer cost: model calls, tokens, milliseconds."""

    full_calls: int = 0
    small_calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    total_ms: int = 0
    model_ms: int = 0

    def __add__(self, other: "Usage") -> "Usage":
        """Both together."""
        return Usage(
            self.full_calls + other.full_calls,
            self.small_calls + other.small_calls,
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            self.total_ms + other.total_ms,
            self.model_ms + other.model_ms,
        )


@dataclass(frozen=True, slots=True)
class Answer:
    """What the asker gets.

    Attributes:
        text: with `[n]` markers, without the list of footnotes or a status line.
        notes: one-line remarks shown above the text: corrected words, disagreeing sources.
        nearest: for not_covered, the documents that come nearest, best first.
        contact: whom to ask, from the nearest source.
        extractive: no model wrote the text; it consists of quotes.
    """

    answer_id: str
    question: str
    outcome: Outcome
    text: str
    citations: tuple[Citation, ...] = ()
    parts: tuple[PartAnswer, ...] = ()
    choices: tuple[str, ...] = ()
    looked_at: tuple[LookedAt, ...] = ()
    nearest: tuple[LookedAt, ...] = ()
    contact: str = ""
    notes: tuple[str, ...] = ()
    stop_reason: StopReason | None = None
    gap_recorded: bool = False
    understood: str = ""
    rounds: int = 0
    usage: Usage = field(default_factory=Usage)
    trace_id: str = ""
    language: str = "en"
    extractive: bool = True


# ---------------------------------------------------------------- plans


class PartKind(StrEnum):
    """How a part of a question is answered."""

    LOOKUP = "lookup"
    COMPARE = "compare"
    COMBINE = "combine"


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a question, understandable without the others.

    Attributes:
        part_id: `1`, `2`, …, in the order asked.
        depends_on: ids of parts whose findings must be known first.
    """

    part_id: str
    question: str
    kind: PartKind = PartKind.LOOKUP
    depends_on: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """A question's parts in the order asked; one part equal to the question for most."""

    question: str
    parts: tuple[Part, ...]

    @property
    def single(self) -> bool:
        """Whether there is nothing to split."""
        return len(self.parts) == 1


# ---------------------------------------------------------------- decisions


class Action(StrEnum):
    """What a core wants done next."""

    ANSWER = "answer"
    READ = "read"
    SEARCH = "search"
    CLARIFY = "clarify"
    NOT_COVERED = "not_covered"


class Support(StrEnum):
    """How well the quotes carry the answer, in a core's own word."""

    STATED = "stated"
    FOLLOWS = "follows"
    PARTLY = "partly"
    NONE = "none"

    @property
    def confidence(self) -> float:
        """The word as a number against the threshold, 0 to 1."""
        return {"stated": 0.95, "follows": 0.85, "partly": 0.6, "none": 0.0}[self.value]


@dataclass(frozen=True, slots=True)
class Quote:
    """Words a core believes to stand in a shown section; `section_id` is its short id (`D3.2`)."""

    section_id: str
    text: str


@dataclass(frozen=True, slots=True)
class Decision:
    """One choice of a core: what to do next, on what, and why.

    Attributes:
        missing: what is still needed to answer; empty when nothing is.
        sections: short ids to read, best first, at most 3.
        query: words to search with, for `search`.
        quotes: to keep or to cite, at most 6.
        answer: with `[n]` markers into `quotes`, from 1; for not_covered the nearest thing stated;
            for clarify the question back.
        choices: for clarify, 2 to 4 readings made from real headings.
        usage: what making it cost; nothing without a model.
    """

    action: Action
    reason: str = ""
    missing: str = ""
    sections: tuple[str, ...] = ()
    query: str = ""
    quotes: tuple[Quote, ...] = ()
    answer: str = ""
    support: Support = Support.NONE
    choices: tuple[str, ...] = ()
    usage: Usage = field(default_factory=Usage)


@dataclass(frozen=True, slots=True)
class Finding:
    """What a leaf led to.

    Attributes:
        text: with `[n]` markers into `citations`, numbered from 1 within this finding.
        missing: what was not found, for partial.
        corrections: words that were searched in a corrected form.
        other_language_documents: documents in another language, which its words could not match.
    """

    question: str
    outcome: Outcome
    text: str = ""
    citations: tuple[Citation, ...] = ()
    stop_reason: StopReason = StopReason.DECLINED
    missing: str = ""
    choices: tuple[str, ...] = ()
    looked_at: tuple[LookedAt, ...] = ()
    nearest: tuple[LookedAt, ...] = ()
    notes: tuple[str, ...] = ()
    corrections: tuple[Correction, ...] = ()
    other_language_documents: int = 0
    rounds: int = 0
    usage: Usage = field(default_factory=Usage)
    extractive: bool = True
