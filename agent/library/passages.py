"""Cuts text into passages, the unit that is scored, embedded and reranked.

A passage is a run of whole sentences, list items or rows of about 500 characters (350 in
Chinese, which says as much in them). Small tables and code stay whole: half a table has lost
its header.
"""

from collections.abc import Sequence
from itertools import groupby

from agent.domain import Block, BlockKind
from agent.library.index.stretches import cut_block, pack
from agent.text.sentences import Span
from agent.text.words import language_of

PASSAGE_CHARS = {"en": 500, "zh": 350}
WHOLE_CHARS = 1_500
"""Tables and code up to this many characters stay whole."""

TABLE = "table"
_ROWS = {BlockKind.HEADER_ROW, BlockKind.ROW}


def cut_passages(text: str, blocks: Sequence[Block], offset: int = 0) -> list[Span]:
    """Passages of a stretch in reading order; together they cover all its visible text.

    Args:
        text: the stretch, beginning at character `offset` of the section.
        blocks: its blocks, in offsets of the section.
        offset: where the stretch begins in the section.

    Returns:
        Half-open spans in offsets of the section.
    """
    size = PASSAGE_CHARS[language_of(text[:600])]
    passages: list[Span] = []
    loose: list[Span] = []
    for together, run in groupby(blocks, key=whole_group):
        spans = [_relative(block, offset) for block in run]
        if together:
            passages += pack(loose, size) + _whole(text, spans, size)
            loose = []
        else:
            loose += [unit for block in spans for unit in units(text, block)]
    passages += pack(loose, size)
    return [(start + offset, end + offset) for start, end in passages]


def units(text: str, block: Block) -> list[Span]:
    """The pieces that are never cut: sentences, a whole item, a whole row, a line of code.

    What is longer than 1,500 characters is cut all the same, at blanks in the worst case.
    """
    short = block.end - block.start <= WHOLE_CHARS
    if short and block.kind is not BlockKind.PARAGRAPH and block.kind is not BlockKind.CODE:
        return [(block.start, block.end)]
    return list(cut_block(text, block, WHOLE_CHARS))


def whole_group(block: Block) -> str:
    """What a block must stay together with: its table, its code; empty for running text."""
    if block.kind in _ROWS:
        return TABLE
    return f"code {block.start}" if block.kind is BlockKind.CODE else ""


def _whole(text: str, run: Sequence[Block], size: int) -> list[Span]:
    start, end = run[0].start, run[-1].end
    if end - start <= WHOLE_CHARS:
        return [(start, end)]
    return pack([unit for block in run for unit in units(text, block)], size)


def _relative(block: Block, offset: int) -> Block:
    return Block(block.kind, block.start - offset, block.end - offset, block.page)
