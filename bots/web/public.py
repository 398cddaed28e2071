"""The public listener: what the chat platforms call, and whether we are alive. Nothing else."""

from aiohttp import web

from bots.web.headers import add_security_headers
from bots.web.health import alive
from bots.web.problems import Handler, as_json, wall

BODY_BYTES = 1 << 20
"""Largest body taken from a chat platform, in bytes."""


def build_public(*, teams: Handler | None = None, slack: Handler | None = None) -> web.Application:
    """The application of the public listener.

    Args:
        teams: takes `/api/messages`; None: the address does not exist.
        slack: takes `/slack/events`; None: the address does not exist.
    """
    app = web.Application(middlewares=[wall(as_json)], client_max_size=BODY_BYTES)
    app.on_response_prepare.append(add_security_headers)
    app.router.add_get("/healthz", alive)
    if teams is not None:
        app.router.add_post("/api/messages", teams)
    if slack is not None:
        app.router.add_post("/slack/events", slack)
    return app
