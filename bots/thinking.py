"""Who makes the choices: the model of the settings behind its guards, or the rules alone."""

import hashlib
import json
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from agent.caching import ContentCache
from agent.cores.extractive import ExtractiveCore
from agent.leaves.lookup import Thinking
from agent.library.noting import NoteKeeper
from agent.ports import ChatModel
from agent.store import Store
from config.settings import Settings

logger = logging.getLogger(__name__)


async def _nothing_to_close() -> None:
    """Rules hold no connection."""


@dataclass(frozen=True, slots=True)
class Minds:
    """What the settings of the model come to.

    Attributes:
        thinking: who makes the choices, and what he may be shown.
        made_by: in one word, what an answer is made by: model, prompts and glossary; empty
            without a model.
        close: gives back its connections.
        notes: has the model describe documents for the map; None where it does not.
    """

    thinking: Thinking = field(default_factory=lambda: Thinking(ExtractiveCore()))
    made_by: str = ""
    close: Callable[[], Awaitable[None]] = _nothing_to_close
    notes: NoteKeeper | None = None


def minds_of(settings: Settings, store: Store) -> Minds:
    """What the settings ask for; nothing is called yet.

    Raises:
        ConfigError: the model's settings do not go together.
    """
    if settings.model.kind == "extractive":
        return Minds()
    # Imported here: without a model a command should not load what only a model needs.
    from agent.cores.llm.breaker import Breaker
    from agent.cores.llm.core import LlmCore
    from agent.cores.llm.guarding import GuardedChat
    from agent.cores.llm.small import ModelSmallCalls
    from agent.cores.llm.spending import DailyBudget
    from agent.cores.openai_chat import OpenAIChat

    cache = ContentCache(settings.data_dir / "cache" / "model")
    budget = DailyBudget(store, settings.model.daily_tokens, _tell_share)
    server = OpenAIChat(settings.model, cache)
    chat = GuardedChat(server, Breaker(_tell_breaker), budget)
    return Minds(
        Thinking(LlmCore(chat, settings.loop), ModelSmallCalls(chat), _open_sources(settings)),
        _made_by(settings),
        server.close,
        _notes(settings, store, chat, cache),
    )


def _notes(
    settings: Settings, store: Store, chat: ChatModel, cache: ContentCache
) -> NoteKeeper | None:
    from agent.cores.llm.notes import ModelNotes

    per_hour = settings.model.notes_per_hour
    return NoteKeeper(store, ModelNotes(chat), cache, per_hour) if per_hour else None


def _made_by(settings: Settings) -> str:
    from agent.cores.llm.prompts import prompts_version

    model = settings.model
    parts = [model.base_url, model.name, model.small_name, prompts_version(), settings.glossary]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:16]


def _open_sources(settings: Settings) -> frozenset[str] | None:
    if all(source.egress == "any" for source in settings.sources):
        return None
    return frozenset(source.name for source in settings.sources if source.egress == "any")


def _tell_breaker(open_now: bool) -> None:
    if open_now:
        logger.error("the language model keeps failing: answers are quotes found by words")
    else:
        logger.warning("the language model answers again")


def _tell_share(share: float) -> None:
    if share >= 1:
        logger.error("the day's tokens of the language model are used up: answers are quotes")
    else:
        logger.warning("%d %% of the day's tokens of the language model are used", share * 100)
