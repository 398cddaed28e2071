"""Scores stretches and passages: one Python function, the same on every database.

A score is a share of what a perfect match would get, so it stays low when the words do not
match, whatever else the library holds. Finer weights were measured and do not help.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from agent.domain import DocId, Term
from agent.library.searching.matching import Matches, Matching, PassageMatches, Stretch
from agent.text.words import index_terms

_SATURATION = 1.2
_LENGTH = 0.7
_PART = 0.5
_DOCUMENT = 0.35
_PASSAGE = 0.8
_KEYED = 0.3
NEAR = 0.35
NEAR_DOCUMENT = 0.6
"""What a standard deviation of nearness in meaning counts; flat from half to twice as much."""


@dataclass(frozen=True, slots=True)
class ScoredStretch:
    """A candidate with its scores, 0 to about 1.4 by words alone.

    Attributes:
        matches: what of the question stands in it.
        score: what its passages begin with.
        document: what it says for its document, in which meaning counts for more.
    """

    stretch: Stretch
    matches: Matches
    score: float
    document: float


@dataclass(frozen=True, slots=True)
class ScoredPassage:
    """A passage, in offsets of its section, with its score, 0 to about 2."""

    stretch: Stretch
    start: int
    end: int
    score: float


class Scorer:
    """Scores candidates for a question or a clause of it, then the passages of the best."""

    def __init__(
        self,
        stretches: Sequence[Stretch],
        asked: Sequence[Term],
        near: Mapping[int, float] | None = None,
        matching: Matching | None = None,
    ) -> None:
        """Look at all candidates together.

        Args:
            stretches: the candidates.
            asked: what is looked for.
            near: by stretch, how near it is in meaning, in standard deviations from 0 up.
            matching: counts at least the forms asked for; None: one is made.
        """
        self._near = near or {}
        self._asked = asked
        self._total = sum(term.weight for term in asked) or 1.0
        self._keys = forms_of(asked)
        self._plan = [(_only_form(term), term) for term in asked]
        counting = matching or Matching(self._keys)
        self._matched = [(each, counting.stretch(each)) for each in stretches]
        self._mean = max(1.0, sum(len(each.body) for each in stretches) / max(1, len(stretches)))
        self._found: dict[DocId, set[str]] = defaultdict(set)
        for each, matches in self._matched:
            self._found[each.doc_id].update(matches.counts, matches.head)

    def ranked(self) -> list[ScoredStretch]:
        """All candidates, best first: their own words, and what their document has in all."""
        shares = {doc_id: self._share(forms) for doc_id, forms in self._found.items()}
        scored = [self._scored(*each, shares[each[0].doc_id]) for each in self._matched]
        return sorted(
            scored, key=lambda one: (-one.score, one.stretch.doc_id, one.stretch.position)
        )

    def _scored(self, stretch: Stretch, matches: Matches, share: float) -> ScoredStretch:
        words = self._score(matches.counts, matches.length / self._mean, matches.head)
        words += _DOCUMENT * share
        near = self._near.get(stretch.stretch_id, 0.0)
        return ScoredStretch(stretch, matches, words + NEAR * near, words + NEAR_DOCUMENT * near)

    def passages(
        self, scored: ScoredStretch, passages: Iterable[PassageMatches]
    ) -> list[ScoredPassage]:
        """The passages of a stretch, each on top of the score of the whole."""
        return [
            ScoredPassage(scored.stretch, each.start, each.end, self._passage_score(scored, each))
            for each in passages
        ]

    def _passage_score(self, scored: ScoredStretch, passage: PassageMatches) -> float:
        own = self._score(passage.counts, 2 * passage.length / self._mean, scored.matches.head)
        return scored.score + _PASSAGE * own + _KEYED * self._is_keyed(passage)

    def _is_keyed(self, passage: PassageMatches) -> bool:
        """Whether a row of a table is on what is asked: its first cell says nothing else."""
        return any(key and key <= self._keys for key in passage.row_keys)

    def _score(self, counts: Mapping[str, int], length: float, head: Mapping[str, float]) -> float:
        """BM25 over text and headings, as a share of the perfect score.

        Args:
            counts: of the indexed forms in the text.
            length: of the text, in mean lengths of a stretch.
            head: weight of each form in title and headings.
        """
        norm = 1 - _LENGTH + _LENGTH * length
        score = 0.0
        for only, each in self._plan:
            if only:
                frequency = counts.get(only, 0) / norm + head.get(only, 0.0)
            else:
                frequency = _frequency(each, counts) / norm + _frequency(each, head)
            if frequency:
                score += each.weight * frequency / (frequency + _SATURATION)
        return score / self._total

    def _share(self, forms: set[str]) -> float:
        """Weighted share of the question found in all candidates of a document together."""
        return sum(each.weight * each.presence(forms) for each in self._asked) / self._total


def forms_of(asked: Iterable[Term]) -> frozenset[str]:
    """All forms under which something that is asked for may stand."""
    return frozenset(form for term in asked for form in (*term.forms, *term.parts, *term.kin))


def share_found(asked: Sequence[Term], *texts: str) -> float:
    """Weighted share of the question's terms that stand in the texts, 0 to 1."""
    total = sum(term.weight for term in asked)
    if not total:
        return 0.0
    found = {form for text in texts for form in index_terms(text)}
    return sum(term.weight * term.presence(found) for term in asked) / total


def _only_form(asked: Term) -> str:
    """The form of a term that has no other, as nearly all; empty for the rest."""
    return "" if asked.kin or asked.parts or len(asked.forms) > 1 else asked.forms[0]


def _frequency(asked: Term, counts: Mapping[str, float]) -> float:
    exact = sum(counts.get(form, 0) for form in asked.forms)
    kin = _PART * max((counts.get(form, 0) for form in asked.kin), default=0)
    if exact or kin or not asked.parts:
        return max(exact, kin)
    return _PART * min(counts.get(part, 0) for part in asked.parts)
