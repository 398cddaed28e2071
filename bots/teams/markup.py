"""Text of documents and models as Teams shows it literally.

Teams reads Markdown and a little HTML. Whatever was not written by us must come out as it stands
in its document: signs of markup are escaped, nobody is mentioned, nothing becomes a link. Lists
are written with bullets of our own, as some clients show no citation chips inside Markdown lists.
"""

import re
from itertools import pairwise

BREAK = "  \n"
"""A line break inside a paragraph."""

_MARKER = re.compile(r"\[\d{1,3}\]")
_SIGNS = re.compile(r"([\\`*_~\[\]{}#|])")
_LINE_START = re.compile(r"^(\s*)([-+=])(?=\s|[-=]+$)", re.MULTILINE)
_NUMBER = re.compile(r"^(\s*\d{1,9})([.)])(?=\s)", re.MULTILINE)
_BULLET = re.compile(r"^(\s*)[-*•‣◦]\s+")
_LINK = re.compile(r"(?<=\w)(?=://|@\w)|(?<=\bwww)(?=\.)", re.IGNORECASE)
_WORD_JOINER = "\u2060"
_INDENT = "\u2003"


def literal(text: str) -> str:
    """The text as it stands: no markup, no mention, no link."""
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    text = _SIGNS.sub(r"\\\1", _LINK.sub(_WORD_JOINER, text))
    return _NUMBER.sub(r"\1\\\2", _LINE_START.sub(r"\1\\\2", text))


def literal_with_markers(text: str) -> str:
    """The same, but footnote markers `[n]` stay markers and lines stay lines."""
    lines = [_line(line) for line in text.split("\n")]
    ends = [BREAK if line and following else "\n" for line, following in pairwise(lines)]
    return "".join(line + end for line, end in zip(lines, [*ends, ""], strict=True))


def cut(text: str, limit: int) -> str:
    """The text on one line, cut to `limit` characters with an ellipsis."""
    text = " ".join(text.split())
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


def _line(line: str) -> str:
    bullet = _BULLET.match(line)
    indent = bullet[1] if bullet else line[: len(line) - len(line.lstrip())]
    rest = line[bullet.end() :] if bullet else line.strip()
    written, position = [], 0
    for marker in _MARKER.finditer(rest):
        written += [literal(rest[position : marker.start()]), marker[0]]
        position = marker.end()
    lead = _INDENT * (len(indent) // 2) + ("• " if bullet else "")
    return lead + "".join(written) + literal(rest[position:])
