"""What a core decides, and what a part of the question led to."""

from dataclasses import dataclass, field
from enum import StrEnum

from agent.domain.answers import Citation, LookedAt, Usage
from agent.domain.found import Correction
from agent.domain.outcomes import Outcome, StopReason


class Action(StrEnum):
    """What a core wants done next."""

    ANSWER = "answer"
    READ = "read"
    SEARCH = "search"
    CLARIFY = "clarify"
    NOT_COVERED = "not_covered"


class Support(StrEnum):
    """How well the quotes carry the answer, in a core's own word."""

    STATED = "stated"
    FOLLOWS = "follows"
    PARTLY = "partly"
    NONE = "none"

    @property
    def confidence(self) -> float:
        """The word as a number against the threshold, 0 to 1."""
        return {"stated": 0.95, "follows": 0.85, "partly": 0.6, "none": 0.0}[self.value]


@dataclass(frozen=True, slots=True)
class Quote:
    """Words a core believes to stand in a shown section; `section_id` is its short id (`D3.2`)."""

    section_id: str
    text: str


@dataclass(frozen=True, slots=True)
class Decision:
    """One choice of a core: what to do next, on what, and why.

    Attributes:
        missing: what is still needed to answer; empty when nothing is.
        sections: short ids to read, best first, at most 3.
        query: words to search with, for `search`.
        quotes: to keep or to cite, at most 6.
        answer: with `[n]` markers into `quotes`, from 1; for not_covered the nearest thing stated;
            for clarify the question back.
        choices: for clarify, 2 to 4 readings made from real headings.
        usage: what making it cost; nothing without a model.
    """

    action: Action
    reason: str = ""
    missing: str = ""
    sections: tuple[str, ...] = ()
    query: str = ""
    quotes: tuple[Quote, ...] = ()
    answer: str = ""
    support: Support = Support.NONE
    choices: tuple[str, ...] = ()
    usage: Usage = field(default_factory=Usage)


@dataclass(frozen=True, slots=True)
class Finding:
    """What a leaf led to.

    Attributes:
        text: with `[n]` markers into `citations`, numbered from 1 within this finding.
        missing: what was not found, for partial.
        nearest_quote: for not_covered, checked words that come nearest with their place.
        corrections: words that were searched in a corrected form.
        other_language_documents: documents in another language, which its words could not match.
    """

    question: str
    outcome: Outcome
    text: str = ""
    citations: tuple[Citation, ...] = ()
    stop_reason: StopReason = StopReason.DECLINED
    missing: str = ""
    choices: tuple[str, ...] = ()
    looked_at: tuple[LookedAt, ...] = ()
    nearest: tuple[LookedAt, ...] = ()
    nearest_quote: str = ""
    notes: tuple[str, ...] = ()
    corrections: tuple[Correction, ...] = ()
    other_language_documents: int = 0
    rounds: int = 0
    usage: Usage = field(default_factory=Usage)
    extractive: bool = True
