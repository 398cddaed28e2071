"""Headings by how they are set: numbers, larger type, bold lines of their own.

Used where a file has no bookmarks. Bold field names and run-in phrases look like headings too,
so a class of lines that comes more than four times a page is dropped as a whole.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from connectors.formats import guesses
from connectors.formats.pdf.page import Heading, Line

_LARGER = 1.12
_CLASSES = 6
_A_PAGE = 4
_WEAK_A_PAGE, _WEAK_A_PAGE_IF_LONG = 2.5, 1.5
_LONG_PAGES = 40
_MOST = 300
_CLOSE = 1.5
_LEAST_CHAPTERS = 2
_LONGEST = 160
_DATE = re.compile(
    r"(?:\w+day,? )?(?:\d{1,2}(?:\.|st|nd|rd|th)? (?:of )?[^\W\d]+,? \d{4}"
    r"|[^\W\d]+\.? \d{1,2},? \d{4})"
)
_MATH = re.compile(r"[†‡∗@=∈≤≥∑∫√±×÷→⇒⇔∀∃⊂⊆∪∩]")


_CJK_LONGEST = 28
_CJK_PAUSE = re.compile(r"[\u4e00-\u9fff].*[，、；].*[\u4e00-\u9fff]")
_UNFINISHED = re.compile(
    r"(?:[-–—/&(]|\b(?:and|or|of|the|a|an|to|in|for|with|by|und|oder|der|die|das|et|ou|de|la|le))$",
    re.IGNORECASE,
)
_Group = tuple[float, bool, int | None]


@dataclass(frozen=True, slots=True)
class _Candidate:
    """Neighbouring lines set alike, as a heading may run over two."""

    text: str
    at: int
    count: int
    size: float
    bold: bool
    page: int
    number_level: int | None

    @property
    def group(self) -> _Group:
        """Headings of one kind share size, weight and depth of numbering."""
        return (self.size, self.bold, self.number_level)


def body_size(rows: Sequence[Line]) -> float:
    """Size of most characters, in points; 0 without text."""
    chars: Counter[float] = Counter()
    for line in rows:
        chars[round(line.size * 2) / 2] += len(line.text)
    return chars.most_common(1)[0][0] if chars else 0.0


def is_mostly_bold(rows: Sequence[Line]) -> bool:
    """Whether bold is the look of the text itself and marks nothing."""
    total = sum(len(line.text) for line in rows)
    return sum(len(line.text) for line in rows if line.bold) > 0.5 * total


def headings(rows: Sequence[Line], pages: int, skipped: frozenset[int]) -> list[Heading]:
    """Headings in reading order.

    Args:
        rows: all lines of the document.
        pages: number of pages, for telling what comes too often.
        skipped: indexes of lines that are none: the title, contents lists.
    """
    found = [each for each in _candidates(rows, skipped) if each.count <= 3]
    found = _without_common(found, pages, body_size(rows))
    found = _with_chinese_depth(found)
    found = _with_text_below(found, rows)
    found = _within_budget(found)
    levels = _levels(found)
    return [
        Heading(
            each.text,
            levels[each.group],
            each.at,
            each.page,
            tuple(range(each.at, each.at + each.count)),
        )
        for each in found
    ]


def _candidates(rows: Sequence[Line], skipped: frozenset[int]) -> list[_Candidate]:
    body, bold_matters = body_size(rows), not is_mostly_bold(rows)
    found: list[_Candidate] = []
    place = 0
    while place < len(rows):
        if place in skipped or not _stands_out(rows, place, body, bold_matters=bold_matters):
            place += 1
            continue
        count = 1
        while (
            place + count < len(rows)
            and place + count not in skipped
            and _goes_on(rows[place + count - 1], rows[place + count])
        ):
            count += 1
        text = " ".join(line.text for line in rows[place : place + count])
        if _could_head(text) and not rows[place].cells and not _runs_in(rows, place + count):
            found.append(_candidate(rows[place], text, place, count))
        place += count
    return found


def _candidate(line: Line, text: str, at: int, count: int) -> _Candidate:
    number = guesses.number_level(text)
    chapter = guesses.chapter_level(text)
    level = chapter if chapter is not None else number
    return _Candidate(text, at, count, round(line.size * 2) / 2, line.bold, line.page, level)


def _stands_out(rows: Sequence[Line], place: int, body: float, *, bold_matters: bool) -> bool:
    line = rows[place]
    if not line.upright or line.row is not None or len(line.text) < 2:
        return False
    if line.size >= _LARGER * body:
        return True
    if line.size < 0.9 * body:
        return False
    if line.bold and bold_matters:
        return True
    return guesses.chapter_level(line.text) is not None and _is_apart(rows, place)


def _is_apart(rows: Sequence[Line], place: int) -> bool:
    """Whether a line stands off from the one before it, so that it does not go on a sentence."""
    line, before = rows[place], rows[place - 1] if place else None
    if before is None or before.page != line.page:
        return True
    return not 0 < line.y - before.y <= _CLOSE * line.size


def _goes_on(before: Line, line: Line) -> bool:
    """Whether a line is the next one of the same heading."""
    return (
        line.page == before.page
        and abs(line.size - before.size) < 0.3
        and line.bold == before.bold
        and 0 < line.y - before.y <= 1.6 * line.size
        and guesses.number_level(line.text) is None
        and not guesses.ends_like_a_sentence(before.text)
    )


def _runs_in(rows: Sequence[Line], place: int) -> bool:
    """Whether the line at `place` goes on the sentence of the one before it."""
    if place >= len(rows) or rows[place].page != rows[place - 1].page:
        return False
    last, after = rows[place - 1], rows[place]
    close = 0 < after.y - last.y <= _CLOSE * last.size
    alike = 0.95 * last.size < after.size < 1.05 * last.size
    return close and alike and after.text[:1].islower()


def _is_chinese_sentence(text: str) -> bool:
    return len(text) > _CJK_LONGEST and _CJK_PAUSE.search(text) is not None


def _could_head(text: str) -> bool:
    letters = sum(char.isalpha() for char in text)
    return (
        len(text) <= _LONGEST
        and letters >= 2
        and letters >= 0.4 * len(text.replace(" ", ""))
        and not text[0].islower()
        and not guesses.ends_like_a_sentence(text)
        and not _is_chinese_sentence(text)
        and not guesses.is_caption(text)
        and not guesses.is_contents_line(text)
        and not any(sign.search(text) for sign in (_MATH, _UNFINISHED))
        and not _DATE.fullmatch(text)
        and not text.startswith(("•", "–", "-", "·", "*", "(", "“", '"', ","))
    )


def _without_common(found: list[_Candidate], pages: int, body: float) -> list[_Candidate]:
    """Without kinds that come too often, and with at most six kinds, the largest.

    Bold lines in the size of the text are the weakest sign, so fewer of them are believed.
    """
    counts = Counter(each.group for each in found)
    weak = _WEAK_A_PAGE if pages <= _LONG_PAGES else _WEAK_A_PAGE_IF_LONG
    kept = {
        group
        for group, count in counts.items()
        if count <= max(_A_PAGE, pages * (_A_PAGE if _is_strong(group, body) else weak))
    }
    sizes = sorted({size for size, _, level in kept if level is None}, reverse=True)[:_CLASSES]
    return [
        each
        for each in found
        if each.group in kept and (each.number_level is not None or each.size in sizes)
    ]


def _is_strong(group: _Group, body: float) -> bool:
    size, _, level = group
    return level is not None or size >= _LARGER * body


def _within_budget(found: list[_Candidate]) -> list[_Candidate]:
    """Without the weakest kinds where there are more headings than a map can hold."""
    counts = Counter(each.group for each in found)
    kinds = sorted(counts, key=lambda kind: (kind[2] is not None, kind[0], -(kind[2] or 0)))
    while kinds and sum(counts[kind] for kind in kinds) > _MOST:
        kinds.pop(0)
    kept = set(kinds)
    return [each for each in found if each.group in kept]


def _with_text_below(found: list[_Candidate], rows: Sequence[Line]) -> list[_Candidate]:
    """Without lines that are followed at once by a heading of their kind or a larger one."""
    kept: list[_Candidate] = []
    for place, each in enumerate(found):
        end = each.at + each.count
        if end >= len(rows):
            continue
        after = found[place + 1] if place + 1 < len(found) else None
        if after is None or after.at > end or _is_above(each, after):
            kept.append(each)
    return kept


def _is_above(each: _Candidate, after: _Candidate) -> bool:
    if each.number_level is not None and after.number_level is not None:
        return each.number_level < after.number_level
    return each.size > after.size or (each.number_level is not None and each.size >= after.size)


def _with_chinese_depth(found: list[_Candidate]) -> list[_Candidate]:
    """`一、` stands below `第一节` where a document has both; `第一节` alone stands at the top."""
    chapters = [
        each.number_level
        for each in found
        if each.number_level is not None and each.text.startswith("第")
    ]
    if len(chapters) < _LEAST_CHAPTERS:
        return found
    top, depth = min(chapters), max(chapters) - min(chapters) + 1
    return [
        each
        if each.number_level is None
        else replace(each, number_level=each.number_level - top + 1)
        if each.text.startswith("第")
        else replace(each, number_level=each.number_level + depth)
        for each in found
    ]


def _levels(found: list[_Candidate]) -> dict[_Group, int]:
    """A level for every kind: numbered ones by their depth, others by size around them."""
    numbered = defaultdict(list)
    for each in found:
        if each.number_level is not None:
            numbered[each.number_level].append(each.size)
    if len(numbered.get(1, ())) + len(numbered.get(2, ())) < 2:
        numbered.clear()
    plain = {each.group for each in found if each.number_level is None or not numbered}
    levels = {each.group: each.number_level or 1 for each in found}
    if not numbered:
        ranks = sorted({(size, bold) for size, bold, _ in plain}, reverse=True)
        return levels | {group: ranks.index(group[:2]) + 1 for group in plain}
    top = max(max(sizes) for sizes in numbered.values())
    for group in plain:
        levels[group] = 1 if group[0] > top else _below(group[0], numbered)
    return levels


def _below(size: float, numbered: dict[int, list[float]]) -> int:
    """One level under the deepest numbered headings that are at least as large."""
    larger = [level for level, sizes in numbered.items() if max(sizes) >= size]
    return max(larger, default=0) + 1
