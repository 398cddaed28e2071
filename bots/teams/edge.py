"""`POST /api/messages`: what may come in, and the answer Teams gets at once.

Hostile input ends here with 400, 401, 413 or 415 and never with a fault of ours. What passes is
handed on and answered later through its stored address, so that the request is over in a moment.
"""

import ipaddress
import json
import logging
from collections.abc import Collection
from typing import Any, Protocol
from urllib.parse import urlsplit

from aiohttp import HttpVersion11, web

from bots.problem import Problem
from bots.teams.activity import TEAMS, Json, identity_of, tenants_of, text_in
from bots.teams.connector import NotAuthentic
from bots.teams.shape import refuse_misshapen, service_url_of
from bots.teams.translate import Event, translate

logger = logging.getLogger(__name__)

BODY_BYTES = 1_000_000
"""Largest body taken; Teams itself sends well below 200 kB."""
_PROXY_HEADERS = frozenset(
    {"forwarded", "via", "x-real-ip", "x-client-ip", "x-original-host", "true-client-ip"}
)
_INVOKE = "invoke"
_FEEDBACK = "message/submitAction"


class Reception(Protocol):
    """Takes what came in; must come back at once."""

    async def take(self, event: Event) -> None:
        """Take an event in."""
        ...


class Gate(Protocol):
    """Says whether a request comes from Teams."""

    async def check(self, header: str | None, channel_id: str, service_url: str) -> None:
        """Raises NotAuthentic where it does not."""
        ...


class MessagesEdge:
    """The handler of the route.

    Args:
        gate: checks where a request comes from.
        reception: takes what it means.
        anonymous: there is no app id: everybody on this machine may write, and replies go only
            to services on this machine.
        tenants: ids of the tenants that may write; empty: any.
    """

    def __init__(
        self, gate: Gate, reception: Reception, *, anonymous: bool, tenants: Collection[str]
    ) -> None:
        self._gate = gate
        self._reception = reception
        self._anonymous = anonymous
        self._tenants = frozenset(tenant.lower() for tenant in tenants)

    async def handle(self, request: web.Request) -> web.Response:
        """Take one activity in; the reply says only whether it was taken."""
        header = None if self._anonymous else _bearer(request)
        if self._anonymous and not came_directly(request):
            raise _not_let_in("Without an app id only this machine may write.")
        activity = await _read(request)
        service_url = service_url_of(activity)
        if self._anonymous and not is_loopback(urlsplit(service_url).hostname or ""):
            raise Problem(
                400,
                "Without an app id only local services are answered, and serviceUrl is elsewhere.",
                "Set FOOTNOTE_TEAMS__APP_ID and its password, or name a service on this machine.",
            )
        try:
            await self._gate.check(header, text_in(activity, "channelId"), service_url)
        except NotAuthentic as refusal:
            logger.warning("teams: a request was refused: %s", refusal.reason[:200])
            raise _not_let_in("The token is not accepted.") from None
        refuse_misshapen(activity)
        if not self._is_welcome(activity):
            logger.warning("teams: a message from another tenant or channel was dropped")
            return web.json_response({}, status=200)
        return await self._take(activity)

    def _is_welcome(self, activity: Json) -> bool:
        if not self._anonymous and text_in(activity, "channelId") != TEAMS:
            return False
        named = [tenant.lower() for tenant in tenants_of(activity)]
        if not self._tenants:
            return True
        return bool(named) and self._tenants.issuperset(named)

    async def _take(self, activity: Json) -> web.Response:
        event = translate(activity)
        if event is not None:
            await self._reception.take(event)
        if text_in(activity, "type") != _INVOKE:
            return web.json_response({}, status=202)
        if text_in(activity, "name") == _FEEDBACK:
            return web.json_response({}, status=200)
        logger.info("teams: an invoke that means nothing to us: %s", identity_of(activity))
        raise Problem(400, "This invoke is not known here.", "Only votes on answers are taken.")


def _bearer(request: web.Request) -> str:
    header = request.headers.get("Authorization", "")
    scheme, _, token = header.partition(" ")
    if scheme != "Bearer" or not token.strip() or " " in token:
        raise _not_let_in("A bearer token is needed.")
    return header


async def _read(request: web.Request) -> dict[str, Any]:
    if request.content_type != "application/json":
        raise Problem(415, "The body is no JSON by its Content-Type.", "Send application/json.")
    body = await _body(request)
    hint = "Send one activity as a JSON object in UTF-8."
    try:
        activity = json.loads(body.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        raise Problem(400, "The body is no JSON.", hint) from None
    if not isinstance(activity, dict):
        raise Problem(400, "The body is no JSON object.", hint)
    if not text_in(activity, "type"):
        raise Problem(400, "The body is no activity: type is missing or no text.", hint)
    return activity


async def _body(request: web.Request) -> bytes:
    if (request.content_length or 0) > BODY_BYTES:
        raise _too_long()
    body = bytearray()
    async for chunk in request.content.iter_any():
        body += chunk
        if len(body) > BODY_BYTES:
            raise _too_long()
    return bytes(body)


def _too_long() -> Problem:
    return Problem(413, "The body is too long.", f"Send at most {BODY_BYTES:,} bytes.")


def _not_let_in(problem: str) -> Problem:
    return Problem(401, problem, "See docs/teams.md for how the bot is registered.")


def came_directly(request: web.Request) -> bool:
    """Whether a request was made on this machine, with nothing in between."""
    peer = request.transport.get_extra_info("peername") if request.transport else None
    names = {name.lower() for name in request.headers}
    return (
        isinstance(peer, tuple)
        and is_loopback(str(peer[0]))
        and request.version >= HttpVersion11  # a plain proxy speaks 1.0 and adds no header at all
        and is_loopback(_host_name(request.headers.get("Host", "")))
        and "origin" not in names
        and not names & _PROXY_HEADERS
        and not any(name.startswith("x-forwarded") for name in names)
    )


def is_loopback(host: str) -> bool:
    """Whether a host name or address is this machine."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def _host_name(header: str) -> str:
    name, colon, port = header.rpartition(":")
    return name if colon and port.isdigit() else header
