"""An answer's text as safe HTML, and its quotes as the paragraphs, lists and rows they are.

The text may hold words of documents and of a model, so HTML and links in it stay text; what a
quote-only answer holds is not read as Markdown at all beyond paragraphs.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from markupsafe import Markup, escape

from agent.domain import Citation
from bots.web.pages.shown import ShownBlock, blocks_of_lines

_MARKER = re.compile(r"\[(\d{1,3})\]")
_QUOTED_RULES = ["newline"]
_WRITTEN_RULES = ["newline", "list", "emphasis", "backticks", "fence", "table", "heading", "escape"]
_CELL = " | "


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of an answer: running text, or a quote that stands for itself.

    Attributes:
        html: of running text; None for a quote.
        blocks: of a quote, as its document shows them.
        number: of the quote's footnote; 0 for running text.
    """

    html: Markup | None = None
    blocks: tuple[ShownBlock, ...] = ()
    number: int = 0

    @property
    def is_prose(self) -> bool:
        """Whether a quote consists of plain sentences, to be set in quote marks."""
        return all(block.kind == "paragraph" for block in self.blocks)


@dataclass(frozen=True, slots=True)
class Footing:
    """What the markers of an answer lead to.

    Attributes:
        citations: of the whole answer.
        places: address of each footnote's place by its number, as written in a marker.
        key: begins the ids of this answer on its page.
    """

    citations: tuple[Citation, ...]
    places: Mapping[str, str]
    key: str


def answer_pieces(text: str, footing: Footing, *, quoted: bool) -> tuple[Piece, ...]:
    """An answer's text, or that of one of its parts, ready to be drawn.

    Args:
        text: with `[n]` markers; markers without a footnote stay text.
        footing: what the markers lead to.
        quoted: the text consists of quotes, so its signs are the documents' own.
    """
    if not quoted:
        return (Piece(_html(text, footing, quoted=False)),)
    return tuple(_quotes_apart(text, footing))


def _quotes_apart(text: str, footing: Footing) -> Iterator[Piece]:
    end = 0
    for start, after, citation in sorted(_quotes_in(text, footing.citations), key=_start_of):
        if start < end:
            continue
        yield from _running(text[end:start], footing)
        yield Piece(blocks=_blocks(citation), number=citation.number)
        end = after
    yield from _running(text[end:], footing)


def _running(text: str, footing: Footing) -> Iterator[Piece]:
    if text.strip():
        yield Piece(_html(text, footing, quoted=True))


def _start_of(found: tuple[int, int, Citation]) -> int:
    return found[0]


def _quotes_in(text: str, citations: Sequence[Citation]) -> Iterator[tuple[int, int, Citation]]:
    """Where `“quote” (columns) [n]` stands, with the whole of it."""
    for citation in citations:
        lines = [re.escape(line.strip()) for line in citation.quote.splitlines() if line.strip()]
        words = r"\s+".join(lines)
        header = re.escape(" ".join(citation.header.split()))
        columns = rf"(?:\s*[（(][^()（）]{{0,40}}{header}[)）])?" if header else ""
        pattern = rf"“(?:{header} … )?{words}”{columns}\s*\[{citation.number}\]"
        for found in re.finditer(pattern, text):
            yield found.start(), found.end(), citation


def _blocks(citation: Citation) -> tuple[ShownBlock, ...]:
    header = " ".join(citation.header.split()) if _CELL in citation.header else ""
    return blocks_of_lines(citation.quote.splitlines(), header)


# ---------------------------------------------------------------- running text


def _html(text: str, footing: Footing, *, quoted: bool) -> Markup:
    env = {"places": footing.places, "key": footing.key}
    return Markup(_markdown(quoted).render(text.strip(), env))


@cache
def _markdown(quoted: bool) -> MarkdownIt:
    markdown = MarkdownIt("zero", {"breaks": True, "html": False, "linkify": False})
    markdown.enable(_QUOTED_RULES if quoted else _WRITTEN_RULES)
    markdown.core.ruler.push("footnote_markers", _mark_footnotes)
    markdown.add_render_rule("footnote_marker", _render_marker)
    return markdown


def _mark_footnotes(state: StateCore) -> None:
    for block in state.tokens:
        if block.type == "inline" and block.children:
            block.children = [
                part for child in block.children for part in _split(child, state.env["places"])
            ]


def _split(token: Token, places: Mapping[str, str]) -> list[Token]:
    if token.type != "text":
        return [token]
    parts: list[Token] = []
    written = token.content
    end = 0
    for found in _MARKER.finditer(written):
        if found[1] in places:
            # A marker hangs on the word before it, as in print.
            parts.append(Token("text", "", 0, content=written[end : found.start()].rstrip(" ")))
            parts.append(Token("footnote_marker", "", 0, content=found[1]))
            end = found.end()
    return [*parts, Token("text", "", 0, content=written[end:])]


def _render_marker(
    _self: object, tokens: list[Token], index: int, _options: object, env: Mapping[str, Any]
) -> str:
    number = tokens[index].content
    link = Markup('<a class="marker" role="doc-noteref" href="{}" data-footnote="{}">{}</a>')
    return str(link.format(escape(env["places"][number]), f"{env['key']}-{number}", number))
