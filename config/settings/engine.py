"""How questions are answered: the store, the model, the bounds of a question, the search."""

from pathlib import Path
from typing import Literal

from pydantic import Field, SecretStr

from config.settings.words import Fraction, Group


class StoreSettings(Group):
    """The one database."""

    url: str = ""
    """`sqlite:///path/file.db` or `postgresql://…`; empty: `footnote.db` in the data folder."""


class ModelSettings(Group):
    """Who decides what to read and answer; `extractive` needs no key and no network."""

    kind: Literal["extractive", "openai"] = "extractive"
    """`extractive` answers by rule; `openai` asks an OpenAI-compatible server."""
    base_url: str = ""
    """Address of the server, ending in `/v1`; empty means the vendor's own."""
    name: str = ""
    """Model for full calls."""
    small_name: str = ""
    """Model for small calls (search words, plan, notes); empty means `name`."""
    api_key: SecretStr | None = None
    """Key of the server; local servers take any word."""
    temperature: float = Field(0.0, ge=0.0, le=1.0)
    """Sampling temperature, 0 to 1."""
    timeout_s: float = Field(30.0, gt=0, le=600)
    """Seconds one call may take."""
    daily_tokens: int = Field(2_000_000, ge=0)
    """Tokens a workspace may use a day, 0 for no limit; past it answers are extractive."""
    notes_per_hour: int = Field(30, ge=0, le=100_000)
    """Documents the model describes in one line for the map, an hour at most; 0 for none."""


class LoopSettings(Group):
    """Bounds of one question."""

    max_rounds: int = Field(6, ge=1, le=10)
    """Rounds (one decision each) before the last one is forced."""
    top_k_documents: int = Field(5, ge=1, le=20)
    """Documents on the shortlist."""
    confidence_threshold: Fraction = 0.8
    """Support at or above this, 0 to 1, ends the loop as answered."""
    window_chars: int = Field(2_000, ge=200, le=20_000)
    """Length of one reading window, in characters."""
    overlap: float = Field(0.2, ge=0.0, le=0.9)
    """Share of a window repeated at the start of the next one."""
    round_one_chars: int = Field(5_000, ge=500, le=50_000)
    """Text shown in the first round, in characters."""
    round_one_windows: int = Field(6, ge=1, le=20)
    """Windows shown in the first round."""
    call_tokens: int = Field(4_000, ge=500, le=200_000)
    """Tokens one call may send."""
    sections_per_document: int = Field(3, ge=1, le=50)
    """Sections read in one document before it is set aside."""
    tool_failures: int = Field(2, ge=1, le=10)
    """Failed tools in a row that end the loop."""
    leaf_tokens: int = Field(12_000, ge=1_000)
    """Tokens one leaf may use."""
    parts_tokens: int = Field(16_000, ge=1_000)
    """Tokens that parts asked together may use."""
    question_tokens: int = Field(40_000, ge=1_000)
    """Tokens one question may use."""
    work_s: float = Field(45.0, gt=0, le=600)
    """Seconds of work, then the best verified finding is sent."""
    plan_depth: int = Field(3, ge=1, le=5)
    """Levels of a plan tree."""
    plan_leaves: int = Field(6, ge=1, le=20)
    """Leaves of a plan tree."""
    plan_parallel: int = Field(4, ge=1, le=16)
    """Leaves answered side by side."""
    coverage_gate: Fraction = 0.5
    """Share of the question's weight found by search below which other words are tried."""


class EmbedderSettings(Group):
    """Vectors for search, none by default."""

    kind: Literal["none", "openai", "folder"] = "none"
    """`openai` asks `/embeddings` of a server; `folder` loads an ONNX model from `path`."""
    base_url: str = ""
    """Address of the server, ending in `/v1`; empty means the vendor's own."""
    name: str = ""
    """Model name."""
    api_key: SecretStr | None = None
    """Key of the server; local servers take any word."""
    timeout_s: float = Field(10.0, gt=0, le=600)
    """Seconds one call may take."""
    path: Path | None = None
    """Folder that holds `model.onnx` and `tokenizer.json`."""
    query_prefix: str = ""
    """What the model wants before a question, `query: `; a folder's own files may say it too."""
    text_prefix: str = ""
    """What the model wants before a text, `passage: `."""


class RerankerSettings(Group):
    """A second opinion on the order of passages, none by default."""

    kind: Literal["none", "openai", "folder"] = "none"
    """`openai` asks `/rerank` of a server; `folder` loads an ONNX cross-encoder from `path`."""
    base_url: str = ""
    """Address of the server, without `/rerank`."""
    name: str = ""
    """Model name."""
    api_key: SecretStr | None = None
    """Key of the server; local servers take any word."""
    timeout_s: float = Field(10.0, gt=0, le=600)
    """Seconds one call may take."""
    path: Path | None = None
    """Folder that holds `model.onnx` and `tokenizer.json`."""


class TraceSettings(Group):
    """How questions were worked on, for the tools of an operator."""

    folder: Path | None = None
    """Folder for traces as JSON lines, one line a round, one file a day; none: only in the store.
    Its files go with the question texts, after `privacy.texts_days`."""
