"""Blocks of a section as one short text column, `p0-120,i121-140@3`: a table of their own would
hold twenty times as many rows as there are sections. A `?` ends one that was read from a scan."""

from agent.domain import Block, BlockKind

_LETTER = {
    BlockKind.PARAGRAPH: "p",
    BlockKind.ITEM: "i",
    BlockKind.HEADER_ROW: "h",
    BlockKind.ROW: "r",
    BlockKind.CODE: "c",
}
_RECOGNISED = "?"
_KIND = {letter: kind for kind, letter in _LETTER.items()}


def pack_blocks(blocks: tuple[Block, ...]) -> str:
    """Kind, offsets and, where there is one, the page of each block."""
    return ",".join(
        f"{_LETTER[block.kind]}{block.start}-{block.end}"
        + (f"@{block.page}" if block.page is not None else "")
        + (_RECOGNISED if block.recognised else "")
        for block in blocks
    )


def unpack_blocks(packed: str) -> tuple[Block, ...]:
    """What `pack_blocks` made."""
    return tuple(_unpack(each) for each in packed.split(",") if each)


def _unpack(packed: str) -> Block:
    place, _, page = packed[1:].removesuffix(_RECOGNISED).partition("@")
    start, _, end = place.partition("-")
    recognised = packed.endswith(_RECOGNISED)
    return Block(_KIND[packed[0]], int(start), int(end), int(page) if page else None, recognised)
