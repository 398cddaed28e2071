"""When to stop, and the word for why.

A loop that may go on will go on. Every bound of a question stands here: its rounds, tokens, time
and failures, a core that goes in circles, an asker who no longer waits.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import TypeVar

from agent.domain import Decision, StopReason, Usage
from config.settings import LoopSettings

T = TypeVar("T")

_STALLED_ROUNDS = 2
"""Rounds running that may bring nothing new."""


def never() -> bool:
    """Nobody calls it off."""
    return False


@dataclass
class Budget:
    """What one question may use, shared by its leaves.

    Attributes:
        tokens_left: of the whole question.
        deadline: on `clock`, in seconds.
        cancelled: tells whether the asker has called it off.
    """

    tokens_left: int
    deadline: float
    clock: Callable[[], float] = monotonic
    cancelled: Callable[[], bool] = never

    @property
    def seconds_left(self) -> float:
        """Until the best verified finding is sent; not above 0 when time is up."""
        return self.deadline - self.clock()

    async def within(self, work: Awaitable[T], otherwise: T) -> T:
        """What the work gives in the time that is left; `otherwise` where that is over."""
        try:
            async with asyncio.timeout(max(0.0, self.seconds_left)):
                return await work
        except TimeoutError:
            return otherwise

    def spend(self, tokens: int) -> None:
        """Count tokens that were used."""
        self.tokens_left -= tokens


@dataclass
class StopRule:
    """Counts the rounds of one leaf and speaks when they must end.

    Attributes:
        tokens_left: of this leaf; never more than the question still has.
        rounds: rounds begun so far.
    """

    bounds: LoopSettings
    budget: Budget
    tokens_left: int
    rounds: int = 0
    _failures: int = 0
    _stalled: int = 0
    _decisions: list[Decision] = field(default_factory=list)

    def before_round(self, cost_tokens: int) -> StopReason | None:
        """The reason not to begin another round, if there is one.

        Args:
            cost_tokens: estimate for the decision that would be asked for.
        """
        reached = {
            StopReason.CANCELLED: self.budget.cancelled(),
            StopReason.OUT_OF_TIME: self.budget.seconds_left <= 0,
            StopReason.TOOL_FAILURES: self._failures >= self.bounds.tool_failures,
            StopReason.NO_PROGRESS: self._stalled >= _STALLED_ROUNDS,
            StopReason.MAX_ROUNDS: self.rounds >= self.bounds.max_rounds,
            StopReason.OUT_OF_TOKENS: cost_tokens > min(self.tokens_left, self.budget.tokens_left),
        }
        return next((reason for reason, holds in reached.items() if holds), None)

    def begin_round(self) -> None:
        """Count a round."""
        self.rounds += 1

    def decided(self, decision: Decision) -> StopReason | None:
        """Count a decision and its tokens; a decision made before is no progress."""
        self.spend(decision.usage)
        again = any(_same(decision, earlier) for earlier in self._decisions)
        self._decisions.append(decision)
        return StopReason.NO_PROGRESS if again else None

    def spend(self, usage: Usage) -> None:
        """Count what a call cost, for the leaf and for the question."""
        tokens = usage.prompt_tokens + usage.completion_tokens
        self.tokens_left -= tokens
        self.budget.spend(tokens)

    def progressed(self, something_new: bool) -> None:
        """Count whether a round brought a section, a document or a verified quote not seen yet."""
        self._stalled = 0 if something_new else self._stalled + 1

    def tool_failed(self) -> None:
        """Count a search or a read that failed."""
        self._failures += 1

    def tool_worked(self) -> None:
        """A search or a read that worked ends the row of failures."""
        self._failures = 0


def _same(one: Decision, other: Decision) -> bool:
    """Whether two decisions do the same, whatever reason they give."""
    plain = Usage()
    return replace(one, reason="", usage=plain) == replace(other, reason="", usage=plain)
