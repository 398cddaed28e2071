"""What the port to Teams promises, kept by the real SDK against a local connector.

A successor of the SDK has to pass this file as it is.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from bots.teams.activity import Address
from bots.teams.connector import ConnectorRefused, ConnectorUnreachable
from bots.teams.sdk.framework import Framework
from config.settings import TeamsSettings
from tests.teams_fakes import (
    ANN,
    CHANNEL,
    TENANT,
    LocalConnector,
    LocalLogin,
    Refusal,
    in_channel,
    personal,
)

APP = "0a0b0c0d-0000-0000-0000-000000000001"
TEXT = {"type": "message", "textFormat": "markdown", "text": "Hello [1]"}
ENTITY = {
    "type": "https://schema.org/Message",
    "@type": "Message",
    "@context": "https://schema.org",
    "@id": "",
    "additionalType": ["AIGeneratedContent"],
    "citation": [
        {
            "@type": "Claim",
            "position": 1,
            "appearance": {"@type": "DigitalDocument", "name": "Leave", "abstract": "14 weeks"},
        }
    ],
}


@pytest.fixture
async def connector() -> AsyncIterator[LocalConnector]:
    connector = LocalConnector()
    await connector.start()
    yield connector
    await connector.stop()


@pytest.fixture
async def framework() -> AsyncIterator[Framework]:
    framework = Framework(TeamsSettings())
    yield framework
    await framework.close()


@pytest.fixture
def address(connector: LocalConnector) -> Address:
    return Address.of(personal(serviceUrl=connector.url))


@pytest.fixture
def thread(connector: LocalConnector) -> Address:
    return Address.of(in_channel(serviceUrl=connector.url))


async def test_a_message_arrives_as_it_was_written(
    framework: Framework, connector: LocalConnector, address: Address
) -> None:
    activity = {**TEXT, "entities": [ENTITY], "channelData": {"feedbackLoop": {"type": "default"}}}
    posted = await framework.send(address, activity)

    (call,) = connector.sent()
    assert posted == "m1"
    assert call.message_entity == ENTITY
    assert call.text == "Hello [1]"
    assert call.activity["channelData"] == {"feedbackLoop": {"type": "default"}}
    assert call.activity["from"]["id"] == "28:bot"
    assert call.activity["recipient"]["id"] == "29:ann"
    assert connector.authorizations == [None]


async def test_a_reply_names_the_message_it_answers(
    framework: Framework, connector: LocalConnector, thread: Address
) -> None:
    await framework.send(thread, TEXT)

    (call,) = connector.sent()
    assert call.conversation_id == f"{CHANNEL};messageid=1700000000001"
    assert call.reply_to == call.activity_id == "1700000000001"


async def test_a_word_of_our_own_accord_answers_nothing(
    framework: Framework, connector: LocalConnector
) -> None:
    await framework.send(Address.of(personal(serviceUrl=connector.url, id="")), TEXT)

    (call,) = connector.sent()
    assert call.reply_to == call.activity_id == ""


async def test_a_stream_keeps_what_it_says_of_itself(
    framework: Framework, connector: LocalConnector, address: Address
) -> None:
    info = {"type": "streaminfo", "streamType": "informative", "streamSequence": 1}
    stream = await framework.send(address, {"type": "typing", "text": "…", "entities": [info]})

    assert stream == "m1"
    assert connector.sent("typing")[0].stream == info


async def test_a_message_can_be_replaced_and_taken_back(
    framework: Framework, connector: LocalConnector, thread: Address
) -> None:
    await framework.update(thread, "m7", {**TEXT, "entities": [ENTITY]})
    await framework.delete(thread, "m7")

    update, deletion = connector.calls
    assert (update.verb, update.activity_id, update.message_entity) == ("update", "m7", ENTITY)
    assert (deletion.verb, deletion.activity_id) == ("delete", "m7")


async def test_the_roster_says_who_somebody_is(
    framework: Framework, connector: LocalConnector, thread: Address
) -> None:
    connector.roster |= {"userRole": "guest", "aadObjectId": ANN, "tenantId": TENANT}
    member = await framework.member(thread)

    assert member["email"] == "Ann@Example.com"
    assert member["userRole"] == "guest"
    assert member["tenantId"] == TENANT
    assert connector.calls[0].conversation_id == CHANNEL


async def test_everybody_in_a_conversation_is_listed_page_by_page(
    framework: Framework, connector: LocalConnector, thread: Address
) -> None:
    members = await framework.members(thread)

    assert [member["id"] for member in members] == [f"29:{number}" for number in range(5)]
    assert {member["userRole"] for member in members} == {"user"}
    assert connector.calls[0].conversation_id == CHANNEL


async def test_a_personal_chat_can_be_opened(
    framework: Framework, connector: LocalConnector, thread: Address
) -> None:
    assert await framework.open_personal(thread) == "a:opened"

    body = connector.calls[0].activity
    assert body["members"] == [{"id": "29:ann", "name": "Ann Lee"}]
    assert body["tenantID"] == TENANT
    assert body["channelData"] == {"tenant": {"id": TENANT}}


async def test_many_calls_at_once_keep_apart(
    framework: Framework, connector: LocalConnector, address: Address
) -> None:
    texts = [f"message {number}" for number in range(20)]
    await asyncio.gather(*(framework.send(address, {**TEXT, "text": text}) for text in texts))

    assert sorted(call.text for call in connector.sent()) == sorted(texts)


@pytest.mark.parametrize("status", [400, 403, 404, 409, 412, 413, 429, 500, 502, 504])
async def test_a_refusal_says_its_status_and_is_not_repeated(
    framework: Framework, connector: LocalConnector, address: Address, status: int
) -> None:
    connector.refusals = [Refusal(status)]
    with pytest.raises(ConnectorRefused) as refused:
        await framework.send(address, TEXT)

    assert refused.value.status == status
    assert "Nope" in refused.value.reason
    assert connector.sent() == []


async def test_a_refusal_as_a_web_page_is_a_refusal(
    framework: Framework, connector: LocalConnector, address: Address
) -> None:
    connector.refusals = [Refusal(413, "<html>too large</html>", content_type="text/html")]
    with pytest.raises(ConnectorRefused) as refused:
        await framework.send(address, TEXT)

    assert refused.value.status == 413


async def test_a_refusal_says_how_long_to_wait(
    framework: Framework, connector: LocalConnector, address: Address
) -> None:
    connector.refusals = [Refusal(429, headers={"Retry-After": "17"})]
    with pytest.raises(ConnectorRefused) as refused:
        await framework.update(address, "m1", TEXT)

    assert refused.value.retry_after_s == 17


async def test_nobody_at_home_means_nothing_was_taken(framework: Framework) -> None:
    with pytest.raises(ConnectorUnreachable) as silent:
        await framework.send(Address.of(personal(serviceUrl="http://127.0.0.1:9/")), TEXT)

    assert not silent.value.arrived


async def test_a_yes_that_cannot_be_read_leaves_it_open(
    framework: Framework, connector: LocalConnector, address: Address
) -> None:
    connector.refusals = [Refusal(200, "<html>ok?</html>", content_type="text/html")]
    with pytest.raises(ConnectorUnreachable) as unreadable:
        await framework.send(address, TEXT)

    assert unreadable.value.arrived


@pytest.mark.parametrize(
    "reply",
    [
        pytest.param(Refusal(203, "{}"), id="an unexpected status"),
        pytest.param(Refusal(202, "<html>", content_type="text/html"), id="a web page"),
        pytest.param(Refusal(200, "null"), id="nothing"),
        pytest.param(Refusal(200, "5"), id="a number"),
    ],
)
@pytest.mark.parametrize("verb", ["member", "members"])
async def test_an_odd_yes_to_a_look_up_leaves_it_open(
    framework: Framework, connector: LocalConnector, address: Address, verb: str, reply: Refusal
) -> None:
    connector.refusals_for[verb] = reply
    look_up = framework.member if verb == "member" else framework.members
    with pytest.raises(ConnectorUnreachable) as unreadable:
        await look_up(address)

    assert unreadable.value.arrived


async def test_ids_stay_one_part_of_an_address(
    framework: Framework, connector: LocalConnector
) -> None:
    strange = "a/b?c#d %2e;x=1"
    address = Address.of(personal(serviceUrl=connector.url, conversation={"id": strange}))
    await framework.send(address, TEXT)
    await framework.update(address, "m/1?x", TEXT)

    assert [call.conversation_id for call in connector.calls] == [strange, strange]
    assert connector.calls[1].activity_id == "m/1?x"


class TestWithAnAppId:
    """Calls carry a token of the login service, fetched once."""

    @pytest.fixture
    def login(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LocalLogin]:
        login = LocalLogin(tmp_path)
        monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(login.ca_file))
        with login.serving():
            yield login

    @pytest.fixture
    async def framework(self, login: LocalLogin) -> AsyncIterator[Framework]:
        settings = TeamsSettings(
            app_id=APP, app_password="secret", tenants=(TENANT,), login_url=login.url
        )
        framework = Framework(settings)
        yield framework
        await framework.close()

    async def test_a_token_is_fetched_once(
        self,
        framework: Framework,
        login: LocalLogin,
        connector: LocalConnector,
        address: Address,
    ) -> None:
        await framework.send(address, TEXT)
        await framework.update(address, "m1", TEXT)
        await framework.member(address)

        assert connector.authorizations == ["Bearer token-1"] * 3
        assert login.granted == 1

    async def test_an_expired_secret_is_a_refusal(
        self, framework: Framework, login: LocalLogin, connector: LocalConnector, address: Address
    ) -> None:
        login.refuse = True
        with pytest.raises(ConnectorRefused, match="expired") as refused:
            await framework.send(address, TEXT)

        assert refused.value.status == 401
        assert connector.calls == []

    async def test_a_login_service_that_is_away_leaves_nothing_open(
        self, connector: LocalConnector, address: Address
    ) -> None:
        settings = TeamsSettings(
            app_id=APP, app_password="secret", login_url="https://localhost:9/adfs"
        )
        framework = Framework(settings)
        try:
            with pytest.raises(ConnectorUnreachable) as silent:
                await framework.send(address, TEXT)
        finally:
            await framework.close()

        assert not silent.value.arrived
        assert connector.calls == []
