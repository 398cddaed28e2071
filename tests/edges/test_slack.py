"""The Slack bot against a Slack of our own, through the real slack_bolt and its Socket Mode."""

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from pydantic import SecretStr
from sqlalchemy import create_engine

from agent.domain import Answer, ProgressEvent, Question, Stage
from agent.errors import ConfigError
from agent.ports import Progress
from agent.store import Store, open_store
from bots import newest
from bots.audit import Audit
from bots.clock import SystemClock
from bots.conversation import Conversation
from bots.conversation.questions import questions
from bots.slack.app import Slack, build_slack
from config.settings import AdminSettings, Settings, SlackSettings, SourceSettings
from connectors.reports import SyncReport
from tests.chat_fakes import (
    HeldAssistant,
    MemoryJobs,
    ScriptedAssistant,
    SwiftClock,
    answer_to,
    cite,
    eventually,
)
from tests.edges.slack_server import (
    US,
    Failure,
    Json,
    SlackServer,
    member,
    public_channel,
)


@dataclass
class Bot:
    """One process of ours."""

    slack: Slack
    conversation: Conversation
    assistant: ScriptedAssistant
    jobs: MemoryJobs

    async def stop(self) -> None:
        await self.slack.stop()
        await self.conversation.stop()
        await self.slack.close()


@dataclass
class World:
    """A Slack, and the processes of ours that listen to it."""

    server: SlackServer
    store: Store
    running: list[Bot]

    async def bot(
        self,
        assistant: ScriptedAssistant | None = None,
        *,
        clock: SystemClock | SwiftClock | None = None,
        jobs: MemoryJobs | None = None,
        **settings: Any,
    ) -> Bot:
        """Start a process of ours."""
        assistant = assistant or ScriptedAssistant()
        jobs = jobs or MemoryJobs()
        slack_settings = SlackSettings(
            bot_token=SecretStr("xoxb-test"),
            app_token=SecretStr("xapp-test"),
            api_url=f"{self.server.url}/api/",
        )
        groups = {"admins": AdminSettings(slack=("UADMIN",)), **settings}
        whole = Settings(slack=slack_settings, **groups)
        clock = clock or SystemClock()
        conversation = Conversation(assistant, jobs, self.store, whole, clock)
        slack = build_slack(whole, conversation, clock)
        bot = Bot(slack, conversation, assistant, jobs)
        self.running.append(bot)
        await conversation.start()
        await slack.start()
        return bot


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    server = SlackServer()
    await server.start()
    store = open_store(f"sqlite:///{tmp_path / 'footnote.db'}")
    world = World(server, store, [])
    try:
        yield world
    finally:
        for bot in world.running:
            await bot.stop()
        await server.stop()
        store.close()


async def test_a_mention_is_answered_in_its_thread_with_footnotes(world: World) -> None:
    await world.bot()

    event = world.server.mention("C1", "U1", "How long is parental leave?")
    await world.server.deliver(event)
    await world.server.until(lambda: len(world.server.ours("C1")) == 1)

    reply = world.server.ours("C1")[0]
    assert reply.thread_ts == event["ts"]
    assert "All employees get 14 weeks." in reply.text
    assert "People handbook › Leave › Parental leave" in reply.text
    assert [block["type"] for block in reply.blocks] == ["rich_text", "context"]


async def answered(world: World, channel: str = "C1", count: int = 1) -> None:
    """Wait until our replies stand in a channel."""
    await world.server.until(lambda: len(world.server.ours(channel)) >= count)


async def settled(bot: Bot) -> None:
    async with asyncio.timeout(10):
        await bot.conversation.settled()


# ---------------------------------------------------------------- one reply


async def test_the_same_event_three_times_while_the_answer_is_slow(world: World) -> None:
    bot = await world.bot(HeldAssistant())
    event = world.server.mention("C1", "U1", "How long is parental leave?")

    for retry in range(3):
        await world.server.deliver(event, event_id="Ev1", retry=retry)
    assert isinstance(bot.assistant, HeldAssistant)
    bot.assistant.go.set()
    await settled(bot)

    assert len(world.server.ours("C1")) == 1
    assert len(bot.assistant.questions) == 1


