"""Questions from a file, answers into a file: one line each, resumable, several at a time.

A line holds `question`, or `turns` asked one after the other in one thread. `given` (for a turn
also `expect.needs`) holds facts that stand in for the real ones, so that a run can be repeated.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import Any
from uuid import uuid4
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from agent.answers import answer_object
from agent.domain import Answer, Facts, Question, Scope, SourceState
from agent.errors import FootnoteError

Ask = Callable[[Question], Awaitable[Answer]]


class BatchError(FootnoteError):
    """The file of questions cannot be used."""


class GivenRecord(BaseModel):
    """Facts of one document."""

    model_config = ConfigDict(extra="ignore")

    owner: str | None = None
    author: str | None = None
    modified: str | None = None


class GivenPrivacy(BaseModel):
    """What the bot says about what it keeps."""

    model_config = ConfigDict(extra="ignore")

    kept_days: int = 30
    visible_to: str = ""


class GivenSource(BaseModel):
    """A source as it is to be told."""

    model_config = ConfigDict(extra="ignore")

    name: str
    documents: int = 0
    contact: str = ""


class Given(BaseModel):
    """Facts to use in place of the real ones."""

    model_config = ConfigDict(extra="ignore")

    today: date | None = None
    timezone: str = ""
    records: dict[str, GivenRecord] = Field(default_factory=dict)
    sources: list[GivenSource] = Field(default_factory=list)
    bot_name: str = ""
    privacy: GivenPrivacy | None = None

    @field_validator("timezone")
    @classmethod
    def _is_a_zone(cls, name: str) -> str:
        try:
            return ZoneInfo(name).key if name else name
        except (ZoneInfoNotFoundError, ValueError) as error:
            raise ValueError(
                f"{name!r} is no time zone; use a name such as Europe/Berlin"
            ) from error

    def over(self, other: "Given") -> "Given":
        """These facts, and the other's where these are silent."""
        return other.model_copy(
            update={name: getattr(self, name) for name in self.model_fields_set}
        )

    def facts(self) -> Facts:
        """As the engine takes them."""
        privacy = self.privacy or GivenPrivacy()
        return Facts(
            owners={doc: row.owner or row.author or "" for doc, row in self.records.items()},
            modified={doc: row.modified or "" for doc, row in self.records.items()},
            sources=tuple(SourceState(s.name, s.documents, s.contact) for s in self.sources),
            bot_name=self.bot_name or Facts().bot_name,
            kept_days=privacy.kept_days,
            visible_to=privacy.visible_to,
        )


class Expectation(BaseModel):
    """Of a turn's expectations only the facts it needs concern us."""

    model_config = ConfigDict(extra="ignore")

    needs: Given = Given()


class Turn(BaseModel):
    """One thing said in a conversation."""

    model_config = ConfigDict(extra="ignore", coerce_numbers_to_str=True)

    say: str
    given: Given | None = None
    expect: Expectation = Expectation()

    @model_validator(mode="before")
    @classmethod
    def _plain_text(cls, value: object) -> object:
        return {"say": value} if isinstance(value, str) else value


class BatchLine(BaseModel):
    """One line of the file."""

    model_config = ConfigDict(extra="ignore", coerce_numbers_to_str=True)

    id: str = ""
    question: str | None = None
    turns: list[Turn] | None = None
    given: Given = Given()

    @model_validator(mode="after")
    def _asks_something(self) -> "BatchLine":
        if self.question is None and self.turns is None:
            raise ValueError("it has neither `question` nor `turns`")
        return self


@dataclass(frozen=True, slots=True)
class Batch:
    """How a file of questions is asked.

    Attributes:
        parallel: lines answered at the same time, at least 1.
        today: the date that counts where a line gives none; None: the real one.
    """

    ask: Ask
    scope: Scope
    parallel: int = 1
    today: date | None = None
    on_answer: Callable[[int, int], None] = field(default=lambda done, total: None)

    async def run(self, source: Path, target: Path) -> int:
        """Answer every line of `source` that `target` does not hold yet.

        Lines are appended as they are answered, so a run that was stopped goes on.

        Returns:
            How many lines were answered now.

        Raises:
            BatchError: a file cannot be read or written, or a line is no question.
        """
        lines = read_lines(source)
        done = answered_ids(target)
        waiting = [line for line in lines if line.id not in done]
        free = asyncio.Semaphore(self.parallel)
        target.parent.mkdir(parents=True, exist_ok=True)
        with target.open("a", encoding="utf-8") as out:

            async def one(line: BatchLine) -> None:
                async with free:
                    result = await self.answer(line)
                out.write(json.dumps(result, ensure_ascii=False) + "\n")
                out.flush()
                done.add(line.id)
                self.on_answer(len(done), len(lines))

            async with asyncio.TaskGroup() as group:
                for line in waiting:
                    group.create_task(one(line))
        return len(waiting)

    async def answer(self, line: BatchLine) -> dict[str, Any]:
        """One line's answer object, or `{id, turns}` with one for every turn."""
        if line.turns is None:
            answer = await self.ask(self._question(line.question or "", "", line.given))
            return answer_object(answer, line.id)
        answers = []
        thread_key = f"batch:{line.id}:{uuid4().hex}"  # no turn of an earlier run belongs to it
        for number, turn in enumerate(line.turns, start=1):
            given = (turn.given or turn.expect.needs).over(line.given)
            answer = await self.ask(self._question(turn.say, thread_key, given))
            answers.append(answer_object(answer, f"{line.id}.{number}"))
        return {"id": line.id, "turns": answers}

    def _question(self, text: str, thread_key: str, given: Given) -> Question:
        question = Question(
            text,
            self.scope,
            thread_key=thread_key,
            timezone=given.timezone or "UTC",
            facts=given.facts(),
        )
        today = given.today or self.today
        return replace(question, today=today) if today else question


def read_lines(source: Path) -> list[BatchLine]:
    """The questions of a file, in its order; a line without an id gets its number.

    Raises:
        BatchError: the file cannot be read, a line is no question, or two lines share an id.
    """
    try:
        text = source.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise BatchError(
            f"{source} cannot be read ({error}).", hint="Name a UTF-8 file of JSON lines."
        ) from error
    lines = list(_parse_lines(text, source))
    ids = [line.id for line in lines]
    if twice := sorted({name for name in ids if ids.count(name) > 1}):
        raise BatchError(
            f"{source}: two lines have the id {twice[0]!r}.", hint="Give each its own."
        )
    return lines


def _parse_lines(text: str, source: Path) -> Iterator[BatchLine]:
    for number, raw in enumerate(text.split("\n"), start=1):
        if not raw.strip():
            continue
        try:
            line = BatchLine.model_validate_json(raw)
        except ValidationError as error:
            problem = error.errors()[0]
            place = ".".join(str(part) for part in problem["loc"]) or "the line"
            raise BatchError(
                f"{source}, line {number}: {place}: {problem['msg']}.",
                hint='Each line is an object such as {"id": "1", "question": "…"}.',
            ) from error
        yield line if line.id else line.model_copy(update={"id": str(number)})


def answered_ids(target: Path) -> set[str]:
    """Ids that an earlier run has answered; a last line cut off by a kill is taken away."""
    if not target.exists():
        return set()
    whole, ids = [], set()
    for raw in target.read_text(encoding="utf-8").split("\n"):
        try:
            ids.add(str(json.loads(raw)["id"]))
        except (ValueError, KeyError, TypeError):
            continue
        whole.append(raw + "\n")
    target.write_text("".join(whole), encoding="utf-8")
    return ids
