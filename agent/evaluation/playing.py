"""Asks one line of a set and writes down what came of it, whatever engine answers."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from agent.evaluation.played import EvidenceSeen, Played, PlayedAnswer
from agent.evaluation.questions import EvalQuestion, Line, question_of
from agent.evaluation.retrieval import QuoteCheck, Ranking

Answering = Callable[[Line], Awaitable[Mapping[str, Any]]]
"""Answers a line: an answer object, or `{id, turns: […]}` for a conversation."""
Confidence = Callable[[Mapping[str, Any]], Awaitable[float | None]]
"""What a threshold could decline an answer object by, 0 to 1."""
Seen = Callable[[EvalQuestion], EvidenceSeen | None]
"""What a stand-in saw of a question's gold."""


async def _unknown(_: Mapping[str, Any]) -> float | None:
    return None


@dataclass(frozen=True, slots=True)
class Player:
    """Asks an engine.

    Attributes:
        ranking: how the engine finds; None: nothing to measure there.
        quotes: checks them; None: nobody does.
    """

    ask: Answering
    ranking: Ranking | None = None
    quotes: QuoteCheck | None = None
    confidence: Confidence = _unknown
    seen: Seen = lambda _: None

    async def play(self, line: Line) -> Played:
        """Ask one line.

        Raises:
            FootnoteError: the engine could not answer.
        """
        told = await self.ask(line)
        if line.conversation:
            return Played(id=line.id, digest=line.digest, turns=tuple(told["turns"]))
        question = question_of(line)
        documents, ranks = await self._found(question)
        return Played(
            id=line.id,
            digest=line.digest,
            answer=told,
            documents=documents,
            section_ranks=ranks,
            confidence=await self.confidence(told),
            verbatim=await self._verbatim(told),
            seen=self.seen(question),
        )

    async def _found(self, question: EvalQuestion) -> tuple[tuple[str, ...], tuple[int, ...]]:
        if self.ranking is None or not question.answerable:
            return (), ()
        ranked = await self.ranking.rank(question.question)
        return ranked.documents, ranked.ranks_of(question.gold_evidence)

    async def _verbatim(self, told: Mapping[str, Any]) -> tuple[bool, ...]:
        if self.quotes is None:
            return ()
        cited = PlayedAnswer.model_validate(told).citations
        return tuple([await self.quotes.stands(one.doc, one.quote) for one in cited])
