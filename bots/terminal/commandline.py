"""What all commands share: their common options, their exit codes, and how errors are told."""

import asyncio
import sys
from collections.abc import Coroutine
from enum import IntEnum
from pathlib import Path
from typing import Annotated, Any, NoReturn, TypeVar

import typer
from pydantic import ValidationError
from rich.console import Console

from agent.errors import ConfigError, FootnoteError, ServiceUnreachable
from config.explain import explain
from config.settings import Settings, load_settings

T = TypeVar("T")

ConfigOption = Annotated[
    Path | None,
    typer.Option("--config", metavar="FILE", help="Settings file; else FOOTNOTE_CONFIG."),
]
DataOption = Annotated[
    Path | None,
    typer.Option("--data", metavar="DIR", help="Folder for the library and caches."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]
FolderOption = Annotated[
    Path | None,
    typer.Option("--folder", metavar="DIR", help="Use this folder alone as the library."),
]


def as_text(words: str) -> str:
    """What was typed as text: bytes that are no UTF-8 become replacement characters."""
    return words.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


progress_console = Console(stderr=True)
"""Progress, notices and errors; results go to stdout."""


_PIPE_WIDTH = 1_000


def result_console() -> Console:
    """Where results go: as wide as the terminal, and unbroken lines for other programs."""
    if sys.stdout.isatty():
        return Console(highlight=False)
    return Console(highlight=False, soft_wrap=True, width=_PIPE_WIDTH)


class Exit(IntEnum):
    """How a command ended."""

    DONE = 0
    WITH_ERRORS = 1
    WRONG_USE = 2
    BAD_CONFIGURATION = 3
    UNREACHABLE = 4


class WrongUse(FootnoteError):  # noqa: N818 - reads better where it is raised
    """The command was called with words that do not go together."""


def read_settings(config: Path | None, data: Path | None) -> Settings:
    """The settings, with `--data` above all; a bad one ends the process with exit 3."""
    try:
        return try_settings(config, data)
    except ValueError as error:
        fail(str(error), Exit.BAD_CONFIGURATION)


def try_settings(config: Path | None, data: Path | None) -> Settings:
    """The settings, with `--data` above all.

    Raises:
        ValueError: one cannot be used; it says which, and what to set.
    """
    try:
        settings = load_settings(config)
    except ValidationError as error:
        raise ValueError(explain(error)) from error
    return settings.model_copy(update={"data_dir": data}) if data else settings


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run a command's work; an error of ours becomes its sentences and its exit code."""
    try:
        return asyncio.run(work)
    except ConfigError as error:
        fail(str(error), Exit.BAD_CONFIGURATION)
    except ServiceUnreachable as error:
        fail(str(error), Exit.UNREACHABLE)
    except WrongUse as error:
        fail(str(error), Exit.WRONG_USE)
    except FootnoteError as error:
        fail(str(error), Exit.WITH_ERRORS)
    except KeyboardInterrupt:
        fail("Stopped.", Exit.WITH_ERRORS)


def fail(text: str, code: Exit) -> NoReturn:
    """Say why on stderr and end the process."""
    sys.stderr.write(text.rstrip() + "\n")
    raise typer.Exit(int(code))
