"""Who may write to us in Teams' name: the SDK's own checks against a local login service.

Nothing forged gets in, and nothing hostile looks like a fault of ours.
"""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from aiohttp.test_utils import TestClient, TestServer

from agent.errors import ConfigError
from bots.teams.app import build_teams, is_served
from bots.teams.connector import NotAuthentic
from bots.teams.edge import MessagesEdge
from bots.teams.sdk.framework import Framework
from bots.teams.translate import Event
from bots.web.public import build_public
from config.settings import PublicSettings, Settings, TeamsSettings
from tests.teams_fakes import TENANT, LocalIdentity, new_key, personal

APP = "0a0b0c0d-0000-0000-0000-000000000001"
SERVICE = "https://smba.example/emea/"
Client = TestClient[Any, Any]


class Taken:
    """A reception that writes down what it is given."""

    def __init__(self) -> None:
        self.events: list[Event] = []

    async def take(self, event: Event) -> None:
        self.events.append(event)


@pytest.fixture(scope="module")
def identity() -> Iterator[LocalIdentity]:
    with LocalIdentity(APP).serving() as serving:
        yield serving


@pytest.fixture
async def framework(identity: LocalIdentity) -> AsyncIterator[Framework]:
    framework = Framework(_settings(identity))
    yield framework
    await framework.close()


@pytest.fixture
def taken() -> Taken:
    return Taken()


@pytest.fixture
async def client(framework: Framework, taken: Taken) -> AsyncIterator[Client]:
    edge = MessagesEdge(framework, taken, anonymous=False, tenants=(TENANT,))
    async with TestClient(TestServer(build_public(teams=edge.handle))) as client:
        yield client


async def say(client: Client, token: str, activity: Any = None) -> int:
    """Post an activity with a token; gives back the status."""
    body = personal(serviceUrl=SERVICE) if activity is None else activity
    headers = {"Authorization": f"Bearer {token}"}
    async with client.post("/api/messages", json=body, headers=headers) as response:
        assert response.content_type == "application/json"
        return response.status


async def test_a_message_of_teams_is_taken(
    client: Client, identity: LocalIdentity, taken: Taken
) -> None:
    assert await say(client, identity.token(SERVICE)) == 202
    assert len(taken.events) == 1


@pytest.mark.parametrize(
    "claims",
    [
        pytest.param({"exp": 1_000_000_000}, id="expired"),
        pytest.param({"nbf": 9_000_000_000}, id="not valid yet"),
        pytest.param({"iss": "https://evil.example"}, id="wrong issuer"),
        pytest.param({"iss": None}, id="no issuer"),
        pytest.param({"aud": "another-app"}, id="wrong audience"),
        pytest.param({"aud": None}, id="no audience"),
        pytest.param({"serviceurl": "https://evil.example/"}, id="another service"),
        pytest.param({"serviceurl": None}, id="no service"),
        pytest.param({"kid": "key-unknown", "key": new_key()}, id="unknown key"),
        pytest.param({"key": new_key()}, id="wrong key under a known name"),
        pytest.param({"alg": "none"}, id="unsigned"),
        pytest.param({"alg": "HS256", "key": "guess" * 10}, id="signed with a password"),
    ],
)
async def test_a_forged_token_is_refused_with_401(
    client: Client, identity: LocalIdentity, taken: Taken, claims: dict[str, Any]
) -> None:
    assert await say(client, identity.token(SERVICE, **claims)) == 401
    assert taken.events == []


async def test_clocks_may_differ_by_minutes(client: Client, identity: LocalIdentity) -> None:
    assert await say(client, identity.token(SERVICE, exp=time.time() - 120)) == 202


@pytest.mark.parametrize(
    "header",
    [
        pytest.param(None, id="none"),
        pytest.param("", id="empty"),
        pytest.param("Bearer", id="no token"),
        pytest.param("Bearer ", id="empty token"),
        pytest.param("Bearer x", id="no JWT"),
        pytest.param("Bearer a.b.c", id="no JWT either"),
        pytest.param("Bearer a b", id="two tokens"),
        pytest.param("Basic YTpi", id="another scheme"),
        pytest.param("Bearer \u00fc.\u00fc.\u00fc", id="no ASCII"),
    ],
)
async def test_a_header_that_is_no_token_is_refused_with_401(
    client: Client, taken: Taken, header: str | None
) -> None:
    headers = {} if header is None else {"Authorization": header}
    async with client.post("/api/messages", json=personal(), headers=headers) as response:
        assert response.status == 401
    assert taken.events == []


