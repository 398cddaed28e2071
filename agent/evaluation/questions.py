"""Question sets as files: what is asked, and what a right answer rests on.

One JSON object a line. A set holds questions, or scripted conversations (`turns`), never both.
"""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from agent.errors import FootnoteError

M = TypeVar("M", bound=BaseModel)

UNANSWERABLE = "unanswerable"


class QuestionSetError(FootnoteError):
    """A question set cannot be used."""


class Evidence(BaseModel):
    """Words in a document that answer a question.

    Attributes:
        doc: path of the document inside the library.
        section: headings from the top down.
        quote: the words as they stand in the file.
    """

    model_config = ConfigDict(extra="ignore", frozen=True)

    doc: str
    section: tuple[str, ...] = ()
    quote: str = ""


class EvalQuestion(BaseModel):
    """One question with its gold.

    Attributes:
        gold_mode: `any` one of the documents is enough, `all` are needed, `none`: unanswerable.
        alt_docs: documents that are as good.
        style: `paraphrase` for colloquial wording.
    """

    model_config = ConfigDict(extra="ignore", frozen=True, coerce_numbers_to_str=True)

    id: str
    question: str
    type: str = "direct"
    gold_answers: tuple[str, ...] = ()
    gold_docs: tuple[str, ...] = ()
    gold_mode: Literal["any", "all", "none"] = "any"
    alt_docs: tuple[str, ...] = ()
    gold_evidence: tuple[Evidence, ...] = ()
    language: str = "en"
    style: str = ""

    @property
    def answerable(self) -> bool:
        """Whether the library holds its answer."""
        return self.type != UNANSWERABLE

    @property
    def has_gold(self) -> bool:
        """Whether an answer can be told right from wrong."""
        return not self.answerable or bool(self.gold_docs)

    @property
    def kind(self) -> str:
        """Its type; a colloquial wording is a kind of its own, marked with a star."""
        return f"{self.type}*" if self.style == "paraphrase" else self.type

    @property
    def right_docs(self) -> frozenset[str]:
        """Documents that a citation may go to."""
        return frozenset((*self.gold_docs, *self.alt_docs))

    @property
    def passages_needed(self) -> int:
        """How many passages a whole answer needs."""
        return max(1, len(self.gold_evidence)) if self.gold_mode == "all" else 1


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a set as it stands, for those who ask it.

    Attributes:
        digest: changes with whatever of it decides an answer or its score.
    """

    id: str
    raw: dict[str, Any]

    @property
    def digest(self) -> str:
        """Short hash of its content."""
        text = json.dumps(self.raw, ensure_ascii=False, sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    @property
    def conversation(self) -> bool:
        """Whether it is a scripted conversation."""
        return "turns" in self.raw


def read_lines(path: Path) -> list[Line]:
    """The lines of a question set, in its order.

    Raises:
        QuestionSetError: the file cannot be read, a line is no question, two share an id, or
            questions and conversations are mixed.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise QuestionSetError(
            f"{path} cannot be read ({error}).", hint="Name a UTF-8 file of JSON lines."
        ) from error
    lines = list(_lines(text, path))
    _refuse_oddities(lines, path)
    return lines


def _lines(text: str, path: Path) -> Iterator[Line]:
    for number, raw in enumerate(text.split("\n"), start=1):
        if not raw.strip():
            continue
        try:
            value = json.loads(raw)
        except ValueError as error:
            raise QuestionSetError(f"{path}, line {number}: it is no JSON ({error}).") from error
        if not isinstance(value, dict) or not ({"question", "turns"} & value.keys()):
            raise QuestionSetError(
                f"{path}, line {number}: it has neither `question` nor `turns`.",
                hint="docs/evaluation.md shows the form.",
            )
        name = str(value.get("id") or number)
        yield Line(name, {**value, "id": name})


def _refuse_oddities(lines: list[Line], path: Path) -> None:
    if not lines:
        raise QuestionSetError(f"{path} holds no question.")
    ids = [line.id for line in lines]
    if len(set(ids)) < len(ids):
        twice = next(name for name in ids if ids.count(name) > 1)
        raise QuestionSetError(
            f"{path}: two lines have the id {twice!r}.", hint="Give each its own."
        )
    if len({line.conversation for line in lines}) > 1:
        raise QuestionSetError(
            f"{path} mixes questions and conversations.", hint="Keep them in files of their own."
        )


def question_of(line: Line) -> EvalQuestion:
    """The line as a question with its gold.

    Raises:
        QuestionSetError: a field cannot be used.
    """
    return read_as(EvalQuestion, line, "Question")


def read_as(model: type[M], line: Line, word: str) -> M:
    """The line as what it is meant to hold.

    Args:
        model: its fields.
        line: of a set.
        word: what it is called where a field cannot be used.

    Raises:
        QuestionSetError: a field cannot be used.
    """
    try:
        return model.model_validate(line.raw)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise QuestionSetError(f"{word} {line.id}: {place}: {first['msg']}.") from error
