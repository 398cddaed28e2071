"""What the memory of questions promises on every database, two processes included."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from agent.domain import DocId
from agent.store import Store
from bots.audit import Audit, audit_reply
from bots.conversation.limits import Limit
from bots.conversation.question_store import QuestionStore
from bots.conversation.questions import Follow, Lease, State, StoredQuestion
from bots.ports import Incoming, Notice, Place
from config.settings import ConversationSettings, PrivacySettings
from tests.chat_fakes import NOON, answer_to, message

MINE = Lease("me", NOON + timedelta(seconds=10))
THEIRS = Lease("they", NOON + timedelta(seconds=60))
LATER = NOON + timedelta(seconds=11)


@pytest.fixture
def steps(store: Store) -> QuestionStore:
    return QuestionStore(store, ConversationSettings(asker_per_minute=3, channel_per_minute=4))


async def accepted(steps: QuestionStore, incoming: Incoming | None = None) -> StoredQuestion:
    question = await steps.accept(incoming or message(), NOON, MINE)
    assert question is not None
    return question


async def test_a_message_is_taken_in_once(steps: QuestionStore) -> None:
    incoming = message(rights=frozenset({"a"}), address={"channel": "C1"}, place=Place.GROUP)

    question = await accepted(steps, incoming)

    assert await steps.accept(incoming, NOON, MINE) is None
    assert await steps.find_mine(question.id, "me") == question


async def test_of_twenty_at_once_one_takes_it_in(steps: QuestionStore) -> None:
    incoming = message()

    taken = await asyncio.gather(*(steps.accept(incoming, NOON, MINE) for _ in range(20)))

    assert len([question for question in taken if question]) == 1


async def test_the_same_key_on_another_platform_is_another_message(steps: QuestionStore) -> None:
    first = await accepted(steps)

    assert await steps.accept(replace(first.incoming, platform="other"), NOON, MINE) is not None


@pytest.mark.parametrize("reply", [answer_to(), Notice("No.", private=True, about="refused")])
async def test_a_reply_comes_back_as_it_was_kept(steps: QuestionStore, reply: Notice) -> None:
    question = await accepted(steps)

    assert await steps.answered(question, question.incoming, reply, "me")

    kept = await steps.find_mine(question.id, "me")
    assert kept is not None
    assert (kept.reply, kept.state) == (reply, State.ANSWERED)


async def test_whoever_lost_a_question_can_do_nothing_with_it(steps: QuestionStore) -> None:
    question = await accepted(steps)
    taken = await steps.take_up(["chat"], LATER, THEIRS)

    assert [(each.id, each.resumed) for each in taken] == [(question.id, True)]
    assert not await steps.answered(question, question.incoming, answer_to(), "me")
    assert not await steps.posting(question, "me")
    assert await steps.find_mine(question.id, "me") is None


async def test_of_two_that_take_up_at_once_each_gets_what_the_other_has_not(
    steps: QuestionStore,
) -> None:
    for channel in ("chat:C1", "chat:C2"):
        for asker in ("chat:ann", "chat:bob"):
            await accepted(steps, message(conversation_key=channel, asker=asker))

    both = await asyncio.gather(
        steps.take_up(["chat"], LATER, THEIRS),
        steps.take_up(["chat"], LATER, replace(THEIRS, owner="others")),
    )

    assert sorted(len(taken) for taken in both) == [0, 4]


async def test_what_is_held_or_over_or_of_another_platform_is_not_taken_up(
    steps: QuestionStore,
) -> None:
    held = await accepted(steps)
    over = await accepted(steps)
    await steps.renew([held.id], Lease("me", THEIRS.until))
    await steps.end(over, State.POSTED, None, "m1")

    assert await steps.take_up(["chat"], LATER, THEIRS) == []
    assert await steps.take_up(["other"], THEIRS.until, THEIRS) == []


async def test_what_is_handed_back_is_taken_up_at_once(steps: QuestionStore) -> None:
    question = await accepted(steps)

    await steps.hand_back([question.id], "me")

    assert len(await steps.take_up(["chat"], NOON, THEIRS)) == 1


async def test_an_edit_makes_an_answer_to_the_old_text_void(steps: QuestionStore) -> None:
    question = await accepted(steps)

    assert await steps.edit(question, "new text")

    assert not await steps.answered(question, question.incoming, answer_to(), "me")
    fresh = await steps.find_mine(question.id, "me")
    assert fresh is not None
    assert fresh.incoming.text == "new text"
    assert await steps.answered(fresh, fresh.incoming, answer_to(), "me")
    assert not await steps.edit(fresh, "too late")


async def test_a_cancelled_question_takes_no_answer(steps: QuestionStore) -> None:
    question = await accepted(steps)

    assert await steps.cancel(question)

    assert not await steps.answered(question, question.incoming, answer_to(), "me")
    assert not await steps.cancel(question)


async def test_limits_count_what_was_taken_in_and_not_what_was_refused(
    steps: QuestionStore,
) -> None:
    overs = [(await accepted(steps)).over for _ in range(5)]
    overs.append((await accepted(steps, message(asker="chat:bob"))).over)
    overs.append((await accepted(steps, message(asker="chat:bob"))).over)

    assert overs == [None, None, None, Limit.ASKER, Limit.ASKER, None, Limit.CHANNEL]


async def test_a_thread_remembers_who_asked_last_and_whether_it_is_quiet(
    steps: QuestionStore,
) -> None:
    first = await accepted(steps, message(thread_key="t"))
    await steps.set_follow("t", Follow.INTERRUPTED)
    interrupted = await steps.thread("t")
    await accepted(steps, message(thread_key="t", asker="chat:bob"))
    reopened = await steps.thread("t")
    await steps.set_follow("t", Follow.QUIET)
    await accepted(steps, message(thread_key="t"))
    quiet = await steps.thread("t")

    assert interrupted is not None
    assert reopened is not None
    assert quiet is not None
    assert (interrupted.asker, interrupted.follow) == (first.incoming.asker, Follow.INTERRUPTED)
    assert (reopened.asker, reopened.follow) == ("chat:bob", Follow.OPEN)
    assert quiet.follow is Follow.QUIET
    assert await steps.thread("another") is None


async def test_an_end_and_its_line_in_the_audit_are_one(store: Store, steps: QuestionStore) -> None:
    question = await accepted(steps)
    answer = answer_to()
    await steps.answered(question, question.incoming, answer, "me")

    await steps.end(question, State.POSTED, audit_reply(question.incoming, answer, NOON), "m1")

    (line,) = await Audit(store).lines(doc_ids=[DocId("d-leave")])
    assert line == audit_reply(question.incoming, answer, NOON)
    ended = await steps.find_mine(question.id, "me")
    assert ended is not None
    assert (ended.state, ended.reply) == (State.POSTED, None)


async def test_texts_go_before_rows_and_rows_before_the_audit(
    store: Store, steps: QuestionStore
) -> None:
    privacy = PrivacySettings(texts_days=1, traces_days=2, audit_days=3)
    question = await accepted(steps, message("a secret"))
    await Audit(store).add(audit_reply(question.incoming, answer_to(), NOON))

    texts: list[str | None] = []
    lines: list[int] = []
    for days in (1, 2, 3):
        now = NOON + timedelta(days=days, seconds=1)
        await steps.forget_old(privacy, now)
        await Audit(store).forget_old(privacy, now)
        kept = await steps.find_mine(question.id, "me")
        texts.append(kept.incoming.text if kept else None)
        lines.append(len(await Audit(store).lines()))

    assert texts == ["", None, None]
    assert lines == [1, 1, 0]
