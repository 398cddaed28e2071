"""All answers of one engine as figures: what programs read, and what the report shows."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from agent.evaluation.curve import CurvePoint, Judged, curve
from agent.evaluation.intervals import Share, mean, quantile
from agent.evaluation.played import Played, PlayedAnswer
from agent.evaluation.questions import EvalQuestion
from agent.evaluation.scoring import TOPS, Score, score

ALL = "all"
_DIGITS = 4


@dataclass(frozen=True, slots=True)
class Misses:
    """A question that did not go well, for people who want to read it."""

    id: str
    kind: str
    question: str
    status: str


@dataclass(frozen=True, slots=True)
class EngineResult:
    """What one engine reached on one set.

    Attributes:
        hits: by kind of question, `all` over all of them; unanswerable ones are not among them.
        documents, sections: share of questions with all needed documents, and mean share of the
            needed gold sections, in the top 1, 3 and 5; by kind.
        passages: share of questions whose every passage was cited, by how many were needed.
        right_citations, verbatim: of all citations; mean share a question for the former.
        evidence: what a stand-in saw of the gold; empty with any other model.
        errors: questions that led to no answer at all.
        library: how many documents were asked.
        label: what tells two measurements of one engine apart.
    """

    engine: str
    model: str
    n: int
    hits: Mapping[str, Share]
    documents: Mapping[str, tuple[float | None, ...]]
    sections: Mapping[str, tuple[float | None, ...]]
    passages: Mapping[int, Share]
    right_citations: float | None
    verbatim: Share
    declined: Share
    wrongly_declined: Share
    curve: Sequence[CurvePoint]
    replies: Sequence[PlayedAnswer]
    evidence: Mapping[str, Share] = field(default_factory=dict)
    misses: Sequence[Misses] = ()
    errors: int = 0
    library: int = 0
    label: str = ""

    @property
    def name(self) -> str:
        """The engine with its model, and what tells it from another measurement of it."""
        name = f"{self.engine} ({self.model})" if self.model else self.engine
        return f"{name}, {self.label}" if self.label else name

    def to_json(self) -> dict[str, Any]:
        """As programs read it; shares from 0 to 1, None where there is nothing to measure."""
        return {
            "engine": self.engine,
            "model": self.model or None,
            "n": self.n,
            "hits": {kind: _share(share, "hit") for kind, share in self.hits.items()},
            "documents": _tops(self.documents[ALL]),
            "sections": _tops(self.sections[ALL]),
            "declined": _rounded(self.declined.value),
            "wrongly_declined": _rounded(self.wrongly_declined.value),
            **costs(self.replies),
            "documents_by_kind": {kind: _tops(of) for kind, of in self.documents.items()},
            "sections_by_kind": {kind: _tops(of) for kind, of in self.sections.items()},
            "full_recall": {str(n): _share(share, "found") for n, share in self.passages.items()},
            "citations": {
                "right_document": _rounded(self.right_citations),
                "verbatim": _rounded(self.verbatim.value),
            },
            "unanswerable": _share(self.declined, "declined"),
            "answerable": _share(self.wrongly_declined, "wrongly_declined"),
            "curve": [_point(point) for point in self.curve],
            "evidence_in_prompt": {
                kind: _share(share, "seen") for kind, share in self.evidence.items()
            },
            "errors": self.errors,
            "library_documents": self.library,
        }


def costs(replies: Sequence[PlayedAnswer]) -> dict[str, Any]:
    """Calls, rounds, tokens and milliseconds of these answers.

    Returns:
        `calls`, `rounds` and `tokens` as means an answer, `ms` as the median, and all of them in
        detail beside.
    """
    full, small = [one.calls.full for one in replies], [one.calls.small for one in replies]
    tokens = [one.tokens.total for one in replies]
    total, own = [one.ms.total for one in replies], [one.ms.own for one in replies]
    return {
        "calls": {"full": _rounded(mean(full)), "small": _rounded(mean(small))},
        "tokens": _rounded(mean(tokens)),
        "ms": _rounded(quantile(total, 0.5)),
        "rounds": _rounded(mean([one.rounds for one in replies])),
        "calls_detail": {
            "full_median": _rounded(quantile(full, 0.5)),
            "with_small": _rounded(mean([float(calls > 0) for calls in small])),
        },
        "tokens_detail": {
            "median": _rounded(quantile(tokens, 0.5)),
            "p95": _rounded(quantile(tokens, 0.95)),
            "prompt": _rounded(mean([one.tokens.prompt for one in replies])),
            "completion": _rounded(mean([one.tokens.completion for one in replies])),
        },
        "ms_detail": {
            "p50": _rounded(quantile(total, 0.5)),
            "p95": _rounded(quantile(total, 0.95)),
            "own_p50": _rounded(quantile(own, 0.5)),
            "own_p95": _rounded(quantile(own, 0.95)),
        },
    }


def result(
    engine: str, model: str, questions: Sequence[EvalQuestion], played: Mapping[str, Played]
) -> EngineResult:
    """The figures of one engine.

    Args:
        engine: its name.
        model: name of its model; empty without one.
        questions: the whole set; a question that was not played counts as missed.
        played: by id.
    """
    scored = [(one, score(one, played.get(one.id, Played(id=one.id)))) for one in questions]
    answerable = [(one, its) for one, its in scored if one.answerable]
    absent = [its for one, its in scored if not one.answerable]
    kinds = [*dict.fromkeys(one.kind for one, _ in answerable), ALL]
    of_kind = {kind: [its for one, its in answerable if kind in (one.kind, ALL)] for kind in kinds}
    return EngineResult(
        engine,
        model,
        len(questions),
        hits={kind: _of(its, lambda one: one.hit) for kind, its in of_kind.items()},
        documents={kind: _means(its, "documents") for kind, its in of_kind.items()},
        sections={kind: _means(its, "sections") for kind, its in of_kind.items()},
        passages=_passages(answerable),
        right_citations=mean(
            [
                its.right_citations / its.citations
                for _, its in answerable
                if its.citations and its.answered
            ]
        ),
        verbatim=Share(
            sum(its.verbatim for _, its in scored), sum(its.verbatim_known for _, its in scored)
        ),
        declined=_of(absent, lambda one: one.declined),
        wrongly_declined=_of([its for _, its in answerable], lambda one: one.declined),
        curve=curve(_judged(scored, played)),
        replies=[reply for one in played.values() for reply in one.replies],
        evidence=_evidence(questions, played),
        misses=[_miss(one, played) for one, its in scored if _went_wrong(one, its)],
        errors=sum(bool(one.trouble) for one in played.values()),
    )


def _of(scores: Iterable[Score], holds: Callable[[Score], bool]) -> Share:
    found = [holds(one) for one in scores]
    return Share(sum(found), len(found))


def _means(scores: Sequence[Score], measure: str) -> tuple[float | None, ...]:
    return tuple(
        mean([float(getattr(one, measure)[at]) for one in scores]) for at in range(len(TOPS))
    )


def _passages(answerable: Iterable[tuple[EvalQuestion, Score]]) -> dict[int, Share]:
    """Questions whose every passage was cited, by how many they need; 3 is three or more."""
    found: dict[int, list[bool]] = {}
    for one, its in answerable:
        found.setdefault(min(3, one.passages_needed), []).append(its.passages_found == 1.0)
    return {needed: Share(sum(found[needed]), len(found[needed])) for needed in sorted(found)}


def _judged(
    scored: Iterable[tuple[EvalQuestion, Score]], played: Mapping[str, Played]
) -> list[Judged]:
    return [
        Judged(confidence, one.answerable, its.hit, its.declined)
        for one, its in scored
        if one.id in played and (confidence := played[one.id].confidence) is not None
    ]


def _evidence(questions: Iterable[EvalQuestion], played: Mapping[str, Played]) -> dict[str, Share]:
    seen = [
        its.seen
        for one in questions
        if one.answerable and (its := played.get(one.id)) and its.seen is not None
    ]
    if not seen:
        return {}
    return {
        "first": Share(sum(one.first for one in seen), len(seen)),
        "first_or_listed": Share(sum(one.first_or_listed for one in seen), len(seen)),
        "ever": Share(sum(one.ever for one in seen), len(seen)),
    }


def _went_wrong(question: EvalQuestion, its: Score) -> bool:
    return not its.hit if question.answerable else not its.declined


def _miss(question: EvalQuestion, played: Mapping[str, Played]) -> Misses:
    status = played[question.id].reply.status if question.id in played else "missing"
    return Misses(question.id, question.kind, question.question, status)


def _share(share: Share, name: str) -> dict[str, Any]:
    low, high = share.bounds
    return {
        "n": share.n,
        name: _rounded(share.value),
        "low": _rounded(low),
        "high": _rounded(high),
    }


def _tops(values: Sequence[float | None]) -> dict[str, float | None]:
    return {str(top): _rounded(value) for top, value in zip(TOPS, values, strict=True)}


def _point(point: CurvePoint) -> dict[str, Any]:
    return {
        "threshold": _rounded(point.threshold),
        "declined": _rounded(point.declined.value),
        "wrongly_declined": _rounded(point.wrongly_declined.value),
        "hits_lost": point.lost,
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, _DIGITS)
