"""Names as drives have them, made storable, showable and linkable.

A file name is bytes. People are shown NFC text with replacement characters where bytes are no
text; the drive is asked with the very bytes it gave.
"""

import hashlib
import os
import unicodedata
from urllib.parse import quote, unquote_to_bytes

_ESCAPED = "//"
"""Marks an address that is percent-escaped bytes; no relative path begins so."""


def shown(raw: str) -> str:
    """A raw path or name as people see it: valid Unicode, NFC, no control characters."""
    text = os.fsencode(raw).decode("utf-8", "replace")
    text = "".join("\ufffd" if unicodedata.category(one) == "Cc" else one for one in text)
    return unicodedata.normalize("NFC", text)


def to_address(raw: str) -> str:
    """A raw path as text that any database takes; different paths stay different."""
    try:
        raw.encode("utf-8")
    except UnicodeEncodeError:
        return _ESCAPED + quote(os.fsencode(raw))
    return raw


def from_address(address: str) -> str:
    """The raw path of an address."""
    if address.startswith(_ESCAPED):
        return os.fsdecode(unquote_to_bytes(address.removeprefix(_ESCAPED)))
    return address


def told_apart(name: str, raw: str) -> str:
    """A shown name for a file that looks like its neighbour: a short, lasting mark before the dot.

    Args:
        name: as shown.
        raw: its raw path, which decides the mark.
    """
    mark = hashlib.sha256(os.fsencode(raw)).hexdigest()[:6]
    stem, dot, suffix = name.rpartition(".")
    return f"{stem} ({mark}){dot}{suffix}" if stem else f"{name} ({mark})"


def link_to(template: str, raw: str) -> str:
    """The drive's own address of a file; empty without a template."""
    return template.replace("{path}", quote(os.fsencode(raw))) if template else ""
