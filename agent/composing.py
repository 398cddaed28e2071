"""From findings to one answer: numbered footnotes, every part named, gaps said as they are.

Nothing is added here: no number, no claim, no softening. A part that was not covered stands beside
those that were, with where we looked and whom to ask. We say that we found nothing, never that the
documents contain nothing.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from agent.citations import renumber
from agent.citations.claims import (
    cited_sentences,
    order_of,
    slotted,
    with_markers,
    without_markers,
)
from agent.citations.quoting import covers, merged
from agent.domain import Citation, Finding, LookedAt, Outcome, PartAnswer, StopReason
from agent.phrases import listed, phrase
from agent.text.values import foreign
from agent.text.words import term_set

_PLACES = 2
_ADDRESS = re.compile(r"(?:https?://|www\.)\S+", re.IGNORECASE)
_CITED = (Outcome.ANSWERED, Outcome.PARTIAL)


@dataclass(frozen=True, slots=True)
class Composed:
    """One answer made of findings.

    Attributes:
        text: with `[n]` markers into `citations`; for not_covered the honest gap.
        citations: numbered from 1 over all parts.
        parts: empty for a single question.
        choices: for clarify.
        notes: one-line remarks to be shown above the text.
    """

    text: str
    outcome: Outcome
    citations: tuple[Citation, ...] = ()
    parts: tuple[PartAnswer, ...] = ()
    choices: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def compose(
    findings: Sequence[Finding],
    language: str,
    contacts: Mapping[str, str] | None = None,
) -> Composed:
    """Make one answer of what the leaves of a question led to.

    Args:
        findings: one a leaf, in the order asked, at least one.
        language: of fixed phrases.
        contacts: whom to ask, by the path of a document near the question; `""` for any other.

    Returns:
        The findings' own words, renumbered; nothing that no finding says.
    """
    known = contacts or {}
    pool = merged(citation for finding in findings for citation in _said(finding))
    texts = [_with_slots(finding, pool, language) for finding in findings]
    gaps = [_gap(finding, known, language) for finding in findings]
    named = [text or gap for text, gap in zip(texts, gaps, strict=True)]
    if len(findings) > 1 and texts[0] and len(set(texts)) == 1:
        named = named[:1]  # one sentence answers all parts
    elif len(findings) > 1:
        named = [
            _named(finding, text, language) for finding, text in zip(findings, named, strict=True)
        ]
    whole = "\n".join(named)
    order = order_of(whole)
    return Composed(
        text=with_markers(whole, order),
        outcome=outcome_of(findings),
        citations=renumber([pool[at] for at in order]),
        parts=_parts(findings, [with_markers(text, order) for text in texts], gaps),
        choices=findings[0].choices if len(findings) == 1 else (),
        notes=_notes(findings, language),
    )


def outcome_of(findings: Sequence[Finding]) -> Outcome:
    """How a question ended whose parts ended so."""
    ended = {finding.outcome for finding in findings}
    if len(ended) == 1:
        return ended.pop()
    if ended & set(_CITED):
        return Outcome.PARTIAL
    return Outcome.UNAVAILABLE if Outcome.UNAVAILABLE in ended else Outcome.NOT_COVERED


def recomposed(said: str, citations: Sequence[Citation], text: str) -> str:
    """The answer in a model's words, if they keep to the findings; else as it was.

    Every sentence must carry a marker the answer has and share a word with what it cites, every
    marker must be used, and no value may stand in it that stands neither in the answer nor in a
    quote.
    """
    quotes = {citation.number: citation.quote for citation in citations}
    sources = [said, *quotes.values()]
    sentences = cited_sentences(text)
    kept = all(
        cited
        and set(cited) <= quotes.keys()
        and not foreign(sentence, sources)
        and _speaks_of(sentence, [said, *(quotes[number] for number in cited)])
        for sentence, cited in sentences
    )
    whole = {number for _, cited in sentences for number in cited} == quotes.keys()
    return text.strip() if kept and whole and quotes else said


def _speaks_of(sentence: str, texts: Sequence[str]) -> bool:
    return bool(term_set(without_markers(sentence)) & term_set(" ".join(texts)))


def other_language(count: int, language: str) -> str:
    """The line that says how many documents in the other language were not searched."""
    theirs = "zh" if language == "en" else "en"
    return phrase(
        language,
        "other_language",
        count=count,
        theirs=phrase(language, f"language_{theirs}"),
        asked=phrase(language, f"language_{language}"),
    )


# ---------------------------------------------------------------- texts


def _said(finding: Finding) -> tuple[Citation, ...]:
    return finding.citations if finding.outcome in _CITED else ()


def _with_slots(finding: Finding, pool: Sequence[Citation], language: str) -> str:
    """What a finding says, with slots for the footnotes; empty where it found nothing."""
    if finding.outcome is Outcome.CLARIFY:
        return finding.text
    if finding.outcome not in _CITED:
        return ""
    slots = {
        citation.number: next(at for at, whole in enumerate(pool) if covers(whole, citation))
        for citation in finding.citations
    }
    missing = _missing(finding, language)
    return "\n".join(filter(None, (slotted(finding.text, slots), missing)))


def _missing(finding: Finding, language: str) -> str:
    """What a partial finding lacks, in the core's words if they claim nothing."""
    missing = finding.missing.strip().rstrip(".。?？")
    if finding.outcome is not Outcome.PARTIAL or not missing:
        return ""
    if missing.isdecimal() or foreign(missing, [finding.question]):
        return ""
    return phrase(language, "part_partly", missing=missing)


