"""A run's file: every answer on its own line as soon as it is there, so that a run goes on.

A line counts only for the very question it was asked for; one that has changed under its id is
asked again, and so is everything when the engine, the settings or the library are others.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from agent.errors import FootnoteError
from agent.evaluation.played import Played
from agent.evaluation.questions import Line

Play = Callable[[Line], Awaitable[Played]]
Shown = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Kept:
    """What an earlier run left.

    Attributes:
        played: answers that still count, by id.
        changed: ids whose question has changed since.
        other: whether there was a run of another engine state, now put aside.
    """

    played: Mapping[str, Played]
    changed: tuple[str, ...] = ()
    other: bool = False


@dataclass(frozen=True, slots=True)
class Ledger:
    """The file of one engine's run.

    Attributes:
        fingerprint: of all that decides an answer beside the question.
    """

    path: Path
    fingerprint: str

    def kept(self, lines: Sequence[Line]) -> Kept:
        """What of an earlier run still counts for these lines; a last line cut off is nothing."""
        if not self.path.exists():
            return Kept({})
        head, *rest = self.path.read_text(encoding="utf-8").split("\n")
        if not self._is_ours(head):
            return Kept({}, other=True)
        asked = {line.id: line.digest for line in lines}
        known = {one.id: one for one in map(_read, rest) if one is not None and not one.trouble}
        return Kept(
            {name: one for name, one in known.items() if asked.get(name) == one.digest},
            tuple(
                name for name, one in known.items() if name in asked and asked[name] != one.digest
            ),
        )

    def _is_ours(self, head: str) -> bool:
        try:
            return bool(json.loads(head)["fingerprint"] == self.fingerprint)
        except (ValueError, KeyError, TypeError):
            return False

    def begin(self, played: Sequence[Played]) -> None:
        """Write the file anew with what still counts, in one step."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        aside = self.path.with_suffix(".new")
        head = json.dumps({"fingerprint": self.fingerprint})
        body = "".join(f"{one.model_dump_json()}\n" for one in played)
        aside.write_text(f"{head}\n{body}", encoding="utf-8")
        aside.replace(self.path)


async def run_lines(
    lines: Sequence[Line], ledger: Ledger, play: Play, parallel: int, show: Shown
) -> dict[str, Played]:
    """Ask every line that has no answer yet.

    Args:
        lines: the whole set.
        ledger: where answers are kept; each is written as soon as it is there.
        play: asks one line.
        parallel: lines at the same time, at least 1.
        show: is told how many are answered, and of how many.

    Returns:
        The answers by id, in the order of the set. A line that fails keeps its trouble and is
        asked again by the next run.
    """
    done = dict(ledger.kept(lines).played)
    ledger.begin(list(done.values()))
    free = asyncio.Semaphore(parallel)
    show(len(done), len(lines))
    with ledger.path.open("a", encoding="utf-8") as out:

        async def one(line: Line) -> None:
            async with free:
                played = await _played(line, play)
            out.write(f"{played.model_dump_json()}\n")
            out.flush()
            done[line.id] = played
            show(len(done), len(lines))

        async with asyncio.TaskGroup() as group:
            for line in lines:
                if line.id not in done:
                    group.create_task(one(line))
    return {line.id: done[line.id] for line in lines}


async def _played(line: Line, play: Play) -> Played:
    try:
        return await play(line)
    except FootnoteError as error:
        return Played(id=line.id, digest=line.digest, trouble=str(error))


def _read(raw: str) -> Played | None:
    try:
        return Played.model_validate_json(raw)
    except ValidationError:
        return None
