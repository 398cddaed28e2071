"""The source viewer, and how an answer was found."""

from typing import Any

from aiohttp import web

from agent.domain import WORKSPACE, SectionPath
from bots.links import Permit, Place, address, place_in
from bots.problem import Problem
from bots.web.deps import OPEN, PrivateDeps
from bots.web.pages.facts import LibraryFacts
from bots.web.pages.how_found import rounds_of
from bots.web.pages.reading import SourcePage, read_permitted, read_source
from bots.web.pages.rendering import Renderer, root_of
from bots.web.problems import not_let_in

_PATH_CHARS = 4_000


class Reader:
    """Its handlers."""

    def __init__(self, deps: PrivateDeps, renderer: Renderer, facts: LibraryFacts) -> None:
        self._deps = deps
        self._renderer = renderer
        self._facts = facts

    async def source(self, request: web.Request) -> web.Response:
        """A document with the quote marked; by a signed link only a window of it."""
        place = place_in(request.match_info["doc_id"], request.query)
        if request[OPEN]:
            page = await read_source(self._deps.library, WORKSPACE, place)
        else:
            self._demand_permit(place, request)
            page = await read_permitted(self._deps.permits, place)
        return await self._page(request, place, page)

    async def open_place(self, request: web.Request) -> web.Response:
        """Leads from a place that was looked at (a document's path, headings) to the viewer."""
        name = request.query.get("doc", "")[:_PATH_CHARS]
        document = await self._deps.library.find_document(WORKSPACE, name)
        headings = tuple(filter(None, request.query.get("section", "").split(" › ")))
        entries = await self._deps.library.read_map(WORKSPACE, [document.doc_id])
        outline = entries[0].outline if entries else ()
        path = next((line.path for line in outline if line.headings == headings), SectionPath(""))
        raise web.HTTPSeeOther(address(Place(document.doc_id, path)))

    async def how(self, request: web.Request) -> web.Response:
        """How an answer was found, round by round."""
        trace_id = request.match_info["trace_id"]
        rounds = await rounds_of(self._deps.traces, self._deps.library, WORKSPACE, trace_id)
        return self._renderer.page("how.html", request, rounds=rounds)

    def _demand_permit(self, place: Place, request: web.Request) -> None:
        match self._deps.links.check(place, request.query):
            case Permit.VALID:
                return
            case Permit.EXPIRED:
                raise Problem(
                    410, "This link is no longer valid.", "Ask again to get a fresh footnote."
                )
            case _:
                raise not_let_in()

    async def _page(self, request: web.Request, place: Place, page: SourcePage) -> web.Response:
        here = address(place, {}).partition("?")[0]
        modified = page.document.modified.date() if page.document.modified else None
        shared = (page.document.source, modified) in await self._facts.shared_dates()
        values: dict[str, Any] = {
            "page": page,
            "open": request[OPEN],
            "base": root_of(request) + here,
            "updated": None if shared else modified,
        }
        if request.query.get("view") == "panel" and request[OPEN]:
            # The panel stands in the playground, whose address is the root.
            values |= {"base": here, "whole": address(place)}
            return self._renderer.page("panel.html", request, **values)
        return self._renderer.page("source.html", request, **values)
