"""A file's status as an item: its version, its date, and whether both may be trusted yet."""

import os
import time
from datetime import UTC, datetime

from connectors.ports import Item
from connectors.sources import names

SETTLED_S = 2.0
"""Seconds; the coarsest clock of a file system we may meet (FAT)."""
_UNKNOWN_AFTER = 2**32 - 1
"""Seconds since the epoch; a date from here on (2106) is a default, not a date."""


def item_of(raw: str, doc: str, found: os.stat_result, link: str) -> Item:
    """What a listing says of a file, from its raw path, shown path, status and link template."""
    parts = (found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino)
    return Item(
        address=names.to_address(raw),
        doc=doc,
        size_bytes=found.st_size,
        version=":".join(map(str, parts)),
        modified=_moment(found.st_mtime),
        url=names.link_to(link, raw),
        file_id=f"{found.st_dev}:{found.st_ino}" if found.st_ino else "",
        shared=found.st_nlink > 1,
        settled=_is_settled(found),
    )


def _is_settled(found: os.stat_result) -> bool:
    now = time.time()
    return all(abs(now - moment) > SETTLED_S for moment in (found.st_mtime, found.st_ctime))


def _moment(seconds: float) -> datetime | None:
    if not 0 < seconds < _UNKNOWN_AFTER:
        return None
    return datetime.fromtimestamp(seconds, UTC)
