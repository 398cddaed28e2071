"""One question, one full-text query: from words to windows.

Terms are weighed, at most a hundred rows fetched within the scope and scored, the best of them cut
into passages; the best sections are read in the windows around their passages. About three
statements, whatever the size of the library.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from sqlalchemy.engine import Connection

from agent.domain import Scope, SearchResult, Term
from agent.library.index.choice import fulltext_of
from agent.library.reading import count_in_other_language, read_sections
from agent.library.searching.asking import searched, weigh
from agent.library.searching.choosing import (
    Place,
    SearchBounds,
    Texts,
    choose_windows,
    coverage,
    cut_stretch,
    in_order,
    passages_of,
    place_of,
    stretch_of,
)
from agent.library.searching.correcting import missing_words
from agent.library.searching.neighbours import with_neighbours
from agent.library.searching.scoring import Scorer, Stretch
from agent.library.searching.statistics import Statistics
from agent.library.searching.understanding import Understanding, Understood
from agent.text.words import language_of

MAX_CANDIDATES = 100
MAX_PASSAGES = 24
MAX_DOCUMENTS = 10
_READ_STRETCHES = 24
"""Only so many candidates are read and cut into passages; with more the same windows come out."""
_GOOD_COVERAGE = 0.5


class Search:
    """One search on one connection."""

    def __init__(
        self,
        connection: Connection,
        scope: Scope,
        statistics: Statistics,
        glossary: Mapping[str, str],
    ) -> None:
        self._connection = connection
        self._scope = scope
        self._statistics = statistics
        self._understanding = Understanding(connection, scope, statistics, glossary)

    def run(self, query: str, bounds: SearchBounds) -> SearchResult:
        """Windows, passages, documents and coverage for a question."""
        rows = self._statistics.rows(self._connection)
        understood = self._understanding.of(query)
        candidates = self._candidates(understood, rows)
        known = self._known_in_scope(understood, candidates)
        terms = weigh(understood.words, known, rows, understood.also, understood.kin)
        result = self._read(Scorer(candidates, terms), terms, bounds)
        absent = [word for word in understood.words if not known.keys() & understood.forms_of(word)]
        return replace(
            result,
            terms=terms,
            corrections=understood.corrections,
            expansions=understood.expansions,
            missing=missing_words(query, understood.words, absent),
            other_language_documents=self._others(query, result.coverage),
        )

    def _candidates(self, understood: Understood, rows: int) -> list[Stretch]:
        others = (*understood.also.values(), *understood.kin.values())
        also = [form for forms in others for form in forms]
        weights = searched(understood.words, understood.frequencies, rows, also)
        if not weights:
            return []
        index = fulltext_of(self._connection)
        found = index.candidates(self._connection, weights, self._scope, MAX_CANDIDATES)
        return [stretch_of(row) for row in found]

    def _known_in_scope(
        self, understood: Understood, candidates: Sequence[Stretch]
    ) -> Mapping[str, int]:
        """Frequencies of the forms that stand in the scope; the others count as unknown.

        Nearly all stand in a candidate; only for the rest the index is asked once more.
        """
        frequencies = understood.frequencies
        unseen = set(frequencies)
        for each in candidates:
            unseen.difference_update(each.body, each.headings, each.title)
            if not unseen:
                return frequencies
        index = fulltext_of(self._connection)
        unseen -= index.in_scope(self._connection, sorted(unseen), self._scope)
        return {form: count for form, count in frequencies.items() if form not in unseen}

    def _read(self, scorer: Scorer, terms: Sequence[Term], bounds: SearchBounds) -> SearchResult:
        ranked = scorer.ranked()
        best = ranked[:_READ_STRETCHES]
        texts = self._sections(place_of(each.stretch) for each in best)
        scored = in_order(
            passage
            for each in best
            for passage in scorer.passages(each, cut_stretch(each.stretch, texts))
        )
        chosen = list(choose_windows(scored, texts, bounds))
        return SearchResult(
            windows=tuple(with_neighbours(chosen, self._sections)),
            passages=tuple(passages_of(scored[:MAX_PASSAGES], texts)),
            documents=tuple(dict.fromkeys(each.stretch.doc_id for each in ranked))[:MAX_DOCUMENTS],
            coverage=coverage(terms, [window for _, window in chosen]),
        )

    def _sections(self, places: Iterable[Place]) -> Texts:
        return read_sections(self._connection, self._scope, places)

    def _others(self, query: str, coverage: float) -> int:
        if coverage >= _GOOD_COVERAGE:
            return 0
        return count_in_other_language(self._connection, self._scope, language_of(query))
