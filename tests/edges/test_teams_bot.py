"""Teams from end to end: activities on our route, a conversation with a small assistant, and
what reaches a local connector through the real SDK.
"""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from aiohttp.test_utils import TestClient, TestServer

from agent.domain import Answer, ProgressEvent, Question, Stage
from agent.ports import Progress
from agent.store import Store, open_store
from bots.conversation import Conversation
from bots.teams.app import TeamsApp, build_teams
from bots.web.public import build_public
from config.settings import AdminSettings, Settings
from connectors.reports import RunState, SourceStatus
from tests.chat_fakes import (
    HeldAssistant,
    MemoryJobs,
    ScriptedAssistant,
    SwiftClock,
    answer_to,
    eventually,
)
from tests.teams_fakes import (
    ANN,
    BEN,
    CHANNEL,
    Activity,
    Call,
    LocalConnector,
    Refusal,
    group,
    in_channel,
    personal,
)


class Bot:
    """One process of the bot; `next` is the one after a restart."""

    def __init__(
        self, store: Store, connector: LocalConnector, assistant: ScriptedAssistant
    ) -> None:
        self.store = store
        self.connector = connector
        self.assistant = assistant
        self.jobs = MemoryJobs()
        settings = Settings(admins=AdminSettings(teams=(ANN,)))
        self.clock = SwiftClock()
        self.talk = Conversation(assistant, self.jobs, store, settings, self.clock)
        self.teams: TeamsApp = build_teams(settings, self.talk, store, self.clock)
        self.talk.connect(
            "teams",
            self.teams.channel,
            complete=self.teams.directory.complete,
            desk=self.teams.desk,
        )
        self.client: TestClient[Any, Any] = TestClient(
            TestServer(build_public(teams=self.teams.handle))
        )

    async def start(self) -> "Bot":
        await self.client.start_server()
        return self

    async def stop(self) -> None:
        await self.client.close()
        await self.talk.stop()
        await self.teams.close()

    async def say(self, activity: Activity) -> None:
        """Deliver an activity and wait until everything is answered."""
        await self.deliver(activity)
        async with asyncio.timeout(20):
            await self.talk.settled()

    async def deliver(self, activity: Activity) -> None:
        body = {**activity, "serviceUrl": self.connector.url}
        async with self.client.post("/api/messages", json=body) as response:
            assert response.status == 202

    def replies(self) -> list[Call]:
        """Messages as they stand in the end: the last text of each."""
        standing: dict[str, Call] = {}
        for number, call in enumerate(self.connector.calls, start=1):
            if call.verb == "send" and call.kind == "message":
                standing[str(call.stream.get("streamId", f"m{number}"))] = call
            elif call.verb == "update":
                standing[call.activity_id] = call
            elif call.verb == "delete":
                standing.pop(call.activity_id, None)
        return list(standing.values())


@pytest.fixture
async def connector() -> AsyncIterator[LocalConnector]:
    connector = LocalConnector()
    await connector.start()
    yield connector
    await connector.stop()


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    store = open_store(f"sqlite:///{tmp_path / 'footnote.db'}")
    yield store
    store.close()


@pytest.fixture
async def bot(store: Store, connector: LocalConnector) -> AsyncIterator[Bot]:
    bot = await Bot(store, connector, ScriptedAssistant()).start()
    yield bot
    await bot.stop()


async def test_a_direct_message_gets_one_cited_answer(bot: Bot) -> None:
    await bot.say(personal("How long is parental leave?"))

    (reply,) = bot.replies()
    assert reply.conversation_id == "a:ann"
    assert "14 weeks" in reply.text
    assert reply.message_entity["citation"][0]["appearance"]["abstract"] == (
        "All employees get 14 weeks."
    )
    assert bot.assistant.questions[0].scope.audiences == {
        "workspace",
        f"teams:{ANN}",
        "mail:ann@example.com",
    }


