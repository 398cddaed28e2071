"""What a search found, and the stretches of text that are read."""

from bisect import bisect_right
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import datetime

from agent.domain.documents import BlockKind, DocId, Document, Section


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

    @property
    def page(self) -> int | None:
        """Physical page on which it begins; None where the format has none."""
        return self.section.page_at(self.start)

    @property
    def header(self) -> str:
        """Header row of the table in whose middle it begins; no part of what can be quoted."""
        blocks = self.section.blocks
        at = bisect_right(blocks, self.start, key=lambda block: block.start) - 1
        while at >= 0 and blocks[at].kind is BlockKind.ROW:
            at -= 1
        if at < 0 or blocks[at].kind is not BlockKind.HEADER_ROW or blocks[at].start >= self.start:
            return ""
        return self.section.text[blocks[at].start : blocks[at].end]


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
