"""Whether words are the same words: a quote and its gold, an answer and what it should say.

Wording only. Everything but letters and digits is dropped and a link counts as its text, so that a
quote as a reader sees it matches the file it was written in.
"""

import re

_TAG = re.compile(r"</?[a-zA-Z!][^<>\n]*>")
_LINK = re.compile(r"!?\[([^\]]*)\]\((?:[^()]|\([^)]*\))*\)")
_NOT_WORDS = re.compile(r"[\W_]+")
_WORD = re.compile(r"[a-z0-9$%.-]{2,}|[\u4e00-\u9fff]")

_LEAST_CONTAINED = 12
"""Characters that one quote must have to count as standing in the other."""
_SHINGLE = 30
_STEP = 10
_LEAST_WORDS = 4
_MOST_OF_THEM = 0.6


def folded(text: str) -> str:
    """Letters and digits alone, small; links by their text, tags left out."""
    return _NOT_WORDS.sub("", _TAG.sub("", _LINK.sub(r"\1", text)).lower())


def overlap(one: str, other: str) -> bool:
    """Whether two quotes share their words: one in the other, or a run of 30 characters."""
    x, y = folded(one), folded(other)
    if not x or not y:
        return False
    if x in y or y in x:
        return min(len(x), len(y)) >= _LEAST_CONTAINED
    return any(x[at : at + _SHINGLE] in y for at in range(0, max(1, len(x) - _SHINGLE), _STEP))


def said(gold: str, answer: str) -> bool:
    """Whether an answer says a gold answer: as it stands, or most of the words of a longer one."""
    if folded(gold) and folded(gold) in folded(answer):
        return True
    words = set(_WORD.findall(gold.lower()))
    found = words & set(_WORD.findall(answer.lower()))
    return len(words) >= _LEAST_WORDS and len(found) / len(words) >= _MOST_OF_THEM