@pytest.mark.parametrize("first", ["app_mention", "message"])
async def test_mention_and_message_of_one_post_are_one_question(world: World, first: str) -> None:
    bot = await world.bot()
    mention = world.server.mention("C1", "U1", "How long is parental leave?")
    events = [mention, {**mention, "type": "message"}]

    for event in events if first == "app_mention" else reversed(events):
        await world.server.deliver(event)
    await settled(bot)

    assert len(world.server.ours("C1")) == 1


async def test_a_replay_after_a_restart_is_not_answered_again(world: World) -> None:
    bot = await world.bot()
    event = world.server.mention("C1", "U1", "How long is parental leave?")
    await world.server.deliver(event)
    await settled(bot)
    await bot.stop()
    world.running.remove(bot)
    following = await world.bot()

    await world.server.deliver(event, event_id="Ev1", retry=0)
    await settled(following)

    assert len(world.server.ours("C1")) == 1
    assert following.assistant.questions == []


async def test_two_processes_that_hear_the_same_event_reply_once(world: World) -> None:
    one = await world.bot()
    other = await world.bot()
    event = world.server.mention("C1", "U1", "How long is parental leave?")

    body = {"type": "event_callback", "team_id": "T0TEAM", "event": event, "event_id": "Ev1"}
    for number, socket in enumerate(world.server.sockets):
        await socket.send_json({"envelope_id": f"e{number}", "type": "events_api", "payload": body})
    await world.server.until(lambda: {"e0", "e1"} <= set(world.server.acks))
    await settled(one)
    await settled(other)

    assert len(world.server.ours("C1")) == 1
    assert len(one.assistant.questions) + len(other.assistant.questions) == 1


async def test_an_event_that_could_not_be_stored_is_not_acknowledged(world: World) -> None:
    bot = await world.bot()
    event = world.server.mention("C1", "U1", "How long is parental leave?")
    real = world.store.engine
    world.store.engine = create_engine("sqlite:////no/such/folder/at.all")

    envelope = await world.server.send_unacknowledged(event)
    await world.server.deliver({"type": "reaction_added", "user": "U1"})  # goes through after it
    world.store.engine = real
    assert envelope not in world.server.acks

    await world.server.deliver(event, retry=1)
    await settled(bot)
    assert len(world.server.ours("C1")) == 1


async def test_acknowledging_does_not_wait_for_slack_or_the_engine(world: World) -> None:
    bot = await world.bot(HeldAssistant())
    for method in ("users.info", "conversations.info", "assistant.threads.setStatus"):
        world.server.gates[method] = asyncio.Event()

    await world.server.deliver(world.server.mention("C1", "U1", "Anything?"))

    assert world.server.called("users.info") in ([], [{"user": "U1"}])
    for gate in world.server.gates.values():
        gate.set()
    assert isinstance(bot.assistant, HeldAssistant)
    bot.assistant.go.set()
    await settled(bot)


async def test_slack_may_ask_to_reconnect(world: World) -> None:
    bot = await world.bot()
    before = len(world.server.sockets)

    await world.server.disconnect()
    await world.server.until(lambda: len(world.server.sockets) > before)
    await world.server.deliver(world.server.mention("C1", "U1", "Still there?"))
    await settled(bot)

    assert len(world.server.ours("C1")) == 1


# ---------------------------------------------------------------- where the reply goes


async def test_a_mention_inside_a_thread_is_answered_in_that_thread(world: World) -> None:
    bot = await world.bot()
    root = world.server.write("C1", "U2", "Talk about leave")
    event = world.server.mention("C1", "U1", "How long?", thread_ts=root["ts"])

    await world.server.deliver(event)
    await settled(bot)

    assert world.server.ours("C1")[0].thread_ts == root["ts"]
    assert all("reply_broadcast" not in args for args in world.server.called("chat.postMessage"))


