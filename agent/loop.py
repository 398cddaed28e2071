"""The loop: search, decide, read or search again, check, stop.

It holds the order of things for one leaf and no detail: choosing is the core's, reading the
document reader's, checking `citations`, stopping `stopping`, and what lies between two rounds is
the desk in `leaves`. A core's mistake costs a round and comes back as the next round's note.
"""

import asyncio
from collections.abc import Awaitable

from agent.domain import Action, Decision, Finding, Outcome, StopReason
from agent.errors import DecisionError, LibraryError
from agent.leaves.desk import Desk
from agent.leaves.opening import open_leaf
from agent.ports import AgentCore, NoSmallCalls, RoundView, SmallCalls
from agent.reading import Reading
from agent.stopping import StopRule
from agent.trace import LeafTrace

SEARCH_FIRST = "Before you decline, search once in other words: those the documents would use."
QUOTE_IT = "An answer needs quotes from the text shown; without any, decide not_covered."
ONLY_FINAL = "This was the last round: only answer and not_covered were accepted."


class LoopController:
    """Answers one leaf from the library, or says that it cannot."""

    def __init__(
        self,
        core: AgentCore,
        stop: StopRule,
        trace: LeafTrace,
        small: SmallCalls | None = None,
    ) -> None:
        self._core = core
        self._small = small or NoSmallCalls()
        self._stop = stop
        self._trace = trace

    async def run(self, desk: Desk) -> Finding:
        """Go round by round until a stop rule speaks.

        Returns:
            A finding whose every quote stands in text that was shown; outcome not_covered or
            unavailable, with nothing claimed, where no quote could be verified.

        Raises:
            ServiceUnreachable: the core's model did not answer.
        """
        size = self._core.text_size.for_parts(len(desk.leaf.queries))
        await self._open(desk, open_leaf(desk, self._small, self._stop, size))
        while True:
            view = desk.view(self._stop)
            reason = self._stop.before_round(self._core.cost_tokens(view))
            if reason is not None:
                return self._end(desk.out_of_bounds(self._stop, reason))
            self._stop.begin_round()
            finding = await self._round(desk, view)
            if finding is not None:
                return self._end(finding)

    async def _round(self, desk: Desk, view: RoundView) -> Finding | None:
        self._trace.begin(view)
        try:
            async with asyncio.timeout(self._stop.budget.seconds_left):
                decision = await self._core.decide(view)
            self._trace.end(decision)
            desk.spend(decision.usage)
            again = self._stop.decided(decision) is not None
            if again and decision.action is not Action.ANSWER:
                return desk.out_of_bounds(self._stop, StopReason.NO_PROGRESS)
            return await self._act(desk, decision, view.forced, again=again)
        except DecisionError as error:
            self._trace.end(None, error.problem, error.usage)
            if error.usage:
                desk.spend(error.usage)
                self._stop.spend(error.usage)
            self._stop.progressed(False)
            desk.next_round(None, note=str(error))
        except TimeoutError:
            self._trace.end(None, "out of time")
            return desk.out_of_bounds(self._stop, StopReason.OUT_OF_TIME)
        return None

    async def _act(
        self, desk: Desk, decision: Decision, forced: bool, *, again: bool
    ) -> Finding | None:
        match decision.action:
            case Action.ANSWER if again:
                return await self._insisted(desk, decision)
            case Action.ANSWER:
                return await self._answer(desk, decision, forced)
            case Action.NOT_COVERED:
                return self._decline(desk, decision, forced)
            case _ if forced:
                raise DecisionError(ONLY_FINAL)
            case Action.CLARIFY:
                return desk.clarified(self._stop, decision)
            case Action.READ | Action.SEARCH:
                await self._open(desk, self._tool(desk, decision), decision)
                return None

    async def _answer(self, desk: Desk, decision: Decision, forced: bool) -> Finding | None:
        checked = desk.check(decision)
        if checked.citations and (forced or not checked.problems):
            await desk.reader.read_beginnings(checked.documents)
            return desk.answered(self._stop, decision, checked)
        if not checked.problems and (forced or self._core.extractive):
            return desk.finding(self._stop, Outcome.NOT_COVERED, StopReason.DECLINED)
        self._stop.progressed(desk.keep(checked))
        desk.next_round(decision, note=" ".join(checked.problems) or QUOTE_IT)
        return None

    async def _insisted(self, desk: Desk, decision: Decision) -> Finding:
        """The same answer after a note: what holds of it is sent, the rest is taken out."""
        finding = await self._answer(desk, decision, forced=True)
        if finding is None or not finding.citations:
            return desk.out_of_bounds(self._stop, StopReason.NO_PROGRESS)
        return finding

    def _decline(self, desk: Desk, decision: Decision, forced: bool) -> Finding | None:
        if forced or desk.searched_again or desk.refused_once:
            return desk.declined(self._stop, decision)
        desk.refused_once = True
        desk.next_round(decision, note=SEARCH_FIRST)
        return None

    def _tool(self, desk: Desk, decision: Decision) -> Awaitable[Reading]:
        if decision.action is Action.SEARCH:
            if not decision.query.strip():
                raise DecisionError("A search needs words.", hint="Fill in query.")
            desk.searched_again = True
            return desk.reader.search(decision.query, self._core.text_size, outdated=True)
        if not decision.sections:
            raise DecisionError("A read needs sections.", hint="Name one to three ids.")
        return desk.reader.read(decision.sections[:3], self._core.text_size)

    async def _open(
        self, desk: Desk, tool: Awaitable[Reading], decision: Decision | None = None
    ) -> None:
        try:
            reading = await tool
        except LibraryError as error:
            self._stop.tool_failed()
            desk.next_round(decision, note=str(error))
            return
        self._stop.tool_worked()
        if decision is not None:
            self._stop.progressed(desk.keep(desk.check(decision)) or reading.new)
            desk.next_round(decision)
        await desk.lay_out(reading)

    def _end(self, finding: Finding) -> Finding:
        self._trace.stopped(finding.stop_reason.value)
        return finding
