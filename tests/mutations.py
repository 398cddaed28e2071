"""Real files, broken as files get broken: cut off, with bits flipped, under a wrong name."""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

EXTENSIONS = (
    ".pdf", ".docx", ".md", ".html", ".txt", ".pptx", ".xlsx", ".csv", ".epub", ".eml", ".msg",
    ".doc", ".png", "",
)  # fmt: skip
_BLOCK_BYTES = 512


@dataclass(frozen=True, slots=True)
class Mutant:
    """A broken file.

    Attributes:
        name: under which it is parsed.
        how: what was done, for the message of a failing test.
    """

    name: str
    data: bytes
    how: str


def mutants(originals: Sequence[tuple[str, bytes]], count: int) -> Iterator[Mutant]:
    """So many broken files, the same ones every time; each original in turn, each kind in turn."""
    for number in range(count):
        name, data = originals[number % len(originals)]
        chance = random.Random(number)
        kind = _KINDS[number // len(originals) % len(_KINDS)]
        changed = kind(bytearray(data), chance)
        swapped = kind is _untouched or chance.random() < 0.2
        claimed = _renamed(name, chance) if swapped else name
        yield Mutant(claimed, bytes(changed), f"{number}: {name} {kind.__name__} as {claimed}")


def files_of(folder: Path) -> list[tuple[str, bytes]]:
    """(name, content) of the files of a folder, by name."""
    paths = sorted(path for path in folder.iterdir() if path.is_file())
    return [(path.name, path.read_bytes()) for path in paths]


def _renamed(name: str, chance: random.Random) -> str:
    return PurePosixPath(name).stem + chance.choice(EXTENSIONS)


def _truncated(data: bytearray, chance: random.Random) -> bytearray:
    return data[: chance.randrange(len(data) + 1)]


def _bit_flipped(data: bytearray, chance: random.Random) -> bytearray:
    for _ in range(chance.choice((1, 3, 30, 300))):
        if data:
            data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    return data


def _untouched(data: bytearray, _chance: random.Random) -> bytearray:
    return data


def _blanked(data: bytearray, chance: random.Random) -> bytearray:
    start = chance.randrange(len(data) + 1)
    data[start : start + _BLOCK_BYTES] = bytes(len(data[start : start + _BLOCK_BYTES]))
    return data


def _doubled(data: bytearray, chance: random.Random) -> bytearray:
    start = chance.randrange(len(data) + 1)
    data[start:start] = data[start : start + chance.choice((16, _BLOCK_BYTES, 65_536))]
    return data


def _beheaded(data: bytearray, chance: random.Random) -> bytearray:
    return data[chance.randrange(min(len(data), 4_096) + 1) :]


_KINDS: tuple[Callable[[bytearray, random.Random], bytearray], ...] = (
    _bit_flipped, _truncated, _bit_flipped, _untouched, _truncated, _blanked, _doubled, _beheaded,
)  # fmt: skip
