"""Which plain lines are headings, by what they say: chapters, numbers, capitals.

Shared by formats without heading marks (text, Word files typed without styles, PDF). A wrong
heading tears a paragraph apart, so each rule asks for more than one sign.
"""

import re

MAX_HEADING_CHARS = 100

_CHAPTER = re.compile(
    r"(?:(?P<top>part|book|volume|teil|partie|parte|tomo)|chapter|kapitel|chapitre|cap[ií]tulo"
    r"|(?P<low>section|article|appendix|annex|anhang|annexe|abschnitt|artikel))"
    r"\s+(?:\d+|[ivxlc]+|[a-z]|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b"
    r"(?![\w-])(?P<rest>.*)",
    re.IGNORECASE,
)
_CHINESE_CHAPTER = re.compile(
    r"第\s*[一二三四五六七八九十百千零〇两\d]+\s*(?P<unit>[编卷部篇章节節条條])(?=[\s:：、.．]|[^的个個次年月天种種款项項])"
)
_CHINESE_NUMBER = re.compile(
    r"(?P<mark>[一二三四五六七八九十]{1,3}[、.．]|[（(][一二三四五六七八九十]{1,3}[)）])\s*\S"
)
_NUMBERED = re.compile(
    r"(?P<number>\d{1,2}(?:\.\d{1,3}){0,5})(?P<dot>\.?)[)\s\u3000]\s*(?=[^\W\d_])"
)
_LETTERED = re.compile(r"[A-Z][.)]\s+\S")
_ROMAN = re.compile(r"[IVX]{1,5}[.)]\s+\S")
_END_MARK = re.compile(r"[.!?。！？；;,，、:：…]\s*[”\"'’)）]*$")
_CAPTION = re.compile(
    r"(?:fig(?:ure|\.)?|table|tab\.|abb(?:ildung|\.)|tabelle|tableau|exhibit|chart|listing|box)"
    r"\s*[\dIVX]|\[?(?:[图圖表図]|그림|표)\s*\d",
    re.IGNORECASE,
)
_CHINESE_LEVELS = {"编": 1, "卷": 1, "部": 1, "篇": 1, "章": 1, "节": 2, "節": 2, "条": 3, "條": 3}


def is_caption(line: str) -> bool:
    """Whether a line names a figure or table."""
    return _CAPTION.match(line.strip()) is not None


def ends_like_a_sentence(line: str) -> bool:
    """Whether a line ends with a mark that headings do not carry."""
    return _END_MARK.search(line) is not None


def chapter_level(line: str) -> int | None:
    """Level of a line such as `CHAPTER 2 – Leave` or `第三章 请假`, or None."""
    line = line.strip()
    if len(line) > MAX_HEADING_CHARS or is_contents_line(line):
        return None
    if chinese := _CHINESE_CHAPTER.match(line):
        if len(line) > 40 or ends_like_a_sentence(line):
            return None
        return _CHINESE_LEVELS[chinese["unit"]]
    match = _CHAPTER.match(line)
    if match is None or ends_like_a_sentence(line):
        return None
    rest = match["rest"].strip()
    if rest[:1].islower() or rest.startswith((",", ";", ")")):
        return None
    return 2 if match["low"] else 1


def number_level(line: str) -> int | None:
    """Level of a line that begins with a heading number: `2.1 Scope`, `二、范围`, or None."""
    line = line.strip()
    if match := _NUMBERED.match(line):
        return match["number"].count(".") + 1
    if match := _CHINESE_NUMBER.match(line):
        return 2 if match["mark"][0] in "（(" else 1
    return None


def is_lettered(line: str) -> bool:
    """Whether a line begins like `A. PURPOSE` or `IV. Findings`."""
    return bool(_LETTERED.match(line.strip()) or _ROMAN.match(line.strip()))


def is_upper(line: str) -> bool:
    """Whether a line of at least four letters is all capitals (in scripts that have them)."""
    letters = [char for char in line if char.isalpha()]
    cased = [char for char in letters if char.lower() != char.upper()]
    return len(cased) >= 4 and len(cased) == len(letters) and not any(map(str.islower, cased))


def is_contents_line(line: str) -> bool:
    """Whether a line is an entry of a contents list: dots or a tab and a page number at its end."""
    return (
        re.search(r"(?:\.\s?){4,}\s*[\divxlc]*\s*$|\t\s*[\divxlc]+\s*$|…+\s*\d+\s*$", line)
        is not None
    )
