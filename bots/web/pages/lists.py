"""The map and the gaps: what can be asked about, and what could not be answered."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from aiohttp import web

from agent.domain import WORKSPACE, MapEntry, ParseOutcome
from agent.map.checking import MapRemark, check_map
from bots.web.deps import PrivateDeps
from bots.web.pages.gap_report import gap_groups
from bots.web.pages.rendering import Renderer

_ENTRIES = 50
_REMARKS = 500
_TYPED_CHARS = 500


@dataclass(frozen=True, slots=True)
class MapPage:
    """A page of the map.

    Attributes:
        groups: name of a source and its entries on this page.
        total: documents that fit, on all pages.
        unreadable, remarks: of the whole library, at most 500 each.
    """

    groups: tuple[tuple[str, tuple[MapEntry, ...]], ...]
    total: int
    number: int
    pages: int
    unreadable: tuple[MapRemark, ...]
    remarks: tuple[MapRemark, ...]


class Lists:
    """Their handlers."""

    def __init__(self, deps: PrivateDeps, renderer: Renderer) -> None:
        self._deps = deps
        self._renderer = renderer

    async def map(self, request: web.Request) -> web.Response:
        """What the library holds, fifty documents a page."""
        asked = request.query.get("q", "").strip()[:_TYPED_CHARS]
        number = _number(request.query.get("page", "1"))
        entries = await self._deps.library.read_document_map(WORKSPACE)
        shown = await asyncio.to_thread(_page_of_map, entries, asked, number)
        return self._renderer.page("map.html", request, here="map", asked=asked, shown=shown)

    async def gaps(self, request: web.Request) -> web.Response:
        """What the documents could not answer."""
        groups = await gap_groups(self._deps.gaps, WORKSPACE)
        return self._renderer.page("gaps.html", request, here="gaps", groups=groups)


def _page_of_map(entries: Sequence[MapEntry], asked: str, number: int) -> MapPage:
    fitting = [entry for entry in entries if _is_readable(entry) and _fits(entry, asked)]
    pages = max(1, -(-len(fitting) // _ENTRIES))
    number = min(max(number, 1), pages)
    shown = fitting[(number - 1) * _ENTRIES : number * _ENTRIES]
    remarks = check_map(entries)
    return MapPage(
        groups=tuple((name, tuple(each)) for name, each in groupby(shown, _source_of)),
        total=len(fitting),
        number=number,
        pages=pages,
        unreadable=tuple(each for each in remarks if each.kind == "not_readable")[:_REMARKS],
        remarks=tuple(each for each in remarks if each.kind != "not_readable")[:_REMARKS],
    )


def _is_readable(entry: MapEntry) -> bool:
    return entry.document.outcome is not ParseOutcome.NOT_READABLE


def _source_of(entry: MapEntry) -> str:
    return entry.document.source


def _fits(entry: MapEntry, asked: str) -> bool:
    words = asked.casefold().split()
    headings = (line.headings[-1] for line in entry.outline if line.headings)
    text = "\n".join((entry.document.title, entry.document.doc, *headings)).casefold()
    return all(word in text for word in words)


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else 1
