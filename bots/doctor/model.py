"""Whether the model and the search models answer as the settings say."""

import asyncio
from collections.abc import Awaitable
from time import monotonic
from typing import TypeVar

from agent.errors import FootnoteError
from agent.library.vectors.index import ENOUGH
from agent.library.vectors.keeping import VectorState, read_state
from agent.ports import ChatPrompt, ChatReply, Embedder, Reranker
from agent.store import open_store
from bots.doctor.checks import Check, failed, ok, warning
from bots.finding import embedder_of, reranker_of
from config.settings import Settings

T = TypeVar("T")

_WORD = "footnote"
_SEE = "See docs/configuration.md, [{}]."


async def model(settings: Settings) -> list[Check]:
    """The language model."""
    if settings.model.kind == "extractive":
        return [ok("model", "None: answers are the documents' own sentences.")]
    try:
        reply = await _asked(settings)
    except FootnoteError as error:
        return [failed("model", error.problem, error.hint or "See docs/configuration.md, [model].")]
    name = settings.model.name
    if _WORD not in reply.text:
        says = f"{name} answered a test question with no usable object."
        return [warning("model", says, "Use a model that can write JSON.")]
    took = reply.usage.model_ms / 1000
    return [ok("model", f"{name} answered a test question in {took:.1f} s.")]


async def _asked(settings: Settings) -> ChatReply:
    """What the model answers to a call of a few tokens."""
    from agent.cores.openai_chat import OpenAIChat

    chat = OpenAIChat(settings.model)
    schema = {
        "type": "object",
        "properties": {"word": {"type": "string", "maxLength": 20}},
        "required": ["word"],
        "additionalProperties": False,
    }
    try:
        return await chat.complete(
            ChatPrompt(
                "Reply with one JSON object.",
                f'Put "{_WORD}" into "word".',
                schema=schema,
                reply_tokens=60,
            )
        )
    finally:
        await chat.close()


async def embedder(settings: Settings) -> list[Check]:
    """The vectors of the search."""
    try:
        chosen = embedder_of(settings.embedder)
        if chosen is None:
            return [ok("embedder", "None: search goes by words alone.")]
        began = monotonic()
        [vector] = await _closing(chosen, chosen.embed([_WORD], asked=True))
        took = monotonic() - began
        state = await _vectors(settings, chosen)
    except FootnoteError as error:
        return [failed("embedder", error.problem, error.hint or _SEE.format("embedder"))]
    works = f"It made a vector of {len(vector)} numbers in {took:.1f} s; {state.done} of "
    works += f"{state.texts} texts have theirs."
    if state.share < ENOUGH:
        return [warning("embedder", works, "Run `footnote sync`; until then words are searched.")]
    return [ok("embedder", works)]


async def reranker(settings: Settings) -> list[Check]:
    """The second opinion on passages."""
    try:
        chosen = reranker_of(settings.reranker)
        if chosen is None:
            return [ok("reranker", "None.")]
        began = monotonic()
        await _closing(chosen, chosen.rank(_WORD, [_WORD, "nothing of it"]))
    except FootnoteError as error:
        return [failed("reranker", error.problem, error.hint or _SEE.format("reranker"))]
    return [ok("reranker", f"{chosen.name} ranked two texts in {monotonic() - began:.1f} s.")]


async def _closing(asked: Embedder | Reranker, answer: Awaitable[T]) -> T:
    try:
        return await answer
    finally:
        await asked.close()


async def _vectors(settings: Settings, chosen: Embedder) -> VectorState:
    """How many texts have a vector of this embedder."""
    store = await asyncio.to_thread(open_store, settings.store_url)
    try:
        name, outside = chosen.name, chosen.outside
        return await store.read(lambda c: read_state(c, name, outside=outside))
    finally:
        store.close()
