"""The admin words: what is one, who may say it, and what it answers."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import get_args

import pytest

from agent.domain import Answer, Outcome
from agent.errors import SourceError
from agent.map.remarks import Kind, MapRemark
from agent.store import Store, open_store
from bots.admin.commands import Told
from bots.admin.map_check import check_text
from bots.admin.reports import failed_text, results_text, status_text
from bots.admin.words import Command, Word, parse
from bots.audit import Audit
from bots.ports import Notice, Place
from connectors.reports import (
    Busy,
    FailedDocument,
    RunState,
    SourceStatus,
    SyncProgress,
    SyncReport,
)
from tests.chat_fakes import (
    NOON,
    Chat,
    HandClock,
    HeldAssistant,
    MemoryDesk,
    MemoryJobs,
    ScriptedAssistant,
    SwiftClock,
    answer_to,
    chat,
    eventually,
    message,
)

REINDEX, STATUS, FAILED, HELP = Word.REINDEX, Word.STATUS, Word.FAILED, Word.HELP
CONFIRM = Word.CONFIRM_DELETES


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(f"sqlite:///{tmp_path / 'footnote.db'}")
    yield opened
    opened.close()


@pytest.mark.parametrize(
    ("text", "as_command", "as_message"),
    [
        ("", Command(REINDEX), None),
        ("handbook", Command(REINDEX, "handbook"), None),
        ("status", Command(STATUS), Command(STATUS)),
        ("Status.", Command(STATUS), Command(STATUS)),
        ("failed", Command(FAILED), Command(FAILED)),
        ("failed handbook", Command(FAILED, "handbook"), Command(FAILED, "handbook")),
        ("confirm-deletes", Command(CONFIRM), Command(CONFIRM)),
        ("confirm-deletes handbook", Command(CONFIRM, "handbook"), Command(CONFIRM, "handbook")),
        ("reindex", Command(REINDEX), Command(REINDEX)),
        ("/reindex", Command(REINDEX), Command(REINDEX)),
        ("/reindex status", Command(STATUS), Command(STATUS)),
        ("reindex handbook", Command(REINDEX, "handbook"), Command(REINDEX, "handbook")),
        ("reindex failed handbook", Command(FAILED, "handbook"), None),
        ("help", Command(HELP), None),
        ("reindex help", Command(HELP), Command(HELP)),
        ("reindex handbook now", Command(REINDEX, "handbook"), Command(REINDEX, "handbook")),
        ("reindex please", Command(REINDEX), Command(REINDEX)),
        ("please, reindex handbook, thanks!", Command(REINDEX, "handbook"),
         Command(REINDEX, "handbook")),
        ("pause", Command(REINDEX, "pause"),
         Command(HELP, unknown="pause")),
        ("forget handbook/leave.md", Command(HELP, unknown="forget handbook/leave.md"),
         Command(HELP, unknown="forget handbook/leave.md")),
        ("gaps in the handbook?", Command(HELP, unknown="gaps in the handbook?"), None),
        ("please do it", Command(HELP, unknown="please do it"), None),
        ("/reindex the whole thing", Command(HELP, unknown="the whole thing"),
         Command(HELP, unknown="the whole thing")),
        ("reindex it all now please?", Command(HELP, unknown="it all now please?"), None),
        ("what is the status of my request?",
         Command(HELP, unknown="what is the status of my request?"), None),
        ("failed to log in, what now?", Command(HELP, unknown="failed to log in, what now?"), None),
    ],
)  # fmt: skip
def test_what_is_an_admin_word(text: str, as_command: Command, as_message: Command | None) -> None:
    assert parse(text, given_as_command=True) == as_command
    assert parse(text) == as_message


DONE = SyncReport("handbook", seen=9, added=2, changed=1, removed=1, unchanged=5, seconds=1.25)


def operated(store: Store, *results: SyncReport | Busy, **other: object) -> Chat:
    return chat(
        store,
        jobs=MemoryJobs(*results),
        desk=MemoryDesk("chat:ann"),
        **other,  # type: ignore[arg-type]  # parts by name
    )


def notice(talk: Chat, number: int = -1) -> Notice:
    reply = talk.channel.posts[number].reply
    assert isinstance(reply, Notice)
    return reply


async def test_reindex_is_acknowledged_and_ends_with_totals_in_the_same_private_message(
    store: Store,
) -> None:
    talk = operated(store, DONE)

    await talk.say(message("reindex"))

    assert isinstance(talk.desk, MemoryDesk)
    assert talk.desk.reports[0].texts[0] == "Reading all sources anew (handbook)."
    assert talk.channel.posts[0].working_id == "report"
    assert notice(talk).private
    assert notice(talk).text == (
        "handbook: 9 seen · 2 new · 1 changed · 0 moved · 1 removed · 0 failed · Done in 1.2 s."
    )
    assert talk.assistant.questions == []


async def test_the_progress_message_is_edited_as_the_run_goes_on(store: Store) -> None:
    async def during(told: Told | None) -> None:
        assert told is not None
        told(SyncProgress("handbook", seen=40))
        await eventually(lambda: len(reports()) == 2)
        for done in range(1, 41):
            told(SyncProgress("handbook", "reading", seen=40, done=done, total=40, failed=1))
        await eventually(lambda: len(reports()) == 3)

    def reports() -> list[str]:
        return desk.reports[0].texts if desk.reports else []

    desk = MemoryDesk("chat:ann")
    jobs = MemoryJobs(DONE)
    jobs.during = during
    talk = chat(store, jobs=jobs, desk=desk, clock=SwiftClock())

    await talk.say(message("reindex handbook"))

    assert reports()[1:] == [
        "Reading handbook anew.\nhandbook: 40 seen, 0 read",
        "Reading handbook anew.\nhandbook: 40 seen, 40/40 read, 1 failed",
    ]


async def test_others_are_refused_privately_and_stand_in_the_audit(store: Store) -> None:
    talk = operated(store, DONE)

    await talk.say(message("reindex", asker="chat:bob"))

    assert notice(talk) == Notice(
        "Only admins of Footnote can do that. Ask the people who run it.",
        private=True,
        about="refused",
    )
    assert talk.jobs.runs == []
    lines = [(line.actor, line.action, line.outcome) for line in await Audit(store).lines()]
    assert ("chat:bob", "reindex", "refused") in lines


async def test_what_an_admin_did_stands_in_the_audit(store: Store) -> None:
    talk = operated(store, DONE)

    await talk.say(message("reindex handbook"))

    lines = [(line.action, line.outcome, line.detail) for line in await Audit(store).lines()]
    assert ("reindex", "begun", "handbook") in lines


async def test_an_unknown_source_gets_the_names_and_the_list_of_words(store: Store) -> None:
    talk = operated(store, DONE)

    await talk.say(message("reindex wiki"))

    assert notice(talk).text.startswith(
        "There is no source called “wiki”. Sources: handbook.\nWhat admins can write"
    )
    assert talk.jobs.runs == []


async def test_confirm_deletes_needs_a_source_and_says_what_it_did(store: Store) -> None:
    talk = operated(store)
    talk.jobs.waiting_deletes = 7

    for text in ("confirm-deletes", "confirm-deletes handbook", "confirm-deletes handbook"):
        await talk.say(message(text))

    assert [notice(talk, number).text for number in range(3)] == [
        "Say which source: confirm-deletes SOURCE. Sources: handbook.",
        "handbook: 7 documents were removed.",
        "handbook: no removal waits for you.",
    ]


async def test_what_keeps_a_word_from_being_done_is_said(store: Store) -> None:
    async def during(told: Told | None) -> None:
        raise SourceError("The share is not mounted.", hint="Mount it.")

    talk = operated(store)
    talk.jobs.during = during

    await talk.say(message("reindex"))

    assert notice(talk) == Notice("The share is not mounted. Mount it.", True, "failed")


async def test_admin_words_do_not_wait_behind_questions(store: Store) -> None:
    talk = operated(store, DONE, assistant=HeldAssistant())
    for _ in range(6):
        await talk.conversation.receive(message(asker="chat:bob"))

    await talk.conversation.receive(message("status"))
    await eventually(lambda: len(talk.channel.posts) == 1)

    assert notice(talk).text == "handbook: not read yet"
    assert isinstance(talk.assistant, HeldAssistant)
    talk.assistant.go.set()
    await talk.settle()


async def test_a_run_cut_off_by_a_restart_is_not_begun_again_but_said(store: Store) -> None:
    async def during(told: Told | None) -> None:
        await HeldAssistant().go.wait()

    crashed = operated(store, DONE)
    crashed.jobs.during = during
    await crashed.conversation.receive(message("reindex"))
    await eventually(lambda: len(crashed.jobs.runs) == 1)
    assert isinstance(crashed.clock, HandClock)
    crashed.clock.advance(11)
    following = crashed.restarted(jobs=MemoryJobs(DONE))

    await following.conversation.start()
    await following.settle()

    assert following.jobs.runs == []
    assert "I was restarted while I worked on “reindex”" in notice(crashed).text
    assert notice(crashed).private
    await following.conversation.stop()
    await crashed.lose()


async def test_without_a_desk_admin_words_are_questions(store: Store) -> None:
    talk = chat(store)

    await talk.say(message("status"))

    assert [question.text for question in talk.assistant.questions] == ["status"]


@pytest.mark.parametrize(("asker", "told"), [("chat:ann", True), ("chat:bob", False)])
async def test_help_names_the_admin_words_to_admins(store: Store, asker: str, told: bool) -> None:
    helped = answer_to(said="Ask me.", outcome=Outcome.TALK, citations=())
    talk = operated(store, assistant=ScriptedAssistant(helped))

    await talk.say(message("help", asker=asker, place=Place.DIRECT))

    reply = talk.channel.posts[0].reply
    assert isinstance(reply, Answer)
    assert ("reindex SOURCE" in reply.text) is told


# ---------------------------------------------------------------- reports


def test_a_source_that_is_busy_says_since_when() -> None:
    text = results_text([Busy("handbook", NOON), DONE], "en")

    assert text.splitlines()[0] == (
        "handbook: already being read since 12:00 UTC; I did not start it a second time."
    )
    assert "9 seen" in text


def test_when_everything_was_busy_nothing_was_started() -> None:
    assert results_text([Busy("handbook", NOON)], "en").endswith("Nothing was started.")


@pytest.mark.parametrize(
    ("report", "said"),
    [
        (SyncReport("handbook", seen=9, unchanged=9),
         "handbook: 9 documents seen, none had changed; nothing was touched."),
        (SyncReport("handbook"),
         "handbook: the source is empty, 0 documents seen; nothing was touched."),
        (SyncReport("handbook", state=RunState.FAILED, complete=False,
                    problem="The folder is missing.", hint="Mount it."),
         "handbook: not read.\nThe folder is missing. Mount it."),
        (SyncReport("handbook", state=RunState.SUSPICIOUS, seen=3, unchanged=3, held_back=6),
         "handbook: 3 documents seen, none had changed; nothing was touched.\n"
         "6 documents are missing at the source but answer on until that is sure; "
         "confirm-deletes handbook removes them now."),
    ],
)  # fmt: skip
def test_touching_nothing_is_said_and_is_no_success(report: SyncReport, said: str) -> None:
    assert results_text([report], "en") == said


def test_the_first_failures_are_named_with_their_reasons() -> None:
    failed = tuple(FailedDocument(f"{number}.pdf", "password: locked") for number in range(7))

    text = results_text([replace(DONE, failed=failed)], "en")

    assert text.splitlines()[1:] == [
        "Could not be read:",
        *(f"• {number}.pdf: password: locked" for number in range(5)),
        "… and 2 more; write failed handbook for the whole list.",
    ]


def test_failures_are_listed_by_source() -> None:
    one = FailedDocument("a.pdf", "scanned: no text")

    assert failed_text([("handbook", [one]), ("wiki", [])], "en") == (
        "handbook:\n• a.pdf: scanned: no text"
    )
    assert failed_text([("handbook", [])], "en") == "handbook: every file could be read."
    assert failed_text([("a", []), ("b", [])], "en") == "Every file could be read."


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (SourceStatus("handbook", RunState.NEVER), "handbook: not read yet"),
        (SourceStatus("handbook", RunState.RUNNING, NOON, done=3, total=40),
         "handbook: being read since 12:00 UTC, 3/40 done"),
        (SourceStatus("handbook", RunState.DONE, NOON - timedelta(minutes=5), documents=34),
         "handbook: 34 documents, last read 5 min ago, without errors"),
        (SourceStatus("handbook", RunState.DONE_WITH_ERRORS, NOON, documents=34, failed=2, held=3),
         "handbook: 34 documents, last read just now, with errors\n"
         "   2 files could not be read (failed handbook)\n"
         "   3 documents missing at the source wait (confirm-deletes handbook)"),
        (SourceStatus("handbook", RunState.DONE, NOON - timedelta(days=3), documents=1,
                      warnings=("No audience is set.",)),
         "handbook: 1 document, last read 2026-02-27 12:00 UTC, without errors\n"
         "   No audience is set."),
    ],
)  # fmt: skip
def test_status_tells_how_each_source_stands(status: SourceStatus, said: str) -> None:
    assert status_text([status], NOON, "en") == said


@pytest.mark.parametrize("state", list(RunState))
@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_state_can_be_said(state: RunState, language: str) -> None:
    assert status_text([SourceStatus("handbook", state, NOON)], NOON, language)


async def test_reindex_ends_with_what_the_map_check_found(store: Store) -> None:
    jobs = MemoryJobs(DONE)
    jobs.remarks = (
        MapRemark("scan.pdf", "not_readable", "scanned", "…"),
        *(MapRemark(f"{n}.docx", "poor_title", "“1” is no title.", "…") for n in range(7)),
        MapRemark("a.md", "contradiction", "It says “the secret 28 days”; b.md says …", "…"),
    )
    talk = chat(store, jobs=jobs, desk=MemoryDesk("chat:ann"))

    await talk.say(message("reindex"))
    text = notice(talk).text

    assert "Map check, 8 things to mend:" in text
    assert "• a.md: another document states a different figure" in text
    assert "… and 3 more; `footnote map check` lists them all." in text
    assert "scan.pdf" not in text
    assert "secret" not in text


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_remark_can_be_said(language: str) -> None:
    for kind in set(get_args(Kind)) - {"not_readable", "partial"}:
        assert "x.md" in check_text([MapRemark("x.md", kind, "", "")] * 2, language)
