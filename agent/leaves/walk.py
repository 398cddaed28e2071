"""Runs the leaves of a plan: side by side where they are independent, parents before children.

All leaves of a question share one document reader and one budget. A part that is not covered
does not sink the others; a model that does not answer hands its leaf to the extractive core. A
model is asked up to three independent look-ups in one round: one prompt, their windows side by
side, finds the same as a loop each at a fourth of the calls.
"""

import asyncio
import logging
from dataclasses import dataclass, field, replace

from agent.cores.extractive import ExtractiveCore
from agent.domain import (
    Finding,
    Outcome,
    Part,
    PartKind,
    PartState,
    Plan,
    Question,
    StopReason,
    Usage,
)
from agent.errors import ServiceUnreachable
from agent.leaves.desk import Desk, Leaf
from agent.leaves.watching import Watch
from agent.loop import LoopController
from agent.parting import by_part
from agent.ports import AgentCore, NoSmallCalls, SmallCalls, Task
from agent.reading import DocumentReader
from agent.stopping import Budget, StopRule
from agent.trace import LeafTrace, RoundTrace
from config.settings import LoopSettings

logger = logging.getLogger(__name__)

_QUOTES = 3
_QUOTES_A_PART = 2
_TOGETHER = 3
"""Independent look-ups that share a round."""

_ALL_PARTS = "all"

_STATES = {
    Outcome.ANSWERED: PartState.ANSWERED,
    Outcome.PARTIAL: PartState.PARTIAL,
}


@dataclass(frozen=True, slots=True)
class Walk:
    """One question's way through its leaves.

    Attributes:
        focus: words of a follow-up that an answer must speak of.
        task: what a single question asks of a model beside an answer.
    """

    question: Question
    core: AgentCore
    reader: DocumentReader
    bounds: LoopSettings
    budget: Budget
    watch: Watch
    focus: str = ""
    small: SmallCalls = field(default_factory=NoSmallCalls)
    task: Task | None = None
    traces: dict[str, LeafTrace] = field(default_factory=dict)

    async def run(self, plan: Plan) -> list[Finding]:
        """A finding for every part, in the order asked."""
        if not plan.single:
            self.watch.plan([part.question for part in plan.parts])
        if self._shares_a_round(plan):
            try:
                return await self._together(plan)
            except ServiceUnreachable:
                self._degraded()
                return await self._apart(plan, degraded=True)
        return await self._apart(plan)

    def _shares_a_round(self, plan: Plan) -> bool:
        independent = all(
            part.kind is PartKind.LOOKUP and not part.depends_on for part in plan.parts
        )
        return not self.core.extractive and 1 < len(plan.parts) <= _TOGETHER and independent

    async def _together(self, plan: Plan) -> list[Finding]:
        """The findings of parts asked in one round; what it cost stands at the first."""
        questions = tuple(part.question for part in plan.parts)
        leaf = Leaf(plan.question, parts=questions, focus=self.focus, quotes=2 * len(questions))
        for number in range(len(questions)):
            self.watch.part(number, PartState.READING)
        trace = self.traces[_ALL_PARTS] = LeafTrace(1)
        whole = await self._loop(self.core, leaf, trace)
        findings = by_part(whole, questions)
        for number, finding in enumerate(findings):
            self.watch.part(number, _STATES.get(finding.outcome, PartState.NOT_COVERED))
        rest = (replace(finding, rounds=0, usage=Usage()) for finding in findings[1:])
        return [findings[0], *rest]

    async def _apart(self, plan: Plan, *, degraded: bool = False) -> list[Finding]:
        extractive = self.core.extractive
        quotes = _QUOTES if plan.single or extractive else _QUOTES_A_PART
        ready = {part.part_id: asyncio.Event() for part in plan.parts}
        found: dict[str, Finding] = {}
        free = asyncio.Semaphore(self.bounds.plan_parallel)

        async def work(number: int, part: Part) -> None:
            for parent in part.depends_on:
                await ready[parent].wait()
            async with free:
                known = tuple(_line(found[parent]) for parent in part.depends_on)
                leaf = Leaf(
                    part.question,
                    task=self.task if plan.single else None,
                    known=known,
                    focus=self.focus,
                    context=plan.question if extractive and not plan.single else "",
                    quotes=quotes,
                    shares=len(plan.parts),
                )
                trace = self.traces[part.part_id] = LeafTrace(number + 1)
                self.watch.part(number, PartState.READING)
                finding = await self._leaf(leaf, trace, degraded=degraded)
                self.watch.part(number, _STATES.get(finding.outcome, PartState.NOT_COVERED))
                found[part.part_id] = finding
            ready[part.part_id].set()

        try:
            async with asyncio.TaskGroup() as group:
                for number, part in enumerate(plan.parts):
                    group.create_task(work(number, part))
        except ExceptionGroup as errors:
            raise errors.exceptions[0] from errors
        return [found[part.part_id] for part in plan.parts]

    @property
    def rounds(self) -> list[RoundTrace]:
        """The rounds of all leaves, leaf by leaf."""
        return [entry for trace in self.traces.values() for entry in trace.rounds]

    async def _leaf(self, leaf: Leaf, trace: LeafTrace, *, degraded: bool) -> Finding:
        if not degraded:
            try:
                return await self._loop(self.core, leaf, trace)
            except ServiceUnreachable:
                self._degraded()
        by_rule = replace(leaf, task=None)
        return degraded_to(await self._loop(ExtractiveCore(), by_rule, trace))

    def _degraded(self) -> None:
        logger.warning("the model is unavailable, the extractive core answers", exc_info=True)

    async def _loop(self, core: AgentCore, leaf: Leaf, trace: LeafTrace) -> Finding:
        tokens = self.bounds.parts_tokens if leaf.parts else self.bounds.leaf_tokens
        stop = StopRule(self.bounds, self.budget, tokens)
        desk = Desk(leaf, self.question, self.reader, self.watch.reading)
        small = self.small if core is self.core else NoSmallCalls()
        finding = await LoopController(core, stop, trace, small).run(desk)
        return replace(finding, extractive=core.extractive)


def degraded_to(finding: Finding) -> Finding:
    """A finding of the extractive core in place of a model's; a miss then says nothing."""
    missed = finding.outcome is Outcome.NOT_COVERED
    outcome = Outcome.UNAVAILABLE if missed else finding.outcome
    return replace(finding, outcome=outcome, stop_reason=StopReason.UNAVAILABLE)


def _line(finding: Finding) -> str:
    return f"{finding.question} {' '.join(finding.text.split())}".strip()
