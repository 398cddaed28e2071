"""Other people's ways to get the text out of a file: what our own sections are measured against.

Each gives the text page by page (or in one piece) and knows nothing of headings. What is not
installed is left out; `pip install markitdown[pdf,docx,pptx,xlsx] pdfminer.six mammoth` has all.
"""

import html.parser
import importlib
import io
import re
import zipfile
from collections.abc import Callable, Iterable
from email import message_from_bytes, policy
from typing import Any

from connectors.formats.raw.encoding import decode

Extractor = Callable[[bytes], list[str]]
"""The bytes of a file to the text of its pages; raises whatever its library raises."""

_XHTML_NAMES = (".xhtml", ".html", ".htm")
_UNSEEN_TAGS = frozenset(
    ("script", "style", "noscript", "template", "nav", "header", "footer", "aside", "form", "head")
)
_INLINE_TAGS = frozenset(
    ("a", "abbr", "b", "code", "del", "em", "font", "i", "ins", "kbd", "mark", "q", "s", "small",
     "span", "strong", "sub", "sup", "tt", "u", "wbr")
)  # fmt: skip
_VOID_TAGS = frozenset(("br", "hr", "img", "input", "meta", "link", "area", "base", "col", "wbr"))
_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_STRICT_W = "{http://purl.oclc.org/ooxml/wordprocessingml/main}"
_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_MARKITDOWN = r"Slide number: \d+|### Notes:|\bNaN\b|\bUnnamed: \d+|^\*\*\w+:\*\* .*$"
"""What it adds of its own: labels, the words of pandas for empty cells, metadata of books."""
_WORD_PARTS = re.compile(r"word/(?:document\d*|footnotes|endnotes)\.xml")
_SLIDE_PARTS = re.compile(r"ppt/(?:slides|notesSlides)/[a-zA-Z]+\d+\.xml")


def _module(name: str) -> Any:
    return importlib.import_module(name)


def pdfium(data: bytes) -> list[str]:
    document = _module("pypdfium2").PdfDocument(data)
    return [page.get_textpage().get_text_range() for page in document]


def pypdf(data: bytes) -> list[str]:
    reader = _module("pypdf").PdfReader(io.BytesIO(data))
    if reader.is_encrypted:
        reader.decrypt("")
    return [page.extract_text() or "" for page in reader.pages]


def pdfminer(data: bytes) -> list[str]:
    text: str = _module("pdfminer.high_level").extract_text(io.BytesIO(data))
    return text.split("\f")


def python_docx(data: bytes) -> list[str]:
    body = _module("docx").Document(io.BytesIO(data))
    lines = [paragraph.text for paragraph in body.paragraphs]
    for table in body.tables:
        seen = set()
        for row in table.rows:
            for cell in row.cells:
                if id(cell._tc) not in seen:
                    seen.add(id(cell._tc))
                    lines.append(cell.text)
    return ["\n".join(lines)]


def docx_dump(data: bytes) -> list[str]:
    """Every run of text in the main part and its notes; deleted and hidden text left out."""
    return ["\n".join(_dump(data, _WORD_PARTS, _word_text))]


def mammoth(data: bytes) -> list[str]:
    return [_module("mammoth").extract_raw_text(io.BytesIO(data)).value]


def pptx_dump(data: bytes) -> list[str]:
    return ["\n".join(_dump(data, _SLIDE_PARTS, _drawn_text))]


def python_pptx(data: bytes) -> list[str]:
    lines: list[str] = []
    for slide in _module("pptx").Presentation(io.BytesIO(data)).slides:
        lines += _shape_texts(slide.shapes)
        if slide.has_notes_slide:
            lines.append(slide.notes_slide.notes_text_frame.text)
    return ["\n".join(lines)]


def _shape_texts(shapes: Any) -> Iterable[str]:
    for shape in shapes:
        if hasattr(shape, "shapes"):
            yield from _shape_texts(shape.shapes)
        elif getattr(shape, "has_table", False):
            yield from (cell.text for row in shape.table.rows for cell in row.cells)
        elif shape.has_text_frame:
            yield shape.text_frame.text