@pytest.mark.parametrize("threaded", [False, True])
async def test_a_direct_message_is_answered_in_its_own_thread(world: World, threaded: bool) -> None:
    bot = await world.bot()
    root = world.server.write("DU1", "U1", "Hello")
    more = {"thread_ts": root["ts"]} if threaded else {}
    event = world.server.write("DU1", "U1", "How long is parental leave?", **more)

    await world.server.deliver(event)
    await settled(bot)

    assert world.server.ours("DU1")[0].thread_ts == (root["ts"] if threaded else event["ts"])
    assert bot.assistant.questions[0].direct


async def test_direct_messages_of_half_an_hour_are_one_conversation(world: World) -> None:
    bot = await world.bot()

    for text in ("How long is parental leave?", "And for part-time?"):
        await world.server.deliver(world.server.write("DU1", "U1", text))
        await settled(bot)

    first, second = bot.assistant.questions
    assert first.thread_key == second.thread_key


@pytest.mark.parametrize(
    "event",
    [
        pytest.param({"bot_id": "B9", "user": "U9"}, id="another bot"),
        pytest.param({"user": US}, id="ourselves"),
        pytest.param({"subtype": "channel_join"}, id="a join"),
        pytest.param({"subtype": "bot_message", "bot_id": "B9"}, id="an integration"),
        pytest.param({"text": "people talking"}, id="talk that does not name us"),
        pytest.param({"text": "people talking", "thread_ts": "1.1"}, id="talk in a thread"),
        pytest.param({"hidden": True}, id="hidden"),
    ],
)
async def test_what_is_not_meant_for_us_leaves_no_trace(world: World, event: Json) -> None:
    bot = await world.bot()
    said = world.server.write("C1", "U1", f"<@{US}> How long?")

    await world.server.deliver({**said, **event})
    await settled(bot)

    assert world.server.ours("C1") == []
    assert bot.assistant.questions == []
    with world.store.transaction(write=False) as connection:
        assert connection.execute(sa.select(questions)).all() == []


async def test_a_bare_mention_asks_for_the_question(world: World) -> None:
    bot = await world.bot()

    await world.server.deliver(world.server.mention("C1", "U1", ""))
    await settled(bot)

    assert "What would you like to know?" in world.server.ours("C1")[0].text
    assert bot.assistant.questions == []


@pytest.mark.parametrize(("readable", "asked"), [(True, ["How long is it?"]), (False, [])])
async def test_a_bare_mention_under_a_message_takes_it_as_the_question(
    world: World, readable: bool, asked: list[str]
) -> None:
    if readable:
        del world.server.refused["conversations.replies"]
    bot = await world.bot()
    root = world.server.write("C1", "U2", "How long is it?")

    await world.server.deliver(world.server.mention("C1", "U1", "", thread_ts=root["ts"]))
    await settled(bot)

    assert [question.text for question in bot.assistant.questions] == asked
    assert len(world.server.ours("C1")) == 1


async def test_40_000_characters_are_refused_with_a_sentence(world: World) -> None:
    bot = await world.bot()

    await world.server.deliver(world.server.mention("C1", "U1", "why " * 10_000))
    await settled(bot)

    assert "39,999 characters; I take questions of up to 4,000" in world.server.ours("C1")[0].text


async def test_an_edited_question_is_answered_as_it_reads_now(world: World) -> None:
    bot = await world.bot(HeldAssistant())
    event = world.server.write("DU1", "U1", "How long is maternity leave?")
    await world.server.deliver(event)
    await eventually(lambda: len(bot.assistant.questions) == 1)
    edited = {
        "type": "message",
        "subtype": "message_changed",
        "channel": "DU1",
        "channel_type": "im",
        "hidden": True,
        "message": {**event, "text": "How long is parental leave?", "edited": {"ts": "2.2"}},
        "previous_message": event,
        "ts": "2.3",
        "event_ts": "2.3",
    }

    await world.server.deliver(edited)
    assert isinstance(bot.assistant, HeldAssistant)
    bot.assistant.go.set()
    await settled(bot)

    assert [question.text for question in bot.assistant.questions][-1] == (
        "How long is parental leave?"
    )
    assert len(world.server.ours("DU1")) == 1


