"""What the sync asks of a drive, and the words it is told in.

Two families fit the one contract. A **scan** source (folder, SMB, WebDAV, S3) lists everything in
pages and ends with `Complete` or `Incomplete`; absence means something only to whoever holds a
`Complete`, so that a listing cut short cannot express a removal. A **delta** source (Drive, Graph)
will page changes with a cursor and name its removals; its items carry the drive's lasting
`native_id`, and it is read and asked through the same `open` and `still_there`.
"""

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from agent.errors import SourceError


@dataclass(frozen=True, slots=True)
class Item:
    """One file as a listing shows it.

    Attributes:
        address: how the source finds it again; opaque, storable text, different for every file.
        doc: path inside the source for people: `/`-separated, NFC, valid Unicode.
        size_bytes: as listed; the stream is bounded all the same.
        version: differs whenever the file may have changed; compared for difference, never order.
        native_id: the drive's lasting id; empty where it has none.
        file_id: an id that survives a rename but may be given to another file later (an inode);
            empty where there is none. Only equal content makes it a move.
        shared: another item with the same file id is the very same file (a hard link).
        settled: False where a later change might leave the version as it is (written just now).
    """

    address: str
    doc: str
    size_bytes: int
    version: str
    modified: datetime | None = None
    url: str = ""
    native_id: str = ""
    file_id: str = ""
    shared: bool = False
    settled: bool = True


@dataclass(frozen=True, slots=True)
class Skipped:
    """Something a source left out on purpose, and why."""

    doc: str
    why: str


@dataclass(frozen=True, slots=True)
class Page:
    """Some items of a listing, in the source's own order; may be empty."""

    items: tuple[Item, ...] = ()
    skipped: tuple[Skipped, ...] = ()


@dataclass(frozen=True, slots=True)
class Complete:
    """The source itself says that all of it was listed: what is absent may be asked for.

    Attributes:
        place: what the root stands on (a device, a share); another one under the same name is
            not trusted with removals.
    """

    place: str = ""


@dataclass(frozen=True, slots=True)
class Incomplete:
    """Something could not be listed; nothing may be concluded from what is absent.

    Attributes:
        problem: a sentence that says what could not be listed.
        hint: a sentence that says what to do.
    """

    problem: str
    hint: str = ""


class Presence(StrEnum):
    """What a source says of one document that a listing lacked."""

    GONE = "gone"
    FORBIDDEN = "forbidden"
    THERE = "there"
    UNKNOWN = "unknown"


class ItemGone(SourceError):  # noqa: N818 - a fact, met between listing and reading
    """It was listed, but is no longer there."""


class ItemForbidden(SourceError):  # noqa: N818 - same
    """The source does not let us read it."""


class ItemChanged(SourceError):  # noqa: N818 - same
    """It is not the version that was asked for; `fresh` is what stands there now."""

    def __init__(self, fresh: Item) -> None:
        self.fresh = fresh
        super().__init__(f"{fresh.doc} changed while it was read.")


class Source(Protocol):
    """One configured drive."""

    def listing(self) -> AsyncGenerator[Page | Complete | Incomplete, None]:
        """Everything the source holds, in pages; the last value, once, says whether it is all.

        Never raises for a drive that cannot be reached: that is `Incomplete`.
        """
        ...

    def open(self, item: Item) -> AsyncGenerator[bytes, None]:
        """The bytes of exactly the item's version, in chunks of at most 1 MiB.

        Raises:
            ItemChanged: another version stands there, before or after the reading.
            ItemGone, ItemForbidden: see there.
            SourceError: it cannot be read now.
        """
        ...

    async def still_there(self, address: str, file_id: str = "") -> Presence:
        """What the source says of one document, by the address of its item; never raises."""
        ...
