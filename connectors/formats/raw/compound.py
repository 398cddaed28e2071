"""OLE compound files: the container of old Office files, Outlook messages and encrypted packages.

The only file that knows olefile.
"""

import io
import struct
from collections.abc import Iterator
from contextlib import contextmanager

import olefile

from agent.errors import ParseError

MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_BROKEN = (OSError, ValueError, IndexError, KeyError, TypeError, AttributeError, struct.error)
"""What olefile raises of files that are no such container, or a damaged one."""


class Compound:
    """An open container; what is missing or broken in it reads as empty."""

    def __init__(self, file: olefile.OleFileIO) -> None:
        self._file = file
        self._paths: list[list[str]] = file.listdir(streams=True, storages=True)

    def names(self, folder: str = "") -> list[str]:
        """What stands in a folder, streams and folders alike; at the top without one."""
        depth = folder.count("/") + 1 if folder else 0
        inside = folder.split("/") if folder else []
        found = (
            path[depth] for path in self._paths if len(path) > depth and path[:depth] == inside
        )
        return list(dict.fromkeys(found))

    def stream(self, path: str) -> bytes:
        """The bytes of a stream."""
        try:
            if self._file.get_type(path) != olefile.STGTY_STREAM:
                return b""
            return bytes(self._file.openstream(path).read())
        except _BROKEN:
            return b""


@contextmanager
def opened(data: bytes) -> Iterator[Compound]:
    """A container for as long as the block lasts; raises ParseError (`damaged`)."""
    try:
        file = olefile.OleFileIO(io.BytesIO(data))
    except _BROKEN as error:
        raise ParseError("damaged", f"the container cannot be opened ({error})") from error
    with file:
        yield _listed(file)


def _listed(file: olefile.OleFileIO) -> Compound:
    try:
        return Compound(file)
    except _BROKEN as error:
        raise ParseError("damaged", f"the container cannot be read ({error})") from error


def top_names(data: bytes) -> frozenset[str]:
    """Names at the top of a container; none where it is damaged."""
    try:
        with opened(data) as container:
            return frozenset(container.names())
    except (ParseError, RecursionError):
        return frozenset()
