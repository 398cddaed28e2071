"""Who wrote a file and when, as the file itself records it: the record facts of its properties.

A drive often knows only who uploaded a file and when it was copied. What the file says of itself
is kept beside that, and shown as such.
"""

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from html import unescape
from pathlib import PurePosixPath

from agent.domain import ParsedDocument
from agent.errors import ParseError
from connectors.formats.detect import Kind
from connectors.formats.raw.encoding import decode
from connectors.formats.raw.package import Package

_DC = "{http://purl.org/dc/elements/1.1/}"
_DCTERMS = "{http://purl.org/dc/terms/}"
_OPF = "{http://www.idpf.org/2007/opf}"
_LAST_BY = "{http://schemas.openxmlformats.org/package/2006/metadata/core-properties}lastModifiedBy"
_HEAD_CHARS = 100_000
_LONGEST = 120
_PDF_DATE = re.compile(
    r"(?:D:)?(\d{4})(\d\d)(\d\d)(?:(\d\d)(\d\d)(\d\d)?)?(?:([+-])(\d\d)'?(\d\d)?)?"
)
_META = re.compile(r"<meta\s[^>]{0,2000}>", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"""([\w:.-]+)\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+)""")
_YAML = re.compile(r"\A\ufeff?---[ \t]*\r?\n(.*?\n)(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.DOTALL)
_TOML = re.compile(r"\A\ufeff?\+\+\+[ \t]*\r?\n(.*?\n)\+\+\+", re.DOTALL)
_YAML_LINE = re.compile(r"^([\w-]+)[ \t]*:[ \t]*(\S.*?)[ \t]*$", re.MULTILINE)
_AUTHORS = ("author", "authors", "dc.creator", "dcterms.creator", "article:author", "byl")
_MODIFIED = (
    *("modified", "updated", "lastmod", "last_updated", "last-updated", "last_modified"),
    *("last-modified", "article:modified_time", "og:updated_time", "dcterms.modified"),
    *("dc.date.modified", "date"),
)
_NOBODY = re.compile(
    r"\W*(?:author|unknown|anonymous|user|admin(?:istrator)?|owner|root|none|null|nobody"
    r"|(?:microsoft )?office(?: user)?|windows user|python-docx|openpyxl|python-pptx|apache poi"
    r"|作者|用户|管理员|未知)?\W*",
    re.IGNORECASE,
)
"""What programs put in the place of a name."""


@dataclass(frozen=True, slots=True)
class Record:
    """What a file says of itself: its author, empty where unknown, and when it was last saved."""

    author: str = ""
    modified: datetime | None = None


def with_record(document: ParsedDocument, kind: Kind, data: bytes) -> ParsedDocument:
    """The document with what its file's properties say; broken properties say nothing."""
    if kind in (Kind.EML, Kind.MSG):
        record = _of_mail(document)
    else:
        reader = _READERS.get(kind)
        try:
            record = reader(data) if reader else Record()
        except (ParseError, ValueError, KeyError):
            record = Record()
    author, modified = _name(record.author), document.modified or record.modified
    return replace(document, author=document.author or author, modified=modified)


def _of_office(data: bytes) -> Record:
    package = Package(data)
    for each in package.relations("").values():
        root = package.xml(each.target) if each.kind == "core-properties" else None
        if root is not None:
            author = _name(root.findtext(f"{_DC}creator") or "")
            author = author or root.findtext(_LAST_BY) or ""
            return Record(author, _moment(root.findtext(f"{_DCTERMS}modified") or ""))
    return Record()


def _of_book(data: bytes) -> Record:
    package = Package(data)
    container = package.xml("META-INF/container.xml")
    files = [] if container is None else [each.get("full-path") for each in container.iter()]
    root = next((package.xml(file) for file in files if file), None)
    if root is None:
        return Record()
    names = [_name(each.text or "") for each in root.iter(f"{_DC}creator")]
    changed = [
        each.text or ""
        for each in root.iter(f"{_OPF}meta")
        if each.get("property") == "dcterms:modified"
    ]
    return Record(", ".join(filter(None, names)), _moment(next(iter(changed), "")))


def _of_pdf(data: bytes) -> Record:
    from connectors.formats.pdf.pdfium.properties import properties

    found = properties(data)
    return Record(found.get("Author", ""), _pdf_moment(found.get("ModDate", "")))


def _of_page(data: bytes) -> Record:
    head = decode(data[:_HEAD_CHARS])
    found: dict[str, str] = {}
    for tag in _META.findall(head):
        said = {key.lower(): value.strip("\"'") for key, value in _ATTRIBUTE.findall(tag)}
        name = said.get("name") or said.get("property") or said.get("http-equiv") or ""
        found.setdefault(name.lower(), unescape(said.get("content", "")))
    return _told(found)


def _of_markdown(data: bytes) -> Record:
    text = decode(data[:_HEAD_CHARS])
    if toml := _TOML.match(text):
        return _told({key.lower(): _plain(value) for key, value in tomllib.loads(toml[1]).items()})
    front = _YAML.match(text)
    lines = _YAML_LINE.findall(front[1]) if front else []
    return _told({key.lower(): value.strip("\"'[] ") for key, value in lines})


def _of_mail(document: ParsedDocument) -> Record:
    """The lines of its head that the reader of mails has decoded already."""
    lines = [block.text for section in document.sections[:1] for block in section.blocks[:4]]
    head = {name: value for name, _, value in (line.partition(": ") for line in lines)}
    try:
        sent = parsedate_to_datetime(head.get("Date", ""))
    except ValueError:
        return Record(head.get("From", ""), _moment(head.get("Date", "")))
    return Record(head.get("From", ""), _in_utc(sent))


def _told(found: Mapping[str, str]) -> Record:
    author = next((_name(found[key]) for key in _AUTHORS if found.get(key)), "")
    moments = (_moment(found[key]) for key in _MODIFIED if found.get(key))
    return Record(author, next(filter(None, moments), None))


def _plain(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(map(_plain, value))
    return value.isoformat() if isinstance(value, datetime) else str(value)


def _name(written: str) -> str:
    """A name on one line; empty where it is a program's or nobody's."""
    name = " ".join(written.replace("\0", " ").split())[:_LONGEST]
    return "" if _NOBODY.fullmatch(name) or PurePosixPath(name).suffix == ".exe" else name


def _moment(written: str) -> datetime | None:
    """A date or time in ISO form; None for anything else, and for a year no file is from."""
    try:
        return _in_utc(datetime.fromisoformat(written.strip()))
    except ValueError:
        return None


def _pdf_moment(written: str) -> datetime | None:
    found = _PDF_DATE.match(written.strip())
    if not found:
        return None
    year, month, day, hour, minute, second, sign, over, rest = found.groups()
    zone = f"{sign}{over}:{rest or '00'}" if sign else "+00:00"
    clock = f"{hour or '00'}:{minute or '00'}:{second or '00'}"
    return _moment(f"{year}-{month}-{day}T{clock}{zone}")


def _in_utc(moment: datetime) -> datetime | None:
    known = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    try:
        known = known.astimezone(UTC)
    except OverflowError:
        return None
    return known if known.year >= 1985 else None


_READERS: Mapping[Kind, Callable[[bytes], Record]] = {
    Kind.DOCX: _of_office,
    Kind.PPTX: _of_office,
    Kind.XLSX: _of_office,
    Kind.EPUB: _of_book,
    Kind.PDF: _of_pdf,
    Kind.HTML: _of_page,
    Kind.MARKDOWN: _of_markdown,
}
