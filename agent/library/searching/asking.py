"""What a question weighs: its terms and how much each tells.

A term that the library does not know weighs most: whoever asks for "pet insurance" where no pet
is mentioned is not answered by a page on insurance.
"""

import math
from collections.abc import Iterable, Mapping, Sequence

from agent.domain import Term
from agent.text.words import Word, WordKind

_COMMON_SHARE = 0.1
_RARER_NEEDED = 2


def weigh(
    words: Sequence[Word],
    frequencies: Mapping[str, int],
    rows: int,
    also: Mapping[str, Sequence[str]],
) -> tuple[Term, ...]:
    """The terms of a question with their weights.

    Args:
        words: of the question.
        frequencies: in how many rows of the index each form stands; unknown ones are left out.
        rows: how many rows the index has.
        also: by the indexed form of a word, others that count as the same.
    """
    unknown = idf(0, rows)
    return tuple(
        _weigh(word, frequencies, rows, tuple(also.get(word.key, ())), unknown)
        for word in _telling(words, frequencies)
    )


def idf(frequency: int, rows: int) -> float:
    """Inverse document frequency, above 0 for every term."""
    return math.log(1 + (rows - min(frequency, rows) + 0.5) / (frequency + 0.5))


def searched(
    words: Iterable[Word], frequencies: Mapping[str, int], rows: int, also: Iterable[str]
) -> dict[str, float]:
    """Forms to look up in the index with their weights.

    Very common ones are left out where two rarer ones remain: the candidates stay the same and
    the query is twice as fast.
    """
    forms = [form for word in words for form in (word.key, *word.parts)]
    weights = {
        form: idf(frequencies[form], rows) for form in (*forms, *also) if frequencies.get(form)
    }
    rare = {form: w for form, w in weights.items() if frequencies[form] <= rows * _COMMON_SHARE}
    return rare if len(rare) >= _RARER_NEEDED else weights


def _weigh(
    word: Word,
    frequencies: Mapping[str, int],
    rows: int,
    also: tuple[str, ...],
    unknown: float,
) -> Term:
    forms = (word.key, *also)
    parts = tuple(part for part in word.parts if frequencies.get(part))
    known = [idf(frequencies[form], rows) for form in forms if frequencies.get(form)]
    of_parts = [idf(frequencies[part], rows) for part in parts]
    weight = min(known) if known else max(of_parts, default=unknown)
    return Term(word.written, forms, weight, parts, bool(known), weight / unknown)


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
    key = words[place].key
    before = words[place - 1].key if place else ""
    after = words[place + 1].key if place + 1 < len(words) else ""
    return bool(
        (before[-1:] == key[0] and after[:1] == key[-1])
        and frequencies.get(before)
        and frequencies.get(after)
    )
