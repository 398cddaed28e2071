"""Numbers, dates, amounts and identifiers of a text as values that can be compared.

An answer may say 1.5 million where its source says 150万, or 10月3日 where it says 3 October; it
must not say 14 where no source does. Two weeks and 14 days are two values all the same: whoever
converts must show it.

Reading is generous with sources (a year inside a date is a number too) and careful with answers
(`one` in "this one" claims nothing): see `Value.weak`.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from decimal import Decimal
from enum import StrEnum
from functools import lru_cache

from agent.text import units
from agent.text.dates import agree, date_parts, moments, readings
from agent.text.folding import find
from agent.text.numerals import (
    CHINESE_NUMERAL,
    ENGLISH_NUMERAL,
    ENGLISH_ORDINAL,
    chinese_number,
    english_numbers,
    english_ordinal,
)


class ValueKind(StrEnum):
    """What a value is."""

    NUMBER = "number"
    DATE = "date"
    TIME = "time"
    IDENTIFIER = "identifier"


@dataclass(frozen=True, slots=True)
class Value:
    """One value of a text; equal values are the same fact, however written.

    Attributes:
        key: `1500000`, `2026-10-03`, `14:00`, `s2`.
        unit: of a number: `day`, `USD`, `%`; empty where none is written; `part` for a number
            that is a piece of a date, a time or an identifier.
        written: as it stands in the text (NFKC).
        weak: counts in a source, claims nothing in an answer (`first`, 一个).
        start: offset in the text (NFKC).
    """

    kind: ValueKind
    key: str
    unit: str = ""
    written: str = field(default="", compare=False)
    weak: bool = field(default=False, compare=False)
    start: int = field(default=0, compare=False)


_DIGITS = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\d,])|\d+(?:\.\d+)?"
_NO_WORD_BEFORE = r"(?<![A-Za-z\d_])(?<!\d[.,])"
_IGNORE = re.IGNORECASE | re.ASCII

_IDENTIFIER = re.compile(
    r"(?:https?://|www\.)[^\s<>\"'()\[\]，。；、！？]*[^\s<>\"'()\[\]，。；、！？.,;:!?]"
    r"|[\w.+-]+@[\w-]+(?:\.[\w-]+)+"
    r"|(?<![\w/.])(?:~|\.{0,2})/[A-Za-z][\w.-]*(?:/[\w.-]*\w)*"
    r"|(?<![\w#&])#[A-Za-z][\w-]*|(?<![\w@.])@[A-Za-z][\w.-]*\w"
    r"|(?<![\w-])--[A-Za-z][\w-]*"
    r"|(?<![\w])[A-Za-z0-9]*_[\w]*[A-Za-z0-9]"
    r"|(?<!\w)[A-Za-z0-9][\w-]*(?:\.[\w-]+)*\.(?:com|org|net|io|dev|edu|gov|cn|co|app|pdf|docx?"
    r"|xlsx?|pptx?|md|txt|ya?ml|json|toml|csv|html?|py|sh|local|internal|example)(?![\w-])"
    r"|\d+(?:\.\d+){2,}(?!\w)",
    re.ASCII,
)
_SIGN = re.compile(r"[@#/_.]|--")
_MIXED = re.compile(
    r"(?<!\w)(?=[A-Za-z.\-/+:]{0,40}\d)[A-Za-z0-9]+(?:[.\-/+:][A-Za-z0-9]+)*", re.ASCII
)
_LETTER = re.compile(r"[A-Za-z]")
_PLAIN_COMPOUND = re.compile(r"(?:[a-z]{2,}|\d+)(?:[-/+:](?:[a-z]{2,}|\d+))+|\d+(?:[-/:]\d+)+")
_MARKERS = re.compile(r"\[\d+\]|^[ \t]*[(（]?\d{1,2}[.)、）](?!\d)", re.MULTILINE)
_AMOUNT = re.compile(
    rf"(?P<currency>{units.PREFIX})\s?(?P<number>{_DIGITS})"
    rf"(?:\s?(?P<power>{units.MONEY_POWER}))?(?:\s?(?P<unit>{units.SUFFIX}))?",
    _IGNORE,
)
_NUMBER = re.compile(
    rf"{_NO_WORD_BEFORE}(?P<sign>(?<!\S)-)?(?P<number>{_DIGITS})(?:[ -]?(?P<power>{units.POWER}))?"
    rf"(?:\s?[)）])?(?:[ -]?{units.ADJECTIVES}(?P<unit>{units.SUFFIX}))?"
    r"(?P<ordinal>(?:st|nd|rd|th)(?![A-Za-z]))?(?![A-Za-z_]|\d)",
    _IGNORE,
)
_SHARE = re.compile(rf"百分之\s?(?P<number>{_DIGITS}|{CHINESE_NUMERAL})")
_ENGLISH = re.compile(
    rf"(?<![A-Za-z-])(?P<number>{ENGLISH_NUMERAL})(?![A-Za-z])"
    rf"(?:[ -]{units.ADJECTIVES}(?P<unit>{units.SUFFIX}))?",
    _IGNORE,
)
_SINGLE = re.compile(
    r"(?<![A-Za-z])(?:an?|per|each|every)[ -](?P<unit>day|week|month|quarter|year|hour|minute)"
    r"(?![A-Za-z])",
    _IGNORE,
)
_ORDINALS = re.compile(rf"(?<![A-Za-z])(?:{ENGLISH_ORDINAL})(?![A-Za-z])", _IGNORE)
_MEASURES = (
    "个名人位次项条种类份倍页台张件家步章节级层楼岁届期轮号字套组把只间所场代部元块年天日周秒"
)
_CHINESE = re.compile(
    rf"(?P<rank>第)?(?P<number>{CHINESE_NUMERAL})"
    rf"(?:\s?(?P<unit>{units.SUFFIX})|(?P<measure>[{_MEASURES}]))?"
)
_WEEKDAY = re.compile(r"(?:周|星期|礼拜)[一二三四五六日天](?![个次天周])")
_RANGE = re.compile(r"\s?(?:-|–|—|~|to|or|and|至|到|或)\s?")


def values(text: str) -> frozenset[Value]:
    """All values of a text, weak ones and the pieces of dates and identifiers among them."""
    return frozenset(_read(unicodedata.normalize("NFKC", text)))


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
    claimed = _read(_MARKERS.sub(_blank, unicodedata.normalize("NFKC", answer)))
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


# ---------------------------------------------------------------- reading


def _blank(match: re.Match[str]) -> str:
    return " " * len(match.group())


@lru_cache(maxsize=512)
def _read(text: str) -> tuple[Value, ...]:
    """Values in `text` (NFKC). What one reader took is blank for those that follow."""
    found: list[Value] = []
    left = text
    for reader in _readers(text):
        taken = list(reader(left))
        found += taken
        for value in taken:
            end = value.start + len(value.written)
            left = left[: value.start] + " " * len(value.written) + left[end:]
    return tuple(_with_range_units(found, text))


def _readers(text: str) -> Iterator[Callable[[str], Iterator[Value]]]:
    """The readers that can find something in a text, in the order they take their shares."""
    digits = any(map(str.isdigit, text))
    yield _moments
    if digits or "百分" in text:
        yield _amounts
    if digits or _SIGN.search(text):
        yield _identifiers
    if digits:
        yield _numbers
    yield _spelled
    if not text.isascii():
        yield _chinese


def _moments(text: str) -> Iterator[Value]:
    for moment in moments(text):
        written = text[moment.start : moment.end]
        kind = ValueKind(moment.kind)
        for key in moment.keys:
            yield Value(kind, key, "", written, False, moment.start)
            yield from _pieces(key, written, moment.start)


def _pieces(key: str, written: str, start: int) -> Iterator[Value]:
    for digits in re.findall(r"\d+", key):
        yield Value(ValueKind.NUMBER, _plain(Decimal(digits)), "part", written, True, start)


def _amounts(text: str) -> Iterator[Value]:
    for match in _AMOUNT.finditer(text):
        unit = units.unit_of(match["unit"] or "") or units.unit_of(match["currency"])
        yield _number(match, unit)
    for match in _SHARE.finditer(text):
        number = _decimal(match["number"])
        if number is not None:
            yield _value(number, "%", match)


def _identifiers(text: str) -> Iterator[Value]:
    for match in _IDENTIFIER.finditer(text):
        yield from _identifier(match)
        text = text[: match.start()] + " " * len(match.group()) + text[match.end() :]
    for match in _MIXED.finditer(text):
        word = match.group()
        numeric = _NUMBER.match(text, match.start())
        if not _is_mixed(word) or (numeric and numeric.end() >= match.end()):
            continue
        yield from _identifier(match)


def _is_mixed(word: str) -> bool:
    return bool(_LETTER.search(word)) and not _PLAIN_COMPOUND.fullmatch(word)


def _identifier(match: re.Match[str]) -> Iterator[Value]:
    written = match.group()
    key = written.casefold()
    yield Value(ValueKind.IDENTIFIER, key, "", written, False, match.start())
    yield from _pieces(key, written, match.start())


def _numbers(text: str) -> Iterator[Value]:
    for match in _NUMBER.finditer(text):
        unit = units.unit_of(match["unit"] or "")
        if unit == "year" and re.fullmatch(r"(?:19|20)\d\d", match["number"]):
            unit = ""
        value = _number(match, unit)
        yield replace(value, key=f"-{value.key}") if match["sign"] else value


def _number(match: re.Match[str], unit: str) -> Value:
    power = units.POWERS.get((match["power"] or "").casefold(), 1)
    return _value(Decimal(match["number"].replace(",", "")) * power, unit, match)


def _spelled(text: str) -> Iterator[Value]:
    for match in _ENGLISH.finditer(text):
        unit = units.unit_of(match["unit"] or "")
        numbers = english_numbers(match["number"])
        for number in numbers:
            lone = number <= 1 and not unit
            yield _value(number, unit if number == numbers[-1] else "", match, weak=lone)
    for match in _SINGLE.finditer(text):
        yield _value(Decimal(1), units.unit_of(match["unit"]), match, weak=True)
    for match in _ORDINALS.finditer(text):
        yield _value(english_ordinal(match.group()), "", match, weak=True)


def _chinese(text: str) -> Iterator[Value]:
    text = _WEEKDAY.sub(_blank, text)
    for match in _CHINESE.finditer(text):
        number = chinese_number(match["number"])
        if number is not None:
            unit = units.unit_of(match["unit"] or "")
            yield _value(number, unit, match, weak=not _claims(match, number))


def _claims(match: re.Match[str], number: Decimal) -> bool:
    """Whether Chinese numerals are a number and not a piece of a word (一般, 十分, 四川)."""
    if match["rank"] or number <= 1:
        return False
    if match["unit"] or match["measure"]:
        return True
    return len(match["number"]) > 1 and not match["number"].startswith(("千", "万", "百"))


def _decimal(written: str) -> Decimal | None:
    if written[0].isdecimal():
        return Decimal(written.replace(",", ""))
    return chinese_number(written)


def _value(number: Decimal, unit: str, match: re.Match[str], *, weak: bool = False) -> Value:
    return Value(ValueKind.NUMBER, _plain(number), unit, match.group(), weak, match.start())


def _plain(number: Decimal) -> str:
    return format(number.normalize(), "f")


def _with_range_units(found: list[Value], text: str) -> Iterator[Value]:
    """`7–10 days`: the first number of a range counts what the last one counts."""
    numbers = {value.start: value for value in found if value.kind is ValueKind.NUMBER}
    for start in sorted(numbers, reverse=True):
        value = numbers[start]
        gap = _RANGE.match(text, start + len(value.written))
        following = numbers.get(gap.end()) if gap else None
        if following is not None and not value.unit:
            numbers[start] = replace(value, unit=following.unit)
    for value in found:
        changed = numbers.get(value.start, value)
        yield changed if (changed.kind, changed.key) == (value.kind, value.key) else value
