"""What a question names exactly: `plan-4`, `E-131`, "topic 9".

A section on plan-3 is no answer to a question about plan-4, however alike the two are. So what
is quoted must name it, in the stretch itself, its headings or the title of its document.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from agent.cores.ranking import Candidate
from agent.cores.units import stretch
from agent.domain import BlockKind
from agent.ports import ShownWindow
from agent.text.lightwords import lightness
from agent.text.units import PREFIXES, unit_of
from agent.text.words import is_stop_word

_WITH_DIGIT = re.compile(
    r"(?<![\w.@/])(?=[A-Za-z_-]*\d)[A-Za-z][A-Za-z0-9]*(?:[-_.][A-Za-z0-9]+)*(?![\w@]|[-/.]\w)"
)
_COUNTED = re.compile(
    r"(?<![\w.-])(?P<noun>[A-Za-z]{2,})\s+(?:no\.?\s*|number\s+|#)?"
    r"(?P<number>\d+(?:\.\d+)*)(?![\d%:/-]|[.,]\d|\w)\s*(?P<next>[A-Za-z]*)"
)
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_MONTH = re.compile(r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*", re.IGNORECASE)
_CONDITION = frozenset({"least", "most", "exactly", "maximum", "minimum", "around", "nearly"})
_PIECE = re.compile(r"[A-Za-z]+|\d+(?:\.\d+)*")


@dataclass(frozen=True, slots=True)
class Name:
    """Something named exactly, and how it may be spelt."""

    written: str
    pattern: re.Pattern[str]

    def within(self, text: str) -> bool:
        """Whether a text names it, whatever stands between letters and digits."""
        return self.pattern.search(unicodedata.normalize("NFKC", text)) is not None


def named(question: str) -> tuple[Name, ...]:
    """Identifiers and numbered things of a question; amounts, dates and conditions are none."""
    found = [m.group() for m in _WITH_DIGIT.finditer(question) if not _is_amount(m.group())]
    found += [m["number"] for m in _COUNTED.finditer(question) if _numbers(m)]
    return tuple(Name(each, _pattern(each)) for each in dict.fromkeys(found))


def unnamed(names: Sequence[Name], windows: Iterable[ShownWindow]) -> tuple[Name, ...]:
    """Those that no window names."""
    texts = [f"{_above(shown)}\n{shown.window.text}" for shown in windows]
    return tuple(name for name in names if not any(name.within(text) for text in texts))


def naming(names: Sequence[Name], candidates: Sequence[Candidate]) -> list[Candidate]:
    """The candidates that name most of it, in their order; none where one is named by none."""
    held = [frozenset(n for n in names if n.within(_said(each))) for each in candidates]
    if frozenset[Name]().union(*held) != frozenset(names):
        return []
    most = max(map(len, held), default=0)
    return [each for each, said in zip(candidates, held, strict=True) if len(said) == most]


def _said(candidate: Candidate) -> str:
    """A stretch with what it leans on, its columns and the headings above it."""
    first, last = candidate.run
    start, end = stretch(candidate.around, max(0, first - candidate.unit.leans), last)
    section = candidate.unit.section
    columns = [
        section.text[block.start : block.end]
        for block in section.blocks
        if block.kind is BlockKind.HEADER_ROW and candidate.unit.kind is BlockKind.ROW
    ]
    return "\n".join((_above(candidate.unit.shown), *columns, section.text[start:end]))


def _above(shown: ShownWindow) -> str:
    window = shown.window
    return "\n".join((window.document.doc, window.document.title, *window.section.headings))


def _is_amount(token: str) -> bool:
    """`EUR50`, `mid-2024`."""
    pieces = _PIECE.findall(token)
    if len(pieces) == 2 and pieces[0].casefold() in PREFIXES:
        return True
    return all(_YEAR.fullmatch(piece) for piece in pieces if piece[0].isdigit())


def _numbers(match: re.Match[str]) -> bool:
    """Whether a number after a noun tells which one: `plan 4`, not `over 4` nor `takes 4 days`."""
    noun, following = match["noun"].casefold(), match["next"]
    if is_stop_word(noun) or noun in _CONDITION or lightness(noun) < 1 or _MONTH.fullmatch(noun):
        return False
    if _YEAR.fullmatch(match["number"]):
        return False
    return not following or (is_stop_word(following) and not unit_of(following))


@lru_cache(maxsize=1_000)
def _pattern(written: str) -> re.Pattern[str]:
    pieces = [re.escape(piece) for piece in _PIECE.findall(written)]
    if pieces[0].casefold() == "v":
        pieces[:2] = [f"(?:v|version)?{pieces[1]}"]
    spelt = r"[\W_]{0,2}".join(pieces)
    return re.compile(rf"(?<![A-Za-z0-9])(?<!\d\.){spelt}(?![A-Za-z0-9]|\.\d)", re.IGNORECASE)
