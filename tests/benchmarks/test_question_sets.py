"""Seconds and hits on question sets that lie beside the project; run with `make bench`.

Each set is a folder with `docs/` and `questions.jsonl`; none there, nothing is measured.
"""

import json
import resource
import subprocess
import sys
import time
from pathlib import Path
from statistics import quantiles

import pytest

ROOT = Path(__file__).parents[2]
SETS = ROOT.parent / "shared" / "evaldata"
NAMES = ("docs-en", "public-en", "zh")


def footnote(*words: str) -> float:
    began = time.monotonic()
    command = [sys.executable, "-m", "bots", *words]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return time.monotonic() - began


def cpu_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@pytest.mark.parametrize("name", NAMES)
def test_question_set(name: str, tmp_path: Path) -> None:
    if not (SETS / name).is_dir():
        pytest.skip(f"the question set {name} is not beside the project")
    folder, data, out = SETS / name / "docs", tmp_path / "data", tmp_path / "run.jsonl"
    common = ("--folder", str(folder), "--data", str(data))
    before = cpu_seconds()
    first = footnote("map", "check", *common)
    used = cpu_seconds() - before
    second = footnote("ask", "hello", *common)
    questions = str(SETS / name / "questions.jsonl")
    footnote("ask", "--batch", questions, "--out", str(out), *common)
    answers = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    ms = quantiles([answer["ms"]["total"] for answer in answers], n=20)
    print(f"\n{name}: first run {first:.1f} s ({used:.1f} s CPU), unchanged {second:.1f} s,")
    print(f"answer p50 {ms[9]:.0f} ms, p95 {ms[18]:.0f} ms, {len(answers)} questions")
    score = [sys.executable, str(SETS / "tools" / "score.py"), str(SETS / name), str(out)]
    print(subprocess.run(score, check=True, capture_output=True, encoding="utf-8").stdout)
