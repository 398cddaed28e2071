"""A folder, local or mounted, as a source.

The walk never follows a symbolic link: what a link inside the folder leads to is listed at its
own place, and what lies outside is not ours. Folders are opened one by one by their handles, read
whole, and closed, so that a walk holds nothing open between two pages.
"""

import asyncio
import errno
import os
import stat
import time
from collections.abc import AsyncGenerator, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
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
    Skipped,
)
from connectors.sources import names, rooted
from connectors.sources.selection import Selection, is_leftover

PAGE_ITEMS = 500
CHUNK_BYTES = 1 << 20
DEPTH = 64
"""Folders within folders; deeper ones are left out."""
SETTLED_S = 2.0
"""Seconds; the coarsest clock of a file system we may meet (FAT)."""
_UNKNOWN_AFTER = 2**32 - 1
"""Seconds since the epoch; a date from here on (2106) is a default, not a date."""

_GONE = (errno.ENOENT, errno.ENOTDIR, errno.ELOOP)
_FORBIDDEN = (errno.EACCES, errno.EPERM)


class FolderSource:
    """Lists and reads one folder."""

    def __init__(self, settings: SourceSettings) -> None:
        self._root = settings.path
        self._link = settings.link
        self._selection = Selection(settings.include, settings.exclude)

    async def listing(self) -> AsyncGenerator[Page | Complete | Incomplete, None]:
        """The folder, depth first and by name, in pages of at most 500 files."""
        walk = _Walk(self._root, self._selection, self._link)
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
            return self._absence(raw, file_id) if error.errno in _GONE else Presence.UNKNOWN
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
        fresh = _item(self.raw, self.item.doc, os.fstat(self.file.fileno()), self.link)
        if fresh.version != self.item.version:
            raise ItemChanged(fresh)


class _Walk:
    """The state of one listing; `next_page` is called from threads, one call at a time."""

    def __init__(self, root: Path, selection: Selection, link: str) -> None:
        self._root = root
        self._selection = selection
        self._link = link
        self._folders: list[tuple[str, str]] = [("", "")]
        self._pages: Iterator[Page] = iter(())
        self._hard_links: dict[tuple[int, int], str] = {}
        self._place = ""
        self._troubles: list[tuple[str, OSError]] = []

    def next_page(self) -> Page | None:
        """The next page; None at the end."""
        while True:
            if page := next(self._pages, None):
                return page
            if not self._folders:
                return None
            self._pages = self._scan(*self._folders.pop())

    def end(self) -> Complete | Incomplete:
        """Whether everything was listed."""
        if not self._troubles:
            return Complete(self._place)
        doc, error = self._troubles[0]
        where = f"{self._root}/{doc}" if doc else str(self._root)
        more = f", nor {len(self._troubles) - 1} more" if len(self._troubles) > 1 else ""
        return Incomplete(
            f"The folder {where} cannot be listed ({_said(error)}){more}.",
            "Check that it is there, mounted and readable for Footnote, or exclude it.",
        )

    def _scan(self, raw: str, doc: str) -> Iterator[Page]:
        """One folder: its files as pages, its folders put on the stack."""
        try:
            with rooted.folder(self._root, raw) as handle:
                self._place = self._place or str(os.fstat(handle).st_dev)
                with os.scandir(handle) as entries:
                    found = sorted(entries, key=lambda entry: entry.name)
                listed = _Listed(raw, doc, found)
                items, skipped = self._take(listed)
        except OSError as error:
            if not raw or error.errno not in _GONE:
                self._troubles.append((doc, error))
            return iter(())
        return _pages(items, skipped)

    def _take(self, listed: "_Listed") -> tuple[list[Item], list[Skipped]]:
        items: list[Item] = []
        skipped: list[Skipped] = []
        deeper: list[tuple[str, str]] = []
        for entry, raw, doc in listed:
            if is_leftover(entry.name):
                continue
            if entry.is_dir(follow_symlinks=False):
                deeper += self._deeper(raw, doc, skipped)
            elif not self._selection.takes(doc):
                continue
            elif why := self._no_document(entry, doc):
                skipped.append(Skipped(doc, why))
            elif found := _status(entry):
                items.append(_item(raw, doc, found, self._link))
        self._folders += reversed(deeper)
        return items, skipped

    def _deeper(self, raw: str, doc: str, skipped: list[Skipped]) -> list[tuple[str, str]]:
        if not self._selection.enters(doc):
            return []
        if raw.count("/") >= DEPTH:
            skipped.append(Skipped(doc, f"lies more than {DEPTH} folders deep"))
            return []
        return [(raw, doc)]

    def _no_document(self, entry: "os.DirEntry[str]", doc: str) -> str:
        """Why this entry is not listed; empty when it is."""
        if entry.is_symlink():
            return "is a symbolic link, which is never followed"
        if not entry.is_file(follow_symlinks=False):
            return "is a pipe, socket or device"
        found = _status(entry)
        if found is None or found.st_nlink < 2:
            return ""
        first = self._hard_links.setdefault((found.st_dev, found.st_ino), doc)
        return "" if first == doc else f"is the same file as {first}"