async def test_a_key_that_is_not_endorsed_for_the_channel_is_refused(
    client: Client, identity: LocalIdentity
) -> None:
    body = personal(serviceUrl=SERVICE, channelId="directline")

    assert await say(client, identity.token(SERVICE), body) == 401


async def test_a_token_without_a_named_channel_reaches_nobody(
    client: Client, identity: LocalIdentity, taken: Taken
) -> None:
    body = personal(serviceUrl=SERVICE)
    del body["channelId"]

    assert await say(client, identity.token(SERVICE), body) == 200
    assert taken.events == []


@pytest.mark.parametrize(
    "place",
    [
        pytest.param({"channelData": {"tenant": {"id": "another"}}}, id="another tenant"),
        pytest.param(
            {"channelData": {}, "conversation": {"id": "x", "tenantId": "another"}},
            id="another tenant of the conversation",
        ),
        pytest.param({"channelData": {}, "conversation": {"id": "x"}}, id="no tenant"),
        pytest.param(
            {
                "channelData": {"tenant": {"id": TENANT}},
                "conversation": {"id": "x", "tenantId": "another"},
            },
            id="two tenants",
        ),
    ],
)
async def test_other_tenants_are_dropped_without_a_word(
    client: Client, identity: LocalIdentity, taken: Taken, place: dict[str, Any]
) -> None:
    body = personal(serviceUrl=SERVICE) | place

    assert await say(client, identity.token(SERVICE), body) == 200
    assert taken.events == []


HOSTILE_BODIES = [
    pytest.param(b"", 400, id="empty"),
    pytest.param(b"{", 400, id="half"),
    pytest.param(b"[1]", 400, id="a list"),
    pytest.param(b'"x"', 400, id="a string"),
    pytest.param(b"null", 400, id="null"),
    pytest.param(b"{}", 400, id="no activity"),
    pytest.param(b'{"type": 5}', 400, id="a type that is none"),
    pytest.param(b'{"type": "message"}', 400, id="no service"),
    pytest.param(b'{"type": "message", "serviceUrl": "ftp://x"}', 400, id="no web address"),
    pytest.param(b'{"type": "message", "serviceUrl": "http://[x"}', 400, id="no address"),
    pytest.param(b"\xff\xfe\x00", 400, id="no UTF-8"),
    pytest.param(b"[" * 50_000, 400, id="deep"),
    pytest.param(b'{"type": ' + b"9" * 10_000 + b"}", 400, id="a huge number"),
    pytest.param(b'{"type": "message", "text": "' + b"x" * 1_000_000 + b'"}', 413, id="too long"),
]


@pytest.mark.parametrize(("body", "status"), HOSTILE_BODIES)
async def test_a_hostile_body_is_no_fault_of_ours(
    client: Client, identity: LocalIdentity, taken: Taken, body: bytes, status: int
) -> None:
    headers = {
        "Authorization": f"Bearer {identity.token(SERVICE)}",
        "Content-Type": "application/json",
    }
    async with client.post("/api/messages", data=body, headers=headers) as response:
        assert response.status == status
    assert taken.events == []


