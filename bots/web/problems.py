"""Refusals and faults as `{error, hint}`, or as a small page for people; never a traceback.

The one wall of both listeners: whatever a handler raises leaves it as a sentence of ours.
"""

import logging
from collections.abc import Awaitable, Callable

from aiohttp import web

from agent.errors import DocumentNotFound, FootnoteError, SectionNotFound, ServiceUnreachable
from bots.problem import Problem

logger = logging.getLogger(__name__)

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

_HINTS = {
    400: ("The request cannot be read.", "Send well-formed HTTP."),
    404: ("There is nothing here.", "Check the address."),
    405: ("This address does not take that method.", "See the Allow header."),
    413: ("The request is too long.", "Send less."),
    415: ("The body's encoding is not understood.", "Send it as it is, in UTF-8."),
}


def not_let_in() -> Problem:
    """The refusal of a caller that presents no token and does not come from this machine."""
    return Problem(
        401,
        "You are not let in.",
        "Send Authorization: Bearer with the token of this listener, or open it on its own machine "
        "(from afar: ssh -L 3979:127.0.0.1:3979 HOST, then http://127.0.0.1:3979).",
        {"WWW-Authenticate": 'Bearer realm="footnote"'},
    )


def problem_of(error: Exception) -> Problem:
    """The refusal that an exception amounts to."""
    match error:
        case Problem():
            return error
        case web.HTTPException():
            return _of_http(error)
        case FootnoteError():
            return _of_ours(error)
        case _:
            return Problem(500, "Something broke on our side.", "The log has the details.")


def _of_ours(error: FootnoteError) -> Problem:
    if isinstance(error, DocumentNotFound | SectionNotFound):
        return Problem(404, error.problem, error.hint or "It may be gone or out of reach.")
    if isinstance(error, ServiceUnreachable):
        return Problem(503, error.problem, error.hint, {"Retry-After": "30"})
    return Problem(500, error.problem, error.hint or "The log has the details.")


def _of_http(error: web.HTTPException) -> Problem:
    says, hint = _HINTS.get(error.status, (f"{error.reason}.", "Check the request."))
    allow = error.headers.get("Allow")
    return Problem(error.status, says, hint, {"Allow": allow} if allow else None)


def wall(
    render: Callable[[web.Request, Problem], web.Response],
) -> Callable[..., Awaitable[web.StreamResponse]]:
    """A middleware that turns whatever is raised into a reply.

    Args:
        render: makes the reply to a refusal.
    """

    @web.middleware
    async def middleware(request: web.Request, handler: Handler) -> web.StreamResponse:
        try:
            return await handler(request)
        except web.HTTPException as reply:
            if reply.status < 400:
                raise
            return render(request, problem_of(reply))
        except Exception as error:
            problem = problem_of(error)
            if problem.status >= 500:
                logger.exception("request failed", extra={"route": _route(request)})
            return render(request, problem)

    return middleware


def as_json(_request: web.Request, problem: Problem) -> web.Response:
    """The refusal as programs read it."""
    body = {"error": problem.error, "hint": problem.hint}
    return web.json_response(body, status=problem.status, headers=problem.headers)


def _route(request: web.Request) -> str:
    resource = request.match_info.route.resource
    return resource.canonical if resource else "none"
