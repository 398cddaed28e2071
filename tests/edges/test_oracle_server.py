"""The stand-in behind its address: what a real client gets, in every form and with every fault."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from agent.cores.openai_chat import OpenAIChat
from agent.errors import ConfigError, ServiceUnreachable
from agent.evaluation.oracle import OracleMind
from agent.evaluation.questions import Line
from agent.ports import ChatPrompt
from bots.terminal.evaluating.oracle_server import (
    Fault,
    OracleServer,
    Trouble,
    known_to_a_stand_in,
    serving_oracle,
)
from config.settings import ModelSettings
from tests.evaluation_fakes import LEAVE, leave

FENCED = "<<<{name} 0a1b2c3d>>>\n{text}\n<<<end 0a1b2c3d>>>"
ASKED = "\n".join(
    [
        "QUESTION",
        FENCED.format(name="question", text=leave.question),
        "PASSAGES",
        FENCED.format(name="1 leave.md › Leave", text=LEAVE),
    ]
)
SCHEMA = {
    "type": "object",
    "properties": {
        "quotes": {"type": "array", "items": {"type": "string"}},
        "answer": {"type": "string"},
        "covered": {"type": "boolean"},
    },
    "required": ["quotes", "answer", "covered"],
    "additionalProperties": False,
}
PROMPT = ChatPrompt("Answer.", ASKED, schema=SCHEMA)


class Naps(list[float]):
    async def __call__(self, seconds: float) -> None:
        self.append(seconds)


@asynccontextmanager
async def asked_of(
    trouble: Trouble | None = None, timeout_s: float = 30.0
) -> AsyncIterator[tuple[OpenAIChat, OracleServer, Naps]]:
    server = OracleServer(OracleMind([leave]), trouble=trouble or Trouble())
    naps = Naps()
    async with serving_oracle(server):
        settings = ModelSettings(
            kind="openai", name="oracle", base_url=server.base_url, timeout_s=timeout_s
        )
        chat = OpenAIChat(settings, sleep=naps)
        try:
            yield chat, server, naps
        finally:
            await chat.close()


async def test_a_call_is_answered_and_its_tokens_are_counted() -> None:
    async with asked_of() as (chat, server, _):
        reply = await chat.complete(PROMPT)
    assert LEAVE in reply.text
    assert reply.usage.prompt_tokens > 40
    assert reply.usage.completion_tokens > 10
    assert server.calls == 1


@pytest.mark.parametrize(
    ("faults", "calls"),
    [((Fault.NO_SCHEMA,), 2), ((Fault.NO_SCHEMA, Fault.NO_TOOLS), 3)],
)
async def test_a_server_that_takes_less_is_asked_for_less(
    faults: tuple[Fault, ...], calls: int
) -> None:
    async with asked_of(Trouble(faults)) as (chat, server, _):
        assert LEAVE in (await chat.complete(PROMPT)).text
        assert server.calls == calls
        await chat.complete(PROMPT)
    assert server.calls == calls + 1


async def test_a_busy_server_says_how_long_to_wait() -> None:
    trouble = Trouble((Fault.BUSY,), every=2, retry_after_s=3)
    async with asked_of(trouble) as (chat, server, naps):
        await chat.complete(PROMPT)
        assert LEAVE in (await chat.complete(PROMPT)).text
    assert (server.calls, naps) == (3, [3.0])


@pytest.mark.parametrize("fault", [Fault.FAILED, Fault.DROP])
async def test_a_failed_or_dropped_call_is_tried_again(fault: Fault) -> None:
    async with asked_of(Trouble((fault,), every=2)) as (chat, server, naps):
        await chat.complete(PROMPT)
        assert LEAVE in (await chat.complete(PROMPT)).text
    assert (server.calls, len(naps)) == (3, 1)


async def test_a_broken_reply_comes_as_it_is() -> None:
    async with asked_of(Trouble((Fault.BROKEN,), every=1)) as (chat, _, _):
        text = (await chat.complete(PROMPT)).text
    assert text.startswith("{")
    assert not text.endswith("}")


async def test_a_reply_that_is_too_slow_is_given_up() -> None:
    async with asked_of(Trouble((Fault.SLOW,), every=1, slow_s=60), timeout_s=0.3) as (chat, _, _):
        with pytest.raises(ServiceUnreachable, match="did not answer within"):
            await chat.complete(PROMPT)


async def test_a_port_that_is_taken_is_told() -> None:
    async with serving_oracle(OracleServer(OracleMind([]))) as server:
        port = int(server.base_url.rsplit(":", 1)[1].removesuffix("/v1"))
        with pytest.raises(ConfigError, match="cannot listen"):
            async with serving_oracle(OracleServer(OracleMind([])), port):
                pass


def test_conversations_are_known_by_their_turns(tmp_path: Path) -> None:
    del tmp_path
    evidence = [{"doc": "leave.md", "quote": LEAVE}]
    turns = [
        {"say": "hello", "expect": {"status": ["talk"]}},
        {"say": leave.question, "expect": {"status": ["answered"], "evidence": evidence}},
    ]
    hello, asked = known_to_a_stand_in([Line("a", {"id": "a", "turns": turns})])
    assert (hello.answerable, asked.answerable) == (False, True)
    assert asked.gold_docs == ("leave.md",)
