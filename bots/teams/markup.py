"""Text of documents and models as Teams shows it literally.

Teams reads Markdown and a little HTML. Whatever was not written by us must come out as it stands
in its document: signs of markup are escaped, nobody is mentioned, nothing becomes a link.
"""

import re

_MARKER = re.compile(r"\[\d{1,3}\]")
_SIGNS = re.compile(r"([\\`*_~\[\]{}#|])")
_LINE_START = re.compile(r"^(\s*)([-+>=]|\d{1,4}[.)])(?=\s)", re.MULTILINE)
_BULLET = re.compile(r"^\s*[-*•‣◦]\s+")
_LINK = re.compile(r"(?<=\w)(://|@)|\bwww\.", re.IGNORECASE)
_WORD_JOINER = "\u2060"


def literal(text: str) -> str:
    """The text as it stands: no markup, no mention, no link."""
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    text = _LINK.sub(lambda match: match[0] + _WORD_JOINER, text)
    return _LINE_START.sub(r"\1\\\2", _SIGNS.sub(r"\\\1", text))


def literal_with_markers(text: str) -> str:
    """The same, but footnote markers `[n]` stay markers and bullets stay bullets."""
    return "\n".join(_line(line) for line in text.split("\n"))


def _line(line: str) -> str:
    bullet = _BULLET.match(line)
    lead = "- " if bullet else ""
    rest = line[bullet.end() :] if bullet else line
    written, position = [], 0
    for marker in _MARKER.finditer(rest):
        written += [literal(rest[position : marker.start()]), marker[0]]
        position = marker.end()
    return lead + "".join(written) + literal(rest[position:])


def cut(text: str, limit: int) -> str:
    """The text on one line, cut to `limit` characters with an ellipsis."""
    text = " ".join(text.split())
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"
