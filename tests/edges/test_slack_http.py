"""Slack in HTTP mode: the signed event is taken, everything else is refused without a fault."""

import asyncio
import hashlib
import hmac
import json
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

import pytest
from aiohttp import web
from aiohttp.test_utils import TestClient, TestServer
from pydantic import SecretStr

from agent.errors import ConfigError
from agent.store import open_store
from bots.clock import SystemClock
from bots.conversation import Conversation
from bots.slack.app import build_slack
from bots.web.public import build_public
from config.settings import AdminSettings, Settings, SlackSettings
from tests.chat_fakes import MemoryJobs, ScriptedAssistant
from tests.edges.slack_server import TEAM, Json, SlackServer

SECRET = "shared-key"
STAMP, SIGNATURE = "X-Slack-Request-Timestamp", "X-Slack-Signature"
FORM = "application/x-www-form-urlencoded"


@dataclass
class Http:
    """Our public listener, and the Slack that calls it."""

    client: "TestClient[web.Request, web.Application]"
    server: SlackServer
    conversation: Conversation
    assistant: ScriptedAssistant

    async def post(self, body: str | bytes, headers: dict[str, str]) -> tuple[int, str]:
        async with self.client.post("/slack/events", data=body, headers=headers) as said:
            return said.status, await said.text()

    async def signed(self, body: str, kind: str = "application/json") -> tuple[int, str]:
        return await self.post(body, signature(body) | {"Content-Type": kind})


def signature(body: str | bytes, *, age_s: int = 0) -> dict[str, str]:
    stamp = str(int(time.time()) - age_s)
    raw = body.encode() if isinstance(body, str) else body
    digest = hmac.new(SECRET.encode(), f"v0:{stamp}:".encode() + raw, hashlib.sha256)
    return {STAMP: stamp, SIGNATURE: f"v0={digest.hexdigest()}"}


def callback(event: Json) -> str:
    return json.dumps(
        {"type": "event_callback", "team_id": TEAM, "event_id": "Ev1", "event": event}
    )


@pytest.fixture
async def http(tmp_path: Path) -> AsyncIterator[Http]:
    server = SlackServer()
    await server.start()
    settings = Settings(
        slack=SlackSettings(
            bot_token=SecretStr("xoxb-test"),
            signing_secret=SecretStr(SECRET),
            api_url=f"{server.url}/api/",
        ),
        admins=AdminSettings(slack=("UADMIN",)),
    )
    store = open_store(f"sqlite:///{tmp_path / 'footnote.db'}")
    assistant = ScriptedAssistant()
    conversation = Conversation(assistant, MemoryJobs(), store, settings)
    slack = build_slack(settings, conversation, SystemClock())
    await slack.start()
    client = TestClient(TestServer(build_public(slack=slack.handle)))
    await client.start_server()
    yield Http(client, server, conversation, assistant)
    await client.close()
    await conversation.stop()
    await slack.close()
    await server.stop()
    store.close()


async def settled(http: Http) -> None:
    async with asyncio.timeout(10):
        await http.conversation.settled()


async def test_a_signed_mention_is_answered_in_its_thread(http: Http) -> None:
    event = http.server.mention("C1", "U1", "How long?")

    status, _ = await http.signed(callback(event))
    await settled(http)

    assert status == 200
    assert http.server.ours("C1")[0].thread_ts == event["ts"]


async def test_the_same_signed_request_again_is_taken_and_not_answered_again(http: Http) -> None:
    body = callback(http.server.mention("C1", "U1", "How long?"))

    statuses = [(await http.signed(body))[0] for _ in range(3)]
    await settled(http)

    assert statuses == [200, 200, 200]
    assert len(http.server.ours("C1")) == 1


async def test_slack_can_verify_the_address(http: Http) -> None:
    body = json.dumps({"type": "url_verification", "challenge": "c123"})

    status, said = await http.signed(body)

    assert (status, "c123" in said) == (200, True)


async def test_the_slash_command_is_acknowledged_with_words(http: Http) -> None:
    form = urlencode(
        {
            "command": "/reindex",
            "text": "status",
            "channel_id": "C1",
            "user_id": "UADMIN",
            "team_id": TEAM,
            "trigger_id": "t1",
            "response_url": f"{http.server.url}/response/1",
        }
    )

    status, said = await http.signed(form, FORM)
    await settled(http)

    assert status == 200
    assert "Got it: /reindex status" in said
    assert http.server.responses[0]["text"] == "handbook: not read yet"


