"""What tesseract found on a picture, as lines of a page: text, place, size of type, gaps."""

import re
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from lxml import etree

from connectors.formats.pdf.page import Cell, Line

_BOX = re.compile(r"\bbbox (\d+) (\d+) (\d+) (\d+)")
_SURE = re.compile(r"\bx_wconf (\d+)")
_SIZE = re.compile(r"\bx_size ([\d.]+)")
_LINE_CLASSES = frozenset(("ocr_line", "ocr_header", "ocr_caption", "ocr_textfloat"))
_WORD_CLASS = "ocrx_word"
_CJK = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]")
_WIDE_GAP = 1.6
"""Gap between two cells, in heights of type."""
_SAME_TYPE = 0.3
"""Share by which a line may seem larger or smaller than most and still be plain text."""
_UNSURE = "[?]"
"""Stands for words left out inside a line: a gap that nobody sees could turn what is said."""
_POINTS = 72


@dataclass(frozen=True, slots=True)
class Word:
    """A word on the picture, edges in points."""

    text: str
    x0: float
    x1: float
    sure: int


@dataclass(frozen=True, slots=True)
class Found:
    """What a picture says.

    Attributes:
        doubtful: words left out because the program was not sure of them.
    """

    lines: tuple[Line, ...]
    doubtful: int


def read_hocr(hocr: bytes, number: int, *, dpi: float, confidence: int) -> Found:
    """The lines of one page in reading order.

    Args:
        hocr: what the program wrote.
        number: physical page, from 1.
        dpi: of the picture.
        confidence: words below it, 0 to 100, are left out.
    """
    root = etree.fromstring(
        hocr, etree.HTMLParser(encoding="utf-8", no_network=True, huge_tree=False)
    )
    scale = _POINTS / dpi
    lines: list[Line] = []
    doubtful = 0
    for element in () if root is None else root.iter():
        if element.get("class") not in _LINE_CLASSES:
            continue
        words = list(_words(element, scale))
        unsure = sum(word.sure < confidence for word in words)
        doubtful += unsure
        if len(words) > unsure:
            lines.append(_line(element, list(_marked(words, confidence)), number, scale))
    return Found(tuple(_evened(lines)), doubtful)


def _words(element: etree._Element, scale: float) -> Iterator[Word]:
    for word in element.iter():
        if word.get("class") != _WORD_CLASS:
            continue
        text = "".join(map(str, word.itertext())).strip()
        box, sure = _BOX.search(word.get("title", "")), _SURE.search(word.get("title", ""))
        if text and box and sure:
            yield Word(text, int(box[1]) * scale, int(box[3]) * scale, int(sure[1]))


def _marked(words: Sequence[Word], confidence: int) -> Iterator[Word]:
    """The words with one mark for each run of those that are in doubt."""
    before = None
    for word in words:
        shown = word if word.sure >= confidence else replace(word, text=_UNSURE)
        if shown.text != _UNSURE or before != _UNSURE:
            yield shown
        before = shown.text


def _line(element: etree._Element, words: Sequence[Word], number: int, scale: float) -> Line:
    title = element.get("title", "")
    box, size = _BOX.search(title), _SIZE.search(title)
    bottom = int(box[4]) * scale if box else 0.0
    height = (float(size[1]) if size else 12 / scale) * scale
    cells = _cells(words, _WIDE_GAP * height)
    return Line(
        _joined(words),
        number,
        words[0].x0,
        max(word.x1 for word in words),
        bottom,
        round(height, 1),
        cells=cells if len(cells) > 1 else (),
    )


def _cells(words: Sequence[Word], widest: float) -> tuple[Cell, ...]:
    runs: list[list[Word]] = [[words[0]]]
    for before, word in pairwise(words):
        if word.x0 - before.x1 > widest:
            runs.append([])
        runs[-1].append(word)
    return tuple(Cell(_joined(run), run[0].x0, run[-1].x1) for run in runs)


def _joined(words: Sequence[Word]) -> str:
    """Words with blanks between them, none between Chinese characters."""
    text = words[0].text
    for word in words[1:]:
        tight = _CJK.match(word.text) and _CJK.match(text[-1])
        text += word.text if tight else f" {word.text}"
    return text


def _evened(lines: Sequence[Line]) -> Iterator[Line]:
    """Sizes are measured, not stated: those near the usual one become the usual one."""
    if not lines:
        return
    usual = statistics.median(line.size for line in lines)
    for line in lines:
        near = abs(line.size - usual) <= _SAME_TYPE * usual
        yield replace(line, size=usual) if near else line
