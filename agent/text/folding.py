"""Where a quote stands in a text, whatever its typography.

A quote that went through a PDF, a chat window or a model comes back with other spaces, quote
marks, dashes and line ends than its source. Both sides are folded to one plain form; what is
handed back are offsets in the original, so that the source's own characters are shown and never
somebody's copy of them.
"""

import re
import unicodedata
from bisect import bisect_left
from dataclasses import dataclass
from functools import lru_cache

from agent.text.words import CJK

_QUOTE_MARKS = frozenset("'\"`´‘’‚‛′‵“”„‟″«»‹›「」『』〝〞〟")
_DASHES = "\\-‐‑‒–—―−﹘﹣－⁃"
_STABLE = "!#$%&()*+,./0-9:;<=>?@A-Z\\[\\\\\\]^_a-z{|}~\u4e00-\u9fff。、"
"""Characters that only need their case folded."""
_LETTER = r"[^\W\d_]"
_PIECE = re.compile(
    rf"(?P<join>(?<={_LETTER})(?:[{_DASHES}]+(?:[^\S\n]*\n\s*)?|\u00ad\s*)(?={_LETTER}))"
    rf"|(?P<blank>\s+)|(?P<dash>[{_DASHES}]+)|(?P<stable>[{_STABLE}]+)|(?P<character>.)",
    re.DOTALL,
)
_CJK = re.compile(rf"[{CJK}]")
_ELLIPSIS = re.compile(r"(?<!\s)\s*+[\[(（【]?\s*+(?:…+|\.{3,}|(?:\. ){2,}\.)\s*[\])）】]?\s*")
_WORDLIKE = re.compile(r"[^\W_]")

_CLUSTER_CHARS = 32
"""No script puts more accents on one character; what is over is a prank and changes nothing."""

_SPACE = " "
_DASH = "-"
_QUOTE = "'"


@dataclass(frozen=True, slots=True)
class Folded:
    """A text in its plain form.

    Attributes:
        text: lower case; blanks single, none beside Chinese characters; one form of quote marks
            and dashes; no soft hyphens, no hyphens inside words.
        starts, ends: for every character of `text`, the half-open range of the original that it
            came from. Characters that came from one cluster share its range.
    """

    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]


@lru_cache(maxsize=64)
def fold(text: str) -> Folded:
    """The plain form of a text, with the way back."""
    kept = _without_idle_blanks(_pieces(text))
    return Folded(
        "".join(plain for plain, _, _ in kept),
        tuple(start for plain, start, _ in kept for _ in plain),
        tuple(end for plain, _, end in kept for _ in plain),
    )


def find(quote: str, text: str, start: int = 0) -> tuple[int, int] | None:
    """The first place where a quote stands, whole words only.

    Args:
        quote: words believed to stand in the text.
        text: the source, unaltered.
        start: where to begin to look, in characters of `text`.

    Returns:
        Half-open offsets in `text`; the slice folds to what the quote folds to. None when the
        quote does not stand there or holds no character.
    """
    exact = quote.strip()
    if not fold(exact).text:
        return None
    return _find_exact(exact, text, start) or _find_folded(fold(exact).text, text, start)


def find_parts(quote: str, text: str) -> list[tuple[int, int]] | None:
    """The places of a quote's parts around its ellipses, in order.

    Returns:
        One pair of half-open offsets in `text` a part, none overlapping; a quote that stands
        there whole is one part. None when a part is missing or out of order.
    """
    if whole := find(quote, text):
        return [whole]
    places: list[tuple[int, int]] = []
    for part in filter(_says_something, _ELLIPSIS.split(quote)):
        place = find(part, text, places[-1][1] if places else 0)
        if place is None:
            return None
        places.append(place)
    return places or None


def _says_something(part: str) -> bool:
    return bool(_WORDLIKE.search(part))


def _find_exact(quote: str, text: str, start: int) -> tuple[int, int] | None:
    at = text.find(quote, start)
    while at >= 0:
        if _whole_words(text, at, at + len(quote)) and not _splits_cluster(text, at, len(quote)):
            return at, at + len(quote)
        at = text.find(quote, at + 1)
    return None


