"""Dates and times of day in English and Chinese text, as comparable keys.

A date that leaves out its year or day is one too (`3 October`, `2026年10月`); `03/10/2026` is read
both ways round, as nobody can know which was meant.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from agent.text.numerals import CHINESE_NUMERAL, chinese_number

_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan", "february feb", "march mar", "april apr", "may", "june jun",
            "july jul", "august aug", "september sept sep", "october oct", "november nov",
            "december dec",
        ),
        start=1,
    )
    for name in names.split()
}  # fmt: skip
_MONTH = rf"(?P<month>{'|'.join(sorted(_MONTHS, key=len, reverse=True))})(?![A-Za-z])\.?"
_ALONE = "|".join(
    name.capitalize() for name in _MONTHS if len(name) > 3 and name not in ("march", "sept")
)
_ORDINAL = r"(?:st|nd|rd|th)?(?![A-Za-z\d])"
_YEAR = r"(?P<year>(?:19|20)\d\d)(?!\d)"
_NOT_IN_NUMBER = r"(?<![\dA-Za-z])(?<!\d[.,:/-])"
_UNTIL = r"\s?(?:-|–|—|~|to|and|until|till|至|到)\s?"
_C = rf"(?:\d{{1,2}}|{CHINESE_NUMERAL})"
_C_YEAR = r"(?P<year>\d{4}|[〇零一二三四五六七八九]{4})\s?年\s?"


_DIGIT = re.compile(r"\d")
_MONTH_NAME = re.compile(rf"\b(?:{_ALONE})\b")


@dataclass(frozen=True, slots=True)
class Moment:
    """A date or time of day as it stands in a text.

    Attributes:
        start, end: half-open offsets.
        kind: `date` or `time`.
        keys: `2026-10-03`, `-10-03`, `2026-10-`; `14:00`; two for a span of days;
            `2026-10-03|2026-03-10` where it can be read both ways.
    """

    start: int
    end: int
    kind: str
    keys: tuple[str, ...]


def moments(text: str) -> Iterator[Moment]:
    """Every date and time, without overlaps, longest forms first. `text` is NFKC."""
    taken = text
    digits, months = bool(_DIGIT.search(text)), bool(_MONTH_NAME.search(text))
    for pattern, kind, read in _FORMS:
        if not (digits or "月" in text or (months and kind == "date")):
            continue
        for match in pattern.finditer(taken):
            if keys := read(match):
                yield Moment(match.start(), match.end(), kind, keys)
                blank = " " * len(match.group())
                taken = taken[: match.start()] + blank + taken[match.end() :]


def date_parts(key: str) -> tuple[str, str, str]:
    """Year, month and day of one reading of a date; empty where left out."""
    year, month, day = key.split("-")
    return year, month, day


def readings(key: str) -> list[str]:
    """The ways a date's key can be read; one for most."""
    return key.split("|")


def agree(one: str, other: str) -> bool:
    """Whether two readings name the same day as far as both say; both must name the month."""
    year, month, day = date_parts(one)
    their_year, their_month, their_day = date_parts(other)
    return month == their_month and _agree(year, their_year) and _agree(day, their_day)


def _agree(one: str, other: str) -> bool:
    return one == other or not one or not other


def _key(year: str, month: int, day: int | None) -> tuple[str, ...]:
    if not 1 <= month <= 12 or (day is not None and not 1 <= day <= 31):
        return ()
    return (f"{year}-{month:02d}-{'' if day is None else f'{day:02d}'}",)


def _int(written: str | None) -> int | None:
    if not written:
        return None
    if written.isdecimal():
        return int(written)
    number = chinese_number(written)
    return None if number is None else int(number)


def _groups(match: re.Match[str]) -> dict[str, str | None]:
    return {"year": None, "day": None, "last": None} | match.groupdict()


def _year(written: str | None) -> str:
    return "" if not written else str(_int(written))


def _days(match: re.Match[str], month: int | None) -> tuple[str, ...]:
    found = _groups(match)
    if month is None:
        return ()
    year, day, last = _year(found["year"]), _int(found["day"]), _int(found["last"])
    if found["day"] and day is None:
        return ()
    return _key(year, month, day) + (_key(year, month, last) if last else ())


def _english(match: re.Match[str]) -> tuple[str, ...]:
    return _days(match, _MONTHS[match["month"].casefold()])


