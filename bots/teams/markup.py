"""Blocks of text in Teams' Markdown, with everything that was not written by us shown literally.

Teams reads Markdown and a little HTML. Signs of markup in documents are escaped, nobody is
mentioned, nothing becomes a link but the documents we name. Lists are written with bullets of our
own, as some clients show no citation chips inside Markdown lists, and tables in a fixed width.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

from bots.replies.prose import Block, Item, Paragraph, Preformatted, Quotation, Run, Runs

BREAK = "  \n"
"""A line break inside a paragraph."""
PARAGRAPH = "\n\n"

_MARKER = re.compile(r"\[\d{1,3}\]")
_SIGNS = re.compile(r"([\\`*_~\[\]{}#|])")
_LINE_START = re.compile(r"^(\s*)([-+=])(?=\s|[-=]+$)", re.MULTILINE)
_NUMBER = re.compile(r"^(\s*\d{1,9})([.)])(?=\s)", re.MULTILINE)
_LINK = re.compile(r"(?<=\w)(?=://|@\w)|(?<=\bwww)(?=\.)", re.IGNORECASE)
_WORD_JOINER = "\u2060"
_INDENT = "\u2003"
_FENCE = "```"


def literal(text: str) -> str:
    """The text as it stands: no markup, no mention, no link."""
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    text = _SIGNS.sub(r"\\\1", _LINK.sub(_WORD_JOINER, text))
    return _NUMBER.sub(r"\1\\\2", _LINE_START.sub(r"\1\\\2", text))


def link(shown: str, url: str) -> str:
    """Text of ours, written already, that opens an address."""
    return f"[{shown}]({url.replace('(', '%28').replace(')', '%29').replace(' ', '%20')})"


def written(blocks: Sequence[Block]) -> str:
    """Blocks as Teams reads them."""
    texts = [_block(block) for block in blocks]
    gaps = [_gap(before, after) for before, after in pairwise(blocks)]
    return "".join(text + gap for text, gap in zip(texts, [*gaps, ""], strict=True))


def _block(block: Block) -> str:
    match block:
        case Preformatted(text):
            inside = text.replace(_FENCE, f"`{_WORD_JOINER}``")
            return f"{_FENCE}\n{inside}\n{_FENCE}"
        case Quotation(runs):
            return "> " + _runs(runs).replace(BREAK, "\n> ")
        case Item(runs, depth, number):
            lead = "•" if number is None else f"{number}\\."
            return f"{_INDENT * depth}{lead} {_runs(runs)}"
        case Paragraph(runs):
            return _runs(runs)


def _gap(before: Block, after: Block) -> str:
    if isinstance(after, Item) and isinstance(before, Item | Paragraph):
        return BREAK
    return PARAGRAPH


def _runs(runs: Runs) -> str:
    return "".join(_run(run) for run in runs).replace("\n", BREAK)


def _run(run: Run) -> str:
    if run.code and "`" not in run.text:
        return f"`{run.text}`"
    text = _with_markers(run.text)
    bare = text.strip()
    if not bare:
        return text
    styled = bare
    for wanted, sign in ((run.italic, "_"), (run.bold, "**"), (run.struck, "~~")):
        styled = f"{sign}{styled}{sign}" if wanted else styled
    return text.replace(bare, link(styled, run.url) if run.url else styled, 1)


def _with_markers(text: str) -> str:
    """The text literally, but for footnote markers `[n]`, which stay markers."""
    shown, position = [], 0
    for marker in _MARKER.finditer(text):
        shown += [literal(text[position : marker.start()]), marker[0]]
        position = marker.end()
    return "".join(shown) + literal(text[position:])
