"""One question, one full-text query: from words to windows.

Terms are weighed, at most a hundred rows fetched within the scope and scored, the best of them cut
into passages; the best sections are read in the windows around their passages. About three
statements, whatever the size of the library. A question of several clauses is asked once more for
each of them.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy.engine import Connection

from agent.domain import DocId, Scope, SearchResult, Term
from agent.library.index.choice import fulltext_of
from agent.library.index.fulltext import candidates_at
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
from agent.library.searching.scoring import ScoredPassage, ScoredStretch, Scorer, Stretch
from agent.library.searching.statistics import Statistics
from agent.library.searching.understanding import Understanding, Understood
from agent.library.searching.uniting import Found, united
from agent.library.vectors.meaning import Meant
from agent.text.words import language_of

MAX_PASSAGES = 24
MAX_DOCUMENTS = 10
_GOOD_COVERAGE = 0.5


@dataclass(frozen=True, slots=True)
class _Effort:
    """Candidates fetched, and how many of them are read and cut into passages.

    With more the same windows come out.
    """

    candidates: int
    read: int


_FOR_A_QUESTION = _Effort(100, 24)
_FOR_A_CLAUSE = _Effort(100, 8)


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

    def run(
        self, asked: Sequence[str], bounds: SearchBounds, meant: Sequence[Meant] = ()
    ) -> SearchResult:
        """Windows, passages, documents and coverage for a question; see `find` and `finish`."""
        return self.finish(self.find(asked, meant), bounds)

    def find(self, asked: Sequence[str], meant: Sequence[Meant] = ()) -> Found:
        """The passages and documents of a question, best first.

        Args:
            asked: the question, then its clauses where it has several: each is searched too, and
                what stands high in any of the rankings comes first.
            meant: where each lies among the library's texts; none: words alone.
        """
        places = list(meant) if len(meant) == len(asked) else [None] * len(asked)
        whole, *clauses = zip(asked, places, strict=True)
        return united([self._find(*whole), *(self._find(*each, _FOR_A_CLAUSE) for each in clauses)])

    def finish(self, found: Found, bounds: SearchBounds) -> SearchResult:
        """Windows around the best passages, and what is to be told of the question's words.

        Args:
            found: what `find` brought, perhaps in another order.
            bounds: how much to bring.
        """
        chosen = list(choose_windows(found.passages, found.texts, bounds))
        covered = coverage(found.terms, [window for _, window in chosen])
        understood = found.understood
        return SearchResult(
            windows=tuple(with_neighbours(chosen, self._sections)),
            passages=tuple(passages_of(found.passages[:MAX_PASSAGES], found.texts)),
            documents=tuple(found.documents[:MAX_DOCUMENTS]),
            coverage=covered,
            terms=found.terms,
            corrections=understood.corrections,
            expansions=understood.expansions,
            missing=found.missing,
            other_language_documents=self._others(found.query, covered),
        )

    def _find(self, query: str, meant: Meant | None, effort: _Effort = _FOR_A_QUESTION) -> Found:
        rows = self._statistics.rows(self._connection)
        understood = self._understanding.of(query)
        candidates = self._candidates(understood, rows, effort.candidates)
        known = self._known_in_scope(understood, candidates)
        terms = weigh(understood.words, known, rows, understood.also, understood.kin)
        absent = [word for word in understood.words if not known.keys() & understood.forms_of(word)]
        scorer = self._scorer(candidates, terms, meant)
        ranked = scorer.ranked()
        passages, texts = self._passages(scorer, ranked[: effort.read])
        return Found(
            query,
            understood,
            terms,
            missing_words(query, understood.words, absent),
            passages,
            _shortlist(ranked),
            texts,
        )

    def _candidates(self, understood: Understood, rows: int, most: int) -> list[Stretch]:
        others = (*understood.also.values(), *understood.kin.values())
        also = [form for forms in others for form in forms]
        weights = searched(understood.words, understood.frequencies, rows, also)
        if not weights:
            return []
        index = fulltext_of(self._connection)
        found = index.candidates(self._connection, weights, self._scope, most)
        return [stretch_of(row) for row in found]

    def _scorer(
        self, candidates: Sequence[Stretch], terms: Sequence[Term], meant: Meant | None
    ) -> Scorer:
        """Scores what was found by words, and what lies near in meaning beside it."""
        near = meant.near(self._connection, self._scope) if meant else None
        if near is None:
            return Scorer(candidates, terms)
        found = {each.stretch_id for each in candidates}
        beside = [number for number in near.best if number not in found]
        rows = candidates_at(self._connection, beside, self._scope)
        everything = [*candidates, *map(stretch_of, rows)]
        return Scorer(everything, terms, near.of(each.stretch_id for each in everything))

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

    def _passages(
        self, scorer: Scorer, ranked: Sequence[ScoredStretch]
    ) -> tuple[list[ScoredPassage], Texts]:
        """Passages of the best stretches, with the sections they are read from."""
        texts = self._sections(place_of(each.stretch) for each in ranked)
        scored = in_order(
            passage
            for each in ranked
            for passage in scorer.passages(each, cut_stretch(each.stretch, texts))
        )
        return scored, texts

    def _sections(self, places: Iterable[Place]) -> Texts:
        return read_sections(self._connection, self._scope, places)

    def _others(self, query: str, coverage: float) -> int:
        if coverage >= _GOOD_COVERAGE:
            return 0
        return count_in_other_language(self._connection, self._scope, language_of(query))


def _shortlist(ranked: Sequence[ScoredStretch]) -> list[DocId]:
    """Documents by the best of their stretches."""
    best = sorted(ranked, key=lambda each: -each.document)
    return list(dict.fromkeys(each.stretch.doc_id for each in best))
