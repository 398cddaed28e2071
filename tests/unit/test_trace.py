"""What is written down of a question, and how long its texts and its facts are kept."""

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from agent.domain import WORKSPACE, Action, Answer, Decision, Outcome, StopReason, Usage
from agent.gaps import Gap, GapList
from agent.ports import RoundView, ShownWindow
from agent.store import Store, open_store
from agent.trace import LeafTrace, Trace, TraceLines, TraceStore, trace_of
from config.settings import PrivacySettings
from tests.engine_fakes import NOON, Clock, MemoryLibrary, answer

ANSWER = Answer(
    "a1",
    "and sick?",
    Outcome.ANSWERED,
    "Text.",
    stop_reason=StopReason.ANSWERED,
    understood="how long is sick leave?",
    trace_id="t1",
)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(f"sqlite:///{tmp_path / 'footnote.db'}")
    yield opened
    opened.close()


async def a_trace() -> Trace:
    """A question of two rounds: a search, then an answer."""
    library = MemoryLibrary({"people": {"sick": "Sick leave is paid for six weeks."}})
    found = await library.search("sick leave", WORKSPACE)
    windows = tuple(ShownWindow("D1.1", window) for window in found.windows)
    view = RoundView("how long is sick leave?", (), windows, found)
    clock = Clock()
    trace = LeafTrace(1, clock)
    trace.begin(view)
    clock.now_s = 0.25
    usage = Usage(full_calls=1, prompt_tokens=900, completion_tokens=60)
    trace.end(Decision(Action.SEARCH, reason="no weeks", query="weeks paid", usage=usage))
    trace.begin(replace(view, round=2, note="Search first."))
    trace.end(answer("Sick leave is paid for six weeks."))
    trace.stopped("answered")
    return trace_of(ANSWER, WORKSPACE, NOON, trace.rounds)


async def test_a_round_says_what_was_seen_decided_why_and_at_what_cost() -> None:
    first, second = (await a_trace()).rounds

    assert [(seen.section_id, seen.doc) for seen in first.seen] == [("D1.1", "people.md")]
    assert (first.action, first.text.query, first.text.reason) == (
        "search",
        "weeks paid",
        "no weeks",
    )
    assert (first.ms, first.tokens) == (250, 960)
    assert (second.targets, second.quotes, second.end) == (("D1.1",), 1, "answered")
    assert second.text.note == "Search first."


async def test_a_trace_is_found_by_its_id_as_it_was_kept(store: Store) -> None:
    trace = await a_trace()
    traces = TraceStore(store)
    await store.write(lambda connection: traces.save(connection, trace))

    assert await traces.find("t1") == trace
    assert await traces.find("t2") is None


async def test_texts_are_forgotten_before_facts(store: Store) -> None:
    trace = await a_trace()
    traces, privacy = TraceStore(store), PrivacySettings(texts_days=30, traces_days=180)
    await store.write(lambda connection: traces.save(connection, trace))

    await traces.forget_old(privacy, NOON + timedelta(days=31))
    bare = await traces.find("t1")

    assert bare is not None
    assert (bare.question, bare.understood) == ("", "")
    assert bare.rounds[0].text.query == ""
    assert bare.rounds[0].seen == trace.rounds[0].seen

    await traces.forget_old(privacy, NOON + timedelta(days=181))
    assert await traces.find("t1") is None


async def test_gaps_are_listed_newest_first_and_forgotten_with_the_texts(store: Store) -> None:
    gaps = GapList(store)
    old = Gap("pet insurance?", "scope", "t1", "people.md", "People")
    new = Gap("sabbatical?", "scope", "t2", direct=True)
    await store.write(lambda connection: gaps.record(connection, [old], NOON))
    await store.write(lambda connection: gaps.record(connection, [new], NOON + timedelta(days=9)))

    assert [gap.question for gap in await gaps.newest()] == ["sabbatical?", "pet insurance?"]
    assert (await gaps.newest(1))[0] == replace(new, at=NOON + timedelta(days=9))

    await gaps.forget_old(PrivacySettings(texts_days=30), NOON + timedelta(days=31))
    assert [gap.question for gap in await gaps.newest()] == ["sabbatical?"]


async def test_a_trace_stands_as_json_lines_where_a_folder_is_set(
    store: Store, tmp_path: Path
) -> None:
    traces = TraceStore(store, TraceLines(tmp_path / "lines"))
    trace = await a_trace()
    await store.write(lambda connection: traces.save(connection, trace))

    (file,) = (tmp_path / "lines").iterdir()
    first, second = (json.loads(line) for line in file.read_text("utf-8").splitlines())

    assert file.name == "2026-11-30.jsonl"
    assert (first["trace_id"], first["round"], first["action"]) == ("t1", 1, "search")
    assert (first["reason"], first["tokens"], first["seconds"]) == ("no weeks", 960, 0.25)
    assert first["in_view"][0]["doc"] == "people.md"
    assert second["end"] == "answered"


async def test_lines_forget_the_words_of_a_question_and_go_with_the_texts(
    store: Store, tmp_path: Path
) -> None:
    lines = TraceLines(tmp_path)
    traces, trace = TraceStore(store, lines), await a_trace()
    other = replace(trace, trace_id="t2")
    await store.write(lambda connection: traces.save(connection, trace))
    await store.write(lambda connection: traces.save(connection, other))

    await store.write(lambda connection: traces.forget_texts(connection, ["t1"]))
    kept = [
        json.loads(line) for line in (tmp_path / "2026-11-30.jsonl").read_text("utf-8").splitlines()
    ]

    assert [entry["query"] for entry in kept] == ["", "", "weeks paid", ""]

    await traces.forget_old(PrivacySettings(texts_days=30), NOON + timedelta(days=32))
    assert not list(tmp_path.glob("*.jsonl"))


async def test_lines_that_cannot_be_written_cost_no_trace(store: Store, tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file, no folder")
    traces, trace = TraceStore(store, TraceLines(tmp_path / "taken")), await a_trace()

    await store.write(lambda connection: traces.save(connection, trace))

    assert await traces.find("t1") == trace
