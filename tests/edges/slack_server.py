"""A Slack of our own: Web API, Socket Mode and response URLs, with Slack's documented limits.

The client is always the real slack_bolt and slack_sdk. Facts and where they are documented:
limits of text, blocks and metadata: docs.slack.dev reference/methods/chat.postMessage, chat.update
and reference/block-kit; Socket Mode envelopes and acknowledgements: docs.slack.dev/apis/events-api/
using-socket-mode; retries of unacknowledged events: docs.slack.dev/apis/events-api; ephemeral
messages and threads: reference/methods/chat.postEphemeral; 429: docs.slack.dev/apis/web-api/
rate-limits. Slack retries after seconds and minutes; here a retry follows when a test asks for it.
"""

import asyncio
import itertools
import json
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from aiohttp import WSMsgType, web

Json = dict[str, Any]

US = "U0FOOTNOTE"
OUR_BOT = "B0FOOTNOTE"
TEAM = "T0TEAM"

_MAX = {"postMessage": 40_000, "update": 4_000, "postEphemeral": 40_000}
_BLOCKS = 50
_ALL_BLOCK_CHARS = 13_200
_TEXT_OBJECT = 3_000
_CONTEXT_ELEMENTS = 10
_BLOCK_TYPES = {"rich_text", "context", "section", "markdown", "divider", "header", "actions"}


@dataclass
class Call:
    """One call of the Web API."""

    method: str
    args: Json


@dataclass
class Failure:
    """What a method answers instead of doing its work.

    Attributes:
        error: Slack's error code.
        status: HTTP status; 429 carries `retry_after`.
        lost: the work is done, but the connection breaks before the answer.
    """

    error: str = ""
    status: int = 200
    retry_after: str = "1"
    lost: bool = False


@dataclass
class Message:
    """One message of a conversation."""

    ts: str
    user: str
    text: str
    thread_ts: str = ""
    blocks: list[Json] = field(default_factory=list)
    metadata: Json | None = None
    edits: int = 0

    def shown(self) -> Json:
        """As conversations.replies gives it."""
        whole: Json = {"type": "message", "ts": self.ts, "user": self.user, "text": self.text}
        if self.thread_ts:
            whole["thread_ts"] = self.thread_ts
        if self.blocks:
            whole["blocks"] = self.blocks
        if self.metadata:
            whole["metadata"] = self.metadata
        return whole


def member(user: str, **other: object) -> Json:
    """A full member of the workspace as users.info gives him."""
    person: Json = {
        "id": user,
        "team_id": TEAM,
        "name": user.lower(),
        "tz": "Europe/Berlin",
        "deleted": False,
        "is_bot": False,
        "is_restricted": False,
        "is_ultra_restricted": False,
        "profile": {"email": f"{user}@Example.com"},
    }
    return {**person, **other}


def public_channel(channel: str, **other: object) -> Json:
    """A public channel as conversations.info gives it."""
    room: Json = {
        "id": channel,
        "is_channel": True,
        "is_private": False,
        "is_im": False,
        "is_mpim": False,
        "is_ext_shared": False,
    }
    return {**room, **other}


