"""A chat model behind the `openai` package: the one file that imports it, and only when asked.

Any server that speaks the protocol will do, Azure's addresses included. A call is one reply: what
passes (429, 5xx, a lost connection) is tried again inside the call's own time limit, as the
server's Retry-After says; what does not pass is told at once.
"""

import asyncio
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from importlib import import_module
from time import monotonic
from typing import TYPE_CHECKING, Any

from agent.caching import ContentCache
from agent.cores.abilities import Abilities, Form, asked
from agent.cores.addresses import Address, address_of
from agent.cores.model_trouble import (
    PassingTrouble,
    RequestRefused,
    backoff_s,
    no_model_server,
    said_in,
    too_slow,
    trouble,
    wait_in,
)
from agent.cores.tokens import estimate_tokens
from agent.domain import Usage
from agent.errors import ConfigError, DecisionError
from agent.ports import ChatPrompt, ChatReply
from config.settings import ModelSettings

if TYPE_CHECKING:
    from openai import APIError, AsyncOpenAI
    from openai.types.chat import ChatCompletion

_TRIES = 4
_UNFORMED_IN_A_ROW = 2
"""Replies without an object, under a form that promises one, until the form is given up."""
_THOUGHTS = re.compile(r"^\s*<think(?:ing)?>.*?</think(?:ing)?>\s*", re.DOTALL)

Sleep = Callable[[float], Awaitable[None]]


def open_client(address: Address, api_key: str) -> "AsyncOpenAI":
    """A client of the package for this address; it never retries by itself.

    Args:
        address: of the server.
        api_key: any word for servers that ask for none.
    """
    from openai import AsyncAzureOpenAI, AsyncOpenAI

    if not address.api_version:
        return AsyncOpenAI(base_url=address.base, api_key=api_key, max_retries=0)
    return AsyncAzureOpenAI(
        azure_endpoint=address.base,
        api_version=address.api_version,
        api_key=api_key,
        max_retries=0,
    )


