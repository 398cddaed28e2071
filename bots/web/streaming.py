"""A question's work as server-sent events, and its end when nobody listens any more."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from typing import Any, TypeVar

from aiohttp import web

from agent.domain import Answer, ProgressEvent
from bots.problem import Problem
from bots.web.asking import Ask, AskingDesk
from bots.web.problems import logger, problem_of

T = TypeVar("T")
Render = Callable[[Answer], Awaitable[dict[str, Any]]]
"""Makes the data of the `answer` event."""

_HEARTBEAT_S = 1.0
_LOOK_S = 1.0
_KEPT_EVENTS = 200


class Mailbox:
    """Progress on its way to a slow reader; beyond 200 waiting events the oldest are dropped."""

    def __init__(self) -> None:
        self._events: asyncio.Queue[ProgressEvent | None] = asyncio.Queue(_KEPT_EVENTS)

    async def show(self, event: ProgressEvent) -> None:
        """Put an event in; never waits."""
        self._put(event)

    def end(self) -> None:
        """No more events will come."""
        self._put(None)

    async def next(self, within_s: float) -> ProgressEvent | None:
        """The oldest event waiting; None after the last one.

        Raises:
            TimeoutError: nothing came within this many seconds.
        """
        async with asyncio.timeout(within_s):
            return await self._events.get()

    def _put(self, event: ProgressEvent | None) -> None:
        if self._events.full():
            self._events.get_nowait()
        self._events.put_nowait(event)


async def stream_answer(
    request: web.Request, desk: AskingDesk, ask: Ask, render: Render
) -> web.StreamResponse:
    """Reply with the progress of a question, then with its answer or an error.

    Args:
        request: the asking request; when its connection is gone the work is cancelled.
        desk: has the question answered.
        ask: the question.
        render: makes the data of the `answer` event.
    """
    async with desk.place():
        response = await _open_stream(request)
        mailbox = Mailbox()
        async with _owned(_work(desk, ask, mailbox)) as work:
            with suppress(ConnectionError):  # the reader left: leaving the block cancels the work
                await _forward(mailbox, response)
                await _finish(work, response, render)
                await response.write_eof()
        return response


async def while_connected(request: web.Request, work: Coroutine[Any, Any, T]) -> T:
    """The result of some work, which is cancelled when the connection is gone.

    Raises:
        Problem: 408, nobody waits for the result any more; it reaches nobody.
    """
    async with _owned(work) as task:
        while not task.done():
            await asyncio.wait({task}, timeout=_LOOK_S)
            if not task.done() and request.transport is None:
                raise Problem(408, "Nobody waits for the answer any more.", "Ask again.")
        return task.result()


@asynccontextmanager
async def _owned(work: Coroutine[Any, Any, T]) -> AsyncIterator[asyncio.Task[T]]:
    task = asyncio.create_task(work)
    try:
        yield task
    finally:
        task.cancel()
        await asyncio.wait({task})


async def _work(desk: AskingDesk, ask: Ask, mailbox: Mailbox) -> Answer:
    try:
        return await desk.answer(ask, mailbox)
    finally:
        mailbox.end()


async def _open_stream(request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse(
        headers={"Content-Type": "text/event-stream; charset=utf-8", "X-Accel-Buffering": "no"}
    )
    await response.prepare(request)
    return response


async def _forward(mailbox: Mailbox, response: web.StreamResponse) -> None:
    while True:
        try:
            event = await mailbox.next(_HEARTBEAT_S)
        except TimeoutError:
            await response.write(b": still at work\n\n")
            continue
        if event is None:
            return
        await _send(response, "progress", progress_object(event))


async def _finish(
    work: asyncio.Task[Answer],
    response: web.StreamResponse,
    render: Render,
) -> None:
    try:
        data = await render(await work)
    except Exception as error:  # noqa: BLE001 - the stream has begun: the wall cannot reply any more
        problem = problem_of(error)
        if problem.status >= 500:
            logger.exception("question failed")
        await _send(response, "error", {"error": problem.error, "hint": problem.hint})
    else:
        await _send(response, "answer", data)


async def _send(response: web.StreamResponse, event: str, data: dict[str, Any]) -> None:
    text = json.dumps(data, ensure_ascii=False)
    await response.write(f"event: {event}\ndata: {text}\n\n".encode())


def progress_object(event: ProgressEvent) -> dict[str, Any]:
    """A progress event as programs read it."""
    return {
        "stage": event.stage.value,
        "document": event.document,
        "section": event.section,
        "parts": [{"question": part.question, "state": part.state.value} for part in event.parts],
    }
