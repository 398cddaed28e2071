"""What the first bytes of a file, or the names at the top of an OLE file, say that it is."""

OLD_FILES = (
    ("EncryptedPackage", "password", "the file is protected with a password"),
    ("WordDocument", "legacy", "this is an old Word file (.doc); save it as .docx"),
    ("PowerPoint Document", "legacy", "this is an old PowerPoint file (.ppt); save as .pptx"),
    ("PP40", "legacy", "this is an old PowerPoint file (.ppt); save as .pptx"),
    ("Workbook", "legacy", "this is an old Excel file (.xls); save it as .xlsx"),
    ("Book", "legacy", "this is an old Excel file (.xls); save it as .xlsx"),
    ("VisioDocument", "legacy", "this is an old Visio file (.vsd); save it as PDF"),
    ("Quill", "legacy", "this is a Publisher file (.pub); save it as PDF"),
    ("Catalog", "unsupported", "this is a list of thumbnails, not a document"),
)
"""What stands at the top of an OLE file, and what that makes it."""
_OLD_MAGIC = (
    (b"\xdb\xa5", "this is an old Word file (.doc); save it as .docx"),
    (b"1\xbe\0\0", "this is an old Word file (.doc); save it as .docx"),
    (b"\t\0\4\0", "this is an old Excel file (.xls); save it as .xlsx"),
    (b"\t\2\6\0", "this is an old Excel file (.xls); save it as .xlsx"),
    (b"\t\4\6\0", "this is an old Excel file (.xls); save it as .xlsx"),
    (b"\t\x08\x08\0", "this is an old Excel file (.xls); save it as .xlsx"),
    (b"\t\x08\x10\0", "this is an old Excel file (.xls); save it as .xlsx"),
    (b"\xffWPC", "this is a WordPerfect file; save it as .docx"),
)
_BINARY = (
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"GIF8", "a picture"),
    (b"BM", "a picture"),
    (b"II*\0", "a picture"),
    (b"MM\0*", "a picture"),
    (b"RIFF", "sound, film or a picture"),
    (b"ID3", "sound"),
    (b"OggS", "sound"),
    (b"\x1f\x8b", "a packed file"),
    (b"BZh", "a packed file"),
    (b"\xfd7zXZ", "a packed file"),
    (b"7z\xbc\xaf", "a packed file"),
    (b"Rar!", "a packed file"),
    (b"\x7fELF", "a program"),
    (b"MZ", "a program"),
    (b"SQLite format 3", "a database"),
    (b"\xff\xfb", "sound"),
    (b"\xff\xf3", "sound"),
    (b"fLaC", "sound"),
    (b"8BPS", "a picture"),
    (b"\0\0\1\0", "a picture"),
    (b"\xd7\xcd\xc6\x9a", "a picture"),
    (b"\x1a\x45\xdf\xa3", "a film"),
    (b"AC10", "a drawing of AutoCAD; save it as PDF"),
    (b"MSCF", "a packed file"),
    (b"PAR1", "a table for programs (Parquet)"),
    (b"\xca\xfe\xba\xbe", "a program"),
    (b"wOFF", "a font"),
    (b"\0\1\0\0\0", "a font"),
    (b'x\x9f>"', "Outlook's own packing of a mail (winmail.dat)"),
    (b"{\\rtf", "a Rich Text file; save it as .docx"),
    (b"%!PS", "a PostScript file; save it as PDF"),
)
_FILM_AT = 4
_TAR_AT = 257


def old_format(head: bytes) -> str:
    """Why a file of an old Office program is not read; empty for others."""
    return next((problem for magic, problem in _OLD_MAGIC if head.startswith(magic)), "")


def other_kind(head: bytes, *, is_binary: bool) -> str:
    """What a file is that is no document; empty where its first bytes do not tell.

    Args:
        head: its first bytes.
        is_binary: whether they are no text; marks of two letters stand in texts too.
    """
    if is_binary and head[_FILM_AT : _FILM_AT + 4] == b"ftyp":
        return "a film, sound or a picture"
    if head[_TAR_AT : _TAR_AT + 5] == b"ustar":
        return "a packed file"
    found = (
        what for magic, what in _BINARY if head.startswith(magic) and (len(magic) > 2 or is_binary)
    )
    return next(found, "")
