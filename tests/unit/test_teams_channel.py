"""One reply in its thread, whatever Teams does to the calls."""

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from agent.domain import Answer
from agent.store import Store, open_store
from bots.ports import DeliveryDelayed, DeliveryRefused, Incoming, Notice
from bots.teams.channel import TeamsChannel
from bots.teams.connector import ConnectorRefused, ConnectorUnreachable
from bots.teams.private import PrivateChats
from bots.teams.records import PostState, Records
from bots.teams.translate import to_incoming
from tests.chat_fakes import HandClock, SwiftClock, answer_to, eventually
from tests.teams_fakes import Activity, MemoryConnector, group, in_channel, personal

LOST = ConnectorUnreachable("silent", arrived=True)
LONG = answer_to(said="\n\n".join("word " * 300 + "[1]" for _ in range(30)))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(f"sqlite:///{tmp_path / 'footnote.db'}")
    yield opened
    opened.close()


class Way:
    """The way back on a connector in memory; `restarted` is the next process."""

    def __init__(
        self, store: Store, connector: MemoryConnector, clock: HandClock | SwiftClock | None = None
    ) -> None:
        self.store = store
        self.clock = clock or SwiftClock()
        self.connector = connector
        self.records = Records(store)
        private = PrivateChats(connector, self.records, self.clock)
        self.channel = TeamsChannel(connector, self.records, private, self.clock)

    def restarted(self) -> "Way":
        return Way(self.store, self.connector)

    async def post(
        self, incoming: Incoming, reply: Answer | Notice | None = None, working_id: str = ""
    ) -> str:
        return await self.channel.post(incoming, reply or answer_to(), working_id)


@pytest.fixture
def way(store: Store) -> Way:
    return Way(store, MemoryConnector())


async def test_a_reply_goes_to_the_thread_of_its_question(way: Way) -> None:
    incoming = to_incoming(in_channel())
    posted = await way.post(incoming)

    (call,) = way.connector.sent()
    assert call.conversation_id == incoming.thread_key.removeprefix("teams:")
    assert call.reply_to == "1700000000001"
    assert posted == "m1"


async def test_the_answer_ends_the_stream_of_a_personal_chat(way: Way) -> None:
    incoming = to_incoming(personal())
    sign = await way.channel.working(incoming)
    posted = await way.post(incoming, working_id=sign.message_id)

    final = way.connector.sent()[0]
    assert final.stream == {"type": "streaminfo", "streamType": "final", "streamId": "m1"}
    assert final.message_entity["citation"]
    assert posted == "m1"


async def test_a_stream_that_ended_is_no_end_of_the_answer(way: Way) -> None:
    incoming = to_incoming(personal())
    way.connector.fail("send", ConnectorRefused(403, "ContentStreamNotAllowed: exceeded time"))
    await way.post(incoming, working_id="stream:old")

    (call,) = way.connector.sent()
    assert call.stream == {}


async def test_a_final_that_came_through_is_not_posted_again(way: Way) -> None:
    incoming = to_incoming(personal())
    way.connector.fail("send", LOST)
    with pytest.raises(ConnectorUnreachable):
        await way.post(incoming, working_id="stream:s1")
    reason = "Content stream is not allowed on an already completed streamed message"
    way.connector.fail("send", ConnectorRefused(403, reason))

    assert await way.post(incoming, working_id="stream:s1") == "s1"
    assert way.connector.sent() == []


async def test_the_answer_takes_the_place_of_the_working_message(store: Store) -> None:
    clock = HandClock()
    way = Way(store, MemoryConnector(), clock)
    incoming = to_incoming(group())
    sign = await way.channel.working(incoming)
    await asyncio.sleep(0)
    clock.advance(1)
    await eventually(lambda: bool(sign.message_id))
    posted = await way.post(incoming)
    await sign.close()

    assert [call.verb for call in way.connector.calls] == ["send", "send", "update"]
    assert way.connector.calls[-1].activity_id == posted == sign.message_id


async def test_a_working_message_is_found_again_after_a_restart(store: Store) -> None:
    clock = HandClock()
    way = Way(store, MemoryConnector(), clock)
    incoming = to_incoming(group())
    sign = await way.channel.working(incoming)
    await asyncio.sleep(0)
    clock.advance(1)
    await eventually(lambda: bool(sign.message_id))
    await sign.settle()

    assert await way.restarted().post(incoming) == sign.message_id


async def test_a_working_message_somebody_deleted_is_no_end_of_the_answer(way: Way) -> None:
    way.connector.fail("update", ConnectorRefused(404))
    incoming = to_incoming(group())
    await way.post(incoming, working_id="gone")

    assert len(way.connector.sent()) == 1


@pytest.mark.parametrize("status", [401, 412, 429, 502, 503])
async def test_what_teams_did_not_take_may_be_tried_again(way: Way, status: int) -> None:
    incoming = to_incoming(personal())
    way.connector.fail("send", ConnectorRefused(status, retry_after_s=7))
    with pytest.raises(DeliveryDelayed) as delayed:
        await way.post(incoming)

    assert delayed.value.retry_after_s == 7
    assert await way.channel.find_reply(incoming) == ""
    await way.post(incoming)
    assert len(way.connector.sent()) == 1


@pytest.mark.parametrize("trouble", [LOST, ConnectorRefused(504), ConnectorRefused(500)], ids=str)
async def test_what_teams_may_have_taken_is_left_open(way: Way, trouble: Exception) -> None:
    incoming = to_incoming(personal())
    way.connector.fail("send", trouble)
    with pytest.raises(type(trouble)):
        await way.post(incoming)

    assert await way.channel.find_reply(incoming) is None
    assert await way.restarted().channel.find_reply(incoming) is None