async def test_a_deleted_question_is_not_answered(world: World) -> None:
    bot = await world.bot(HeldAssistant())
    event = world.server.write("DU1", "U1", "How long is maternity leave?")
    await world.server.deliver(event)
    await eventually(lambda: len(bot.assistant.questions) == 1)

    await world.server.deliver(
        {
            "type": "message",
            "subtype": "message_deleted",
            "channel": "DU1",
            "channel_type": "im",
            "hidden": True,
            "deleted_ts": event["ts"],
            "previous_message": event,
            "ts": "2.3",
        }
    )
    await settled(bot)

    assert world.server.ours("DU1") == []
    assert world.server.statuses[-1]["status"] == ""


# ---------------------------------------------------------------- who may read


async def scope_of(world: World, channel: str = "C1", user: str = "U1") -> frozenset[str]:
    bot = await world.bot()
    if channel.startswith("D"):
        event = world.server.write(channel, user, "How long?")
    else:
        event = world.server.mention(channel, user, "How long?")
    await world.server.deliver(event)
    await settled(bot)
    return bot.assistant.questions[0].scope.audiences


@pytest.mark.parametrize(
    ("room", "audiences"),
    [
        pytest.param(public_channel("C1"), {"workspace", "slack:C1"}, id="public"),
        pytest.param(public_channel("C1", is_private=True), {"slack:C1"}, id="private"),
        pytest.param(public_channel("C1", is_mpim=True), {"slack:C1"}, id="group message"),
        pytest.param(public_channel("C1", is_ext_shared=True), {"slack:C1"}, id="shared"),
        pytest.param(public_channel("C1", is_pending_ext_shared=True), {"slack:C1"}, id="soon"),
    ],
)
async def test_a_channel_reply_rests_on_what_the_channel_may_read(
    world: World, room: Json, audiences: set[str]
) -> None:
    world.server.rooms["C1"] = room

    assert await scope_of(world) == audiences


async def test_a_channel_that_cannot_be_looked_up_counts_as_private(world: World) -> None:
    world.server.refused["conversations.info"] = "missing_scope"

    assert await scope_of(world) == {"slack:C1"}


async def test_a_direct_message_has_the_rights_of_its_writer(world: World) -> None:
    assert await scope_of(world, "DU1") == {"workspace", "slack:U1", "mail:u1@example.com"}


@pytest.mark.parametrize("channel", ["C1", "DU1"])
@pytest.mark.parametrize(
    "person",
    [
        pytest.param(member("U1", is_restricted=True), id="guest"),
        pytest.param(member("U1", is_ultra_restricted=True), id="single-channel guest"),
        pytest.param(member("U1", is_stranger=True), id="stranger"),
        pytest.param(member("U1", deleted=True), id="closed account"),
        pytest.param(member("U1", team_id="T9"), id="another organisation"),
    ],
)
async def test_whoever_is_no_full_member_reads_nothing(
    world: World, person: Json, channel: str
) -> None:
    world.server.users["U1"] = person

    assert await scope_of(world, channel) == frozenset()


async def test_usergroups_are_looked_up_where_an_audience_names_one(world: World) -> None:
    world.server.groups = {"S1": ["U1"], "S2": ["U2"]}
    source = SourceSettings(name="hr", path=Path("hr"), audience=("slack-group:S1",))
    bot = await world.bot(sources=(source,))

    await world.server.deliver(world.server.write("DU1", "U1", "How long?"))
    await settled(bot)

    assert "slack-group:S1" in bot.assistant.questions[0].scope.audiences
    assert "slack-group:S2" not in bot.assistant.questions[0].scope.audiences


