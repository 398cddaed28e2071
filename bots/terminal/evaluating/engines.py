"""Opens what is measured: one of our engines or a baseline, over one folder, behind one model."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pydantic import SecretStr

from agent.domain import WORKSPACE
from agent.errors import ConfigError
from agent.evaluation.oracle import OracleMind
from agent.evaluation.playing import Player
from agent.evaluation.questions import EvalQuestion, Line
from agent.evaluation.retrieval import QuoteCheck, SearchRanking
from bots.app import Engine, open_engine, settings_for_folder
from bots.terminal.evaluating.asking import answering, ask_assistant
from bots.terminal.evaluating.baselines import open_baseline
from bots.terminal.evaluating.oracle_server import OracleServer, serving_oracle
from bots.terminal.evaluating.request import ORACLES, WITHOUT_MODEL, Subject
from bots.terminal.syncing import bring_in_step, complete_vectors
from config.settings import ModelSettings, Settings

_OURS = ("loop", WITHOUT_MODEL)


@dataclass(frozen=True, slots=True)
class Opened:
    """A subject, ready to be asked.

    Attributes:
        model: name of the model behind it; empty without one.
        settings: as it was opened with.
        library_state: changes with the library.
        documents: how many the library holds.
    """

    player: Player
    model: str
    settings: Settings
    library_state: str
    documents: int


@asynccontextmanager
async def opened(
    settings: Settings, folder: Path, subject: Subject, questions: Sequence[EvalQuestion]
) -> AsyncIterator[Opened]:
    """The subject over a folder that is read anew.

    Args:
        settings: the whole configuration; its model is behind engines that need one.
        folder: the library.
        subject: what is measured.
        questions: what a stand-in knows.

    Raises:
        ConfigError: the engine needs a model and none is set.
    """
    async with AsyncExitStack() as stack:
        mind = _mind(subject, questions)
        model = await _model(settings, subject, mind, stack)
        chosen = settings_for_folder(_apart(settings, model), folder)
        engine = await stack.enter_async_context(open_engine(_engine_settings(chosen, subject)))
        await bring_in_step(engine, anew=True)
        await complete_vectors(engine)
        if subject.engine in _OURS:
            player = _our_player(engine)
        else:
            player = await stack.enter_async_context(open_baseline(engine, chosen, subject.engine))
        if mind is not None:
            player = _watched(player, mind, questions)
        changed = await engine.library.last_changed()
        held = await engine.library.sources(WORKSPACE)
        yield Opened(
            player,
            model.name if subject.engine != WITHOUT_MODEL else "",
            chosen,
            f"{folder} {changed}",
            sum(source.documents for source in held),
        )


def _mind(subject: Subject, questions: Sequence[EvalQuestion]) -> OracleMind | None:
    if subject.model not in ORACLES:
        return None
    return OracleMind(questions, own_words=subject.model == "oracle-words")


async def _model(
    settings: Settings, subject: Subject, mind: OracleMind | None, stack: AsyncExitStack
) -> ModelSettings:
    """The model behind a subject; a day's budget is not for measuring and must not end it."""
    if subject.engine == WITHOUT_MODEL:
        return ModelSettings()
    if mind is not None:
        server = await stack.enter_async_context(serving_oracle(OracleServer(mind)))
        return ModelSettings(
            kind="openai",
            base_url=server.base_url,
            name=subject.model,
            api_key=SecretStr("oracle"),
            daily_tokens=0,
        )
    if settings.model.kind == WITHOUT_MODEL:
        raise ConfigError(
            f"The engine {subject.engine!r} needs a language model, and none is set.",
            hint="Set FOOTNOTE_MODEL__KIND=openai with its address and name, or measure with "
            "--model oracle.",
        )
    return settings.model.model_copy(update={"daily_tokens": 0})


def _apart(settings: Settings, model: ModelSettings) -> Settings:
    """With a library of its own: what is asked here is no gap and no trace of anybody's."""
    place = settings.data_dir / "evaluation"
    return settings.model_copy(update={"model": model, "data_dir": place})


def _engine_settings(settings: Settings, subject: Subject) -> Settings:
    """Baselines bring their own use of the model; the engine beside them needs none."""
    if subject.engine in _OURS:
        return settings
    return settings.model_copy(update={"model": ModelSettings()})


def _our_player(engine: Engine) -> Player:
    async def confidence(told: Mapping[str, Any]) -> float | None:
        trace = await engine.traces.find(str(told.get("trace_id") or ""))
        return trace.rounds[0].coverage if trace and trace.rounds else None

    return Player(
        answering(ask_assistant(engine.assistant)),
        SearchRanking(engine.library, WORKSPACE),
        QuoteCheck(engine.library, WORKSPACE),
        confidence,
    )


def _watched(player: Player, mind: OracleMind, questions: Sequence[EvalQuestion]) -> Player:
    """The player, with what the stand-in saw; each question begins anew for it."""
    known = {question.id: question for question in questions}

    async def ask(line: Line) -> Mapping[str, Any]:
        if line.id in known:
            mind.forget(known[line.id])
        return await player.ask(line)

    return replace(player, ask=ask, seen=mind.seen)
