"""Reranking by a server: `POST /rerank`, the form that most such servers share."""

from collections.abc import Sequence
from typing import Any

from agent.library.vectors.server import ModelServer
from config.settings import RerankerSettings

_LOWEST = -1e9


class RerankServer:
    """A `Reranker` on a server."""

    outside = True

    def __init__(self, settings: RerankerSettings) -> None:
        """Nothing is opened before the first call.

        Raises:
            ConfigError: the address is none, or no model is named.
        """
        self._server = ModelServer("reranker", settings)

    @property
    def name(self) -> str:
        """The model."""
        return self._server.model

    async def rank(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        """One score a text; what the server leaves out comes last. Raises ServiceUnreachable."""
        if not texts:
            return []
        body = {
            "model": self._server.model,
            "query": question,
            "documents": list(texts),
            "top_n": len(texts),
            "return_documents": False,
        }
        return self._scores(await self._server.post("/rerank", body), len(texts))

    async def close(self) -> None:
        """Close the connections."""
        await self._server.close()

    def _scores(self, answered: Any, wanted: int) -> list[float]:
        scores = [_LOWEST] * wanted
        try:
            results = answered["results"] if isinstance(answered, dict) else answered
            for one in results:
                score = one["relevance_score"] if "relevance_score" in one else one["score"]
                scores[int(one["index"])] = float(score)
        except (KeyError, IndexError, TypeError, ValueError) as error:
            raise self._server.unusable() from error
        if not results:
            raise self._server.unusable()
        return scores
