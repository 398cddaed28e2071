"""Numbers, dates, amounts and identifiers of a text as values that can be compared.

An answer may say 1.5 million where its source says 150万, or 10月3日 where it says 3 October; it
must not say 14 where no source does. Two weeks and 14 days are two values all the same: whoever
converts must show it.

Reading is generous with sources (a year inside a date is a number too) and careful with answers
(`one` in "this one" claims nothing): see `Value.weak`.
"""

import re
import unicodedata
from collections.abc import Iterable

from agent.text.dates import agree, date_parts, readings
from agent.text.folding import find
from agent.text.readers import Value, ValueKind, read

__all__ = ["Value", "ValueKind", "foreign", "values"]

_MARKERS = re.compile(r"\[\d+\]|^[ \t]*[(（]?\d{1,2}[.)、）](?!\d)", re.MULTILINE)


def values(text: str) -> frozenset[Value]:
    """All values of a text, weak ones and the pieces of dates and identifiers among them."""
    return frozenset(read(unicodedata.normalize("NFKC", text)))


def foreign(answer: str, sources: Iterable[str]) -> tuple[str, ...]:
    """Values of an answer that stand in none of the sources.

    Args:
        answer: with or without `[n]` markers and list numbers, which are no values.
        sources: quotes, headings, paths, the question.

    Returns:
        The values as written in the answer, in order, each once.
    """
    texts = list(sources)
    known = [value for text in texts for value in values(text)]
    claimed = read(_MARKERS.sub(_blank, unicodedata.normalize("NFKC", answer)))
    missing = [
        value.written
        for value in sorted(claimed, key=lambda value: value.start)
        if not value.weak and not _stands(value, known, texts)
    ]
    return tuple(dict.fromkeys(missing))


def _stands(value: Value, known: list[Value], texts: list[str]) -> bool:
    if value.kind is ValueKind.DATE:
        return _date_stands(value, known)
    if value.kind is ValueKind.IDENTIFIER:
        return value in known or any(find(value.written, text) for text in texts)
    return any(_same(value, other) for other in known)


def _same(value: Value, other: Value) -> bool:
    if (value.kind, value.key) != (other.kind, other.key):
        return False
    return value.unit == other.unit or not value.unit or not other.unit or _yen(value, other)


def _yen(value: Value, other: Value) -> bool:
    """¥ is written for yuan and for yen."""
    return {value.unit, other.unit} in ({"¥", "CNY"}, {"¥", "JPY"})


def _date_stands(value: Value, known: list[Value]) -> bool:
    return any(
        _day_stands(reading, theirs, known)
        for other in known
        if other.kind is ValueKind.DATE
        for theirs in readings(other.key)
        for reading in readings(value.key)
    )


def _day_stands(date: str, other: str, known: list[Value]) -> bool:
    """Month and day must be those of the other date; the year may also be known by itself."""
    if not agree(date, other):
        return False
    year, _, day = date_parts(date)
    their_year, _, their_day = date_parts(other)
    if day and not their_day:
        return False
    return not year or bool(their_year) or _number_known(year, known)


def _number_known(number: str, known: list[Value]) -> bool:
    return any(
        value.kind is ValueKind.NUMBER and value.key == number and value.unit in ("", "part")
        for value in known
    )


def _blank(match: re.Match[str]) -> str:
    return " " * len(match.group())
