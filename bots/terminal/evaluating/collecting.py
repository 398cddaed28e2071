"""`footnote eval collect`: what was asked, out of the store, as a question set."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from agent.answers import from_stored
from agent.domain import Answer
from agent.evaluation.collecting import Asked, collect
from agent.memory.turns import turns
from agent.store import Store
from bots.app import open_engine, settings_for_folder
from bots.conversation.questions import questions
from bots.teams.records import teams_votes
from bots.terminal.commandline import WrongUse
from config.settings import Settings


async def collected(settings: Settings, folder: Path | None, limit: int) -> list[dict[str, Any]]:
    """The lines of a set made of the newest questions.

    Args:
        settings: whose store is read.
        folder: the library of that folder alone; None: the configured one.
        limit: questions at most.
    """
    chosen = settings_for_folder(settings, folder) if folder else settings
    async with open_engine(chosen) as engine:
        traces = await engine.traces.newest(limit)
        answers = await engine.store.read(_answers)
        votes = await _votes(engine.store)
    return collect(
        Asked(trace, answers.get(trace.trace_id), votes.get(trace.question)) for trace in traces
    )


def _answers(connection: Connection) -> dict[str, Answer]:
    """The answers that threads remember, by their trace."""
    kept = (from_stored(text) for text in connection.scalars(sa.select(turns.c.answer)))
    return {answer.trace_id: answer for answer in kept if answer.trace_id}


async def _votes(store: Store) -> Mapping[str, bool]:
    """What was thought of the reply to a message, by the message's text; the newest vote counts."""
    query = (
        sa.select(questions.c.text, teams_votes.c.liked)
        .join(teams_votes, teams_votes.c.message_key == questions.c.message_key)
        .where(questions.c.text != "")
        .order_by(teams_votes.c.vote_id)
    )

    def work(connection: Connection) -> dict[str, bool]:
        return {row.text: bool(row.liked) for row in connection.execute(query)}

    return await store.read(work)


async def write_set(lines: Sequence[Mapping[str, Any]], out: Path) -> None:
    """Write a set, one object a line.

    Raises:
        WrongUse: the file cannot be written.
    """
    text = as_lines(lines)
    try:
        await asyncio.to_thread(out.write_text, text, encoding="utf-8")
    except OSError as error:
        raise WrongUse(
            f"{out} cannot be written ({error.strerror}).", hint="Name another file with --out."
        ) from error


def as_lines(lines: Sequence[Mapping[str, Any]]) -> str:
    """A set as text."""
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
