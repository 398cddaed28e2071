"""Outlook messages (.msg): read from the streams of their container, shown like any mail."""

from collections.abc import Iterator
from dataclasses import dataclass

from agent.domain import BlockKind, ParsedDocument, ParseOutcome
from agent.errors import ParseError
from connectors.formats import titles
from connectors.formats.mail import attaching, rtf, smime
from connectors.formats.mail.eml import files_of, read_mail, write_bodies
from connectors.formats.mail.parts import Body, Parts, alternative, parts_of
from connectors.formats.mail.properties import Properties
from connectors.formats.raw.compound import Compound, opened
from connectors.formats.raw.encoding import decode
from connectors.formats.sections import SectionBuilder

_CLASS, _SUBJECT, _TO, _CC = "001A", "0037", "0E04", "0E03"
_SENDERS = (("0C1A", "5D01", "0C1F"), ("0042", "5D02", "0065"))
"""Keys of the name and the addresses of who sent it, or for whom."""
_BODY, _HTML, _RICH = "1000", "1013", "10090102"
_FILE_NAMES = ("3707", "3704", "3001")
_DATA, _MESSAGE = "37010102", "__substg1.0_3701000D"
_MIME = "370E"
_SENT = (0x00390040, 0x0E060040)
_IS_HIDDEN, _FLAGS, _IN_BODY = 0x7FFE000B, 0x37140003, 4
_HEAD_BYTES, _INNER_HEAD_BYTES, _ATTACHMENT_HEAD_BYTES = 32, 24, 8
_PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".bmp", ".emz", ".wmz")


def parse(data: bytes, name: str, *, depth: int = 1) -> ParsedDocument:
    """Head lines, text and attachments of a message.

    Args:
        data: the whole file.
        name: path inside the source.
        depth: how many mails this one is packed in, itself counted.

    Raises:
        ParseError: `damaged` or `encrypted_mail`.
    """
    with opened(data) as container:
        return Message(container, "", depth).document()


@dataclass(frozen=True, slots=True)
class _File:
    """An attachment: its name, its bytes, or the folder of a message inside the message."""

    name: str
    data: bytes
    folder: str = ""


class Message:
    """One message in its container."""

    def __init__(self, container: Compound, folder: str, depth: int) -> None:
        self._container = container
        self._folder = folder
        self._depth = depth
        head = _INNER_HEAD_BYTES if folder else _HEAD_BYTES
        self._own = Properties(container, folder, head)
        self.subject = titles.tidy(self._own.text(_SUBJECT))

    def document(self) -> ParsedDocument:
        """The message as a mail is shown."""
        builder = SectionBuilder()
        hanging = attaching.Hanging(self._depth)
        bodies = self._opened(hanging)
        for header, value in self._headers():
            builder.add(BlockKind.PARAGRAPH, f"{header}: {value}" if value else "")
        builder.add(BlockKind.PARAGRAPH, hanging.line)
        links = write_bodies(bodies, builder)
        lost = builder.lost or hanging.lost
        return ParsedDocument(
            self.subject,
            "msg",
            ParseOutcome.PARTIAL if lost else ParseOutcome.OK,
            builder.sections(),
            reason=lost,
            links=tuple(dict.fromkeys(links)),
            attachments=tuple(hanging.attachments),
        )

    def _opened(self, hanging: attaching.Hanging) -> list[Body]:
        """Its text; what hangs on it is read on the way."""
        files = list(self._files())
        if "smime" in self._own.text(_CLASS).lower():
            parts = _signed(files)
            for name, data in files_of(parts):
                hanging.add(name, data)
            return parts.bodies
        for file in files:
            if file.folder:
                inner = Message(self._container, file.folder, self._depth + 1)
                hanging.add_mail(inner.subject or file.name, inner.document, inner.mark)
            else:
                hanging.add(file.name, file.data)
        return self._bodies()

    @property
    def mark(self) -> bytes:
        """What tells a message from others."""
        texts = [self.subject, *(value for _, value in self._headers())]
        texts += [body.content for body in self._bodies()]
        return "\n".join(texts).encode("utf-8", "replace")

    def _headers(self) -> list[tuple[str, str]]:
        return [
            ("From", self._sender()),
            ("To", _people(self._own.text(_TO))),
            ("Cc", _people(self._own.text(_CC))),
            ("Date", self._sent()),
        ]

    def _sender(self) -> str:
        for name_key, *keys in _SENDERS:
            name = self._own.text(name_key)
            address = next((a for key in keys if _is_address(a := self._own.text(key))), "")
            if name or address:
                return f"{name} <{address}>".strip() if address not in ("", name) else name
        return ""

    def _sent(self) -> str:
        """When it was sent, to the minute, in UTC."""
        times = (self._own.time(tag) for tag in _SENT)
        return next((f"{time:%Y-%m-%d %H:%M} UTC" for time in times if time), "")

    def _bodies(self) -> list[Body]:
        found = [Body("plain", self._own.text(_BODY)), Body("html", self._html())]
        bodies = alternative([Parts([body]) for body in found]).bodies
        if bodies:
            return bodies
        rich = rtf.unpacked(self._own.data(_RICH))
        return [rtf.body(rich)] if rich else []

    def _html(self) -> str:
        page = self._own.data(f"{_HTML}0102")
        encoding = self._own.mail_encoding or self._own.encoding
        return decode(page, encoding) if page else self._own.text(_HTML)

    def _files(self) -> Iterator[_File]:
        prefix = f"{self._folder}/" if self._folder else ""
        for place in sorted(self._container.names(self._folder)):
            if not place.startswith("__attach"):
                continue
            folder = prefix + place
            held = Properties(
                self._container, folder, _ATTACHMENT_HEAD_BYTES, self._own.encoding or "cp1252"
            )
            name = next((found for key in _FILE_NAMES if (found := held.text(key))), "")
            if _MESSAGE in self._container.names(folder):
                inner = f"{folder}/{_MESSAGE}"
                if self._container.names(inner):
                    yield _File(name, b"", inner)
            elif not _in_text(held, name):
                yield _File(name, held.data(_DATA))


def _in_text(attachment: Properties, name: str) -> bool:
    """Whether an attachment is a picture that stands in the text."""
    is_picture = name.lower().endswith(_PICTURES) or attachment.text(_MIME).startswith("image/")
    beside = attachment.number(_IS_HIDDEN) & 1 or attachment.number(_FLAGS) & _IN_BODY
    return is_picture and bool(beside)


def _signed(files: list[_File]) -> Parts:
    """What stands inside the signature of a message; raises ParseError (`encrypted_mail`)."""
    for file in files:
        source = smime.signed_content(file.data)
        if not source and b"multipart/signed" in file.data[:2_000].lower():
            source = file.data
        if source:
            return parts_of(read_mail(source))
    raise ParseError("encrypted_mail", "the message is encrypted")


def _is_address(text: str) -> bool:
    return "@" in text and not text.startswith("/")


def _people(names: str) -> str:
    return "; ".join(filter(None, (name.strip(" \0\t\r\n'") for name in names.split(";"))))
