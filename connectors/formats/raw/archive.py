"""Looks into ZIP packages before any parser does, and refuses those that are bombs.

A package of 600 kB can unpack to 600 MB and take a gigabyte of memory with it. Declared sizes
are checked first; whoever unpacks a member counts the real ones, as a package can lie.
"""

import io
import lzma
import struct
import zipfile
import zlib

from agent.errors import ParseError

MAX_TOTAL_BYTES = 200 * 1024 * 1024
MAX_RATIO = 100
RATIO_FROM_BYTES = 10 * 1024 * 1024
MAX_ENTRIES = 10_000
_CHUNK_BYTES = 1 << 20

_BROKEN = (
    zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError,
    NotImplementedError,  # zipfile's word for a compression it does not know
    RuntimeError, ValueError, OverflowError, struct.error,
)  # fmt: skip
"""What `zipfile` raises on a broken package; ValueError covers names in no encoding."""
_FOLDERS = {"word/": "docx", "ppt/": "pptx", "xl/": "xlsx"}
_OTHERS = {
    "xl/workbook.bin": "a binary Excel file (.xlsb); save it as .xlsx",
    "visio/document.xml": "a Visio file (.vsdx); save it as PDF",
    "Index/Document.iwa": "a file of Apple Pages, Numbers or Keynote; save it as PDF",
    "Index.zip": "a file of Apple Pages, Numbers or Keynote; save it as PDF",
    "FixedDocSeq.fdseq": "an XPS file; save it as PDF",
}
"""Names of members, and what their package is."""


def office_kind(data: bytes) -> str:
    """What a package holds: a value of `detect.Kind`.

    Raises:
        ParseError: a bomb (`too_large`), truncated (`damaged`), or nothing we read.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            check(package)
            return _kind(package)
    except _BROKEN as error:
        raise ParseError("damaged", f"the package cannot be opened ({error})") from error


def check(package: zipfile.ZipFile) -> None:
    """Refuse a package by the sizes it declares and by those it really has.

    Raises:
        ParseError: `too_large`, or `password` where members are encrypted.
    """
    entries = package.infolist()
    if len(entries) > MAX_ENTRIES:
        raise ParseError("too_large", f"the package has {len(entries)} entries")
    total = sum(entry.file_size for entry in entries)
    packed = sum(entry.compress_size for entry in entries)
    _check_sizes(total, packed)
    if any(entry.flag_bits & 1 for entry in entries):
        raise ParseError("password", "the package is protected with a password")
    unpacked = 0
    for entry in entries:
        unpacked = _unpack(package, entry, unpacked)
    _check_sizes(unpacked, packed)


def _check_sizes(total: int, packed: int) -> None:
    if total > MAX_TOTAL_BYTES:
        raise ParseError("too_large", f"the package unpacks to {total >> 20} MiB")
    if total > RATIO_FROM_BYTES and total > MAX_RATIO * max(packed, 1):
        raise ParseError("too_large", "the package unpacks to more than 100 times its size")


def _unpack(package: zipfile.ZipFile, entry: zipfile.ZipInfo, before: int) -> int:
    """Read a member without keeping it; the bytes unpacked so far."""
    with package.open(entry) as member:
        while chunk := member.read(_CHUNK_BYTES):
            before += len(chunk)
            if before > MAX_TOTAL_BYTES:
                raise ParseError("too_large", "the package unpacks to more than 200 MiB")
    return before


def _kind(package: zipfile.ZipFile) -> str:
    names = [name.replace("\\", "/") for name in package.namelist()]
    if not names:
        raise ParseError("empty", "the package holds nothing")
    if "mimetype" in names:
        kind = package.read("mimetype")[:80].decode("ascii", "replace").strip()
        if kind == "application/epub+zip":
            return "epub"
        raise ParseError("unsupported", f"{kind} is not read; save it as .docx, .xlsx or PDF")
    if "META-INF/container.xml" in names:
        return "epub"
    return _kind_by_members(names)


def _kind_by_members(names: list[str]) -> str:
    for sign, what in _OTHERS.items():
        if any(sign in name for name in names):
            raise ParseError("unsupported", f"this is {what}")
    for folder, kind in _FOLDERS.items():
        if any(name.startswith(folder) and name.endswith(".xml") for name in names):
            return kind
    raise ParseError("unsupported", "this is a ZIP file of other files, not a document")
