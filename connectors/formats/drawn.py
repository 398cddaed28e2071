"""Charts and drawn words, as slides and sheets hold them: parts of their own, named by others."""

from collections.abc import Iterator
from itertools import zip_longest

from lxml import etree

from agent.domain import BlockKind
from connectors.formats.titles import means_something

A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_D = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}"
_C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
_NUMBER_FIELD = "slidenum"
_PICTURE_NAMES = ("picture", "image", "photo", "bild", "grafik", "graphic", "图片", "圖片", "画像")
_FILE_ENDINGS = (".png", ".jpg", ".jpeg", ".gif", ".bmp", ".tif", ".tiff", ".emf", ".wmf", ".svg")

Block = tuple[BlockKind, str]


def line_of(paragraph: etree._Element) -> str:
    """A drawn paragraph on one line, without the number of its page."""
    parts = []
    for element in paragraph.iter(f"{A}t", f"{A}br", f"{A}tab"):
        if element.tag != f"{A}t":
            parts.append(" ")
        elif not _is_page_number(element.getparent()):
            parts.append(element.text or "")
    return " ".join("".join(parts).split())


def _is_page_number(holder: etree._Element | None) -> bool:
    if holder is None or holder.tag != f"{A}fld":
        return False
    return str(holder.get("type", "")).startswith(_NUMBER_FIELD)


def lines_of(root: etree._Element | None) -> Iterator[str]:
    """All drawn lines below an element that hold anything."""
    for paragraph in () if root is None else root.iter(f"{A}p"):
        if line := line_of(paragraph):
            yield line


def diagram(root: etree._Element | None) -> list[Block]:
    """The words of a SmartArt drawing, which stand in a part of their own."""
    points = () if root is None else root.iter(f"{_D}pt")
    return [(BlockKind.PARAGRAPH, line) for point in points for line in lines_of(point)]


def chart(root: etree._Element | None) -> list[Block]:
    """A chart as the table behind it: a row for each category, a column for each series."""
    if root is None:
        return []
    blocks = [(BlockKind.PARAGRAPH, line) for line in lines_of(root.find(f"{_C}chart/{_C}title"))]
    series = list(root.iter(f"{_C}ser"))
    if not series:
        return blocks
    names = [" ".join(_points(each.find(f"{_C}tx"))) for each in series]
    columns = [next(filter(None, map(_categories, series)), [])]
    columns += [
        _points(each.find(f"{_C}val")) or _points(each.find(f"{_C}yVal")) for each in series
    ]
    blocks.append((BlockKind.HEADER_ROW, " | ".join(["", *names]).strip(" |")))
    rows = zip_longest(*columns, fillvalue="")
    return blocks + [(BlockKind.ROW, " | ".join(row)) for row in rows]


def sources_of(root: etree._Element) -> str:
    """The cells that a chart draws, as its formulas name them."""
    return "\n".join(formula.text or "" for formula in root.iter(f"{_C}f"))


def _categories(series: etree._Element) -> list[str]:
    return _points(series.find(f"{_C}cat")) or _points(series.find(f"{_C}xVal"))


def _points(holder: etree._Element | None) -> list[str]:
    """The values of a series in their places, levels of a category joined."""
    if holder is None:
        return []
    levels = list(holder.iter(f"{_C}lvl"))
    if levels:
        found = [_values(level) for level in reversed(levels)]
        return [" ".join(filter(None, parts)) for parts in zip_longest(*found, fillvalue="")]
    return _values(holder)


def _values(holder: etree._Element) -> list[str]:
    found: dict[int, str] = {}
    for place, point in enumerate(holder.iter(f"{_C}pt")):
        index = point.get("idx", "")
        found[int(index) if index.isdecimal() else place] = _value(point)
    if not found:
        return [value.text or "" for value in holder.iter(f"{_C}v")]
    last = min(max(found), 2 * len(found) + 1_000)
    return [found.get(place, "") for place in range(last + 1)]


def _value(point: etree._Element) -> str:
    """A value without the noise of its binary form: 0.30000000000000004 is 0.3."""
    text = "".join(value.text or "" for value in point.iter(f"{_C}v"))
    try:
        return f"{float(text):.15g}" if len(text) > 16 else text
    except ValueError:
        return text


def description(properties: etree._Element | None) -> str:
    """What somebody wrote of a picture for those who do not see it; empty for a mere name."""
    said = "" if properties is None else properties.get("descr", "")
    said = said.split("Description automatically generated")[0].split("\n\n")[0].strip()
    said = said.removesuffix("AI-generated content may be incorrect.").strip()
    low = said.casefold()
    if low.endswith(_FILE_ENDINGS) or not means_something(said):
        return ""
    bare = low.rstrip("0123456789 ")
    return "" if bare in _PICTURE_NAMES else " ".join(said.split())
