"""An answer as a page shows it: its text as safe HTML, its footnotes with their places.

The text may hold words of documents and of a model, so HTML and links in it stay text; what a
quote-only answer holds is not read as Markdown at all beyond paragraphs and lists.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from markupsafe import Markup, escape

from agent.domain import Answer, Citation, Outcome
from bots.links import Place, address

_MARKER = re.compile(r"\[(\d{1,3})\]")
_QUOTED_RULES = ["list", "newline"]
_WRITTEN_RULES = [*_QUOTED_RULES, "emphasis", "backticks", "fence", "table", "heading", "escape"]


@dataclass(frozen=True, slots=True)
class ShownFootnote:
    """A footnote with the address of its place in our viewer."""

    citation: Citation
    place: str

    @property
    def page(self) -> str:
        """The page as printed, else as counted; empty without pages."""
        return self.citation.label or (str(self.citation.page) if self.citation.page else "")


@dataclass(frozen=True, slots=True)
class ShownAnswer:
    """What the answer's template draws.

    Attributes:
        text: the answer, markers as links to their footnotes.
        key: begins every id of this answer on its page.
    """

    answer: Answer
    text: Markup
    footnotes: tuple[ShownFootnote, ...]
    key: str

    @property
    def outcome(self) -> Outcome:
        """How the question ended."""
        return self.answer.outcome


def shown_answer(answer: Answer, root: str = "") -> ShownAnswer:
    """An answer ready for its template.

    Args:
        answer: the checked answer.
        root: what leads from the page to the listener's root, empty or `../`.
    """
    key = f"a{answer.answer_id}"
    footnotes = tuple(
        ShownFootnote(citation, root + address(Place.of(citation))) for citation in answer.citations
    )
    places = {str(each.citation.number): each.place for each in footnotes}
    text = answer_text(answer.text, places, key, quoted=answer.extractive)
    return ShownAnswer(answer, text, footnotes, key)


def answer_text(text: str, places: Mapping[str, str], key: str, *, quoted: bool) -> Markup:
    """An answer's text as HTML.

    Args:
        text: with `[n]` markers.
        places: address of each footnote's place by its number; other markers stay text.
        key: begins the ids of this answer.
        quoted: the text consists of quotes, so its signs are the documents' own.
    """
    return Markup(_markdown(quoted).render(text, {"places": places, "key": key}))


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
    link = Markup('<a class="marker" href="{}" data-footnote="{}">{}</a>')
    return str(link.format(escape(env["places"][number]), f"{env['key']}-{number}", number))
