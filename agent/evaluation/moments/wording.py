"""Patterns, words and numbers in replies, and quotes in the documents they are said to be from."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agent.evaluation.moments.cases import Group

CJK = r"[\u3400-\u9fff]"
_ELLIPSIS = re.compile(r"…|\.\.\.")
_NUMBER = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?")
_ENGLISH = {
    "zero": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6",
    "seven": "7", "eight": "8", "nine": "9", "ten": "10", "eleven": "11", "twelve": "12",
}  # fmt: skip
_CHINESE = dict(zip("一二三四五六七八九十", map(str, range(1, 11)), strict=True)) | {"两": "2"}
_MONTHS = {
    "jan": "1", "feb": "2", "mar": "3", "apr": "4", "may": "5", "jun": "6",
    "jul": "7", "aug": "8", "sep": "9", "oct": "10", "nov": "11", "dec": "12",
}  # fmt: skip


def folded(text: str) -> str:
    """Without white space, small, one form of quote marks and dashes."""
    text = unicodedata.normalize("NFKC", text)
    text = re.sub(r"[‘’‚`´]", "'", text)
    text = re.sub(r"[“”„«»]", '"', text)
    text = re.sub(r"[‐‑‒–—―]", "-", text)
    return re.sub(r"\s+", "", text).lower()


def unmarked(text: str) -> str:
    """Markdown as a reader sees it: links by their text, no tags, bullets, headings, emphasis."""
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"</?[a-zA-Z][^>]*>", "", text)
    text = re.sub(r"(?m)^[\s>]*([-*+]|\d+\.)\s+", "", text)
    text = re.sub(r"(?m)^\s*#+\s*", "", text)
    return re.sub(r"[*_`|\\]", "", text)


@dataclass(frozen=True, slots=True)
class SourceText:
    """A document's text, folded as written and as read."""

    written: str
    read: str

    @classmethod
    def of(cls, text: str) -> "SourceText":
        """Of a file's text."""
        return cls(folded(text), folded(unmarked(text)))

    def holds(self, quote: str) -> bool:
        """Whether a quote stands in it; an ellipsis parts it into pieces that stand in order."""
        parts = parts_of(quote)
        return _in_order(self.written, [folded(part) for part in parts]) or _in_order(
            self.read, [folded(unmarked(part)) for part in parts]
        )

    def places(self, quote: str) -> Iterator[tuple[int, int]]:
        """Where a quote, or a part of it, stands in the text as read."""
        for part in parts_of(quote):
            yield from spans(self.read, folded(unmarked(part)))


def parts_of(quote: str) -> list[str]:
    """The pieces of a quote around its ellipses."""
    return _ELLIPSIS.split(quote)


def _in_order(text: str, parts: Sequence[str]) -> bool:
    at = 0
    for part in filter(None, parts):
        found = text.find(part, at)
        if found < 0:
            return False
        at = found + len(part)
    return at > 0


def spans(text: str, part: str) -> Iterator[tuple[int, int]]:
    """Every place of a part in a text; none of an empty part."""
    at = text.find(part) if part else -1
    while at >= 0:
        yield at, at + len(part)
        at = text.find(part, at + 1)


def position(pattern: str, text: str) -> int:
    """Where a plain text (case and width folded) or a `re:` expression stands; -1: nowhere."""
    plain = unicodedata.normalize("NFKC", text)
    plain = re.sub(r"[‐‑‒–—―]", "-", re.sub(r"[‘’]", "'", plain))
    if pattern.startswith("re:"):
        found = re.search(pattern[3:].replace("’", "'"), plain, re.IGNORECASE | re.MULTILINE)
        return found.start() if found else -1
    return plain.lower().find(unicodedata.normalize("NFKC", pattern).lower())


def one_stands(group: Group, text: str) -> bool:
    """Whether one pattern of a group stands in a text."""
    return any(position(one, text) >= 0 for one in ((group,) if isinstance(group, str) else group))


def count_words(text: str) -> int:
    """Latin words and Chinese characters."""
    latin = re.findall(r"[A-Za-z0-9][\w'’.$%/-]*", re.sub(CJK, " ", text))
    return len(re.findall(CJK, text)) + len(latin)


def numbers(text: str, *, spelled: bool = False) -> set[str]:
    """The numbers in a text; with `spelled` also those in words and of months."""
    plain = unicodedata.normalize("NFKC", text)
    found = {_plain_number(each) for each in _NUMBER.findall(plain)}
    if spelled:
        small = plain.lower()
        found |= {value for word, value in _ENGLISH.items() if re.search(rf"\b{word}\b", small)}
        found |= {value for word, value in _CHINESE.items() if word in plain}
        found |= {
            value for word, value in _MONTHS.items() if re.search(rf"\b{word}[a-z]*\b", small)
        }
    return found


def _plain_number(written: str) -> str:
    number = written.replace(",", "")
    if "." in number:
        return number.rstrip("0").rstrip(".")
    return number.lstrip("0") or "0"


def without_bookkeeping(answer: str) -> str:
    """An answer without the numbers that claim nothing: markers, list numbers, times, counts."""
    answer = re.sub(r"\[\d+\]", " ", answer)
    answer = re.sub(r"(?m)^\s*\d+[.)、]\s", " ", answer)
    answer = re.sub(r"\b\d{1,2}:\d{2}\b", " ", answer)
    counted = r"\d+( of \d+)? ?(documents?|sections?|pages?|docs|(份|篇|个)?(文档|章节|小节))"
    return re.sub(counted, " ", answer)
