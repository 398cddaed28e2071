"""Abbreviations a library explains itself: "Paid Time Off (PTO)", "SLA（服务等级协议）"."""

import re
from collections.abc import Iterator

_QUOTES = "[“”\"'‘’「」『』《》]?"
_BRACKETED = re.compile(
    rf"[(（]\s*(?:(?:hereinafter|hereafter|abbreviated(?: as)?|short|in short)[:,]?\s+)?{_QUOTES}"
    rf"([A-Z][A-Za-z0-9&/-]{{1,10}}){_QUOTES}\s*[)）]"
)
_CALLED = re.compile(
    rf"[(（]\s*(?:以下|下文|英文)?(?:均|统)?(?:简称为?|缩写为?|下称|称为?)[：:]?\s*{_QUOTES}"
    rf"([A-Z][A-Za-z0-9&/-]{{1,10}}|[\u4e00-\u9fff]{{2,8}}){_QUOTES}\s*[)）]"
)
_BOTH = re.compile(
    r"[(（]\s*([A-Z][\w&'’/ -]{3,80}?)\s*[,，、;；]\s*(?:简称|缩写)?\s*"
    r"([A-Z][A-Za-z0-9&/-]{1,10})\s*[)）]"
)
_EXPLAINED = re.compile(
    r"(?<![A-Za-z0-9])([A-Z][A-Za-z0-9&/-]{1,10})\s*[(（]\s*"
    r"([A-Z\u4e00-\u9fff][\w&'’/ \t-]{3,80}?)\s*[)）,，;；]"
)
_WORDS_BEFORE = re.compile(r"(?:[\w&'’/-]+[ \t]+){0,11}[\w&'’/-]+[ \t]*$")
_CHINESE_BEFORE = re.compile(r"[\u4e00-\u9fff]{2,40}$")
_CHINESE_JOINTS = re.compile("(?<!共)和|[的与及或为是在叫称到将把被从对以已了谓即由]")
_LEADING = re.compile(
    "^(?:进入|采用|通过|使用|利用|缴纳|按照|根据|遵守|一[个种项]|[这该本此]|而|如|例|我们|员工|应当)+"
)
"""What stands before a name without being part of it."""
_CHINESE_CHARS = range(3, 9)
"""A longer run is a piece of a sentence rather than a name."""
_CHINESE_ALONE = re.compile(r"[\u4e00-\u9fff]{2,16}")
_WORD = r"[\w&'’/]+"
_SMALL = frozenset(
    {"of", "the", "and", "for", "to", "a", "an", "in", "on", "by", "with", "at", "&", "de"}
)
_LOOK_BACK_CHARS = 120


def find_abbreviations(text: str) -> dict[str, str]:
    """Short forms and the long forms that stand before or after them in the text.

    A long form counts when the initials of its words spell the short form, small words left out
    or not. Chinese long forms carry no initials and are taken as they stand beside the bracket.
    """
    found: dict[str, str] = {}
    if "(" not in text and "（" not in text:
        return found
    for short, long in (*_before_brackets(text), *_in_brackets(text), *_called(text)):
        if long and (sum(each.isupper() for each in short) > 1 or not short.isascii()):
            found.setdefault(short, long)
    return found


def _singular(short: str) -> str:
    """`FTEs` → `FTE`."""
    return short[:-1] if short.endswith("s") and short[:-1].isupper() else short


def _before_brackets(text: str) -> Iterator[tuple[str, str]]:
    for match in _BRACKETED.finditer(text):
        before = text[max(0, match.start() - _LOOK_BACK_CHARS) : match.start()]
        short = _singular(match.group(1))
        yield short, _spelt_out(short, before)


def _in_brackets(text: str) -> Iterator[tuple[str, str]]:
    for match in _EXPLAINED.finditer(text):
        short, long = _singular(match.group(1)), match.group(2)
        words = re.findall(_WORD, long)
        spelt_out = _matching_tail(words, _letters(short)) == " ".join(words)
        if spelt_out or _CHINESE_ALONE.fullmatch(long):
            yield short, long


def _called(text: str) -> Iterator[tuple[str, str]]:
    """Short forms that are said to be such, and those that follow their long form in brackets."""
    for match in _CALLED.finditer(text):
        before = text[max(0, match.start() - _LOOK_BACK_CHARS) : match.start()].rstrip(" 》”」")
        short = _singular(match.group(1))
        if short.isascii():
            yield short, _spelt_out(short, before) or _chinese_name(before)
        elif _abridges(short, name := _chinese_name(before)):
            yield short, name
    for match in _BOTH.finditer(text):
        short = _singular(match.group(2))
        yield short, _matching_tail(re.findall(_WORD, match.group(1)), _letters(short))


def _chinese_name(before: str) -> str:
    """The run of Chinese that ends here, from its last joint on."""
    found = _CHINESE_BEFORE.search(before)
    return _LEADING.sub("", _CHINESE_JOINTS.split(found.group())[-1]) if found else ""


def _abridges(short: str, long: str) -> bool:
    """Whether the characters of a short form stand in the long one, in their order."""
    rest = iter(long)
    return len(short) < len(long) and all(character in rest for character in short)


def _letters(short: str) -> list[str]:
    return [each for each in short.casefold() if each.isalnum()]


def _spelt_out(short: str, before: str) -> str:
    chinese = _CHINESE_BEFORE.search(before.rstrip())
    if chinese:
        name = _LEADING.sub("", _CHINESE_JOINTS.split(chinese.group())[-1])
        return name if len(name) in _CHINESE_CHARS else ""
    words = _WORDS_BEFORE.search(before)
    if words is None:
        return ""
    return _matching_tail(re.findall(_WORD, words.group()), _letters(short))


def _matching_tail(words: list[str], wanted: list[str]) -> str:
    """The shortest run of last words whose initials are the wanted ones."""
    for count in range(min(len(wanted), len(words)), len(words) + 1):
        tail = words[-count:] if count else []
        initials = [word[0].casefold() for word in tail]
        telling = [word[0].casefold() for word in tail if word.casefold() not in _SMALL]
        if wanted in (initials, telling) and tail[0].casefold() not in _SMALL:
            return " ".join(tail)
    return ""
