"""A drive that lies in memory and misbehaves on command, a parser without processes, and a bench
that puts a library of its own around them.
"""

import asyncio
import shutil
import tempfile
from collections.abc import AsyncGenerator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from pathlib import Path
from typing import Any

from agent.domain import (
    BlockKind,
    Document,
    ParsedDocument,
    ParsedSection,
    ParseOutcome,
    Scope,
    TextBlock,
)
from agent.errors import SourceError
from agent.library.library import StoreLibrary
from agent.store import Store, open_store
from config.settings import LoopSettings, Settings
from connectors.jobs import Jobs
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
from connectors.reports import Busy, SyncReport

NAME = "drive"
DAY = datetime(2025, 3, 1, tzinfo=UTC)


@dataclass(slots=True)
class MemoryFile:
    content: bytes
    file_id: str
    native_id: str
    revision: int = 1
    modified: datetime | None = DAY


@dataclass(slots=True)
class MemorySource:
    """A drive in memory.

    Attributes:
        ids: `lasting` (as Drive has), `file` (as an inode: a freed one is given out again), or
            `none` (as plain WebDAV: nothing but the path).
        unlisted: paths that the listing leaves out although they are there.
        breaks_off: the listing ends early, as incomplete, with this problem.
        speechless: asked for a single document, it does not know.
        forbidden: paths that may not be read.
        unreadable: paths that cannot be read now.
        hanging: paths whose reading never goes on; `the listing` stops after its first page.
        vanishing: paths that are deleted between listing and reading.
        restless: how often a path changes while it is read, by path.
        opened: what was read, in order.
    """

    ids: str = "file"
    place: str = "disk-1"
    files: dict[str, MemoryFile] = field(default_factory=dict)
    unlisted: set[str] = field(default_factory=set)
    breaks_off: str = ""
    speechless: bool = False
    forbidden: set[str] = field(default_factory=set)
    unreadable: set[str] = field(default_factory=set)
    hanging: set[str] = field(default_factory=set)
    vanishing: set[str] = field(default_factory=set)
    restless: dict[str, int] = field(default_factory=dict)
    listed_size: dict[str, int] = field(default_factory=dict)
    opened: list[str] = field(default_factory=list)
    _revisions: int = 0
    _born: int = 0
    _free: list[str] = field(default_factory=list)

    # ------------------------------------------------------------ what people do to it

    def put(self, path: str, content: str | bytes, *, modified: datetime | None = DAY) -> None:
        """Write a file in place, or a new one."""
        data = content.encode() if isinstance(content, str) else content
        self._revisions += 1
        if path in self.files:
            file = self.files[path]
            file.content, file.revision, file.modified = data, self._revisions, modified
            return
        self._born += 1
        file_id = self._free.pop() if self._free else f"f{self._born}"
        self.files[path] = MemoryFile(data, file_id, f"n{self._born}", self._revisions, modified)

    def save_as_office_does(self, path: str, content: str) -> None:
        """Write a new file beside it and rename that over the old one."""
        native_id = self.files[path].native_id
        self.put(path + ".new", content)
        self.files[path] = self.files.pop(path + ".new")
        self.files[path].native_id = native_id

    def delete(self, path: str) -> None:
        """Take a file away; its id is free for the next one."""
        self._free.append(self.files.pop(path).file_id)

    def rename(self, old: str, new: str) -> None:
        """Move a file, over another one if need be."""
        self.files[new] = self.files.pop(old)

    # ------------------------------------------------------------ the port

    async def listing(self) -> AsyncGenerator[Page | Complete | Incomplete, None]:
        listed = [self._item(path) for path in sorted(self.files) if path not in self.unlisted]
        if self.breaks_off:
            yield Page(tuple(listed[: len(listed) // 2]))
            yield Incomplete(self.breaks_off, "Mend it.")
            return
        for start in range(0, len(listed), 3):
            await asyncio.sleep(0)
            yield Page(tuple(listed[start : start + 3]))
            if "the listing" in self.hanging:
                await asyncio.Event().wait()
        yield Complete(self.place)

    async def open(self, item: Item) -> AsyncGenerator[bytes, None]:
        path = item.address
        self.opened.append(path)
        if path in self.vanishing:
            self.files.pop(path, None)
        if path not in self.files:
            raise ItemGone(f"{path} is no longer there.")
        if path in self.forbidden:
            raise ItemForbidden(f"{path} may not be read.")
        if path in self.unreadable:
            raise SourceError(f"{path} cannot be read.")
        if path in self.hanging:
            await asyncio.Event().wait()
        self._same(item)
        for start in range(0, len(self.files[path].content), 1 << 20):
            yield self.files[path].content[start : start + (1 << 20)]
        if self.restless.get(path, 0):
            self.restless[path] -= 1
            self.put(path, self.files[path].content + b" and on.")
        self._same(item)

    async def still_there(self, address: str, file_id: str = "") -> Presence:
        if self.speechless:
            return Presence.UNKNOWN
        if address in self.forbidden:
            return Presence.FORBIDDEN
        return Presence.THERE if address in self.files else Presence.GONE

    def _same(self, item: Item) -> None:
        fresh = self._item(item.address)
        if fresh.version != item.version:
            raise ItemChanged(fresh)

    def _item(self, path: str) -> Item:
        file = self.files[path]
        return Item(
            address=path,
            doc=path,
            size_bytes=self.listed_size.get(path, len(file.content)),
            version=str(file.revision),
            modified=file.modified,
            native_id=file.native_id if self.ids == "lasting" else "",
            file_id=file.file_id if self.ids == "file" else "",
        )


@dataclass(slots=True)
class PlainParser:
    """Reads text in this process; files that begin with a word of `PARSE_REASONS` fail with it.

    Attributes:
        parsed: names of the files it was given, in order.
    """

    parsed: list[str] = field(default_factory=list)

    async def parse(self, path: Path, name: str) -> ParsedDocument:
        self.parsed.append(name)
        text = path.read_bytes().decode("utf-8", "replace")
        first = text.split(":")[0]
        if first in ("damaged", "password", "timeout"):
            title = text.partition(":")[2].strip() if first == "password" else ""
            return ParsedDocument(title, "pdf", ParseOutcome.NOT_READABLE, reason=text, pages=12)
        block = TextBlock(BlockKind.PARAGRAPH, text)
        return ParsedDocument("", "text", ParseOutcome.OK, (ParsedSection("Text", 1, (block,)),))

    async def close(self) -> None: ...


@lru_cache(maxsize=1)
def _empty_database() -> bytes:
    folder = Path(tempfile.mkdtemp())
    open_store(f"sqlite:///{folder / 'empty.db'}").close()
    content = (folder / "empty.db").read_bytes()
    shutil.rmtree(folder)
    return content


def fresh_store(folder: Path) -> Store:
    """An empty database in a folder, made once a test run and copied."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "footnote.db").write_bytes(_empty_database())
    return open_store(f"sqlite:///{folder / 'footnote.db'}")


@dataclass(slots=True)
class Bench:
    """A library kept in step with drives in memory.

    Attributes:
        drives: by name of the source.
        changed: settings of a source other than the usual, by name.
        sync: values of `[sync]` other than the defaults.
    """

    folder: Path
    store: Store
    drives: dict[str, MemorySource]
    parser: PlainParser = field(default_factory=PlainParser)
    changed: dict[str, dict[str, Any]] = field(default_factory=dict)
    sync: dict[str, Any] = field(default_factory=dict)
    groups: dict[str, Any] = field(default_factory=dict)

    @property
    def drive(self) -> MemorySource:
        return self.drives[NAME]

    @property
    def jobs(self) -> Jobs:
        """Made anew each time, as by a process that starts."""
        return Jobs(
            self.store,
            self.settings,
            make_source=lambda source: self.drives[source.name],
            parser=self.parser,
        )

    @property
    def settings(self) -> Settings:
        usual = {"path": "unused", "audience": ("workspace",), "contact": "#help"}
        return Settings.model_validate(
            {
                "data_dir": self.folder,
                "sync": {"interval_s": 10} | self.sync,
                "groups": self.groups,
                "sources": [
                    usual | {"name": name} | self.changed.get(name, {}) for name in self.drives
                ],
            }
        )

    async def run(self, name: str = NAME) -> SyncReport:
        """One run of one source."""
        jobs = self.jobs
        try:
            (report,) = await jobs.run([name])
        finally:
            await jobs.close()
        assert not isinstance(report, Busy)
        return report

    async def documents(self, *audiences: str) -> dict[str, Document]:
        """What may be answered from, by path; without words, of everybody in the workspace."""
        scope = Scope.of(*(audiences or ("workspace",)))
        entries = await StoreLibrary(self.store, LoopSettings()).read_document_map(scope)
        return {entry.document.doc: entry.document for entry in entries}

    async def text(self, doc: str) -> str:
        """The whole text of one document."""
        library = StoreLibrary(self.store, LoopSettings())
        scope = Scope.of("workspace")
        document = await library.find_document(scope, doc)
        (entry,) = await library.read_map(scope, [document.doc_id])
        parts = [
            (await library.read_section(scope, document.doc_id, one.path)).text
            for one in entry.outline
        ]
        return "\n".join(parts)

    async def an_interval_later(self) -> None:
        """Let the time go by that makes a run another one."""
        import sqlalchemy as sa

        from connectors.ledger import sync_ledger

        def write(connection: sa.Connection) -> None:
            rows = connection.execute(
                sa.select(sync_ledger.c.doc_id, sync_ledger.c.missing_since).where(
                    sync_ledger.c.missing_since.is_not(None)
                )
            ).all()
            for doc_id, since in rows:
                earlier = since - timedelta(seconds=60)
                connection.execute(
                    sa.update(sync_ledger)
                    .where(sync_ledger.c.doc_id == doc_id)
                    .values(missing_since=earlier)
                )

        await self.store.write(write)


@contextmanager
def bench(folder: Path, *names: str) -> Iterator[Bench]:
    """A bench with one drive, or with those named."""
    store = fresh_store(folder)
    try:
        yield Bench(folder, store, {name: MemorySource() for name in names or (NAME,)})
    finally:
        store.close()
