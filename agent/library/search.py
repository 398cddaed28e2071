"""One question, one full-text query: from words to windows.

Terms are weighed, typing errors corrected, at most a hundred rows fetched within the scope, cut
into passages and scored; the best sections are read in the windows around their passages. About
three statements, whatever the size of the library.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from sqlalchemy.engine import Connection

from agent.domain import (
    Correction,
    DocId,
    Document,
    Passage,
    Scope,
    SearchResult,
    Section,
    Window,
)
from agent.library.asking import Asked, searched, told, weigh
from agent.library.correcting import likely_words, missing_words, mistyped, written_as
from agent.library.fulltext import Candidate
from agent.library.indexes import fulltext_of
from agent.library.passages import cut_passages
from agent.library.reading import count_in_other_language, read_sections
from agent.library.scoring import ScoredPassage, ScoredStretch, Scorer, Stretch, share_found
from agent.library.statistics import Statistics
from agent.library.stretches import clip_blocks
from agent.library.windows import window_around
from agent.text.words import Term, index_terms, language_of, query_terms

MAX_CANDIDATES = 100
MAX_PASSAGES = 24
MAX_DOCUMENTS = 10
WINDOWS_A_DOCUMENT = 3
_READ_STRETCHES = 30
"""Only so many candidates are read and cut into passages."""
_COVERAGE_WINDOWS = 4
_GOOD_COVERAGE = 0.5

Place = tuple[DocId, int]
Texts = Mapping[Place, tuple[Document, Section]]


@dataclass(frozen=True, slots=True)
class SearchBounds:
    """Sizes of one search: windows at most, characters of a window."""

    windows: int
    window_chars: int


class Search:
    """One search on one connection."""

    def __init__(self, connection: Connection, scope: Scope, statistics: Statistics) -> None:
        self._connection = connection
        self._index = fulltext_of(connection)
        self._scope = scope
        self._statistics = statistics

    def run(self, query: str, bounds: SearchBounds) -> SearchResult:
        """Windows, passages, documents and coverage for a question."""
        rows = self._statistics.rows(self._connection)
        terms, corrections = self._corrected(query_terms(query))
        frequencies = self._frequencies(terms)
        asked = weigh(terms, frequencies, rows)
        weights = searched(asked, frequencies, rows)
        scorer = Scorer(self._candidates(weights, MAX_CANDIDATES) if weights else [], asked)
        result = self._read(scorer, asked, bounds)
        return replace(
            result,
            terms=told(asked, rows),
            corrections=tuple(corrections),
            missing=self._missing(query, terms, scorer.forms, frequencies),
            other_language_documents=self._others(query, result.coverage),
        )

    def _read(self, scorer: Scorer, asked: Asked, bounds: SearchBounds) -> SearchResult:
        ranked = scorer.ranked()
        best = ranked[:_READ_STRETCHES]
        places = [(each.stretch.doc_id, each.stretch.position) for each in best]
        texts = read_sections(self._connection, self._scope, places)
        scored = [passage for each in best for passage in scorer.passages(each, _cut(each, texts))]
        scored.sort(key=_order)
        windows = tuple(_windows(scored, texts, bounds))
        return SearchResult(
            windows=windows,
            passages=tuple(_passages(scored[:MAX_PASSAGES], texts)),
            documents=tuple(dict.fromkeys(each.stretch.doc_id for each in ranked))[:MAX_DOCUMENTS],
            coverage=_coverage(asked, windows),
        )

    def _frequencies(self, terms: Sequence[Term]) -> Mapping[str, int]:
        forms = [form for term in terms for form in (term.key, *term.parts)]
        return self._index.frequencies(self._connection, forms) if forms else {}

    def _candidates(self, weights: Mapping[str, float], limit: int) -> list[Stretch]:
        rows = self._index.candidates(self._connection, weights, self._scope, limit)
        return [_stretch(row) for row in rows]

    def _corrected(self, terms: Sequence[Term]) -> tuple[list[Term], list[Correction]]:
        """The terms, unknown words replaced by the nearest word that is known in this scope."""
        frequencies = self._frequencies(terms)
        used: list[Term] = []
        corrections: list[Correction] = []
        for term in terms:
            found = self._correction(term) if mistyped(term, frequencies) else None
            if found is None:
                used.append(term)
            else:
                used.append(replace(term, key=found[0]))
                corrections.append(Correction(term.written, found[1]))
        return used, corrections

    def _correction(self, term: Term) -> tuple[str, str] | None:
        """Stem and written form of the word that was meant."""
        vocabulary = self._statistics.vocabulary(self._connection)
        for stem in likely_words(term, vocabulary):
            for stretch in self._candidates({stem: 1.0}, 1):
                found = read_sections(self._connection, self._scope, [_place(stretch)])
                for document, section in found.values():
                    text = " ".join((section.text, *section.headings, document.title))
                    return stem, written_as(stem, text, index_terms)
        return None

    def _missing(
        self,
        query: str,
        terms: Sequence[Term],
        seen: frozenset[str],
        frequencies: Mapping[str, int],
    ) -> tuple[str, ...]:
        """Terms that nothing in this scope has, as they were written."""
        absent = [
            term
            for term in terms
            if term.key not in seen
            and (not frequencies.get(term.key) or not self._candidates({term.key: 1.0}, 1))
        ]
        return missing_words(query, terms, absent)

    def _others(self, query: str, coverage: float) -> int:
        if coverage >= _GOOD_COVERAGE:
            return 0
        return count_in_other_language(self._connection, self._scope, language_of(query))


def _stretch(row: Candidate) -> Stretch:
    return Stretch(
        doc_id=row.doc_id,
        position=row.position,
        start=row.start_char,
        end=row.end_char,
        title=row.title_terms.split(),
        headings=row.heading_terms.split(),
        body=row.body_terms.split(),
    )


def _place(stretch: Stretch) -> Place:
    return stretch.doc_id, stretch.position


def _cut(scored: ScoredStretch, texts: Texts) -> Iterator[tuple[int, int, str]]:
    """Passages of a stretch with their text; none if it went out of scope just now."""
    stretch = scored.stretch
    if _place(stretch) not in texts:
        return
    section = texts[_place(stretch)][1]
    text = section.text[stretch.start : stretch.end]
    blocks = clip_blocks(section.blocks, stretch.start, stretch.end)
    for start, end in cut_passages(text, blocks, stretch.start):
        yield start, end, section.text[start:end]


def _order(passage: ScoredPassage) -> tuple[float, str, int, int]:
    stretch = passage.stretch
    return -passage.score, stretch.doc_id, stretch.position, passage.start


def _windows(
    passages: Sequence[ScoredPassage], texts: Texts, bounds: SearchBounds
) -> Iterator[Window]:
    """Around the best passages, each stretch of text once, at most three a document."""
    taken: dict[Place, list[tuple[int, int]]] = {}
    per_document: dict[DocId, int] = {}
    left = bounds.windows
    for passage in passages:
        place = _place(passage.stretch)
        if not left:
            return
        if per_document.get(place[0], 0) == WINDOWS_A_DOCUMENT:
            continue
        if any(start < passage.end and passage.start < end for start, end in taken.get(place, ())):
            continue
        document, section = texts[place]
        start, end = window_around(section, passage.start, passage.end, bounds.window_chars)
        taken.setdefault(place, []).append((start, end))
        per_document[place[0]] = per_document.get(place[0], 0) + 1
        left -= 1
        yield Window(document, section, start, end, passage.score)


def _passages(scored: Sequence[ScoredPassage], texts: Texts) -> Iterator[Passage]:
    for each in scored:
        yield Passage(texts[_place(each.stretch)][1], each.start, each.end, each.score)


def _coverage(asked: Asked, windows: Sequence[Window]) -> float:
    return max(
        (
            share_found(asked, window.text, *window.section.headings, window.document.title)
            for window in windows[:_COVERAGE_WINDOWS]
        ),
        default=0.0,
    )
