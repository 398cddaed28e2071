"""Vectors of a model in a folder, on this machine."""

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from agent.library.vectors.onnx import OnnxFolder
from agent.ports import Vector
from config.settings import EmbedderSettings

if TYPE_CHECKING:
    import numpy as np

_TEXTS_A_BATCH = 16
_SMALLEST = 1e-9


class FolderEmbedder:
    """An `Embedder` that never leaves the machine."""

    outside = False

    def __init__(self, settings: EmbedderSettings) -> None:
        """Look whether all is there; the model is loaded at the first call.

        Raises:
            ConfigError: no folder, files or packages are missing.
        """
        self._model = OnnxFolder("embedder", settings.path)
        prompts = self._model.setting("config_sentence_transformers.json").get("prompts") or {}
        self._asked_prefix = settings.query_prefix or prompts.get("query", "")
        said = prompts.get("passage") or prompts.get("document") or ""
        self._text_prefix = settings.text_prefix or said
        pooling = self._model.setting("1_Pooling/config.json")
        self._first_token = bool(pooling.get("pooling_mode_cls_token"))
        self._name = f"folder {self._model.fingerprint} {self._text_prefix}".strip()

    @property
    def name(self) -> str:
        """The model's own fingerprint, wherever it lies."""
        return self._name

    async def embed(self, texts: Sequence[str], *, asked: bool = False) -> Sequence[Vector]:
        """One vector a text, in a thread; raises ServiceUnreachable."""
        prefix = self._asked_prefix if asked else self._text_prefix
        return await asyncio.to_thread(self._embedded, [prefix + text for text in texts])

    async def close(self) -> None:
        """Give back the memory."""
        self._model.close()

    def _embedded(self, texts: Sequence[str]) -> Sequence[Vector]:
        # Of about the same length together: a batch is as slow as its longest text.
        order = sorted(range(len(texts)), key=lambda place: len(texts[place]))
        found: dict[int, Vector] = {}
        for start in range(0, len(order), _TEXTS_A_BATCH):
            places = order[start : start + _TEXTS_A_BATCH]
            output, mask = self._model.run([texts[place] for place in places])
            vectors = self._pooled(output, mask)
            found |= dict(zip(places, vectors.tolist(), strict=True))
        return [found[place] for place in range(len(texts))]

    def _pooled(
        self, output: "np.ndarray[Any, Any]", mask: "np.ndarray[Any, Any]"
    ) -> "np.ndarray[Any, Any]":
        """One vector a text of its tokens' vectors, of length one."""
        import numpy as np

        if output.ndim == 2:  # the model pools by itself
            pooled = output
        elif self._first_token:
            pooled = output[:, 0]
        else:
            weights = mask[:, :, None].astype(output.dtype)
            pooled = (output * weights).sum(axis=1) / np.maximum(weights.sum(axis=1), 1)
        length = np.maximum(np.linalg.norm(pooled, axis=1, keepdims=True), _SMALLEST)
        unit: np.ndarray[Any, Any] = pooled / length
        return unit
