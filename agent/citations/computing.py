"""Values that an answer works out before the reader's eyes: `9 November + 30 days = 9 December`.

Such a value stands in no quote, but everybody can redo the sum. It counts as known where the sum is
right and each of its operands stands in the evidence or was worked out before it.
"""

import calendar
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta
from fractions import Fraction

from agent.text.dates import date_parts, readings
from agent.text.readers import Value, ValueKind, read
from agent.text.values import foreign

_OPERATOR = re.compile(
    r"\s*(?:(?P<plus>[+加])|(?P<minus>[-−–—减])|(?P<times>[×x*✕·乘])|(?P<by>[÷/]|除以)"
    r"|(?P<until>to|until|till|→|至|到))\s*",
    re.IGNORECASE,
)
_EQUALS = re.compile(r"\s*(?:=|即|等于|得|为|是|is|are|makes|equals)\s*", re.IGNORECASE)
_LISTS = re.compile(r"[^\[\]:.。\n]{1,60}:")
_LIST_ENDS = re.compile(r"(?<!\d)\.(?=\s|$)|。|\n\s*\n")
_MARK = re.compile(r"\[(\d{1,3})\]")
_DAYS = {"": 1, "day": 1, "week": 7}
_MONTHS = {"month": 1, "quarter": 3, "year": 12}
_CALENDAR = "7 12 24 52 60 365"
"""Days a week, months a year, hours a day and the like: nobody needs to quote them."""
_ANY_YEAR = 2001
"""For dates of which no text names the year; not a leap year."""


def computed(answer: str, sources: Sequence[str]) -> tuple[str, ...]:
    """Results of right sums in an answer, as written there.

    Args:
        answer: may hold sums like `3 × 50 = 150` and `30 November to 9 December = 9 days`.
        sources: texts whose values operands may be.
    """
    text = unicodedata.normalize("NFKC", answer)
    if not re.search(_EQUALS, text):
        return ()
    years = _years(sources)
    known: list[str] = []
    for operands, operators, result in _sums(text):
        written = "; ".join(value.written for value in operands)
        known_ones = (*sources, _CALENDAR, *known)
        if not foreign(written, known_ones) and _holds(operands, operators, result, years):
            known.append(result.written)
    return tuple(known)


def counted(answer: str) -> tuple[str, ...]:
    """Counts in an answer of what it then lists: `three policies: A [1], B [2] and C [3]`.

    Args:
        answer: with its `[n]` markers, by which the things listed are told apart.
    """
    text = unicodedata.normalize("NFKC", answer)
    plain = (v for v in _in_order(text) if v.kind is ValueKind.NUMBER and not v.unit)
    found = ((value, _LISTS.match(text, value.start)) for value in plain)
    return tuple(
        value.written
        for value, lead in found
        if lead and _listed(text[lead.end() :]) == Fraction(value.key)
    )


def _listed(rest: str) -> int:
    """How many different footnotes the list at the beginning of a text has, each at its item."""
    end = _LIST_ENDS.search(rest)
    items = rest[: end.start()] if end else rest
    return len(dict.fromkeys(_MARK.findall(items)))


def _sums(text: str) -> Iterator[tuple[list[Value], list[str], Value]]:
    """Operands, the operators between them, and what they are said to make."""
    operands: list[Value] = []
    operators: list[str] = []
    end = 0
    for value in _in_order(text):
        between = text[end : value.start]
        end = value.start + len(value.written)
        operator = _OPERATOR.fullmatch(between)
        if operands and operator and operator.lastgroup:
            operands.append(value)
            operators.append(operator.lastgroup)
            continue
        if operators and _EQUALS.fullmatch(between):
            yield operands, operators, value
        operands, operators = [value], []


def _in_order(text: str) -> list[Value]:
    """The values of a text, without the pieces that longer ones are made of."""
    whole = [value for value in read(text) if value.unit != "part" and _counts(value)]
    return sorted({value.start: value for value in reversed(whole)}.values(), key=lambda v: v.start)


