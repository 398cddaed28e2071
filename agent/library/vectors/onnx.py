"""A small language model in a folder, run by onnxruntime: `model.onnx` and `tokenizer.json`.

The layout is the one in which such models are published. Nothing is fetched, and nothing of it is
loaded before it is needed.
"""

import hashlib
import json
import os
import threading
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agent.errors import ConfigError, ServiceUnreachable

if TYPE_CHECKING:
    import numpy as np

MODEL_FILES = (
    "model.onnx",
    "onnx/model.onnx",
    "model_quantized.onnx",
    "onnx/model_quantized.onnx",
    "model_int8.onnx",
    "onnx/model_int8.onnx",
)
_TOKENIZER = "tokenizer.json"
_MOST_TOKENS = 512
_USUAL_TOKENS = 256
_SAMPLE_BYTES = 1_000_000
_PACKAGES = ("numpy", "onnxruntime", "tokenizers")

Texts = Sequence[str] | Sequence[tuple[str, str]]
"""Texts, or pairs of them that the model reads together."""


class OnnxFolder:
    """A model of a folder; its outputs for texts, in batches."""

    def __init__(self, group: str, folder: Path | None) -> None:
        """Look whether all is there; nothing is loaded yet.

        Args:
            group: `embedder` or `reranker`, whose settings name the folder.
            folder: with the model's files.

        Raises:
            ConfigError: no folder, files or packages are missing.
        """
        self._group = group
        self._folder, self._file = _checked(group, folder)
        self._lock = threading.Lock()
        self._loaded: _Loaded | None = None

    @property
    def folder(self) -> Path:
        """Where it lies."""
        return self._folder

    @property
    def fingerprint(self) -> str:
        """Another one when the model's file is another one."""
        size = self._file.stat().st_size
        with self._file.open("rb") as file:
            sample = file.read(_SAMPLE_BYTES)
            file.seek(max(0, size - _SAMPLE_BYTES))
            sample += file.read()
        return hashlib.sha256(str(size).encode() + sample).hexdigest()[:16]

    def setting(self, file: str) -> Mapping[str, Any]:
        """A JSON file beside the model; empty where there is none."""
        try:
            found = json.loads((self._folder / file).read_text("utf-8"))
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}

    def run(self, texts: Texts) -> tuple["np.ndarray[Any, Any]", "np.ndarray[Any, Any]"]:
        """The model's first output for each text, and which of its tokens are text.

        Raises:
            ServiceUnreachable: the files cannot be loaded, or are no such model.
        """
        loaded = self._opened()
        try:
            return loaded.run(texts)
        except Exception as error:
            raise self._unusable(error) from error

    def close(self) -> None:
        """Give back the memory; the next call loads it again."""
        with self._lock:
            self._loaded = None

    def _opened(self) -> "_Loaded":
        with self._lock:
            if self._loaded is None:
                try:
                    self._loaded = _Loaded(self._file, self._folder / _TOKENIZER, self._tokens())
                except Exception as error:
                    raise self._unusable(error) from error
            return self._loaded

    def _tokens(self) -> int:
        said = self.setting("sentence_bert_config.json").get("max_seq_length")
        said = said or self.setting("tokenizer_config.json").get("model_max_length")
        return min(said, _MOST_TOKENS) if isinstance(said, int) and said > 0 else _USUAL_TOKENS

    def _unusable(self, error: Exception) -> ServiceUnreachable:
        words = " ".join(str(error).split())[:200]
        return ServiceUnreachable(
            f"The {self._group} in {self._folder} cannot be used: {words}.",
            hint="It must be an ONNX export with the tokenizer.json that belongs to it.",
        )


class _Loaded:
    """The session and the tokenizer."""

    def __init__(self, model: Path, tokenizer: Path, tokens: int) -> None:
        import onnxruntime
        from tokenizers import Tokenizer

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = max(1, (os.cpu_count() or 2) // 2)
        options.log_severity_level = 3
        options.enable_cpu_mem_arena = False  # it would keep a gigabyte after the largest batch
        providers = ["CPUExecutionProvider"]
        self._session = onnxruntime.InferenceSession(str(model), options, providers=providers)
        self._inputs = {each.name for each in self._session.get_inputs()}
        self._tokenizer = Tokenizer.from_file(str(tokenizer))
        self._tokenizer.enable_truncation(tokens)
        self._tokenizer.enable_padding()

    def run(self, texts: Texts) -> tuple["np.ndarray[Any, Any]", "np.ndarray[Any, Any]"]:
        import numpy as np

        encoded = self._tokenizer.encode_batch(list(texts))
        mask = np.array([each.attention_mask for each in encoded], dtype=np.int64)
        given = {
            "input_ids": np.array([each.ids for each in encoded], dtype=np.int64),
            "attention_mask": mask,
            "token_type_ids": np.array([each.type_ids for each in encoded], dtype=np.int64),
        }
        feed = {name: value for name, value in given.items() if name in self._inputs}
        return np.asarray(self._session.run(None, feed)[0]), mask


def _checked(group: str, folder: Path | None) -> tuple[Path, Path]:
    missing = [name for name in _PACKAGES if find_spec(name) is None]
    if missing:
        raise ConfigError(
            f"{group}.kind is 'folder', which needs {', '.join(missing)}.",
            hint="Install footnote[local-models].",
        )
    if folder is None:
        raise ConfigError(f"{group}.path is not set.", hint=f"Set FOOTNOTE_{group.upper()}__PATH.")
    model = next((folder / name for name in MODEL_FILES if (folder / name).is_file()), None)
    if model is None or not (folder / _TOKENIZER).is_file():
        raise ConfigError(
            f"{group}.path {folder} holds no model.",
            hint="Put model.onnx (or onnx/model.onnx) and tokenizer.json there.",
        )
    return folder, model
