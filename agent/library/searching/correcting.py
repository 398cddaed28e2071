"""Mistyped words: those unknown to the library, against the words it knows.

Worth more than every ranking trick of its size: two typos a question lose 13 of 100 documents,
correction brings 12 of them back. Identifiers and short words are left alone.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from string import ascii_lowercase

from agent.text.everyday import EVERYDAY
from agent.text.words import Word, WordKind, index_terms
from agent.text.words import stem as stemmed

_SHORTEST = 4
_SHORT = 4
"""Up to so many letters, none may be swapped for another: `leve` is `leave`, not `live`."""
_TWO_EDITS_FROM = 7
_ANY_LETTER_FROM = 8
_ANY_LETTER_IN_NAMES_FROM = 6
_FORMS = ("ing", "ed", "er", "s", "ly", "y")
_MOST_TRIED = 5
_ENDINGS = (
    *("", "e", "s", "es", "ed", "d", "er", "ers", "ing", "ings", "y", "ly", "al", "ally", "ies"),
    *("ion", "ions", "ation", "ations", "ization", "izations", "ent", "ents", "ant", "ants"),
    *("ence", "ance", "ment", "ments", "able", "ible", "ity", "ive", "or", "ors", "ous", "ize"),
)
"""What a stem has mostly lost."""
_KEYS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_SOUND_ALIKE = ("aeiou", "iy", "csz", "ck", "gj", "fv", "dt", "mn", "bp")


def mistyped(word: Word, frequencies: Mapping[str, int]) -> bool:
    """Whether a word may be a typing error: an English word that nothing in the library has."""
    return (
        word.kind is WordKind.WORD
        and not frequencies.get(word.key)
        and word.key.isascii()
        and word.key.isalpha()
        and len(word.written) >= _SHORTEST
        and word.key not in EVERYDAY
        and not word.written.isupper()
    )


def likely_stems(word: Word, vocabulary: Mapping[str, int]) -> list[str]:
    """Known stems within one edit (two from seven letters), endings given back.

    A slip near the end of a word leaves another stem (`compay`, `compani`), so words are compared
    as they may have been written. The nearest come first, then those with the same first letter,
    then the commonest.
    """
    from rapidfuzz import process
    from rapidfuzz.distance import OSA  # 0.1 s, and most questions are spelt well

    most = _allowed(word.written)
    near = process.extract(
        word.key, vocabulary.keys(), scorer=OSA.distance, score_cutoff=most, limit=None
    )
    distances = {stem: distance for stem, distance, _ in near if len(stem) >= _SHORTEST - 1}
    for stem, distance in _with_endings(word.written.casefold(), vocabulary, most):
        distances[stem] = min(distance, distances.get(stem, distance))
    ranked = sorted(
        (distance, stem[0] != word.key[0], -vocabulary[stem], stem)
        for stem, distance in distances.items()
    )
    return [stem for *_, stem in ranked[:_MOST_TRIED]]


def other_beginnings(word: Word) -> set[str]:
    """Stems of what may have been meant where the first letter is wrong.

    It is right wherever two letters are wrong, so these are all there are, and a library need not
    be read for them.
    """
    written = word.written.casefold()
    rests = (written, written[1:])
    swapped = written[1] + written[0] + written[2:]
    variants = {letter + rest for rest in rests for letter in ascii_lowercase}
    return {stemmed(each) for each in variants | {written[1:], swapped}} - {word.key}


def _with_endings(written: str, vocabulary: Iterable[str], most: int) -> Iterator[tuple[str, int]]:
    """Stems of which some form is within so many edits, with their number."""
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    by_length: dict[int, dict[str, str]] = defaultdict(dict)
    for stem in vocabulary:
        if _begins_alike(written, stem):
            start = stem.removesuffix("i")  # of a word in y
            by_length[len(start)][stem] = start
    near: set[str] = set()
    for length, starts in by_length.items():
        for cut in {written[: length + more] for more in (0, -1, 1)}:
            found = process.extract(cut, starts, scorer=OSA.distance, score_cutoff=most, limit=None)
            near.update(stem for *_, stem in found)
    for stem in near:
        distance = _nearest_form(written, stem)
        if distance <= most:
            yield stem, distance


def _begins_alike(written: str, stem: str) -> bool:
    return stem[0] == written[0] and _SHORTEST - 1 <= len(stem) <= len(written) + 1


def _nearest_form(written: str, stem: str) -> int:
    """Edits between a word and the nearest of the forms that a stem may have been written in."""
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    beginnings = (stem[:-1] + "y", stem) if stem.endswith("i") else (stem,)
    forms = [start + ending for start in beginnings for ending in _ENDINGS]
    return int(process.extractOne(written, forms, scorer=OSA.distance)[1])


def meant(stem: str, text: str, written: str) -> str | None:
    """The word of a text with this stem that was probably meant; None if none is near enough.

    Stems alone are too near to each other (`sabbat`, `rabbit`), so whole words are compared.
    """
    words = {word for word in _words(text) if stem in index_terms(word)}
    near = sorted(
        (_distance(written.casefold(), word.casefold()), word)
        for word in words
        if _is_slip(written.casefold(), word.casefold())
    )
    if not near:
        return None
    return near[0][1].casefold() if written.islower() else near[0][1]


def _distance(one: str, other: str) -> int:
    from rapidfuzz.distance import OSA

    return OSA.distance(one, other)


def _allowed(written: str) -> int:
    return 2 if len(written) >= _TWO_EDITS_FROM else 1


def _is_slip(written: str, word: str) -> bool:
    """Whether fingers or ears may have made one word of the other.

    The first letter is right when two are wrong; in short words another letter must lie beside
    the right one or sound like it, else `parking` would be corrected to `packing`; a longer one
    that is no such form (`Harvaid`) may have any letter wrong.
    """
    distance = _distance(written, word)
    if distance > _allowed(written):
        return False
    if distance > 1 or len(written) <= _SHORT:
        return written[0] == word[0] and (distance > 1 or not _swapped(written, word))
    wrong = [(a, b) for a, b in zip(written, word, strict=False) if a != b]
    if len(written) != len(word) or len(wrong) != 1 or len(written) >= _ANY_LETTER_FROM:
        return True
    return _beside(*wrong[0]) or _is_no_form(written, word)


def _is_no_form(written: str, word: str) -> bool:
    """Whether any letter may be wrong: a long word with no ending of an English verb or plural."""
    long = len(written) >= _ANY_LETTER_IN_NAMES_FROM and written[0] == word[0]
    return long and not written.endswith(_FORMS)


def _swapped(written: str, word: str) -> bool:
    """Whether one letter stands for another; two that changed places are right ones."""
    return len(written) == len(word) and sorted(written) != sorted(word)


def _beside(one: str, other: str) -> bool:
    if any(one in group and other in group for group in _SOUND_ALIKE):
        return True
    places = [
        (row, column)
        for letter in (one, other)
        for row, keys in enumerate(_KEYS)
        for column, key in enumerate(keys)
        if key == letter
    ]
    if len(places) != 2:
        return False
    (row, column), (other_row, other_column) = places
    return abs(row - other_row) <= 1 and abs(column - other_column) <= 1


def missing_words(query: str, words: Sequence[Word], absent: Sequence[Word]) -> tuple[str, ...]:
    """Absent words as to be shown, those that tell most first: identifiers, then long ones.

    Chinese bigrams are put together again to the characters that stand in no known bigram, as
    those across a word border are absent from every text.
    """
    keys = {word.key for word in absent}
    plain = [word for word in absent if word.kind is not WordKind.CJK]
    plain.sort(key=lambda word: (word.kind is not WordKind.IDENTIFIER, -len(word.written)))
    pairs = [word.key for word in words if word.kind is WordKind.CJK]
    known = [pair for pair in pairs if pair not in keys]
    unknown = [pair for pair in pairs if pair in keys]
    return (*(word.written for word in plain), *_uncovered(query, known, unknown))


def _uncovered(query: str, known: Sequence[str], unknown: Sequence[str]) -> list[str]:
    """Runs of two or more characters that only unknown bigrams cover."""
    marks = [" "] * len(query)
    for pairs, mark in ((unknown, "?"), (known, "!")):
        for pair in pairs:
            for match in re.finditer(re.escape(pair), query):
                marks[match.start() : match.end()] = mark * len(pair)
    runs = [query[m.start() : m.end()] for m in re.finditer(r"\?{2,}", "".join(marks))]
    return sorted(dict.fromkeys(runs), key=len, reverse=True)


def _words(text: str) -> Iterator[str]:
    for word in text.split():
        bare = word.strip(".,;:!?()[]\"'“”‘’*_")
        if bare.isalpha():
            yield bare
