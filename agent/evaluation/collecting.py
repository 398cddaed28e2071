"""A question set made of what was really asked: from traces, answers and what was thought of them.

A question that was answered brings its citations as gold, one that was not covered counts as
unanswerable; nobody has checked either, and the set says so. An answer that was voted down has no
gold: that is for a person to write. Who asked is never in it.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from agent.domain import Answer, Outcome
from agent.evaluation.questions import UNANSWERABLE
from agent.text.words import language_of
from agent.trace import RoundTrace, Trace

LIKED = "liked"
DISLIKED = "disliked"
ANSWERED = "answered"
NOT_COVERED = "not covered"


@dataclass(frozen=True, slots=True)
class Asked:
    """One question that was asked.

    Attributes:
        answer: with its quotes, where it is still kept.
        liked: what was thought of the reply; None: nobody said.
    """

    trace: Trace
    answer: Answer | None = None
    liked: bool | None = None


def collect(asked: Iterable[Asked]) -> list[dict[str, Any]]:
    """The lines of a question set, each question once, the newest of it.

    Args:
        asked: newest first.
    """
    lines: dict[str, dict[str, Any]] = {}
    for one in asked:
        question = one.trace.understood or one.trace.question
        basis = _basis(one)
        if question.strip() and basis:
            lines.setdefault(" ".join(question.split()).casefold(), _line(one, question, basis))
    return list(lines.values())


def _basis(one: Asked) -> str:
    """Why it is in the set; empty: it says nothing about the library."""
    if one.liked is False:
        return DISLIKED
    match one.trace.outcome:
        case Outcome.ANSWERED | Outcome.PARTIAL:
            return LIKED if one.liked else ANSWERED
        case Outcome.NOT_COVERED:
            return NOT_COVERED
    return ""


def _line(one: Asked, question: str, basis: str) -> dict[str, Any]:
    line: dict[str, Any] = {
        "id": one.trace.trace_id,
        "question": question,
        "type": UNANSWERABLE if basis == NOT_COVERED else "direct",
        "gold_answers": [],
        "gold_docs": [],
        "gold_mode": "none" if basis == NOT_COVERED else "any",
        "gold_evidence": [],
        "language": language_of(question),
        "basis": basis,
        "checked": False,
    }
    if basis in (LIKED, ANSWERED):
        evidence = list(_evidence(one))
        line |= {
            "gold_docs": list(dict.fromkeys(each["doc"] for each in evidence)),
            "gold_evidence": evidence,
        }
    return line


def _evidence(one: Asked) -> Iterator[dict[str, Any]]:
    if one.answer and one.answer.citations:
        for cited in one.answer.citations:
            yield {"doc": cited.doc, "section": list(cited.section), "quote": cited.quote}
        return
    for last in _last_rounds(one.trace):
        seen = {section.section_id: section for section in last.seen}
        for target in last.targets:
            if target in seen:
                place = seen[target]
                yield {"doc": place.doc, "section": list(place.section), "quote": ""}


def _last_rounds(trace: Trace) -> Sequence[RoundTrace]:
    """The last round of every part."""
    return list({entry.leaf: entry for entry in trace.rounds}.values())