def _find_folded(wanted: str, text: str, start: int) -> tuple[int, int] | None:
    folded = fold(text)
    at = folded.text.find(wanted, bisect_left(folded.starts, start))
    while at >= 0:
        last = at + len(wanted) - 1
        place = folded.starts[at], folded.ends[last]
        if _whole_clusters(folded, at, last) and _whole_words(text, *place):
            return place
        at = folded.text.find(wanted, at + 1)
    return None


def _whole_clusters(folded: Folded, first: int, last: int) -> bool:
    """Whether neither border cuts through what came from one cluster (`ﬁ`, `½`)."""
    begins = first == 0 or folded.starts[first - 1] != folded.starts[first]
    return begins and (last + 1 == len(folded.text) or folded.ends[last + 1] != folded.ends[last])


def _whole_words(text: str, start: int, end: int) -> bool:
    """Whether the borders fall between words: `14 weeks` does not stand in `114 weeks`."""
    return not (
        _one_word(text[max(0, start - 2) : start], text[start : start + 1])
        or _one_word(text[end - 1 : end], text[end : end + 2], forwards=True)
    )


def _one_word(left: str, right: str, *, forwards: bool = False) -> bool:
    if not left or not right:
        return False
    near, far = (right[0], right[1:]) if forwards else (left[-1], left[:-1])
    inner = left[-1] if forwards else right[0]
    if inner.isdigit() and near in ".,":  # 5 inside 1.5
        return far.isdigit()
    joined = _WORDLIKE.match(inner) and _WORDLIKE.match(near)
    return bool(joined) and not (_CJK.match(inner) or _CJK.match(near))


def _splits_cluster(text: str, start: int, length: int) -> bool:
    """Whether an accent that belongs to a border character stands beyond the border."""
    after = text[start + length : start + length + 1]
    return _combines(text[start]) or bool(after and _combines(after))


def _combines(character: str) -> bool:
    return unicodedata.category(character).startswith("M")


# ---------------------------------------------------------------- the plain form

_Piece = tuple[str, int, int]
"""Plain form, and the half-open range of the original that it stands for."""


def _pieces(text: str) -> list[_Piece]:
    """Clusters (a character and its accents), runs of blanks, runs of dashes; joints dropped."""
    pieces: list[_Piece] = []
    for match in _PIECE.finditer(text):
        start, end = match.span()
        if match.lastgroup == "stable":
            run = match.group().casefold()
            pieces.extend(zip(run, range(start, end), range(start + 1, end + 1), strict=True))
        elif pieces and _combines(text[start]):
            pieces[-1] = _with_accent(text, pieces[-1], end)
        elif plain := _RUNS.get(match.lastgroup or "") or _plain_unless_joint(match):
            pieces.append((plain, start, end))
    return pieces


def _plain_unless_joint(match: re.Match[str]) -> str:
    return "" if match.lastgroup == "join" else _plain(match.group())


_RUNS = {"blank": _SPACE, "dash": _DASH}


def _with_accent(text: str, piece: _Piece, end: int) -> _Piece:
    if end - piece[1] > _CLUSTER_CHARS:
        return piece[0], piece[1], end
    return _plain(text[piece[1] : end]), piece[1], end


@lru_cache(maxsize=20_000)
def _plain(cluster: str) -> str:
    if cluster[0] in _QUOTE_MARKS:
        return _QUOTE
    if unicodedata.category(cluster[0]) in ("Cf", "Cc"):
        return ""
    folded = unicodedata.normalize("NFKC", cluster).casefold()
    return unicodedata.normalize("NFKC", folded).strip()


def _without_idle_blanks(pieces: list[_Piece]) -> list[_Piece]:
    """Blanks count once, and neither beside Chinese characters nor at an end."""
    kept: list[_Piece] = []
    last = len(pieces) - 1
    for at, piece in enumerate(pieces):
        if piece[0] == _SPACE:
            following = pieces[at + 1] if at < last else None
            if not _blank_counts(kept[-1:], following):
                continue
        kept.append(piece)
    return kept


def _blank_counts(before: list[_Piece], following: _Piece | None) -> bool:
    if not before or following is None or following[0] == _SPACE:
        return False
    return not (_CJK.match(before[0][0]) or _CJK.match(following[0]))