async def test_a_refused_look_up_is_said_with_what_to_do(world: World) -> None:
    world.server.refused["users.info"] = "missing_scope"
    bot = await world.bot()

    await world.server.deliver(world.server.mention("C1", "U1", "How long?"))
    await settled(bot)

    assert "scope users:read" in world.server.ours("C1")[0].text
    assert bot.assistant.questions == []


@pytest.mark.parametrize("failure", [Failure("internal_error"), Failure("", status=500)])
async def test_a_look_up_that_fails_once_is_made_again(world: World, failure: Failure) -> None:
    world.server.failures["users.info"] = [failure]
    world.server.failures["conversations.info"] = [failure]
    bot = await world.bot(clock=SwiftClock())

    await world.server.deliver(world.server.mention("C1", "U1", "How long?"))
    await settled(bot)

    assert len(bot.assistant.questions) == 1


async def test_a_look_up_that_goes_on_failing_is_told_as_a_passing_trouble(world: World) -> None:
    world.server.refused["users.info"] = "internal_error"
    bot = await world.bot(clock=SwiftClock())

    await world.server.deliver(world.server.mention("C1", "U1", "How long?"))
    await settled(bot)

    assert "did not answer" in world.server.ours("C1")[0].text
    assert "again" in world.server.ours("C1")[0].text


async def test_a_slash_command_that_is_too_long_is_told_so_privately(world: World) -> None:
    bot = await world.bot()

    await world.server.slash("C1", "UADMIN", "y" * 5_000)
    await settled(bot)

    assert world.server.ours("C1") == []
    (said,) = world.server.responses
    assert "5,000" in said["text"]


async def test_look_ups_are_remembered_for_a_while(world: World) -> None:
    bot = await world.bot()

    for _ in range(3):
        await world.server.deliver(world.server.mention("C1", "U1", "How long?"))
        await settled(bot)

    assert len(world.server.called("users.info")) == 1
    assert len(world.server.called("conversations.info")) == 1


# ---------------------------------------------------------------- delivery


async def test_blocks_that_slack_refuses_are_said_as_text(world: World) -> None:
    bot = await world.bot()
    world.server.failures["chat.postMessage"] = [Failure("msg_too_long")]

    await world.server.deliver(world.server.mention("C1", "U1", "How long?"))
    await settled(bot)

    reply = world.server.ours("C1")[0]
    assert reply.blocks == []
    assert "People handbook › Leave › Parental leave" in reply.text
    assert len(bot.assistant.questions) == 1


async def test_a_text_that_is_too_long_still_is_posted_in_pieces(world: World) -> None:
    said = " ".join(f"Sentence number {number} of the answer [1]." for number in range(50))
    bot = await world.bot(ScriptedAssistant(answer_to(said=said)))
    world.server.failures["chat.postMessage"] = [Failure("msg_too_long"), Failure("msg_too_long")]

    await world.server.deliver(world.server.mention("C1", "U1", "How long?"))
    await settled(bot)

    whole = " ".join(message.text for message in world.server.ours("C1"))
    assert len(world.server.ours("C1")) > 1
    assert all(f"number {number} of" in whole for number in range(50))
    assert "People handbook" in whole


