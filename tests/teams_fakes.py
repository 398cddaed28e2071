"""Stand-ins for Teams: activities as it sends them, a connector in memory and one on a socket,
and a login service with real keys.
"""

import asyncio
import json
import ssl
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import jwt
from aiohttp import web
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from bots.teams.activity import Address

BOT_ID = "28:bot"
ANN = "11111111-1111-1111-1111-111111111111"
BEN = "22222222-2222-2222-2222-222222222222"
TENANT = "33333333-3333-3333-3333-333333333333"
CHANNEL = "19:general@thread.tacv2"
TEAM = "19:team@thread.tacv2"
SERVICE = "http://127.0.0.1:9/connector"

Activity = dict[str, Any]


def personal(text: str = "How long is parental leave?", **other: Any) -> Activity:
    """A message in a personal chat, as Teams sends it."""
    return {
        "type": "message",
        "id": "1700000000001",
        "timestamp": "2026-03-02T12:00:00Z",
        "localTimezone": "Europe/Berlin",
        "channelId": "msteams",
        "serviceUrl": SERVICE,
        "from": {"id": "29:ann", "name": "Ann Lee", "aadObjectId": ANN},
        "recipient": {"id": BOT_ID, "name": "Footnote"},
        "conversation": {"id": "a:ann", "conversationType": "personal", "tenantId": TENANT},
        "channelData": {"tenant": {"id": TENANT}},
        "textFormat": "plain",
        "text": text,
        **other,
    }


def mention(name: str = "Footnote", who: str = BOT_ID, span: str = "") -> Activity:
    """The entity that declares a mention."""
    text = span or f"<at>{name}</at>"
    return {"type": "mention", "mentioned": {"id": who, "name": name}, "text": text}


def group(text: str = "<at>Footnote</at> How long is parental leave?", **other: Any) -> Activity:
    """A message in a group chat that mentions us."""
    conversation = {
        "id": "19:group@thread.v2",
        "conversationType": "groupChat",
        "isGroup": True,
        "tenantId": TENANT,
    }
    return personal(text, conversation=conversation, entities=[mention()]) | other


def in_channel(
    text: str = "<at>Footnote</at> How long is parental leave?", **other: Any
) -> Activity:
    """A new post in a channel that mentions us."""
    conversation = {
        "id": f"{CHANNEL};messageid=1700000000001",
        "conversationType": "channel",
        "isGroup": True,
        "tenantId": TENANT,
    }
    data = {
        "tenant": {"id": TENANT},
        "team": {"id": TEAM, "aadGroupId": "team-object"},
        "channel": {"id": CHANNEL, "type": "standard"},
    }
    return (
        personal(text, conversation=conversation, entities=[mention()])
        | {"channelData": data}
        | other
    )


@dataclass(frozen=True)
class Call:
    """One call that reached a connector: `send`, `update`, `delete`, `member`, `open`."""

    verb: str
    conversation_id: str
    activity_id: str = ""
    activity: Mapping[str, Any] = field(default_factory=dict)
    reply_to: str = ""

    @property
    def text(self) -> str:
        return str(self.activity.get("text", ""))

    @property
    def kind(self) -> str:
        return str(self.activity.get("type", ""))

    @property
    def stream(self) -> Mapping[str, Any]:
        """What the activity says of its stream; empty: it is of none."""
        for entity in self.activity.get("entities", ()):
            if entity["type"] == "streaminfo":
                return dict(entity)
        return {}

    @property
    def message_entity(self) -> Mapping[str, Any]:
        """Citations and label; empty where there are none."""
        for entity in self.activity.get("entities", ()):
            if entity["type"] == "https://schema.org/Message":
                return dict(entity)
        return {}


