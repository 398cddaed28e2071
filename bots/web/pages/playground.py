"""The playground: a question box, the work as it goes on, the answer with its footnotes."""

import secrets
from typing import Any

from aiohttp import web

from agent.domain import WORKSPACE, Answer
from bots.silent import Silent
from bots.web.asking import AskingDesk
from bots.web.deps import PrivateDeps
from bots.web.pages.answer_html import ShownAnswer, shown_answer
from bots.web.pages.facts import LibraryFacts
from bots.web.pages.rendering import Renderer, root_of, words_of
from bots.web.pages.words import Words
from bots.web.streaming import stream_answer, while_connected


class Playground:
    """Its handlers."""

    def __init__(
        self, deps: PrivateDeps, desk: AskingDesk, renderer: Renderer, facts: LibraryFacts
    ) -> None:
        self._deps = deps
        self._desk = desk
        self._renderer = renderer
        self._facts = facts

    async def home(self, request: web.Request) -> web.Response:
        """The first page; `?q=` fills the box without asking."""
        return await self._page(request, typed=request.query.get("q", ""))

    async def ask(self, request: web.Request) -> web.StreamResponse:
        """A question from the page: as a stream, or without script as a whole page."""
        ask = await self._desk.read_form(request)
        if "text/event-stream" in request.headers.get("Accept", ""):
            return await stream_answer(
                request, self._desk, ask, lambda answer: self._part(request, answer)
            )
        async with self._desk.place():
            answer = await while_connected(request, self._desk.answer(ask, Silent()))
        return await self._page(request, answer, thread=ask.thread)

    async def _page(
        self,
        request: web.Request,
        answer: Answer | None = None,
        *,
        typed: str = "",
        thread: str = "",
    ) -> web.Response:
        return self._renderer.page(
            "home.html",
            request,
            thread=thread or secrets.token_urlsafe(12),
            turn=await self._shown(request, answer) if answer else None,
            a=Words(answer.language) if answer else None,
            typed=typed,
            examples=await self._facts.examples(words_of(request).language),
            sources=await self._deps.library.sources(WORKSPACE),
        )

    async def _part(self, request: web.Request, answer: Answer) -> dict[str, Any]:
        shown = await self._shown(request, answer)
        words = Words(answer.language)
        html = self._renderer.html("answer.html", request, shown=shown, a=words)
        return {"html": html, "status": answer.outcome.value, "footnotes": len(shown.footnotes)}

    async def _shown(self, request: web.Request, answer: Answer) -> ShownAnswer:
        return shown_answer(answer, root_of(request), await self._facts.shared_dates())
