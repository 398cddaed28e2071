"""Keeps what is a pure function of content, so that it is worked out once.

The one file that knows diskcache. Everything here may be lost at any time: a damaged or locked
cache is a miss, said once in the log, and costs time only. Values are JSON, never pickles, since
the folder may be shared or restored from elsewhere.
"""

import hashlib
import logging
import sqlite3
import threading
import zlib
from functools import lru_cache
from pathlib import Path
from typing import Any

from agent.domain import ParsedDocument

logger = logging.getLogger(__name__)

_BROKEN = (sqlite3.Error, OSError, ValueError, zlib.error)
"""What a damaged cache raises; ValueError covers JSON and UTF-8."""
_LOCKED_S = 10
"""Seconds to wait while another process writes."""


class ContentCache:
    """JSON values by key on disk, the least recently stored dropped first.

    Opened at the first use, usable from any thread and by several processes at once.
    """

    def __init__(self, folder: Path, *, limit_bytes: int = 512_000_000) -> None:
        self._folder = folder
        self._limit_bytes = limit_bytes
        self._lock = threading.Lock()
        self._cache: Any = None
        self._failed = False

    def get(self, key: str) -> Any:
        """The value, or None: not there, or not readable."""
        cache = self._open()
        try:
            return None if cache is None else cache.get(key, retry=True)
        except _BROKEN as error:
            self._complain(error)
            return None

    def put(self, key: str, value: Any) -> None:
        """Keep a JSON value, if that can be done."""
        cache = self._open()
        try:
            if cache is not None:
                cache.set(key, value, retry=True)
        except _BROKEN as error:
            self._complain(error)

    def close(self) -> None:
        """Give back the files; the next use opens them again."""
        with self._lock:
            if self._cache is not None:
                self._cache.close()
                self._cache = None

    def _open(self) -> Any:
        with self._lock:
            if self._cache is None and not self._failed:
                try:
                    self._cache = _disk_cache(self._folder, self._limit_bytes)
                except _BROKEN as error:
                    self._failed = True
                    self._complain(error)
            return self._cache

    def _complain(self, error: Exception) -> None:
        logger.warning(
            "the cache cannot be used; delete its folder",
            extra={"folder": str(self._folder), "problem": repr(error)},
        )


class ParsedCache:
    """Parsed documents by what decides them: the bytes, the parser's version, the name's suffix."""

    def __init__(self, cache: ContentCache) -> None:
        self._cache = cache

    def get(self, content_hash: str, parser_version: str, suffix: str) -> ParsedDocument | None:
        """What a parser of that version made of these bytes, if that is still known."""
        kept = self._cache.get(_parsed_key(content_hash, parser_version, suffix))
        if kept is None:
            return None
        try:
            parsed: ParsedDocument = _parsed_type().validate_python(kept)
        except ValueError:
            return None  # written in another shape of ParsedDocument
        return parsed

    def put(
        self, content_hash: str, parser_version: str, suffix: str, parsed: ParsedDocument
    ) -> None:
        """Keep a parse."""
        value = _parsed_type().dump_python(parsed, mode="json")
        self._cache.put(_parsed_key(content_hash, parser_version, suffix), value)

    def close(self) -> None:
        """Give back the files."""
        self._cache.close()


def _parsed_key(content_hash: str, parser_version: str, suffix: str) -> str:
    text = f"parsed\0{content_hash}\0{parser_version}\0{suffix.casefold()}"
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


@lru_cache(maxsize=1)
def _parsed_type() -> Any:
    # Imported here: an unchanged run parses nothing and should not pay for it.
    from pydantic import TypeAdapter

    return TypeAdapter(ParsedDocument)


def _disk_cache(folder: Path, limit_bytes: int) -> Any:
    import diskcache

    folder.mkdir(parents=True, exist_ok=True)
    return diskcache.Cache(  # type: ignore[no-untyped-call] # ships no types
        str(folder),
        disk=diskcache.JSONDisk,
        size_limit=limit_bytes,
        eviction_policy="least-recently-stored",
        timeout=_LOCKED_S,
    )
