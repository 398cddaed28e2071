"""Own time per question, memory and what is found, from 751 to 50,000 documents; `make bench`.

The larger libraries are grown around the English question set by the tool that lies beside it; none
there, nothing is measured. Times are processor time of the search alone, the least of three runs.
"""

import asyncio
import json
import resource
import subprocess
import sys
import time
from pathlib import Path
from statistics import mean, quantiles

import pytest

from agent.library.library import StoreLibrary
from bots.app import Engine, open_engine, operator_scope, settings_for_folder
from config.settings import Settings

SETS = Path(__file__).parents[2].parent / "shared" / "evaldata"
SIZES = (751, 5_000, 50_000)
RUNS = 3
FIRST = 5


def grown(documents: int, folder: Path) -> Path:
    """A folder of so many documents around the questions."""
    if documents == SIZES[0]:
        return SETS / "docs-en" / "docs"
    tool = [sys.executable, str(SETS / "tools" / "grow.py"), str(SETS / "docs-en")]
    # It ends with an error where a set has no halves, after all documents are written.
    subprocess.run([*tool, str(documents), str(folder)], capture_output=True, check=False)
    return folder / "docs"


def questions() -> list[dict[str, object]]:
    lines = (SETS / "docs-en" / "questions.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


@pytest.mark.parametrize("documents", SIZES)
def test_search(documents: int, tmp_path: Path) -> None:
    if not (SETS / "docs-en").is_dir():
        pytest.skip("the question set docs-en is not beside the project")
    folder = grown(documents, tmp_path / "grown")
    settings = settings_for_folder(Settings(data_dir=tmp_path / "data"), folder)
    asyncio.run(measured(settings, documents))


async def measured(settings: Settings, documents: int) -> None:
    async with open_engine(settings) as engine:
        began, used = time.monotonic(), time.process_time()
        await engine.jobs.run()
        wall, cpu = time.monotonic() - began, time.process_time() - used
        print(f"\n{documents} documents: synced in {wall:.0f} s, {cpu:.0f} s of them our own")
        began = time.monotonic()
        await engine.jobs.run()
        print(f"unchanged {time.monotonic() - began:.1f} s")
        ms = quantiles([await least(engine, str(one["question"])) for one in questions()], n=20)
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1_024
        print(f"search p50 {ms[9]:.0f} ms, p95 {ms[18]:.0f} ms of processor, {memory} MB in all")
        print(f"all needed documents in the first {FIRST}: {await share_found(engine):.2f}")


async def least(engine: Engine, question: str) -> float:
    """Milliseconds of processor time of one search, the least of some runs."""
    scope = operator_scope(engine.settings)
    taken = []
    for _ in range(RUNS):
        began = time.process_time()
        await engine.library.search(question, scope)
        taken.append(1_000 * (time.process_time() - began))
    return min(taken)


async def share_found(engine: Engine) -> float:
    """Of the questions that have an answer, those with every needed document among the first."""
    return mean(
        [
            await is_found(engine.library, one, engine)
            for one in questions()
            if one["gold_mode"] != "none"
        ]
    )


async def is_found(library: StoreLibrary, one: dict[str, object], engine: Engine) -> bool:
    scope = operator_scope(engine.settings)
    found = await library.search(str(one["question"]), scope)
    entries = await library.read_map(scope, found.documents[:FIRST])
    paths = {entry.document.doc for entry in entries}
    needed = set(one["gold_docs"])  # type: ignore[call-overload]
    others = set(one.get("alt_docs", ()))  # type: ignore[call-overload]
    return needed <= paths if one["gold_mode"] == "all" else bool(paths & (needed | others))
