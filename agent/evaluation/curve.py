"""Declining as a curve: what a stricter threshold would decline, rightly and wrongly.

Drawn over the confidence that came with each answer. A wrong refusal of a question whose answer
would have been wrong anyway costs nobody anything, so it is told apart.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from agent.evaluation.intervals import Share

_MOST_POINTS = 40


@dataclass(frozen=True, slots=True)
class Judged:
    """One question as the curve sees it.

    Attributes:
        confidence: 0 to 1; what was declined has its own too.
        hit: whether its answer was right.
        declined: whether the engine declined it by itself.
    """

    confidence: float
    answerable: bool
    hit: bool
    declined: bool


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """What declining below a threshold would do, beside what the engine declines anyway.

    Attributes:
        lost: right answers among the wrongly declined.
    """

    threshold: float
    declined: Share
    wrongly_declined: Share
    lost: int


def curve(judged: Sequence[Judged]) -> list[CurvePoint]:
    """Points from the engine's own line to declining everything, few enough to read."""
    steps = sorted({0.0, *(one.confidence for one in judged if not one.declined)})
    if len(steps) > _MOST_POINTS:
        stride = (len(steps) - 1) / (_MOST_POINTS - 1)
        steps = [steps[round(at * stride)] for at in range(_MOST_POINTS)]
    return [_point(judged, step) for step in steps]


def _point(judged: Sequence[Judged], threshold: float) -> CurvePoint:
    def gone(one: Judged) -> bool:
        return one.declined or one.confidence < threshold

    absent = [one for one in judged if not one.answerable]
    present = [one for one in judged if one.answerable]
    return CurvePoint(
        threshold,
        Share(sum(map(gone, absent)), len(absent)),
        Share(sum(map(gone, present)), len(present)),
        sum(gone(one) and one.hit for one in present),
    )
