"""Scores stretches and passages: one Python function, the same on every database.

A score is a share of what a perfect match would get, so it stays low when the words do not
match, whatever else the library holds. Finer weights were measured and do not help.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from agent.domain import DocId, Term
from agent.text.words import index_terms

_SATURATION = 1.2
_LENGTH = 0.7
_TITLE = 1.0
_HEADING = 1.5
_OWN_HEADING = 2.0
_PART = 0.5
_DOCUMENT = 0.35
_PASSAGE = 0.8
_KEYED = 0.3
NEAR = 0.35
NEAR_DOCUMENT = 0.6
"""What a standard deviation of nearness in meaning counts; flat from half to twice as much."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """A candidate row of the index: its place in a section and its indexed forms.

    Attributes:
        start: half-open offsets in the section's source text.
        headings: of the whole chain; those of its own heading twice.
        stretch_id: of its row, which its vector has too.
    """

    doc_id: DocId
    position: int
    start: int
    end: int
    title: Sequence[str]
    headings: Sequence[str]
    body: Sequence[str]
    stretch_id: int = 0


@dataclass(frozen=True, slots=True)
class ScoredStretch:
    """A candidate with its scores, 0 to about 1.4 by words alone.

    Attributes:
        score: what its passages begin with.
        document: what it says for its document, in which meaning counts for more.
    """

    stretch: Stretch
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
    """Scores the candidates of one question, then the passages of the best of them."""

    def __init__(
        self,
        stretches: Sequence[Stretch],
        asked: Sequence[Term],
        near: Mapping[int, float] | None = None,
    ) -> None:
        """Look at all candidates together.

        Args:
            stretches: the candidates.
            asked: what is looked for.
            near: by stretch, how near it is in meaning, in standard deviations from 0 up.
        """
        self._near = near or {}
        self._asked = asked
        self._total = sum(term.weight for term in asked) or 1.0
        self._keys = frozenset(
            form for term in asked for form in (*term.forms, *term.parts, *term.kin)
        )
        self._plan = [(_only_form(term), term) for term in asked]
        self._stretches = stretches
        self._mean = max(1.0, sum(len(each.body) for each in stretches) / max(1, len(stretches)))
        self._found: dict[DocId, set[str]] = defaultdict(set)
        for each in stretches:
            for field in (each.title, each.headings, each.body):
                self._found[each.doc_id] |= self._keys.intersection(field)

    def ranked(self) -> list[ScoredStretch]:
        """All candidates, best first: their own words, and what their document has in all."""
        shares = {doc_id: self._share(forms) for doc_id, forms in self._found.items()}
        scored = [self._scored(each, shares[each.doc_id]) for each in self._stretches]
        return sorted(
            scored, key=lambda one: (-one.score, one.stretch.doc_id, one.stretch.position)
        )

    def _scored(self, stretch: Stretch, share: float) -> ScoredStretch:
        words = self._score(stretch.body, len(stretch.body) / self._mean, self._head(stretch))
        words += _DOCUMENT * share
        near = self._near.get(stretch.stretch_id, 0.0)
        return ScoredStretch(stretch, words + NEAR * near, words + NEAR_DOCUMENT * near)

    def passages(
        self, scored: ScoredStretch, cut: Iterable[tuple[int, int, str]]
    ) -> list[ScoredPassage]:
        """The passages of a stretch, each on top of the score of the whole.

        Args:
            scored: the stretch.
            cut: start, end and text of its passages.
        """
        head = self._head(scored.stretch)
        found = []
        for start, end, text in cut:
            forms = index_terms(text)
            own = self._score(forms, 2 * len(forms) / self._mean, head)
            score = scored.score + _PASSAGE * own + _KEYED * self._is_keyed(text)
            found.append(ScoredPassage(scored.stretch, start, end, score))
        return found

    def _is_keyed(self, text: str) -> bool:
        """Whether a row of a table is on what is asked: its first cell says nothing else."""
        cells = (line.partition(" | ")[0] for line in text.splitlines() if " | " in line)
        keys = map(frozenset, map(index_terms, cells))
        return any(key and key <= self._keys for key in keys)

    def _score(self, forms: Iterable[str], length: float, head: Mapping[str, float]) -> float:
        """BM25 over text and headings, as a share of the perfect score.

        Args:
            forms: indexed forms of the text.
            length: of the text, in mean lengths of a stretch.
            head: weight of each form in title and headings.
        """
        keys = self._keys
        counts = Counter([form for form in forms if form in keys])
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

    def _head(self, stretch: Stretch) -> Mapping[str, float]:
        weights: dict[str, float] = dict.fromkeys(self._keys.intersection(stretch.title), _TITLE)
        for form in self._keys.intersection(stretch.headings):
            weight = _OWN_HEADING if stretch.headings.count(form) > 1 else _HEADING
            weights[form] = weights.get(form, 0.0) + weight
        return weights

    def _share(self, forms: set[str]) -> float:
        """Weighted share of the question found in all candidates of a document together."""
        return sum(each.weight * each.presence(forms) for each in self._asked) / self._total


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
