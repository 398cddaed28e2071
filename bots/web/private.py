"""The private listener: playground, programs' way in, source viewer, readiness, metrics."""

from dataclasses import replace
from typing import Any

from aiohttp import web

from agent.answers import answer_object
from agent.domain import Answer, Citation
from bots.links import Place, SourceLinks, address
from bots.silent import Silent
from bots.web.access import Access, Caller, access
from bots.web.asking import BODY_BYTES, AskingDesk
from bots.web.deps import OPEN, PrivateDeps
from bots.web.headers import add_security_headers
from bots.web.health import alive, ready_handler
from bots.web.metrics import metrics_reply
from bots.web.pages.facts import LibraryFacts
from bots.web.pages.lists import Lists
from bots.web.pages.playground import Playground
from bots.web.pages.reader import Reader
from bots.web.pages.rendering import Renderer, StaticFiles
from bots.web.problems import Handler, not_let_in, wall
from bots.web.streaming import stream_answer, while_connected
from config.settings import PrivateSettings

_STATIC = "static"
_SOURCE = "source"
_DOC_ID = r"{doc_id:[0-9A-Za-z_-]{1,64}}"
_TRACE_ID = r"{trace_id:[0-9A-Za-z_-]{1,64}}"


def build_private(deps: PrivateDeps, settings: PrivateSettings) -> web.Application:
    """The application of the private listener.

    Args:
        deps: what its handlers ask for.
        settings: its token; address and port are the caller's business.
    """
    static = StaticFiles()
    renderer = Renderer(static)
    desk = AskingDesk(deps.answerer, deps.conversation)
    app = web.Application(
        middlewares=[wall(renderer.problem), _gate(settings)], client_max_size=BODY_BYTES
    )
    app.on_response_prepare.append(add_security_headers)
    app.router.add_get("/static/{name}", static.serve, name=_STATIC)
    _add_pages(app, deps, desk, renderer)
    _add_programs(app, deps, desk)
    return app


def _add_pages(
    app: web.Application, deps: PrivateDeps, desk: AskingDesk, renderer: Renderer
) -> None:
    facts = LibraryFacts(deps)
    playground = Playground(deps, desk, renderer, facts)
    reader = Reader(deps, renderer, facts)
    lists = Lists(deps, renderer)
    app.router.add_get("/", playground.home)
    app.router.add_get("/ask", _back_home)
    app.router.add_post("/ask", playground.ask)
    app.router.add_get(f"/source/{_DOC_ID}", reader.source, name=_SOURCE)
    app.router.add_get("/open", reader.open_place)
    app.router.add_get(f"/how/{_TRACE_ID}", reader.how)
    app.router.add_get("/map", lists.map)
    app.router.add_get("/gaps", lists.gaps)


def _add_programs(app: web.Application, deps: PrivateDeps, desk: AskingDesk) -> None:
    async def metrics(_request: web.Request) -> web.Response:
        return metrics_reply(deps.metrics, await deps.all_sources())

    app.router.add_post("/api/ask", _ask_handler(desk, deps.links))
    app.router.add_get("/healthz", alive)
    app.router.add_get("/readyz", ready_handler(deps.all_sources))
    app.router.add_get("/metrics", metrics)


def _ask_handler(desk: AskingDesk, links: SourceLinks) -> Handler:
    async def as_object(answer: Answer) -> dict[str, Any]:
        return answer_object(_with_places(links.with_links(answer)))

    async def ask(request: web.Request) -> web.StreamResponse:
        asked = await desk.read_json(request)
        if "text/event-stream" in request.headers.get("Accept", ""):
            return await stream_answer(request, desk, asked, as_object)
        async with desk.place():
            answer = await while_connected(request, desk.answer(asked, Silent()))
        return web.json_response(await as_object(answer))

    return ask


def _with_places(answer: Answer) -> Answer:
    """Footnotes that have no address yet get one relative to this listener."""
    return replace(answer, citations=tuple(_with_place(each) for each in answer.citations))


def _with_place(citation: Citation) -> Citation:
    return citation if citation.url else replace(citation, url=f"/{address(Place.of(citation))}")


def _gate(settings: PrivateSettings) -> Any:
    token = settings.token.get_secret_value() if settings.token else None

    @web.middleware
    async def gate(request: web.Request, handler: Handler) -> web.StreamResponse:
        request[OPEN] = access(Caller.of(request), token) is Access.OPEN
        if not request[OPEN] and not _answered_to_anybody(request):
            raise not_let_in()
        return await handler(request)

    return gate


def _answered_to_anybody(request: web.Request) -> bool:
    """Our own style and script, and what a signature may open; the handler checks that one."""
    name = request.match_info.route.name
    return name == _STATIC or (name == _SOURCE and "sig" in request.query)


async def _back_home(_request: web.Request) -> web.Response:
    raise web.HTTPSeeOther("./")