class OpenAIChat:
    """A model on an OpenAI-compatible server, a smaller one beside it for small calls."""

    def __init__(
        self,
        settings: ModelSettings,
        cache: ContentCache | None = None,
        *,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        """Nothing is opened before the first call.

        Args:
            settings: which server and models.
            cache: keeps what a server takes over restarts; None: asked anew by every process.
            sleep: waits so many seconds.

        Raises:
            ConfigError: the address is none, no model is named, or a key is needed and not set.
        """
        self._address = address_of(settings.base_url)
        self._name = settings.name or self._address.deployment
        if not self._name:
            raise ConfigError("model.name is not set.", hint="Set FOOTNOTE_MODEL__NAME.")
        if not settings.base_url and settings.api_key is None:
            raise ConfigError("model.api_key is not set.", hint="Set FOOTNOTE_MODEL__API_KEY.")
        self._settings = settings
        self._sleep = sleep
        self._client: AsyncOpenAI | None = None
        self._abilities = _Remembered(self._address, cache)

    @property
    def name(self) -> str:
        """The model of full calls."""
        return self._name

    def cost_tokens(self, prompt: ChatPrompt) -> int:
        """Tokens that a call will cost, a full reply included, estimated."""
        schema = str(prompt.schema) if prompt.schema else ""
        return estimate_tokens(prompt.system, prompt.user, schema) + prompt.reply_tokens

    async def close(self) -> None:
        """Close the connections; a later call opens new ones."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    async def complete(self, prompt: ChatPrompt) -> ChatReply:
        """One reply, retried inside `model.timeout_s`.

        Raises:
            ServiceUnreachable: the server does not answer, its retries included, or turns us away.
            DecisionError: the server answers but refuses this very prompt.
        """
        model = (self._settings.small_name if prompt.small else "") or self._name
        began = monotonic()
        answered, abilities = await self._laddered(prompt, model, began)
        reply = _reply(answered, prompt, round((monotonic() - began) * 1000))
        if prompt.schema is not None and not (reply.cut or reply.refused):
            abilities = self._abilities.noticed(model, abilities, reply.text)
        await self._abilities.remember(model, abilities)
        return reply

    async def _laddered(
        self, prompt: ChatPrompt, model: str, began: float
    ) -> tuple["ChatCompletion", Abilities]:
        """The reply, and what the server was found to take."""
        abilities = await self._abilities.of(model)
        while True:
            try:
                return await self._retried(
                    self._request(prompt, model, abilities), began
                ), abilities
            except RequestRefused as refusal:
                less = None if refusal.of_content else abilities.without(refusal.said)
                if less is None:
                    raise DecisionError(
                        f"The model server refuses the request: {refusal.said}"
                    ) from refusal
                abilities = less

    def _request(self, prompt: ChatPrompt, model: str, abilities: Abilities) -> dict[str, Any]:
        request = {"model": model, **asked(prompt, abilities)}
        request[abilities.length_word] = prompt.reply_tokens
        if abilities.temperature:
            request["temperature"] = self._settings.temperature
        return request

    async def _retried(self, request: dict[str, Any], began: float) -> "ChatCompletion":
        limit = began + self._settings.timeout_s
        tried = 0
        while True:
            tried += 1
            try:
                async with asyncio.timeout(max(0.0, limit - monotonic())):
                    return await self._once(request)
            except TimeoutError:
                raise too_slow(self._address.shown, self._settings.timeout_s) from None
            except PassingTrouble as passing:
                wait = backoff_s(tried) if passing.wait_s is None else passing.wait_s
                if tried == _TRIES or monotonic() + wait >= limit:
                    raise passing.told from passing
                await self._sleep(wait)

    async def _once(self, request: dict[str, Any]) -> "ChatCompletion":
        client = await self._opened()
        from openai import APIError

        try:
            answered: ChatCompletion = await client.chat.completions.create(
                **request, timeout=self._settings.timeout_s
            )
        except APIError as error:
            raise self._trouble(error, request["model"]) from error
        except ValueError as error:  # a body that is no JSON
            raise PassingTrouble(no_model_server(self._address.shown)) from error
        if not getattr(answered, "choices", None):
            raise PassingTrouble(no_model_server(self._address.shown))
        return answered

    async def _opened(self) -> "AsyncOpenAI":
        if self._client is None:
            await asyncio.to_thread(import_module, "openai")  # takes seconds the first time
        if self._client is None:
            key = self._settings.api_key
            self._client = open_client(self._address, key.get_secret_value() if key else "none")
        return self._client

    def _trouble(self, error: "APIError", model: str) -> Exception:
        """What an error of the package means for us."""
        response = getattr(error, "response", None)
        status = None if response is None else response.status_code
        said = said_in(error.body, error.message)
        raised = trouble(status, said, self._address.shown, model)
        if isinstance(raised, PassingTrouble) and response is not None:
            raised.wait_s = wait_in(response.headers)
        return raised


@dataclass
class _Remembered:
    """What the server was found to take, by model; in the cache for the next process."""

    address: Address
    cache: ContentCache | None

    def __post_init__(self) -> None:
        self._known: dict[str, Abilities] = {}
        self._unformed: dict[str, int] = {}

    async def of(self, model: str) -> Abilities:
        """What it takes for a model, as far as is known."""
        if model not in self._known:
            kept = None
            if self.cache:
                kept = await asyncio.to_thread(self.cache.get, self._key(model))
            first = Abilities(length_word=self.address.length_word)
            self._known[model] = Abilities.from_json(kept) or first
        return self._known[model]

    def noticed(self, model: str, used: Abilities, text: str) -> Abilities:
        """Less is asked for next time where a server takes a form and does not keep to it."""
        if used.form is Form.PLAIN:
            return used
        missed = 0 if text.lstrip().startswith("{") else self._unformed.get(model, 0) + 1
        self._unformed[model] = missed % _UNFORMED_IN_A_ROW
        return replace(used, form=used.form.below) if missed >= _UNFORMED_IN_A_ROW else used

    async def remember(self, model: str, now: Abilities) -> None:
        """Keep what has just worked."""
        if now == self._known.get(model):
            return
        self._known[model] = now
        if self.cache:
            await asyncio.to_thread(self.cache.put, self._key(model), now.to_json())

    def _key(self, model: str) -> str:
        return f"model abilities 1|{self.address.base}|{model}"


def _reply(answered: "ChatCompletion", prompt: ChatPrompt, took_ms: int) -> ChatReply:
    choice = answered.choices[0]
    message = choice.message
    called = [getattr(call, "function", None) for call in message.tool_calls or ()]
    text = next((one.arguments for one in called if one), None) or message.content or ""
    refusal = getattr(message, "refusal", None) or ""
    text = _THOUGHTS.sub("", text)
    return ChatReply(
        text or refusal,
        _usage(answered, prompt, text or refusal, took_ms),
        cut=choice.finish_reason == "length",
        refused=bool(refusal) or choice.finish_reason == "content_filter",
    )


def _usage(answered: "ChatCompletion", prompt: ChatPrompt, text: str, took_ms: int) -> Usage:
    """One call, as the server counts its tokens, else estimated."""
    counted = answered.usage
    return Usage(
        full_calls=int(not prompt.small),
        small_calls=int(prompt.small),
        prompt_tokens=(counted and counted.prompt_tokens)
        or estimate_tokens(prompt.system, prompt.user),
        completion_tokens=(counted and counted.completion_tokens) or estimate_tokens(text),
        model_ms=took_ms,
    )
