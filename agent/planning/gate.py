"""Whether a question has several parts, and which.

Most questions are one question, and splitting one of those costs more than missing a split: what
is missed still works as a single question with a search. So the rules only cut where a second
question begins in so many words, or where two named things are set side by side.
"""

import re
from dataclasses import replace

from agent.domain import Part, PartKind, Plan
from agent.planning import chinese, english
from agent.text.words import language_of
from config.settings import LoopSettings

_LONGEST_CHARS = 1_000
"""A longer message tells a story; its question marks do not part it."""
_LIST_ITEM = re.compile(r"(?:^|\n)\s*(?:[-*•]|\(?\d{1,2}[.)、）])\s+")
_ABOUT_PEOPLE = re.compile(
    r"\b(?:them|they|him|her|that (?:person|team|one)|those people)\b|[他她]|对方",
    re.IGNORECASE,
)
_WHO = re.compile(
    r"\b(?:who|whom|whose|which (?:team|person|department|group))\b|谁|哪个(?:部门|团队)",
    re.IGNORECASE,
)


def plan(question: str, bounds: LoopSettings | None = None) -> Plan:
    """The parts of a question, each understandable without the others.

    Args:
        question: standalone, as asked.
        bounds: `plan_leaves` and `plan_depth` count; None: the defaults.

    Returns:
        One part equal to the question where nothing is to be split.
    """
    limits = bounds or LoopSettings()
    if len(question) > _LONGEST_CHARS:
        return Plan(question, (Part("1", question),))
    texts = _within(_texts(question), limits.plan_leaves)
    if len(texts) < 2:
        return Plan(question, (Part("1", question),))
    parts = [Part(str(number), text) for number, text in enumerate(texts, 1)]
    if limits.plan_depth > 1:
        parts = [_dependent(part, parts[0]) for part in parts]
    return Plan(question, tuple(parts))


def by_clauses(question: str) -> Plan | None:
    """The plan to try where a question was declined whole that may be two joined by `and`.

    Returns:
        None where there are no two clauses that both ask something.
    """
    if len(question) > _LONGEST_CHARS:
        return None
    texts = _side(question).joined(question)
    parts = [Part(f"1.{number}", text) for number, text in enumerate(texts, 1)]
    return Plan(question, tuple(parts)) if len(parts) > 1 else None


def needs_plan(question: str) -> bool:
    """Whether a question looks as if it had several parts; decides if a planner is asked."""
    return len(question) <= _LONGEST_CHARS and len(_texts(question)) > 1


def is_comparison(question: str) -> bool:
    """Whether two named things are set side by side, so that both sides must be cited."""
    return len(question) <= _LONGEST_CHARS and bool(_side(question).compared(question))


def _texts(question: str) -> list[str]:
    """The questions in a message; one or none where it is a single one."""
    language = _side(question)
    listed = _listed(question)
    return listed or language.compared(question) or language.asked(question)


def _side(question: str) -> "english.Rules | chinese.Rules":
    return chinese.RULES if language_of(question) == "zh" else english.RULES


def _listed(question: str) -> list[str]:
    """The items of a list of questions, one a line."""
    pieces = [piece.strip() for piece in _LIST_ITEM.split(question)]
    items = [piece for piece in pieces if piece]
    many = len(_LIST_ITEM.findall(question)) > 1
    return items[-len(_LIST_ITEM.findall(question)) :] if many else []


def _within(texts: list[str], leaves: int) -> list[str]:
    """At most so many parts; what is over stays together in the last one."""
    if len(texts) <= leaves:
        return texts
    return [*texts[: leaves - 1], " ".join(texts[leaves - 1 :])]


def _dependent(part: Part, first: Part) -> Part:
    """A part about the people whom the first part asks for needs its finding."""
    if part is first or not _WHO.search(first.question) or not _ABOUT_PEOPLE.search(part.question):
        return part
    return replace(part, kind=PartKind.COMBINE, depends_on=(first.part_id,))