def openpyxl(data: bytes) -> list[str]:
    book = _module("openpyxl").load_workbook(io.BytesIO(data), read_only=True, data_only=True)
    lines = []
    for sheet in book.worksheets:
        if sheet.sheet_state == "visible":
            rows = sheet.iter_rows(values_only=True, max_row=20_000)
            lines += [" ".join(str(v) for v in row if v is not None) for row in rows]
    return ["\n".join(lines)]


def pandas(data: bytes) -> list[str]:
    frames = _module("pandas").read_excel(io.BytesIO(data), sheet_name=None, header=None, dtype=str)
    values = (frame.fillna("").to_numpy().ravel() for frame in frames.values())
    return ["\n".join(str(value) for sheet in values for value in sheet if value)]


def xlsx_dump(data: bytes) -> list[str]:
    """The strings of the visible sheets as the cells name them; no numbers."""
    etree = _module("lxml.etree")
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        names = package.namelist()
        shared = [
            "".join(
                each.xpath(".//*[local-name()='t'][not(ancestor::*[local-name()='rPh'])]/text()")
            )
            for name in names
            if name.lower().endswith("sharedstrings.xml")
            for each in etree.fromstring(package.read(name))
        ]
        sheets = [name for name in names if re.fullmatch(r"xl/worksheets/[^/]+\.xml", name)]
        cells = (cell for name in sheets for cell in _cells(etree.fromstring(package.read(name))))
        return ["\n".join(shared[int(v)] if kind == "s" else v for kind, v in cells)]


def _cells(sheet: Any) -> Iterable[tuple[str, str]]:
    for cell in sheet.xpath("//*[local-name()='c'][@t='s' or @t='inlineStr' or @t='str']"):
        for value in cell.xpath(".//*[local-name()='v' or local-name()='t']/text()"):
            yield cell.get("t"), value


def markitdown(data: bytes, extension: str) -> list[str]:
    text = _module("markitdown").MarkItDown().convert_stream(
        io.BytesIO(data), file_extension=extension
    ).text_content  # fmt: skip
    return [re.sub(_MARKITDOWN, " ", _unmarked(text), flags=re.MULTILINE)]


def lxml_html(data: bytes) -> list[str]:
    root = _module("lxml.html").document_fromstring(data)
    for element in list(root.iter(*_UNSEEN_TAGS)):
        element.drop_tree() if element.getparent() is not None else None
    return ["\n".join(root.itertext())]


def stdlib_html(data: bytes) -> list[str]:
    text = _decoded(data)
    parser = _Visible()
    parser.feed(text)
    parser.close()
    return ["".join(parser.parts)]


def epub_lxml(data: bytes) -> list[str]:
    return _of_members(data, _XHTML_NAMES, lxml_html)


def epub_stdlib(data: bytes) -> list[str]:
    return _of_members(data, _XHTML_NAMES, stdlib_html)


def stdlib_mail(data: bytes) -> list[str]:
    mail = message_from_bytes(data, policy=policy.default)
    body = mail.get_body(("plain", "html"))
    lines = [str(mail.get("Subject", ""))]
    if body is not None:
        content = body.get_content()
        is_html = body.get_content_type() == "text/html"
        lines += stdlib_html(content.encode("utf-8")) if is_html else [content]
    return ["\n".join(lines)]


def plain(data: bytes) -> list[str]:
    return [_decoded(data)]


def unmarked(data: bytes) -> list[str]:
    """Markdown without its marks and without the addresses of its links."""
    text = re.sub(r"\A---\n.*?\n---\n", "", _decoded(data), flags=re.DOTALL)
    text = re.sub(r"^\s*(?:```+|~~~+).*$", "", text, flags=re.MULTILINE)
    return [_unmarked(re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL))]