class SlackServer:
    """A workspace with members, conversations and one app: ours."""

    def __init__(self) -> None:
        self.calls: list[Call] = []
        self.messages: dict[str, list[Message]] = defaultdict(list)
        self.ephemerals: list[Json] = []
        self.responses: list[Json] = []
        self.statuses: list[Json] = []
        self.users: dict[str, Json] = {name: member(name) for name in ("U1", "U2", "UADMIN")}
        self.rooms: dict[str, Json] = {"C1": public_channel("C1"), "C2": public_channel("C2")}
        self.groups: dict[str, list[str]] = {}
        self.failures: dict[str, list[Failure]] = defaultdict(list)
        self.refused: dict[str, str] = {"conversations.replies": "missing_scope"}
        """Methods that always answer with an error; reading threads needs a scope we lack."""
        self.gates: dict[str, asyncio.Event] = {}
        """Methods whose answer waits until a test opens the gate."""
        self.response_status = 200
        """What response URLs answer; they end after 30 minutes or 5 uses."""
        self.acks: dict[str, Json] = {}
        self.sockets: list[web.WebSocketResponse] = []
        self.changed = asyncio.Event()
        self._ts = itertools.count(1)
        self._ids = itertools.count(1)
        self._runner: web.AppRunner | None = None
        self.url = ""

    async def start(self) -> None:
        """Listen on a free port of loopback."""
        app = web.Application(client_max_size=1 << 22)
        app.router.add_route("*", "/api/{method}", self._api)
        app.router.add_get("/socket", self._socket)
        app.router.add_post("/response/{id}", self._response)
        self._runner = web.AppRunner(app, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        port = self._runner.addresses[0][1]
        self.url = f"http://127.0.0.1:{port}"

    async def stop(self) -> None:
        """Close every socket and stop listening."""
        for socket in self.sockets:
            await socket.close()
        if self._runner:
            await self._runner.cleanup()

    # ------------------------------------------------------------ what people do

    def next_ts(self) -> str:
        """The timestamp of the next message."""
        second, micro = divmod(next(self._ts), 1_000_000)
        return f"{1_700_000_000 + second}.{micro:06d}"

    def write(self, channel: str, user: str, text: str, **other: Any) -> Json:
        """A person writes; gives the `message` event of it."""
        ts = self.next_ts()
        self.messages[channel].append(Message(ts, user, text, other.get("thread_ts", "")))
        return {
            "type": "message",
            "channel": channel,
            "channel_type": "im" if channel.startswith("D") else "channel",
            "user": user,
            "text": text,
            "ts": ts,
            "event_ts": ts,
            **other,
        }

    def mention(self, channel: str, user: str, text: str, **other: Any) -> Json:
        """A person writes `@Footnote text`; gives the `app_mention` event of it."""
        event = self.write(channel, user, f"<@{US}> {text}".strip(), **other)
        return {**event, "type": "app_mention"}

    async def deliver(self, event: Json, *, event_id: str = "", retry: int = 0) -> Json:
        """Send an event through Socket Mode and wait until it is acknowledged."""
        payload = {
            "type": "event_callback",
            "team_id": TEAM,
            "api_app_id": "A1",
            "event": event,
            "event_id": event_id or f"Ev{next(self._ids)}",
            "event_time": 1700000000,
            "authorizations": [{"team_id": TEAM, "user_id": US, "is_bot": True}],
        }
        return await self.envelope("events_api", payload, retry=retry)

    async def slash(self, channel: str, user: str, text: str, trigger_id: str = "") -> Json:
        """A person types `/reindex text`; gives the payload of the acknowledgement."""
        number = next(self._ids)
        payload = {
            "command": "/reindex",
            "text": text,
            "channel_id": channel,
            "user_id": user,
            "team_id": TEAM,
            "trigger_id": trigger_id or f"trigger{number}",
            "response_url": f"{self.url}/response/{number}",
        }
        return await self.envelope("slash_commands", payload)

    async def envelope(self, kind: str, payload: Json, *, retry: int = 0) -> Json:
        """Send one envelope and wait for its acknowledgement."""
        envelope_id = f"envelope{next(self._ids)}"
        body = {
            "envelope_id": envelope_id,
            "type": kind,
            "payload": payload,
            "accepts_response_payload": kind == "slash_commands",
            "retry_attempt": retry,
            "retry_reason": "timeout" if retry else "",
        }
        await self.until(lambda: any(not socket.closed for socket in self.sockets))
        socket = next(socket for socket in reversed(self.sockets) if not socket.closed)
        await socket.send_json(body)
        await self.until(lambda: envelope_id in self.acks)
        return self.acks[envelope_id]

    async def send_unacknowledged(self, event: Json) -> str:
        """Send an event and do not wait; gives the envelope's id."""
        envelope_id = f"envelope{next(self._ids)}"
        payload = {"type": "event_callback", "team_id": TEAM, "event": event, "event_id": "EvX"}
        await self.until(lambda: any(not socket.closed for socket in self.sockets))
        socket = next(socket for socket in reversed(self.sockets) if not socket.closed)
        await socket.send_json(
            {"envelope_id": envelope_id, "type": "events_api", "payload": payload}
        )
        return envelope_id

    async def disconnect(self) -> None:
        """Ask the client to reconnect, as Slack does every few hours."""
        for socket in self.sockets:
            if not socket.closed:
                await socket.send_json({"type": "disconnect", "reason": "refresh_requested"})

    # ------------------------------------------------------------ what tests look at

    async def until(self, holds: Callable[[], bool]) -> None:
        """Come back as soon as something holds here."""
        async with asyncio.timeout(10):
            while not holds():
                self.changed.clear()
                if holds():
                    return
                await self.changed.wait()

    def ours(self, channel: str) -> list[Message]:
        """Our messages in a conversation, oldest first."""
        return [message for message in self.messages[channel] if message.user == US]

    def called(self, method: str) -> list[Json]:
        """The arguments of every call of a method."""
        return [call.args for call in self.calls if call.method == method]

    def direct(self, user: str) -> str:
        """The id of the direct conversation with somebody."""
        return f"D{user}"

    # ------------------------------------------------------------ the Web API

    async def _api(self, request: web.Request) -> web.StreamResponse:
        method = request.match_info["method"]
        args = await _arguments(request)
        self.calls.append(Call(method, args))
        if gate := self.gates.get(method):
            await gate.wait()
        failure = self.failures[method].pop(0) if self.failures[method] else None
        if failure and failure.status == 429:
            headers = {"Retry-After": failure.retry_after}
            return web.json_response(
                {"ok": False, "error": "ratelimited"}, status=429, headers=headers
            )
        if failure and not failure.lost:
            return web.json_response({"ok": False, "error": failure.error}, status=failure.status)
        said = self._refusal(method, request) or self._do(method, args)
        self.changed.set()
        if failure and failure.lost and request.transport:
            request.transport.abort()
        return web.json_response(said)

    def _refusal(self, method: str, request: web.Request) -> Json | None:
        if not request.headers.get("Authorization", "").startswith("Bearer x"):
            return {"ok": False, "error": "not_authed"}
        if error := self.refused.get(method):
            return {"ok": False, "error": error}
        return None

    def _do(self, method: str, args: Json) -> Json:
        work: dict[str, Callable[[Json], Json]] = {
            "auth.test": self._auth_test,
            "apps.connections.open": lambda _: {"url": f"{self.url.replace('http', 'ws')}/socket"},
            "users.info": self._users_info,
            "conversations.info": self._conversations_info,
            "conversations.replies": self._conversations_replies,
            "usergroups.list": self._usergroups_list,
            "usergroups.users.list": self._usergroups_users_list,
            "chat.postMessage": self._post_message,
            "chat.postEphemeral": self._post_ephemeral,
            "chat.update": self._update,
            "chat.delete": self._delete,
            "assistant.threads.setStatus": self._set_status,
        }
        if method not in work:
            return {"ok": False, "error": "unknown_method"}
        try:
            return {"ok": True, **work[method](args)}
        except _Refused as refused:
            return {"ok": False, "error": str(refused)}

    def _auth_test(self, _: Json) -> Json:
        return {
            "url": f"{self.url}/",
            "team": "Team",
            "user": "Footnote",
            "team_id": TEAM,
            "user_id": US,
            "bot_id": OUR_BOT,
        }

    def _users_info(self, args: Json) -> Json:
        return {"user": _known(self.users, args.get("user"), "user_not_found")}

    def _conversations_info(self, args: Json) -> Json:
        return {"channel": _known(self.rooms, args.get("channel"), "channel_not_found")}

    def _conversations_replies(self, args: Json) -> Json:
        thread = args["ts"]
        held = [m for m in self.messages[args["channel"]] if thread in (m.ts, m.thread_ts)]
        if not held:
            raise _Refused("thread_not_found")
        limit, start = int(args.get("limit", 1000)), int(args.get("cursor") or 0)
        page = [m.shown() for m in held[start : start + limit]]
        if not args.get("include_all_metadata"):
            page = [{k: v for k, v in m.items() if k != "metadata"} for m in page]
        following = str(start + limit) if start + limit < len(held) else ""
        return {"messages": page, "response_metadata": {"next_cursor": following}}

    def _usergroups_list(self, args: Json) -> Json:
        return {"usergroups": [{"id": k, "users": v} for k, v in self.groups.items()]}

    def _usergroups_users_list(self, args: Json) -> Json:
        return {"users": _known(self.groups, args.get("usergroup"), "no_such_subteam")}

    def _post_message(self, args: Json) -> Json:
        channel = self._destination(str(args.get("channel", "")))
        _check_message(args, "postMessage")
        if args.get("reply_broadcast"):
            raise _Refused("invalid_arguments")
        thread = str(args.get("thread_ts") or "")
        known = {message.ts for message in self.messages[channel]}
        if thread and thread not in known:
            raise _Refused("thread_not_found")
        ts = self.next_ts()
        self.messages[channel].append(
            Message(ts, US, args.get("text", ""), thread, args.get("blocks", []), _meta(args))
        )
        return {"channel": channel, "ts": ts}

    def _post_ephemeral(self, args: Json) -> Json:
        _known(self.rooms, args.get("channel"), "channel_not_found")
        _check_message(args, "postEphemeral")
        self.ephemerals.append(args)
        return {"message_ts": self.next_ts()}

    def _update(self, args: Json) -> Json:
        _check_message(args, "update")
        message = self._message(args)
        message.text = args.get("text", "")
        message.blocks = args.get("blocks", [])
        message.metadata = _meta(args) or message.metadata
        message.edits += 1
        return {"channel": args["channel"], "ts": message.ts, "text": message.text}

    def _delete(self, args: Json) -> Json:
        message = self._message(args)
        self.messages[args["channel"]].remove(message)
        return {"channel": args["channel"], "ts": message.ts}

    def _set_status(self, args: Json) -> Json:
        if not args.get("channel_id") or not args.get("thread_ts"):
            raise _Refused("invalid_arguments")
        if len(args.get("loading_messages") or []) > 10:
            raise _Refused("invalid_arguments")
        self.statuses.append(args)
        return {}

    def _message(self, args: Json) -> Message:
        for message in self.messages[args["channel"]]:
            if message.ts == args.get("ts"):
                if message.user != US:
                    raise _Refused("cant_update_message")
                return message
        raise _Refused("message_not_found")

    def _destination(self, channel: str) -> str:
        if channel.startswith("U"):
            _known(self.users, channel, "channel_not_found")
            return self.direct(channel)
        if channel.startswith("D"):
            return channel
        _known(self.rooms, channel, "channel_not_found")
        return channel

    async def _response(self, request: web.Request) -> web.Response:
        if self.response_status == 200:
            self.responses.append(await request.json())
        self.changed.set()
        return web.Response(text="ok", status=self.response_status)

    async def _socket(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        await socket.send_json({"type": "hello", "num_connections": 1})
        self.sockets.append(socket)
        self.changed.set()
        async for message in socket:
            if message.type is WSMsgType.TEXT:
                said = json.loads(message.data)
                self.acks[said["envelope_id"]] = said.get("payload") or {}
                self.changed.set()
        self.changed.set()
        return socket


class _Refused(Exception):  # noqa: N818 - what Slack says, not a fault of the test
    """Slack says `ok: false`."""


async def _arguments(request: web.Request) -> Json:
    if request.method == "GET":
        return dict(request.query)
    if request.content_type == "application/json":
        body: Json = await request.json()
        return body
    form: Json = dict(await request.post())
    for name in ("blocks", "metadata", "loading_messages"):
        if isinstance(form.get(name), str):
            form[name] = json.loads(form[name])
    return form


def _known(table: dict[str, Any], key: object, error: str) -> Any:
    if key not in table:
        raise _Refused(error)
    return table[str(key)]


def _meta(args: Json) -> Json | None:
    metadata: Json | None = args.get("metadata")
    if metadata and not isinstance(metadata.get("event_payload"), dict):
        raise _Refused("invalid_metadata_format")
    return metadata


def _check_message(args: Json, kind: str) -> None:
    text, blocks = args.get("text") or "", args.get("blocks") or []
    if not text and not blocks:
        raise _Refused("no_text")
    if len(text) > _MAX[kind]:
        raise _Refused("msg_too_long")
    if len(blocks) > _BLOCKS:
        raise _Refused("invalid_blocks")
    for block in blocks:
        _check_block(block)
    if sum(len(json.dumps(block, ensure_ascii=False)) for block in blocks) > _ALL_BLOCK_CHARS:
        raise _Refused("msg_blocks_too_long")


def _check_block(block: Json) -> None:
    if block.get("type") not in _BLOCK_TYPES:
        raise _Refused("invalid_blocks")
    if block["type"] == "context":
        elements = block["elements"]
        if not 1 <= len(elements) <= _CONTEXT_ELEMENTS:
            raise _Refused("invalid_blocks")
        if any(not 1 <= len(each["text"]) <= _TEXT_OBJECT for each in elements):
            raise _Refused("invalid_blocks")
    if block["type"] == "rich_text" and not block.get("elements"):
        raise _Refused("invalid_blocks")