class MemoryConnector:
    """A connector that keeps what it was told and fails on demand."""

    def __init__(self) -> None:
        self.calls: list[Call] = []
        self.failures: dict[str, list[Exception]] = {}
        self.failures_after: dict[int, Exception] = {}
        """How the call after that many calls ends."""
        self.roster: dict[str, Any] = {}
        self.room: list[dict[str, Any]] = [{"id": "29:ann"}, {"id": "29:ben"}]
        self.personal_id = "a:opened"
        self.hold: asyncio.Event | None = None
        """While set and not released, calls wait."""

    def fail(self, verb: str, *failures: Exception) -> None:
        """Let the next calls of a verb fail like this."""
        self.failures.setdefault(verb, []).extend(failures)

    async def send(self, address: Address, activity: Mapping[str, Any]) -> str:
        await self._take(
            Call("send", address.conversation_id, "", dict(activity), address.activity_id)
        )
        return f"m{len(self.calls)}"

    async def update(self, address: Address, activity_id: str, activity: Mapping[str, Any]) -> None:
        await self._take(Call("update", address.conversation_id, activity_id, dict(activity)))

    async def delete(self, address: Address, activity_id: str) -> None:
        await self._take(Call("delete", address.conversation_id, activity_id))

    async def member(self, address: Address) -> Mapping[str, Any]:
        await self._take(Call("member", address.conversation_id, address.person_id))
        return self.roster

    async def members(self, address: Address) -> Sequence[Mapping[str, Any]]:
        await self._take(Call("members", address.conversation_id))
        return self.room

    async def open_personal(self, address: Address) -> str:
        await self._take(Call("open", address.conversation_id, address.person_id))
        return self.personal_id

    async def check(self, header: str | None, channel_id: str, service_url: str) -> None:
        """Let everybody in."""

    async def warm_up(self) -> None:
        """There is nothing to fetch."""

    async def close(self) -> None:
        """There is nothing to give back."""

    def sent(self, kind: str = "message") -> list[Call]:
        """What was posted, of one type."""
        return [call for call in self.calls if call.verb == "send" and call.kind == kind]

    async def _take(self, call: Call) -> int:
        if self.hold is not None:
            await self.hold.wait()
        if failure := self.failures_after.pop(len(self.calls), None):
            raise failure
        if waiting := self.failures.get(call.verb):
            raise waiting.pop(0)
        self.calls.append(call)
        return len(self.calls)


@dataclass(frozen=True)
class Refusal:
    """How the next call to a `LocalConnector` ends."""

    status: int
    body: str = '{"error": {"code": "Nope", "message": "no"}}'
    headers: Mapping[str, str] = field(default_factory=dict)
    content_type: str = "application/json"


class LocalConnector:
    """The connector's HTTP interface on a local socket."""

    def __init__(self) -> None:
        self.calls: list[Call] = []
        self.authorizations: list[str | None] = []
        self.refusals: list[Refusal] = []
        self.refusals_for: dict[str, Refusal] = {}
        self.roster: dict[str, Any] = {
            "id": "29:ann",
            "email": "Ann@Example.com",
            "tenantId": TENANT,
        }
        self.room: list[dict[str, Any]] = [{"id": f"29:{n}", "userRole": "user"} for n in range(5)]
        self.url = ""
        self._runner: web.AppRunner | None = None

    async def start(self) -> None:
        app = web.Application(client_max_size=1 << 22)
        base = "/connector/v3/conversations"
        app.router.add_post(base, self._open)
        app.router.add_get(base + "/{conversation}/members/{member}", self._member)
        app.router.add_get(base + "/{conversation}/pagedmembers", self._members)
        app.router.add_post(base + "/{conversation}/activities", self._send)
        app.router.add_post(base + "/{conversation}/activities/{activity}", self._send)
        app.router.add_put(base + "/{conversation}/activities/{activity}", self._update)
        app.router.add_delete(base + "/{conversation}/activities/{activity}", self._delete)
        self._runner = web.AppRunner(app, access_log=None)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        port = self._runner.addresses[0][1]
        self.url = f"http://127.0.0.1:{port}/connector"

    async def stop(self) -> None:
        if self._runner:
            await self._runner.cleanup()

    def sent(self, kind: str = "message") -> list[Call]:
        """What was posted, of one type."""
        return [call for call in self.calls if call.verb == "send" and call.kind == kind]

    async def _open(self, request: web.Request) -> web.Response:
        return await self._take(request, "open", {"id": "a:opened", "activityId": ""})

    async def _member(self, request: web.Request) -> web.Response:
        return await self._take(request, "member", self.roster)

    async def _members(self, request: web.Request) -> web.Response:
        at = int(request.query.get("continuationToken", "0"))
        page: dict[str, Any] = {"members": self.room[at : at + 2]}
        if at + 2 < len(self.room):
            page["continuationToken"] = str(at + 2)
        return await self._take(request, "members", page)

    async def _send(self, request: web.Request) -> web.Response:
        return await self._take(request, "send", {}, status=201)

    async def _update(self, request: web.Request) -> web.Response:
        return await self._take(request, "update", {"id": request.match_info["activity"]})

    async def _delete(self, request: web.Request) -> web.Response:
        return await self._take(request, "delete", {})

    async def _take(
        self, request: web.Request, verb: str, reply: Mapping[str, Any], status: int = 200
    ) -> web.Response:
        self.authorizations.append(request.headers.get("Authorization"))
        refusal = self.refusals_for.get(verb) or (
            self.refusals.pop(0) if self.refusals and verb in ("send", "update") else None
        )
        if refusal:
            return web.Response(
                status=refusal.status,
                text=refusal.body,
                headers=refusal.headers,
                content_type=refusal.content_type,
            )
        place = request.match_info
        body = await request.json() if request.can_read_body else {}
        self.calls.append(
            Call(
                verb,
                place.get("conversation", ""),
                place.get("activity", place.get("member", "")),
                body,
                str(body.get("replyToId", "")),
            )
        )
        if verb == "send":
            reply = {"id": f"m{len(self.calls)}"}
        return web.json_response(reply, status=status)


