"""Words that a library may use for one of the question: derived forms and everyday synonyms.

Stems keep `accurate` from `accuracy`. Such a kin counts half, and only where the library does not
know the word itself.
"""

from bisect import bisect_left
from collections.abc import Container, Sequence

from agent.text.words import Word, stem

_SHORTEST_STEM = 5
_LONGEST_ENDING = 4
_MOST = 4
_ENDINGS = frozenset("aeiouy")
"""An ending begins with a vowel, a second word mostly does not."""
_SYNONYMS = (
    "vacation leave holiday",
    "maternity paternity parental",
    "salary wage pay",
    "illness sickness sick ill",
    "resign quit",
)
"""Groups of everyday words that stand for one another."""


def kin_of(word: Word, vocabulary: Sequence[str], known: Container[str] = ()) -> tuple[str, ...]:
    """Stems of the library near in meaning to a word that it does not know.

    Args:
        word: of a question.
        vocabulary: the library's stems that begin with the same letter, sorted.
        known: which of the synonyms (`synonyms_of`) the library has.
    """
    found = _derived(word.key, vocabulary)
    found += [each for each in synonyms_of(word) if each in known]
    return tuple(found[:_MOST])


def synonyms_of(word: Word) -> tuple[str, ...]:
    """Stems of everyday words that stand for this one."""
    return _SAME.get(word.key, ())


def _derived(key: str, vocabulary: Sequence[str]) -> list[str]:
    """Stems of which one is the beginning of the other: `accur` of `accuraci`, no `childcar`."""
    if len(key) < _SHORTEST_STEM:
        return []
    shortest = max(_SHORTEST_STEM, len(key) - _LONGEST_ENDING)
    shorter = [key[:end] for end in range(shortest, len(key)) if key[end] in _ENDINGS]
    found = [each for each in shorter if _stands(each, vocabulary)]
    place = bisect_left(vocabulary, key)
    while place < len(vocabulary) and vocabulary[place].startswith(key):
        ending = vocabulary[place][len(key) :]
        if len(ending) <= _LONGEST_ENDING and ending[:1] in _ENDINGS:
            found.append(vocabulary[place])
        place += 1
    return found


def _stands(form: str, vocabulary: Sequence[str]) -> bool:
    place = bisect_left(vocabulary, form)
    return place < len(vocabulary) and vocabulary[place] == form


def _same() -> dict[str, tuple[str, ...]]:
    groups = [tuple(stem(word) for word in group.split()) for group in _SYNONYMS]
    return {form: tuple(o for o in group if o != form) for group in groups for form in group}


_SAME = _same()
