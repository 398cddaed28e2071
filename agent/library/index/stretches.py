"""Cuts a section into the rows of the full-text index.

A row is a run of whole blocks of about 1,200 characters: long enough that words of one thought
stand together, short enough that a 30,000-character article is searched like thirty short pages.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace

from agent.domain import Block, BlockKind, Section
from agent.text.sentences import Span, sentences

STRETCH_CHARS = 1_200
_LARGEST_CHARS = 2 * STRETCH_CHARS


def cut_stretches(section: Section, size: int = STRETCH_CHARS) -> list[Span]:
    """Spans of the source text in order, each of whole blocks and about `size` characters.

    A block of more than twice the size is cut between its sentences or lines. Nothing for a
    section without text.
    """
    return pack(list(pieces(section.text, section.blocks)), size)


def clip_blocks(blocks: Sequence[Block], start: int, end: int) -> tuple[Block, ...]:
    """The blocks of a stretch, those that reach over its border cut there."""
    first = bisect_right(blocks, start, key=lambda block: block.end)
    last = bisect_left(blocks, end, key=lambda block: block.start)
    return tuple(
        replace(block, start=max(start, block.start), end=min(end, block.end))
        for block in blocks[first:last]
    )


def pieces(text: str, blocks: Sequence[Block]) -> Iterator[Span]:
    """Blocks, the very long ones in sentences (paragraphs) or lines."""
    for block in blocks:
        if block.end - block.start <= _LARGEST_CHARS:
            yield block.start, block.end
        else:
            yield from cut_block(text, block, _LARGEST_CHARS)


def cut_block(text: str, block: Block, largest: int) -> Iterator[Span]:
    """A long block in sentences or lines, none longer than `largest` characters."""
    if block.kind is BlockKind.CODE:
        spans = _lines(text, block)
    else:
        spans = sentences(text, block.start, block.end)
    for start, end in spans:
        while end - start > largest:
            blank = text.rfind(" ", start + largest // 2, start + largest)
            cut = blank if blank > 0 else start + largest
            yield start, cut
            start = cut
        yield start, end


def pack(spans: Sequence[Span], size: int) -> list[Span]:
    """Neighbouring spans joined while they stay within `size` characters."""
    packed: list[Span] = []
    for start, end in spans:
        if packed and end - packed[-1][0] <= size:
            packed[-1] = (packed[-1][0], end)
        else:
            packed.append((start, end))
    return packed


def _lines(text: str, block: Block) -> list[Span]:
    spans: list[Span] = []
    start = block.start
    for line in text[block.start : block.end].splitlines(keepends=True):
        if line.strip():
            spans.append((start, start + len(line.rstrip())))
        start += len(line)
    return spans