async def test_a_mention_in_a_channel_is_answered_in_its_thread(bot: Bot) -> None:
    await bot.say(in_channel("<at>Footnote</at> How long is parental leave?"))

    (reply,) = bot.replies()
    assert reply.conversation_id == f"{CHANNEL};messageid=1700000000001"
    assert bot.assistant.questions[0].text == "How long is parental leave?"
    assert f"teams:{CHANNEL}" in bot.assistant.questions[0].scope.audiences
    assert "mail:ann@example.com" not in bot.assistant.questions[0].scope.audiences


async def test_a_group_chat_is_answered_too(bot: Bot) -> None:
    await bot.say(group())

    (reply,) = bot.replies()
    assert reply.conversation_id == "19:group@thread.v2"


async def test_the_same_message_delivered_again_gets_no_second_answer(bot: Bot) -> None:
    for _ in range(3):
        await bot.say(personal())

    assert len(bot.replies()) == 1


async def test_not_even_after_a_restart(bot: Bot, store: Store, connector: LocalConnector) -> None:
    await bot.say(personal())
    after = await Bot(store, connector, ScriptedAssistant()).start()
    await after.say(personal())
    await after.stop()

    assert len(after.replies()) == 1


async def test_the_request_is_over_before_the_answer(
    store: Store, connector: LocalConnector
) -> None:
    assistant = HeldAssistant()
    bot = await Bot(store, connector, assistant).start()
    await bot.deliver(personal())
    await eventually(lambda: bool(assistant.questions))
    assert connector.sent() == []

    assistant.go.set()
    await bot.talk.settled()
    await bot.stop()
    assert len(bot.replies()) == 1


async def test_an_unanswered_question_is_answered_after_a_restart(
    store: Store, connector: LocalConnector
) -> None:
    held = HeldAssistant()
    bot = await Bot(store, connector, held).start()
    await bot.deliver(in_channel())
    await eventually(lambda: bool(held.questions))
    await bot.stop()

    after = await Bot(store, connector, ScriptedAssistant()).start()
    await after.talk.start()
    await eventually(lambda: any("14 weeks" in reply.text for reply in after.replies()))
    await after.talk.settled()
    await after.stop()
    assert len(after.replies()) == 1


async def test_slow_work_shows_what_is_read_and_becomes_the_answer(
    store: Store, connector: LocalConnector
) -> None:
    async def slowly(question: Question, progress: Progress) -> Answer:
        await eventually(lambda: bool(connector.sent()))
        for number in range(3):
            await progress.show(ProgressEvent(Stage.READING, f"Handbook {number}"))
            await asyncio.sleep(0.05)
        return answer_to(question.text)

    bot = await Bot(store, connector, ScriptedAssistant(slowly)).start()
    await bot.say(in_channel())
    await bot.stop()

    (reply,) = bot.replies()
    assert "14 weeks" in reply.text
    assert connector.sent()[0].text == "Reading the document map…"
    assert reply.verb == "update"


async def test_a_personal_chat_shows_it_in_a_stream(
    store: Store, connector: LocalConnector
) -> None:
    async def slowly(question: Question, progress: Progress) -> Answer:
        await progress.show(ProgressEvent(Stage.READING, "Handbook"))
        await eventually(lambda: len(connector.sent("typing")) > 1)
        return answer_to(question.text)

    bot = await Bot(store, connector, ScriptedAssistant(slowly)).start()
    await bot.say(personal())
    await bot.stop()

    updates, (final,) = connector.sent("typing"), connector.sent()
    sequence = [update.stream["streamSequence"] for update in updates]
    assert sequence == list(range(1, len(updates) + 1))
    assert final.stream == {
        "type": "streaminfo",
        "streamType": "final",
        "streamId": updates[1].stream["streamId"],
    }


@pytest.mark.parametrize("status", [412, 429, 502])
async def test_a_busy_teams_is_waited_for(bot: Bot, status: int) -> None:
    bot.connector.refusals = [Refusal(405), Refusal(status, headers={"Retry-After": "9"})]
    await bot.say(personal())

    (reply,) = bot.replies()
    assert "14 weeks" in reply.text
    assert "interrupted" not in reply.text
    assert max(bot.clock.slept) >= 9


async def test_a_refused_form_is_said_more_simply(bot: Bot) -> None:
    bot.connector.refusals = [Refusal(405), Refusal(413, "<html>", content_type="text/html")]
    await bot.say(personal())

    (reply,) = bot.replies()
    assert "14 weeks" in reply.text
    assert "entities" not in reply.activity


