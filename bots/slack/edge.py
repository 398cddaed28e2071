"""`POST /slack/events`: what Slack may send in HTTP mode, and what strangers get instead.

Bolt checks the signature, but answers hostile input with 500. So a request is looked at first:
size, headers, encoding and form; what does not pass ends with 400, 401 or 413, and nothing of it
is logged.
"""

import json
import logging
from urllib.parse import parse_qs

from aiohttp import web
from slack_bolt.adapter.aiohttp import to_aiohttp_response
from slack_bolt.app.async_app import AsyncApp
from slack_bolt.request.async_request import AsyncBoltRequest

logger = logging.getLogger(__name__)

BODY_BYTES = 1_000_000
"""Largest body taken; Slack's own stay below 100 kB."""
_TIMESTAMP = "X-Slack-Request-Timestamp"
_SIGNATURE = "X-Slack-Signature"
_FORM = "application/x-www-form-urlencoded"


class SlackEdge:
    """The handler of the route."""

    def __init__(self, app: AsyncApp) -> None:
        self._app = app

    async def handle(self, request: web.Request) -> web.Response:
        """Take one request in and acknowledge it once it is stored."""
        _check_headers(request)
        body = await _read(request)
        _check_form(request.content_type, body)
        try:
            said = await self._app.async_dispatch(
                AsyncBoltRequest(body=body, query=request.query_string, headers={**request.headers})
            )
        except (ValueError, TypeError, KeyError, AttributeError):
            logger.warning("slack: a malformed request was refused")
            raise _refused(web.HTTPBadRequest, "The request is malformed.") from None
        if said.status >= 500:
            said.status = 503  # not stored: Slack delivers it again
        return await to_aiohttp_response(said)


def _check_headers(request: web.Request) -> None:
    timestamp = request.headers.get(_TIMESTAMP, "")
    signature = request.headers.get(_SIGNATURE, "")
    number = timestamp.isascii() and timestamp.isdigit() and len(timestamp) <= 12
    if not number or not signature or not signature.isascii():
        raise _refused(web.HTTPUnauthorized, "The request is not signed by Slack.")


async def _read(request: web.Request) -> str:
    if (request.content_length or 0) > BODY_BYTES:
        raise web.HTTPRequestEntityTooLarge(BODY_BYTES, request.content_length or 0)
    raw = await request.content.read(BODY_BYTES + 1)
    while len(raw) <= BODY_BYTES and not request.content.at_eof():
        raw += await request.content.read(BODY_BYTES + 1 - len(raw))
    if len(raw) > BODY_BYTES:
        raise web.HTTPRequestEntityTooLarge(BODY_BYTES, len(raw))
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        raise _refused(web.HTTPBadRequest, "The body is not UTF-8.") from None


def _check_form(content_type: str, body: str) -> None:
    if content_type == _FORM:
        form = parse_qs(body)
        if "payload" not in form and form:
            return
        body = form.get("payload", [""])[0]
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        raise _refused(web.HTTPBadRequest, "The body is neither JSON nor a form.") from None
    if not isinstance(value, dict) or not isinstance(value.get("event", {}), dict):
        raise _refused(web.HTTPBadRequest, "The body is no JSON object that Slack would send.")


def _refused(kind: type[web.HTTPException], error: str) -> web.HTTPException:
    return kind(text=json.dumps({"error": error}), content_type="application/json")
