"""Runs the leaves of a plan: side by side where they are independent, parents before children.

All leaves of a question share one document reader and one budget. A part that is not covered
does not sink the others; a model that does not answer hands its leaf to the extractive core.
"""

import asyncio
import logging
from dataclasses import dataclass, field, replace

from agent.cores.extractive import ExtractiveCore
from agent.domain import Finding, Outcome, Part, PartState, Plan, Question, StopReason
from agent.errors import ServiceUnreachable
from agent.leaves.desk import Desk, Leaf
from agent.leaves.watching import Watch
from agent.loop import LoopController
from agent.ports import AgentCore
from agent.reading import DocumentReader
from agent.stopping import Budget, StopRule
from agent.trace import LeafTrace, RoundTrace
from config.settings import LoopSettings

logger = logging.getLogger(__name__)

_QUOTES = 3
_QUOTES_A_PART = 2

_STATES = {
    Outcome.ANSWERED: PartState.ANSWERED,
    Outcome.PARTIAL: PartState.PARTIAL,
}


@dataclass(frozen=True, slots=True)
class Walk:
    """One question's way through its leaves.

    Attributes:
        focus: words of a follow-up that an answer must speak of.
    """

    question: Question
    core: AgentCore
    reader: DocumentReader
    bounds: LoopSettings
    budget: Budget
    watch: Watch
    focus: str = ""
    traces: dict[str, LeafTrace] = field(default_factory=dict)

    async def run(self, plan: Plan) -> list[Finding]:
        """A finding for every part, in the order asked."""
        if not plan.single:
            self.watch.plan([part.question for part in plan.parts])
        quotes = _QUOTES if plan.single else _QUOTES_A_PART
        ready = {part.part_id: asyncio.Event() for part in plan.parts}
        found: dict[str, Finding] = {}
        free = asyncio.Semaphore(self.bounds.plan_parallel)

        async def work(number: int, part: Part) -> None:
            for parent in part.depends_on:
                await ready[parent].wait()
            async with free:
                known = tuple(_line(found[parent]) for parent in part.depends_on)
                leaf = Leaf(part.question, known=known, focus=self.focus, quotes=quotes)
                found[part.part_id] = await self._leaf(number, part.part_id, leaf)
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

    async def _leaf(self, number: int, part_id: str, leaf: Leaf) -> Finding:
        self.watch.part(number, PartState.READING)
        trace = self.traces[part_id] = LeafTrace(number + 1)
        try:
            finding = await self._loop(self.core, leaf, trace)
        except ServiceUnreachable:
            logger.warning("the model is unavailable, the extractive core answers", exc_info=True)
            finding = _degraded(await self._loop(ExtractiveCore(), leaf, trace))
        self.watch.part(number, _STATES.get(finding.outcome, PartState.NOT_COVERED))
        return finding

    async def _loop(self, core: AgentCore, leaf: Leaf, trace: LeafTrace) -> Finding:
        stop = StopRule(self.bounds, self.budget, self.bounds.leaf_tokens)
        desk = Desk(leaf, self.question, self.reader, self.watch.reading)
        finding = await LoopController(core, stop, trace).run(desk)
        return replace(finding, extractive=core.extractive)


def _degraded(finding: Finding) -> Finding:
    """A finding of the extractive core in place of a model's; a miss then says nothing."""
    missed = finding.outcome is Outcome.NOT_COVERED
    outcome = Outcome.UNAVAILABLE if missed else finding.outcome
    return replace(finding, outcome=outcome, stop_reason=StopReason.UNAVAILABLE)


def _line(finding: Finding) -> str:
    return f"{finding.question} {' '.join(finding.text.split())}".strip()
