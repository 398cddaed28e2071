"""`footnote eval run`: every engine asked every question, each answer kept, one report made."""

import asyncio
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from agent.evaluation.ledger import Ledger, run_lines
from agent.evaluation.moments import case_of, library_of, moments_result
from agent.evaluation.moments.wording import SourceText
from agent.evaluation.played import Played
from agent.evaluation.questions import (
    Line,
    QuestionSetError,
    question_of,
    read_lines,
)
from agent.evaluation.report import AnyResult, Report
from agent.evaluation.results import result
from bots.terminal.commandline import progress_console
from bots.terminal.evaluating.engines import Opened, opened
from bots.terminal.evaluating.oracle_server import known_to_a_stand_in
from bots.terminal.evaluating.request import EvalRequest, Subject, fingerprint, run_folder
from config.settings import Settings


@dataclass(frozen=True, slots=True)
class Asked:
    """The lines of a set that are asked, and the conversations among them."""

    lines: Sequence[Line]
    conversations: bool


async def run(settings: Settings, request: EvalRequest) -> Report:
    """Measure every subject.

    Raises:
        QuestionSetError: the questions cannot be used.
        ConfigError: an engine needs a model and none is set.
        WrongUse: the folder is none.
    """
    asked = asked_of(request)
    results = [await measure(settings, request, one, asked) for one in request.subjects()]
    return Report(request.questions.name, request.folder.name, results)


async def measure(
    settings: Settings, request: EvalRequest, subject: Subject, asked: Asked
) -> AnyResult:
    """Ask one subject what it was not asked yet, and count."""
    questions = known_to_a_stand_in(asked.lines)
    async with opened(settings, request.folder, subject, questions) as subject_open:
        played = await _played(settings, request, subject, subject_open, asked.lines)
        if asked.conversations:
            cases = [case_of(line) for line in asked.lines]
            names = (subject.engine, subject_open.model)
            return moments_result(names, cases, played, text_of(request.folder))
        measured = result(subject.engine, subject_open.model, questions, played)
        return replace(measured, library=subject_open.documents)


def asked_of(request: EvalRequest) -> Asked:
    """The lines that are asked: of conversations those over this library; all, or evenly some."""
    lines = read_lines(request.questions)
    if lines[0].conversation:
        cases = [case_of(line) for line in lines]
        library = request.library or library_of(cases, request.folder)
        lines = [line for line, case in zip(lines, cases, strict=True) if case.library == library]
    else:
        lines = _with_gold(lines)
    if request.limit and request.limit < len(lines):
        step = len(lines) / request.limit
        lines = [lines[int(at * step)] for at in range(request.limit)]
    return Asked(lines, bool(lines) and lines[0].conversation)


def _with_gold(lines: Sequence[Line]) -> list[Line]:
    usable = [line for line in lines if question_of(line).has_gold]
    if len(usable) < len(lines):
        _tell(f"{len(lines) - len(usable)} questions have no gold yet and are left out.")
    if not usable:
        raise QuestionSetError("No question of the set has gold.", hint="Fill in `gold_docs`.")
    return usable


async def _played(
    settings: Settings,
    request: EvalRequest,
    subject: Subject,
    subject_open: Opened,
    lines: Sequence[Line],
) -> dict[str, Played]:
    state = fingerprint(subject_open.settings, subject, subject_open.library_state)
    path = run_folder(settings, request) / f"{subject.file_name}.jsonl"
    ledger = Ledger(path, state)
    if request.fresh:
        await asyncio.to_thread(path.unlink, missing_ok=True)
    _tell_kept(ledger, subject, lines)
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        console=progress_console,
        transient=True,
    ) as bar:
        task = bar.add_task(subject.file_name, total=len(lines))

        def show(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)

        return await run_lines(lines, ledger, subject_open.player.play, request.parallel, show)


def _tell_kept(ledger: Ledger, subject: Subject, lines: Sequence[Line]) -> None:
    kept = ledger.kept(lines)
    name = subject.file_name
    if kept.other:
        _tell(f"{name}: an earlier run was of other code, settings or library; asked anew.")
    if kept.changed:
        _tell(
            f"{name}: {len(kept.changed)} changed since they were answered and are asked again: "
            f"{', '.join(kept.changed[:5])}{'…' if len(kept.changed) > 5 else ''}."
        )
    if kept.played:
        _tell(
            f"{name}: {len(kept.played)} of {len(lines)} were answered by an earlier run; "
            "--fresh asks them again."
        )


def _tell(text: str) -> None:
    sys.stderr.write(f"{text}\n")


def text_of(folder: Path) -> Callable[[str], SourceText | None]:
    """The files of a folder as text, by path; None for what is no file of it."""
    known: dict[str, SourceText | None] = {}
    root = folder.resolve()

    def read(doc: str) -> SourceText | None:
        if doc not in known:
            path = (root / doc).resolve()
            inside = bool(doc) and path.is_file() and path.is_relative_to(root)
            text = path.read_text(encoding="utf-8", errors="replace") if inside else None
            known[doc] = None if text is None else SourceText.of(text)
        return known[doc]

    return read
