"""What the asker sees while he waits, kept apart from the work: progress never blocks an answer.

Events are handed on by a task of their own; while one is being shown newer ones take the place
of older ones. Whatever goes wrong there is logged and forgotten.
"""

import asyncio
import logging
from collections import deque
from types import TracebackType
from typing import Self

from agent.domain import PartProgress, PartState, ProgressEvent, Stage
from agent.ports import Progress, ShownWindow

logger = logging.getLogger(__name__)

_WAITING = 20
"""Events that may wait to be shown; past it the oldest is dropped."""
_LAST_S = 0.3
"""Seconds that the last events get when the work is done."""


class Watch:
    """Tells a `Progress` what is being done, without ever waiting for it."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._waiting: deque[ProgressEvent] = deque(maxlen=_WAITING)
        self._there = asyncio.Event()
        self._parts: list[PartProgress] = []
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._show_all())
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        assert self._task is not None
        self._waiting.append(_END)
        self._there.set()
        await asyncio.wait([self._task], timeout=0 if error else _LAST_S)
        self._task.cancel()

    def stage(self, stage: Stage) -> None:
        """The work has come to a new stage."""
        self._tell(ProgressEvent(stage))

    async def reading(self, windows: tuple[ShownWindow, ...]) -> None:
        """These windows are being read."""
        for shown in windows[:1]:
            window = shown.window
            self._tell(ProgressEvent(Stage.READING, window.document.title, window.section.heading))

    def plan(self, questions: list[str]) -> None:
        """The question has several parts."""
        self._parts = [PartProgress(question, PartState.PENDING) for question in questions]
        self._tell(ProgressEvent(Stage.MAP))

    def part(self, number: int, state: PartState) -> None:
        """A part, counted from 0, is this far."""
        if self._parts:
            self._parts[number] = PartProgress(self._parts[number].question, state)
            self._tell(ProgressEvent(Stage.READING))

    def _tell(self, event: ProgressEvent) -> None:
        shown = ProgressEvent(event.stage, event.document, event.section, tuple(self._parts))
        self._waiting.append(shown)
        self._there.set()

    async def _show_all(self) -> None:
        while True:
            await self._there.wait()
            self._there.clear()
            while self._waiting:
                event = self._waiting.popleft()
                if event is _END:
                    return
                await self._show(event)

    async def _show(self, event: ProgressEvent) -> None:
        try:
            await self._progress.show(event)
        except Exception:  # whatever a platform does, the answer goes on
            logger.warning("progress could not be shown", exc_info=True)


_END = ProgressEvent(Stage.COMPOSING)
"""Compared by identity: nothing comes after it."""
