"""Scores passages and sections: one Python function, the same on every database.

A score is a share of what a perfect match would get, so it stays low when the words do not
match, whatever else the library holds. Tuning the weights below was measured and does not help.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from agent.domain import Block, DocId
from agent.library.asking import Asked, AskedTerm
from agent.library.passages import cut_passages
from agent.text.words import index_terms

_SATURATION = 1.2
_LENGTH = 0.6
_HEADING = 1.5
_LAST_HEADING = 0.5
_TITLE = 1.0
_PART = 0.5
_DOCUMENT = 0.6
_PASSAGE = 0.5


@dataclass(frozen=True, slots=True)
class Stretch:
    """A candidate row of the index.

    Attributes:
        start: where its text begins in the section's source text.
        blocks: in offsets of the section.
    """

    doc_id: DocId
    position: int
    start: int
    text: str
    blocks: tuple[Block, ...]
    headings: tuple[str, ...]
    title: str


@dataclass(frozen=True, slots=True)
class ScoredPassage:
    """A passage of a candidate with its score, 0 to about 2."""

    stretch: Stretch
    start: int
    end: int
    score: float


def score_passages(stretches: Sequence[Stretch], asked: Asked) -> list[ScoredPassage]:
    """Every passage of the candidates in which a term stands, best first."""
    if not stretches or not asked.total:
        return []
    scorer = _Scorer(stretches, asked)
    passages = [passage for stretch in stretches for passage in scorer.passages(stretch)]
    return sorted(passages, key=_order)


def share_found(asked: Asked, *texts: str) -> float:
    """Weighted share of the question's terms that stand in the texts, 0 to 1."""
    if not asked.total:
        return 0.0
    found = {term for text in texts for term in index_terms(text)}
    return sum(each.weight * _presence(each, found) for each in asked.terms) / asked.total


def _order(passage: ScoredPassage) -> tuple[float, str, int, int]:
    stretch = passage.stretch
    return (-passage.score, stretch.doc_id, stretch.position, passage.start)


class _Scorer:
    def __init__(self, stretches: Sequence[Stretch], asked: Asked) -> None:
        self._asked = asked
        self._keys = asked.keys
        self._terms = {id(stretch): self._counted(stretch.text) for stretch in stretches}
        lengths = [length for _, length in self._terms.values()]
        self._mean = max(1.0, sum(lengths) / len(lengths))
        self._heads = {
            (stretch.title, stretch.headings): self._head(stretch) for stretch in stretches
        }
        self._documents = self._document_scores(stretches)

    def passages(self, stretch: Stretch) -> list[ScoredPassage]:
        counts, length = self._terms[id(stretch)]
        whole = self._score(counts, length, self._mean, stretch)
        around = whole + _DOCUMENT * self._documents[stretch.doc_id]
        return [
            ScoredPassage(stretch, start, end, around + _PASSAGE * score)
            for start, end, score in self._scored(stretch)
        ]

    def _scored(self, stretch: Stretch) -> list[tuple[int, int, float]]:
        found = []
        for start, end in cut_passages(stretch.text, stretch.blocks, stretch.start):
            counts, length = self._counted(
                stretch.text[start - stretch.start : end - stretch.start]
            )
            found.append((start, end, self._score(counts, length, self._mean / 2, stretch)))
        return found

    def _counted(self, text: str) -> tuple[Counter[str], int]:
        terms = index_terms(text)
        return Counter(term for term in terms if term in self._keys), len(terms)

    def _score(self, counts: Counter[str], length: int, mean: float, stretch: Stretch) -> float:
        head = self._heads[stretch.title, stretch.headings]
        norm = 1 - _LENGTH + _LENGTH * length / mean
        score = 0.0
        for each in self._asked.terms:
            frequency = _frequency(each, counts) / norm + _frequency(each, head)
            score += each.weight * frequency * (_SATURATION + 1) / (frequency + _SATURATION)
        return score / (self._asked.total * (_SATURATION + 1))

    def _head(self, stretch: Stretch) -> Mapping[str, float]:
        weights: dict[str, float] = defaultdict(float)
        fields = [(stretch.title, _TITLE), (" ".join(stretch.headings), _HEADING)]
        if stretch.headings:
            fields.append((stretch.headings[-1], _LAST_HEADING))
        for text, weight in fields:
            for term in set(index_terms(text)) & self._keys:
                weights[term] += weight
        return weights

    def _document_scores(self, stretches: Sequence[Stretch]) -> Mapping[str, float]:
        """Share of the question found in all candidates of a document together."""
        found: dict[str, set[str]] = defaultdict(set)
        for stretch in stretches:
            counts, _ = self._terms[id(stretch)]
            found[stretch.doc_id] |= {*counts, *self._heads[stretch.title, stretch.headings]}
        total = self._asked.total
        return {
            doc_id: sum(t.weight * _presence(t, terms) for t in self._asked.terms) / total
            for doc_id, terms in found.items()
        }


def _frequency(asked: AskedTerm, counts: Mapping[str, float]) -> float:
    exact = sum(counts.get(form, 0) for form in asked.forms)
    if exact or not asked.parts:
        return exact
    return _PART * min(counts.get(part, 0) for part in asked.parts)


def _presence(asked: AskedTerm, found: set[str]) -> float:
    if any(form in found for form in asked.forms):
        return 1.0
    if not asked.parts:
        return 0.0
    return _PART * sum(part in found for part in asked.parts) / len(asked.parts)
