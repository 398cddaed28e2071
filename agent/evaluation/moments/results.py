"""All conversations of one engine as figures."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agent.evaluation.intervals import Share
from agent.evaluation.moments.cases import Case
from agent.evaluation.moments.checking import TurnResult, check_case
from agent.evaluation.moments.properties import TextOf
from agent.evaluation.played import Played, PlayedAnswer
from agent.evaluation.results import ALL, costs

HONESTY = frozenset(
    {
        "quote_not_verbatim", "unknown_document", "no_citation",
        "foreign_number", "forbidden_text", "invented_date",
    }
)  # fmt: skip
"""What must never happen, whatever else goes wrong."""


@dataclass(frozen=True, slots=True)
class MomentFigures:
    """One kind of conversation.

    Attributes:
        passed: conversations without a failed turn.
        last_turns: conversations whose last turn passed.
        dishonest: conversations that broke a rule of `HONESTY`.
        evidence: turns that cite at the expected passage, of those where one is expected.
    """

    passed: Share
    last_turns: Share
    turns: Share
    dishonest: Share
    evidence: Share


@dataclass(frozen=True, slots=True)
class FailedCase:
    """What failed in one conversation, as `turn N: code: why`."""

    id: str
    fails: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MomentsResult:
    """What one engine reached on the conversations; `all` is over all of them."""

    engine: str
    model: str
    n: int
    moments: Mapping[str, MomentFigures]
    failed: Sequence[FailedCase]
    replies: Sequence[PlayedAnswer]
    errors: int = 0

    @property
    def name(self) -> str:
        """The engine with its model."""
        return f"{self.engine} ({self.model})" if self.model else self.engine

    def to_json(self) -> dict[str, Any]:
        """As programs read it, in the shape of a question set's figures."""
        nothing = {"1": None, "3": None, "5": None}
        return {
            "engine": self.engine,
            "model": self.model or None,
            "n": self.n,
            "hits": {name: _hit(its.passed) for name, its in self.moments.items()},
            "documents": nothing,
            "sections": nothing,
            "declined": None,
            "wrongly_declined": None,
            **costs(self.replies),
            "moments": {name: _figures(its) for name, its in self.moments.items()},
            "failed": [{"id": one.id, "fails": list(one.fails)} for one in self.failed],
            "errors": self.errors,
        }


def moments_result(
    names: tuple[str, str], cases: Sequence[Case], played: Mapping[str, Played], text_of: TextOf
) -> MomentsResult:
    """The figures of one engine.

    Args:
        names: of the engine, and of its model (empty without one).
        cases: the conversations of one library.
        played: by id; one that was not played has failed.
        text_of: the library's documents.
    """
    nothing = Played(id="")
    checked = {
        case.id: check_case(case, played.get(case.id, nothing).turns, text_of) for case in cases
    }
    kinds = [*dict.fromkeys(case.moment for case in cases), ALL]
    return MomentsResult(
        *names,
        len(cases),
        {
            kind: _of([checked[case.id] for case in cases if kind in (case.moment, ALL)])
            for kind in kinds
        },
        [_failed(case.id, checked[case.id]) for case in cases if _fails(checked[case.id])],
        [reply for one in played.values() for reply in one.replies],
        sum(bool(one.trouble) for one in played.values()),
    )


def _of(cases: Sequence[Sequence[TurnResult]]) -> MomentFigures:
    turns = [turn for case in cases for turn in case]
    expected = [turn.evidence for turn in turns if turn.evidence is not None]
    dishonest = [any(code in HONESTY for code, _ in _fails(case)) for case in cases]
    return MomentFigures(
        Share(sum(not _fails(case) for case in cases), len(cases)),
        Share(sum(not case[-1].fails for case in cases), len(cases)),
        Share(sum(not turn.fails for turn in turns), len(turns)),
        Share(sum(dishonest), len(cases)),
        Share(sum(expected), len(expected)),
    )


def _fails(case: Sequence[TurnResult]) -> list[tuple[str, str]]:
    return [fail for turn in case for fail in turn.fails]


def _failed(name: str, case: Sequence[TurnResult]) -> FailedCase:
    told = (
        f"turn {number}: {code}: {why}"
        for number, turn in enumerate(case, start=1)
        for code, why in turn.fails
    )
    return FailedCase(name, tuple(told))


def _hit(share: Share) -> dict[str, Any]:
    low, high = share.bounds
    value = None if share.value is None else round(share.value, 4)
    return {"n": share.n, "hit": value, "low": round(low, 4), "high": round(high, 4)}


def _figures(its: MomentFigures) -> dict[str, int]:
    return {
        "cases": its.passed.n,
        "passed": its.passed.hits,
        "last": its.last_turns.hits,
        "turns": its.turns.n,
        "turns_passed": its.turns.hits,
        "dishonest": its.dishonest.hits,
        "evidence": its.evidence.hits,
        "evidence_of": its.evidence.n,
    }
