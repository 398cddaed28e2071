"""Tells a contents list that was typed by hand from tables and ellipses that look like one."""

import re
from collections.abc import Iterator

from connectors.formats import guesses
from connectors.formats.docx.body import Line
from connectors.formats.titles import folded

_ENOUGH = 3
_NUMBER = re.compile(r"(\d+)\s*$")
_ENTRY_END = re.compile(r"(?:\d+|\b[ivxlc]+)\s*$", re.IGNORECASE)
_HEADS = frozenset(
    (
        "contents", "tableofcontents", "toc", "inhalt", "inhaltsverzeichnis", "tabledesmatières",
        "sommaire", "índice", "contenido", "indice", "sommario", "目录", "目錄", "目次", "차례",
        "содержание", "оглавление", "inhoud", "inhoudsopgave", "mụclục",
    )
)  # fmt: skip


def without_contents(lines: list[Line]) -> list[Line]:
    """The lines without those of a contents list and without the word that heads it."""
    dropped: set[int] = {place for place, line in enumerate(lines) if line.is_contents}
    known = {folded(line.text) for line in lines}
    for start, end in _runs(lines):
        entries = lines[start:end]
        above = lines[start - 1] if start else Line("")
        headed = folded(above.text) in _HEADS
        many = len(entries) >= _ENOUGH and _rises(entries)
        named = any(_entry_title(each) in known for each in entries)
        if headed or above.is_contents or many or named:
            dropped.update(range(start - headed, end))
    return [line for place, line in enumerate(lines) if place not in dropped]


def _runs(lines: list[Line]) -> Iterator[tuple[int, int]]:
    """(first, end) of lines in a row that each end with dots or a tab and a page number."""
    start = None
    for place, line in enumerate([*lines, Line("")]):
        if _is_entry(line):
            start = place if start is None else start
        elif start is not None:
            yield start, place
            start = None


def _is_entry(line: Line) -> bool:
    return (
        line.flow and guesses.is_contents_line(line.raw) and _ENTRY_END.search(line.raw) is not None
    )


def _entry_title(entry: Line) -> str:
    return folded(_ENTRY_END.sub("", entry.raw)) or entry.raw


def _rises(lines: list[Line]) -> bool:
    """Page numbers do not fall from one entry to the next."""
    found = [_NUMBER.search(line.raw) for line in lines]
    numbers = [int(match[1]) for match in found if match]
    return numbers == sorted(numbers)
