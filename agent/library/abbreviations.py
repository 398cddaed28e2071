"""Abbreviations a library explains itself: "Paid Time Off (PTO)", "服务等级协议（SLA）"."""

import re

_BRACKETED = re.compile(r"[(（]\s*([A-Z][A-Za-z0-9&/-]{1,9}?)s?\s*[)）]")
_WORDS_BEFORE = re.compile(r"(?:[\w&'’/-]+[ \t]+){0,11}[\w&'’/-]+[ \t]*$")
_CHINESE_BEFORE = re.compile(r"[\u4e00-\u9fff]{2,12}$")
_SMALL = frozenset(
    {"of", "the", "and", "for", "to", "a", "an", "in", "on", "by", "with", "at", "&", "de"}
)
_LOOK_BACK_CHARS = 120


def find_abbreviations(text: str) -> dict[str, str]:
    """Short forms and the long forms that stand before them in the text.

    A long form counts when the initials of its words spell the short form, small words left out
    or not. Chinese long forms carry no initials and are taken as they stand before the bracket.
    """
    found: dict[str, str] = {}
    if "(" not in text and "（" not in text:
        return found
    for match in _BRACKETED.finditer(text):
        short = match.group(1)
        if sum(each.isupper() for each in short) < 2:
            continue
        before = text[max(0, match.start() - _LOOK_BACK_CHARS) : match.start()]
        long = _spelt_out(short, before)
        if long:
            found.setdefault(short, long)
    return found


def _spelt_out(short: str, before: str) -> str:
    chinese = _CHINESE_BEFORE.search(before.rstrip())
    if chinese:
        return chinese.group()
    words = _WORDS_BEFORE.search(before)
    if words is None:
        return ""
    wanted = [each for each in short.casefold() if each.isalnum()]
    return _matching_tail(re.findall(r"[\w&'’/]+", words.group()), wanted)


def _matching_tail(words: list[str], wanted: list[str]) -> str:
    """The shortest run of last words whose initials are the wanted ones."""
    for count in range(min(len(wanted), len(words)), len(words) + 1):
        tail = words[-count:] if count else []
        initials = [word[0].casefold() for word in tail]
        telling = [word[0].casefold() for word in tail if word.casefold() not in _SMALL]
        if wanted in (initials, telling) and tail[0].casefold() not in _SMALL:
            return " ".join(tail)
    return ""
