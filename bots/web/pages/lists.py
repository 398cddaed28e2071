"""The map and the gaps: what can be asked about, and what could not be answered."""

from itertools import groupby

from aiohttp import web

from agent.domain import WORKSPACE, MapEntry, ParseOutcome
from agent.map.checking import check_map
from bots.web.deps import PrivateDeps
from bots.web.pages.gap_report import gap_groups
from bots.web.pages.rendering import Renderer

_ENTRIES = 100
_OUTLINE = 40
_REMARKS = 500
_TYPED_CHARS = 500


class Lists:
    """Their handlers."""

    def __init__(self, deps: PrivateDeps, renderer: Renderer) -> None:
        self._deps = deps
        self._renderer = renderer

    async def map(self, request: web.Request) -> web.Response:
        """What the library holds, a hundred documents a page."""
        asked = request.query.get("q", "").strip()[:_TYPED_CHARS]
        entries = await self._deps.library.read_document_map(WORKSPACE)
        readable = [entry for entry in entries if _is_readable(entry) and _fits(entry, asked)]
        pages = max(1, -(-len(readable) // _ENTRIES))
        number = min(max(_number(request.query.get("page", "1")), 1), pages)
        shown = readable[(number - 1) * _ENTRIES : number * _ENTRIES]
        remarks = check_map(entries)
        return self._renderer.page(
            "map.html",
            request,
            here="map",
            asked=asked,
            total=len(readable),
            groups=[(name, list(each)) for name, each in groupby(shown, _source_of)],
            longest_outline=_OUTLINE,
            pages=pages,
            number=number,
            unreadable=[each for each in remarks if each.kind == "not_readable"][:_REMARKS],
            remarks=[each for each in remarks if each.kind != "not_readable"][:_REMARKS],
        )

    async def gaps(self, request: web.Request) -> web.Response:
        """What the documents could not answer."""
        groups = await gap_groups(self._deps.gaps, WORKSPACE)
        return self._renderer.page("gaps.html", request, here="gaps", groups=groups)


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
