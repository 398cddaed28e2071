"""`footnote eval growth`: the same questions over libraries of growing size."""

import hashlib
import itertools
import json
import lzma
import random
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from agent.evaluation.growing import core_of, distractors
from agent.evaluation.questions import QuestionSetError, question_of, read_lines
from agent.evaluation.report import AnyResult, Report
from agent.evaluation.results import EngineResult
from bots.terminal.commandline import WrongUse
from bots.terminal.evaluating.request import EvalRequest
from bots.terminal.evaluating.running import Asked, measure
from config.settings import Settings

_TEXTS = {".md", ".txt", ".markdown", ".rst"}
_SEED = 1


@dataclass(frozen=True, slots=True)
class Growth:
    """How libraries grow.

    Attributes:
        sizes: documents of each, smallest first.
        filler: a folder, or a `.json` or `.json.xz` file of [name, text] pairs; None: distractors
            made of the library's own paragraphs.
    """

    sizes: tuple[int, ...]
    filler: Path | None = None


def sizes_of(text: str) -> tuple[int, ...]:
    """The sizes in a list with commas.

    Raises:
        WrongUse: one is no number above 0.
    """
    try:
        sizes = sorted({int(word) for word in text.split(",") if word.strip()})
    except ValueError:
        sizes = []
    if not sizes or sizes[0] < 1:
        raise WrongUse(f"--sizes {text!r} is no list of numbers.", hint="Such as 50,200,751.")
    return tuple(sizes)


async def grow(settings: Settings, request: EvalRequest, growth: Growth) -> Report:
    """Measure every subject at every size.

    Raises:
        QuestionSetError: the set cannot be used, or none of it fits into the smallest library.
    """
    lines = read_lines(request.questions)
    if lines[0].conversation:
        raise QuestionSetError("Conversations do not grow.", hint="Name a set of questions.")
    place = settings.data_dir / "evaluation" / "growth" / _digest(request, growth)
    library = GrowingLibrary(request.folder, growth, place)
    core = core_of([question_of(line) for line in lines], growth.sizes[0])
    wanted = {question.id for question in core.questions if question.answerable}
    if not wanted:
        raise QuestionSetError(
            f"No question's documents fit into {growth.sizes[0]}.", hint="Name larger --sizes."
        )
    kept = {question.id for question in core.questions}
    asked = Asked([line for line in lines if line.id in kept], conversations=False)
    results: list[AnyResult] = []
    for size in growth.sizes:
        folder = library.at(size, core.documents)
        for subject in request.subjects():
            measured = await measure(settings, replace(request, folder=folder), subject, asked)
            if isinstance(measured, EngineResult):
                results.append(replace(measured, label=f"{size:,} documents"))
    return Report(request.questions.name, f"growing {request.folder.name}", results, growing=True)


def _digest(request: EvalRequest, growth: Growth) -> str:
    made_of = f"{request.questions.resolve()}|{request.folder.resolve()}|{growth}"
    return hashlib.sha256(made_of.encode("utf-8", "surrogateescape")).hexdigest()[:16]


class GrowingLibrary:
    """Folders of growing size with the same core; made once, found again."""

    def __init__(self, folder: Path, growth: Growth, place: Path) -> None:
        self._folder = folder
        self._growth = growth
        self._place = place

    def at(self, size: int, core: Sequence[str]) -> Path:
        """The folder with so many documents.

        Args:
            size: how many.
            core: paths of those that must be in it.

        Raises:
            WrongUse: there are not so many documents to be had.
        """
        folder = self._place / str(size)
        whole = folder.with_suffix(".whole")
        if whole.exists():
            return folder
        shutil.rmtree(folder, ignore_errors=True)
        written = 0
        for name, text in itertools.islice(self._documents(core), size):
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            if isinstance(text, Path):
                shutil.copyfile(text, target)
            else:
                target.write_text(text, encoding="utf-8")
            written += 1
        if written < size:
            raise WrongUse(
                f"Only {written} of {size} documents can be had.", hint="Name a --filler."
            )
        whole.touch()
        return folder

    def _documents(self, core: Sequence[str]) -> Iterator[tuple[str, str | Path]]:
        """Core, the library's others, the filler, distractors; a name in a folder of its own."""
        own = self._own()
        needed = {doc: own.pop(doc) for doc in core if doc in own}
        for doc in core:
            if doc not in needed:
                raise WrongUse(
                    f"{doc} is not in {self._folder}.", hint="Name the questions' own --folder."
                )
            yield doc, needed[doc]
        others = sorted(own)
        random.Random(_SEED).shuffle(others)
        yield from ((doc, own[doc]) for doc in others)
        if self._growth.filler:
            yield from ((f"filler/{name}", text) for name, text in _filler(self._growth.filler))
        texts = [_text(own[doc]) for doc in others]
        yield from distractors(texts, [_text(path) for path in needed.values()], _SEED)

    def _own(self) -> dict[str, Path]:
        files = (path for path in self._folder.rglob("*") if path.is_file())
        return {path.relative_to(self._folder).as_posix(): path for path in files}


def _filler(place: Path) -> Iterator[tuple[str, str | Path]]:
    if place.is_dir():
        for path in sorted(place.rglob("*")):
            if path.is_file():
                yield path.relative_to(place).as_posix(), path
        return
    for name, text in _pairs(place):
        yield name.lstrip("/").replace("..", "_"), text


def _pairs(place: Path) -> list[tuple[str, str]]:
    try:
        raw = place.read_bytes()
        packed = place.suffix == ".xz"
        return [
            (str(name), str(text))
            for name, text in json.loads(lzma.decompress(raw) if packed else raw)
        ]
    except (OSError, ValueError, TypeError, lzma.LZMAError) as error:
        raise WrongUse(
            f"--filler {place} cannot be read ({error}).",
            hint="Name a folder, or a .json or .json.xz file of [name, text] pairs.",
        ) from error


def _text(path: Path) -> str:
    if path.suffix.lower() not in _TEXTS:
        return ""
    return path.read_text(encoding="utf-8", errors="replace")
