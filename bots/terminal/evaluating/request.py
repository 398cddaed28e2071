"""What `footnote eval` was asked for, in words that are checked before anything is opened."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from bots.terminal.commandline import WrongUse
from config.settings import Settings

ENGINES = ("loop", "extractive", "rag", "rag-words", "plain-loop")
"""`rag-words` is `rag` with the small call for search words before it."""
ORACLES = ("oracle", "oracle-words")
"""The stand-ins: models whose competence is the gold of the questions."""
WITHOUT_MODEL = "extractive"
_PACKAGES = ("agent", "connectors", "config")
_SOURCES = (".py", ".md", ".toml")


@dataclass(frozen=True, slots=True)
class Subject:
    """What is measured: an engine, and the model behind it.

    Attributes:
        model: a stand-in, or empty: that of the settings, or none for the extractive engine.
    """

    engine: str
    model: str = ""

    @property
    def file_name(self) -> str:
        """Of its run's file."""
        return f"{self.engine}-{self.model}" if self.model else self.engine


@dataclass(frozen=True, slots=True)
class EvalRequest:
    """A run, as the command line asks for it.

    Attributes:
        library: of conversations over several; empty: as the folder's path says.
        fresh: whether answers of an earlier run are asked again.
        limit: only so many questions, evenly taken from the set; 0: all.
    """

    questions: Path
    folder: Path
    engines: tuple[str, ...] = (WITHOUT_MODEL,)
    models: tuple[str, ...] = ()
    parallel: int = 1
    library: str = ""
    fresh: bool = False
    limit: int = 0

    def subjects(self) -> list[Subject]:
        """What is measured, in the order asked; an engine without a model once."""
        found: dict[Subject, None] = {}
        for engine in self.engines:
            for model in ("",) if engine == WITHOUT_MODEL else self.models or ("",):
                found[Subject(engine, model)] = None
        return list(found)


def words_of(text: str, known: Sequence[str], option: str) -> tuple[str, ...]:
    """The words of a list with commas, each one known.

    Raises:
        WrongUse: one is not, or there is none.
    """
    words = tuple(word.strip() for word in text.split(",") if word.strip())
    if not words:
        raise WrongUse(f"{option} names nothing.", hint=f"Known: {', '.join(known)}.")
    for word in words:
        if word not in known:
            raise WrongUse(f"{option} {word!r} is not known.", hint=f"Known: {', '.join(known)}.")
    return words


def run_folder(settings: Settings, request: EvalRequest) -> Path:
    """Where the answers of such a run are kept."""
    asked = f"{request.questions.resolve()}|{request.folder.resolve()}|{request.library}"
    digest = hashlib.sha256(asked.encode("utf-8", "surrogateescape")).hexdigest()[:16]
    return settings.data_dir / "evaluation" / digest


def fingerprint(settings: Settings, subject: Subject, library_state: str) -> str:
    """Changes with whatever decides an answer beside the question: code, settings, library.

    Args:
        settings: as the engine is opened with.
        subject: what is measured.
        library_state: changes with the library.
    """
    parts = settings.model_dump_json(include={"loop", "embedder", "reranker", "glossary"})
    asked = {"name", "small_name", "temperature"} | (set() if subject.model else {"base_url"})
    model = settings.model.model_dump_json(include=asked)
    text = "|".join((repr(subject), parts, model, library_state, code_digest()))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@cache
def code_digest() -> str:
    """Of the engine's own source, so that no answer of other code is taken for its own."""
    whole = hashlib.sha256()
    for package in _PACKAGES:
        for name, content in sorted(_sources(files(package), package)):
            whole.update(name.encode() + b"\0" + content)
    return whole.hexdigest()[:16]


def _sources(folder: Traversable, name: str) -> list[tuple[str, bytes]]:
    found: list[tuple[str, bytes]] = []
    for each in folder.iterdir():
        if each.is_dir():
            found += _sources(each, f"{name}/{each.name}")
        elif each.name.endswith(_SOURCES):
            found.append((f"{name}/{each.name}", each.read_bytes()))
    return found
