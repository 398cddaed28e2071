"""Where sentences begin and end, in English and Chinese.

Quotes, passages and windows are cut here, so a wrong border is seen by the asker: half a
sentence reads as a lie. Abbreviations, initials, decimals and numbered references do not end
a sentence; list items and table rows stand alone.
"""

import re
from collections.abc import Iterator

Span = tuple[int, int]
"""Half-open offsets in characters."""

_END = re.compile(
    r"[。！？；]++[”’」』）)】》\"']*"  # Chinese: no blank needed
    r"|(?<![.!?…])[.!?…]++[\"'”’)\]】」』）]*+(?=\s|$)"
    r"|(?<![.!?])[.!?]++(?=[\u4e00-\u9fff])"
    r"|\n[ \t]*\n\s*"
    r"|\n"
)
_MARKER = re.compile(
    r"[ \t]*(?:[-*•‣◦·▪–—]|\(?\d{1,3}[.)、]|\(?[a-zA-Z][.)]|[一二三四五六七八九十]+、)[ \t]"
)
_LINE_END = re.compile(r"[.!?:;。！？：；…][\"'”’)\]」』）]*[ \t]*$")
_BEFORE_WORD = re.compile(r"[\s(\[（\"“'‘]")
_LONGEST_SHORT_FORM = 16
_LINE_CHARS = 1_000
_STOPS = ".!?…"
"""Marks that end a sentence; `! ! .` spaced out is one row of them and ends none in between."""
_LONGEST_CHARS = 1_000
"""A longer stretch without an end (a list run together, words without marks) is cut between its
clauses or words: so much can still be read and quoted at once."""
_CLAUSE_END = re.compile(r"[,;:，；：、]")
_NEXT_WORD = re.compile(r"\s*[\"“'‘(\[（]*(\S+)")


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


_TITLES = _listed(
    "mr mrs ms mx dr prof sr jr st gen col lt sgt capt rev hon pres gov sen rep messrs mt ft"
)
_BEFORE_NUMBER = _listed(
    "no nos fig figs eq eqs sec secs ch chap vol vols p pp art para pt tab ver v nr approx ca c "
    "jan feb mar apr jun jul aug sep sept oct nov dec"
)
_INSIDE = _listed(
    "e.g i.e eg ie cf al vs viz resp esp incl excl approx ca dept est ext tel max min avg "
    "mon tue tues wed thu thur thurs fri sat sun"
)
_EITHER = _listed("etc inc ltd co corp llc plc bros u.s u.k u.n e.u a.m p.m ph.d b.sc m.sc d.c")
_STARTERS = _listed(
    "the a an it its if you your we our this that these those they their he she in on at for from "
    "when where while after before please do not all any each every some no there as by to with "
    "only once use see however but and or so then"
)


def sentences(text: str, start: int = 0, end: int | None = None) -> list[Span]:
    """The sentences of a stretch of text, in order, without the white space around them.

    Args:
        text: source text.
        start: first character of the stretch.
        end: one past its last character; None: the end of the text.

    Returns:
        Spans in offsets of `text`; together they cover every visible character of the stretch.
    """
    end = len(text) if end is None else end
    spans: list[Span] = []
    begin = start
    for border in _borders(text, start, end):
        _add(spans, text, begin, border)
        begin = border
    _add(spans, text, begin, end)
    return spans


def _add(spans: list[Span], text: str, start: int, end: int) -> None:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    while end - start > _LONGEST_CHARS:
        cut = _cut(text, start)
        spans.append((start, start + len(text[start:cut].rstrip())))
        start = cut
        while start < end and text[start].isspace():
            start += 1
    if end > start:
        spans.append((start, end))


def _cut(text: str, start: int) -> int:
    """Where to cut a stretch that is too long: behind a clause, else at a blank, else anywhere."""
    middle, most = start + _LONGEST_CHARS // 2, start + _LONGEST_CHARS
    clauses = [found.end() for found in _CLAUSE_END.finditer(text, middle, most)]
    blank = max(text.rfind(" ", middle, most), text.rfind("\n", middle, most))
    return clauses[-1] if clauses else blank if blank > 0 else most


def _borders(text: str, start: int, end: int) -> Iterator[int]:
    line = start
    for match in _END.finditer(text, start, end):
        mark = match.group()
        if mark[0] == "\n":
            if mark != "\n" or _line_breaks(text, line, match.start(), end):
                yield match.end()
            line = match.end()
        elif mark[0] in "。！？；" or _mark_ends(text, line, match, end):
            yield match.end()


def _line_breaks(text: str, line: int, at: int, end: int) -> bool:
    """Whether a single line break separates: after a full line, before a marker, in a table."""
    before = text[max(line, at - _LINE_CHARS) : at]
    following = text[at + 1 : min(end, at + _LINE_CHARS)]
    return bool(
        _LINE_END.search(before)
        or _MARKER.match(before)
        or _MARKER.match(following[:12])
        or " | " in before
        or " | " in following.split("\n", 1)[0]
    )


def _mark_ends(text: str, line: int, match: re.Match[str], end: int) -> bool:
    following = _NEXT_WORD.match(text, match.end(), end)
    if following is None:
        return True
    next_word = following.group(1)
    if next_word[0] in _STOPS or match.group().startswith(("..", "…")):
        return not (next_word[0].islower() or next_word[0] in _STOPS)
    if next_word[0].islower() and not re.match(r"[a-z]+[A-Z]", next_word):
        return False
    if match.group()[0] in "!?":
        return True
    before = text[max(line, match.start() - _LONGEST_SHORT_FORM) : match.start()]
    word = _BEFORE_WORD.split(before)[-1]
    return not _is_short_form(word, next_word, before.strip() == word)


def _is_short_form(word: str, next_word: str, opens_line: bool) -> bool:
    """Whether a full stop after `word` belongs to it: `Dr.`, `Fig.`, `J.`, `2.` of a list."""
    folded = word.casefold()
    if opens_line and (word.isdigit() or len(word) == 1):
        return len(word) <= 3
    if len(word) == 1 and word.isalpha() and word.isupper():
        return next_word.rstrip(",.;:").casefold() not in _STARTERS
    if folded in _TITLES or folded in _INSIDE:
        return True
    if folded in _BEFORE_NUMBER:
        return next_word[0].isdigit()
    if folded in _EITHER:
        return next_word.rstrip(",.;:").casefold() not in _STARTERS
    return False
