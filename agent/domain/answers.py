"""What the asker gets."""

from dataclasses import dataclass, field
from datetime import datetime

from agent.domain.documents import DocId, SectionPath
from agent.domain.outcomes import Outcome, StopReason


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
