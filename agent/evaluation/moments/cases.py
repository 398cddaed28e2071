"""A scripted conversation as its file says it."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from agent.evaluation.questions import (
    UNANSWERABLE,
    EvalQuestion,
    Evidence,
    Line,
    QuestionSetError,
    read_as,
)

Group = str | tuple[str, ...]
"""One pattern, or several of which one is enough."""


class _Read(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True, coerce_numbers_to_str=True)


class Passage(_Read):
    """Where an answer should stand."""

    doc: str
    quote: str


class AtLeast(_Read):
    """So many of these groups."""

    n: int
    of: tuple[Group, ...]


class Properties(_Read):
    """What must hold of a reply; everything is optional.

    Attributes:
        must_contain_any: of each group one must stand in the answer or its quotes; `re:` before a
            regular expression.
        answer_must_contain_any: the same, in the answer itself.
        allow_numbers: numbers that no quote needs to hold; `free_numbers`: any.
        needs: facts to be injected.
    """

    must_cite_docs: tuple[Group, ...] = ()
    any_of_docs: tuple[str, ...] = ()
    only_docs: tuple[str, ...] = ()
    min_citations: int = 0
    min_docs: int = 0
    evidence: tuple[Passage, ...] = ()
    evidence_strict: bool = False
    must_contain_any: tuple[Group, ...] = ()
    contains_at_least: AtLeast | None = None
    answer_must_contain_any: tuple[Group, ...] = ()
    must_not_contain: tuple[str, ...] = ()
    answer_must_not_lead_with: tuple[str, ...] = ()
    max_words: int = 0
    no_citations: bool = False
    citations_optional: bool = False
    no_gap: bool = False
    gap: bool = False
    max_calls: int | None = None
    is_question: bool = False
    no_dates: bool = False
    language: str = ""
    free_numbers: bool = False
    allow_numbers: tuple[str, ...] = ()


class Expectation(Properties):
    """What must hold of a turn's reply, and more by how it ended."""

    status: tuple[str, ...] = ()
    may_be_empty: bool = False
    needs: Mapping[str, Any] = Field(default_factory=dict)
    if_answered: Properties | None = None
    if_partial: Properties | None = None
    if_clarify: Properties | None = None
    if_not_covered: Properties | None = None
    if_talk: Properties | None = None
    if_cited: Properties | None = None

    def blocks(self, status: str) -> list[Properties]:
        """What must hold of a reply that ended so."""
        by_status: Properties | None = getattr(self, f"if_{status}", None)
        cited = self.if_cited if status in CITED else None
        return [self, *(one for one in (by_status, cited) if one is not None)]


CITED = ("answered", "partial")
"""Ends that claim something."""


class Turn(_Read):
    """One thing said, and what must come back."""

    say: str
    expect: Expectation = Expectation()


class Case(_Read):
    """One conversation."""

    id: str
    moment: str = ""
    library: str = ""
    turns: tuple[Turn, ...] = Field(min_length=1)


def case_of(line: Line) -> Case:
    """The line as a conversation.

    Raises:
        QuestionSetError: a field cannot be used.
    """
    return read_as(Case, line, "Case")


def library_of(cases: Sequence[Case], folder: Path) -> str:
    """The library of these cases that lies in a folder, by its name in the folder's path.

    Raises:
        QuestionSetError: there are several, and none or more than one is named there.
    """
    names = list(dict.fromkeys(case.library for case in cases))
    if len(names) == 1:
        return names[0]
    words = re.split(r"[\\/]", str(folder.resolve()))
    here = [name for name in names if name in words]
    if len(here) == 1:
        return here[0]
    raise QuestionSetError(
        f"The conversations are over several libraries ({', '.join(names)}), and {folder} does "
        "not say which it is.",
        hint="Say it with --library.",
    )


def gold_of(case: Case) -> list[EvalQuestion]:
    """What a stand-in knows of a conversation: its turns with the passages expected there."""
    return [
        EvalQuestion(
            id=f"{case.id}.{number}",
            question=turn.say,
            type="direct" if turn.expect.evidence else UNANSWERABLE,
            gold_docs=tuple(dict.fromkeys(one.doc for one in turn.expect.evidence)),
            gold_mode="all" if len(turn.expect.must_cite_docs) > 1 else "any",
            gold_evidence=tuple(
                Evidence(doc=one.doc, quote=one.quote) for one in turn.expect.evidence
            ),
        )
        for number, turn in enumerate(case.turns, start=1)
    ]
