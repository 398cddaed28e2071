"""What becomes of everything that Teams sends: questions, edits, greetings, votes, admin words."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from agent.store import open_store
from bots.ports import Incoming
from bots.teams.app import TeamsApp
from bots.teams.connector import ConnectorRefused
from bots.teams.records import Records
from bots.teams.translate import to_incoming, translate
from config.settings import AdminSettings, Settings
from tests.chat_fakes import SwiftClock, answer_to, eventually
from tests.teams_fakes import (
    ANN,
    BEN,
    BOT_ID,
    MemoryConnector,
    group,
    in_channel,
    personal,
)


class Listener:
    """A conversation that writes down what it is told."""

    def __init__(self) -> None:
        self.heard: list[tuple[str, str]] = []
        self.known: set[str] = set()

    async def receive(self, incoming: Incoming) -> bool:
        new = incoming.message_key not in self.known
        self.known.add(incoming.message_key)
        if new:
            self.heard.append(("asked", incoming.text))
        return new

    async def edited(self, incoming: Incoming) -> None:
        self.heard.append(("edited", incoming.text))

    async def deleted(self, platform: str, message_key: str) -> None:
        self.heard.append(("deleted", message_key))

    async def overhear(self, incoming: Incoming, *, names_others: bool) -> None:
        self.heard.append(("overheard", incoming.text))


class Desk:
    """Teams on stand-ins around it."""

    def __init__(self, folder: Path) -> None:
        self.store = open_store(f"sqlite:///{folder / 'footnote.db'}")
        self.records = Records(self.store)
        self.connector = MemoryConnector()
        self.listener = Listener()
        self.clock = SwiftClock()
        settings = Settings(admins=AdminSettings(teams=(ANN.upper(),)))
        self.app = TeamsApp(settings, self.connector, self.listener, self.records, self.clock)

    async def take(self, activity: dict[str, Any]) -> None:
        event = translate(activity)
        assert event is not None
        await self.app._reception.take(event)  # the route is tested at the edge


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    desk = Desk(tmp_path)
    yield desk
    await desk.app.close()
    desk.store.close()


async def test_a_question_is_handed_on(desk: Desk) -> None:
    await desk.take(personal("How long?"))

    assert desk.listener.heard == [("asked", "How long?")]


async def test_an_edit_of_a_known_question_is_an_edit(desk: Desk) -> None:
    await desk.take(personal("How long?"))
    await desk.take(personal("How short?", type="messageUpdate"))

    assert desk.listener.heard == [("asked", "How long?"), ("edited", "How short?")]


async def test_an_edit_that_names_us_for_the_first_time_is_a_question(desk: Desk) -> None:
    await desk.take(in_channel("How long?", entities=[]))
    await desk.take(in_channel("<at>Footnote</at> How long?", type="messageUpdate"))

    assert desk.listener.heard == [
        ("overheard", "How long?"),
        ("edited", "How long?"),
        ("asked", "How long?"),
    ]


async def test_a_deletion_is_handed_on(desk: Desk) -> None:
    await desk.take(personal(type="messageDelete"))

    assert desk.listener.heard == [("deleted", to_incoming(personal()).message_key)]


class TestGreeting:
    """First contact: once per person and channel, ever."""

    async def test_arrivals_are_greeted_in_their_scope(self, desk: Desk) -> None:
        async def words(incoming: Incoming) -> str:
            return f"Hello, you read {len(incoming.scope.audiences)} audiences."

        desk.app.greet_with(words)
        await desk.take(in_channel(type="installationUpdate", action="add"))
        await eventually(lambda: bool(desk.connector.sent()))

        assert desk.connector.sent()[0].text == "Hello, you read 4 audiences."
        assert desk.connector.sent()[0].reply_to == ""

    async def test_being_announced_twice_is_one_greeting(self, desk: Desk) -> None:
        desk.app.greet_with(_hello)
        for _ in range(2):
            await desk.take(personal(type="installationUpdate", action="add"))
            await desk.take(personal(type="conversationUpdate", membersAdded=[{"id": BOT_ID}]))
        await eventually(lambda: not desk.app._reception._tasks)

        assert [call.text for call in desk.connector.sent()] == ["Hello"]

    async def test_every_place_is_greeted_for_itself(self, desk: Desk) -> None:
        desk.app.greet_with(_hello)
        for place in (personal, group, in_channel):
            await desk.take(place(type="installationUpdate", action="add"))
        await eventually(lambda: not desk.app._reception._tasks)

        assert len(desk.connector.sent()) == 3

    async def test_without_words_nothing_is_said(self, desk: Desk) -> None:
        await desk.take(personal(type="installationUpdate", action="add"))
        await eventually(lambda: not desk.app._reception._tasks)

        assert desk.connector.sent() == []

    async def test_a_refused_greeting_breaks_nothing(self, desk: Desk) -> None:
        desk.app.greet_with(_hello)
        desk.connector.fail("send", ConnectorRefused(403))
        await desk.take(personal(type="installationUpdate", action="add"))
        await eventually(lambda: not desk.app._reception._tasks)
        await desk.take(personal("How long?"))

        assert desk.listener.heard == [("asked", "How long?")]


class TestVotes:
    """Thumbs under replies."""

    async def test_a_vote_is_kept_with_the_message_it_is_about(self, desk: Desk) -> None:
        incoming = to_incoming(personal())
        await desk.app.channel.post(incoming, answer_to(), "")
        await desk.take(_vote(replyToId="m1"))

        (vote,) = await desk.records.votes()
        assert (vote.message_key, vote.liked, vote.words) == (incoming.message_key, False, "wrong")
        assert vote.asker == f"teams:{ANN}"

    async def test_where_teams_does_not_say_which_it_is_the_last_reply(self, desk: Desk) -> None:
        for number in (1, 2):
            await desk.app.channel.post(to_incoming(personal(id=str(number))), answer_to(), "")
            await desk.clock.sleep(1)
        await desk.take(_vote())

        (vote,) = await desk.records.votes()
        assert vote.message_key.endswith("/2")

    async def test_a_vote_on_nothing_of_ours_is_kept_without_a_message(self, desk: Desk) -> None:
        await desk.take(_vote(replyToId="elsewhere"))

        assert [vote.message_key for vote in await desk.records.votes()] == [""]


class TestAdmins:
    """Who may operate the bot, and where he reads what came of it."""

    async def test_admins_are_known_by_their_account(self, desk: Desk) -> None:
        stranger = personal() | {"from": {"id": "29:ann", "aadObjectId": BEN}}

        assert await desk.app.desk.is_admin(to_incoming(in_channel()))
        assert not await desk.app.desk.is_admin(to_incoming(stranger))

    async def test_nobody_is_admin_without_an_account(self, desk: Desk) -> None:
        nobody = personal() | {"from": {"id": ANN}}

        assert not await desk.app.desk.is_admin(to_incoming(nobody))

    async def test_a_report_goes_to_the_personal_chat_we_met_in(self, desk: Desk) -> None:
        await desk.take(personal())
        report = await desk.app.desk.report(to_incoming(in_channel()), "Reading…")
        await desk.clock.sleep(3)
        await report.show("handbook: 3 seen")

        assert [(call.verb, call.conversation_id, call.text) for call in desk.connector.calls] == [
            ("send", "a:ann", "Reading…"),
            ("update", "a:ann", "handbook: 3 seen"),
        ]
        assert report.message_id == "m1"

    async def test_a_report_is_edited_every_two_seconds_at_most(self, desk: Desk) -> None:
        report = await desk.app.desk.report(to_incoming(personal()), "Reading…")
        for number in range(8):
            await desk.clock.sleep(0.5)
            await report.show(f"{number} seen")

        assert [call.verb for call in desk.connector.calls].count("update") == 2

    async def test_a_personal_chat_is_opened_where_none_is_known(self, desk: Desk) -> None:
        await desk.app.desk.report(to_incoming(in_channel()), "Reading…")
        await desk.app.desk.report(to_incoming(in_channel()), "Again…")

        calls = [(call.verb, call.conversation_id) for call in desk.connector.calls]
        assert calls[1:] == [("send", "a:opened"), ("send", "a:opened")]
        assert calls[0][0] == "open"

    async def test_a_report_that_cannot_be_opened_is_silent(self, desk: Desk) -> None:
        desk.connector.fail("open", ConnectorRefused(403))
        report = await desk.app.desk.report(to_incoming(in_channel()), "Reading…")
        await desk.clock.sleep(3)
        await report.show("handbook: 3 seen")

        assert report.message_id == ""
        assert desk.connector.calls == []


async def test_what_is_old_is_forgotten(desk: Desk) -> None:
    await desk.app.channel.post(to_incoming(personal()), answer_to(), "")
    await desk.take(_vote(replyToId="m1"))
    await desk.clock.sleep(31 * 24 * 3_600)
    await desk.app.start()
    while await desk.records.votes():
        await desk.clock.sleep(0)

    assert await desk.app.channel.find_reply(to_incoming(personal())) == ""


async def test_a_person_can_be_forgotten(desk: Desk) -> None:
    await desk.take(personal())
    await desk.take(_vote())
    await desk.records.forget_person(f"teams:{ANN}")

    assert await desk.records.personal_chat(f"teams:{ANN}") is None
    assert await desk.records.votes() == []


async def test_no_name_is_kept_with_a_personal_chat(desk: Desk) -> None:
    await desk.take(personal())
    kept = await desk.records.personal_chat(f"teams:{ANN}")

    assert kept is not None
    assert kept.person_name == ""


async def _hello(_incoming: Incoming) -> str:
    return "Hello"


def _vote(**other: Any) -> dict[str, Any]:
    value = {"actionName": "feedback", "actionValue": {"reaction": "dislike", "feedback": "wrong"}}
    return personal(type="invoke", name="message/submitAction", value=value, **other)
