"""Whether the model and the search models answer as the settings say."""

from agent.errors import FootnoteError
from agent.ports import ChatPrompt, ChatReply
from bots.doctor.checks import Check, failed, ok, warning
from config.settings import Settings

_WORD = "footnote"


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
    if settings.embedder.kind == "none":
        return [ok("embedder", "None: search goes by words alone.")]
    return [_not_here("embedder", "none")]


async def reranker(settings: Settings) -> list[Check]:
    """The second opinion on passages."""
    if settings.reranker.kind == "none":
        return [ok("reranker", "None.")]
    return [_not_here("reranker", "none")]


def _not_here(name: str, works: str) -> Check:
    fix = f"Set it to {works!r} (FOOTNOTE_{name.upper()}__KIND={works})."
    return failed(name, f"{name}.kind asks for what this version does not have yet.", fix)
