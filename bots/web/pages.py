"""The pages for people: ask, read a source, see the map and the gaps."""

import secrets
from datetime import datetime
from itertools import groupby
from typing import Any

from aiohttp import web

from agent.domain import WORKSPACE, Answer, MapEntry, ParseOutcome, SectionPath
from agent.map.checking import check_map
from bots.links import Permit, Place, address, place_in
from bots.web.answer_html import shown_answer
from bots.web.asking import AskingDesk, Silent
from bots.web.deps import PrivateDeps
from bots.web.examples import example_questions
from bots.web.gap_report import gap_groups
from bots.web.how_found import rounds_of
from bots.web.problems import Problem, not_let_in
from bots.web.reading import SourcePage, read_permitted, read_source
from bots.web.rendering import Renderer, root_of
from bots.web.streaming import stream_answer, while_connected
from bots.web.words import Words

OPEN = web.RequestKey("open", bool)
"""Whether the caller may see everything; without it a signed link is needed."""
_ENTRIES = 100
_OUTLINE = 40
_REMARKS = 500
_TYPED = 500
_PATH_CHARS = 4_000


class Pages:
    """The handlers of the pages."""

    def __init__(self, deps: PrivateDeps, desk: AskingDesk, renderer: Renderer) -> None:
        self._deps = deps
        self._desk = desk
        self._renderer = renderer
        self._examples: tuple[datetime | None, list[str]] | None = None

    async def home(self, request: web.Request) -> web.Response:
        """The playground; `?q=` fills the box without asking."""
        return await self._home(request, None, request.query.get("q", "")[:_TYPED])

    async def ask(self, request: web.Request) -> web.StreamResponse:
        """A question from the playground: as a stream, or without script as a whole page."""
        ask = await self._desk.read_form(request)
        if "text/event-stream" in request.headers.get("Accept", ""):
            return await stream_answer(
                request, self._desk, ask, lambda answer: self._answer_part(request, answer)
            )
        async with self._desk.place():
            answer = await while_connected(request, self._desk.answer(ask, Silent()))
        return await self._home(request, answer, "", ask.thread)

    async def source(self, request: web.Request) -> web.Response:
        """A document with the quote marked; by a signed link only a window of it."""
        place = place_in(request.match_info["doc_id"], request.query)
        if request[OPEN]:
            page = await read_source(self._deps.library, WORKSPACE, place)
        else:
            self._demand_permit(place, request)
            page = await read_permitted(self._deps.permits, place)
        return self._source_page(request, place, page)

    async def open_place(self, request: web.Request) -> web.Response:
        """Leads from a place that was looked at (a document's path, headings) to the viewer."""
        document = await self._deps.library.find_document(
            WORKSPACE, request.query.get("doc", "")[:_PATH_CHARS]
        )
        headings = tuple(filter(None, request.query.get("section", "").split(" › ")))
        entries = await self._deps.library.read_map(WORKSPACE, [document.doc_id])
        path = next((line.path for line in entries[0].outline if line.headings == headings), "")
        raise web.HTTPSeeOther(address(Place(document.doc_id, SectionPath(path))))

    async def how(self, request: web.Request) -> web.Response:
        """How an answer was found, round by round."""
        trace_id = request.match_info["trace_id"]
        rounds = await rounds_of(self._deps.traces, self._deps.library, WORKSPACE, trace_id)
        return self._renderer.page("how.html", request, rounds=rounds)

    async def map(self, request: web.Request) -> web.Response:
        """What the library holds, a hundred documents a page."""
        asked = request.query.get("q", "").strip()[:_TYPED]
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

    async def _home(
        self, request: web.Request, answer: Answer | None, typed: str, thread: str = ""
    ) -> web.Response:
        turn = shown_answer(answer, root_of(request)) if answer else None
        return self._renderer.page(
            "home.html",
            request,
            thread=thread or secrets.token_urlsafe(12),
            turn=turn,
            a=Words(answer.language) if answer else None,
            typed=typed,
            longest=self._deps.conversation.question_chars,
            examples=await self._example_questions(),
            sources=await self._deps.library.sources(WORKSPACE),
        )

    def _answer_part(self, request: web.Request, answer: Answer) -> dict[str, Any]:
        html = self._renderer.html(
            "answer.html",
            request,
            shown=shown_answer(answer, root_of(request)),
            a=Words(answer.language),
        )
        return {"html": html, "status": answer.outcome.value, "footnotes": len(answer.citations)}

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

    def _source_page(self, request: web.Request, place: Place, page: SourcePage) -> web.Response:
        here = address(place, {}).partition("?")[0]
        values: dict[str, Any] = {
            "page": page,
            "open": request[OPEN],
            "base": root_of(request) + here,
        }
        if request.query.get("view") == "panel" and request[OPEN]:
            # The panel stands in the playground, whose address is the root.
            return self._renderer.page(
                "panel.html", request, **values | {"base": here, "whole": address(place)}
            )
        return self._renderer.page("source.html", request, **values)

    async def _example_questions(self) -> list[str]:
        changed = await self._deps.library.last_changed()
        if self._examples is None or self._examples[0] != changed:
            self._examples = changed, await example_questions(self._deps.library)
        return self._examples[1]


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
