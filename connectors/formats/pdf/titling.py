"""What a PDF is called: what it states, if that means something, else what it prints largest."""

import re
from collections.abc import Sequence

from connectors.formats import guesses, titles
from connectors.formats.pdf import tagged, typography
from connectors.formats.pdf.page import Line

_TITLE_LINES = 3
_LARGER = 1.15
_CODE = re.compile(r"(?=\S*[\d_-])[!-~]+|[a-z.]+", re.ASCII)
"""One word with digits or dashes, or without capitals: a file's name rather than its title."""
_ADDRESS = re.compile(r"https?://|www\.|\S@\S")
_CJK = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af]")


def title_of(
    stated: str, lines: Sequence[Line], skipped: frozenset[int]
) -> tuple[str, tuple[int, ...]]:
    """The title and the indexes of its lines on the first page, if it stands there.

    Args:
        stated: the title in the file's own properties.
        lines: all lines of the document.
        skipped: indexes of lines that are none: contents lists.
    """
    first_page = lines[0].page if lines else 0
    places = [p for p, line in enumerate(lines) if line.page == first_page and p not in skipped]
    printed = tagged.title_lines(lines) or _largest_lines(lines, places)
    shown = titles.first_meaningful([" ".join(lines[place].text for place in printed)])
    title = titles.first_meaningful([stated])
    if not any(map(str.isalpha, title)) or (shown and _CODE.fullmatch(title)):
        title = ""
    if not title or titles.same(title, shown):
        return title or shown, printed if shown else ()
    single = next((p for p in places[:8] if titles.same(lines[p].text, title)), None)
    return title, () if single is None else (single,)


def _largest_lines(lines: Sequence[Line], places: Sequence[int]) -> tuple[int, ...]:
    """The lines in the largest type of the first page, if it is larger than the text."""
    candidates = [
        place for place in places if _could_name(lines[place]) and not _ends_heading(lines, place)
    ]
    if not candidates:
        return ()
    size = max(lines[place].size for place in candidates)
    if size < _LARGER * typography.body_size(lines):
        return _bold_first_line(lines, candidates)
    start = next(place for place in candidates if lines[place].size > size - 0.3)
    taken = [start]
    while len(taken) < _TITLE_LINES and taken[-1] + 1 in places:
        after = lines[taken[-1] + 1]
        if abs(after.size - size) > 0.3 or after.y - lines[taken[-1]].y > 2 * size:
            break
        taken.append(taken[-1] + 1)
    return tuple(taken)


def _ends_heading(lines: Sequence[Line], place: int) -> bool:
    """Whether a line is the second one of a numbered heading or chapter."""
    line, before = lines[place], lines[place - 1]
    if place == 0 or before.page != line.page or abs(before.size - line.size) > 0.3:
        return False
    return 0 < line.y - before.y <= 1.6 * line.size and _is_numbered(before.text)


def _is_numbered(text: str) -> bool:
    return (guesses.number_level(text) or guesses.chapter_level(text)) is not None


def _bold_first_line(lines: Sequence[Line], candidates: Sequence[int]) -> tuple[int, ...]:
    """A first line that is bold over plain text, where no type is larger."""
    place = candidates[0]
    plain_below = place + 1 < len(lines) and not lines[place + 1].bold
    short = len(lines[place].text) <= guesses.MAX_HEADING_CHARS
    named = lines[place].bold and plain_below and short and not typography.is_mostly_bold(lines)
    return (place,) if named and not guesses.ends_like_a_sentence(lines[place].text) else ()


def _could_name(line: Line) -> bool:
    """Whether a line may name the document: upright words, no row, number or address."""
    if not line.upright or line.row is not None or line.cells or _ADDRESS.search(line.text):
        return False
    letters = sum(map(str.isalpha, line.text))
    words = letters > 2 or (letters == 2 and _CJK.search(line.text) is not None)
    if not words or letters < 0.5 * len(line.text.replace(" ", "")):
        return False
    return not _is_numbered(line.text)
