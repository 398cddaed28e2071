"""Our scoring against the scorers that come with the question sets, on the same answers."""

import json
import re
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from agent.evaluation.moments import case_of, check_case
from agent.evaluation.moments.wording import SourceText
from agent.evaluation.played import Played
from agent.evaluation.questions import EvalQuestion, question_of, read_lines
from agent.evaluation.results import result

SETS = Path(__file__).parents[2].parent / "shared" / "evaldata"
STATUSES = ("answered", "partial", "not_covered", "clarify")

pytestmark = pytest.mark.skipif(
    not SETS.is_dir(), reason="the question sets are not beside the project"
)


def invented(question: EvalQuestion, at: int) -> dict[str, Any]:
    """An answer that is right, half right or wrong, by the question's place in its set."""
    gold = list(question.gold_evidence)
    quotes = [(one.doc, one.quote) for one in gold]
    match at % 6:
        case 0:
            cited, answer = quotes, ""
        case 1:
            cited = [(doc, quote[: len(quote) // 2]) for doc, quote in quotes[:1]]
            answer = " ".join(question.gold_answers)
        case 2:
            cited, answer = [("README.md", quote) for _, quote in quotes], "nothing"
        case 3:
            cited = [(doc, re.sub(r"[*`|]", " ", quote)) for doc, quote in reversed(quotes)]
            answer = "It says so."
        case 4:
            cited, answer = [(doc, "words that stand nowhere") for doc, _ in quotes], "so"
        case _:
            cited = [(doc, "words") for doc in question.gold_docs]
            answer = "; ".join(question.gold_answers)
    return {
        "id": question.id,
        "status": STATUSES[0 if at % 6 < 4 else at % 4],
        "answer": answer,
        "citations": [{"doc": doc, "quote": quote} for doc, quote in cited],
    }


def their_figures(name: str, run: Path) -> dict[str, dict[str, str]]:
    tool = [sys.executable, str(SETS / "tools" / "score.py"), str(SETS / name), str(run)]
    told = subprocess.run(tool, check=True, capture_output=True, encoding="utf-8").stdout
    figures = {}
    for line in told.splitlines():
        kind, *rest = line.split()
        figures[kind] = dict(one.split("=", 1) for one in rest)
    return figures


@pytest.mark.parametrize("name", ["docs-en", "public-en", "zh"])
def test_hits_and_refusals_agree_with_the_sets_own_scorer(name: str, tmp_path: Path) -> None:
    questions = [question_of(line) for line in read_lines(SETS / name / "questions.jsonl")]
    answers = [invented(question, at) for at, question in enumerate(questions)]
    run = tmp_path / "run.jsonl"
    run.write_text("\n".join(json.dumps(answer) for answer in answers), encoding="utf-8")
    theirs = their_figures(name, run)
    played = {answer["id"]: Played(id=answer["id"], answer=answer) for answer in answers}
    ours = result("x", "", questions, played).to_json()

    def shown(share: float | None, n: int) -> str:
        return f"{share:.2f}(n={n})"

    for kind, figures in theirs.items():
        if kind == "unanswerable":
            assert figures["refused"] == shown(ours["declined"], ours["unanswerable"]["n"])
            continue
        mine = ours["hits"]["all" if kind == "ALL" else kind]
        assert figures["hit"] == shown(mine["hit"], mine["n"]), kind
    assert theirs["ALL"]["over_refusal"] == shown(ours["wrongly_declined"], ours["answerable"]["n"])


def reply_to(turn: dict[str, Any], at: int) -> dict[str, Any] | None:
    """A reply that keeps some of what is expected and breaks some, by its place."""
    expect = turn["expect"]
    if at % 11 == 10:
        return None
    evidence = expect.get("evidence") or []
    status = expect["status"][0] if at % 5 else "answered"
    quotes = [{"doc": one["doc"], "quote": one["quote"]} for one in evidence]
    if at % 7 == 3:
        quotes = [{"doc": "nowhere.md", "quote": "…"}, *quotes]
    if at % 7 == 5:
        quotes = [{**one, "quote": f"{one['quote'][:40]} … {one['quote'][-30:]}"} for one in quotes]
    answer = ("In 2031 it was 77.", "没有找到。", "Yes?", "", "It is [1].")[at % 5]
    told: dict[str, Any] = {"status": status, "answer": answer, "citations": quotes}
    if at % 3:
        told |= {"gap_recorded": at % 2 == 0, "calls": {"full": at % 4, "small": 1}}
    return told


def test_conversations_agree_with_the_sets_own_checker(tmp_path: Path) -> None:
    theirs = runpy.run_path(str(SETS / "moments" / "check.py"))
    roots = theirs["ROOTS"]
    failed = 0
    for at, line in enumerate(read_lines(SETS / "moments" / "moments.handed.jsonl")):
        raw, root = line.raw, Path(roots[line.raw["library"]])

        def text_of(doc: str, root: Path = root) -> SourceText | None:
            path = root / doc
            return SourceText.of(path.read_text("utf-8")) if doc and path.is_file() else None

        replies = [reply_to(turn, at + step) for step, turn in enumerate(raw["turns"])]
        wanted = theirs["check_case"](raw, {"turns": replies})
        mine = check_case(case_of(line), [reply or {} for reply in replies], text_of)
        for (their_fails, their_evidence), our in zip(wanted, mine, strict=True):
            codes = [code for code, _ in our.fails]
            assert sorted(codes) == sorted(code for code, _ in their_fails), line.id
            assert our.evidence == their_evidence, line.id
            failed += bool(codes)
    assert failed > 50
