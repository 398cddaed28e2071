"""What was found for a question and for its clauses, as one ranking; and a second opinion on it.

A question that asks two things is answered by two documents, of which the whole question finds one.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace

from agent.domain import DocId, Document, Section, Term
from agent.fusing import by_reciprocal_rank
from agent.library.searching.choosing import Place, place_of
from agent.library.searching.scoring import ScoredPassage
from agent.library.searching.understanding import Understood
from agent.planning import by_clauses, plan

MOST_CLAUSES = 3


@dataclass(frozen=True, slots=True)
class Found:
    """Passages and documents for a question, best first.

    Attributes:
        missing: words of the question that stand nowhere in scope.
        texts: the sections of the passages, with their documents.
    """

    query: str
    understood: Understood
    terms: tuple[Term, ...]
    missing: tuple[str, ...]
    passages: Sequence[ScoredPassage]
    documents: Sequence[DocId]
    texts: Mapping[Place, tuple[Document, Section]]

    def reordered(self, passages: Sequence[ScoredPassage]) -> "Found":
        """The same passages in another order; the scores stay in theirs, and documents follow."""
        scores = sorted((each.score for each in passages), reverse=True)
        order = [replace(each, score=s) for each, s in zip(passages, scores, strict=True)]
        first = list(dict.fromkeys(each.stretch.doc_id for each in order))
        documents = by_reciprocal_rank([first, self.documents], lambda doc_id: doc_id)
        return replace(self, passages=order, documents=documents)


def clauses_of(query: str) -> tuple[str, ...]:
    """The clauses of a question that asks for several things; empty for a single one."""
    parts = plan(query).parts
    if len(parts) < 2:
        joined = by_clauses(query)
        parts = joined.parts if joined else ()
    return tuple(part.question for part in parts)[:MOST_CLAUSES]


def united(found: Sequence[Found]) -> Found:
    """One ranking of several; what is told of the words is that of the first, the whole question.

    Args:
        found: for the question, then for its clauses.
    """
    whole = found[0]
    if len(found) == 1:
        return whole
    everything = replace(whole, texts={k: v for each in found for k, v in each.texts.items()})
    best = replace(
        everything,
        documents=by_reciprocal_rank((each.documents for each in found), lambda doc_id: doc_id),
    )
    passages = by_reciprocal_rank((each.passages for each in found), _place)
    scores = sorted((each.score for each in passages), reverse=True)
    order = [replace(each, score=s) for each, s in zip(passages, scores, strict=True)]
    return replace(best, passages=order)


def _place(passage: ScoredPassage) -> Hashable:
    return place_of(passage.stretch), passage.start
