"""Dates and times as their cells show them.

What the machine's own settings would decide (Excel's short date and the like) is shown as in ISO
8601, as nobody knows whose machine it was.
"""

import datetime
import re
from functools import lru_cache

from connectors.formats.sheet.formats import FORMAT_CHARS

_TOKEN = re.compile(
    r'"[^"]*"|\\.|[_*].|\[\$-?[^\]]*\]|\[(?:h+|m+|s+)\]|\[[^\]]*\]|AM/PM|A/P|上午/下午'
    r"|y+|m+|d+|h+|s+|\.0+|b+|e+|g+|.",
    re.IGNORECASE | re.DOTALL,
)
_SYSTEM = re.compile(r"mm-dd-yy|m/d/yy(?: h:mm)?|\[\$-F[48]00\].*", re.IGNORECASE)
"""Formats that stand for whatever the reader's machine is set to."""
_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July", "August", "September"),
    *("October", "November", "December"),
)
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")

Moment = datetime.datetime | datetime.date | datetime.time


def moment(value: Moment, form: str) -> str:
    """A date or time of day in a format of Excel."""
    point = _point(value)
    if _SYSTEM.fullmatch(form.split(";")[0]) or not _tokens(form):
        return _plain(value)
    tokens = _tokens(form)
    half = any(each.upper() in ("AM/PM", "A/P", "上午/下午") for each in tokens)
    shown = "".join(_shown(tokens, at, point, half=half) for at in range(len(tokens)))
    return " ".join(shown.split())


def span(value: datetime.timedelta, form: str) -> str:
    """A stretch of time, whose hours go on beyond 24 in formats such as `[h]:mm`."""
    seconds = int(abs(value.total_seconds()) + 0.5)
    parts = []
    tokens = _tokens(form)
    largest = next((t[1].lower() for t in tokens if re.fullmatch(r"\[[hms]+\]", t, re.I)), "")
    for at, token in enumerate(tokens):
        bare = token.strip("[]").lower()
        if bare and bare[0] in "hms" and set(bare) <= set(bare[0]):
            parts.append(_stretch(bare, seconds, largest))
        else:
            parts.append(_literal(token, at))
    sign = "-" if value.total_seconds() < 0 else ""
    return sign + "".join(parts).strip() if parts else str(value)


def _stretch(token: str, seconds: int, largest: str) -> str:
    unit = token[0]
    amount = {"h": seconds // 3600, "m": seconds // 60, "s": seconds}[unit]
    if unit != largest and largest:
        amount %= 60
    elif not largest:
        amount %= 24 if unit == "h" else 60
    return str(amount).rjust(len(token), "0")


@lru_cache(maxsize=512)
def _tokens(form: str) -> tuple[str, ...]:
    """The pieces of the first part of a format; none where it shows no date."""
    found = _TOKEN.findall(form[:FORMAT_CHARS])
    if ";" in found:
        found = found[: found.index(";")]
    if form.casefold() in ("general", "standard"):
        return ()
    return tuple(found) if any(each[0] in "yYmMdDhHsSeE[" for each in found) else ()


def _point(value: Moment) -> datetime.datetime:
    if isinstance(value, datetime.datetime):
        return value
    if isinstance(value, datetime.time):
        return datetime.datetime.combine(datetime.date(1900, 1, 1), value)
    return datetime.datetime.combine(value, datetime.time())


def _plain(value: Moment) -> str:
    if isinstance(value, datetime.datetime):
        midnight = value.time() == datetime.time(0)
        return value.date().isoformat() if midnight else value.isoformat(" ", "minutes")
    return value.isoformat("minutes") if isinstance(value, datetime.time) else value.isoformat()


def _shown(tokens: tuple[str, ...], at: int, point: datetime.datetime, *, half: bool) -> str:
    token = tokens[at]
    low = token.lower()
    if low[0] == "m" and set(low) == {"m"} and _is_minute(tokens, at):
        return str(point.minute).rjust(min(len(low), 2), "0")
    if low[0] in "ymdhse" and set(low) == {low[0]}:
        return _part(low, point, half=half)
    if low in ("am/pm", "a/p"):
        return ("AM" if point.hour < 12 else "PM")[: 2 if low == "am/pm" else 1]
    if token == "上午/下午":
        return "上午" if point.hour < 12 else "下午"
    if low.startswith(".0"):
        return f".{point.microsecond:06d}"[: len(low)]
    return _literal(token, at)


def _part(token: str, point: datetime.datetime, *, half: bool) -> str:
    unit, size = token[0], len(token)
    if unit in "ye":
        return f"{point.year % 100:02d}" if unit == "y" and size <= 2 else f"{point.year:04d}"
    if unit == "m" and size >= 3:
        name = _MONTHS[point.month - 1]
        return name[:1] if size == 5 else name[:3] if size == 3 else name
    if unit == "d" and size >= 3:
        name = _DAYS[point.weekday()]
        return name[:3] if size == 3 else name
    hour = (point.hour % 12 or 12) if half else point.hour
    amount = {"m": point.month, "d": point.day, "h": hour, "s": point.second}[unit]
    return str(amount).rjust(min(size, 2), "0")


def _is_minute(tokens: tuple[str, ...], at: int) -> bool:
    """`m` is a minute behind hours and before seconds, else a month."""
    units = [(place, each[0].lower()) for place, each in enumerate(tokens) if _is_unit(each)]
    own = next(rank for rank, (place, _) in enumerate(units) if place == at)
    before = units[own - 1][1] if own else ""
    after = units[own + 1][1] if own + 1 < len(units) else ""
    return before == "h" or after == "s"


def _is_unit(token: str) -> bool:
    bare = token.strip("[]").lower()
    return bool(bare) and bare[0] in "ymdhse" and set(bare) == {bare[0]}


def _literal(token: str, _: int) -> str:
    if token[0] == '"':
        return token[1:-1]
    if token[0] == "\\":
        return token[1:]
    if token[0] == "_":
        return " "
    return "" if token[0] in "*[@" else token