ODD_SHAPES = [
    pytest.param({"conversation": None}, "conversation", id="no conversation"),
    pytest.param({"conversation": "x"}, "conversation", id="a text for a conversation"),
    pytest.param({"conversation": ["x"]}, "conversation", id="a list for a conversation"),
    pytest.param({"conversation": {}}, "conversation.id", id="a conversation without id"),
    pytest.param({"conversation": {"id": 5}}, "conversation.id", id="a number for an id"),
    pytest.param({"conversation": {"id": " "}}, "conversation.id", id="a blank id"),
    pytest.param({"from": None}, "from", id="no sender"),
    pytest.param({"from": "ann"}, "from", id="a text for a sender"),
    pytest.param({"from": {"name": "Ann"}}, "from.id", id="a sender without id"),
    pytest.param({"recipient": "bot"}, "recipient", id="a text for us"),
    pytest.param({"recipient": {"id": 5}}, "recipient.id", id="a number for us"),
    pytest.param({"text": 5}, "text", id="a number for a text"),
    pytest.param({"id": 5}, "id", id="a number for the activity's id"),
    pytest.param({"channelData": "x"}, "channelData", id="a text for channel data"),
    pytest.param({"serviceUrl": 5}, "serviceUrl", id="a number for an address"),
    pytest.param({"conversation": {"id": "../../x"}}, "conversation.id", id="an id that climbs"),
    pytest.param({"conversation": {"id": "a/..\\b"}}, "conversation.id", id="climbs inside"),
    pytest.param({"conversation": {"id": ".."}}, "conversation.id", id="only dots"),
    pytest.param({"conversation": {"id": "%2e%2E%2fx"}}, "conversation.id", id="hidden dots"),
    pytest.param({"conversation": {"id": "a\r\nb"}}, "conversation.id", id="line ends in an id"),
    pytest.param({"conversation": {"id": "a%00b"}}, "conversation.id", id="a hidden NUL"),
    pytest.param({"from": {"id": "../ann"}}, "from.id", id="a sender that climbs"),
    pytest.param({"id": "../m1"}, "id", id="an activity's id that climbs"),
    pytest.param({"replyToId": "\x7f"}, "replyToId", id="a control character"),
    pytest.param({"id": "x" * 2_001}, "id", id="a long id"),
]


@pytest.mark.parametrize(("change", "named"), ODD_SHAPES)
async def test_an_activity_of_another_shape_is_refused_and_told_which_field(
    client: Client, identity: LocalIdentity, taken: Taken, change: Any, named: str
) -> None:
    body = {**personal(serviceUrl=SERVICE), **change}
    headers = {"Authorization": f"Bearer {identity.token(SERVICE)}"}
    async with client.post("/api/messages", json=body, headers=headers) as response:
        problem = await response.json()
        assert response.status == 400
    assert problem["error"].startswith(f"{named} is ")
    assert taken.events == []


@pytest.mark.parametrize("conversation_id", ["a:1xK-_v.2/b", "19:x@thread.v2;messageid=1", "...x"])
async def test_unusual_ids_that_lead_nowhere_else_are_taken(
    client: Client, identity: LocalIdentity, conversation_id: str
) -> None:
    body = personal(serviceUrl=SERVICE, conversation={"id": conversation_id, "tenantId": TENANT})

    assert await say(client, identity.token(SERVICE), body) == 202


@pytest.mark.parametrize("missing", ["recipient", "id", "text", "replyToId"])
async def test_what_can_be_done_without_may_be_missing(
    client: Client, identity: LocalIdentity, missing: str
) -> None:
    body = {**personal(serviceUrl=SERVICE), missing: None}

    assert await say(client, identity.token(SERVICE), body) == 202


@pytest.mark.parametrize(
    ("body", "says"),
    [
        pytest.param(b"{", "The body is no JSON.", id="broken JSON"),
        pytest.param(b"[1]", "The body is no JSON object.", id="a list"),
        pytest.param(b"{}", "type is missing", id="no type"),
        pytest.param(b'{"type": "message"}', "serviceUrl is missing", id="no service"),
        pytest.param(b'{"type": "message", "serviceUrl": "x"}', "no web address", id="no address"),
        pytest.param(
            json.dumps(personal(serviceUrl="https://smba.example/")).encode(),
            "only local services",
            id="a foreign host",
        ),
    ],
)
async def test_a_refusal_says_what_is_wrong(taken: Taken, body: bytes, says: str) -> None:
    framework = Framework(TeamsSettings())
    edge = MessagesEdge(framework, taken, anonymous=True, tenants=())
    headers = {"Content-Type": "application/json"}
    async with (
        TestClient(TestServer(build_public(teams=edge.handle))) as client,
        client.post("/api/messages", data=body, headers=headers) as response,
    ):
        problem = await response.json()
        assert response.status == 400
    await framework.close()
    assert says in problem["error"]
    assert set(problem) == {"error", "hint"}
    assert problem["hint"]


