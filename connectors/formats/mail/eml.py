"""Mails as files: the subject is the title; quoted replies and attachments are sections."""

import re
from collections.abc import Iterator
from email import message_from_bytes, policy
from email.message import EmailMessage, MIMEPart

from agent.domain import BlockKind, ParsedDocument
from agent.errors import ParseError
from connectors.formats import text, titles
from connectors.formats.raw.encoding import decode
from connectors.formats.sections import SectionBuilder

_HEADERS = ("From", "To", "Cc", "Date")
_QUOTED = re.compile(
    r"(?:on\s.{5,200}\swrote:|am\s.{5,200}\sschrieb\s.{2,100}:|le\s.{5,200}\sa écrit\s?:"
    r"|-+\s*(?:original message|forwarded message|ursprüngliche nachricht|原始邮件)\s*-+"
    r"|在.{5,100}写道[:：])\s*",
    re.IGNORECASE,
)
_DEEPEST = 3


def parse(data: bytes, name: str, *, depth: int = 1) -> ParsedDocument:
    """Head lines, text, quoted replies and attachments of a mail.

    Args:
        data: the whole file.
        name: path inside the source.
        depth: how many mails this one is packed in; attachments of the third are only named.

    Raises:
        ParseError: `encrypted_mail`.
    """
    mail = message_from_bytes(data, policy=policy.default)
    if not isinstance(mail, EmailMessage):
        raise ParseError("damaged", "the mail cannot be read")
    if _is_encrypted(mail):
        raise ParseError("encrypted_mail", "the mail is encrypted")
    builder = SectionBuilder()
    for header in _HEADERS:
        value = _header(mail, header)
        builder.add(BlockKind.PARAGRAPH, f"{header}: {value}" if value else "")
    links = _write_body(mail, builder)
    for part in mail.iter_attachments():
        if isinstance(part, EmailMessage):
            name = part.get_filename() or ""
            write_attachment(name, _attached(part, name, depth), builder)
    title = titles.tidy(_header(mail, "Subject"))
    sections, lost = builder.sections(), builder.lost
    return ParsedDocument(title, "eml", builder.outcome, sections, reason=lost, links=tuple(links))


def _header(mail: EmailMessage, name: str) -> str:
    """A header decoded, on one line; raw where it is malformed."""
    try:
        return " ".join(str(mail.get(name, "")).split())
    except (ValueError, IndexError, LookupError):
        raw = dict(mail.raw_items()).get(name, "")
        return " ".join(str(raw).split())


def _is_encrypted(mail: EmailMessage) -> bool:
    kind = mail.get_content_type()
    if kind == "multipart/encrypted":
        return True
    return kind.endswith("pkcs7-mime") and mail.get_param("smime-type") != "signed-data"


def _content(part: MIMEPart) -> str:
    payload = part.get_payload(decode=True)
    return decode(payload, part.get_content_charset("")) if isinstance(payload, bytes) else ""


def _write_body(mail: EmailMessage, builder: SectionBuilder) -> list[str]:
    """The text a mail program would show; gives its links."""
    body = mail.get_body(("plain", "html"))
    if body is None:
        return []
    content = _content(body)
    if body.get_content_subtype() == "html":
        from connectors.formats.html.reader import read_fragment  # lxml only where it is needed

        return read_fragment(content, builder)
    write_text(content, builder)
    return re.findall(r"https?://[^\s<>\"]+", content)


def write_text(content: str, builder: SectionBuilder) -> None:
    """The text of a mail; what it quotes goes under the line that introduces the quote."""
    for heading, lines in _parts(content):
        builder.heading(heading, 1)
        for kind, block in text.blocks("\n".join(lines)):
            builder.add(kind, block)


def write_attachment(name: str, inner: ParsedDocument | None, builder: SectionBuilder) -> None:
    """A section under an attachment's name, with what could be read of it."""
    builder.heading(name or (inner.title if inner else ""), 1)
    for section in inner.sections if inner else ():
        builder.heading(section.heading, section.level + 1)
        for block in section.blocks:
            builder.add(block.kind, block.text)


def read_attachment(data: bytes, name: str) -> ParsedDocument | None:
    """An attachment as a document; None where it cannot be read."""
    from connectors.formats.reading import read_any

    try:
        return read_any(data, name) if data else None
    except (ParseError, RecursionError):
        return None  # it is still named by its heading


def _parts(content: str) -> Iterator[tuple[str, list[str]]]:
    """The mail itself, then what it quotes, under the line that introduces the quote."""
    heading = ""
    lines: list[str] = []
    for line in content.split("\n"):
        if _QUOTED.fullmatch(line.strip("> \t")):
            yield heading, lines
            heading, lines = line.strip("> \t"), []
        else:
            lines.append(line.lstrip("> ") if heading else line)
    yield heading, lines


def _attached(part: EmailMessage, name: str, depth: int) -> ParsedDocument | None:
    if depth >= _DEEPEST:
        return None
    if part.get_content_type() != "message/rfc822":
        payload = part.get_payload(decode=True)
        return read_attachment(payload, name) if isinstance(payload, bytes) else None
    packed = part.get_payload(0) if part.is_multipart() else None
    if not isinstance(packed, EmailMessage):
        return None
    return parse(packed.as_bytes(), name, depth=depth + 1)
