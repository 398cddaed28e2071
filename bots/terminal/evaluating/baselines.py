"""Opens a baseline beside an engine, over the engine's library and the same model."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from agent.caching import ContentCache
from agent.cores.openai_chat import OpenAIChat
from agent.domain import WORKSPACE
from agent.evaluation.baselines.plain_loop import PlainLoop, build_plain_loop
from agent.evaluation.baselines.rag import Finders, Rag, build_rag
from agent.evaluation.playing import Player
from agent.evaluation.retrieval import QuoteCheck
from bots.app import Engine
from bots.finding import embedder_of, reranker_of
from bots.terminal.evaluating.asking import answering
from config.settings import Settings


@asynccontextmanager
async def open_baseline(engine: Engine, settings: Settings, name: str) -> AsyncIterator[Player]:
    """The baseline of this name, ready to be asked.

    Args:
        engine: whose library it shares.
        settings: whose model it shares.
        name: `rag`, `rag-words` or `plain-loop`.
    """
    chat = OpenAIChat(settings.model, ContentCache(settings.data_dir / "cache" / "model"))
    async with AsyncExitStack() as stack:
        stack.push_async_callback(chat.close)
        finders = Finders(embedder_of(settings.embedder), reranker_of(settings.reranker))
        for each in (finders.embedder, finders.reranker):
            if each:
                stack.push_async_callback(each.close)
        baseline = await _built(chat, engine, name, finders)
        yield Player(answering(baseline.answer), baseline, QuoteCheck(engine.library, WORKSPACE))


async def _built(chat: OpenAIChat, engine: Engine, name: str, finders: Finders) -> Rag | PlainLoop:
    if name == "plain-loop":
        return await build_plain_loop(chat, engine.library, WORKSPACE)
    words = name == "rag-words"
    return await build_rag(chat, engine.library, WORKSPACE, finders, words=words)