async def test_a_body_that_hides_its_length_is_cut_off_too(
    client: Client, identity: LocalIdentity
) -> None:
    async def endless() -> AsyncIterator[bytes]:
        for _ in range(40):
            yield b"x" * 50_000

    headers = {
        "Authorization": f"Bearer {identity.token(SERVICE)}",
        "Content-Type": "application/json",
    }
    async with client.post("/api/messages", data=endless(), headers=headers) as response:
        assert response.status == 413


@pytest.mark.parametrize("kind", ["text/plain", "application/xml", "multipart/form-data", ""])
async def test_only_json_is_read(client: Client, identity: LocalIdentity, kind: str) -> None:
    headers = {"Authorization": f"Bearer {identity.token(SERVICE)}", "Content-Type": kind}
    async with client.post("/api/messages", data=b"{}", headers=headers) as response:
        assert response.status == 415


async def test_nothing_but_posts_are_taken(client: Client) -> None:
    async with client.get("/api/messages") as response:
        assert response.status == 405


async def test_a_vote_gets_an_empty_object(
    client: Client, identity: LocalIdentity, taken: Taken
) -> None:
    value = {"actionName": "feedback", "actionValue": {"reaction": "like", "feedback": ""}}
    body = personal(serviceUrl=SERVICE, type="invoke", name="message/submitAction", value=value)
    headers = {"Authorization": f"Bearer {identity.token(SERVICE)}"}
    async with client.post("/api/messages", json=body, headers=headers) as response:
        assert response.status == 200
        assert await response.text() == "{}"
    assert len(taken.events) == 1


async def test_an_invoke_that_means_nothing_is_refused_not_broken(
    client: Client, identity: LocalIdentity
) -> None:
    body = personal(serviceUrl=SERVICE, type="invoke", name="task/fetch")

    assert await say(client, identity.token(SERVICE), body) == 400


async def test_a_new_key_is_learned_without_a_restart(
    client: Client, framework: Framework, identity: LocalIdentity
) -> None:
    assert await say(client, identity.token(SERVICE)) == 202
    identity.rotate()
    assert await say(client, identity.token(SERVICE)) == 401

    _let_time_pass(framework, 301)
    assert await say(client, identity.token(SERVICE)) == 202


async def test_unknown_keys_do_not_make_us_ask_again_and_again(
    client: Client, identity: LocalIdentity
) -> None:
    await say(client, identity.token(SERVICE))
    before = identity.fetched
    for number in range(5):
        await say(client, identity.token(SERVICE, kid=f"guess-{number}", key=new_key()))

    assert identity.fetched == before


async def test_known_keys_outlast_an_outage_of_the_login_service(
    client: Client, framework: Framework, identity: LocalIdentity
) -> None:
    assert await say(client, identity.token(SERVICE)) == 202
    identity.broken = True
    try:
        _let_time_pass(framework, 13 * 3_600)
        assert await say(client, identity.token(SERVICE)) == 202
        _let_time_pass(framework, 12 * 3_600)
        assert await say(client, identity.token(SERVICE)) == 401
    finally:
        identity.broken = False


async def test_keys_are_fetched_before_the_first_message(
    framework: Framework, identity: LocalIdentity
) -> None:
    before = identity.fetched
    await framework.warm_up()
    fetched = identity.fetched
    await framework.check(f"Bearer {identity.token(SERVICE)}", "msteams", SERVICE)

    assert fetched > before
    assert identity.fetched == fetched


async def test_fetching_keys_does_not_hold_the_event_loop(
    framework: Framework, identity: LocalIdentity
) -> None:
    turns = 0

    async def count() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    counting = asyncio.create_task(count())
    await framework.check(f"Bearer {identity.token(SERVICE)}", "msteams", SERVICE)
    counting.cancel()

    assert turns > 10


async def test_without_a_login_service_nobody_gets_in() -> None:
    settings = TeamsSettings(
        app_id=APP, app_password="x", openid_metadata_url="http://127.0.0.1:9/none"
    )
    framework = Framework(settings)
    try:
        await framework.warm_up()
        token = LocalIdentity(APP).token(SERVICE, iss="https://api.botframework.com")
        with pytest.raises(NotAuthentic):
            await framework.check(f"Bearer {token}", "msteams", SERVICE)
    finally:
        await framework.close()


