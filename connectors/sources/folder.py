"""A folder, local or mounted, as a source: listed by `walk`, opened by `rooted`.

What it says of a single missing file is careful: an empty root, an unreachable one or another
device in its place means that it does not know.
"""

import asyncio
import errno
import os
import stat
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from agent.errors import SourceError
from config.settings import SourceSettings
from connectors.ports import (
    Complete,
    Incomplete,
    Item,
    ItemChanged,
    ItemForbidden,
    ItemGone,
    Page,
    Presence,
)
from connectors.sources import names, rooted
from connectors.sources.items import item_of
from connectors.sources.selection import Selection, is_leftover
from connectors.sources.walk import Walk

CHUNK_BYTES = 1 << 20
_FORBIDDEN = (errno.EACCES, errno.EPERM)


class FolderSource:
    """Lists and reads one folder."""

    def __init__(self, settings: SourceSettings) -> None:
        self._root = settings.path
        self._link = settings.link
        self._selection = Selection(settings.include, settings.exclude)

    async def listing(self) -> AsyncGenerator[Page | Complete | Incomplete, None]:
        """The folder, depth first and by name, in pages of at most 500 files."""
        walk = Walk(self._root, self._selection, self._link)
        while page := await asyncio.to_thread(walk.next_page):
            yield page
        yield walk.end()

    async def open(self, item: Item) -> AsyncGenerator[bytes, None]:
        """The bytes of exactly this version; see `Source.open`."""
        reading = await asyncio.to_thread(self._begin, item)
        try:
            while chunk := await asyncio.to_thread(reading.next_chunk):
                yield chunk
        finally:
            reading.file.close()

    async def still_there(self, address: str, file_id: str = "") -> Presence:
        """What the folder says of one file; unknown wherever it may be a mount that is away."""
        return await asyncio.to_thread(self._presence, names.from_address(address), file_id)

    def _begin(self, item: Item) -> "_Reading":
        raw = names.from_address(item.address)
        try:
            file = rooted.open_file(self._root, raw)
        except OSError as error:
            raise _refused(item, error) from error
        reading = _Reading(file, item, raw, self._link)
        try:
            reading.check()
        except BaseException:
            file.close()
            raise
        return reading

    def _presence(self, raw: str, file_id: str) -> Presence:
        if self._is_away():
            return Presence.UNKNOWN
        try:
            found = rooted.status(self._root, raw)
        except OSError as error:
            if error.errno in _FORBIDDEN:
                return Presence.FORBIDDEN
            return self._absence(raw, file_id) if error.errno in rooted.GONE else Presence.UNKNOWN
        wanted = stat.S_ISREG(found.st_mode) and self._takes(raw)
        return Presence.THERE if wanted else Presence.GONE

    def _is_away(self) -> bool:
        """Whether the root cannot be entered or is empty, as a mount point is without its mount."""
        try:
            with rooted.folder(self._root, "") as handle, os.scandir(handle) as entries:
                return next(entries, None) is None
        except OSError:
            return True

    def _absence(self, raw: str, file_id: str) -> Presence:
        """Gone, if the nearest folder that is left is still the one the file was in."""
        try:
            device = _device_of_nearest(self._root, raw)
        except OSError:
            return Presence.UNKNOWN
        known = file_id.partition(":")[0]
        return Presence.GONE if known in ("", str(device)) else Presence.UNKNOWN

    def _takes(self, raw: str) -> bool:
        doc = names.shown(raw)
        return self._selection.takes(doc) and not any(map(is_leftover, raw.split("/")))


@dataclass(slots=True)
class _Reading:
    """A file being read; its version is checked before the first and after the last byte."""

    file: BinaryIO
    item: Item
    raw: str
    link: str
    ended: bool = False

    def next_chunk(self) -> bytes:
        if self.ended:
            return b""
        try:
            chunk = self.file.read(CHUNK_BYTES) or b""
        except OSError as error:
            raise _refused(self.item, error) from error
        if len(chunk) < CHUNK_BYTES:
            self.ended = True
            self.check()
        return chunk

    def check(self) -> None:
        fresh = item_of(self.raw, self.item.doc, os.fstat(self.file.fileno()), self.link)
        if fresh.version != self.item.version:
            raise ItemChanged(fresh)


def _device_of_nearest(root: Path, raw: str) -> int:
    """Device of the deepest folder on the way to a path that still stands."""
    while raw:
        raw = raw.rpartition("/")[0]
        try:
            with rooted.folder(root, raw) as handle:
                return os.fstat(handle).st_dev
        except OSError as error:
            if error.errno not in rooted.GONE or not raw:
                raise
    raise FileNotFoundError(errno.ENOENT, "nothing is left", str(root))


def _refused(item: Item, error: OSError) -> SourceError:
    if isinstance(error, rooted.NotAFile) or error.errno in rooted.GONE:
        return ItemGone(f"{item.doc} is no longer there.")
    if error.errno in _FORBIDDEN:
        return ItemForbidden(f"{item.doc} may not be read.", hint="Give Footnote the right to.")
    return SourceError(f"{item.doc} cannot be read ({rooted.said(error)}).")
