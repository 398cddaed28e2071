"""Invitations: what takes place, when, where and with whom, as lines of a mail."""

import re
from collections.abc import Iterator
from datetime import datetime

_UNFOLD = re.compile(r"\n[ \t]")
_LINE = re.compile(r"([A-Za-z-]+)((?:;[^;:\"]*(?:\"[^\"]*\"[^;:\"]*)*)*):(.*)")
_ESCAPED = re.compile(r"\\([nN,;\\])")
_SHOWN = {
    "SUMMARY": "What",
    "DTSTART": "Begins",
    "DTEND": "Ends",
    "LOCATION": "Where",
    "ORGANIZER": "Organizer",
    "ATTENDEE": "With",
    "RRULE": "Repeats",
    "DESCRIPTION": "",
}
_NAME = re.compile(r';CN=(?:"([^"]*)"|([^;:]*))', re.IGNORECASE)
_ZONE = re.compile(r";TZID=\"?([^;:\"]*)", re.IGNORECASE)
_FORMS = ("%Y%m%dT%H%M%SZ", "%Y%m%dT%H%M%S", "%Y%m%d")
_LONGEST_LINE = 20_000


def lines_of(source: str) -> Iterator[str]:
    """The events of a calendar file, a line for each thing they say."""
    inside: list[str] = []
    for line in _UNFOLD.sub("", source.replace("\r\n", "\n")).split("\n"):
        word, _, value = line.strip()[:_LONGEST_LINE].partition(":")
        if word.upper() == "BEGIN":
            inside.append(value.upper())
        elif word.upper() == "END":
            inside = inside[:-1]
        elif inside[-1:] == ["VEVENT"] and (match := _LINE.fullmatch(line.strip())):
            yield from _shown(match[1].upper(), match[2], match[3])


def _shown(name: str, parameters: str, value: str) -> Iterator[str]:
    if name not in _SHOWN or not value.strip():
        return
    if name in ("DTSTART", "DTEND"):
        value = _time(value, parameters)
    elif name in ("ORGANIZER", "ATTENDEE"):
        value = _person(value, parameters)
    value = _ESCAPED.sub(lambda match: "\n" if match[1] in "nN" else match[1], value).strip()
    yield f"{_SHOWN[name]}: {value}" if _SHOWN[name] else value


def _time(value: str, parameters: str) -> str:
    for form in _FORMS:
        try:
            time = datetime.strptime(value.strip(), form)  # noqa: DTZ007 - its zone is written out
        except ValueError:
            continue
        if form == "%Y%m%d":
            return f"{time:%Y-%m-%d}"
        zone = _ZONE.search(parameters)
        mark = " UTC" if form.endswith("Z") else f" {zone[1]}" if zone else ""
        return f"{time:%Y-%m-%d %H:%M}{mark}"
    return value


def _person(value: str, parameters: str) -> str:
    address = re.sub(r"^mailto:", "", value.strip(), flags=re.IGNORECASE)
    name = _NAME.search(parameters)
    named = ((name[1] or name[2] or "") if name else "").strip()
    return f"{named} <{address}>" if named and named != address else address
