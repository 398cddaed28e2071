"""Small files of every kind, made where a test needs them."""

import io
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from agent.domain import BlockKind, ParsedDocument
from connectors.formats.worker import parse_file

FILE_BYTES = 100_000_000


def read(folder: Path, name: str, data: bytes | str) -> ParsedDocument:
    """What the parser makes of a file with this content, in this process."""
    path = folder / name.replace("/", "_")
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    parsed = parse_file(str(path), name, FILE_BYTES)
    assert not parsed.trouble, parsed.trouble
    return parsed.document


def headings(document: ParsedDocument) -> list[tuple[int, str]]:
    """(level, heading) of each section that has one."""
    return [(each.level, each.heading) for each in document.sections if each.heading]


def texts(document: ParsedDocument, heading: str = "") -> list[str]:
    """The blocks of the section with this heading; of the lead without one."""
    return [
        block.text
        for section in document.sections
        if section.heading == heading
        for block in section.blocks
    ]


def everything(document: ParsedDocument) -> str:
    """All block texts in reading order."""
    return "\n".join(block.text for each in document.sections for block in each.blocks)


def kinds(document: ParsedDocument, kind: BlockKind) -> list[str]:
    """Texts of all blocks of a kind."""
    return [b.text for each in document.sections for b in each.blocks if b.kind is kind]


