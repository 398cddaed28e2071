"""Bodies of Outlook messages that are kept as compressed Rich Text alone.

Unpacked, they mostly hold the HTML or the plain text that was sent, with marks that tell how to
get it back; what was written as Rich Text gives its words.
"""

import re
import struct
from dataclasses import dataclass, field

from connectors.formats.mail.parts import Body

_START = (
    b"{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern "
    b"\\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0"
    b"\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx"
)
_RING = 4_096
_PACKED, _PLAIN = 0x75465A4C, 0x414C454D
_MOST_BYTES = 50_000_000
_TOKEN = re.compile(
    rb"\\'([0-9a-fA-F]{2})|\\([a-zA-Z]+)(-?\d{1,9})? ?|\\([^a-zA-Z'])|([{}])|([^\\{}\r\n]+)|[\r\n]"
)
_BREAKS = {b"par": "\n", b"line": "\n", b"sect": "\n", b"page": "\n", b"row": "\n",
           b"tab": "\t", b"cell": " | "}  # fmt: skip
_SIGNS = {b"emdash": "—", b"endash": "–", b"lquote": "‘", b"rquote": "’", b"ldblquote": "“",
          b"rdblquote": "”", b"bullet": "•", b"emspace": " ", b"enspace": " "}  # fmt: skip
_UNSHOWN = frozenset(
    (b"fonttbl", b"colortbl", b"stylesheet", b"info", b"pict", b"object", b"header", b"footer",
     b"listtable", b"listoverridetable", b"generator", b"themedata", b"datastore", b"xmlnstbl")
)  # fmt: skip
_CHARSETS = {
    0: "cp1252", 77: "mac-roman", 128: "cp932", 129: "cp949", 134: "gb18030", 136: "big5hkscs",
    161: "cp1253", 162: "cp1254", 177: "cp1255", 178: "cp1256", 186: "cp1257", 204: "cp1251",
    222: "cp874", 238: "cp1250",
}  # fmt: skip


def unpacked(data: bytes) -> bytes:
    """Rich Text out of its compression; empty where it is damaged."""
    if len(data) < 16:
        return b""
    size, kind = struct.unpack_from("<4xII", data)
    if kind == _PLAIN:
        return data[16:]
    return _unpacked(data, min(size, _MOST_BYTES)) if kind == _PACKED else b""


def _unpacked(data: bytes, size: int) -> bytes:
    ring = bytearray(_START.ljust(_RING, b"\0"))
    write, read = len(_START), 16
    out = bytearray()

    def put(byte: int) -> None:
        nonlocal write
        out.append(byte)
        ring[write % _RING] = byte
        write += 1

    while read < len(data) and len(out) < size:
        flags, read = data[read], read + 1
        for bit in range(8):
            if not flags >> bit & 1:
                if read < len(data):
                    put(data[read])
                read += 1
                continue
            place = int.from_bytes(data[read : read + 2], "big")
            read += 2
            if place >> 4 == write % _RING or read > len(data):
                return bytes(out)
            for step in range((place & 15) + 2):
                put(ring[((place >> 4) + step) % _RING])
    return bytes(out)


def body(source: bytes) -> Body:
    """What was sent: HTML, or text."""
    is_html = b"\\fromhtml1" in source[:1_000]
    reader = _Reader(is_html=is_html)
    return Body("html" if is_html else "plain", reader.text(source))


@dataclass(slots=True)
class _State:
    shown: bool = True
    in_tag: bool = False
    skip: int = 1
    encoding: str = ""


@dataclass(slots=True)
class _Reader:
    """Walks the tokens once, with a state for each group that is open."""

    is_html: bool
    parts: list[str] = field(default_factory=list)
    pending: bytearray = field(default_factory=bytearray)
    fonts: dict[int, str] = field(default_factory=dict)
    page: str = "cp1252"
    state: _State = field(default_factory=_State)
    stack: list[_State] = field(default_factory=list)
    quiet: bool = False
    font: int = 0
    owed: int = 0
    starred: bool = False

    def text(self, source: bytes) -> str:
        for match in _TOKEN.finditer(source):
            self._take(match)
        self._flush()
        return "".join(self.parts)

    def _take(self, match: re.Match[bytes]) -> None:
        escaped, word, number, sign, brace, plain = match.groups()
        if escaped:
            self._bytes(bytes.fromhex(escaped.decode()))
        elif word:
            self._word(word, int(number) if number else None)
        elif sign:
            self._sign(sign)
        elif brace:
            self._brace(brace)
        elif plain:
            self._bytes(plain)

    def _bytes(self, data: bytes) -> None:
        if self.owed:
            cut = min(self.owed, len(data))
            self.owed, data = self.owed - cut, data[cut:]
        if self.state.shown and not (self.quiet and not self.state.in_tag):
            self.pending += data

    def _brace(self, brace: bytes) -> None:
        self._flush()
        self.owed = 0
        if brace == b"{":
            self.stack.append(self.state)
            now = self.state
            self.state = _State(now.shown, now.in_tag, now.skip, now.encoding)
        elif self.stack:
            self.state = self.stack.pop()

    def _sign(self, sign: bytes) -> None:
        if sign == b"*":
            self.starred = True
        elif sign == b"~":
            self._say("\N{NO-BREAK SPACE}")
        elif sign in (b"\\", b"{", b"}"):
            self._bytes(sign)

    def _word(self, word: bytes, number: int | None) -> None:
        starred, self.starred = self.starred, False
        if word in _UNSHOWN or (starred and word != b"htmltag"):
            self.state.shown = False
        elif word == b"htmltag":
            self.state.in_tag = True
        elif word == b"htmlrtf":
            self._flush()
            self.quiet = number != 0
        elif word == b"u" and number is not None:
            self._say(chr(number % 0x10000))
            self.owed = self.state.skip
        elif word in _BREAKS or word in _SIGNS:
            self._say(_BREAKS.get(word) or _SIGNS[word])
        else:
            self._setting(word, number or 0)

    def _setting(self, word: bytes, number: int) -> None:
        if word == b"ansicpg":
            self.page = "utf-8" if number == 65001 else f"cp{number}"
        elif word == b"uc":
            self.state.skip = number
        elif word == b"f":
            self._flush()
            self.font = number
            self.state.encoding = self.fonts.get(number, "")
        elif word == b"fcharset" and number in _CHARSETS and number:
            self.fonts[self.font] = _CHARSETS[number]

    def _say(self, text: str) -> None:
        self._flush()
        if self.state.shown and not (self.quiet and not self.state.in_tag):
            self.parts.append(text)

    def _flush(self) -> None:
        if self.pending:
            self.parts.append(_decoded(bytes(self.pending), self.state.encoding or self.page))
            self.pending.clear()


def _decoded(data: bytes, encoding: str) -> str:
    try:
        return data.decode(encoding, "replace")
    except LookupError:
        return data.decode("cp1252", "replace")