async def test_a_call_that_never_left_us_was_not_taken(way: Way) -> None:
    incoming = to_incoming(personal())
    way.connector.fail("send", ConnectorUnreachable("refused", arrived=False))
    with pytest.raises(DeliveryDelayed):
        await way.post(incoming)

    assert await way.channel.find_reply(incoming) == ""


async def test_an_edit_of_unknown_end_is_simply_made_again(way: Way) -> None:
    incoming = to_incoming(group())
    way.connector.fail("update", LOST)
    with pytest.raises(ConnectorUnreachable):
        await way.post(incoming, working_id="w1")

    assert await way.channel.find_reply(incoming) == ""
    assert await way.post(incoming, working_id="w1") == "w1"
    assert way.connector.sent() == []


async def test_what_stands_in_the_thread_is_known_after_a_restart(way: Way) -> None:
    incoming = to_incoming(personal())
    posted = await way.post(incoming)

    assert await way.restarted().channel.find_reply(incoming) == posted


async def test_before_the_first_try_nothing_stands_there(way: Way) -> None:
    assert await way.channel.find_reply(to_incoming(personal())) == ""


@pytest.mark.parametrize("status", [400, 413])
async def test_a_refused_reply_is_said_more_simply(way: Way, status: int) -> None:
    way.connector.fail("send", ConnectorRefused(status))
    await way.post(to_incoming(personal()))

    (call,) = way.connector.sent()
    assert set(call.activity) == {"type", "textFormat", "text"}
    assert "People handbook" in call.text


async def test_what_teams_takes_in_no_form_is_refused(way: Way) -> None:
    way.connector.fail("send", ConnectorRefused(400), ConnectorRefused(400, "no such chat"))
    with pytest.raises(DeliveryRefused, match="no such chat"):
        await way.post(to_incoming(personal()))


async def test_the_parts_of_a_long_answer_follow_each_other(way: Way) -> None:
    incoming = to_incoming(personal())
    first = await way.post(incoming, LONG, working_id="stream:s1")
    texts = [call.text for call in way.connector.sent()]

    assert len(texts) > 1
    assert first == "s1"
    assert [bool(call.stream) for call in way.connector.sent()] == [True] + [False] * (
        len(texts) - 1
    )


async def test_a_long_answer_goes_on_where_it_was_interrupted(way: Way) -> None:
    incoming = to_incoming(personal())
    await way.post(to_incoming(personal(id="other")), LONG)
    whole = len(way.connector.sent())
    way.connector.failures_after[whole + 1] = ConnectorRefused(429)
    with pytest.raises(DeliveryDelayed):
        await way.post(incoming, LONG)
    first = await way.restarted().post(incoming, LONG)

    assert len(way.connector.sent()) == 2 * whole
    record = await way.records.reply_to(incoming.message_key)
    assert record is not None
    assert record.state is PostState.DONE
    assert record.posted[0] == first


@pytest.mark.parametrize("place", [personal, group, in_channel])
async def test_a_fast_reply_does_not_overtake_its_question(
    way: Way, place: Callable[[], Activity]
) -> None:
    assert isinstance(way.clock, SwiftClock)
    just_now = replace(to_incoming(place()), received_at=way.clock.now())
    await way.post(just_now)
    assert way.clock.slept == [pytest.approx(0.4)]

    await way.post(replace(just_now, message_key="later"))
    assert len(way.clock.slept) == 1


class TestPrivately:
    """Notices for one person alone."""

    NOTICE = Notice("Only admins can do that.", private=True)

    async def test_in_a_personal_chat_they_are_simple_replies(self, way: Way) -> None:
        await way.post(to_incoming(personal()), self.NOTICE)

        (call,) = way.connector.sent()
        assert call.conversation_id == "a:ann"

    async def test_elsewhere_they_go_to_the_personal_chat(self, way: Way) -> None:
        way.connector.personal_id = "a:ann"
        await way.post(to_incoming(in_channel()), self.NOTICE)

        (call,) = way.connector.sent()
        assert (call.conversation_id, call.reply_to) == ("a:ann", "")

    async def test_without_a_personal_chat_the_thread_learns_nothing(self, way: Way) -> None:
        way.connector.fail("open", ConnectorRefused(403))
        incoming = to_incoming(in_channel())
        await way.post(incoming, self.NOTICE)

        (call,) = way.connector.sent()
        assert call.conversation_id in incoming.thread_key
        assert "personal chat" in call.text
        assert "admins" not in call.text

    async def test_the_last_one_takes_the_place_of_the_report(self, way: Way) -> None:
        incoming = to_incoming(in_channel())
        await way.post(incoming, self.NOTICE, working_id="report")

        assert [call.verb for call in way.connector.calls] == ["open", "update"]
        assert way.connector.calls[-1].activity_id == "report"

    async def test_the_sign_of_work_goes_from_the_thread(self, store: Store) -> None:
        clock = HandClock()
        way = Way(store, MemoryConnector(), clock)
        incoming = to_incoming(in_channel())
        sign = await way.channel.working(incoming)
        await asyncio.sleep(0)
        clock.advance(1)
        await eventually(lambda: bool(sign.message_id))
        await way.post(incoming, self.NOTICE)

        assert "delete" in [call.verb for call in way.connector.calls]
