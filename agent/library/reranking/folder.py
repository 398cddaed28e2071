"""Reranking by a cross-encoder in a folder, on this machine."""

import asyncio
from collections.abc import Sequence

from agent.library.vectors.onnx import OnnxFolder
from config.settings import RerankerSettings

_PAIRS_A_BATCH = 8


class FolderReranker:
    """A `Reranker` that never leaves the machine."""

    outside = False

    def __init__(self, settings: RerankerSettings) -> None:
        """Look whether all is there; the model is loaded at the first call.

        Raises:
            ConfigError: no folder, files or packages are missing.
        """
        self._model = OnnxFolder("reranker", settings.path)

    @property
    def name(self) -> str:
        """The folder's name."""
        return self._model.folder.name

    async def rank(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        """One score a text, in a thread; raises ServiceUnreachable."""
        return await asyncio.to_thread(self._ranked, question, texts)

    async def close(self) -> None:
        """Give back the memory."""
        self._model.close()

    def _ranked(self, question: str, texts: Sequence[str]) -> list[float]:
        scores: list[float] = []
        for start in range(0, len(texts), _PAIRS_A_BATCH):
            pairs = [(question, text) for text in texts[start : start + _PAIRS_A_BATCH]]
            output, _ = self._model.run(pairs)
            # One label: its logit. Two, no and yes: how much more yes than no.
            flat = output.reshape(len(pairs), -1)
            scores += (flat[:, -1] - (flat[:, 0] if flat.shape[1] > 1 else 0.0)).tolist()
        return scores