def _chinese(match: re.Match[str]) -> tuple[str, ...]:
    return _days(match, _int(match["month"]))


def _either_way(match: re.Match[str]) -> tuple[str, ...]:
    first, second, year = int(match["first"]), int(match["second"]), match["year"]
    ways = dict.fromkeys(_key(year, second, first) + _key(year, first, second))
    return ("|".join(ways),) if ways else ()


def _time(match: re.Match[str]) -> tuple[str, ...]:
    found = {"minute": None, "half": None, "part": None} | match.groupdict()
    hour, minute = int(match["hour"]), 30 if found["half"] else int(found["minute"] or 0)
    part = (found["part"] or "").casefold().replace(".", "")
    if part in ("pm", "下午", "晚上", "傍晚", "中午") and hour < 12:
        hour += 12
    if part in ("am", "凌晨") and hour == 12:
        hour = 0
    return (f"{hour:02d}:{minute:02d}",) if hour <= 24 and minute < 60 else ()


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE | re.ASCII)


_CHINESE_DAY = rf"(?P<month>{_C})\s?月\s?(?P<day>{_C})\s?[日号號]"
_DAY_FIRST = (
    rf"{_NOT_IN_NUMBER}(?:(?P<last>\d{{1,2}}){_ORDINAL}{_UNTIL})?(?P<day>\d{{1,2}}){_ORDINAL}"
    rf"[\s-](?:of )?{_MONTH}(?:,?[\s-]{_YEAR})?"
)
_MONTH_FIRST = (
    rf"(?<![A-Za-z]){_MONTH}\s(?:the )?(?P<day>\d{{1,2}}){_ORDINAL}(?![:.]\d)"
    rf"(?:{_UNTIL}(?P<last>\d{{1,2}}){_ORDINAL})?(?:,?\s{_YEAR})?"
)
_NUMERIC = rf"{_NOT_IN_NUMBER}(?P<first>\d{{1,2}})(?P<s>[/.-])(?P<second>\d{{1,2}})(?P=s){_YEAR}"
_ISO = rf"{_NOT_IN_NUMBER}{_YEAR}(?P<s>[-/.])(?P<month>\d{{1,2}})(?P=s)(?P<day>\d{{1,2}})(?!\d)"
_CLOCK = rf"{_NOT_IN_NUMBER}(?P<hour>\d{{1,2}}):(?P<minute>\d\d)(?::\d\d)?(?!\d)"
_PART = r"(?P<part>[ap]\.?m)\b\.?"
_CHINESE_PART = r"(?P<part>上午|下午|晚上|傍晚|早上|中午|凌晨)"

_Reader = Callable[[re.Match[str]], tuple[str, ...]]
_FORMS: tuple[tuple[re.Pattern[str], str, _Reader], ...] = (
    (_compiled(_ISO), "date", _chinese),
    (
        _compiled(rf"(?:{_C_YEAR})?{_CHINESE_DAY}(?:{_UNTIL}(?P<last>{_C})\s?[日号號])?"),
        "date",
        _chinese,
    ),
    (_compiled(rf"{_C_YEAR}(?P<month>{_C})\s?月"), "date", _chinese),
    (_compiled(_DAY_FIRST), "date", _english),
    (_compiled(_MONTH_FIRST), "date", _english),
    (_compiled(rf"(?<![A-Za-z]){_MONTH},?[\s-](?:of )?{_YEAR}"), "date", _english),
    (_compiled(_NUMERIC), "date", _either_way),
    (_compiled(rf"(?<![\d个])(?P<month>{_C})\s?月(?!\d)"), "date", _chinese),
    (re.compile(rf"\b(?P<month>{_ALONE})\b"), "date", _english),
    (_compiled(rf"{_CLOCK}(?:\s?{_PART})?"), "time", _time),
    (_compiled(rf"{_NOT_IN_NUMBER}(?P<hour>\d{{1,2}})\s?{_PART}"), "time", _time),
    (
        _compiled(
            rf"{_CHINESE_PART}\s?(?P<hour>\d{{1,2}})\s?[点點时時]"
            r"(?:(?P<half>半)|(?P<minute>\d{1,2})分?)?"
        ),
        "time",
        _time,
    ),
    (
        _compiled(r"(?<!\d)(?P<hour>\d{1,2})[点點](?:(?P<half>半)|(?P<minute>\d{1,2})分)"),
        "time",
        _time,
    ),
)
