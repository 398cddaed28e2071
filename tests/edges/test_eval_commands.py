"""`footnote eval` as programs and people call it."""

import json
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from bots.__main__ import app
from tests.edges.test_commands import LEAVE, ONCALL, ROOT, footnote, result
from tests.evaluation_fakes import leave

PARENTAL = "Parents receive 14 weeks of parental leave at full pay."
QUESTIONS: list[dict[str, Any]] = [
    {
        "id": "leave",
        "question": "How long is parental leave?",
        "type": "direct",
        "gold_answers": ["14 weeks"],
        "gold_docs": ["leave.md"],
        "gold_mode": "any",
        "gold_evidence": [
            {"doc": "leave.md", "section": ["Leave", "Parental leave"], "quote": PARENTAL}
        ],
    },
    {
        "id": "pay",
        "question": "What do engineers on call receive?",
        "type": "direct",
        "gold_answers": ["350 euros"],
        "gold_docs": ["runbooks/on-call.md"],
        "gold_mode": "any",
        "gold_evidence": [
            {
                "doc": "runbooks/on-call.md",
                "section": ["On-call"],
                "quote": "Engineers on call receive 350 euros a week.",
            }
        ],
    },
    {
        "id": "none",
        "question": "Who is the captain of the hockey team?",
        "type": "unanswerable",
        "gold_answers": [],
        "gold_docs": [],
        "gold_mode": "none",
        "gold_evidence": [],
    },
]
CASE = {
    "id": "hello-1",
    "moment": "greeting",
    "library": "docs",
    "turns": [
        {"say": "hello", "expect": {"status": ["talk"], "no_citations": True, "max_calls": 0}},
        {
            "say": "How long is parental leave?",
            "expect": {
                "status": ["answered"],
                "any_of_docs": ["leave.md"],
                "evidence": [{"doc": "leave.md", "quote": PARENTAL}],
                "must_contain_any": [["14 weeks"]],
                "language": "en",
            },
        },
        {"say": "And on Mars?", "expect": {"status": ["talk"]}},
    ],
}


def as_lines(*lines: dict[str, Any]) -> str:
    return "".join(json.dumps(line) + "\n" for line in lines)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "docs" / "runbooks").mkdir(parents=True)
    (tmp_path / "docs" / "leave.md").write_text(LEAVE, encoding="utf-8")
    (tmp_path / "docs" / "runbooks" / "on-call.md").write_text(ONCALL, encoding="utf-8")
    (tmp_path / "set.jsonl").write_text(as_lines(*QUESTIONS), encoding="utf-8")
    return tmp_path


def run(place: Path, *words: str) -> list[dict[str, Any]]:
    told = result(footnote(place, "eval", "run", "set.jsonl", "--folder", "docs", "--json", *words))
    assert isinstance(told, list)
    return told


def test_every_engine_is_measured_in_one_shape(place: Path) -> None:
    engines = "extractive,loop,rag,rag-words,plain-loop"
    told = run(place, "--engine", engines, "--model", "oracle", "--parallel", "2")
    assert [one["engine"] for one in told] == engines.split(",")
    for one in told:
        assert list(one)[:10] == [
            "engine", "model", "n", "hits", "documents", "sections",
            "declined", "wrongly_declined", "calls", "tokens",
        ]  # fmt: skip
        assert one["hits"]["all"] | {"n": 2, "hit": 1.0} == one["hits"]["all"], one["engine"]
        assert (one["declined"], one["wrongly_declined"], one["errors"]) == (1.0, 0.0, 0)
    extractive, loop, rag, words, plain = told
    assert extractive["calls"] == {"full": 0.0, "small": 0.0}
    assert extractive["model"] is None
    assert (loop["model"], loop["tokens"] > 500) == ("oracle", True)
    assert loop["evidence_in_prompt"]["first"]["seen"] == 1.0
    assert (rag["calls"]["full"], words["calls"]["small"]) == (1.0, 1.0)
    assert plain["evidence_in_prompt"]["ever"]["seen"] == 1.0
    assert loop["citations"]["verbatim"] == 1.0


def test_the_report_is_written_in_every_form_and_fetches_nothing(place: Path) -> None:
    run(place, "--out", "report")
    page = (place / "report.html").read_text("utf-8")
    assert page.count("<svg") == page.count('<div class="chart"><svg')  # scrolls on a phone
    assert "<svg" in page
    assert "Hits by kind" in page
    assert not re.search(r"https?://|<script|<link|@import|url\(", page)
    assert "| direct | 2 |" in (place / "report.md").read_text("utf-8")
    assert json.loads((place / "report.json").read_text("utf-8"))[0]["engine"] == "extractive"
    run(place, "--out", "only.md")
    assert (place / "only.md").is_file()
    assert not (place / "only.html").exists()