class LocalIdentity:
    """Signs tokens as the channel does, and announces its keys on a local socket.

    Its server has a thread of its own, as the SDK fetches keys with blocking calls.
    """

    issuer = "https://issuer.example"

    def __init__(self, app_id: str) -> None:
        self.app_id = app_id
        self.keys = {"key-1": _new_key()}
        self.fetched = 0
        self.broken = False
        self.base = ""

    @property
    def metadata_url(self) -> str:
        """Where the keys are announced."""
        return f"{self.base}/.well-known/openidconfiguration"

    def rotate(self) -> str:
        """Replace the key; gives back the id of the new one."""
        name = f"key-{len(self.keys) + 1}"
        self.keys = {name: _new_key()}
        return name

    def token(
        self, service_url: str, *, kid: str = "", key: Any = None, alg: str = "RS256", **claims: Any
    ) -> str:
        """A token as the channel sends it; claims given as None are left out."""
        kid = kid or next(iter(self.keys))
        payload: dict[str, Any] = {
            "iss": self.issuer,
            "aud": self.app_id,
            "serviceurl": service_url,
            "nbf": time.time() - 10,
            "exp": time.time() + 600,
            **claims,
        }
        payload = {name: value for name, value in payload.items() if value is not None}
        signing: Any = "" if alg == "none" else key or self.keys.get(kid)
        return jwt.encode(payload, signing, algorithm=alg, headers={"kid": kid})

    @contextmanager
    def serving(self) -> Iterator["LocalIdentity"]:
        """Serve the keys while inside."""
        identity = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                identity.fetched += 1
                body = json.dumps(identity.document(self.path)).encode()
                self.send_response(503 if identity.broken else 200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002
                """Stay silent."""

        with _serving(Handler) as port:
            self.base = f"http://127.0.0.1:{port}"
            yield self

    def document(self, path: str) -> dict[str, Any]:
        """What stands at a path of the server."""
        if path.endswith("openidconfiguration"):
            return {"issuer": self.issuer, "jwks_uri": f"{self.base}/keys"}
        return {"keys": [_public(name, key) for name, key in self.keys.items()]}


class LocalLogin:
    """Where the bot fetches its own tokens: an AD FS endpoint with TLS, as MSAL insists on."""

    def __init__(self, folder: Path) -> None:
        self.granted = 0
        self.refuse = False
        self.base = ""
        self.ca_file = folder / "ca.pem"
        self._key_file = folder / "key.pem"
        _write_certificate(self.ca_file, self._key_file)

    @property
    def url(self) -> str:
        """What goes into `teams.login_url`."""
        return f"{self.base}/adfs"

    @contextmanager
    def serving(self) -> Iterator["LocalLogin"]:
        """Grant tokens while inside."""
        login = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                token = f"{login.url}/oauth2/token"
                self._say({"authorization_endpoint": token, "token_endpoint": token})

            def do_POST(self) -> None:
                self.rfile.read(int(self.headers["Content-Length"]))
                if login.refuse:
                    self._say({"error": "invalid_client", "error_description": "expired"}, 401)
                    return
                login.granted += 1
                token = {"access_token": f"token-{login.granted}", "expires_in": 3600}
                self._say(token | {"token_type": "Bearer"})

            def _say(self, value: dict[str, Any], status: int = 200) -> None:
                body = json.dumps(value).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002
                """Stay silent."""

        with _serving(Handler, self.ca_file, self._key_file) as port:
            self.base = f"https://localhost:{port}"
            yield self


@contextmanager
def _serving(
    handler: type[BaseHTTPRequestHandler],
    certificate: Path | None = None,
    key: Path | None = None,
) -> Iterator[int]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    if certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _write_certificate(certificate: Path, key_file: Path) -> None:
    key = _new_key()
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    signed = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    certificate.write_bytes(signed.public_bytes(serialization.Encoding.PEM))
    key_file.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )


def _new_key() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


def _public(name: str, key: rsa.RSAPrivateKey) -> dict[str, Any]:
    announced: dict[str, Any] = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(key.public_key()))
    return {**announced, "kid": name, "use": "sig", "endorsements": ["msteams"]}


def new_key() -> rsa.RSAPrivateKey:
    """A key that nobody announces."""
    return _new_key()
