"""What a question weighs: its terms and how much each tells.

A term that the library does not know weighs most: whoever asks for "pet insurance" where no pet
is mentioned is not answered by a page on insurance.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from agent.domain import Term
from agent.text.lightwords import lightness
from agent.text.words import Word, WordKind

_COMMON_SHARE = 0.1
_RARER_NEEDED = 2
_MOST_ROWS = 100_000
"""Rows that one query ranks at most: a tenth of a second, however large the library is."""


def weigh(
    words: Sequence[Word],
    frequencies: Mapping[str, int],
    rows: int,
    also: Mapping[str, Sequence[str]],
    kin: Mapping[str, Sequence[str]] | None = None,
) -> tuple[Term, ...]:
    """The terms of a question with their weights.

    Args:
        words: of the question.
        frequencies: in how many rows of the index each form stands; unknown ones are left out.
        rows: how many rows the index has.
        also: by the indexed form of a word, others that count as the same.
        kin: the same for derived forms and synonyms, which count half.
    """
    weights = {form: idf(count, rows) for form, count in frequencies.items() if count}
    unknown = idf(0, rows)
    return tuple(
        _weigh(word, weights, (also.get(word.key, ()), (kin or {}).get(word.key, ())), unknown)
        for word in _telling(words, frequencies)
    )


def idf(frequency: int, rows: int) -> float:
    """Inverse document frequency, above 0 for every term."""
    return math.log(1 + (rows - min(frequency, rows) + 0.5) / (frequency + 0.5))


def searched(
    words: Sequence[Word], frequencies: Mapping[str, int], rows: int, also: Iterable[str]
) -> dict[str, float]:
    """Forms to look up in the index with their weights.

    Very common ones are left out where two rarer ones remain: the candidates stay the same and
    the query is twice as fast. Rare terms come first, so that a bounded number of rows is ranked.
    """
    forms = [form for word in words for form in (word.key, *word.parts)]
    light = {word.key: lightness(word.written) for word in words}
    weights = {
        form: idf(frequencies[form], rows) * light.get(form, 1.0)
        for form in (*forms, *also)
        if frequencies.get(form)
    }
    rare = {form: w for form, w in weights.items() if frequencies[form] <= rows * _COMMON_SHARE}
    return _bounded(rare if len(rare) >= _RARER_NEEDED else weights, frequencies)


def _bounded(weights: dict[str, float], frequencies: Mapping[str, int]) -> dict[str, float]:
    """As many of the rarest as stand in a bounded number of rows, two in any case."""
    rows = 0
    kept: dict[str, float] = {}
    for form in sorted(weights, key=lambda form: frequencies[form]):
        rows += frequencies[form]
        if rows <= _MOST_ROWS or len(kept) < _RARER_NEEDED:
            kept[form] = weights[form]
    return kept


def _weigh(
    word: Word,
    weights: Mapping[str, float],
    others: tuple[Sequence[str], Sequence[str]],
    unknown: float,
) -> Term:
    forms = (word.key, *others[0])
    kin = tuple(form for form in others[1] if form in weights)
    parts = tuple(part for part in word.parts if part in weights)
    known = [weights[form] for form in forms if form in weights]
    near = [weights[form] for form in (*parts, *kin)]
    weight = min(known) if known else max(near, default=unknown)
    weight *= lightness(word.written)
    return Term(word.written, forms, weight, parts, bool(known or kin), weight / unknown, kin)


def _telling(words: Sequence[Word], frequencies: Mapping[str, int]) -> list[Word]:
    """Without the bigrams across Chinese word borders: unknown, between two known ones."""
    return [
        word
        for place, word in enumerate(words)
        if word.kind is not WordKind.CJK
        or frequencies.get(word.key)
        or not _covered(words, place, frequencies)
    ]


def _covered(words: Sequence[Word], place: int, frequencies: Mapping[str, int]) -> bool:
    """Whether known bigrams stand on both sides, at most one character between them."""
    return any(
        _bridged([word.key for word in words[first : first + length]], frequencies)
        for length in (3, 4)
        for first in range(max(0, place - length + 2), place)
    )


def _bridged(run: Sequence[str], frequencies: Mapping[str, int]) -> bool:
    """Whether a run of overlapping bigrams is known at its two ends."""
    joined = all(len(a) == 2 and a[-1] == b[0] for a, b in pairwise(run))
    return len(run) > 2 and joined and all(frequencies.get(run[end]) for end in (0, -1))