def zipped(members: dict[str, bytes | str]) -> bytes:
    """A ZIP file of these members."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as package:
        for name, content in members.items():
            package.writestr(name, content)
    return target.getvalue()


def edited(package: bytes, member: str, old: bytes, new: bytes) -> bytes:
    """A ZIP file with one member changed."""
    with zipfile.ZipFile(io.BytesIO(package)) as source:
        members: dict[str, bytes | str] = {
            name: source.read(name).replace(old, new, 1) if name == member else source.read(name)
            for name in source.namelist()
        }
    return zipped(members)


W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def docx(
    body: str,
    *,
    styles: str = "",
    title: str = "",
    parts: dict[str, tuple[str, str]] | None = None,
    links: dict[str, str] | None = None,
    strict: bool = False,
) -> bytes:
    """A Word file.

    Args:
        body: the XML inside `w:body`.
        styles: the XML inside `w:styles`.
        title: the core property.
        parts: kind of relationship (`footnotes`, `numbering`) to (file name, XML).
        links: relationship id to address outside the package.
        strict: whether to write the strict form of the standard.
    """
    extra = {"styles": ("styles.xml", f'<w:styles xmlns:w="{W}">{styles}</w:styles>')}
    extra |= parts or {}
    relations = "".join(
        f'<Relationship Id="p{place}" Type="{_R}/{kind}" Target="{name}"/>'
        for place, (kind, (name, _)) in enumerate(extra.items())
    ) + "".join(
        f'<Relationship Id="{key}" Type="{_R}/hyperlink" Target="{target}" TargetMode="External"/>'
        for key, target in (links or {}).items()
    )
    package = "http://schemas.openxmlformats.org/package/2006"
    members: dict[str, bytes | str] = {
        "[Content_Types].xml": f'<Types xmlns="{package}/content-types">'
        '<Default Extension="xml" ContentType="application/xml"/>'
        '<Default Extension="html" ContentType="text/html"/>'
        '<Default Extension="rels" ContentType='
        '"application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-'
        'officedocument.wordprocessingml.document.main+xml"/>'
        '<Override PartName="/docProps/core.xml" ContentType='
        '"application/vnd.openxmlformats-package.core-properties+xml"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{package}/relationships">'
        f'<Relationship Id="r1" Type="{_R}/officeDocument" Target="word/document.xml"/>'
        f'<Relationship Id="r2" Type="{package}/relationships/metadata/core-properties" '
        'Target="docProps/core.xml"/></Relationships>',
        "docProps/core.xml": f'<cp:coreProperties xmlns:cp="{package}/metadata/core-properties" '
        f'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>{title}</dc:title>'
        "</cp:coreProperties>",
        "word/_rels/document.xml.rels": f'<Relationships xmlns="{package}/relationships">'
        f"{relations}</Relationships>",
        "word/document.xml": f'<w:document xmlns:w="{W}" xmlns:r="{_R}" '
        'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
        'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" '
        f'xmlns:v="urn:schemas-microsoft-com:vml"><w:body>{body}</w:body></w:document>',
    }
    members |= {f"word/{name}": xml for name, xml in extra.values()}
    if strict:
        members = {name: _strict(str(content)) for name, content in members.items()}
    return zipped(members)


def _strict(content: str) -> str:
    for kind in ("wordprocessingml", "officeDocument"):
        old = f"http://schemas.openxmlformats.org/{kind}/2006/"
        content = content.replace(old, f"http://purl.oclc.org/ooxml/{kind}/")
    return content


def paragraph(text: str, style: str = "", properties: str = "", run: str = "") -> str:
    """A Word paragraph; `properties` go into `w:pPr`, `run` into `w:rPr`."""
    named = f'<w:pStyle w:val="{style}"/>' if style else ""
    return (
        f"<w:p><w:pPr>{named}{properties}</w:pPr><w:r><w:rPr>{run}</w:rPr>"
        f'<w:t xml:space="preserve">{text}</w:t></w:r></w:p>'
    )


def style(key: str, name: str, inner: str = "", based_on: str = "") -> str:
    """A paragraph style."""
    base = f'<w:basedOn w:val="{based_on}"/>' if based_on else ""
    return (
        f'<w:style w:type="paragraph" w:styleId="{key}"><w:name w:val="{name}"/>{base}{inner}'
        "</w:style>"
    )


@dataclass(frozen=True, slots=True)
class Put:
    """A line of text on a PDF page; y counts from the bottom, in points."""

    text: str
    x: float
    y: float
    size: float = 10
    bold: bool = False
    mode: int = 0


@dataclass(frozen=True, slots=True)
class Mark:
    """A bookmark; `page` counts from 0."""

    title: str
    page: int
    top: float | None = None
    children: tuple["Mark", ...] = ()


@dataclass(slots=True)
class _Objects:
    """The numbered objects of a PDF in the making."""

    bodies: list[bytes] = field(default_factory=list)

    def add(self, body: str | bytes) -> int:
        self.bodies.append(body.encode("latin-1") if isinstance(body, str) else body)
        return len(self.bodies)

    def reserve(self) -> int:
        return self.add(b"null")

    def set(self, number: int, body: str) -> None:
        self.bodies[number - 1] = body.encode("latin-1")

    def written(self, root: int, info: int) -> bytes:
        out = bytearray(b"%PDF-1.7\n")
        offsets = []
        for number, body in enumerate(self.bodies, start=1):
            offsets.append(len(out))
            out += b"%d 0 obj\n%b\nendobj\n" % (number, body)
        start = len(out)
        out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(offsets) + 1)
        out += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
        out += b"trailer\n<</Size %d/Root %d 0 R/Info %d 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (
            len(offsets) + 1, root, info, start,
        )  # fmt: skip
        return bytes(out)


def pdf(
    pages: Sequence[Sequence[Put]],
    *,
    title: str = "",
    marks: Sequence[Mark] = (),
    labels: str = "",
    drawing: bytes = b"",
) -> bytes:
    """A PDF of A4 pages in Helvetica.

    Args:
        pages: the lines of each page.
        title: of the document's information.
        marks: its bookmarks.
        labels: the inside of the `/Nums` array of `/PageLabels`.
        drawing: operators painted on each page before its text.
    """
    objects = _Objects()
    root, tree, info = objects.reserve(), objects.reserve(), objects.reserve()
    regular = objects.add(
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>"
    )
    bold = objects.add(
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica-Bold/Encoding/WinAnsiEncoding>>"
    )
    image = objects.add(
        b"<</Type/XObject/Subtype/Image/Width 1/Height 1/ColorSpace/DeviceGray/BitsPerComponent 8"
        b"/Length 1>>\nstream\n\x80\nendstream"
    )
    kids = []
    for lines in pages:
        content = drawing + b"\n" + b"\n".join(map(_painted, lines))
        stream = objects.add(b"<</Length %d>>\nstream\n%b\nendstream" % (len(content), content))
        kids.append(
            objects.add(
                f"<</Type/Page/Parent {tree} 0 R/MediaBox[0 0 595 842]/Contents {stream} 0 R"
                f"/Resources<</Font<</R {regular} 0 R/B {bold} 0 R>>/XObject<</I {image} 0 R>>>>>>"
            )
        )
    outline = _outline(objects, marks, kids) if marks else 0
    objects.set(tree, f"<</Type/Pages/Kids[{_refs(kids)}]/Count {len(kids)}>>")
    objects.set(info, f"<</Title({_escaped(title)})>>")
    objects.set(
        root,
        f"<</Type/Catalog/Pages {tree} 0 R"
        + (f"/Outlines {outline} 0 R" if outline else "")
        + (f"/PageLabels<</Nums[{labels}]>>" if labels else "")
        + ">>",
    )
    return objects.written(root, info)


def _painted(put: Put) -> bytes:
    font = "B" if put.bold else "R"
    text = _escaped(put.text)
    return f"BT {put.mode} Tr /{font} {put.size} Tf {put.x} {put.y} Td ({text}) Tj ET".encode(
        "cp1252"
    )


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")


def _refs(numbers: Sequence[int]) -> str:
    return " ".join(f"{number} 0 R" for number in numbers)


def _outline(objects: _Objects, marks: Sequence[Mark], kids: Sequence[int]) -> int:
    root = objects.reserve()
    first, last = _siblings(objects, marks, kids, root)
    objects.set(root, f"<</Type/Outlines/First {first} 0 R/Last {last} 0 R>>")
    return root


def _siblings(
    objects: _Objects, marks: Sequence[Mark], kids: Sequence[int], parent: int
) -> tuple[int, int]:
    numbers = [objects.reserve() for _ in marks]
    for place, mark in enumerate(marks):
        top = "null" if mark.top is None else str(mark.top)
        body = f"/Title({_escaped(mark.title)})/Parent {parent} 0 R"
        body += f"/Dest[{kids[mark.page]} 0 R/XYZ 0 {top} 0]"
        if place:
            body += f"/Prev {numbers[place - 1]} 0 R"
        if place + 1 < len(marks):
            body += f"/Next {numbers[place + 1]} 0 R"
        if mark.children:
            first, last = _siblings(objects, mark.children, kids, numbers[place])
            body += f"/First {first} 0 R/Last {last} 0 R/Count {len(mark.children)}"
        objects.set(numbers[place], f"<<{body}>>")
    return numbers[0], numbers[-1]
