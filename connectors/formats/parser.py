"""Parses files in child processes, so that a hostile one costs seconds and never a sync.

The pool kills what hangs, replaces what dies and is built again should it break as a whole.
Processes are forked from a server that holds nothing but the parser's modules: safe beside
threads, and a fresh worker costs milliseconds, so workers are replaced often.
"""

import asyncio
import logging
import multiprocessing
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

from pebble import ProcessExpired, ProcessPool

from agent.domain import ParsedDocument
from config.settings import SyncSettings
from connectors.formats import worker
from connectors.formats.outcome import not_readable

logger = logging.getLogger(__name__)

PARSER_VERSION = 1
"""Changes with every change of what a file is read into; part of caches of parses."""

_FILES_PER_WORKER = 500
_ATTEMPTS = 2


class Parser:
    """Reads files into sections; safe to use from many tasks at once."""

    def __init__(self, limits: SyncSettings) -> None:
        self._limits = limits
        self._pool: ProcessPool | None = None

    async def parse(self, path: Path, name: str) -> ParsedDocument:
        """Read one file.

        Args:
            path: a local copy of the file.
            name: the document's path inside its source.

        Returns:
            The document; one that cannot be read has the outcome `not_readable` and a reason.
            Never raises for what a file holds.
        """
        for _ in range(_ATTEMPTS):
            try:
                return await self._scheduled(path, name)
            except BrokenProcessPool:
                logger.warning("parser pool broke and is built again")
                await self.close()
            except TimeoutError:
                seconds = self._limits.parse_s
                return not_readable("timeout", f"reading took over {seconds:g} s", name=name)
            except (ProcessExpired, OSError) as error:
                return self._expired(error, name)
        return not_readable("damaged", "its parser could not be started", name=name)

    async def close(self) -> None:
        """Stop the processes; a later parse starts new ones."""
        pool, self._pool = self._pool, None
        if pool is not None:
            pool.stop()  # type: ignore[no-untyped-call]
            await asyncio.to_thread(pool.join)

    async def _scheduled(self, path: Path, name: str) -> ParsedDocument:
        future = self._running_pool().schedule(
            worker.parse_file,
            args=(str(path), name, self._limits.file_bytes),
            timeout=self._limits.parse_s,
        )
        parsed: worker.Parsed = await asyncio.wrap_future(future)
        if parsed.trouble:
            logger.warning("parser failed", extra={"doc": name, "trouble": parsed.trouble})
        return parsed.document

    def _running_pool(self) -> ProcessPool:
        if self._pool is None or not self._pool.active:
            context = multiprocessing.get_context("forkserver")
            context.set_forkserver_preload(["__main__", worker.__name__])
            self._pool = ProcessPool(
                max_workers=self._limits.workers,
                max_tasks=_FILES_PER_WORKER,
                initializer=worker.set_limits,
                initargs=(self._limits.parse_bytes,),
                context=context,
            )
        return self._pool

    def _expired(self, error: Exception, name: str) -> ParsedDocument:
        code = getattr(error, "exitcode", None)
        logger.warning("parser process died", extra={"doc": name, "exit_code": code})
        return not_readable("damaged", "its parser process was ended by the file", name=name)
