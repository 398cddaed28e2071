"""What helps the search beyond words: the embedder and the reranker of the settings."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING

from agent.errors import ConfigError
from agent.store import Store
from config.settings import EmbedderSettings, RerankerSettings, Settings

if TYPE_CHECKING:
    from agent.library.reranking.opinion import Opinion
    from agent.library.vectors.catching_up import CatchUp
    from agent.library.vectors.meaning import Meaning
    from agent.ports import Embedder, Reranker

_CACHE_BYTES = 2_000_000_000


@dataclass(frozen=True, slots=True)
class Finders:
    """Helpers of the search; None for each that is not configured.

    Attributes:
        vectors: brings the vectors in step with the library.
        closing: gives back their connections and memory.
    """

    meaning: "Meaning | None" = None
    opinion: "Opinion | None" = None
    vectors: "CatchUp | None" = None
    closing: tuple[Callable[[], Awaitable[None]], ...] = ()

    async def close(self) -> None:
        """Close all of them."""
        for close in self.closing:
            await close()


def finders_of(settings: Settings, store: Store) -> Finders:
    """What the settings ask for; nothing is called or loaded yet.

    Raises:
        ConfigError: a setting, a file or a package is missing.
    """
    embedder = embedder_of(settings.embedder)
    reranker = reranker_of(settings.reranker)
    meaning, vectors = _searching(settings, store, embedder) if embedder else (None, None)
    closing = tuple(each.close for each in (embedder, reranker) if each)
    return Finders(meaning, _opinion(settings, reranker), vectors, closing)


def embedder_of(settings: EmbedderSettings) -> "Embedder | None":
    """The embedder of the settings; raises ConfigError where something is missing."""
    if settings.kind == "none":
        return None
    if settings.kind == "folder":
        from agent.library.vectors.folder import FolderEmbedder

        return FolderEmbedder(settings)
    if find_spec("numpy") is None:
        raise ConfigError(
            "embedder.kind is 'openai', which needs numpy to compare vectors.",
            hint="Install footnote[vectors].",
        )
    from agent.library.vectors.endpoint import EmbeddingsServer

    return EmbeddingsServer(settings)


def reranker_of(settings: RerankerSettings) -> "Reranker | None":
    """The reranker of the settings; raises ConfigError where something is missing."""
    if settings.kind == "none":
        return None
    if settings.kind == "folder":
        from agent.library.reranking.folder import FolderReranker

        return FolderReranker(settings)
    from agent.library.reranking.endpoint import RerankServer

    return RerankServer(settings)


def _searching(
    settings: Settings, store: Store, embedder: "Embedder"
) -> tuple["Meaning", "CatchUp"]:
    from agent.caching import ContentCache
    from agent.library.vectors.catching_up import CatchUp
    from agent.library.vectors.meaning import Meaning

    folder = settings.data_dir / "cache" / "vectors"
    cache = ContentCache(folder, limit_bytes=_CACHE_BYTES)
    return Meaning(embedder), CatchUp(store, embedder, cache)


def _opinion(settings: Settings, reranker: "Reranker | None") -> "Opinion | None":
    if reranker is None:
        return None
    from agent.library.reranking.opinion import Opinion

    open_sources = frozenset(each.name for each in settings.sources if each.egress == "any")
    return Opinion(reranker, open_sources)