def _counts(value: Value) -> bool:
    return value.kind in (ValueKind.DATE, ValueKind.NUMBER)


def _holds(
    operands: Sequence[Value], operators: Sequence[str], result: Value, years: Iterable[int]
) -> bool:
    if all(value.kind is ValueKind.NUMBER for value in (*operands, result)):
        return _sum_holds(operands, operators, result)
    if len(operands) != 2:
        return False
    return any(_dates_hold((*operands, result), operators[0], year) for year in years)


def _sum_holds(operands: Sequence[Value], operators: Sequence[str], result: Value) -> bool:
    units = {value.unit for value in operands if value.unit}
    if "until" in operators or (result.unit and units and result.unit not in units):
        return False
    terms = [Fraction(operands[0].key)]
    for operator, value in zip(operators, operands[1:], strict=True):
        number = Fraction(value.key)
        if operator in ("plus", "minus"):
            terms.append(number if operator == "plus" else -number)
        elif operator == "times":
            terms[-1] *= number
        elif number:
            terms[-1] /= number
        else:
            return False
    return sum(terms) == Fraction(result.key)


def _dates_hold(values: Sequence[Value], operator: str, year: int) -> bool:
    first, second, result = values
    start = _day(first, year)
    if start is None:
        return False
    if result.kind is ValueKind.NUMBER:
        other = _day(second, start.year)
        return other is not None and _apart(start, other, result)
    if second.kind is not ValueKind.NUMBER or operator not in ("plus", "minus"):
        return False
    end = _moved(start, second, -1 if operator == "minus" else 1)
    return end is not None and _is_named(end, result)


def _apart(one: date, other: date, result: Value) -> bool:
    """Whether so many whole days, weeks, months or years lie between two days."""
    start, end = sorted((one, other))
    if result.unit in _DAYS:
        return (end - start).days // _DAYS[result.unit] == Fraction(result.key)
    if result.unit not in _MONTHS:
        return False
    months = 12 * (end.year - start.year) + end.month - start.month - (end.day < start.day)
    return months // _MONTHS[result.unit] == Fraction(result.key)


def _moved(start: date, span: Value, sign: int) -> date | None:
    count = Fraction(span.key)
    if count.denominator != 1 or abs(count) > 100_000:
        return None
    try:
        if span.unit in _DAYS:
            return start + timedelta(days=sign * int(count) * _DAYS[span.unit])
        if span.unit not in _MONTHS:
            return None
        months = 12 * start.year + start.month - 1 + sign * int(count) * _MONTHS[span.unit]
        year, month = divmod(months, 12)
        last = calendar.monthrange(year, month + 1)[1]
        return date(year, month + 1, min(start.day, last))
    except (OverflowError, ValueError, calendar.IllegalMonthError):
        return None


def _day(value: Value, year: int) -> date | None:
    if value.kind is not ValueKind.DATE:
        return None
    own, month, day = date_parts(readings(value.key)[0])
    try:
        return date(int(own or year), int(month), int(day))
    except ValueError:
        return None


def _is_named(day: date, named: Value) -> bool:
    if named.kind is not ValueKind.DATE:
        return False
    parts = (date_parts(reading) for reading in readings(named.key))
    return any(
        (year or str(day.year), month, number)
        == (str(day.year), f"{day.month:02d}", f"{day.day:02d}")
        for year, month, number in parts
    )


def _years(sources: Iterable[str]) -> frozenset[int]:
    """Years that the dates in these texts name."""
    dates = (v for text in sources for v in read(unicodedata.normalize("NFKC", text)))
    keys = (value.key for value in dates if value.kind is ValueKind.DATE)
    named = {date_parts(reading)[0] for key in keys for reading in readings(key)}
    return frozenset(int(year) for year in named if year) or frozenset((_ANY_YEAR,))
