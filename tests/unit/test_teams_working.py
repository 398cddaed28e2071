"""The sign of work: a stream in personal chats, dots and an edited message elsewhere."""

import asyncio
from typing import Any

from agent.domain import ProgressEvent, Stage
from bots.teams.activity import Address
from bots.teams.connector import ConnectorRefused, ConnectorUnreachable
from bots.teams.working import EditedSign, StreamedSign
from tests.chat_fakes import HandClock, eventually
from tests.teams_fakes import Call, MemoryConnector, group, in_channel, personal

READING = ProgressEvent(Stage.READING, "Handbook")


def say(event: ProgressEvent) -> str:
    return f"{event.stage}:{event.document}"


class Desk:
    """One sign of each kind on a connector in memory."""

    def __init__(self) -> None:
        self.clock = HandClock()
        self.connector = MemoryConnector()
        self.kept: list[str] = []

    def streamed(self) -> StreamedSign:
        return StreamedSign(self.connector, Address.of(personal()), self.clock, say)

    def edited(self, activity: dict[str, Any] | None = None) -> EditedSign:
        address = Address.of(activity or group())
        return EditedSign(self.connector, address, self.clock, say, self.keep)

    async def keep(self, message_id: str) -> None:
        self.kept.append(message_id)

    @property
    def texts(self) -> list[str]:
        return [call.text for call in self.connector.calls if call.text]


async def posted(desk: Desk) -> EditedSign:
    """A sign whose message stands in the thread."""
    sign = desk.edited()
    await sign.begin()
    await asyncio.sleep(0)
    desk.clock.advance(1)
    await eventually(lambda: bool(desk.kept))
    return sign


async def test_a_stream_begins_at_once_and_counts_up() -> None:
    desk = Desk()
    sign = desk.streamed()
    await sign.begin()
    await sign.show(READING)

    streams = [call.stream for call in desk.connector.calls]
    assert streams == [
        {"type": "streaminfo", "streamType": "informative", "streamSequence": 1},
        {
            "type": "streaminfo",
            "streamType": "informative",
            "streamSequence": 2,
            "streamId": "m1",
        },
    ]
    assert desk.texts == ["map:", "reading:Handbook"]
    assert sign.message_id == "stream:m1"


async def test_a_refused_stream_is_no_sign_and_no_trouble() -> None:
    desk = Desk()
    desk.connector.fail("send", ConnectorRefused(405))
    sign = desk.streamed()
    await sign.begin()
    await sign.show(READING)

    assert sign.message_id == ""
    assert desk.connector.calls == []


async def test_a_stopped_stream_takes_nothing_more() -> None:
    desk = Desk()
    sign = desk.streamed()
    await sign.begin()
    desk.connector.fail("send", ConnectorRefused(403))
    await sign.show(READING)
    await sign.show(READING)

    assert len(desk.connector.calls) == 1
    assert sign.message_id == ""


async def test_a_lost_update_does_not_end_the_stream() -> None:
    desk = Desk()
    sign = desk.streamed()
    await sign.begin()
    desk.connector.fail("send", ConnectorUnreachable("silent", arrived=True))
    await sign.show(READING)
    await sign.show(READING)

    assert sign.message_id == "stream:m1"
    assert desk.texts == ["map:", "reading:Handbook"]


async def test_a_stream_is_left_before_teams_ends_it() -> None:
    desk = Desk()
    sign = desk.streamed()
    await sign.begin()
    desk.clock.advance(115)
    await sign.show(READING)

    assert sign.message_id == ""


async def test_a_quick_answer_needs_no_message_in_between() -> None:
    desk = Desk()
    sign = desk.edited()
    await sign.begin()

    assert [call.kind for call in desk.connector.calls] == ["typing"]
    assert await sign.settle() == ""
    desk.clock.advance(10)
    await asyncio.sleep(0.01)
    assert len(desk.connector.calls) == 1


async def test_channels_get_no_dots() -> None:
    desk = Desk()
    sign = desk.edited(in_channel())
    await sign.begin()
    await sign.settle()

    assert desk.connector.calls == []


async def test_slow_work_gets_one_message_that_is_edited() -> None:
    desk = Desk()
    sign = await posted(desk)
    await sign.show(READING)
    desk.clock.advance(2)
    await eventually(lambda: len(desk.connector.calls) == 3)

    update = desk.connector.calls[-1]
    assert (update.verb, update.activity_id) == ("update", sign.message_id)
    assert update.text == "reading:Handbook"
    assert desk.kept == [sign.message_id]
    await sign.settle()


async def test_the_message_begins_with_the_newest_state() -> None:
    desk = Desk()
    sign = desk.edited()
    await sign.begin()
    await sign.show(READING)
    await asyncio.sleep(0)
    desk.clock.advance(1)
    await eventually(lambda: bool(desk.kept))

    assert desk.texts == ["reading:Handbook"]
    await sign.settle()


async def test_edits_keep_two_seconds_apart_and_end_with_the_newest_state() -> None:
    desk = Desk()
    sign = await posted(desk)
    for number in range(8):
        await sign.show(ProgressEvent(Stage.READING, f"Handbook {number}"))
        desk.clock.advance(0.4)
        await asyncio.sleep(0.005)
    desk.clock.advance(2)
    await eventually(lambda: desk.texts[-1] == "reading:Handbook 7")

    assert [call.verb for call in desk.connector.calls].count("update") == 2
    await sign.settle()


async def test_after_settling_nothing_is_shown() -> None:
    desk = Desk()
    sign = await posted(desk)
    message_id = await sign.settle()
    desk.clock.advance(10)
    await sign.show(READING)

    assert message_id == sign.message_id
    assert [call.verb for call in desk.connector.calls] == ["send", "send"]


async def test_a_message_that_is_being_posted_is_waited_for() -> None:
    desk = Desk()
    sign = desk.edited(in_channel())
    await sign.begin()
    desk.connector.hold = asyncio.Event()
    await asyncio.sleep(0)
    desk.clock.advance(1)
    await asyncio.sleep(0.01)
    settling = asyncio.create_task(sign.settle())
    await asyncio.sleep(0.01)
    assert not settling.done()

    desk.connector.hold.set()
    assert await settling == "m1"


async def test_a_sign_without_a_reply_is_taken_away() -> None:
    desk = Desk()
    sign = await posted(desk)
    await sign.close()

    assert desk.connector.calls[-1] == Call("delete", "19:group@thread.v2", sign.message_id)


async def test_a_sign_that_became_the_reply_stays() -> None:
    desk = Desk()
    sign = await posted(desk)
    sign.became_the_reply = True
    await sign.close()

    assert [call.verb for call in desk.connector.calls] == ["send", "send"]


async def test_closing_never_raises() -> None:
    desk = Desk()
    sign = await posted(desk)
    desk.connector.fail("delete", ConnectorRefused(500))

    await sign.close()
