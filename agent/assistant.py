"""One question in, one answer out. Read this file first.

Small talk gets its fixed reply; a follow-up is completed from the turns before; a question of
several parts is planned; every part goes through the loop; what the loop found and checked is
composed into one answer with footnotes, or into the honest gap. What was done is written down.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from time import monotonic
from uuid import uuid4

from sqlalchemy.engine import Connection

from agent import talk
from agent.assembling import Work, assemble, gaps_of
from agent.composing import recomposed
from agent.domain import (
    Answer,
    Outcome,
    Question,
    SourceState,
    Stage,
    Usage,
)
from agent.errors import ServiceUnreachable
from agent.gaps import Gap, GapList
from agent.leaves.lookup import LookUp, Thinking
from agent.leaves.tasks import Doubt
from agent.leaves.watching import Watch
from agent.memory import ThreadMemory
from agent.memory.followups import Understood, understand, without_orders
from agent.memory.turns import Turn
from agent.phrases import language_for, language_of, phrase
from agent.ports import Library, Progress
from agent.remembered import Grounds, RememberedAnswers
from agent.stopping import Budget, never
from agent.text.tidying import spelled_out
from agent.trace import RoundTrace, TraceStore, trace_of
from config.settings import LoopSettings

_EXAMPLES = 5
_EARLIER = 3
"""Turns a follow-up may lean on."""
_FOLLOW_UP_CHARS = 200
"""A longer message says enough by itself."""
LONGEST_CHARS = 10_000
"""No question is longer; chats bound theirs much lower (`conversation.question_chars`)."""


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Assistant:
    """Answers questions from the library.

    Attributes:
        thinking: who makes the choices, and what he may be shown.
        remembered: answers served again while their grounds stand; None: none are.
    """

    library: Library
    thinking: Thinking
    memory: ThreadMemory
    traces: TraceStore
    gaps: GapList
    bounds: LoopSettings = field(default_factory=LoopSettings)
    remembered: RememberedAnswers | None = None
    now: Callable[[], datetime] = _now
    clock: Callable[[], float] = monotonic

    async def answer(
        self, question: Question, progress: Progress, called_off: Callable[[], bool] = never
    ) -> Answer:
        """Answer one question.

        Args:
            question: as asked; its scope bounds everything that is read, told or counted.
            progress: is told what is being read; its failures never reach the answer.
            called_off: whether the asker has given up; what was found so far is sent then.

        Returns:
            Exactly one answer: answered or partial with checked footnotes, else the honest gap,
            a question back, or the fixed reply to small talk.
        """
        began = self.clock()
        async with Watch(progress) as watch:
            watch.stage(Stage.MAP)
            reply = await self._small_talk(question)
            if reply is not None:
                return reply
            budget = Budget(
                self.bounds.question_tokens, began + self.bounds.work_s, self.clock, called_off
            )
            done = await self._work(question, budget, watch)
            took_ms = round((self.clock() - began) * 1000)
            answer = replace(done.answer, usage=replace(done.answer.usage, total_ms=took_ms))
            done = replace(done, answer=answer, grounds=await self._grounds(question, done))
            await self.memory.store.write(lambda connection: self._record(connection, done))
        return answer

    async def _work(self, question: Question, budget: Budget, watch: Watch) -> "_Done":
        """The answer: one that is remembered and still stands, else a new one."""
        understood, turns, cost = await self._understand(question, budget)
        doubt = _doubt(question, understood, turns)
        if self.remembered and doubt is None:
            language = language_for(question)
            known = await self.remembered.recall(question, understood.question, language)
            if known is not None:
                return _Done(question, understood, known)
        looking = LookUp(question, self.library, self.thinking, self.bounds, budget, watch, doubt)
        findings = await looking.run(understood.question, understood.focus, in_thread=bool(turns))
        findings[0] = replace(findings[0], usage=findings[0].usage + cost)
        sources = await self._sources(question)
        contacts = {**_contacts(sources), **looking.contacts}
        work = Work(question, understood, findings, contacts, sources, language_for(question))
        watch.stage(Stage.COMPOSING)
        answer = assemble(work, uuid4().hex, uuid4().hex)
        if looking.composes:
            answer = await self._composed(answer, understood.question, budget)
        gaps = gaps_of(work, answer.trace_id)
        return _Done(question, understood, answer, looking.rounds, gaps, doubted=doubt is not None)

    async def _grounds(self, question: Question, done: "_Done") -> Grounds:
        """What a new answer rests on, if it is to be remembered; else nothing."""
        kept = self.remembered
        new = bool(done.rounds) and not done.doubted
        if kept is None or not new or not kept.worth_keeping(question, done.answer):
            return []
        return await kept.grounds(question, done.understood.question)

    async def _small_talk(self, question: Question) -> Answer | None:
        language = language_for(question)
        if len(question.text) > LONGEST_CHARS:
            return _said(question, phrase(language, "too_long", limit=LONGEST_CHARS), language)
        kind, rest = talk.split_talk(question.text, question.facts.bot_name)
        if kind is None or rest:
            return None
        sources = await self._sources(question)
        examples = await self._examples(question)
        text = talk.reply(question.text, question.facts, sources, examples, language) or ""
        return _said(question, text, language)

    async def _understand(
        self, question: Question, budget: Budget
    ) -> tuple[Understood, Sequence[Turn], Usage]:
        """The standalone question: by rule, and by the model where it may lean on turns."""
        said = talk.split_talk(question.text, question.facts.bot_name)[1] or question.text
        said = spelled_out(without_orders(said))
        turns = await self.memory.recall(question)
        by_rule = understand(said, turns)
        same_again = bool(turns) and by_rule.question == turns[-1].understood
        if not turns or same_again or len(said) > _FOLLOW_UP_CHARS:
            return by_rule, turns, Usage()
        earlier = [turn.understood for turn in turns[-_EARLIER:]]
        try:
            asked = self.thinking.small.standalone(earlier, said)
            whole, cost = await budget.within(asked, ("", Usage()))
        except ServiceUnreachable:
            return by_rule, turns, Usage()
        if not whole:
            return by_rule, turns, cost
        return Understood(whole, rewritten=whole.strip() != said.strip()), turns, cost

    async def _composed(self, answer: Answer, asked: str, budget: Budget) -> Answer:
        """The parts drawn together, where the model's words keep to them."""
        if answer.outcome is not Outcome.ANSWERED or not answer.citations:
            return answer
        quotes = [citation.quote for citation in answer.citations]
        try:
            drawn = self.thinking.small.compose(asked, answer.text, quotes)
            text, cost = await budget.within(drawn, ("", Usage()))
        except ServiceUnreachable:
            return answer
        text = recomposed(answer.text, answer.citations, text)
        return replace(answer, text=text, usage=answer.usage + cost)

    async def _sources(self, question: Question) -> Sequence[SourceState]:
        return question.facts.sources or await self.library.sources(question.scope)

    async def _examples(self, question: Question) -> list[str]:
        """Questions that stand as headings in the documents in scope."""
        entries = await self.library.read_document_map(question.scope)
        headings = (section.headings[-1:] for entry in entries for section in entry.outline)
        asked = (heading[0] for heading in headings if heading and heading[0].endswith(("?", "？")))
        language = language_for(question)
        return [each for each in asked if language_of(each) == language][:_EXAMPLES]

    def _record(self, connection: Connection, done: "_Done") -> None:
        """One transaction: the store has one writer, and a sync may be at work."""
        question, answer = done.question, done.answer
        self.traces.save(connection, trace_of(answer, question.scope, self.now(), done.rounds))
        self.gaps.record(connection, done.gaps, self.now())
        self.memory.remember(connection, question, answer)
        if self.remembered and done.grounds:
            asked = done.understood.question
            self.remembered.keep(connection, question, asked, done.grounds, answer)