class TestWithoutAnAppId:
    """Nobody is checked, so that only this machine itself may write."""

    @pytest.fixture
    async def client(self, taken: Taken) -> AsyncIterator[Client]:
        framework = Framework(TeamsSettings())
        edge = MessagesEdge(framework, taken, anonymous=True, tenants=())
        async with TestClient(TestServer(build_public(teams=edge.handle))) as client:
            yield client
        await framework.close()

    async def test_a_local_client_is_answered(self, client: Client, taken: Taken) -> None:
        body = personal(serviceUrl="http://localhost:56150/_connector", channelId="emulator")
        async with client.post("/api/messages", json=body) as response:
            assert response.status == 202
        assert len(taken.events) == 1

    @pytest.mark.parametrize(
        "service_url",
        [
            "https://smba.trafficmanager.net/emea/",
            "http://10.0.0.1/",
            "http://localhost.evil.example/",
            "http://127.0.0.1@evil.example/",
        ],
    )
    async def test_replies_go_to_this_machine_only(
        self, client: Client, taken: Taken, service_url: str
    ) -> None:
        body = personal(serviceUrl=service_url)
        async with client.post("/api/messages", json=body) as response:
            assert response.status == 400
        assert taken.events == []

    @pytest.mark.parametrize(
        "headers",
        [
            {"X-Forwarded-For": "127.0.0.1"},
            {"Forwarded": "for=127.0.0.1"},
            {"X-Real-IP": "127.0.0.1"},
            {"Host": "bot.example"},
            {"Origin": "http://evil.example"},
        ],
        ids=lambda headers: next(iter(headers)),
    )
    async def test_nothing_comes_through_a_proxy_or_a_web_page(
        self, client: Client, taken: Taken, headers: dict[str, str]
    ) -> None:
        body = personal(serviceUrl="http://127.0.0.1:1/")
        async with client.post("/api/messages", json=body, headers=headers) as response:
            assert response.status == 401
        assert taken.events == []

    async def test_nothing_comes_through_a_proxy_that_adds_no_header(
        self, client: Client, taken: Taken
    ) -> None:
        body = json.dumps(personal(serviceUrl="http://127.0.0.1:1/")).encode()
        head = (
            f"POST /api/messages HTTP/1.0\r\nHost: 127.0.0.1:{client.port}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        reader, writer = await asyncio.open_connection("127.0.0.1", client.port)
        writer.write(head.encode() + body)
        status = await reader.readline()
        writer.close()
        await writer.wait_closed()

        assert b" 401 " in status
        assert taken.events == []

    @pytest.mark.parametrize(("body", "status"), HOSTILE_BODIES)
    async def test_a_hostile_body_is_no_fault_of_ours(
        self, client: Client, body: bytes, status: int
    ) -> None:
        headers = {"Content-Type": "application/json"}
        async with client.post("/api/messages", data=body, headers=headers) as response:
            assert response.status == status


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "bot.example"])
def test_without_an_app_id_others_are_not_served(host: str) -> None:
    settings = Settings(public=PublicSettings(host=host))

    assert not is_served(settings)
    with pytest.raises(ConfigError, match="FOOTNOTE_TEAMS__APP_ID"):
        build_teams(settings, talk=None, store=None)  # type: ignore[arg-type] # never reached


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "localhost"])
def test_without_an_app_id_this_machine_is_served(host: str) -> None:
    assert is_served(Settings(public=PublicSettings(host=host)))


def test_an_app_id_without_its_password_is_refused() -> None:
    with pytest.raises(ConfigError, match="FOOTNOTE_TEAMS__APP_PASSWORD"):
        Framework(TeamsSettings(app_id=APP))


def _settings(identity: LocalIdentity) -> TeamsSettings:
    return TeamsSettings(
        app_id=APP,
        app_password="secret",
        tenants=(TENANT,),
        token_issuer=identity.issuer,
        openid_metadata_url=identity.metadata_url,
        login_url="http://127.0.0.1:9/login",
        oauth_scope="https://scope.example",
    )


def _let_time_pass(framework: Framework, seconds: float) -> None:
    """Make the keys believe that they were fetched so long ago."""
    keys = framework._keys
    keys._fetched_at -= seconds
    keys._tried_at -= seconds
