"""Finding values in a text: dates and times first, then amounts, names, numbers and words.

Every reader takes its share and leaves blanks behind, so that the day of a date is not read again
as a number of its own.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from decimal import Decimal
from enum import StrEnum
from functools import lru_cache

from agent.text import units
from agent.text.dates import moments
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
    r"|(?<![\w.+-])[\w.+-]++@[\w-]+(?:\.[\w-]+)+"
    r"|(?<![\w/.])(?:~|\.{0,2})/[A-Za-z][\w.-]*(?:/[\w.-]*\w)*"
    r"|(?<![\w#&])#[A-Za-z][\w-]*|(?<![\w@.])@[A-Za-z][\w.-]*\w"
    r"|(?<![\w-])--[A-Za-z][\w-]*"
    r"|(?<![\w])[A-Za-z0-9]*_[\w]*[A-Za-z0-9]"
    r"|(?<!\w)(?<!\w[.-])[A-Za-z0-9][\w-]*(?:\.[\w-]+)*\.(?:com|org|net|io|dev|edu|gov|cn|co|app"
    r"|pdf|docx?|xlsx?|pptx?|md|txt|ya?ml|json|toml|csv|html?|py|sh|local|internal|example)(?![\w-])"
    r"|\d+(?:\.\d+){2,}(?!\w)",
    re.ASCII,
)
_SIGN = re.compile(r"[@#/_.]|--")
_MIXED = re.compile(
    r"(?<!\w)(?=[A-Za-z.\-/+:]{0,40}\d)[A-Za-z0-9]+(?:[.\-/+:][A-Za-z0-9]+)*", re.ASCII
)
_LETTER = re.compile(r"[A-Za-z]")
_PLAIN_COMPOUND = re.compile(r"(?:[a-z]{2,}|\d+)(?:[-/+:](?:[a-z]{2,}|\d+))+|\d+(?:[-/:]\d+)+")
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


@lru_cache(maxsize=512)
def read(text: str) -> tuple[Value, ...]:
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
    text = _WEEKDAY.sub(lambda day: " " * len(day.group()), text)
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
