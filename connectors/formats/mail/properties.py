"""The properties of an Outlook message: texts in its own code page, numbers and times.

A message without Unicode names its code page, and is often wrong: where it claims a western one
or none, all its texts together tell which it is, as a sender's name alone is too short for that.
"""

import struct
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from connectors.formats.raw.compound import Compound
from connectors.formats.raw.encoding import decode, guess

_EPOCH = datetime(1601, 1, 1, tzinfo=UTC)
_PAGES = (0x3FFD0003, 0x3FDE0003)
"""Code page of the message, and of the mail it came from."""
_WESTERN = ("", "cp1252", "iso-8859-1", "ascii")
_NAMED = {
    65001: "utf-8", 20127: "ascii", 28591: "iso-8859-1", 20866: "koi8-r", 21866: "koi8-u",
    20936: "gb18030", 936: "gb18030", 51936: "gb18030", 54936: "gb18030", 52936: "hz",
    50220: "iso-2022-jp", 50221: "iso-2022-jp", 50222: "iso-2022-jp", 51932: "euc-jp",
    50225: "iso-2022-kr", 51949: "euc-kr", 950: "big5hkscs",
}  # fmt: skip
_PREFIX = "__substg1.0_"
_TABLE = "__properties_version1.0"


class Properties:
    """The properties in one folder of a message.

    Args:
        container: the message.
        folder: of the message, of an attachment; empty at the top.
        head_bytes: that stand before the table of numbers and times.
    """

    def __init__(
        self, container: Compound, folder: str, head_bytes: int, encoding: str = ""
    ) -> None:
        self._container = container
        self._folder = f"{folder}/" if folder else ""
        self._fixed = dict(_fixed(container.stream(f"{self._folder}{_TABLE}")[head_bytes:]))
        self.encoding = encoding or self._encoding(folder)

    def text(self, key: str) -> str:
        """A property that is text."""
        if wide := self.data(f"{key}001F"):
            return wide.decode("utf-16-le", "replace").strip("\0")
        return decode(self.data(f"{key}001E"), self.encoding).strip("\0")

    def data(self, tag: str) -> bytes:
        """The bytes of a property, by its key and kind."""
        return self._container.stream(f"{self._folder}{_PREFIX}{tag}")

    def number(self, tag: int) -> int:
        """A number; 0 where it is missing."""
        return int.from_bytes(self._fixed.get(tag, b"")[:4], "little")

    def time(self, tag: int) -> datetime | None:
        """A point in time."""
        ticks = int.from_bytes(self._fixed.get(tag, b""), "little")
        return _EPOCH + timedelta(microseconds=ticks // 10) if 0 < ticks < 1 << 60 else None

    @property
    def mail_encoding(self) -> str:
        """Encoding of the mail that the message came from, as it says."""
        return _page_name(self.number(_PAGES[1]))

    def _encoding(self, folder: str) -> str:
        claimed = next((name for tag in _PAGES if (name := _page_name(self.number(tag)))), "")
        if claimed not in _WESTERN:
            return claimed
        texts = [self.data(n.removeprefix(_PREFIX)) for n in self._container.names(folder)
                 if n.startswith(_PREFIX) and n.upper().endswith("001E")]  # fmt: skip
        return guess(b"\n".join(texts)) or claimed


def _fixed(table: bytes) -> Iterator[tuple[int, bytes]]:
    for start in range(0, len(table) - 15, 16):
        tag, _, value = struct.unpack_from("<II8s", table, start)
        yield tag, value


def _page_name(page: int) -> str:
    if not page:
        return ""
    if 28592 <= page <= 28605:
        return f"iso-8859-{page - 28590}"
    return _NAMED.get(page, f"cp{page}")
