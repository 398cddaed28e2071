"""Asks one line of a set, as `ask --batch` does."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from agent.assistant import Assistant
from agent.domain import WORKSPACE, Answer, ProgressEvent, Question
from agent.evaluation.playing import Answering
from agent.evaluation.questions import Line
from bots.terminal.batch import Ask, Batch, BatchLine


class _Silent:
    async def show(self, event: ProgressEvent) -> None:
        """A run shows how many are answered, not what is read."""


def answering(ask: Ask) -> Answering:
    """Asks a line with its given facts, the turns of a conversation in a thread of their own."""
    batch = Batch(ask, WORKSPACE)

    async def answer(line: Line) -> Mapping[str, Any]:
        return await batch.answer(BatchLine.model_validate(line.raw))

    return answer


def ask_assistant(assistant: Assistant) -> Ask:
    """Asks our engine, which must not remember what an earlier run was answered."""
    forgetful = replace(assistant, remembered=None)

    async def ask(question: Question) -> Answer:
        return await forgetful.answer(question, _Silent())

    return ask
