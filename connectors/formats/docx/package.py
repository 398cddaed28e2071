"""The parts of a Word package; the only file that knows python-docx.

python-docx finds the parts and the properties. It refuses packages in the strict form of the
standard and those with a relationship to a missing part, both of which Word opens; such files
are opened again from a mended copy in memory. Its own reading of the body would lose tracked
insertions, content controls and text boxes, so the body is walked on plain XML.
"""

import io
import re
import zipfile
from dataclasses import dataclass
from pathlib import PurePosixPath

from docx.opc.exceptions import PackageNotFoundError
from docx.opc.part import Part, XmlPart
from docx.package import Package
from lxml import etree

from connectors.formats.raw.package import damaged, resolved, tree

_RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_MAIN = f"{_RELATIONS}/officeDocument"
_STRICT = re.compile(rb"http://purl\.oclc\.org/ooxml/(\w+)/")
_STRICT_DML = b"http://schemas.openxmlformats.org/\\1/2006/"
_PACKAGE_RELATION = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"


@dataclass(frozen=True, slots=True)
class WordParts:
    """What a Word package holds, as far as the reader needs it.

    Attributes:
        links: relationship id to target, for links that lead out of the package.
        chunks: relationship id to (content type, bytes) of embedded documents.
    """

    body: etree._Element
    styles: etree._Element | None
    numbering: etree._Element | None
    footnotes: etree._Element | None
    endnotes: etree._Element | None
    title: str
    links: dict[str, str]
    chunks: dict[str, tuple[str, bytes]]


def open_parts(data: bytes) -> WordParts:
    """The parts of a Word file.

    Raises:
        ParseError: `damaged`, where even the mended copy cannot be opened.
    """
    try:
        return _parts(Package.open(io.BytesIO(data)))
    except (KeyError, ValueError, PackageNotFoundError, etree.XMLSyntaxError):
        pass  # strict form or a missing part: mended below, where a failure is told
    try:
        return _parts(Package.open(io.BytesIO(_mended(data))))
    except (KeyError, ValueError, PackageNotFoundError, etree.XMLSyntaxError) as error:
        raise damaged("the Word file cannot be opened", error) from error


def _parts(package: Package) -> WordParts:
    main = package.part_related_by(_MAIN)
    links: dict[str, str] = {}
    chunks: dict[str, tuple[str, bytes]] = {}
    for key, relation in main.rels.items():
        if relation.is_external:
            if relation.reltype.endswith("/hyperlink"):
                links[key] = str(relation.target_ref)
        elif relation.reltype.endswith("/aFChunk"):
            chunks[key] = (relation.target_part.content_type, relation.target_part.blob)
    return WordParts(
        body=_root(main),
        styles=_related(main, "styles"),
        numbering=_related(main, "numbering"),
        footnotes=_related(main, "footnotes"),
        endnotes=_related(main, "endnotes"),
        title=_title(package),
        links=links,
        chunks=chunks,
    )


def _root(part: Part) -> etree._Element:
    """The part's XML; python-docx has read the parts that it knows already."""
    return part.element if isinstance(part, XmlPart) else tree(part.blob)


def _related(main: Part, kind: str) -> etree._Element | None:
    try:
        return _root(main.part_related_by(f"{_RELATIONS}/{kind}"))
    except (KeyError, ValueError):
        return None


def _title(package: Package) -> str:
    try:
        return str(package.core_properties.title or "")
    except (KeyError, ValueError, etree.XMLSyntaxError):
        return ""


def _mended(data: bytes) -> bytes:
    """The package in the transitional form, without relationships that lead nowhere."""
    target = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as source, zipfile.ZipFile(target, "w") as mended:
        names = set(source.namelist())
        for entry in source.infolist():
            content = source.read(entry)
            if entry.filename.endswith((".xml", ".rels")):
                content = _STRICT.sub(_STRICT_DML, content)
            if entry.filename.endswith(".rels"):
                content = _without_missing(content, entry.filename, names)
            mended.writestr(entry.filename, content)
    return target.getvalue()


def _without_missing(content: bytes, name: str, names: set[str]) -> bytes:
    root = tree(content)
    folder = PurePosixPath(name).parent.parent
    for relation in list(root.iter(_PACKAGE_RELATION)):
        if relation.get("TargetMode") != "External":
            target = resolved(folder, relation.get("Target", ""))
            if target not in names:
                root.remove(relation)
    return etree.tostring(root)
