"""BM25 over texts in memory, as everybody knows it."""

from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence
from math import log
from typing import TypeVar

from agent.text.words import index_terms, query_terms

_K1 = 0.9
_B = 0.4
"""What is usual for passages; stronger here than the 1.2 and 0.75 of whole documents."""
_FUSED_K = 60

Item = TypeVar("Item", bound=Hashable)


class Bm25:
    """Ranks texts by the words of a question; English stems, Chinese character pairs."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._lengths = []
        self._places: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for at, text in enumerate(texts):
            counted = Counter(index_terms(text))
            self._lengths.append(sum(counted.values()))
            for term, count in counted.items():
                self._places[term].append((at, count))
        self._mean = sum(self._lengths) / max(1, len(texts)) or 1.0

    def best(self, question: str, limit: int) -> list[int]:
        """Places of the best texts, best first; those that share no word are left out."""
        scores: dict[int, float] = defaultdict(float)
        for term in {word.key for word in query_terms(question)}:
            found = self._places.get(term, [])
            rarity = log(1 + (len(self._lengths) - len(found) + 0.5) / (len(found) + 0.5))
            for at, count in found:
                length = 1 - _B + _B * self._lengths[at] / self._mean
                scores[at] += rarity * count * (_K1 + 1) / (count + _K1 * length)
        return sorted(scores, key=lambda at: (-scores[at], at))[:limit]


def fused(*rankings: Sequence[Item]) -> list[Item]:
    """Rankings as one, by reciprocal rank."""
    scores: dict[Item, float] = defaultdict(float)
    for ranking in rankings:
        for rank, item in enumerate(ranking, start=1):
            scores[item] += 1 / (_FUSED_K + rank)
    return sorted(scores, key=lambda item: -scores[item])
