"""The text of an answer as blocks and runs, so that each platform writes it in its own markup.

What a model wrote is read as Markdown; what stands in documents is read by `literal`, where signs
of markup are signs. Links survive only as footnote markers; an address in a text is just text.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

from bots.replies.tables import aligned


@dataclass(frozen=True, slots=True)
class Run:
    """Characters of one look; `url` makes them a link to a document we know."""

    text: str
    bold: bool = False
    italic: bool = False
    struck: bool = False
    code: bool = False
    url: str = ""


Runs = tuple[Run, ...]


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Running text; line breaks in it are kept."""

    runs: Runs


@dataclass(frozen=True, slots=True)
class Item:
    """One item of a list.

    Attributes:
        depth: 0 for the outermost list.
        number: of an ordered item; None: a bullet.
    """

    runs: Runs
    depth: int = 0
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Preformatted:
    """Code, or a table with its columns aligned: shown as it stands, in a fixed width."""

    text: str


@dataclass(frozen=True, slots=True)
class Quotation:
    """Words set apart as somebody else's."""

    runs: Runs


Block = Paragraph | Item | Preformatted | Quotation

_MARKER = re.compile(r"\[(\d{1,3})\]")
_MASS_MENTION = re.compile(r"<(?=[!@#])|@(?=(?:here|channel|everyone)\b)", re.IGNORECASE)
_WORD_JOINER = "\u2060"


def inert(text: str) -> str:
    """The text with nothing in it that a chat could take for a mention."""
    return _MASS_MENTION.sub(lambda sign: sign[0] + _WORD_JOINER, text)


def plain(runs: Runs) -> str:
    """The characters alone."""
    return "".join(run.text for run in runs)


def markdown_blocks(text: str, links: Mapping[int, str]) -> list[Block]:
    """Markdown as a model wrote it; HTML, images and foreign links are reduced to their text."""
    tree = SyntaxTreeNode(_parser().parse(text))
    return [block for node in tree.children for block in _blocks(node, links, 0)]


def size(block: Block) -> int:
    """How long a block is, in characters, line ends included."""
    if isinstance(block, Preformatted):
        return len(block.text) + 8
    return len(plain(block.runs)) + sum(len(run.url) for run in block.runs) + 4


def marked(run: Run, links: Mapping[int, str]) -> Runs:
    """A run cut at its footnote markers, which become links where there is an address."""
    runs: list[Run] = []
    at = 0
    for marker in _MARKER.finditer(run.text):
        url = links.get(int(marker[1]), "")
        if url and not run.code:
            runs += [replace(run, text=run.text[at : marker.start()]), Run(marker[0], url=url)]
            at = marker.end()
    runs.append(replace(run, text=run.text[at:]))
    return tuple(replace(each, text=inert(each.text)) for each in runs if each.text)


@cache
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])


def _blocks(node: SyntaxTreeNode, links: Mapping[int, str], depth: int) -> Iterator[Block]:
    match node.type:
        case "paragraph":
            yield Paragraph(_runs(node, links, Run("")))
        case "heading":
            yield Paragraph(_runs(node, links, Run("", bold=True)))
        case "fence" | "code_block":
            yield Preformatted(inert(node.content.rstrip("\n")))
        case "table":
            yield Preformatted(aligned(_cells(node)))
        case "bullet_list" | "ordered_list":
            yield from _items(node, links, depth)
        case "blockquote":
            yield from _quoted(node, links, depth)


def _quoted(node: SyntaxTreeNode, links: Mapping[int, str], depth: int) -> Iterator[Block]:
    for child in node.children:
        for block in _blocks(child, links, depth):
            yield Quotation(block.runs) if isinstance(block, Paragraph) else block


def _items(node: SyntaxTreeNode, links: Mapping[int, str], depth: int) -> Iterator[Block]:
    first = int(node.attrs.get("start", 1)) if node.type == "ordered_list" else None
    for index, item in enumerate(node.children):
        number = None if first is None else first + index
        for position, child in enumerate(item.children):
            for block in _blocks(child, links, depth + 1):
                if position == 0 and isinstance(block, Paragraph):
                    yield Item(block.runs, depth, number)
                else:
                    yield block


def _cells(node: SyntaxTreeNode) -> list[list[str]]:
    rows = [row for part in node.children for row in part.children]
    return [[inert(plain(_runs(cell, {}, Run("")))) for cell in row.children] for row in rows]


def _runs(node: SyntaxTreeNode, links: Mapping[int, str], look: Run) -> Runs:
    if node.type in ("text", "code_inline", "html_inline"):
        shown = replace(look, text=node.content, code=look.code or node.type == "code_inline")
        return marked(shown, links)
    if node.type in ("softbreak", "hardbreak"):
        return (replace(look, text="\n"),)
    if node.type == "image":
        return marked(replace(look, text=node.content), links)
    look = replace(
        look,
        bold=look.bold or node.type == "strong",
        italic=look.italic or node.type == "em",
        struck=look.struck or node.type == "s",
    )
    return tuple(run for child in node.children for run in _runs(child, links, look))
