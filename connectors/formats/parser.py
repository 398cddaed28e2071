"""Parses files in child processes, so that a hostile one costs seconds and never a sync.

The pool kills what hangs, replaces what dies and is built again should it break as a whole.
Processes are forked from a server that holds nothing but the parser's modules: safe beside
threads, and a fresh worker costs milliseconds, so workers are replaced often.
"""

import asyncio
import logging
import threading
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

from pebble import ProcessExpired, ProcessFuture, ProcessPool

from agent.domain import ParsedDocument
from config.settings import SyncSettings
from connectors.formats import worker
from connectors.formats.outcome import not_readable
from connectors.formats.processes import BareContext

logger = logging.getLogger(__name__)

PARSER_VERSION = 3
"""Changes with every change of what a file is read into; part of caches of parses."""

_FILES_PER_WORKER = 500
_ATTEMPTS = 2


class Parser:
    """Reads files into sections; safe to use from many tasks at once."""

    def __init__(self, limits: SyncSettings) -> None:
        self._limits = limits
        self._pool: ProcessPool | None = None
        self._starting = threading.Lock()
        self._running: set[ProcessFuture[worker.Parsed]] = set()

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
        for _ in range(_ATTEMPTS):
            try:
                return await self._read(path, name)
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

    async def close(self) -> None:
        """Stop the processes; running parses are cancelled, a later one starts new processes."""
        for future in list(self._running):
            future.cancel()  # type: ignore[no-untyped-call]
        pool, self._pool = self._pool, None
        if pool is not None:
            await asyncio.to_thread(_stop, pool)

    async def _read(self, path: Path, name: str) -> ParsedDocument:
        pool = await asyncio.to_thread(self._started_pool)
        args = (str(path), name, self._limits.file_bytes)
        try:
            future = pool.schedule(worker.parse_file, args, timeout=self._limits.parse_s)
        except RuntimeError as error:  # what pebble says of a pool that broke a moment ago
            raise BrokenProcessPool(str(error)) from error
        self._running.add(future)
        try:
            parsed: worker.Parsed = await asyncio.wrap_future(future)
        finally:
            self._running.discard(future)
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
        max_workers=limits.workers,
        max_tasks=_FILES_PER_WORKER,
        initializer=worker.set_limits,
        initargs=(limits.parse_bytes,),
        context=BareContext(preload=worker.__name__),
    )
    if not pool.active:
        raise BrokenProcessPool("the parser processes could not be started")
    return pool
