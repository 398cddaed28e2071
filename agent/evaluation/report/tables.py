"""The report as tables, the same for every way to show it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from agent.evaluation.intervals import Share
from agent.evaluation.moments import MomentsResult
from agent.evaluation.results import ALL, EngineResult
from agent.evaluation.scoring import TOPS

AnyResult = EngineResult | MomentsResult
_MISSES_SHOWN = 40
_NONE = "–"


@dataclass(frozen=True, slots=True)
class Report:
    """What was measured, on which questions over which library.

    Attributes:
        growing: whether the results differ in the size of their library.
    """

    questions: str
    library: str
    results: Sequence[AnyResult]
    growing: bool = False

    def to_json(self) -> list[dict[str, Any]]:
        """One object an engine."""
        return [one.to_json() for one in self.results]

    @property
    def errors(self) -> int:
        """Questions that led to no answer, over all engines."""
        return sum(one.errors for one in self.results)

    @property
    def title(self) -> str:
        """What it is of."""
        return f"{self.questions} over {self.library}"


@dataclass(frozen=True, slots=True)
class ReportTable:
    """A table with a heading and, below it, what its figures mean."""

    heading: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


def tables_of(report: Report) -> list[ReportTable]:
    """All tables that have something to show."""
    ours = [one for one in report.results if isinstance(one, EngineResult)]
    moments = [one for one in report.results if isinstance(one, MomentsResult)]
    tables = [*_of_questions(ours), *_of_moments(moments), _costs(report.results)]
    return [table for table in tables if table.rows]


def _of_questions(results: Sequence[EngineResult]) -> Iterator[ReportTable]:
    if not results:
        return
    names = tuple(one.name for one in results)
    yield ReportTable(
        "Hits by kind",
        ("kind", "n", *names),
        tuple(_by_kind(results, lambda one, kind: share_text(one.hits.get(kind)))),
        "Share of answerable questions answered right, with the Wilson interval of 95 %. "
        "A star marks colloquial wording.",
    )
    yield _found("Documents found", results, "documents")
    yield _found("Gold sections found", results, "sections")
    yield _passages(results, names)
    yield _honesty(results)
    yield from (_evidence(one) for one in results if one.evidence)
    yield from (_curve(one) for one in results if one.curve)
    yield from (_misses(one) for one in results)


def _by_kind(
    results: Sequence[EngineResult], cell: Callable[[EngineResult, str], str]
) -> Iterator[tuple[str, ...]]:
    kinds = dict.fromkeys(kind for one in results for kind in one.hits if kind != ALL)
    for kind in (*kinds, ALL):
        n = max((one.hits[kind].n for one in results if kind in one.hits), default=0)
        if n:
            yield kind, str(n), *(cell(one, kind) for one in results)


def _found(heading: str, results: Sequence[EngineResult], measure: str) -> ReportTable:
    def cell(one: EngineResult, kind: str) -> str:
        values = getattr(one, measure).get(kind, (None,) * len(TOPS))
        return " / ".join(number(value) for value in values)

    return ReportTable(
        heading,
        ("kind", "n", *(one.name for one in results)),
        tuple(_by_kind(results, cell)),
        "In the top 1 / 3 / 5 of the engine's own search with the question as asked.",
    )


def _passages(results: Sequence[EngineResult], names: tuple[str, ...]) -> ReportTable:
    needed = sorted({count for one in results for count in one.passages})
    return ReportTable(
        "Full recall",
        ("passages needed", *names),
        tuple(
            (
                f"{count} or more" if count > 2 else str(count),
                *(share_text(one.passages.get(count)) for one in results),
            )
            for count in needed
        ),
        "Share of answers that cite every passage they need.",
    )


def _honesty(results: Sequence[EngineResult]) -> ReportTable:
    return ReportTable(
        "Citations and refusals",
        ("engine", "right document", "verbatim", "declined", "wrongly declined", "errors"),
        tuple(
            (
                one.name,
                number(one.right_citations),
                share_text(one.verbatim, bounds=False),
                share_text(one.declined),
                share_text(one.wrongly_declined),
                str(one.errors),
            )
            for one in results
        ),
        "Citations that go to a right document, a question's mean; quotes that stand in their "
        "document; unanswerable questions declined; answerable ones declined.",
    )


def _evidence(one: EngineResult) -> ReportTable:
    return ReportTable(
        f"Evidence in the prompt, {one.name}",
        ("in the first prompt", "there, or its section listed", "ever"),
        (tuple(share_text(one.evidence[key]) for key in ("first", "first_or_listed", "ever")),),
        "As the stand-in saw it, of the answerable questions it was asked.",
    )


def _curve(one: EngineResult) -> ReportTable:
    return ReportTable(
        f"Declining as a curve, {one.name}",
        ("below", "declined", "wrongly declined", "right answers lost"),
        tuple(
            (
                number(point.threshold),
                share_text(point.declined, bounds=False),
                share_text(point.wrongly_declined, bounds=False),
                str(point.lost),
            )
            for point in one.curve
        ),
        "What a threshold on the answers' confidence would decline, beside what is declined now.",
    )


def _misses(one: EngineResult) -> ReportTable:
    more = len(one.misses) - _MISSES_SHOWN
    return ReportTable(
        f"To read by eye, {one.name}",
        ("id", "kind", "status", "question"),
        tuple(
            (miss.id, miss.kind, miss.status, miss.question) for miss in one.misses[:_MISSES_SHOWN]
        ),
        f"And {more} more." if more > 0 else "",
    )


def _of_moments(results: Sequence[MomentsResult]) -> Iterator[ReportTable]:
    if not results:
        return
    kinds = dict.fromkeys(kind for one in results for kind in one.moments)
    yield ReportTable(
        "Conversations passed",
        ("moment", *(one.name for one in results)),
        tuple((kind, *(share_text(one.moments[kind].passed) for one in results)) for kind in kinds),
    )
    for one in results:
        whole = one.moments[ALL]
        yield ReportTable(
            f"Conversations, {one.name}",
            ("passed", "last turn", "turns", "dishonest", "at the expected passage"),
            (
                tuple(
                    share_text(share, bounds=False)
                    for share in (
                        whole.passed, whole.last_turns, whole.turns,
                        whole.dishonest, whole.evidence,
                    )
                ),
            ),
        )  # fmt: skip
        yield ReportTable(
            f"Failed, {one.name}",
            ("id", "why"),
            tuple((case.id, why) for case in one.failed for why in case.fails),
        )


def _costs(results: Sequence[AnyResult]) -> ReportTable:
    rows = []
    for one in results:
        told = one.to_json()
        calls, ms, tokens = told["calls"], told["ms_detail"], told["tokens_detail"]
        rows.append(
            (
                one.name,
                f"{number(calls['full'])} + {number(calls['small'])}",
                number(told["rounds"]),
                f"{number(tokens['prompt'], 0)} + {number(tokens['completion'], 0)}",
                number(tokens["median"], 0),
                f"{number(ms['p50'], 0)} / {number(ms['p95'], 0)}",
                f"{number(ms['own_p50'], 0)} / {number(ms['own_p95'], 0)}",
            )
        )
    return ReportTable(
        "What an answer costs",
        ("engine", "calls", "rounds", "tokens", "tokens median", "ms p50 / p95", "without model"),
        tuple(rows),
        "Means an answer: full + small calls, rounds, prompt + completion tokens.",
    )


def share_text(share: Share | None, *, bounds: bool = True) -> str:
    """A share as people read it: `0.83 [0.62–0.94]`, or `20/24 (0.83)` without bounds."""
    if share is None or share.value is None:
        return _NONE
    if not bounds:
        return f"{share.hits}/{share.n} ({share.value:.2f})"
    low, high = share.bounds
    return f"{share.value:.2f} [{low:.2f}–{high:.2f}]"


def number(value: float | None, digits: int = 2) -> str:
    """A number as people read it."""
    return _NONE if value is None else f"{value:,.{digits}f}"
