"""A model server for tests: OpenAI's protocol over loopback, every reply scripted."""

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

Reply = web.Response
Answer = Callable[[dict[str, Any]], Reply]


def completion(text: str, **extra: Any) -> Reply:
    """A whole reply with this text; `extra` goes over the choice or, for `usage`, the body."""
    usage = extra.pop("usage", {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15})
    message = {"role": "assistant", "content": text} | extra.pop("message", {})
    choice = {"index": 0, "finish_reason": "stop", "message": message} | extra
    body = {"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
    return web.json_response(body | ({"usage": usage} if usage else {}))


def tool_call(arguments: str) -> Reply:
    """A reply that calls the one tool with these arguments."""
    function = {"name": "reply", "arguments": arguments}
    call = {"id": "c", "type": "function", "function": function}
    return completion("", message={"content": None, "tool_calls": [call]})


def failure(status: int, message: str, headers: dict[str, str] | None = None, **of: str) -> Reply:
    """An error as such servers write it."""
    error = {"message": message, "type": "error", "param": None, "code": None} | of
    return web.json_response({"error": error}, status=status, headers=headers)


@dataclass
class ModelServer:
    """What was asked, and where."""

    base_url: str = ""
    requests: list[dict[str, Any]] = field(default_factory=list)
    seen: list[web.Request] = field(default_factory=list)


@asynccontextmanager
async def model_server(*answers: Answer) -> AsyncIterator[ModelServer]:
    """Serve these answers one after the other, the last one for ever."""
    served = ModelServer()

    async def handle(request: web.Request) -> web.Response:
        served.seen.append(request)
        served.requests.append(json.loads(await request.text()))
        return answers[min(len(served.requests), len(answers)) - 1](served.requests[-1])

    app = web.Application()
    app.router.add_post("/{path:.*}", handle)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    try:
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        served.base_url = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
        yield served
    finally:
        await runner.cleanup()
