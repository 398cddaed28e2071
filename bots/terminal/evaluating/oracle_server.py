"""The stand-in behind an OpenAI-compatible address on this machine, with latency and faults.

Everything goes the way it goes with a real server: through the package, the retries, the ladder of
forms. Faults come in a fixed order, so that a run with them can be repeated.
"""

import asyncio
import itertools
import signal
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from aiohttp import web

from agent.errors import ConfigError
from agent.evaluation.moments import case_of, gold_of
from agent.evaluation.oracle import OracleMind, OracleReply
from agent.evaluation.questions import EvalQuestion, Line, question_of, read_lines
from bots.terminal.commandline import progress_console

_HOST = "127.0.0.1"
_CLOSES_S = 1.0
_MODEL = "oracle"


class Fault(StrEnum):
    """What can go wrong with a call."""

    BUSY = "429"
    FAILED = "500"
    BROKEN = "broken"
    SLOW = "slow"
    DROP = "drop"
    NO_SCHEMA = "no-schema"
    NO_TOOLS = "no-tools"


LASTING = (Fault.NO_SCHEMA, Fault.NO_TOOLS)
"""Not accidents: what the server does not take at all."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """How the server misbehaves.

    Attributes:
        faults: each of them in turn.
        every: every so many calls one fault, 1: each call; 0: none.
        slow_s: seconds that a slow reply takes longer.
        retry_after_s: what a busy server asks to wait.
    """

    faults: tuple[Fault, ...] = ()
    every: int = 0
    slow_s: float = 5.0
    retry_after_s: float = 1.0

    def refuses(self, request: Mapping[str, Any]) -> bool:
        """Whether the server does not take this form."""
        if Fault.NO_SCHEMA in self.faults and "response_format" in request:
            return True
        return Fault.NO_TOOLS in self.faults and "tools" in request


@dataclass
class OracleServer:
    """A running stand-in.

    Attributes:
        calls: requests that came in, faulty ones among them.
    """

    mind: OracleMind
    latency_s: float = 0.0
    trouble: Trouble = field(default_factory=Trouble)
    base_url: str = ""
    calls: int = 0

    def __post_init__(self) -> None:
        accidents = [fault for fault in self.trouble.faults if fault not in LASTING]
        self._next = itertools.cycle(accidents) if accidents else None
        self._numbers = itertools.count(1)

    async def complete(self, request: web.Request) -> web.StreamResponse:
        """Answer one chat request."""
        self.calls += 1
        asked = await request.json()
        if self.trouble.refuses(asked):
            return _error(400, "this form is not supported")
        fault = self._fault()
        await asyncio.sleep(self.latency_s + (self.trouble.slow_s if fault is Fault.SLOW else 0))
        match fault:
            case Fault.BUSY:
                wait = {"Retry-After": f"{self.trouble.retry_after_s:g}"}
                return _error(429, "too many requests", wait)
            case Fault.FAILED:
                return _error(500, "the server failed")
            case Fault.DROP:
                if request.transport:
                    request.transport.abort()
                return web.Response()
        reply = await asyncio.to_thread(self.mind.reply, asked)
        if fault is Fault.BROKEN:
            reply = OracleReply(
                reply.text[: len(reply.text) // 2], reply.prompt_tokens, reply.completion_tokens
            )
        return web.json_response(_completion(next(self._numbers), asked, reply))

    def _fault(self) -> Fault | None:
        due = self.trouble.every and self.calls % self.trouble.every == 0
        return next(self._next) if due and self._next else None


async def _models(_: web.Request) -> web.Response:
    return web.json_response({"object": "list", "data": [{"id": _MODEL, "object": "model"}]})


@asynccontextmanager
async def serving_oracle(server: OracleServer, port: int = 0) -> AsyncIterator[OracleServer]:
    """Serve on loopback; port 0 takes any free one.

    Raises:
        ConfigError: the port is taken.
    """
    app = web.Application(client_max_size=16_000_000)
    app.router.add_post("/v1/chat/completions", server.complete)
    app.router.add_get("/v1/models", _models)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=_CLOSES_S)
    await runner.setup()
    try:
        await web.TCPSite(runner, _HOST, port).start()
    except OSError as error:
        await runner.cleanup()
        raise ConfigError(
            f"The stand-in cannot listen at {_HOST}:{port} ({error.strerror}).",
            hint="Name another port with --port, or 0 for any.",
        ) from error
    server.base_url = f"http://{_HOST}:{runner.addresses[0][1]}/v1"
    try:
        yield server
    finally:
        await runner.cleanup()


def _completion(number: int, asked: Mapping[str, Any], reply: OracleReply) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": reply.text}
    if tools := asked.get("tools"):
        function = {"name": _name_of(tools), "arguments": reply.text}
        call = {"id": f"call-{number}", "type": "function", "function": function}
        message |= {"content": None, "tool_calls": [call]}
    total = reply.prompt_tokens + reply.completion_tokens
    return {
        "id": f"oracle-{number}",
        "object": "chat.completion",
        "created": number,
        "model": str(asked.get("model") or _MODEL),
        "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
        "usage": {
            "prompt_tokens": reply.prompt_tokens,
            "completion_tokens": reply.completion_tokens,
            "total_tokens": total,
        },
    }


def _name_of(tools: Sequence[Mapping[str, Any]]) -> str:
    return str((tools[0].get("function") or {}).get("name") or "reply")


def _error(status: int, message: str, headers: Mapping[str, str] | None = None) -> web.Response:
    body = {"error": {"message": message, "type": "error", "param": None, "code": None}}
    return web.json_response(body, status=status, headers=headers)


def known_to_a_stand_in(lines: Sequence[Line]) -> list[EvalQuestion]:
    """The questions of a set, or the turns of its conversations, with their gold."""
    if lines and lines[0].conversation:
        return [question for line in lines for question in gold_of(case_of(line))]
    return [question_of(line) for line in lines]


@dataclass(frozen=True, slots=True)
class Served:
    """What `footnote eval oracle` serves."""

    questions: Path
    port: int
    latency_s: float
    model: str
    trouble: Trouble


async def serve_until_stopped(served: Served) -> None:
    """Serve until the process is told to stop.

    Raises:
        QuestionSetError: the questions cannot be used.
        ConfigError: the port is taken.
    """
    questions = known_to_a_stand_in(read_lines(served.questions))
    mind = OracleMind(questions, own_words=served.model == "oracle-words")
    server = OracleServer(mind, served.latency_s, served.trouble)
    stopped = asyncio.Event()
    for wanted in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(wanted, stopped.set)
    async with serving_oracle(server, served.port):
        progress_console.print(
            f"The stand-in for {len(questions)} questions listens at {server.base_url}\n"
            f"FOOTNOTE_MODEL__KIND=openai FOOTNOTE_MODEL__BASE_URL={server.base_url} "
            f"FOOTNOTE_MODEL__NAME={served.model}\nCtrl+C stops.",
            highlight=False,
            soft_wrap=True,
        )
        await stopped.wait()
