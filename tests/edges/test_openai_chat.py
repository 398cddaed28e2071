"""The chat model against a local server: forms, retries, limits, and how trouble is told."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from agent.caching import ContentCache
from agent.cores.openai_chat import OpenAIChat
from agent.errors import ConfigError, DecisionError, ServiceUnreachable
from agent.ports import ChatPrompt
from config.settings import ModelSettings
from tests.edges.model_server import (
    Answer,
    ModelServer,
    completion,
    failure,
    model_server,
    tool_call,
)

SCHEMA = {
    "type": "object",
    "properties": {"answer": {"type": "string", "maxLength": 9}},
    "required": ["answer"],
    "additionalProperties": False,
}
TEXT = ChatPrompt("Be short.", "Who?")
OBJECT = ChatPrompt("Be short.", "Who?", schema=SCHEMA)
GOOD = '{"answer":"me"}'


class Naps(list[float]):
    """Waits nowhere and keeps for how long it was asked to."""

    async def __call__(self, seconds: float) -> None:
        self.append(seconds)


@asynccontextmanager
async def talking(
    *answers: Answer, cache: ContentCache | None = None, naps: Naps | None = None, **settings: Any
) -> AsyncIterator[tuple[OpenAIChat, ModelServer]]:
    async with model_server(*answers) as server:
        given = {"kind": "openai", "name": "big", "base_url": server.base_url} | settings
        chat = OpenAIChat(ModelSettings(**given), cache, sleep=Naps() if naps is None else naps)
        try:
            yield chat, server
        finally:
            await chat.close()


def forms(requests: Sequence[dict[str, Any]]) -> list[str]:
    return [
        "schema" if "response_format" in one else "tool" if "tools" in one else "plain"
        for one in requests
    ]


def says(text: str) -> Answer:
    return lambda _: completion(text)


async def test_a_text_comes_back_with_what_it_cost() -> None:
    async with talking(says("hello")) as (chat, server):
        reply = await chat.complete(TEXT)
    assert (reply.text, reply.usage.full_calls, reply.usage.small_calls) == ("hello", 1, 0)
    assert (reply.usage.prompt_tokens, reply.usage.completion_tokens) == (10, 5)
    assert [one["role"] for one in server.requests[0]["messages"]] == ["system", "user"]
    assert server.requests[0]["temperature"] == 0.0


async def test_a_small_call_asks_the_small_model() -> None:
    async with talking(says("hi"), small_name="tiny") as (chat, server):
        small = await chat.complete(ChatPrompt("", "words?", small=True))
        await chat.complete(TEXT)
    assert [one["model"] for one in server.requests] == ["tiny", "big"]
    assert (small.usage.small_calls, small.usage.full_calls) == (1, 0)


async def test_without_a_small_model_the_full_one_makes_small_calls() -> None:
    async with talking(says("hi")) as (chat, server):
        reply = await chat.complete(ChatPrompt("", "words?", small=True))
    assert server.requests[0]["model"] == "big"
    assert reply.usage.small_calls == 1


async def test_tokens_are_estimated_where_the_server_counts_none() -> None:
    async with talking(lambda _: completion("four", usage=None)) as (chat, _):
        reply = await chat.complete(ChatPrompt("", "x" * 400))
    assert (reply.usage.prompt_tokens, reply.usage.completion_tokens) == (100, 1)


async def test_an_object_is_asked_for_by_strict_schema() -> None:
    async with talking(says(GOOD)) as (chat, server):
        reply = await chat.complete(OBJECT)
    asked = server.requests[0]["response_format"]["json_schema"]
    assert reply.text == GOOD
    assert (asked["strict"], asked["schema"]) == (True, SCHEMA)


def refuses_schema(request: dict[str, Any]) -> Any:
    if "response_format" in request:
        return failure(400, "response_format is not supported")
    return tool_call(GOOD) if "tools" in request else completion(GOOD)


def refuses_forms(request: dict[str, Any]) -> Any:
    if "response_format" in request or "tools" in request:
        return failure(422, "extra inputs are not permitted")
    return completion(f"Sure! {GOOD}")


async def test_a_server_without_schemas_is_asked_by_one_tool() -> None:
    async with talking(refuses_schema) as (chat, server):
        assert (await chat.complete(OBJECT)).text == GOOD
        await chat.complete(OBJECT)
    assert forms(server.requests) == ["schema", "tool", "tool"]


async def test_a_server_without_tools_is_asked_in_words() -> None:
    async with talking(refuses_forms) as (chat, server):
        assert GOOD in (await chat.complete(OBJECT)).text
        await chat.complete(OBJECT)
    assert forms(server.requests) == ["schema", "tool", "plain", "plain"]
    assert '"answer"' in server.requests[-1]["messages"][0]["content"]


async def test_what_a_server_takes_is_remembered_over_restarts(tmp_path: Path) -> None:
    cache = ContentCache(tmp_path)
    async with talking(refuses_schema, cache=cache) as (chat, server):
        await chat.complete(OBJECT)
        again = OpenAIChat(
            ModelSettings(kind="openai", name="big", base_url=server.base_url), cache
        )
        await again.complete(OBJECT)
        await again.close()
    cache.close()
    assert forms(server.requests) == ["schema", "tool", "tool"]


async def test_another_model_of_the_server_is_asked_for_itself() -> None:
    async with talking(refuses_schema, small_name="tiny") as (chat, server):
        await chat.complete(OBJECT)
        await chat.complete(ChatPrompt("", "?", schema=SCHEMA, small=True))
    assert forms(server.requests) == ["schema", "tool", "schema", "tool"]


async def test_a_form_that_is_promised_and_not_kept_is_given_up_the_second_time() -> None:
    async with talking(says("I would say: me.")) as (chat, server):
        for _ in range(3):
            await chat.complete(OBJECT)
    assert forms(server.requests) == ["schema", "schema", "tool"]


async def test_bounds_are_left_out_where_a_strict_server_refuses_them() -> None:
    def bounded(request: dict[str, Any]) -> Any:
        text = str(request["response_format"])
        return failure(400, "'maxLength' is not permitted") if "maxL" in text else completion(GOOD)

    async with talking(bounded) as (chat, server):
        assert (await chat.complete(OBJECT)).text == GOOD
    assert forms(server.requests) == ["schema", "schema"]


async def test_words_a_server_does_not_know_are_changed_or_left_out() -> None:
    def picky(request: dict[str, Any]) -> Any:
        if "max_tokens" in request:
            return failure(400, "Unsupported: 'max_tokens'. Use 'max_completion_tokens'.")
        if "temperature" in request:
            return failure(400, "Unsupported value: 'temperature'", param="temperature")
        return completion("fine")

    async with talking(picky) as (chat, server):
        assert (await chat.complete(TEXT)).text == "fine"
        await chat.complete(TEXT)
    assert len(server.requests) == 4
    assert server.requests[-1]["max_completion_tokens"] == TEXT.reply_tokens


async def test_a_prompt_that_is_refused_for_its_length_is_not_asked_in_other_forms() -> None:
    def long(_: object) -> Any:
        return failure(400, "too many tokens", code="context_length_exceeded")

    async with talking(long) as (chat, server):
        with pytest.raises(DecisionError, match="context_length_exceeded"):
            await chat.complete(OBJECT)
    assert len(server.requests) == 1


async def test_a_busy_server_is_asked_again_when_it_says() -> None:
    naps = Naps()

    def busy(_: object) -> Any:
        return failure(429, "slow down", {"Retry-After": "3"})

    async with talking(busy, says("now"), naps=naps) as (chat, _):
        assert (await chat.complete(TEXT)).text == "now"
    assert naps == [3.0]


async def test_a_failing_server_is_asked_four_times_with_growing_waits() -> None:
    naps = Naps()
    async with talking(lambda _: failure(500, "oops"), naps=naps) as (chat, server):
        with pytest.raises(ServiceUnreachable, match=r"failed \(500\)"):
            await chat.complete(TEXT)
    assert len(server.requests) == 4
    assert len(naps) == 3
    assert all(low <= nap <= 2 * low for low, nap in zip((0.25, 0.5, 1.0), naps, strict=True))


async def test_a_wait_beyond_the_calls_time_is_not_begun() -> None:
    naps = Naps()

    def busy(_: object) -> Any:
        return failure(429, "slow down", {"Retry-After": "3600"})

    async with talking(busy, naps=naps) as (chat, server):
        with pytest.raises(ServiceUnreachable, match="no room"):
            await chat.complete(TEXT)
    assert (len(server.requests), naps) == (1, [])


async def test_an_exhausted_account_is_not_asked_again() -> None:
    async with talking(lambda _: failure(429, "pay", code="insufficient_quota")) as (chat, server):
        with pytest.raises(ServiceUnreachable):
            await chat.complete(TEXT)
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("status", "told"), [(401, "refuses the key"), (403, "refuses the key"), (404, "no model")]
)
async def test_what_no_retry_mends_is_told_at_once(status: int, told: str) -> None:
    async with talking(lambda _: failure(status, "no")) as (chat, server):
        with pytest.raises(ServiceUnreachable, match=told):
            await chat.complete(TEXT)
    assert len(server.requests) == 1


async def test_a_page_instead_of_a_reply_is_no_model_server() -> None:
    def page(_: object) -> Any:
        return web.Response(text="<h1>hello</h1>", content_type="text/html")

    async with talking(page) as (chat, _):
        with pytest.raises(ServiceUnreachable, match="no OpenAI-compatible server"):
            await chat.complete(TEXT)


async def test_broken_json_is_no_crash() -> None:
    def broken(_: object) -> Any:
        return web.Response(text='{"choices": [', content_type="application/json")

    async with talking(broken, says("well")) as (chat, _):
        assert (await chat.complete(TEXT)).text == "well"


async def test_a_server_that_is_not_there_is_told_with_its_address() -> None:
    async with model_server(says("")) as server:
        gone = server.base_url
    chat = OpenAIChat(ModelSettings(kind="openai", name="m", base_url=gone), sleep=Naps())
    with pytest.raises(ServiceUnreachable, match=r"127\.0\.0\.1:\d+ cannot be reached"):
        await chat.complete(TEXT)
    await chat.close()


async def test_a_refusal_and_a_cut_reply_are_marked() -> None:
    def refused(_: object) -> Any:
        return completion("", message={"content": None, "refusal": "I cannot"})

    def cut(_: object) -> Any:
        return completion("half a", finish_reason="length")

    async with talking(refused, cut) as (chat, _):
        first, second = await chat.complete(OBJECT), await chat.complete(OBJECT)
    assert (first.refused, first.text) == (True, "I cannot")
    assert (second.cut, second.text) == (True, "half a")


async def test_thoughts_before_the_reply_are_no_part_of_it() -> None:
    async with talking(says(f"<think>{{maybe}}</think>\n{GOOD}")) as (chat, _):
        assert (await chat.complete(OBJECT)).text == GOOD


async def test_azures_address_leads_to_its_deployment() -> None:
    async with model_server(says("hi")) as server:
        base = server.base_url.removesuffix("/v1") + "?api-version=2024-10-21"
        chat = OpenAIChat(
            ModelSettings.model_validate(
                {"kind": "openai", "name": "gpt", "base_url": base, "api_key": "k"}
            )
        )
        assert (await chat.complete(TEXT)).text == "hi"
        await chat.close()
    asked = server.seen[0]
    assert asked.path == "/openai/deployments/gpt/chat/completions"
    assert asked.query["api-version"] == "2024-10-21"
    assert asked.headers["api-key"] == "k"


def test_a_model_without_a_name_or_key_is_a_setting_to_mend() -> None:
    with pytest.raises(ConfigError, match=r"model\.name"):
        OpenAIChat(ModelSettings(kind="openai", base_url="http://127.0.0.1:1/v1"))
    with pytest.raises(ConfigError, match=r"model\.api_key"):
        OpenAIChat(ModelSettings(kind="openai", name="m"))
    with pytest.raises(ConfigError, match=r"no address"):
        OpenAIChat(ModelSettings(kind="openai", name="m", base_url="localhost:80"))