@dataclass(frozen=True, slots=True)
class _Done:
    """A finished answer with what is written down of it.

    Attributes:
        grounds: what it rests on, where it is to be remembered.
        doubted: whether it was given again, since an earlier one was doubted.
    """

    question: Question
    understood: Understood
    answer: Answer
    rounds: Sequence[RoundTrace] = ()
    gaps: Sequence[Gap] = ()
    grounds: Grounds = field(default_factory=list)
    doubted: bool = False


def _doubt(question: Question, understood: Understood, turns: Sequence[Turn]) -> Doubt | None:
    """The turn that is asked about again in other words: it was doubted, or corrected."""
    if not understood.rewritten:
        return None
    same = (turn for turn in reversed(turns) if turn.understood == understood.question)
    turn = next(same, None)
    return Doubt(question.text, turn.answer.citations) if turn else None


def _said(question: Question, text: str, language: str) -> Answer:
    """An answer that claims nothing: no citation, no trace, no gap."""
    return Answer(
        uuid4().hex, question.text, Outcome.TALK, text, language=language, extractive=False
    )


def _contacts(sources: Sequence[SourceState]) -> dict[str, str]:
    """The first source's contact, for questions that come near no document."""
    named = [source.contact for source in sources if source.contact]
    return {"": named[0]} if named else {}