@pytest.mark.parametrize("length", [2_999, 3_001, 4_001, 12_001, 40_001])
async def test_long_answers_arrive_whole_with_the_footnotes_last(world: World, length: int) -> None:
    words = [f"word{number}" for number in range(length // 9)]
    bot = await world.bot(ScriptedAssistant(answer_to(said=f"{' '.join(words)} [1]")))

    await world.server.deliver(world.server.mention("C1", "U1", "How long?"))
    await settled(bot)

    messages = world.server.ours("C1")
    whole = " ".join(message.text for message in messages).split()
    assert [word for word in whole if word.startswith("word")] == words
    assert ["People handbook" in message.text for message in messages] == [
        *[False] * (len(messages) - 1),
        True,
    ]


async def test_429_is_waited_out_for_as_long_as_slack_says(world: World) -> None:
    bot = await world.bot()
    world.server.failures["chat.postMessage"] = [Failure(status=429, retry_after="0")]

    await world.server.deliver(world.server.mention("C1", "U1", "How long?"))
    await settled(bot)

    assert len(world.server.ours("C1")) == 1
    assert len(world.server.called("chat.postMessage")) == 2


async def test_a_post_whose_answer_was_lost_is_found_in_a_thread_we_may_read(world: World) -> None:
    del world.server.refused["conversations.replies"]
    bot = await world.bot(clock=SwiftClock())
    world.server.failures["chat.postMessage"] = [Failure(lost=True)]

    await world.server.deliver(world.server.mention("C1", "U1", "How long?"))
    await settled(bot)

    assert len(world.server.ours("C1")) == 1
    assert len(world.server.called("chat.postMessage")) == 1


async def test_a_post_whose_answer_was_lost_is_repeated_with_a_word_elsewhere(world: World) -> None:
    bot = await world.bot(clock=SwiftClock())
    world.server.failures["chat.postMessage"] = [Failure(lost=True)]

    await world.server.deliver(world.server.mention("C1", "U1", "How long?"))
    await settled(bot)

    first, second = world.server.ours("C1")
    assert second.text == f"Again, as I was interrupted:\n{first.text}"


async def test_only_the_missing_parts_of_a_long_reply_are_posted_again(world: World) -> None:
    del world.server.refused["conversations.replies"]
    words = [f"word{number}" for number in range(900)]
    bot = await world.bot(
        ScriptedAssistant(answer_to(said=f"{' '.join(words)} [1]")), clock=SwiftClock()
    )
    world.server.failures["chat.postMessage"] = [Failure(lost=True)]

    await world.server.deliver(world.server.mention("C1", "U1", "How long?"))
    await settled(bot)

    whole = " ".join(message.text for message in world.server.ours("C1")).split()
    assert [word for word in whole if word.startswith("word")] == words


async def test_a_channel_that_refuses_us_stands_in_the_audit(world: World) -> None:
    bot = await world.bot()
    world.server.failures["chat.postMessage"] = [Failure("is_archived")]

    await world.server.deliver(world.server.mention("C1", "U1", "How long?"))
    await settled(bot)

    line = (await Audit(world.store).lines())[0]
    assert (line.outcome, line.detail) == ("undelivered", "is_archived")


def links_in(value: Any) -> list[Json]:
    """Every link element of some blocks."""
    if isinstance(value, list):
        return [found for each in value for found in links_in(each)]
    if isinstance(value, dict):
        own = [value] if value.get("type") == "link" else []
        return own + links_in(list(value.values()))
    return []


async def test_mass_mentions_in_documents_mention_nobody(world: World) -> None:
    bad = "Tell <!channel> and <!here|here> and <@U2> and @everyone & <https://evil.example|x>"
    cited = cite(quote=bad, title="<!channel> notes", url="https://drive.example/a|b>c")
    reply = answer_to(said=f"“{bad}” [1]", citations=(cited, cite(2, quote="x" + bad)))
    bot = await world.bot(ScriptedAssistant(reply))

    await world.server.deliver(world.server.mention("C1", "U1", "Who?"))
    await settled(bot)

    posted = world.server.called("chat.postMessage")[0]
    everything = json.dumps(posted["blocks"], ensure_ascii=False) + posted["text"]
    for alive in ("<!channel", "<!here", "<@U2", "@everyone"):
        assert alive not in everything
    assert "<https://evil.example" not in posted["text"]
    assert [link["url"] for link in links_in(posted["blocks"])] == ["https://drive.example/a|b>c"]
    assert posted["unfurl_links"] is False
    assert posted["unfurl_media"] is False


# ---------------------------------------------------------------- progress


async def reading(question: Question, progress: Progress) -> Answer:
    await progress.show(ProgressEvent(Stage.READING, document="People handbook", section="Leave"))
    return answer_to(question.text)


async def test_the_thread_shows_at_once_that_we_read(world: World) -> None:
    bot = await world.bot(HeldAssistant())
    event = world.server.mention("C1", "U1", "How long?")

    await world.server.deliver(event)
    await world.server.until(lambda: len(world.server.statuses) == 1)

    status = world.server.statuses[0]
    assert (status["channel_id"], status["thread_ts"]) == ("C1", event["ts"])
    assert status["status"] == "is reading the document map…"
    assert isinstance(bot.assistant, HeldAssistant)
    bot.assistant.go.set()
    await settled(bot)
    assert world.server.called("chat.update") == []


async def test_where_a_status_is_refused_one_message_is_edited_into_the_answer(
    world: World,
) -> None:
    world.server.refused["assistant.threads.setStatus"] = "missing_scope"
    gate = asyncio.Event()

    async def script(question: Question, progress: Progress) -> Answer:
        await reading(question, progress)
        await gate.wait()
        return answer_to(question.text)

    bot = await world.bot(ScriptedAssistant(script), clock=SwiftClock())
    await world.server.deliver(world.server.mention("C1", "U1", "How long?"))
    await answered(world)
    working = "Footnote is reading People handbook › Leave…"
    await world.server.until(lambda: world.server.ours("C1")[0].text == working)
    gate.set()
    await settled(bot)

    reply = world.server.ours("C1")
    assert len(reply) == 1
    assert "All employees get 14 weeks." in reply[0].text


async def test_a_status_that_comes_too_often_is_left_out(world: World) -> None:
    world.server.failures["assistant.threads.setStatus"] = [Failure(status=429)]
    bot = await world.bot(clock=SwiftClock())

    await world.server.deliver(world.server.mention("C1", "U1", "How long?"))
    await settled(bot)

    assert len(world.server.called("chat.postMessage")) == 1
    assert world.server.called("chat.update") == []


async def test_progress_that_hangs_delays_nothing(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(newest, "FINISH_S", 0.05)
    world.server.gates["assistant.threads.setStatus"] = asyncio.Event()
    bot = await world.bot()

    await world.server.deliver(world.server.mention("C1", "U1", "How long?"))
    await settled(bot)

    assert len(world.server.ours("C1")) == 1
    world.server.gates["assistant.threads.setStatus"].set()


async def test_a_working_message_that_somebody_deleted_does_not_lose_the_answer(
    world: World,
) -> None:
    world.server.refused["assistant.threads.setStatus"] = "missing_scope"
    bot = await world.bot(HeldAssistant(), clock=SwiftClock())
    await world.server.deliver(world.server.mention("C1", "U1", "How long?"))
    await answered(world)
    world.server.messages["C1"].remove(world.server.ours("C1")[0])

    assert isinstance(bot.assistant, HeldAssistant)
    bot.assistant.go.set()
    await settled(bot)

    assert "All employees get 14 weeks." in world.server.ours("C1")[0].text


# ---------------------------------------------------------------- admin words


DONE = SyncReport("handbook", seen=9, added=2, changed=1, unchanged=6, seconds=1.25)


async def test_reindex_reports_to_the_admin_privately_and_edits_one_message(world: World) -> None:
    jobs = MemoryJobs(DONE)
    bot = await world.bot(jobs=jobs)

    ack = await world.server.slash("C1", "UADMIN", "handbook")
    await settled(bot)

    assert "reindex handbook" in ack["text"]
    assert jobs.runs == [["handbook"]]
    report = world.server.ours("DUADMIN")
    assert len(report) == 1
    assert report[0].text.startswith("handbook: 9 seen · 2 new · 1 changed")
    assert world.server.ours("C1") == []


async def test_a_slash_command_delivered_twice_runs_once(world: World) -> None:
    jobs = MemoryJobs(DONE)
    bot = await world.bot(jobs=jobs)

    for _ in range(2):
        await world.server.slash("C1", "UADMIN", "", trigger_id="same")
    await settled(bot)

    assert jobs.runs == [None]


async def test_others_are_refused_privately_and_audited(world: World) -> None:
    jobs = MemoryJobs(DONE)
    bot = await world.bot(jobs=jobs)

    await world.server.slash("C1", "U1", "")
    await world.server.deliver(world.server.mention("C1", "U1", "reindex"))
    await world.server.deliver(world.server.write("DU1", "U1", "status"))
    await settled(bot)

    assert jobs.runs == []
    assert world.server.ours("C1") == []
    refusals = [*world.server.responses, *world.server.ephemerals]
    texts = [refusal["text"] for refusal in refusals] + [world.server.ours("DU1")[0].text]
    assert len(texts) == 3
    assert all(text.startswith("Only admins of Footnote can do that") for text in texts)
    lines = await Audit(world.store).lines()
    assert sorted(
        line.action
        for line in lines
        if line.outcome == "refused" and line.detail == "" and line.action != "notice"
    ) == ["reindex", "reindex", "status"]


async def test_an_admin_word_after_a_mention_answers_beside_it_privately(world: World) -> None:
    bot = await world.bot(jobs=MemoryJobs(DONE))

    await world.server.deliver(world.server.mention("C1", "UADMIN", "status"))
    await settled(bot)

    assert world.server.ours("C1") == []
    said = world.server.ephemerals[0]
    assert (said["channel"], said["user"]) == ("C1", "UADMIN")
    assert said["text"] == "handbook: not read yet"
    assert "thread_ts" not in said


async def test_reindex_after_a_mention_points_to_the_direct_message(world: World) -> None:
    bot = await world.bot(jobs=MemoryJobs(DONE))

    await world.server.deliver(world.server.mention("C1", "UADMIN", "reindex"))
    await settled(bot)

    assert "The progress comes to you as a direct message." in world.server.ephemerals[0]["text"]
    assert "9 seen" in world.server.ours("DUADMIN")[0].text


@pytest.mark.parametrize(
    ("admins", "may"),
    [
        pytest.param(("U1",), True, id="by id"),
        pytest.param(("S1",), True, id="by usergroup"),
        pytest.param(("S2",), False, id="another usergroup"),
        pytest.param(("workspace-admins",), True, id="as workspace admin"),
        pytest.param((), False, id="nobody is"),
    ],
)
async def test_who_is_an_admin(world: World, admins: tuple[str, ...], may: bool) -> None:
    world.server.groups = {"S1": ["U1"], "S2": ["U2"]}
    world.server.users["U1"] = member("U1", is_admin=True)
    jobs = MemoryJobs(DONE)
    bot = await world.bot(jobs=jobs, admins=AdminSettings(slack=admins))

    await world.server.slash("C1", "U1", "")
    await settled(bot)

    assert bool(jobs.runs) is may


async def test_where_a_response_url_is_used_up_the_answer_comes_directly(world: World) -> None:
    bot = await world.bot()
    world.server.response_status = 404

    await world.server.slash("C1", "UADMIN", "status")
    await settled(bot)

    assert world.server.ours("DUADMIN")[0].text == "handbook: not read yet"


# ---------------------------------------------------------------- start and stop


async def test_a_refused_token_stops_the_start_with_a_sentence(world: World) -> None:
    world.server.refused["auth.test"] = "invalid_auth"

    with pytest.raises(ConfigError, match=r"invalid_auth.*slack\.bot_token"):
        await world.bot()


async def test_a_slack_that_does_not_answer_yet_is_tried_again(world: World) -> None:
    world.server.failures["auth.test"] = [Failure("internal_error", status=500)]

    bot = await world.bot(clock=SwiftClock())
    await world.server.deliver(world.server.mention("C1", "U1", "How long?"))
    await settled(bot)

    assert len(world.server.ours("C1")) == 1


async def test_no_question_and_no_quote_is_logged(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    bot = await world.bot()
    world.server.failures["chat.postMessage"] = [Failure("invalid_blocks")]

    await world.server.deliver(world.server.mention("C1", "U1", "How long is parental leave?"))
    await world.server.deliver({"type": "reaction_added", "user": "U1", "text": "parental leave"})
    await settled(bot)

    assert "arental leave" not in caplog.text
    assert "14 weeks" not in caplog.text
