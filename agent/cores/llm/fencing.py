"""Keeps the words of documents apart from the words of the prompt.

A document cannot close its fence: the fence carries a digest of the text inside, which no text can
hold of itself. Titles, headings and names stand on one line, without what could end it.
"""

import hashlib
import re

_UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]")


def fenced(name: str, text: str) -> str:
    """The text between two lines that it cannot imitate."""
    body = _UNSEEN.sub(" ", text)
    mark = hashlib.sha256(f"{name}\0{body}".encode()).hexdigest()[:8]
    return f"<<<{name} {mark}>>>\n{body}\n<<<end {mark}>>>"


def on_one_line(text: str, chars: int | None = None) -> str:
    """A title, heading or name without line breaks and control characters, cut to `chars`."""
    line = " ".join(_UNSEEN.sub(" ", text).split())
    if chars is None or len(line) <= chars:
        return line
    return line[: chars - 1].rstrip() + "…"
