"""Running heads and feet: what every page repeats at its edge is no text of any section."""

import re
from collections import defaultdict
from collections.abc import Sequence

from connectors.formats.pdf.page import Line, Page

_EDGE = 0.12
_SHARE = 0.08
_LEAST = 3
_DIGITS = re.compile(r"\d+|\b[ivxlc]+\b", re.IGNORECASE)
_PAGE_NUMBER = re.compile(
    r"(?:page|seite|página|p\.|第)?\s*[-–—]?\s*(?:\d{1,4}|[ivxlc]{1,7})\s*[-–—]?"
    r"\s*(?:(?:of|von|sur|de|/)\s*\d{1,4}|页|頁)?",
    re.IGNORECASE,
)


def without_running(pages: Sequence[Page], rows: Sequence[list[Line]]) -> list[list[Line]]:
    """The rows of each page without what repeats at its upper and lower edge."""
    repeated = _repeated(pages, rows)
    many = len(pages) >= _LEAST
    result: list[list[Line]] = []
    for page, lines in zip(pages, rows, strict=True):
        edge = {
            id(line)
            for line in lines
            if _at_edge(line, page)
            and (_key(line) in repeated or (many and _PAGE_NUMBER.fullmatch(line.text)))
        }
        gone = _outermost(page, lines, edge)
        result.append([line for line in lines if id(line) not in gone])
    return result


def _outermost(page: Page, lines: Sequence[Line], edge: set[int]) -> set[int]:
    """Those of the lines in `edge` with nothing but their like between them and the edge."""
    gone: set[int] = set()
    downwards = sorted(lines, key=lambda line: line.y)
    for ordered in (downwards, downwards[::-1]):
        for line in ordered:
            if id(line) not in edge or not _at_edge(line, page):
                break
            gone.add(id(line))
    return gone


def _repeated(pages: Sequence[Page], rows: Sequence[list[Line]]) -> set[str]:
    seen: dict[str, set[int]] = defaultdict(set)
    for page, lines in zip(pages, rows, strict=True):
        for line in lines:
            if _at_edge(line, page):
                seen[_key(line)].add(page.number)
    least = max(_LEAST, _SHARE * len(pages))
    return {key for key, numbers in seen.items() if len(numbers) >= least or _in_a_row(numbers)}


def _in_a_row(numbers: set[int]) -> bool:
    """Whether a head runs over a chapter: on at least four pages, nearly each or every other."""
    return len(numbers) > _LEAST and max(numbers) - min(numbers) <= 2 * len(numbers)


def _at_edge(line: Line, page: Page) -> bool:
    middle = line.y - line.size / 2
    return middle < _EDGE * page.height or middle > (1 - _EDGE) * page.height


def _key(line: Line) -> str:
    """The text with its numbers masked, at its height on the page."""
    return f"{_DIGITS.sub('#', line.text.casefold())}@{round(line.y / 8)}"
