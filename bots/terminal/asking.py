"""`footnote ask`: one question, or a file of them, from the library or from one folder."""

import json
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

from rich.progress import Progress, TaskID

from agent.answers import answer_object
from agent.domain import Answer, ProgressEvent, Question, Scope
from bots.app import Engine, open_engine, settings_for_folder
from bots.terminal.batch import Batch
from bots.terminal.commandline import WrongUse, progress_console, result_console
from bots.terminal.syncing import bring_in_step, complete_vectors
from bots.terminal.tracing import trace_object, trace_view
from bots.terminal.views import StatusLine, answer_view
from config.settings import Settings

PERSONS = ("mail:", "slack:", "teams:")
CHANNELS = ("slack:C", "slack:G", "teams:19:")


@dataclass(frozen=True, slots=True)
class Request:
    """What the command line said beside the question.

    Attributes:
        person: an audience word; the scope is his and the workspace's.
        today: the asker's date; None: the real one.
    """

    folder: Path | None = None
    person: str = "workspace"
    today: date | None = None
    thread: str = ""
    trace: bool = False
    as_json: bool = False


async def ask_one(settings: Settings, request: Request, text: str) -> None:
    """Answer one question and print it."""
    scope = scope_of(request.person, settings)
    async with _ready(settings, request.folder) as engine:
        thread_key = f"terminal:{request.thread}" if request.thread else ""
        question = Question(text, scope, thread_key=thread_key)
        if request.today:
            question = replace(question, today=request.today)
        with StatusLine(progress_console) as line:
            answer = await engine.assistant.answer(question, line)
        trace = await engine.traces.find(answer.trace_id) if request.trace else None
    if request.as_json:
        shown = answer_object(answer) | ({"trace": trace_object(trace)} if trace else {})
        sys.stdout.write(json.dumps(shown, ensure_ascii=False, indent=2) + "\n")
        return
    console = result_console()
    console.print(answer_view(answer))
    if trace:
        console.print(trace_view(trace))


async def ask_batch(
    settings: Settings, request: Request, files: tuple[Path, Path], parallel: int
) -> None:
    """Answer every line of the first file into the second."""
    scope = scope_of(request.person, settings)
    async with _ready(settings, request.folder) as engine:
        await complete_vectors(engine)
        with Progress(console=progress_console, transient=True) as bar:
            task = bar.add_task("answering", total=None)

            async def ask(question: Question) -> Answer:
                return await engine.assistant.answer(question, _Silent())

            batch = Batch(ask, scope, parallel, request.today, _shower(bar, task))
            await batch.run(*files)


@asynccontextmanager
async def _ready(settings: Settings, folder: Path | None) -> AsyncIterator[Engine]:
    """The engine with something to answer from: a folder is read anew, a source once."""
    chosen = settings_for_folder(settings, folder) if folder else settings
    async with open_engine(chosen) as engine:
        await bring_in_step(engine, anew=folder is not None)
        yield engine


class _Silent:
    async def show(self, event: ProgressEvent) -> None:
        """A batch shows how many are answered, not what is read."""


def _shower(bar: Progress, task: TaskID) -> Callable[[int, int], None]:
    def show(done: int, total: int) -> None:
        bar.update(task, completed=done, total=total)

    return show


def scope_of(word: str, settings: Settings) -> Scope:
    """The scope of `--as`; a channel is narrowed to the sources its settings name.

    Raises:
        WrongUse: it is no audience word, or a channel in which the bot is switched off.
    """
    if word == "workspace":
        return Scope.of("workspace")
    if not (word.startswith(PERSONS) and word.partition(":")[2]):
        raise WrongUse(
            f"--as {word!r} is nobody I know.",
            hint="Use mail:…, slack:U…, slack:C…, teams:… or workspace.",
        )
    if not word.startswith(CHANNELS):
        return Scope.of("workspace", word.casefold() if word.startswith("mail:") else word)
    channel = settings.channel(word)
    if not channel.enabled:
        raise WrongUse(
            f"Footnote is switched off in {word}.", hint=f'See [channels."{word}"], enabled.'
        )
    return Scope.of("workspace", word, sources=channel.sources or None)
