"""Head lines of a mail as text, however old or careless the program that wrote them."""

import re
from email.errors import HeaderParseError
from email.header import decode_header
from email.message import Message

from connectors.formats.raw.encoding import decode

_ENCODED = re.compile(r"=\?[^?\s]+\?[bBqQ]\?[^?]*\?=(?:\s*=\?[^?\s]+\?[bBqQ]\?[^?]*\?=)*")


def header(mail: Message, name: str) -> str:
    """A header decoded, on one line; several of the same name after each other."""
    values = [str(value) for key, value in mail.raw_items() if key.lower() == name.lower()]
    return ", ".join(filter(None, map(decoded, values)))


def decoded(value: str) -> str:
    """The text of a header, with its encoded words and its bytes of any charset."""
    plain = decode(value.encode("utf-8", "surrogateescape"))
    if "=?" in plain:
        plain = _ENCODED.sub(lambda match: _words(match[0]), plain)
    return " ".join(plain.split())


def file_name(part: Message) -> str:
    """The name that a part says a file should have; empty without one."""
    try:
        return decoded(part.get_filename("") or "")
    except (ValueError, IndexError, LookupError, TypeError):  # malformed parameters
        return ""


def _words(run: str) -> str:
    """Encoded words in a row, as a character may be cut between two of them."""
    try:
        pieces = decode_header(re.sub(r"\?=\s*=\?", "?= =?", run))
    except (HeaderParseError, ValueError):
        return run
    return "".join(
        decode(data, charset or "") if isinstance(data, bytes) else data for data, charset in pieces
    )
