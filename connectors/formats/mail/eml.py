"""Mails as files: the subject is the title; quoted replies are sections, attachments documents."""

import re
from collections.abc import Iterator
from email import message_from_bytes, policy
from email.message import Message
from mimetypes import guess_extension

from agent.domain import BlockKind, ParsedDocument, ParseOutcome
from agent.errors import ParseError
from connectors.formats import titles
from connectors.formats.mail import attaching, headers, invitation, quoting, smime
from connectors.formats.mail.parts import Body, Parts, parts_of, payload_of, without_shown
from connectors.formats.raw.encoding import decode, is_wide
from connectors.formats.sections import SectionBuilder

_HEADERS = ("From", "To", "Cc", "Date")
_LINK = re.compile(r"https?://[^\s<>\"]+")


def parse(data: bytes, name: str, *, depth: int = 1) -> ParsedDocument:
    """Head lines, text, quoted replies and attachments of a mail.

    Args:
        data: the whole file.
        name: path inside the source.
        depth: how many mails this one is packed in, itself counted.

    Raises:
        ParseError: `encrypted_mail`.
    """
    mail = read_mail(data)
    builder = SectionBuilder()
    parts = _opened(mail)
    hanging = attaching.Hanging(depth)
    for attached, content in files_of(parts):
        hanging.add(attached, content)
    for header in _HEADERS:
        value = headers.header(mail, header)
        builder.add(BlockKind.PARAGRAPH, f"{header}: {value}" if value else "")
    builder.add(BlockKind.PARAGRAPH, hanging.line)
    links = write_bodies(parts.bodies, builder)
    lost = builder.lost or hanging.lost
    return ParsedDocument(
        titles.tidy(headers.header(mail, "Subject")),
        "eml",
        ParseOutcome.PARTIAL if lost else ParseOutcome.OK,
        builder.sections(),
        reason=lost,
        links=tuple(dict.fromkeys(links)),
        attachments=tuple(hanging.attachments),
    )


def read_mail(data: bytes) -> Message:
    """A mail from its source, whatever the encoding of the file."""
    if is_wide(data):
        data = decode(data).encode("utf-8")
    return message_from_bytes(data.lstrip(b"\xef\xbb\xbf\r\n"), policy=policy.default)


def write_bodies(bodies: list[Body], builder: SectionBuilder) -> list[str]:
    """The text a mail program would show; gives its links."""
    links: list[str] = []
    for body in bodies:
        if body.kind == "html" and "<" in body.content:
            links += _write_html(body.content, builder)
        elif body.kind == "calendar":
            for line in invitation.lines_of(body.content):
                builder.add(BlockKind.PARAGRAPH, line)
        else:
            quoting.write(body.content, builder)
            links += _LINK.findall(body.content)
    return links


def _write_html(source: str, builder: SectionBuilder) -> list[str]:
    from connectors.formats.html.reader import read_fragment  # lxml only where it is needed

    shown = SectionBuilder()
    links = read_fragment(source, shown)
    for section in shown.sections():
        builder.heading(section.heading, section.level)
        quoting.write_blocks([(b.kind, b.text) for b in section.blocks], builder, 1)
    builder.lost = builder.lost or shown.lost
    return links


def _opened(mail: Message) -> Parts:
    """The parts of a mail, taken out of its signature where it is packed into one.

    Raises:
        ParseError: `encrypted_mail`.
    """
    kind = mail.get_content_type()
    if kind == "multipart/encrypted":
        raise ParseError("encrypted_mail", "the mail is encrypted")
    if kind in ("application/pkcs7-mime", "application/x-pkcs7-mime"):
        inner = smime.signed_content(payload_of(mail))
        if not inner:
            raise ParseError("encrypted_mail", "the mail is encrypted")
        return _opened(read_mail(inner))
    parts = parts_of(mail)
    parts.attached = without_shown(parts.attached, mail)
    if parts.bodies and all(body.is_armoured for body in parts.bodies):
        raise ParseError("encrypted_mail", "the mail is encrypted")
    return parts


def files_of(parts: Parts) -> Iterator[tuple[str, bytes]]:
    """(name, bytes) of what hangs on a mail."""
    for part in parts.attached:
        data = payload_of(part)
        name = headers.file_name(part)
        if part.get_content_type() == "message/rfc822":
            name = (
                name
                if name.lower().endswith(".eml")
                else attaching.mail_name(name or headers.header(read_mail(data), "Subject"))
            )
        elif not name:
            name = f"attachment{guess_extension(part.get_content_type()) or ''}"
        yield name, data
