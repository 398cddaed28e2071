"""What a reader needs to judge a quote: its whole sentence, list item, table row or line of code.

The choice of a list alone would be no list, half a sentence may say the opposite. So whoever
quotes, a model or the extractive core, gets the stretch widened in the same way, and can know
beforehand how long it will be.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from agent.domain import Block, BlockKind, Section
from agent.text.sentences import sentences

Span = tuple[int, int]
"""Half-open offsets in a section's source text."""

LEADS_IN = (":", "：")
"""How a line ends that leads into a list."""
LED_CHARS = 600
"""The longest list quoted whole with the line that leads into it, in characters."""
_NEGATION = re.compile(
    r"\b(?:not|no|never|none|nor|neither|cannot|except|exception|exceptions|excepted|excluding|"
    r"excludes?|excluded|exclusions?|unless|only|without|prohibited|forbidden)\b|n['’]t\b"
    r"|other than|apart from|subject to(?! the following)|provided that|\buntil\b|\bhowever\b"
    r"|不(?!仅|断|但)|没|未(?!来)|无(?!论)|非(?!常)|除|仅(?!仅)|只(?!要)|勿|禁|否则|例外",
    re.IGNORECASE,
)
_BULLET = re.compile(r"\s*(?:[-*+•‣◦▪·–—]\s+)?")
_LONG_ITEM_CHARS = 320
_REACH_CHARS = 1_000
"""So far around a span the border of its sentence is looked for before all of a text is."""
_CLAUSE = re.compile(r"[,;，；]\s*")
_WHOLE_CLAUSE = 3
"""Words of a clause that says something by itself."""


def has_negation(text: str) -> bool:
    """Whether a text denies or limits something: not, except, unless, only, 除, 不, …"""
    return bool(_NEGATION.search(text))


def judged(section: Section, span: Span) -> tuple[Span, str]:
    """What a reader gets to judge a span, and the line or header row above it.

    Args:
        section: the span's.
        span: half-open offsets.

    Returns:
        The widened span; and the header row over a table row, or the line that leads into a list
        item, empty where there is none.
    """
    start, end = widened(section, span)
    over = _above(section, start)
    header = section.text[slice(*over)].strip()
    denied = header.endswith(LEADS_IN) and has_negation(_last_clause(header))
    if denied and end - over[0] <= LED_CHARS:
        return (over[0], end), ""  # an item of what is denied must not stand alone
    return (start, end), header


def _last_clause(lead: str) -> str:
    """What of a lead-in speaks of the list: `While you need not ask, we expect the following:`
    denies nothing of it. A clause of a word or two (`for example:`) speaks with the one before.
    """
    clauses = _CLAUSE.split(lead)
    return lead if len(clauses[-1].split()) < _WHOLE_CLAUSE and lead.isascii() else clauses[-1]


def widened(section: Section, span: Span) -> Span:
    """The sentences, items, rows and code lines that a span touches, as one stretch."""
    blocks = _blocks(section)
    over = [at for at, each in enumerate(blocks) if each.start < span[1] and span[0] < each.end]
    touched = [
        unit
        for at in over
        for unit in _units(section.text, _around(section.text, blocks[at], span))
        if unit[0] < span[1] and span[0] < unit[1]
    ]
    if not touched:
        return span
    start, end = min(span[0], touched[0][0]), max(span[1], touched[-1][1])
    return _with_whole_items(section, (over[0], over[-1]), (start, end))


def _with_whole_items(section: Section, run: Span, span: Span) -> Span:
    """A stretch over several blocks with its first item's bullet, and with the rest of a list
    whose lead-in it holds: the first choice of several alone would be no list.

    Args:
        section: holds the blocks.
        run: the first and the last block touched, both included.
        span: the stretch.
    """
    blocks, (first, last), (start, end) = _blocks(section), run, span
    if first == last or blocks[last].kind is not BlockKind.ITEM:
        return span
    if blocks[first].kind is BlockKind.ITEM:
        return _trimmed(section.text, min(start, blocks[first].start), end)
    while last + 1 < len(blocks) and blocks[last + 1].kind is BlockKind.ITEM:
        last += 1
    whole = _trimmed(section.text, start, blocks[last].end)
    return whole if whole[1] - start <= LED_CHARS else span


def _blocks(section: Section) -> Sequence[Block]:
    return section.blocks or (Block(BlockKind.PARAGRAPH, 0, len(section.text)),)


def _around(text: str, block: Block, span: Span) -> Block:
    """A long paragraph as far as its sentences around a span reach: it may be a whole book."""
    long = block.kind is BlockKind.PARAGRAPH and block.end - block.start > 4 * _REACH_CHARS
    low, high = max(block.start, span[0] - _REACH_CHARS), min(block.end, span[1] + _REACH_CHARS)
    if not long or span[0] >= block.end or span[1] <= block.start:
        return block
    cut = sentences(text, low, high)
    first = cut[1][0] if low > block.start and len(cut) > 1 else low
    last = cut[-2][1] if high < block.end and len(cut) > 1 else high
    whole = first <= span[0] and span[1] <= last
    return replace(block, start=first, end=last) if whole else block


def _units(text: str, block: Block) -> Iterator[Span]:
    """What of a block can be judged by itself."""
    match block.kind:
        case BlockKind.ITEM if block.end - block.start <= _LONG_ITEM_CHARS:
            bullet = _BULLET.match(text, block.start, block.end)
            yield _trimmed(text, bullet.end() if bullet else block.start, block.end)
        case BlockKind.ROW | BlockKind.HEADER_ROW:
            yield _trimmed(text, block.start, block.end)
        case BlockKind.CODE:
            yield from _lines(text, block)
        case _:
            yield from sentences(text, block.start, block.end)


def _lines(text: str, block: Block) -> Iterator[Span]:
    start = block.start
    for line in text[block.start : block.end].splitlines(keepends=True):
        yield start, start + len(line.rstrip())
        start += len(line)


def _trimmed(text: str, start: int, end: int) -> Span:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def _above(section: Section, start: int) -> Span:
    """The header row over a row, or the line that leads into a list item; empty where none is."""
    blocks = section.blocks
    at = next((i for i, block in enumerate(blocks) if block.start <= start < block.end), None)
    if at is None:
        return start, start
    kind = blocks[at].kind
    wanted = {BlockKind.ROW: BlockKind.HEADER_ROW, BlockKind.ITEM: BlockKind.PARAGRAPH}.get(kind)
    while at >= 0 and blocks[at].kind is kind:
        at -= 1
    if at < 0 or blocks[at].kind is not wanted:
        return start, start
    over = blocks[at]
    if wanted is BlockKind.HEADER_ROW:
        return over.start, over.end
    last = sentences(section.text, over.start, over.end)[-1]
    return last if section.text[slice(*last)].endswith(LEADS_IN) else (start, start)