def test_a_run_goes_on_and_notices_a_changed_question(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # In one process: between two, a working tree may change, and then all is asked anew.
    monkeypatch.chdir(place)
    words = ["eval", "run", "set.jsonl", "--folder", "docs", "--json"]

    def called(*more: str) -> Result:
        done = CliRunner().invoke(app, [*words, *more])
        assert done.exit_code == 0, done.output
        return done

    first, again = called(), called()
    assert "3 of 3 were answered by an earlier run" in again.stderr
    assert again.stdout == first.stdout
    changed = [{**QUESTIONS[0], "question": "Who is the captain?"}, *QUESTIONS[1:]]
    (place / "set.jsonl").write_text(as_lines(*changed), encoding="utf-8")
    third = called()
    assert "1 changed since they were answered and are asked again: leave." in third.stderr
    assert json.loads(third.stdout)[0]["hits"]["all"]["hit"] == 0.5
    assert "earlier run" not in called("--fresh").stderr


def test_an_engine_without_its_model_is_a_setting_to_mend(place: Path) -> None:
    for engine in ("loop", "rag", "plain-loop"):
        done = footnote(place, "eval", "run", "set.jsonl", "--folder", "docs", "--engine", engine)
        assert done.returncode == 3
        assert "needs a language model" in done.stderr


@pytest.mark.parametrize(
    "words",
    [
        ("--engine", "magic"),
        ("--engine", "loop", "--model", "magic"),
        ("--out", "docs/leave.md/report.md"),
    ],
)
def test_wrong_words_are_wrong_use(place: Path, words: tuple[str, ...]) -> None:
    done = footnote(place, "eval", "run", "set.jsonl", "--folder", "docs", *words)
    assert done.returncode == 2
    assert done.stderr


def test_a_missing_folder_or_set_is_told(place: Path) -> None:
    assert footnote(place, "eval", "run", "set.jsonl", "--folder", "nowhere").returncode == 2
    done = footnote(place, "eval", "run", "nothing.jsonl", "--folder", "docs")
    assert done.returncode == 1
    assert "nothing.jsonl cannot be read" in done.stderr


def test_conversations_are_checked_turn_by_turn(place: Path) -> None:
    (place / "set.jsonl").write_text(as_lines(CASE), encoding="utf-8")
    (told,) = run(place)
    assert told["moments"]["all"] | {"cases": 1, "passed": 0} == told["moments"]["all"]
    assert told["hits"]["greeting"]["hit"] == 0.0
    fails = told["failed"][0]["fails"]
    assert all(each.startswith("turn 3: status") for each in fails), fails
    assert told["moments"]["greeting"]["evidence"] == 1


def test_growing_libraries_are_asked_the_same(place: Path) -> None:
    for number in range(4):
        text = (
            f"# Page {number}\n\nA page about gardening, watering and pruning, number {number}.\n"
        )
        (place / "docs" / f"page-{number}.md").write_text(text, encoding="utf-8")
    words = ("--folder", "docs", "--sizes", "3,9", "--json", "--out", "growth.html")
    told = result(footnote(place, "eval", "growth", "set.jsonl", *words))
    assert [one["library_documents"] for one in told] == [3, 9]
    assert [one["n"] for one in told] == [3, 3]
    assert all(one["hits"]["all"]["hit"] == 1.0 for one in told)
    assert "As the library grows" in (place / "growth.html").read_text("utf-8")


def test_sizes_that_are_none_and_sets_that_do_not_fit_are_told(place: Path) -> None:
    words = ("eval", "growth", "set.jsonl", "--folder", "docs", "--sizes")
    assert footnote(place, *words, "many").returncode == 2
    filler = footnote(place, *words, "2,5", "--filler", "nowhere")
    assert filler.returncode == 2
    assert "nowhere" in filler.stderr


def test_what_was_asked_becomes_a_question_set(place: Path) -> None:
    (place / "footnote.toml").write_text(
        '[[sources]]\nname = "docs"\npath = "docs"\naudience = ["workspace"]\n', encoding="utf-8"
    )
    assert footnote(place, "ask", "How long is parental leave?", "--thread", "t").returncode == 0
    assert footnote(place, "ask", "Who is the captain of the hockey team?").returncode == 0
    assert footnote(place, "eval", "collect", "--out", "asked.jsonl").returncode == 0
    lines = [json.loads(line) for line in (place / "asked.jsonl").read_text("utf-8").splitlines()]
    absent, present = lines
    assert (absent["type"], absent["basis"]) == ("unanswerable", "not covered")
    assert present["gold_docs"] == ["leave.md"]
    assert present["gold_evidence"][0]["quote"] == PARENTAL
    told = result(footnote(place, "eval", "run", "asked.jsonl", "--folder", "docs", "--json"))
    assert told[0]["hits"]["all"]["hit"] == 1.0


def test_asking_a_set_leaves_no_gap_and_no_trace_behind(place: Path) -> None:
    run(place)
    collected = result(footnote(place, "eval", "collect", "--folder", "docs", "--json"))
    assert collected == []


def test_the_stand_in_is_served_for_other_programs(place: Path) -> None:
    words = [sys.executable, "-m", "bots", "eval", "oracle", "set.jsonl", "--port", "0"]
    with subprocess.Popen(
        words, cwd=place, env={"PYTHONPATH": str(ROOT)}, stderr=subprocess.PIPE, text=True
    ) as server:
        try:
            assert server.stderr is not None
            told = server.stderr.readline()
            found = re.search(r"http://127\.0\.0\.1:\d+/v1", told)
            assert found, told
            env = {
                "FOOTNOTE_MODEL__KIND": "openai",
                "FOOTNOTE_MODEL__BASE_URL": found[0],
                "FOOTNOTE_MODEL__NAME": "oracle",
            }
            asked = ("ask", leave.question, "--folder", "docs", "--json")
            answer = result(footnote(place, *asked, env=env))
        finally:
            server.send_signal(signal.SIGINT)
        assert server.wait(30) == 0
    assert answer["status"] == "answered"
    assert answer["calls"]["full"] == 1
