"""A long reply cut into messages: between blocks where that goes, else between lines or words.

A code block or list that is cut goes on as one in the next message, its numbers as well.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from bots.replies.prose import Block, Preformatted, Run, Runs, plain, size


def split_blocks(blocks: Sequence[Block], limit: int) -> list[list[Block]]:
    """The blocks in parts of at most `limit` characters each, at least one part."""
    parts: list[list[Block]] = [[]]
    used = 0
    for block in (piece for whole in blocks for piece in _pieces(whole, limit)):
        if parts[-1] and used + size(block) > limit:
            parts.append([])
            used = 0
        parts[-1].append(block)
        used += size(block)
    return parts


def split_text(text: str, limit: int, *, whole: str = "") -> list[str]:
    """Plain text in pieces of at most `limit` characters, nothing lost but blanks at the cuts.

    Args:
        text: any text.
        limit: characters of a piece, at least 1.
        whole: a pair of brackets, `<>`, between which no cut is made unless there is no other.
    """
    pieces: list[str] = []
    while len(text) > limit:
        at = _cut(text, limit, whole)
        pieces.append(text[:at].rstrip())
        text = text[at:].lstrip()
    return [*pieces, text] if text or not pieces else pieces


def _pieces(block: Block, limit: int) -> Iterator[Block]:
    if size(block) <= limit:
        yield block
    elif isinstance(block, Preformatted):
        for text in _whole_lines(block.text, limit - 8):
            yield Preformatted(text)
    else:
        for runs in _split_runs(block.runs, limit - 4):
            yield replace(block, runs=runs)


def _whole_lines(text: str, limit: int) -> Iterator[str]:
    """Pieces that keep every line's indentation."""
    piece = ""
    for line in text.split("\n"):
        for start in range(0, max(len(line), 1), limit):
            bit = line[start : start + limit]
            if piece and len(piece) + 1 + len(bit) > limit:
                yield piece
                piece = bit
            else:
                piece = f"{piece}\n{bit}" if piece else bit
    yield piece


def _split_runs(runs: Runs, limit: int) -> Iterator[Runs]:
    rest = list(runs)
    while rest:
        taken: list[Run] = []
        room = limit
        while rest and len(rest[0].text) + len(rest[0].url) <= room:
            room -= len(rest[0].text) + len(rest[0].url)
            taken.append(rest.pop(0))
        if rest and not rest[0].url and (room > limit // 2 or not taken):
            run = rest[0]
            at = _cut(run.text, max(room, 1))
            taken.append(replace(run, text=run.text[:at].rstrip()))
            rest[0] = replace(run, text=run.text[at:].lstrip())
        elif rest and not taken:
            taken.append(replace(rest.pop(0), url=""))
        if plain(tuple(taken)).strip():
            yield tuple(taken)


def _cut(text: str, limit: int, whole: str = "") -> int:
    """Where to cut: after a paragraph, a line, a sentence, a word, or else anywhere."""
    for border in (r"\n\s*\n", r"\n", r"(?<=[.!?;])\s+|(?<=[。！？；])", r"\s+"):
        ends = [match.end() for match in re.finditer(border, text[:limit])]
        good = [end for end in ends if end >= limit // 3 and not _inside(text, end, whole)]
        if good:
            return good[-1]
    return limit


def _inside(text: str, at: int, brackets: str) -> bool:
    if not brackets:
        return False
    return text.rfind(brackets[0], 0, at) > text.rfind(brackets[1], 0, at)
