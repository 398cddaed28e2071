"""One answer against its gold.

A hit: an answerable question was answered, the right document is cited (for `all` every one of
them), and a cited quote overlaps the gold quote or a gold answer is said.
"""

from dataclasses import dataclass

from agent.evaluation.matching import overlap, said
from agent.evaluation.played import Played, PlayedAnswer
from agent.evaluation.questions import EvalQuestion

TOPS = (1, 3, 5)


@dataclass(frozen=True, slots=True)
class Score:
    """How one question went.

    Attributes:
        passages_found: share of the needed gold passages that a cited quote overlaps.
        right_citations: citations that go to a right document, of `citations`.
        documents: whether all needed documents were in the top 1, 3 and 5 found.
        sections: share of the needed gold sections in the top 1, 3 and 5 found.
    """

    hit: bool
    answered: bool
    declined: bool
    passages_found: float
    citations: int
    right_citations: int
    verbatim: int
    verbatim_known: int
    documents: tuple[bool, ...]
    sections: tuple[float, ...]


def score(question: EvalQuestion, played: Played) -> Score:
    """Score one answered question."""
    answer = played.reply
    right = sum(citation.doc in question.right_docs for citation in answer.citations)
    return Score(
        hit=question.answerable and is_hit(question, answer),
        answered=answer.answered,
        declined=answer.declined,
        passages_found=_passages_found(question, answer),
        citations=len(answer.citations),
        right_citations=right,
        verbatim=sum(played.verbatim),
        verbatim_known=len(played.verbatim),
        documents=tuple(_documents_in(question, played.documents[:top]) for top in TOPS),
        sections=tuple(_sections_in(question, played.section_ranks, top) for top in TOPS),
    )


def is_hit(question: EvalQuestion, answer: PlayedAnswer) -> bool:
    """Whether an answer is right, by its wording."""
    if not answer.answered:
        return False
    docs = {citation.doc for citation in answer.citations}
    if question.gold_mode == "all":
        if not set(question.gold_docs) <= docs:
            return False
    elif not docs & question.right_docs:
        return False
    return _quoted(question, answer) or any(
        said(gold, answer.answer) for gold in question.gold_answers
    )


def _quoted(question: EvalQuestion, answer: PlayedAnswer) -> bool:
    return any(
        overlap(citation.quote, evidence.quote)
        for citation in answer.citations
        for evidence in question.gold_evidence
    )


def _passages_found(question: EvalQuestion, answer: PlayedAnswer) -> float:
    """For `all` the share of the passages cited; for `any` one of them is the whole."""
    if not answer.answered or not question.gold_evidence:
        return 0.0
    found = [
        any(overlap(citation.quote, evidence.quote) for citation in answer.citations)
        for evidence in question.gold_evidence
    ]
    return sum(found) / len(found) if question.gold_mode == "all" else float(any(found))


def _documents_in(question: EvalQuestion, top: tuple[str, ...]) -> bool:
    if question.gold_mode == "all":
        return set(question.gold_docs) <= set(top)
    return bool(question.right_docs & set(top))


def _sections_in(question: EvalQuestion, ranks: tuple[int, ...], top: int) -> float:
    """Share of the gold evidence whose section is among the best `top`."""
    if not question.gold_evidence or not ranks:
        return 0.0
    return sum(0 < rank <= top for rank in ranks) / len(question.gold_evidence)
