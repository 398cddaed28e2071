"""Outlook messages (.msg): read from the streams of their container, shown like any mail.

The only file that knows olefile.
"""

import io
import struct
from datetime import UTC, datetime, timedelta

import olefile

from agent.domain import BlockKind, ParsedDocument
from agent.errors import ParseError
from connectors.formats import titles
from connectors.formats.mail.eml import read_attachment, write_attachment, write_text
from connectors.formats.raw.encoding import decode
from connectors.formats.sections import SectionBuilder

_SUBJECT, _SENDER, _ADDRESS, _TO, _CC = "0037", "0C1A", "0C1F", "0E04", "0E03"
_BODY, _HTML = "1000", "10130102"
_NAMES = ("3707", "3704")
_DATA = "37010102"
_SENT = 0x00390040
_FIRST_PROPERTY = 32
_EPOCH = datetime(1601, 1, 1, tzinfo=UTC)


def parse(data: bytes, name: str) -> ParsedDocument:
    """Head lines, text and attachments of a message.

    Raises:
        ParseError: `damaged` or `encrypted_mail`.
    """
    try:
        file = olefile.OleFileIO(io.BytesIO(data))
    except (OSError, ValueError, IndexError, struct.error) as error:
        raise ParseError("damaged", f"the message cannot be opened ({error})") from error
    with file:
        return _Message(file).document()


class _Message:
    """One message in its container."""

    def __init__(self, file: olefile.OleFileIO) -> None:
        self._file = file

    def document(self) -> ParsedDocument:
        """The message as a mail is shown."""
        if "smime" in self._text("", "001A").lower():
            raise ParseError("encrypted_mail", "the message is encrypted")
        builder = SectionBuilder()
        for header, value in self._headers():
            builder.add(BlockKind.PARAGRAPH, f"{header}: {value}" if value else "")
        links = self._write_body(builder)
        for folder in self._attachments():
            name = next((found for key in _NAMES if (found := self._text(folder, key))), "")
            data = self._stream(f"{folder}/__substg1.0_{_DATA}")
            write_attachment(name, read_attachment(data, name), builder)
        return ParsedDocument(
            titles.tidy(self._text("", _SUBJECT)),
            "msg",
            builder.outcome,
            builder.sections(),
            reason=builder.lost,
            links=tuple(dict.fromkeys(links)),
        )

    def _headers(self) -> list[tuple[str, str]]:
        sender, address = self._text("", _SENDER), self._text("", _ADDRESS)
        if "@" in address and address != sender:
            sender = f"{sender} <{address}>"
        return [
            ("From", sender),
            ("To", self._text("", _TO)),
            ("Cc", self._text("", _CC)),
            ("Date", self._sent()),
        ]

    def _write_body(self, builder: SectionBuilder) -> list[str]:
        if text := self._text("", _BODY):
            write_text(text, builder)
            return []
        if page := self._stream(f"__substg1.0_{_HTML}"):
            from connectors.formats.html.reader import read_fragment

            return read_fragment(decode(page), builder)
        return []

    def _attachments(self) -> list[str]:
        found = {entry[0] for entry in self._file.listdir() if entry[0].startswith("__attach")}
        return sorted(found)

    def _text(self, folder: str, key: str) -> str:
        """A property that is text: Unicode, else in whatever encoding it was written."""
        path = f"{folder}/__substg1.0_{key}" if folder else f"__substg1.0_{key}"
        if wide := self._stream(f"{path}001F"):
            return wide.decode("utf-16-le", "replace").strip("\0")
        return decode(self._stream(f"{path}001E")).strip("\0")

    def _stream(self, path: str) -> bytes:
        if not self._file.exists(path) or self._file.get_type(path) != olefile.STGTY_STREAM:
            return b""
        return bytes(self._file.openstream(path).read())

    def _sent(self) -> str:
        """When it was sent, to the minute, in UTC."""
        table = self._stream("__properties_version1.0")[_FIRST_PROPERTY:]
        for start in range(0, len(table) - 15, 16):
            tag, _, ticks = struct.unpack_from("<IIQ", table, start)
            if tag == _SENT and ticks < 1 << 60:
                sent = _EPOCH + timedelta(microseconds=ticks // 10)
                return f"{sent:%Y-%m-%d %H:%M} UTC"
        return ""