GOOD = callback({"type": "app_mention", "channel": "C1", "user": "U1", "text": "?", "ts": "1.1"})


@pytest.mark.parametrize(
    "sign",
    [
        pytest.param(dict, id="no headers"),
        pytest.param(lambda: signature(GOOD, age_s=360), id="six minutes old"),
        pytest.param(lambda: signature(GOOD, age_s=-360), id="six minutes in the future"),
        pytest.param(lambda: signature("another body"), id="signature of another body"),
        pytest.param(lambda: signature(GOOD) | {STAMP: "soon"}, id="no number as time"),
        pytest.param(lambda: signature(GOOD) | {STAMP: ""}, id="empty time"),
        pytest.param(lambda: signature(GOOD) | {STAMP: "9" * 400}, id="endless time"),
        pytest.param(lambda: signature(GOOD) | {SIGNATURE: "v0=ünsigned"}, id="other letters"),
        pytest.param(lambda: signature(GOOD) | {SIGNATURE: "v1=abc"}, id="other version"),
    ],
)
async def test_who_is_not_slack_is_not_let_in(
    http: Http, sign: Callable[[], dict[str, str]]
) -> None:
    said, _ = await http.post(GOOD, sign() | {"Content-Type": "application/json"})

    assert said == 401
    assert http.assistant.questions == []


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        pytest.param(b"\xff\xfe\x00", "application/json", 400, id="not UTF-8"),
        pytest.param(b"{", "application/json", 400, id="broken JSON"),
        pytest.param(b"[1, 2]", "application/json", 400, id="a list"),
        pytest.param(b'"text"', "application/json", 400, id="a string"),
        pytest.param(b"", "application/json", 400, id="nothing"),
        pytest.param(b"[" * 200_000, "application/json", 400, id="nested without end"),
        pytest.param(b"payload=%7B", "application/x-www-form-urlencoded", 400, id="broken form"),
        pytest.param(b"", "application/x-www-form-urlencoded", 400, id="empty form"),
        pytest.param(b"x" * 1_000_001, "application/json", 413, id="too long"),
        pytest.param(b'{"type": "unheard_of"}', "application/json", 404, id="unknown type"),
        pytest.param(
            b'{"type": "event_callback", "event": "text"}', "application/json", 400, id="no event"
        ),
        pytest.param(
            b'{"type": "event_callback", "event": {"type": "message", "text": 5, "channel": 7,'
            b' "user": [], "ts": {}}}',
            "application/json",
            400,
            id="an event of the wrong kinds",
        ),
    ],
)
async def test_a_signed_but_malformed_request_is_refused_without_a_fault(
    http: Http, body: bytes, kind: str, status: int
) -> None:
    said, _ = await http.post(body, signature(body) | {"Content-Type": kind})

    assert said == status
    assert http.assistant.questions == []


async def test_nothing_of_a_refused_request_is_logged(
    http: Http, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    body = callback({"type": "app_mention", "text": "a secret question"})

    await http.post(body, signature("another") | {"Content-Type": "application/json"})
    await http.signed(json.dumps({"type": "unheard_of", "text": "a secret question"}))
    await http.signed(urlencode({"command": "/other", "text": "secret"}), FORM)

    assert "secret" not in caplog.text
    assert "v0=" not in caplog.text


async def test_what_could_not_be_stored_is_asked_for_again(
    http: Http, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(incoming: object) -> bool:
        raise OSError

    monkeypatch.setattr(http.conversation, "receive", broken)

    status, _ = await http.signed(GOOD)

    assert status == 503


def test_a_bot_token_alone_is_no_way_in(tmp_path: Path) -> None:
    settings = Settings(slack=SlackSettings(bot_token=SecretStr("xoxb-test")))
    store = open_store(f"sqlite:///{tmp_path / 'footnote.db'}")
    conversation = Conversation(ScriptedAssistant(), MemoryJobs(), store, settings)

    with pytest.raises(ConfigError, match=r"slack\.app_token"):
        build_slack(settings, conversation, SystemClock())
    store.close()