async def test_a_repeat_that_may_be_one_says_so(bot: Bot) -> None:
    bot.connector.refusals = [Refusal(405), Refusal(504)]
    await bot.say(personal())

    (reply,) = bot.replies()
    assert reply.text.startswith("_Again, as I was interrupted:_")


async def test_a_guest_gets_nothing(bot: Bot) -> None:
    bot.connector.roster |= {"userRole": "guest"}
    await bot.say(personal())

    assert bot.assistant.questions[0].scope.audiences == frozenset()


async def test_an_asker_who_is_not_known_is_told_so(bot: Bot) -> None:
    bot.connector.refusals_for["member"] = Refusal(503)
    await bot.say(personal())

    (reply,) = bot.replies()
    assert "Teams does not tell me who reads along" in reply.text
    assert bot.assistant.questions == []


async def test_a_card_submit_is_no_question(bot: Bot) -> None:
    await bot.say(personal() | {"text": None, "value": {"action": "x"}})

    assert bot.replies() == []


async def test_a_bare_mention_is_asked_what_it_wants(bot: Bot) -> None:
    await bot.say(in_channel("<at>Footnote</at>"))

    (reply,) = bot.replies()
    assert reply.text.startswith("What would you like to know?")


async def test_a_deleted_question_gets_no_answer(store: Store, connector: LocalConnector) -> None:
    assistant = HeldAssistant()
    bot = await Bot(store, connector, assistant).start()
    await bot.deliver(group())
    await eventually(lambda: bool(assistant.questions))
    await bot.say(group() | {"type": "messageDelete"})
    await bot.stop()

    assert bot.replies() == []


async def test_an_edited_question_is_answered_as_it_reads_now(
    store: Store, connector: LocalConnector
) -> None:
    assistant = HeldAssistant()
    bot = await Bot(store, connector, assistant).start()
    await bot.deliver(personal("How long is leave?"))
    await eventually(lambda: bool(assistant.questions))
    await bot.deliver(personal("How long is sick leave?", type="messageUpdate"))
    await eventually(lambda: len(assistant.questions) == 2)
    assistant.go.set()
    await bot.talk.settled()
    await bot.stop()

    assert assistant.questions[-1].text == "How long is sick leave?"
    assert len(bot.replies()) == 1


class TestAdminWords:
    """`/reindex` and `status`, with or without the slash."""

    @pytest.mark.parametrize("words", ["reindex", "/reindex", "Reindex", "/reindex handbook"])
    async def test_an_admin_may_reindex(self, bot: Bot, words: str) -> None:
        await bot.say(personal(words))

        assert len(bot.jobs.runs) == 1
        assert bot.assistant.questions == []

    async def test_after_a_mention_the_report_stays_private(self, bot: Bot) -> None:
        await bot.say(in_channel("<at>Footnote</at> reindex"))

        assert len(bot.jobs.runs) == 1
        assert {reply.conversation_id for reply in bot.replies()} == {"a:opened"}

    async def test_status_tells_of_every_source(self, bot: Bot) -> None:
        bot.jobs.states = (SourceStatus("handbook", RunState.NEVER),)
        await bot.say(personal("status"))

        (reply,) = bot.replies()
        assert "handbook: not read yet" in reply.text

    async def test_others_are_refused_in_private(self, bot: Bot) -> None:
        ben = {"from": {"id": "29:ben", "name": "Ben", "aadObjectId": BEN}}
        await bot.say(in_channel("<at>Footnote</at> /reindex") | ben)

        (reply,) = bot.replies()
        assert reply.conversation_id == "a:opened"
        assert "Only admins" in reply.text
        assert bot.jobs.runs == []

    async def test_without_a_personal_chat_the_thread_learns_nothing(self, bot: Bot) -> None:
        bot.connector.refusals_for["open"] = Refusal(403)
        await bot.say(in_channel("<at>Footnote</at> status"))

        (reply,) = bot.replies()
        assert "personal chat" in reply.text
        assert "handbook" not in reply.text
