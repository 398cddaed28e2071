"""Renders plain inline Markdown many times faster than a parser; gives up where it is not plain.

What it renders is exactly what the parser would: code, links, pictures, escapes, and emphasis
whose marks stand clearly at the edges of words. Anything else is `None`, for the parser to read.
"""

import re
from dataclasses import dataclass, field

_MARKS = re.compile(r"[\\`*_\[\]<&~{\n]")
_CODE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_LINK = re.compile(r"(!?)\[([^\[\]]*)\]\(([\w./#?=%:~+,;@&-]*)(?:[ ]+\"[^\"\n]*\")?\)", re.ASCII)
_UNSAFE = re.compile(r"(?:javascript|vbscript|file|data):|%(?![0-9a-f]{2})|&\w+;", re.IGNORECASE)
_STARS = re.compile(
    r"(?<!\*)(\*\*?)(?:(?<=[^\w*]\*)|(?<=[^\w*]\*\*)|(?<=^\*)|(?<=^\*\*)|(?=\w))(?=[^\s*])"
    r"([^*]*[^\s*])\1(?:(?<=\w\*)|(?<=\w\*\*)|(?=[^\w*]|$))(?!\*)"
)
_UNDERSCORES = re.compile(r"(?<![\w])(__?)(?=[^\s_])((?:[^_]|(?<=\w)_(?=\w))*?[^\s_])\1(?!\w)")
_LOOSE_STAR = re.compile(r"(?<!\s)\*|\*(?!\s)")
_LOOSE_UNDERSCORE = re.compile(r"(?<![^\W_])_|_(?![^\W_])")
_ENTITY = re.compile(r"&(?:#|[a-zA-Z]\w*;)")
_TAG = re.compile(r"<(?![\s\d=])")
_HELD = re.compile("[\ue000-\uf8ff]")
_FIRST_HELD, _MOST_HELD = 0xE010, 1_000
_OPEN, _CLOSE = "\ue000", "\ue001"


@dataclass(slots=True)
class _Held:
    """Texts taken out while marks are looked for; each leaves one character in its place."""

    texts: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    odd: bool = False

    def literal(self, match: re.Match[str]) -> str:
        self.odd |= len(self.texts) >= _MOST_HELD
        self.texts.append(match[1])
        return chr(_FIRST_HELD + len(self.texts) - 1)

    def code(self, match: re.Match[str]) -> str:
        text = match[1]
        if text[0] == text[-1] == " " and text.strip():
            self.odd = True
        return self.literal(match)

    def link(self, match: re.Match[str]) -> str:
        picture, label, target = match.groups()
        self.odd |= _UNSAFE.search(target) is not None
        if not picture:
            self.links.append(target)
        return f"{_OPEN}{label}{_CLOSE}"

    def back(self, match: re.Match[str]) -> str:
        place = ord(match[0]) - _FIRST_HELD
        return self.texts[place] if place >= 0 else ""


def rendered(source: str, links: list[str], *, references: bool) -> str | None:
    """The text that a reader sees, soft line breaks as NUL; None where a parser must tell.

    Args:
        source: inline Markdown; its lines begin without blanks.
        links: the targets of links are added here.
        references: whether words in brackets may be links defined elsewhere.
    """
    if _MARKS.search(source) is None:
        return source
    if "~~" in source or "{" in source or _HELD.search(source):
        return None
    held = _Held()
    text = _without_marks(_literals(source, held), held, references=references)
    if text is None or held.odd or _ENTITY.search(text) or _TAG.search(text):
        return None
    links += held.links
    return _lines(_HELD.sub(held.back, text)) if held.texts or _OPEN in text else _lines(text)


def _literals(text: str, held: _Held) -> str:
    if "`" in text:
        held.odd |= "\\`" in text
        text = _CODE.sub(held.code, text)
        held.odd |= "`" in text
    if "\\" in text:
        text = _ESCAPE.sub(held.literal, text)
        held.odd |= "\\\n" in text
    return text


def _without_marks(text: str, held: _Held, *, references: bool) -> str | None:
    if "[" in text:
        before = text
        text = _LINK.sub(held.link, text)
        if text is not before and "[" in text:  # a picture in a link
            text = _LINK.sub(held.link, text)
        if "](" in text or (references and "[" in text):
            return None
    if "*" in text:
        text = _STARS.sub(r"\2", text)
        if _LOOSE_STAR.search(text) or text.startswith("*") or text.endswith("*"):
            return None
    if "_" in text and _LOOSE_UNDERSCORE.search(text):
        text = _UNDERSCORES.sub(r"\2", text)
        if _LOOSE_UNDERSCORE.search(text):
            return None
    return text


def _lines(text: str) -> str:
    if "\n" not in text:
        return text
    if "  \n" in text:
        text = re.sub(r" {2,}\n", "\v", text)
    text = re.sub(r" ?\n", "\0", text)
    return text.replace("\v", "\n")
