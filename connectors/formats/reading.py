"""Bytes of any kind to a document: look what it is, then ask the reader of that format.

Readers are imported when the first file of their kind comes, as most libraries hold few kinds.
"""

import importlib
from collections.abc import Mapping
from typing import TYPE_CHECKING

from agent.domain import ParsedDocument
from connectors.formats.detect import Kind

if TYPE_CHECKING:
    from connectors.formats.pdf.page import Page

_MODULES = {
    Kind.MARKDOWN: "connectors.formats.markdown",
    Kind.HTML: "connectors.formats.html.reader",
    Kind.TEXT: "connectors.formats.text",
    Kind.DOCX: "connectors.formats.docx.reader",
    Kind.PDF: "connectors.formats.pdf.reader",
    Kind.PPTX: "connectors.formats.pptx",
    Kind.XLSX: "connectors.formats.sheet.reader",
    Kind.CSV: "connectors.formats.sheet.reader",
    Kind.EML: "connectors.formats.mail.eml",
    Kind.MSG: "connectors.formats.mail.outlook",
    Kind.EPUB: "connectors.formats.epub",
}


def read(
    kind: Kind, data: bytes, name: str, recognised: "Mapping[int, Page] | None" = None
) -> ParsedDocument:
    """A file of a known kind.

    Args:
        kind: its format.
        data: the whole file.
        name: its path inside the source.
        recognised: pages of a PDF that were read from their pictures.

    Raises:
        ParseError: it cannot be read, with the reason.
    """
    parse = importlib.import_module(_MODULES[kind]).parse
    document: ParsedDocument = parse(data, name, recognised) if recognised else parse(data, name)
    return document