class _Listed:
    """The entries of one folder with raw and shown paths; look-alikes are told apart."""

    def __init__(self, raw: str, doc: str, entries: "list[os.DirEntry[str]]") -> None:
        self._raw = raw
        self._doc = doc
        self._entries = entries

    def __iter__(self) -> "Iterator[tuple[os.DirEntry[str], str, str]]":
        taken: set[str] = set()
        for entry in self._entries:
            raw = f"{self._raw}/{entry.name}" if self._raw else entry.name
            name = names.shown(entry.name)
            if name in taken:
                name = names.told_apart(name, raw)
            taken.add(name)
            yield entry, raw, f"{self._doc}/{name}" if self._doc else name


def _pages(items: list[Item], skipped: list[Skipped]) -> Iterator[Page]:
    if skipped:
        yield Page(skipped=tuple(skipped))
    for start in range(0, len(items), PAGE_ITEMS):
        yield Page(items=tuple(items[start : start + PAGE_ITEMS]))


def _status(entry: "os.DirEntry[str]") -> os.stat_result | None:
    """None for a file that went away since its folder was read."""
    try:
        return entry.stat(follow_symlinks=False)
    except FileNotFoundError:
        return None


def _item(raw: str, doc: str, found: os.stat_result, link: str) -> Item:
    parts = (found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino)
    return Item(
        address=names.to_address(raw),
        doc=doc,
        size_bytes=found.st_size,
        version=":".join(map(str, parts)),
        modified=_moment(found.st_mtime),
        url=names.link_to(link, raw),
        file_id=f"{found.st_dev}:{found.st_ino}" if found.st_ino else "",
        settled=_is_settled(found),
    )


def _is_settled(found: os.stat_result) -> bool:
    now = time.time()
    return all(abs(now - moment) > SETTLED_S for moment in (found.st_mtime, found.st_ctime))


def _moment(seconds: float) -> datetime | None:
    if not 0 < seconds < _UNKNOWN_AFTER:
        return None
    return datetime.fromtimestamp(seconds, UTC)


def _device_of_nearest(root: Path, raw: str) -> int:
    """Device of the deepest folder on the way to a path that still stands."""
    while raw:
        raw = raw.rpartition("/")[0]
        try:
            with rooted.folder(root, raw) as handle:
                return os.fstat(handle).st_dev
        except OSError as error:
            if error.errno not in _GONE or not raw:
                raise
    raise FileNotFoundError(errno.ENOENT, "nothing is left", str(root))


def _refused(item: Item, error: OSError) -> SourceError:
    if isinstance(error, rooted.NotAFile) or error.errno in _GONE:
        return ItemGone(f"{item.doc} is no longer there.")
    if error.errno in _FORBIDDEN:
        return ItemForbidden(f"{item.doc} may not be read.", hint="Give Footnote the right to.")
    return SourceError(f"{item.doc} cannot be read ({_said(error)}).")


def _said(error: OSError) -> str:
    return error.strerror or type(error).__name__
