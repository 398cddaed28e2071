"""Looks one standalone question up: what the loop is not made for, then the plan and its leaves.

Sources whose text may reach no outside model are read by the extractive core alone: the question is
searched on this machine first, and a model sees, lists and is told only what it may be sent.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from operator import add

from agent.cores.extractive import ExtractiveCore
from agent.domain import (
    Finding,
    Outcome,
    Part,
    PartKind,
    Plan,
    Question,
    Scope,
    StopReason,
    Usage,
)
from agent.errors import ServiceUnreachable
from agent.leaves.tasks import Doubt, finished, task_of
from agent.leaves.walk import Walk, degraded_to
from agent.leaves.watching import Watch
from agent.memory.followups import dangling
from agent.planning import by_clauses, plan
from agent.ports import AgentCore, Library, NoSmallCalls, SmallCalls, Task, TaskKind
from agent.reading import DocumentReader
from agent.stopping import Budget
from agent.talk.clarifying import ask_back
from agent.talk.properties import asked_property, from_properties
from agent.talk.summaries import asked_summary, summary
from agent.trace import RoundTrace
from config.settings import LoopSettings

_FEW_PARTS = 3
"""So many look-ups stand well beside each other."""


@dataclass(frozen=True, slots=True)
class Thinking:
    """Who makes the choices, and what he may be shown.

    Attributes:
        sources: names of the sources whose text the core may be sent; None: all.
    """

    core: AgentCore
    small: SmallCalls = field(default_factory=NoSmallCalls)
    sources: frozenset[str] | None = None


@dataclass
class LookUp:
    """One standalone question on its way through the library.

    Attributes:
        composes: whether its parts are to be drawn together: sides of a comparison, parts that
            build on each other, or many.
        doubt: the earlier answer that this question is asked again for.
    """

    question: Question
    library: Library
    thinking: Thinking
    bounds: LoopSettings
    budget: Budget
    watch: Watch
    doubt: Doubt | None = None
    composes: bool = False
    _walks: list[Walk] = field(default_factory=list)
    _readers: list[DocumentReader] = field(default_factory=list)

    @property
    def rounds(self) -> list[RoundTrace]:
        """All rounds, in the order they were gone."""
        return [entry for walk in self._walks for entry in walk.rounds]

    @property
    def contacts(self) -> Mapping[str, str]:
        """Whom to ask, by the path of a document seen."""
        return {doc: who for reader in self._readers for doc, who in reader.contacts.items()}

    async def run(self, text: str, focus: str, *, in_thread: bool) -> list[Finding]:
        """A finding for every part of the question.

        Args:
            text: the standalone question.
            focus: words of a follow-up that an answer must speak of.
            in_thread: whether turns come before it, so that an open word was understood from them.
        """
        special = await self._special(text, in_thread=in_thread)
        if special:
            return special
        may_see = self.thinking.sources
        scope = self.question.scope
        if self.thinking.core.extractive or may_see is None:
            return await self._walk(self.thinking, scope, text, focus)
        by_rule = Thinking(ExtractiveCore())
        if await self._stands_in_closed(text, may_see):
            return await self._walk(by_rule, scope, text, focus)
        findings = await self._walk(self.thinking, _narrowed(scope, may_see), text, focus)
        if any(finding.citations for finding in findings):
            return findings
        others = frozenset(
            source.name
            for source in await self.library.sources(scope)
            if source.name not in may_see
        )
        if not others:
            return findings
        closed = await self._walk(by_rule, _narrowed(scope, others), text, focus)
        return closed if any(finding.citations for finding in closed) else findings

    async def _stands_in_closed(self, text: str, may_see: frozenset[str]) -> bool:
        found = await self.library.search(text, self.question.scope, windows=1)
        return any(window.document.source not in may_see for window in found.windows)

    async def _special(self, text: str, *, in_thread: bool) -> list[Finding]:
        """The finding of a question that the loop is not made for; none for all others."""
        size = self.thinking.core.text_size
        reader = self._reader(self.question.scope)
        open_word = "" if in_thread else dangling(text)
        if open_word:
            return [await ask_back(text, open_word, reader, size)]
        summed_up = asked_summary(text) if self.thinking.core.extractive else None
        if summed_up and (found := await summary(summed_up, reader, size)):
            return [found]
        asked = asked_property(text)
        if asked is None:
            return []
        finding = await from_properties(asked, reader, size, self.question.facts)
        return [finding] if finding else []

    def _reader(self, scope: Scope) -> DocumentReader:
        reader = DocumentReader(self.library, scope, self.bounds)
        self._readers.append(reader)
        return reader

    async def _walk(self, thinking: Thinking, scope: Scope, text: str, focus: str) -> list[Finding]:
        """The findings of the parts; clauses joined by `and` are tried after a miss."""
        reader, core = self._reader(scope), thinking.core
        task = None if core.extractive else await self._task(text, reader)
        walk = Walk(
            self.question, core, reader, self.bounds, self.budget,
            self.watch, focus, thinking.small, task,
        )  # fmt: skip
        self._walks.append(walk)
        planned, cost = await self._plan(thinking.small, text, task)
        self.composes = not core.extractive and _is_drawn_together(planned)
        findings = await walk.run(planned)
        findings[0] = replace(findings[0], usage=findings[0].usage + cost)
        if task and planned.single:
            if findings[0].stop_reason is StopReason.UNAVAILABLE:
                return await self._without_model(task, findings[0], scope, focus)
            return [await self._finished(task, findings[0], scope)]
        tried_apart = planned.single and thinking.core.extractive and _declined(findings[0])
        clauses = by_clauses(text) if tried_apart else None
        if clauses is None:
            return findings
        return _better(findings[0], await walk.run(clauses))

    async def _task(self, text: str, reader: DocumentReader) -> Task | None:
        return await task_of(text, self.doubt, reader, self.thinking.core.text_size)

    async def _finished(self, task: Task, finding: Finding, scope: Scope) -> Finding:
        """The finding with how much it covers."""
        sources = await self.library.sources(scope)
        return finished(task, finding, sum(source.documents for source in sources))

    async def _without_model(
        self, task: Task, missed: Finding, scope: Scope, focus: str
    ) -> list[Finding]:
        """A summary, or both sides of a comparison, by rule where the model did not answer."""
        asked = asked_summary(missed.question) if task.document else None
        if asked:
            found = await summary(asked, self._reader(scope), ExtractiveCore().text_size)
            by_rule = [found or missed]
        elif task.sides:
            by_rule = await self._walk(Thinking(ExtractiveCore()), scope, missed.question, focus)
        else:
            return [missed]
        usage = missed.usage + by_rule[0].usage
        told = [replace(finding, extractive=True) for finding in by_rule]
        return [degraded_to(replace(told[0], usage=usage)), *map(degraded_to, told[1:])]

    async def _plan(self, small: SmallCalls, text: str, task: Task | None) -> tuple[Plan, Usage]:
        """The question's parts: by rule whether it has any, by the model which."""
        if task and task.kind is not TaskKind.LIST:
            return Plan(text, (Part("1", text),)), Usage()
        by_rule = plan(text, self.bounds)
        if by_rule.single:
            return by_rule, Usage()
        try:
            asked = small.plan(text, self.bounds.plan_leaves)
            planned, cost = await self.budget.within(asked, (None, Usage()))
        except ServiceUnreachable:
            return by_rule, Usage()
        return planned or by_rule, cost


def _narrowed(scope: Scope, names: frozenset[str]) -> Scope:
    return replace(scope, sources=names if scope.sources is None else scope.sources & names)


def _is_drawn_together(planned: Plan) -> bool:
    builds = any(part.kind is not PartKind.LOOKUP or part.depends_on for part in planned.parts)
    return not planned.single and (builds or len(planned.parts) > _FEW_PARTS)


def _declined(finding: Finding) -> bool:
    """Whether the library was searched in vain, with time left to search on."""
    searched = finding.stop_reason in (StopReason.DECLINED, StopReason.NO_PROGRESS)
    return finding.outcome is Outcome.NOT_COVERED and searched


def _better(missed: Finding, tried: Sequence[Finding]) -> list[Finding]:
    """The clauses' findings if they found more than the whole; what both cost stays counted."""
    best, rest = list(tried), [missed]
    if not any(finding.citations for finding in tried):
        best, rest = rest, best
    rounds = best[0].rounds + sum(finding.rounds for finding in rest)
    usage = reduce(add, (finding.usage for finding in rest), best[0].usage)
    return [replace(best[0], rounds=rounds, usage=usage), *best[1:]]
