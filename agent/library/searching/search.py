"""One question, one full-text query: from words to windows.

Terms are weighed, at most a hundred rows fetched within the scope and scored, the best of them cut
into passages; the best sections are read in the windows around their passages. About three
statements, whatever the size of the library. The clauses of a question rank the same rows.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from sqlalchemy.engine import Connection

from agent.domain import DocId, Document, Scope, SearchResult, Section, Term
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
from agent.library.searching.matching import Matches, Matching, Stretch
from agent.library.searching.neighbours import with_neighbours
from agent.library.searching.scoring import ScoredPassage, ScoredStretch, Scorer
from agent.library.searching.statistics import Statistics
from agent.library.searching.understanding import Understanding, Understood
from agent.library.searching.uniting import Found, united
from agent.library.vectors.meaning import Meant
from agent.text.words import language_of

MAX_PASSAGES = 24
MAX_DOCUMENTS = 10
_GOOD_COVERAGE = 0.5


_CANDIDATES = 100
_READ = 24
_READ_FOR_A_CLAUSE = 8
"""So many candidates are read and cut into passages. With more the same windows come out."""


@dataclass(frozen=True, slots=True)
class _Asking:
    """A question or a clause of it, as it is scored."""

    query: str
    understood: Understood
    meant: Meant | None
    read: int = _READ


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
        self._read: dict[Place, tuple[Document, Section]] = {}

    def run(
        self, asked: Sequence[str], bounds: SearchBounds, meant: Sequence[Meant] = ()
    ) -> SearchResult:
        """Windows, passages, documents and coverage for a question; see `find` and `finish`."""
        return self.finish(self.find(asked, meant), bounds)

    def find(self, asked: Sequence[str], meant: Sequence[Meant] = ()) -> Found:
        """The passages and documents of a question, best first.

        Args:
            asked: the question, then its clauses where it has several: each ranks what was found,
                and what stands high in any of the rankings comes first.
            meant: where each lies among the library's texts; none: words alone.
        """
        places = list(meant) if len(meant) == len(asked) else [None] * len(asked)
        whole, *clauses = (
            _Asking(query, self._understanding.of(query), place)
            for query, place in zip(asked, places, strict=True)
        )
        parts = [replace(each, read=_READ_FOR_A_CLAUSE) for each in clauses]
        pool = self._candidates(whole.understood)
        forms = {form for each in (whole, *parts) for form in each.understood.frequencies}
        matching = Matching(forms)
        return united([self._find(each, pool, matching) for each in (whole, *parts)])

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

    def _find(self, asking: _Asking, pool: Sequence[Stretch], matching: Matching) -> Found:
        understood = asking.understood
        known = self._known_in_scope(understood, [matching.stretch(each) for each in pool])
        rows = self._statistics.rows(self._connection)
        terms = weigh(understood.words, known, rows, understood.also, understood.kin)
        absent = [word for word in understood.words if not known.keys() & understood.forms_of(word)]
        scorer = self._scorer(pool, terms, asking.meant, matching)
        ranked = scorer.ranked()
        passages, texts = self._passages(scorer, ranked[: asking.read], matching)
        return Found(
            asking.query,
            understood,
            terms,
            missing_words(asking.query, understood.words, absent),
            passages,
            _shortlist(ranked),
            texts,
        )

    def _candidates(self, understood: Understood) -> list[Stretch]:
        rows = self._statistics.rows(self._connection)
        others = (*understood.also.values(), *understood.kin.values())
        also = [form for forms in others for form in forms]
        weights = searched(understood.words, understood.frequencies, rows, also)
        if not weights:
            return []
        index = fulltext_of(self._connection)
        found = index.candidates(self._connection, weights, self._scope, _CANDIDATES)
        return [stretch_of(row) for row in found]

    def _scorer(
        self,
        pool: Sequence[Stretch],
        terms: Sequence[Term],
        meant: Meant | None,
        matching: Matching,
    ) -> Scorer:
        """Scores what was found by words, and what lies near in meaning beside it."""
        near = meant.near(self._connection, self._scope) if meant else None
        if near is None:
            return Scorer(pool, terms, matching=matching)
        found = {each.stretch_id for each in pool}
        beside = [number for number in near.best if number not in found]
        rows = candidates_at(self._connection, beside, self._scope)
        everything = [*pool, *map(stretch_of, rows)]
        nearness = near.of(each.stretch_id for each in everything)
        return Scorer(everything, terms, nearness, matching)

    def _known_in_scope(
        self, understood: Understood, candidates: Iterable[Matches]
    ) -> Mapping[str, int]:
        """Frequencies of the forms that stand in the scope; the others count as unknown.

        Nearly all stand in a candidate; only for the rest the index is asked once more.
        """
        frequencies = understood.frequencies
        unseen = set(frequencies)
        for each in candidates:
            unseen.difference_update(each.counts, each.head)
            if not unseen:
                return frequencies
        index = fulltext_of(self._connection)
        unseen -= index.in_scope(self._connection, sorted(unseen), self._scope)
        return {form: count for form, count in frequencies.items() if form not in unseen}

    def _passages(
        self, scorer: Scorer, ranked: Sequence[ScoredStretch], matching: Matching
    ) -> tuple[list[ScoredPassage], Texts]:
        """Passages of the best stretches, with the sections they are read from."""
        texts = self._sections(place_of(each.stretch) for each in ranked)
        scored = in_order(
            passage
            for each in ranked
            for passage in scorer.passages(
                each, matching.passages(each.stretch, cut_stretch(each.stretch, texts))
            )
        )
        return scored, texts

    def _sections(self, places: Iterable[Place]) -> Texts:
        """Sections with their documents; each is read once."""
        wanted = set(places)
        missing = wanted - self._read.keys()
        self._read.update(read_sections(self._connection, self._scope, missing))
        return {place: self._read[place] for place in wanted if place in self._read}

    def _others(self, query: str, coverage: float) -> int:
        if coverage >= _GOOD_COVERAGE:
            return 0
        return count_in_other_language(self._connection, self._scope, language_of(query))


def _shortlist(ranked: Sequence[ScoredStretch]) -> list[DocId]:
    """Documents by the best of their stretches."""
    best = sorted(ranked, key=lambda each: -each.document)
    return list(dict.fromkeys(each.stretch.doc_id for each in best))
