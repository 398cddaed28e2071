"""What a file really is, from its bytes; the extension only settles what bytes leave open.

A renamed PDF is read as a PDF, and a picture called `report.docx` is named as what it is.
"""

import re
from enum import StrEnum
from pathlib import PurePosixPath

from agent.errors import ParseError
from connectors.formats.raw import archive, magic
from connectors.formats.raw.encoding import decode
from connectors.formats.sheet.delimited import looks_delimited


class Kind(StrEnum):
    """Formats that can be read; the value is the `format` of the document."""

    MARKDOWN = "markdown"
    HTML = "html"
    TEXT = "text"
    DOCX = "docx"
    PDF = "pdf"
    PPTX = "pptx"
    XLSX = "xlsx"
    CSV = "csv"
    EML = "eml"
    MSG = "msg"
    EPUB = "epub"


_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_OUTLOOK = "__properties_version1.0"
_OFFICE_XML = re.compile(
    r"""<\?mso-application\s+progid\s*=\s*["'](\w+)\.|<(?:w:wordDocument|pkg:package)\s""", re.I
)
_SAMPLE_BYTES = 65_536
_HTML_START = re.compile(
    r"\s*(?:<\?xml[^>]*\?>\s*)?(?:(?><!--.*?-->)\s*)*<(?:!doctype\s+html|html|head|body)\b",
    re.IGNORECASE | re.DOTALL,
)
_HTML_PIECE = re.compile(
    r"\s*(?:(?><!--.*?-->)\s*)*<(?:title|meta|style|table|h[1-6]|p|div)\b[^>]*>.*</[a-z]",
    re.IGNORECASE | re.DOTALL,
)
"""How a page begins that was cut out of its frame; Markdown begins so too."""
_HTML_TAGS = re.compile(r"<(?:p|div|h[1-6]|table|ul|ol|br|span|a|body)\b[^>]*>", re.IGNORECASE)
_MARKDOWN_HEADING = re.compile(r"(?:\A|\n[ \t]*\n)#{1,6} +\S[^\n]*\n")
_MARKDOWN_OTHER = re.compile(r"\n```|\]\([^)\s]+\)|\n[-*] \S[^\n]*\n[-*] \S|\*\*\S")
_MARKDOWN_NAMES = (".md", ".markdown", ".mdown", ".mkd", ".mdx", ".mdwn")
_HTML_NAMES = (".html", ".htm", ".xhtml", ".shtml", ".aspx")
_TABLE_NAMES = (".csv", ".tsv", ".tab")
_MAIL_HEADER = re.compile(
    r"^(?:from|to|subject|date|received|return-path|message-id|mime-version|delivered-to):[ \t]*\S",
    re.IGNORECASE | re.MULTILINE,
)
_MAILBOX_LINE = re.compile(r"\A>?From [^\n]*\n")
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")


def detect(data: bytes, name: str) -> Kind:
    """The format of a file.

    Args:
        data: the whole file.
        name: its path inside the source, for the extension.

    Raises:
        ParseError: it cannot be read, with the reason (`empty`, `password`, `legacy`,
            `damaged`, `too_large`, `unsupported`).
    """
    head = data[:_SAMPLE_BYTES]
    if not head.strip(b"\0 \t\r\n\f\xef\xbb\xbf\xfe\xff"):
        raise ParseError("empty", "the file holds no text")
    if b"%PDF-" in head[:1024]:
        return Kind.PDF
    return _marked_kind(data, head) or _text_kind(head, name)


def _marked_kind(data: bytes, head: bytes) -> Kind | None:
    """The kind that the first bytes tell; None for what may be text."""
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return Kind(archive.office_kind(data))
    if head.startswith(_OLE):
        return _message_or_refusal(data)
    if problem := magic.old_format(head):
        raise ParseError("legacy", problem)
    if what := magic.other_kind(head, is_binary=_is_binary(head)):
        raise ParseError("unsupported", f"this is {what}")
    return None


def _message_or_refusal(data: bytes) -> Kind:
    """An Outlook message, or why an OLE file is not read: it is old, or encrypted."""
    from connectors.formats.raw import compound

    names = compound.top_names(data)
    if _OUTLOOK in names or (not names and _OUTLOOK.encode("utf-16-le") in data):
        return Kind.MSG
    for stream, reason, problem in magic.OLD_FILES:
        if stream in names or (not names and stream.encode("utf-16-le") in data):
            raise ParseError(reason, problem)
    raise ParseError("legacy", "this is an old Office file; save it in a current format")


def _is_binary(head: bytes) -> bool:
    """Whether bytes are no text in any encoding: too many control characters."""
    sample = decode(head[:8_192])
    return len(_CONTROL.findall(sample)) > max(1, 0.01 * len(sample))


def _text_kind(head: bytes, name: str) -> Kind:
    if _is_binary(head):
        raise ParseError("unsupported", "this is no document: its bytes are no text")
    sample = decode(head)
    extension = PurePosixPath(name).suffix.lower()
    if sample.lstrip().startswith("<?xml") and _OFFICE_XML.search(sample[:2_000]):
        raise ParseError("legacy", "this is an Office 2003 XML file; save it as .docx or .xlsx")
    is_named_html = extension in _HTML_NAMES and _HTML_TAGS.search(sample)
    if _HTML_START.match(sample) or is_named_html:
        return Kind.HTML
    if _is_mail(sample, 1 if extension == ".eml" else 3):
        return Kind.EML
    return _lines_kind(sample, extension)


def _lines_kind(sample: str, extension: str) -> Kind:
    """What plain lines are: the name counts, unless they look like Markdown."""
    if extension in _TABLE_NAMES:
        return Kind.CSV
    if extension in _MARKDOWN_NAMES:
        return Kind.MARKDOWN
    if _looks_like_markdown(sample, least=3 if extension == ".txt" else 2):
        return Kind.MARKDOWN
    if _HTML_PIECE.match(sample):
        return Kind.HTML
    return Kind.CSV if looks_delimited(sample) else Kind.TEXT


def _is_mail(sample: str, least: int) -> bool:
    """Whether the file begins with mail headers, `least` of them well known.

    A mailbox file has a line of its own before them.
    """
    head = _MAILBOX_LINE.sub("", sample.lstrip()).split("\n\n", 1)[0]
    begins = re.match(r"[A-Za-z][\w-]*:", head) is not None
    return begins and len(_MAIL_HEADER.findall(head)) >= least


def _looks_like_markdown(sample: str, least: int) -> bool:
    """Headings between blank lines and another mark of Markdown, or `least` of different levels.

    A plain text may hold comments that begin with `#`.
    """
    headings = _MARKDOWN_HEADING.findall(sample)
    if headings and _MARKDOWN_OTHER.search(sample) is not None:
        return True
    levels = {heading.strip().split(" ")[0] for heading in headings}
    return len(headings) >= least and (least == 2 or len(levels) > 1)
