"""What a line of Markdown says once the parser has taken it apart: text without marks.

The scanner's `inline` does the same for plain lines; this module hears the tokens of
markdown-it-py, for lines that are not.
"""

import re
from collections.abc import Callable, Iterator, Sequence

from markdown_it.token import Token

Heard = Callable[[str], None]
"""Takes a link target, or the label of a footnote."""

_INLINE_TAG = re.compile(r"</?[a-zA-Z][^>]*>|<!--.*?-->", re.DOTALL)
_LINE_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_LINK_TARGET = re.compile(r"""(?:href|src)\s*=\s*["']([^"']+)["']""", re.IGNORECASE)
_CJK = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]")


def spoken(tokens: Sequence[Token], link: Heard, note: Heard) -> str:
    """The text of inline tokens.

    Args:
        tokens: children of one `inline` token.
        link: is told every link target.
        note: is told the label of every footnote referred to.
    """
    return joined("".join(_parts(tokens, link, note))).strip()


def joined(text: str) -> str:
    """Soft line breaks (`\\0`) as a browser shows them; none between two Chinese characters."""
    if "\0" not in text:
        return text
    pieces = text.split("\0")
    result = pieces[0]
    for piece in pieces[1:]:
        between = result[-1:] + piece[:1]
        glued = len(between) == 2 and all(_CJK.match(char) for char in between)
        result += piece if glued else f" {piece}"
    return result


def _parts(tokens: Sequence[Token], link: Heard, note: Heard) -> Iterator[str]:
    for token in tokens:
        match token.type:
            case "text" | "text_special" | "code_inline":
                yield token.content
            case "softbreak" | "hardbreak":
                yield "\0" if token.type == "softbreak" else "\n"
            case "image":
                yield from _parts(token.children or (), link, note)
            case _:
                yield _mark(token, link, note)


def _mark(token: Token, link: Heard, note: Heard) -> str:
    match token.type:
        case "html_inline":
            return _tag(token.content, link)
        case "footnote_ref":
            label = str(token.meta.get("label", token.meta.get("id", "")))
            note(label)
            return f"[^{label}]"
        case "link_open":
            link(str(token.attrs.get("href", "")))
    return ""


def _tag(tag: str, link: Heard) -> str:
    for target in _LINK_TARGET.findall(tag):
        link(target)
    return "\n" if _LINE_BREAK.fullmatch(tag) else _INLINE_TAG.sub("", tag)