def _gap(finding: Finding, contacts: Mapping[str, str], language: str) -> str:
    """The honest gap: what we did, what comes nearest, whom to ask."""
    if finding.outcome is Outcome.UNAVAILABLE or finding.stop_reason is StopReason.UNAVAILABLE:
        nothing = phrase(language, "not_found_by_words")
    else:
        nothing = phrase(language, "found_nothing")
    return phrase(language, "between").join((nothing, *_where(finding, contacts, language)))


def _where(finding: Finding, contacts: Mapping[str, str], language: str) -> list[str]:
    """Where we looked, nearest places first, and who may know."""
    near = (*finding.nearest, *finding.looked_at)
    contact = next((contacts[place.doc] for place in near if place.doc in contacts), "")
    contact = contact or contacts.get("", "")
    places = listed(language, places_named(near))
    if finding.nearest_quote:
        return [
            phrase(language, "nearest_says", quote=finding.nearest_quote),
            *_asked(contact, language),
        ]
    if places and contact:
        return [phrase(language, "looked_in_may_know", places=places, contact=contact)]
    if places:
        return [phrase(language, "looked_in", places=places)]
    return _asked(contact, language)


def _asked(contact: str, language: str) -> list[str]:
    return [phrase(language, "may_know", contact=contact)] if contact else []


def places_named(places: Sequence[LookedAt], limit: int = _PLACES) -> list[str]:
    """`Handbook › Parental leave`, one a document, at most `limit`; addresses are cut."""
    best: dict[str, str] = {}
    for place in places:
        heading = place.section[-1] if place.section else ""
        same = heading.casefold() == place.title.casefold()
        best.setdefault(
            place.doc, f"{place.title} › {heading}" if heading and not same else place.title
        )
    return [_ADDRESS.sub("…", each) for each in dict.fromkeys(best.values())][:limit]


def _named(finding: Finding, text: str, language: str) -> str:
    """A part under its own question."""
    if finding.outcome in _CITED or finding.outcome is Outcome.CLARIFY:
        return f"{finding.question}{chr(10) if chr(10) in text else ' '}{text}"
    part = finding.question.strip().rstrip("?？。. ")
    nothing = phrase(language, "part_found_nothing", part=part)
    return text.replace(phrase(language, "found_nothing"), nothing, 1)


def _parts(
    findings: Sequence[Finding], texts: Sequence[str], gaps: Sequence[str]
) -> tuple[PartAnswer, ...]:
    if len(findings) < 2:
        return ()
    return tuple(
        PartAnswer(finding.question, finding.outcome, text or gap)
        for finding, text, gap in zip(findings, texts, gaps, strict=True)
    )


def _notes(findings: Sequence[Finding], language: str) -> tuple[str, ...]:
    notes = [note for finding in findings for note in finding.notes]
    degraded = any(
        finding.stop_reason is StopReason.UNAVAILABLE and finding.outcome in _CITED
        for finding in findings
    )
    if degraded:
        notes.insert(0, phrase(language, "model_unavailable"))
    return tuple(dict.fromkeys(notes))
