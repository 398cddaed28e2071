"""One answer to several parts, told apart again: which sentences answer which part.

A model answers in the order it was asked, so the sentences are cut into as many runs as there are
answered parts, where runs and parts share most words. Words alone would mislead: "7 to 10 days
until you are reimbursed" speaks of every part that asks about reimbursement.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise

from agent.citations.claims import cited_sentences
from agent.domain import Finding, Outcome
from agent.text.words import term_set

_CITED = (Outcome.ANSWERED, Outcome.PARTIAL)
_NUMBER = re.compile(r"\d+")
_MOST_SENTENCES = 16
"""With more the runs are made at even lengths: there is nothing to be told by words any more."""


@dataclass(frozen=True, slots=True)
class _Sentence:
    text: str
    numbers: tuple[int, ...]
    words: frozenset[str]
    quoted: frozenset[str]

    def likeness(self, part: frozenset[str]) -> int:
        """Its own words count double beside those of its quotes."""
        return 2 * len(self.words & part) + len(self.quoted & part)


def by_part(finding: Finding, parts: Sequence[str]) -> list[Finding]:
    """One finding a part, from one that answers several together.

    Args:
        finding: its `missing` names the parts that are open, by number; empty: none is.
        parts: their questions, in the order asked.

    Returns:
        A part that is open, or that no sentence speaks of, was not covered.
    """
    sentences = [_sentence(finding, *one) for one in cited_sentences(finding.text) if one[1]]
    named = {int(number) for number in _NUMBER.findall(finding.missing)}
    asked = [at for at in range(len(parts)) if at + 1 not in named]
    words = [frozenset(term_set(parts[at])) for at in asked]
    said = dict(zip(asked, _runs(sentences, words), strict=True))
    return [_part_of(finding, part, said.get(at, [])) for at, part in enumerate(parts)]


def _sentence(finding: Finding, text: str, numbers: tuple[int, ...]) -> _Sentence:
    quotes = " ".join(one.quote for one in finding.citations if one.number in numbers)
    return _Sentence(text, numbers, frozenset(term_set(text)), frozenset(term_set(quotes)))


def _runs(sentences: Sequence[_Sentence], parts: Sequence[frozenset[str]]) -> list[list[_Sentence]]:
    """The sentences of each part, in order; the same one twice where there are too few."""
    if not parts:
        return []
    if len(sentences) < len(parts):
        return [_nearest(sentences, part) for part in parts]
    if len(sentences) > _MOST_SENTENCES:
        cuts = [len(sentences) * at // len(parts) for at in range(len(parts) + 1)]
        return [list(sentences[a:b]) for a, b in pairwise(cuts)]
    return max(_cuttings(sentences, len(parts)), key=lambda runs: _fit(runs, parts))


def _nearest(sentences: Sequence[_Sentence], part: frozenset[str]) -> list[_Sentence]:
    speaking = [one for one in sentences if one.likeness(part)]
    return [max(speaking, key=lambda one: one.likeness(part))] if speaking else []


def _cuttings(sentences: Sequence[_Sentence], runs: int) -> list[list[list[_Sentence]]]:
    """Every way to cut the sentences into so many runs, none empty."""
    places = combinations(range(1, len(sentences)), runs - 1)
    borders = ((0, *cuts, len(sentences)) for cuts in places)
    return [[list(sentences[a:b]) for a, b in pairwise(each)] for each in borders]


def _fit(runs: Sequence[Sequence[_Sentence]], parts: Sequence[frozenset[str]]) -> int:
    return sum(one.likeness(part) for run, part in zip(runs, parts, strict=True) for one in run)


def _part_of(finding: Finding, part: str, said: Sequence[_Sentence]) -> Finding:
    cited = {number for one in said for number in one.numbers}
    outcome = Outcome.ANSWERED if cited else Outcome.NOT_COVERED
    return replace(
        finding,
        question=part,
        outcome=outcome if finding.outcome in _CITED else finding.outcome,
        text=" ".join(one.text for one in said),
        citations=tuple(one for one in finding.citations if one.number in cited),
        missing="",
    )
