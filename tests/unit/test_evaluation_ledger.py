"""A run goes on where it was stopped, and asks again what has changed."""

import json
from pathlib import Path

import pytest

from agent.errors import ServiceUnreachable
from agent.evaluation.ledger import Ledger, run_lines
from agent.evaluation.played import Played
from agent.evaluation.questions import Line, QuestionSetError, question_of, read_lines


def lines(*names: str, **changed: str) -> list[Line]:
    return [Line(name, {"id": name, "question": changed.get(name, f"{name}?")}) for name in names]


class Engine:
    """Answers with the question, and remembers what it was asked."""

    def __init__(self, dies_at: str = "", fails_at: str = "") -> None:
        self.asked: list[str] = []
        self._dies_at = dies_at
        self._fails_at = fails_at

    async def play(self, line: Line) -> Played:
        if line.id == self._dies_at:
            raise KeyboardInterrupt
        self.asked.append(line.id)
        if line.id == self._fails_at:
            raise ServiceUnreachable("no model")
        return Played(id=line.id, digest=line.digest, answer={"answer": line.raw["question"]})


async def run(ledger: Ledger, asked: list[Line], engine: Engine) -> dict[str, Played]:
    return await run_lines(asked, ledger, engine.play, 2, lambda done, total: None)


async def test_a_finished_run_is_not_asked_again(tmp_path: Path) -> None:
    ledger, again = Ledger(tmp_path / "a" / "run.jsonl", "x"), Engine()
    first = await run(ledger, lines("1", "2", "3"), Engine())
    second = await run(ledger, lines("1", "2", "3"), again)
    assert again.asked == []
    assert first == second
    assert list(second) == ["1", "2", "3"]


async def test_a_run_killed_in_the_middle_of_a_line_goes_on(tmp_path: Path) -> None:
    ledger, again = Ledger(tmp_path / "run.jsonl", "x"), Engine()
    await run(ledger, lines("1", "2", "3"), Engine())
    whole = ledger.path.read_text("utf-8")
    ledger.path.write_text(whole[: whole.rindex('"digest"')], encoding="utf-8")
    await run(ledger, lines("1", "2", "3"), again)
    assert len(again.asked) == 1
    assert len(ledger.path.read_text("utf-8").splitlines()) == 4


async def test_a_changed_question_is_noticed_and_asked_again(tmp_path: Path) -> None:
    ledger, again = Ledger(tmp_path / "run.jsonl", "x"), Engine()
    await run(ledger, lines("1", "2"), Engine())
    changed = lines("1", "2", **{"2": "Why?"})
    assert ledger.kept(changed).changed == ("2",)
    played = await run(ledger, changed, again)
    assert again.asked == ["2"]
    assert played["2"].answer == {"answer": "Why?"}


async def test_answers_of_another_engine_are_not_taken_for_its_own(tmp_path: Path) -> None:
    path, again = tmp_path / "run.jsonl", Engine()
    await run(Ledger(path, "x"), lines("1"), Engine())
    assert Ledger(path, "y").kept(lines("1")).other
    await run(Ledger(path, "y"), lines("1"), again)
    assert again.asked == ["1"]


async def test_a_question_that_failed_is_told_and_asked_again(tmp_path: Path) -> None:
    ledger, again = Ledger(tmp_path / "run.jsonl", "x"), Engine()
    played = await run(ledger, lines("1", "2"), Engine(fails_at="1"))
    assert played["1"].trouble == "no model"
    played = await run(ledger, lines("1", "2"), again)
    assert again.asked == ["1"]
    assert not played["1"].trouble


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{", "line 1: it is no JSON"),
        ("[1]", "neither `question` nor `turns`"),
        ("", "holds no question"),
        ('{"id": 1, "question": "a"}\n{"id": 1, "question": "b"}', "the id '1'"),
        ('{"question": "a"}\n{"turns": []}', "mixes questions and conversations"),
    ],
)
def test_a_set_that_cannot_be_used_is_told(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "set.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(QuestionSetError, match=told.replace("(", r"\(")):
        read_lines(path)


def test_a_line_without_an_id_gets_its_number(tmp_path: Path) -> None:
    path = tmp_path / "set.jsonl"
    path.write_text('\n{"question": "a"}\n', encoding="utf-8")
    (line,) = read_lines(path)
    assert (line.id, question_of(line).question) == ("2", "a")


def test_a_wrong_field_is_told_with_its_question() -> None:
    raw = {"id": "7", "question": "a", "gold_mode": "some"}
    with pytest.raises(QuestionSetError, match=r"Question 7: gold_mode"):
        question_of(Line("7", json.loads(json.dumps(raw))))
