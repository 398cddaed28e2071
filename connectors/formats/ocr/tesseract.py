"""The only file that knows tesseract: started by its arguments, never through a shell.

The picture goes in and the text comes out through pipes; no file is written. The program runs
below a parser process and inherits its limit of memory and its niceness; time is limited here.
"""

import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from agent.errors import FootnoteError
from config.settings import OcrSettings

_LOOK_S = 20
_KILLED_GRACE_S = 1
_SAYS_CHARS = 200


class OcrError(FootnoteError):
    """Tesseract could not be run, or not to its end."""


@dataclass(frozen=True, slots=True)
class Tesseract:
    """How the program is called.

    Attributes:
        seconds: that one page may take.
    """

    command: str
    languages: tuple[str, ...]
    dpi: int
    seconds: float

    @classmethod
    def of(cls, settings: OcrSettings) -> "Tesseract":
        """As the settings say."""
        return cls(settings.command, settings.languages, settings.dpi, settings.page_s)

    def read(self, picture: bytes, dpi: int) -> bytes:
        """The hOCR page of a picture.

        Args:
            picture: in a format that tesseract knows.
            dpi: the picture's dots per inch.

        Raises:
            OcrError: the program is missing, failed, or took too long.
        """
        words = ("stdin", "stdout", "-l", "+".join(self.languages), "--dpi", str(dpi))
        shown = ("-c", "tessedit_create_hocr=1")
        return _run(self.command, (*words, *shown), self.seconds, picture)


def problem_of(settings: OcrSettings) -> FootnoteError | None:
    """What keeps text recognition from working, with what to do; None where nothing does."""
    if shutil.which(settings.command) is None:
        return FootnoteError(
            f"Text recognition is on, but there is no program {settings.command}.",
            hint="Install tesseract-ocr, or set ocr.command to where it is.",
        )
    try:
        installed = _languages(settings.command)
    except OcrError as error:
        return error
    missing = [name for name in settings.languages if name not in installed]
    if not missing:
        return None
    return FootnoteError(
        f"Tesseract has no language pack {', '.join(missing)}.",
        hint=f"Install it (tesseract-ocr-{missing[0].replace('_', '-')}), or choose from: "
        f"{', '.join(installed)}.",
    )


@lru_cache(maxsize=8)
def _languages(command: str) -> tuple[str, ...]:
    listed = _run(command, ("--list-langs",), _LOOK_S).decode("utf-8", "replace")
    names = (line.strip() for line in listed.splitlines()[1:])
    return tuple(name for name in names if name and name != "osd")


def _run(command: str, words: Sequence[str], seconds: float, picture: bytes = b"") -> bytes:
    alone = {**os.environ, "OMP_THREAD_LIMIT": "1"}  # one core a page; pages go side by side
    try:
        process = subprocess.Popen(
            [command, *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=alone,
        )
    except OSError as error:
        raise OcrError(f"Tesseract cannot be started ({error.strerror}).") from error
    with process:
        _limit(process.pid, seconds)
        try:
            out, said = process.communicate(picture, timeout=seconds)
        except subprocess.TimeoutExpired as late:
            process.kill()
            raise OcrError(f"Tesseract took over {seconds:g} s.") from late
    if process.returncode:
        last = said.decode("utf-8", "replace").strip().splitlines()[-1:] or ["no message"]
        raise OcrError(f"Tesseract failed: {last[0][:_SAYS_CHARS]}")
    return out


def _limit(pid: int, seconds: float) -> None:
    """Seconds of work, so that it ends by itself should its parent be killed."""
    if sys.platform == "linux":
        most = int(seconds) + _KILLED_GRACE_S
        resource.prlimit(pid, resource.RLIMIT_CPU, (most, most))
