"""What Teams' records promise on every database."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from agent.store import Store
from bots.teams.activity import Address
from bots.teams.records import GREETING, PostRecord, PostState, Records, Vote
from tests.teams_fakes import personal

NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
DONE = PostRecord("teams:a/1", "teams:a", "w1", ("m1", "m2"), PostState.DONE)


async def test_a_record_is_read_as_it_was_written(store: Store) -> None:
    records = Records(store)
    await records.keep_reply(DONE, NOON)

    assert await records.reply_to("teams:a/1") == DONE
    assert await records.reply_to("teams:a/2") is None


async def test_a_newer_record_takes_the_place_of_the_older(store: Store) -> None:
    records = Records(store)
    await records.keep_reply(replace(DONE, posted=(), state=PostState.CALLING), NOON)
    await records.keep_reply(DONE, NOON)

    assert await records.reply_to("teams:a/1") == DONE


async def test_only_the_first_claim_counts(store: Store) -> None:
    records = Records(store)

    assert await records.claim(DONE, NOON)
    assert not await records.claim(replace(DONE, posted=("other",)), NOON)
    assert await records.reply_to("teams:a/1") == DONE


async def test_a_reply_is_found_by_the_id_of_any_of_its_messages(store: Store) -> None:
    records = Records(store)
    await records.keep_reply(DONE, NOON)
    await records.keep_reply(replace(DONE, message_key="teams:b/1", conversation_key="b"), NOON)

    assert await records.reply_in("teams:a", "m2") == DONE
    assert await records.reply_in("teams:a", "m") is None
    assert await records.reply_in("teams:a", "%") is None


async def test_without_an_id_it_is_the_last_one_of_the_conversation(store: Store) -> None:
    records = Records(store)
    last = replace(DONE, message_key="teams:a/2", posted=("m9",))
    await records.keep_reply(DONE, NOON)
    await records.keep_reply(last, NOON + timedelta(seconds=1))
    await records.keep_reply(
        replace(DONE, message_key="teams:a/3", state=PostState.CALLING), NOON + timedelta(hours=1)
    )

    assert await records.reply_in("teams:a", "") == last


async def test_a_personal_chat_is_kept_without_names(store: Store) -> None:
    records = Records(store)
    address = Address.of(personal())
    await records.keep_personal_chat("teams:ann", address, NOON)
    await records.keep_personal_chat("teams:ann", address, NOON)

    kept = await records.personal_chat("teams:ann")
    assert kept == replace(address, activity_id="", person_name="")
    assert await records.personal_chat("teams:ben") is None


async def test_what_is_old_goes_but_greetings_stay(store: Store) -> None:
    records = Records(store)
    greeting = replace(DONE, message_key=f"{GREETING}teams:a")
    await records.keep_reply(DONE, NOON)
    await records.keep_reply(greeting, NOON)
    await records.keep_vote(Vote("teams:a/1", "teams:ann", liked=False, words="no", at=NOON))
    await records.forget_before(NOON + timedelta(days=1))

    assert await records.reply_to("teams:a/1") is None
    assert await records.reply_to(greeting.message_key) == greeting
    assert await records.votes() == []


async def test_a_person_is_forgotten_and_nobody_else(store: Store) -> None:
    records = Records(store)
    for asker in ("teams:ann", "teams:ben"):
        await records.keep_personal_chat(asker, Address.of(personal()), NOON)
        await records.keep_vote(Vote("", asker, liked=True, words="", at=NOON))
    await records.forget_person("teams:ann")

    assert await records.personal_chat("teams:ann") is None
    assert await records.personal_chat("teams:ben") is not None
    assert [vote.asker for vote in await records.votes()] == ["teams:ben"]
