"""Parses files in child processes, so that a hostile one costs seconds and never a sync.

The pool kills what hangs, replaces what dies and is built again should it break as a whole.
Processes are forked from a server that holds nothing but the parser's modules: safe beside
threads, and a fresh worker costs milliseconds, so workers are replaced often.
"""

import asyncio
import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

from pebble import ProcessExpired, ProcessFuture, ProcessPool

from agent.domain import ParsedDocument
from config.settings import OcrSettings, SyncSettings
from connectors.formats import worker
from connectors.formats.ocr.recogniser import Recogniser, marked, rests_on_recognition
from connectors.formats.outcome import not_readable
from connectors.formats.pdf.page import Page
from connectors.formats.processes import BareContext

logger = logging.getLogger(__name__)

PARSER_VERSION = 6
"""Changes with every change of what a file is read into; part of caches of parses."""

_FILES_PER_WORKER = 500
_ATTEMPTS = 2


class Parser:
    """Reads files into sections; safe to use from many tasks at once."""

    def __init__(
        self, limits: SyncSettings, ocr: OcrSettings | None = None, cache: Path | None = None
    ) -> None:
        """Nothing is started yet.

        Args:
            limits: of time, memory and size.
            ocr: how scanned pages are recognised; None: they are not.
            cache: folder in which recognised pages are kept; None: they are not.
        """
        self._limits = limits
        self._pool: ProcessPool | None = None
        self._starting = threading.Lock()
        self._running: set[ProcessFuture[Any]] = set()
        self._recogniser = Recogniser(ocr, self, cache) if ocr and ocr.enabled else None

    async def parse(self, path: Path, name: str) -> ParsedDocument:
        """Read one file.

        Args:
            path: a local copy of the file.
            name: the document's path inside its source.

        Returns:
            The document; one that cannot be read has the outcome `not_readable` and a reason.
            Never raises for what a file holds.

        Raises:
            asyncio.CancelledError: the parser was closed meanwhile.
        """
        document = await self._parsed(path, name)
        if self._recogniser is None or not rests_on_recognition(document):
            return document
        attempt = await self._recogniser.attempt(path, self._limits.processes)
        if attempt.pages:
            document = await self._parsed(path, name, attempt.pages)
        return marked(document, attempt)

    async def close(self) -> None:
        """Stop the processes; running parses are cancelled, a later one starts new processes."""
        for future in list(self._running):
            future.cancel()  # type: ignore[no-untyped-call]
        pool, self._pool = self._pool, None
        if pool is not None:
            await asyncio.to_thread(_stop, pool)
        if self._recogniser is not None:
            await asyncio.to_thread(self._recogniser.close)

    async def run(self, call: Callable[..., Any], args: Sequence[Any], seconds: float) -> Any:
        """Call a function in one of the processes.

        Args:
            call: a function of a module.
            args: what it is called with.
            seconds: that it may take; then its process is killed.

        Raises:
            TimeoutError: it took longer.
            pebble.ProcessExpired: its process died.
            BrokenProcessPool: all processes did; the next call starts others.
        """
        pool = await asyncio.to_thread(self._started_pool)
        try:
            future = pool.schedule(call, args, timeout=seconds)
        except RuntimeError as error:  # what pebble says of a pool that broke a moment ago
            raise BrokenProcessPool(str(error)) from error
        self._running.add(future)
        try:
            return await asyncio.wrap_future(future)
        finally:
            self._running.discard(future)

    async def _parsed(
        self, path: Path, name: str, recognised: Mapping[int, Page] | None = None
    ) -> ParsedDocument:
        for _ in range(_ATTEMPTS):
            try:
                return await self._read(path, name, recognised)
            except BrokenProcessPool:
                logger.warning("parser pool broke and is built again")
            except TimeoutError:
                seconds = self._limits.parse_s
                return not_readable("timeout", f"reading took over {seconds:g} s", name=name)
            except ProcessExpired as died:
                extra = {"doc": name, "exit_code": died.exitcode}
                logger.warning("parser process died", extra=extra)
                return not_readable("damaged", "the process that read it died of it", name=name)
        return not_readable("damaged", "the processes that read it died of it", name=name)

    async def _read(
        self, path: Path, name: str, recognised: Mapping[int, Page] | None
    ) -> ParsedDocument:
        args = (str(path), name, self._limits.file_bytes, recognised)
        parsed: worker.Parsed = await self.run(worker.parse_file, args, self._limits.parse_s)
        if parsed.trouble:
            logger.warning("parser failed", extra={"doc": name, "trouble": parsed.trouble})
        return parsed.document

    def _started_pool(self) -> ProcessPool:
        with self._starting:
            if self._pool is not None and not self._pool.active:
                _stop(self._pool)
                self._pool = None
            if self._pool is None:
                self._pool = _pool(self._limits)
            return self._pool


def _stop(pool: ProcessPool) -> None:
    pool.stop()  # type: ignore[no-untyped-call]
    pool.join()


def _pool(limits: SyncSettings) -> ProcessPool:
    """A started pool; starting takes a good part of a second, so this runs in a thread."""
    pool = ProcessPool(
        max_workers=limits.processes,
        max_tasks=_FILES_PER_WORKER,
        initializer=worker.set_limits,
        initargs=(limits.parse_bytes, limits.nice),
        context=BareContext(preload=worker.__name__),
    )
    if not pool.active:
        raise BrokenProcessPool("the parser processes could not be started")
    return pool
