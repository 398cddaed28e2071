"""Traces as JSON lines, one line a round, one file a day, for the tools of an operator.

Off unless a folder is set. The files hold the asker's words as long as the store does: a day's
file goes when its texts are forgotten, and a question that is forgotten leaves its lines without
words. Writing them never costs an answer.
"""

import json
import logging
from collections.abc import Collection, Iterator
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import Any

from agent.trace.rounds import RoundTrace, Trace

logger = logging.getLogger(__name__)

_WORDS = ("question", "words", "query", "reason", "missing", "note")


class TraceLines:
    """Appends traces to `<folder>/<date>.jsonl`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def append(self, trace: Trace) -> None:
        """Write one line a round, in one piece; what cannot be written is logged."""
        text = "".join(_line(entry) for entry in _entries(trace))
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            with (self._folder / f"{trace.at.date()}.jsonl").open("a", encoding="utf-8") as file:
                file.write(text)
        except OSError as error:
            logger.warning("the trace could not be written to %s: %s", self._folder, error)

    def forget(self, trace_ids: Collection[str]) -> None:
        """Empty the words of these traces, wherever they stand."""
        for path in self._folder.glob("*.jsonl"):
            before = path.read_text(encoding="utf-8")
            after = "".join(_forgotten(line, trace_ids) for line in before.splitlines())
            if after != before:
                path.write_text(after, encoding="utf-8")

    def forget_before(self, day: date) -> None:
        """Remove the files of earlier days."""
        for path in self._folder.glob("*.jsonl"):
            if path.stem < day.isoformat():
                path.unlink(missing_ok=True)


def _entries(trace: Trace) -> Iterator[dict[str, Any]]:
    for entry in trace.rounds:
        yield {
            "trace_id": trace.trace_id,
            "at": trace.at.isoformat(),
            "outcome": trace.outcome,
            "stop_reason": trace.stop_reason,
            **_round(entry),
        }


def _round(entry: RoundTrace) -> dict[str, Any]:
    return {
        "part": entry.leaf,
        "question": entry.text.leaf,
        "round": entry.round,
        "words": entry.text.words,
        "in_view": [asdict(seen) for seen in entry.seen],
        "listed": [asdict(listed) for listed in entry.listed],
        "coverage": entry.coverage,
        "kept": entry.kept,
        "note": entry.text.note,
        "action": entry.action,
        "targets": entry.targets,
        "query": entry.text.query,
        "quotes": entry.quotes,
        "missing": entry.text.missing,
        "reason": entry.text.reason,
        "tokens": entry.tokens,
        "seconds": entry.ms / 1000,
        "end": entry.end,
    }


def _line(entry: dict[str, Any]) -> str:
    return json.dumps(entry, ensure_ascii=False) + "\n"


def _forgotten(line: str, trace_ids: Collection[str]) -> str:
    entry = json.loads(line)
    if entry["trace_id"] not in trace_ids:
        return line + "\n"
    return _line(entry | dict.fromkeys(_WORDS, ""))