def _unmarked(text: str) -> str:
    text = re.sub(r"data:image/\S+", "", text)
    return re.sub(r"\]\((?:[^()\s]|\([^()]*\))*(?:\s+\"[^\"]*\")?\)|</?[a-zA-Z][^>]*>", " ", text)


def _decoded(data: bytes) -> str:
    """The encoding is not what is measured: that guess is our own."""
    return decode(data)


def _of_members(data: bytes, endings: tuple[str, ...], extract: Extractor) -> list[str]:
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        names = [name for name in package.namelist() if name.lower().endswith(endings)]
        return [
            page
            for name in names
            if not re.search(r"nav\.x?html$|toc\.x?html$", name)
            for page in extract(package.read(name))
        ]


def _dump(data: bytes, names: re.Pattern[str], texts: Callable[[Any], Iterable[str]]) -> list[str]:
    etree = _module("lxml.etree")
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        return [
            "".join(texts(etree.fromstring(package.read(name))))
            for name in package.namelist()
            if names.fullmatch(name)
        ]


def _word_text(root: Any) -> Iterable[str]:
    """Text of runs that are neither deleted, moved away, hidden nor a fallback for old programs."""
    gone = {"del", "moveFrom", "Fallback", "delText", "instrText"}
    for element in root:
        tag = str(element.tag)
        local = tag.rsplit("}", 1)[-1]
        if local in gone or (local == "r" and _is_vanished(element)):
            continue
        if local == "t" and tag.startswith((_W, _STRICT_W)):
            yield element.text or ""
        elif local in ("p", "tab", "br", "tc"):
            yield "\n"
        yield from _word_text(element)


def _is_vanished(run: Any) -> bool:
    found = next(run.iter(f"{_W}vanish"), None)
    return found is not None and found.get(f"{_W}val", "true") not in ("0", "false")


def _drawn_text(root: Any) -> Iterable[str]:
    if root.get("show") == "0":  # a hidden slide
        return
    for element in root.iter(f"{_A}t", f"{_A}p", f"{_A}br"):
        yield (element.text or "") if element.tag == f"{_A}t" else "\n"


class _Visible(html.parser.HTMLParser):
    """Text outside elements that no reader sees or that only frame the page."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []
        self._unseen: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        hidden = any(key == "hidden" for key, _ in attrs)
        if (tag in _UNSEEN_TAGS or hidden or self._unseen) and tag not in _VOID_TAGS:
            self._unseen.append(tag)
        elif tag not in _INLINE_TAGS:
            self.parts.append("\n")

    def handle_endtag(self, tag: str) -> None:
        if tag in self._unseen:
            while self._unseen.pop() != tag:
                continue
        elif tag not in _INLINE_TAGS:
            self.parts.append("\n")

    def handle_data(self, data: str) -> None:
        if not self._unseen:
            self.parts.append(data)


def _markitdown(extension: str) -> Extractor:
    return lambda data: markitdown(data, extension)


EXTRACTORS: dict[str, dict[str, Extractor]] = {
    "pdf": {"pdfium": pdfium, "pypdf": pypdf, "pdfminer": pdfminer},
    "docx": {"python-docx": python_docx, "dump": docx_dump, "mammoth": mammoth},
    "pptx": {"dump": pptx_dump, "python-pptx": python_pptx, "markitdown": _markitdown(".pptx")},
    "xlsx": {"openpyxl": openpyxl, "pandas": pandas, "dump": xlsx_dump},
    "html": {"lxml": lxml_html, "stdlib": stdlib_html, "markitdown": _markitdown(".html")},
    "epub": {"lxml": epub_lxml, "stdlib": epub_stdlib, "markitdown": _markitdown(".epub")},
    "eml": {"stdlib": stdlib_mail},
    "csv": {"plain": plain},
    "text": {"plain": plain},
    "markdown": {"unmarked": unmarked},
}
"""By the format that Footnote found, three where there are three."""
