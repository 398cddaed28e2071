"""Lines of a section into paragraphs, items and rows; words cut at line ends made whole."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median

from agent.domain import BlockKind, TextBlock
from connectors.formats import guesses
from connectors.formats.pdf.page import Line, Row

_ITEM = re.compile(
    r"(?:[•●○◦▪■□‣·∙–—*-]|[\uf0a7\uf0b7\uf0d8]|\d{1,2}[.)]|[a-z][.)]|\([a-z\d]{1,3}\)|[ivx]{1,4}[.)])\s+\S"
)
_ROWS = {Row.HEADER: BlockKind.HEADER_ROW, Row.BODY: BlockKind.ROW}
_CJK = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]")
_HYPHEN = re.compile(r"[a-zà-öø-ÿ]-$")
_END_CHARS = 12
_PRIVATE_BULLET = re.compile(r"^[\uf0a7\uf0b7\uf0d8]\s*")


@dataclass(slots=True)
class _Open:
    """A block that may take more lines."""

    kind: BlockKind
    text: str
    last: Line
    first_x: float
    page: int
    glued: bool = field(default=False)

    def block(self) -> TextBlock:
        return TextBlock(self.kind, self.text, self.page)


def blocks(lines: Sequence[Line]) -> Iterator[TextBlock]:
    """The blocks of a section in reading order."""
    leading = _leading(lines)
    right = _right_edges(lines)
    current: _Open | None = None
    for line in lines:
        if line.row is not None:
            if current:
                yield current.block()
                current = None
            yield TextBlock(_ROWS[line.row], line.text, line.page)
        elif current and _goes_on(current, line, leading, right[current.last.page]):
            current.text = _glued(current, line)
            current.last = line
        else:
            if current:
                yield current.block()
            current = _opened(line)
    if current:
        yield current.block()


def _opened(line: Line) -> _Open:
    kind = BlockKind.ITEM if _ITEM.match(line.text) else BlockKind.PARAGRAPH
    text = _PRIVATE_BULLET.sub("• ", line.text)
    return _Open(kind, text, line, line.x0, line.page)


def _goes_on(current: _Open, line: Line, leading: float, right: float) -> bool:
    """Whether a line belongs to the paragraph before it."""
    last = current.last
    if last.broken:
        return True
    if _ITEM.match(line.text) or abs(line.size - last.size) > 0.15 * max(last.size, 1):
        return False
    ended = guesses.ends_like_a_sentence(last.text[-_END_CHARS:])
    if line.page != last.page or line.y < last.y:
        return not ended and (line.text[:1].islower() or _CJK.match(line.text) is not None)
    if line.y - last.y > min(1.4 * max(leading, last.size), 2.5 * last.size):
        return False
    if line.bold != last.bold and (last.bold or line.bold) and ended:
        return False
    short = last.x1 < right - 6 * last.size
    indented = line.x0 > current.first_x + 0.8 * line.size and current.kind is BlockKind.PARAGRAPH
    return not (short and (ended or line.text[:1].isupper())) and not (indented and ended)


def _glued(current: _Open, line: Line) -> str:
    text = current.text
    if current.last.broken:
        return text + line.text
    if _HYPHEN.search(text) and line.text[:1].islower():
        return text[:-1] + line.text
    if _CJK.match(text[-1:]) and _CJK.match(line.text):
        return text + line.text
    return f"{text} {line.text}"


def _leading(lines: Sequence[Line]) -> float:
    """The usual distance of baselines, in points."""
    gaps = [
        after.y - before.y
        for before, after in pairwise(lines)
        if before.page == after.page and 0 < after.y - before.y < 4 * max(after.size, 1)
    ]
    return median(gaps) if gaps else 0.0


def _right_edges(lines: Sequence[Line]) -> dict[int, float]:
    """Where full lines end, by page."""
    edges: dict[int, list[float]] = {}
    for line in lines:
        edges.setdefault(line.page, []).append(line.x1)
    return {page: sorted(ends)[int(0.9 * (len(ends) - 1))] for page, ends in edges.items()}
