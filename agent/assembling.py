"""From findings to the answer object: outcome and text from the composer, and all that is told
beside them: where it was looked, what comes nearest, whom to ask, what it cost, which gaps remain.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add

from agent.composing import compose, other_language
from agent.domain import (
    Answer,
    Finding,
    LookedAt,
    Outcome,
    Question,
    SourceState,
    StopReason,
    Usage,
)
from agent.gaps import Gap
from agent.memory.followups import Understood
from agent.phrases import phrase

_SAYS_NOTHING_THERE = (StopReason.DECLINED, StopReason.NO_PROGRESS, StopReason.MAX_ROUNDS)
"""Endings after which nothing found means a gap; after the others the search was cut short."""


@dataclass(frozen=True, slots=True)
class Work:
    """What was done for one question.

    Attributes:
        contacts: whom to ask, by document path; `""` for any other document.
        sources: those in the scope of the reply.
    """

    question: Question
    understood: Understood
    findings: Sequence[Finding]
    contacts: Mapping[str, str]
    sources: Sequence[SourceState]
    language: str


def assemble(work: Work, answer_id: str, trace_id: str) -> Answer:
    """The answer that this work led to, without the time it took."""
    findings = work.findings
    composed = compose(findings, work.language, work.contacts)
    nearest = _places(finding.nearest for finding in findings)
    miss = composed.outcome in (Outcome.NOT_COVERED, Outcome.UNAVAILABLE)
    return Answer(
        answer_id=answer_id,
        question=work.question.text,
        outcome=composed.outcome,
        text=composed.text,
        citations=composed.citations,
        parts=composed.parts,
        choices=composed.choices,
        looked_at=_places(finding.looked_at for finding in findings),
        nearest=nearest if miss else (),
        contact=_contact(nearest, work.contacts) if miss else "",
        notes=(*_notes(work), *composed.notes),
        stop_reason=_stop_reason(findings),
        gap_recorded=bool(gaps_of(work, trace_id)),
        understood=work.understood.question if work.understood.rewritten else "",
        rounds=sum(finding.rounds for finding in findings),
        usage=reduce(add, (finding.usage for finding in findings), Usage()),
        trace_id=trace_id,
        language=work.language,
        extractive=all(finding.extractive for finding in findings),
    )


def gaps_of(work: Work, trace_id: str) -> list[Gap]:
    """The parts that the library did not cover, as far as it could be searched at all."""
    return [
        _gap(work.question, finding, trace_id)
        for finding in work.findings
        if finding.outcome is Outcome.NOT_COVERED
        and finding.stop_reason in _SAYS_NOTHING_THERE
        and not _mostly_unsearched(finding, work.sources)
    ]


def _gap(question: Question, finding: Finding, trace_id: str) -> Gap:
    nearest = finding.nearest[0] if finding.nearest else None
    return Gap(
        question=finding.question,
        scope_key=question.scope.key,
        trace_id=trace_id,
        nearest_doc=nearest.doc if nearest else "",
        nearest_title=nearest.title if nearest else "",
        direct=question.direct,
    )


def _mostly_unsearched(finding: Finding, sources: Sequence[SourceState]) -> bool:
    documents = sum(source.documents for source in sources)
    return 2 * finding.other_language_documents > documents


def _notes(work: Work) -> list[str]:
    corrected = dict.fromkeys(
        correction for finding in work.findings for correction in finding.corrections
    )
    notes = [
        phrase(work.language, "corrected", written=each.written, used=each.used)
        for each in corrected
    ]
    unsearched = max(
        (
            finding.other_language_documents
            for finding in work.findings
            if finding.outcome is Outcome.NOT_COVERED and _mostly_unsearched(finding, work.sources)
        ),
        default=0,
    )
    return [*notes, other_language(unsearched, work.language)] if unsearched else notes


def _stop_reason(findings: Sequence[Finding]) -> StopReason:
    reasons = [finding.stop_reason for finding in findings]
    return next((each for each in reasons if each is not StopReason.ANSWERED), reasons[0])


def _places(groups: Iterable[Sequence[LookedAt]]) -> tuple[LookedAt, ...]:
    return tuple(dict.fromkeys(place for group in groups for place in group))


def _contact(nearest: Sequence[LookedAt], contacts: Mapping[str, str]) -> str:
    near = next((contacts[place.doc] for place in nearest if place.doc in contacts), "")
    return near or contacts.get("", "")
