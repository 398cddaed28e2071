"""Brings one file from a drive to a parsed document: fetched, hashed, looked up, parsed.

The bytes go to a file of our own while they are hashed, so that what is parsed is what was
hashed, whatever happens at the drive meanwhile, and no file is ever held in memory whole.
"""

import asyncio
import hashlib
import shutil
import uuid
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import BinaryIO, Protocol

from agent.caching import ParsedCache
from agent.domain import ParsedDocument
from agent.errors import FootnoteError
from connectors.ports import Item, ItemChanged, Source

_READS = 3
"""How often a file is read that changes meanwhile."""
_PERHAPS_OURS = ("timeout", "damaged")
"""Reasons that may be a busy machine's or a dead process's: not kept beyond the document."""
_CHUNK_S = 120.0
"""Seconds a drive may take for the next piece of a file."""


class DocumentParser(Protocol):
    """What turns a file into a document; never raises for what the file holds."""

    async def parse(self, path: Path, name: str) -> ParsedDocument: ...

    async def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class ParserVersions:
    """What a parse rests on; another version is a reason to read a file again.

    Attributes:
        plain: of the parser.
        recognition: of the parser with the settings of text recognition, for the documents in
            which that has a say: changing those settings reads these again and no others.
    """

    plain: str
    recognition: str = ""

    @property
    def all(self) -> tuple[str, ...]:
        """Both."""
        return (self.plain, self.recognition or self.plain)

    def of(self, document: ParsedDocument) -> str:
        """The one that a document rests on."""
        from connectors.formats.ocr.recogniser import rests_on_recognition

        return self.all[rests_on_recognition(document)]


class TooLarge(FootnoteError):  # noqa: N818 - a fact about the file
    """The stream went on past the limit; what was fetched of it is thrown away."""


class NotInTime(FootnoteError):  # noqa: N818 - same
    """The file changed whenever it was read, or the drive did not go on with it."""


@dataclass(frozen=True, slots=True)
class Fetched:
    """A copy of a file.

    Attributes:
        item: the version that the copy is of; newer than the listed one if it changed since.
    """

    item: Item
    path: Path
    content_hash: str


@dataclass(frozen=True, slots=True)
class Parsed:
    """What a file says, and whether a parser had to read it for that."""

    document: ParsedDocument
    by_parser: bool


class Intake:
    """Fetches and parses the files of one source."""

    def __init__(
        self,
        parser: DocumentParser,
        versions: ParserVersions,
        cache: ParsedCache,
        spool: Path,
        limit_bytes: int,
    ) -> None:
        self.versions = versions
        self.limit_bytes = limit_bytes
        self._parser = parser
        self._cache = cache
        self._spool = spool

    @property
    def current(self) -> frozenset[str]:
        """Parser versions whose verdict still stands."""
        return frozenset({*self.versions.all, self.limit_version})

    @property
    def limit_version(self) -> str:
        """Stands in for a parser's version where the size alone decided."""
        return f"limit {self.limit_bytes}"

    async def prepare(self) -> None:
        """Make room for copies; what an earlier run left there goes."""
        await asyncio.to_thread(_emptied, self._spool)

    async def clear(self) -> None:
        """Take the room away."""
        await asyncio.to_thread(shutil.rmtree, self._spool, True)

    @asynccontextmanager
    async def fetched(self, source: Source, item: Item) -> AsyncIterator[Fetched]:
        """A copy of a file, for as long as the block lasts.

        Raises:
            TooLarge, NotInTime: see there.
            ItemGone, ItemForbidden, SourceError: from the source.
            FootnoteError: the copy cannot be written.
        """
        path = self._spool / uuid.uuid4().hex
        try:
            yield await self._fetch(source, item, path)
        finally:
            await asyncio.to_thread(path.unlink, missing_ok=True)

    async def parsed(self, fetched: Fetched) -> Parsed:
        """What the copy says, from the cache where its content was parsed before."""
        digest, kind = fetched.content_hash, _kind_of_name(fetched.item.doc)
        for version in self.versions.all:
            known = await asyncio.to_thread(self._cache.get, digest, version, kind)
            if known is not None:
                return Parsed(known, by_parser=False)
        document = await self._parser.parse(fetched.path, fetched.item.doc)
        if not document.reason.startswith(_PERHAPS_OURS):
            version = self.versions.of(document)
            await asyncio.to_thread(self._cache.put, digest, version, kind, document)
        return Parsed(document, by_parser=True)

    async def _fetch(self, source: Source, item: Item, path: Path) -> Fetched:
        for _ in range(_READS):
            try:
                digest = await self._copy(source, item, path)
            except ItemChanged as changed:
                item = changed.fresh
            else:
                return Fetched(item, path, digest)
        raise NotInTime(f"{item.doc} changed each time it was read.")

    async def _copy(self, source: Source, item: Item, path: Path) -> str:
        copy = await asyncio.to_thread(_Copy, path, self.limit_bytes)
        try:
            async with aclosing(source.open(item)) as chunks:
                while chunk := await _next(chunks, item):
                    await asyncio.to_thread(copy.add, chunk)
            await asyncio.to_thread(copy.end)
        finally:
            with suppress(OSError):  # whatever went wrong has been said
                copy.file.close()
        return copy.digest.hexdigest()


async def _next(chunks: AsyncGenerator[bytes, None], item: Item) -> bytes:
    """The next chunk; empty at the end."""
    try:
        async with asyncio.timeout(_CHUNK_S):
            return await anext(chunks, b"")
    except TimeoutError:
        raise NotInTime(f"The drive did not go on with {item.doc} for {_CHUNK_S:.0f} s.") from None


class _Copy:
    """A file being written and hashed; used from threads, one call at a time."""

    def __init__(self, path: Path, limit_bytes: int) -> None:
        self.file = _made(path)
        self.digest = hashlib.sha256()
        self._left = limit_bytes

    def add(self, chunk: bytes) -> None:
        self._left -= len(chunk)
        if self._left < 0:
            raise TooLarge("It is larger than sync.file_bytes allows.")
        self.digest.update(chunk)
        try:
            self.file.write(chunk)
        except OSError as error:
            raise _full(error) from error

    def end(self) -> None:
        try:
            self.file.close()
        except OSError as error:
            raise _full(error) from error


def _made(path: Path) -> BinaryIO:
    try:
        return path.open("wb")
    except OSError as error:
        raise _full(error) from error


def _full(error: OSError) -> FootnoteError:
    return FootnoteError(
        f"The data folder cannot be written ({error.strerror}).",
        hint="Make room there, or choose another with --data.",
    )


def _emptied(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _full(error) from error


def _kind_of_name(doc: str) -> str:
    """What of a name has a say in the parse."""
    from connectors.formats import titles

    suffix = PurePosixPath(doc).suffix.casefold()
    return f"{suffix}?" if titles.name_says_nothing(doc) else suffix
