"""Small PDFs with what word processors and forms put beside the text: tags, fields, notes."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Tagged:
    """A piece of text with its tag; y counts from the bottom, in points."""

    tag: str
    text: str
    x: float
    y: float
    size: float = 10


@dataclass(frozen=True, slots=True)
class TaggedRow:
    """A table row: (tag, text, x) of its cells."""

    cells: tuple[tuple[str, str, float], ...]
    y: float


def tagged(
    pieces: Sequence[Tagged], rows: Sequence[TaggedRow] = (), roles: str = "", order: int = 1
) -> bytes:
    """A page whose text is tagged.

    Args:
        pieces: each an element of its own.
        rows: one table of these rows below them.
        roles: the inside of the role map.
        order: -1 writes the cells of each row from the right, as some programs do.
    """
    bodies: list[bytes] = [b""] * 6
    painted: list[str] = []
    parents: list[int] = []
    kids: list[int] = []
    for piece in pieces:
        bodies.append(_element(piece.tag, 6, str(len(painted))))
        kids.append(len(bodies))
        parents.append(len(bodies))
        painted.append(_marked(piece.text, piece.x, piece.y, piece.size, len(painted)))
    if rows:
        bodies.append(b"")
        table, row_numbers = len(bodies), []
        for row in rows:
            bodies.append(b"")
            number, cell_numbers = len(bodies), []
            for tag, text, x in row.cells[::order]:
                bodies.append(_element(tag, number, str(len(painted))))
                cell_numbers.append(len(bodies))
                parents.append(len(bodies))
                painted.append(_marked(text, x, row.y, 10, len(painted)))
            bodies[number - 1] = _element("TR", table, _refs(cell_numbers))
            row_numbers.append(number)
        bodies[table - 1] = _element("Table", 6, _refs(row_numbers))
        kids.append(table)
    bodies[0] = (
        f"<</Type/Catalog/Pages 2 0 R/MarkInfo<</Marked true>>/StructTreeRoot<</Type"
        f"/StructTreeRoot/K 6 0 R/RoleMap<<{roles}>>/ParentTree<</Nums[0[{_refs(parents)}]]>>>>>>"
    ).encode()
    bodies[1:5] = [
        *_page("/StructParents 0"),
        _stream("\n".join(painted)),
    ]
    bodies[5] = f"<</Type/StructElem/S/Document/K[{_refs(kids)}]>>".encode()
    return _written(bodies)


def with_fields(texts: Sequence[str], fields: Sequence[str]) -> bytes:
    """A page with lines of text and with annotations.

    Args:
        texts: one line each, 20 points apart from y = 700 down, at x = 72.
        fields: the inside of each annotation's dictionary; those with `/FT` are form fields.
    """
    bodies: list[bytes] = [b""] * 5
    numbers = list(range(6, 6 + len(fields)))
    bodies += [f"<</Type/Annot {each}>>".encode() for each in fields]
    form = [number for number, each in zip(numbers, fields, strict=True) if "/FT" in each]
    bodies[0] = (
        f"<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[{_refs(form)}]/DA(/R 0 Tf)>>>>".encode()
    )
    lines = [_shown(text, 72, 700 - 20 * place, 10) for place, text in enumerate(texts)]
    bodies[1:5] = [*_page(f"/Annots[{_refs(numbers)}]"), _stream("\n".join(lines))]
    return _written(bodies)


def _page(extra: str) -> list[bytes]:
    return [
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 5 0 R{extra}"
        "/Resources<</Font<</R 4 0 R>>>>>>".encode(),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
    ]


def _element(tag: str, parent: int, kids: str) -> bytes:
    return f"<</Type/StructElem/S/{tag}/P {parent} 0 R/Pg 3 0 R/K[{kids}]>>".encode()


def _marked(text: str, x: float, y: float, size: float, number: int) -> str:
    return f"/P<</MCID {number}>>BDC {_shown(text, x, y, size)} EMC"


def _shown(text: str, x: float, y: float, size: float) -> str:
    return f"BT /R {size} Tf {x} {y} Td ({text}) Tj ET"


def _stream(content: str) -> bytes:
    data = content.encode("cp1252")
    return b"<</Length %d>>\nstream\n%b\nendstream" % (len(data), data)


def _refs(numbers: Sequence[int]) -> str:
    return " ".join(f"{number} 0 R" for number in numbers)


def _written(bodies: Sequence[bytes]) -> bytes:
    out = bytearray(b"%PDF-1.7\n")
    offsets = []
    for number, body in enumerate(bodies, start=1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(offsets) + 1)
    out += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    out += b"trailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (len(offsets) + 1, start)
    return bytes(out)
