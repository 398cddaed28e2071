"""Questions from a file: every line is answered once, in any order, and a stopped run goes on."""

import json
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from agent.domain import WORKSPACE, Answer, Outcome, Question
from bots.terminal.batch import Batch, BatchError, BatchLine


class Echo:
    """Answers with the question's own words and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[Question] = []

    async def __call__(self, question: Question) -> Answer:
        self.asked.append(question)
        return Answer("a", question.text, Outcome.ANSWERED, question.text)


def write(path: Path, lines: Sequence[Any]) -> Path:
    path.write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
    return path


def read(path: Path) -> dict[str, Any]:
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return {row["id"]: row for row in rows}


async def test_every_question_gets_one_line_with_its_id(tmp_path: Path) -> None:
    lines = [{"id": f"q{n}", "question": f"question {n}?"} for n in range(5)]
    source, target = write(tmp_path / "in.jsonl", lines), tmp_path / "deep" / "out.jsonl"

    assert await Batch(Echo(), WORKSPACE, parallel=3).run(source, target) == 5

    assert {row["id"]: row["answer"] for row in read(target).values()} == {
        line["id"]: line["question"] for line in lines
    }


async def test_turns_share_a_thread_of_their_own(tmp_path: Path) -> None:
    source = write(
        tmp_path / "in.jsonl",
        [{"id": "a", "turns": ["one", {"say": "two"}]}, {"id": "b", "turns": ["three"]}],
    )
    echo = Echo()

    await Batch(echo, WORKSPACE).run(source, tmp_path / "out.jsonl")

    threads = {question.text: question.thread_key for question in echo.asked}
    assert threads["one"] == threads["two"] != threads["three"]
    assert [turn["id"] for turn in read(tmp_path / "out.jsonl")["a"]["turns"]] == ["a.1", "a.2"]


async def test_a_single_question_has_no_thread(tmp_path: Path) -> None:
    echo = Echo()
    await Batch(echo, WORKSPACE).run(
        write(tmp_path / "in.jsonl", [{"question": "x"}]), tmp_path / "o"
    )

    assert echo.asked[0].thread_key == ""


async def test_a_stopped_run_goes_on_where_it_was_cut_off(tmp_path: Path) -> None:
    source = write(tmp_path / "in.jsonl", [{"id": str(n), "question": f"{n}?"} for n in range(3)])
    target = tmp_path / "out.jsonl"
    target.write_text('{"id": "0", "answer": "kept"}\n{"id": "1", "ans', encoding="utf-8")
    echo = Echo()

    assert await Batch(echo, WORKSPACE).run(source, target) == 2

    assert sorted(question.text for question in echo.asked) == ["1?", "2?"]
    assert read(target)["0"]["answer"] == "kept"
    assert set(read(target)) == {"0", "1", "2"}


async def test_the_day_of_the_line_wins_over_the_day_of_the_run(tmp_path: Path) -> None:
    source = write(
        tmp_path / "in.jsonl",
        [
            {"id": "own", "question": "own", "given": {"today": "2024-05-03"}},
            {"id": "run", "question": "run"},
        ],
    )
    echo = Echo()

    await Batch(echo, WORKSPACE, today=date(2026, 11, 30)).run(source, tmp_path / "out.jsonl")

    assert {question.text: question.today for question in echo.asked} == {
        "own": date(2024, 5, 3),
        "run": date(2026, 11, 30),
    }


async def test_what_a_turn_needs_stands_in_for_the_real_facts(tmp_path: Path) -> None:
    needs = {
        "records": {"a.md": {"owner": None, "author": "people team", "modified": "2025-11-03"}},
        "sources": [{"name": "Handbook", "documents": 751, "contact": "#ask"}],
        "privacy": {"kept_days": 7, "visible_to": "you"},
    }
    source = write(tmp_path / "in.jsonl", [{"turns": [{"say": "hi", "expect": {"needs": needs}}]}])
    echo = Echo()

    await Batch(echo, WORKSPACE).run(source, tmp_path / "out.jsonl")

    facts = echo.asked[0].facts
    assert (facts.owners, facts.modified) == ({"a.md": "people team"}, {"a.md": "2025-11-03"})
    assert (facts.sources[0].documents, facts.kept_days, facts.visible_to) == (751, 7, "you")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        pytest.param("no json", "line 1", id="a line that is no JSON"),
        pytest.param(
            '{"id": "1"}', "neither `question` nor `turns`", id="a line that asks nothing"
        ),
        pytest.param(
            '{"id": 1, "question": "a"}\n{"id": "1", "question": "b"}',
            "two lines",
            id="one id twice",
        ),
    ],
)
async def test_a_file_that_cannot_be_used_is_refused_before_anything_is_asked(
    tmp_path: Path, text: str, says: str
) -> None:
    source = tmp_path / "in.jsonl"
    source.write_text(text, encoding="utf-8")
    echo = Echo()

    with pytest.raises(BatchError, match=says):
        await Batch(echo, WORKSPACE).run(source, tmp_path / "out.jsonl")

    assert echo.asked == []


def test_a_number_may_be_asked_or_said() -> None:
    assert BatchLine.model_validate({"question": 404}).question == "404"
    turns = BatchLine.model_validate({"turns": [{"say": 2}]}).turns
    assert turns is not None
    assert turns[0].say == "2"
