"""Vectors of an OpenAI-compatible server: `POST /embeddings`."""

from collections.abc import Sequence
from typing import Any

from agent.library.vectors.server import ModelServer
from agent.ports import Vector
from config.settings import EmbedderSettings

_TEXTS_A_CALL = 64


class EmbeddingsServer:
    """An `Embedder` on a server."""

    outside = True

    def __init__(self, settings: EmbedderSettings) -> None:
        """Nothing is opened before the first call.

        Raises:
            ConfigError: the address is none, or no model is named.
        """
        self._server = ModelServer("embedder", settings)
        self._prefixes = (settings.text_prefix, settings.query_prefix)

    @property
    def name(self) -> str:
        """Server, model and prefix of texts."""
        return f"{self._server.base} {self._server.model} {self._prefixes[0]}".strip()

    async def embed(self, texts: Sequence[str], *, asked: bool = False) -> Sequence[Vector]:
        """One vector a text; raises ServiceUnreachable."""
        prefix = self._prefixes[asked]
        found: list[Vector] = []
        for start in range(0, len(texts), _TEXTS_A_CALL):
            some = [prefix + text for text in texts[start : start + _TEXTS_A_CALL]]
            body = {"model": self._server.model, "input": some, "encoding_format": "float"}
            found += self._vectors(await self._server.post("/embeddings", body), len(some))
        return found

    async def close(self) -> None:
        """Close the connections."""
        await self._server.close()

    def _vectors(self, answered: Any, wanted: int) -> list[Vector]:
        try:
            placed = {int(one["index"]): one["embedding"] for one in answered["data"]}
            vectors = [[float(each) for each in placed[place]] for place in range(wanted)]
        except (KeyError, TypeError, ValueError) as error:
            raise self._server.unusable() from error
        if not all(vectors):
            raise self._server.unusable()
        return list(vectors)
