"""Opens what lies below one folder, and nothing else.

Every step of a path is opened by itself, relative to the handle of the folder above it and never
through a symbolic link, so that a link swapped in between looking and opening leads nowhere.
Paths are relative, `/`-separated, and hold undecodable bytes as surrogate escapes.
"""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

GONE = (errno.ENOENT, errno.ENOTDIR, errno.ELOOP)
"""Errors that mean that nothing of ours stands at a path (any more)."""
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NOCTTY | os.O_NONBLOCK


class NotAFile(OSError):  # noqa: N818 - a fact about what stands there
    """Something stands there that is no regular file."""


@contextmanager
def folder(root: Path, raw: str) -> Iterator[int]:
    """A handle of a folder below `root`; `""` is the root itself, which may be a link.

    Raises:
        OSError: a step is missing, is a link, is no folder, or may not be entered.
    """
    handle = os.open(root, _FOLDER)
    try:
        for step in _steps(raw):
            deeper = os.open(step, _FOLDER | os.O_NOFOLLOW, dir_fd=handle)
            os.close(handle)
            handle = deeper
        yield handle
    finally:
        os.close(handle)


def open_file(root: Path, raw: str) -> BinaryIO:
    """A regular file below `root`, for reading.

    Raises:
        NotAFile: a link, pipe, socket, device or folder stands there.
        OSError: as `folder`.
    """
    *above, name = _steps(raw)
    with folder(root, "/".join(above)) as handle:
        descriptor = os.open(name, _FILE, dir_fd=handle)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise NotAFile(f"{name!r} is no regular file")
    return os.fdopen(descriptor, "rb")


def status(root: Path, raw: str) -> os.stat_result:
    """What stands at a path below `root`, a link itself rather than its target."""
    *above, name = _steps(raw)
    with folder(root, "/".join(above)) as handle:
        return os.stat(name, dir_fd=handle, follow_symlinks=False)


def _steps(raw: str) -> list[str]:
    """The names on the way; one that climbs (`..`) is no name of ours."""
    steps = raw.split("/") if raw else []
    if any(step in ("", ".", "..") for step in steps):
        raise FileNotFoundError(errno.ENOENT, "no path below the folder", raw)
    return steps


def said(error: OSError) -> str:
    """The system's own words for what went wrong."""
    return error.strerror or type(error).__name__
