"""What a line of Markdown begins, by its first characters."""

import re

from markdown_it.rules_block.html_block import HTML_SEQUENCES

ATX = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$")
FRONT_END = re.compile(r"(?:-{3,}|\.{3})[ \t]*$")
FENCE = re.compile(r"( {0,3})(`{3,}(?=[^`]*$)|~{3,})")
RULE = re.compile(r" {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$")
SETEXT = re.compile(r" {0,3}(=+|-+)[ \t]*$")
ITEM = re.compile(r"( *)([-*+]|(\d{1,9})[.)])( {1,4})(?=\S)")
DELIMITER = re.compile(r" {0,3}\|?[ ]*:?-+:?[ ]*(?:\|[ ]*:?-+:?[ ]*)*\|?[ ]*$")
DEFINITION = re.compile(r" {0,3}\[(?!\^)[^\]]+\]:")
NOTE = re.compile(r"\[\^([^\]\s]+)\]:")
STOP = re.compile(r" {0,3}(?:`{3}|~{3}|#{1,6}(?:[ \t]|$)|>|<)")
"""Begins a block of its own in the midst of a paragraph or list."""

ODD_START = re.compile(
    r"[>#|={<]|`{3}|~{3}|[-+*](?:[ \t]|$)|\d{1,9}[.)](?:[ \t]|$)|\[\^|\[[^\]]*\]:|\[\[|\[TOC"
    r"|(?:\*[ \t]*){3}|(?:-[ \t]*){3}|(?:_[ \t]*){3}|:?-[-|: \t]*$",
    re.IGNORECASE,
)
"""The start of a line that might be more than the next line of its paragraph."""


def html_end(lines: list[str], start: int, *, inside: bool) -> int | None:
    """The last line of raw HTML that begins on a line; None where none does.

    Args:
        lines: of the whole text.
        start: the line.
        inside: whether a paragraph is open, which not every element ends.
    """
    first = lines[start].lstrip(" ")
    if not first.startswith("<") or len(lines[start]) - len(first) > 3:
        return None
    for opening, closing, ends_paragraph in HTML_SEQUENCES:
        if (ends_paragraph or not inside) and opening.search(first):
            return _closed(lines, start, closing)
    return None


def _closed(lines: list[str], start: int, closing: re.Pattern[str]) -> int:
    place = start
    while place < len(lines) and not closing.search(lines[place].strip()):
        place += 1
    whole = place == len(lines) or not lines[place].strip()
    return max(place - 1, start) if whole else place


def cells(row: str) -> list[str]:
    """The cells of a row of a table; an escaped bar is one in a cell's text."""
    bare = row.replace("\\|", "\0").strip()
    bare = bare.removeprefix("|")
    if bare.endswith("|"):
        bare = bare[:-1]
    return [cell.strip().replace("\0", "|") for cell in bare.split("|")]
