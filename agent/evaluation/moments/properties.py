"""The properties of a reply that a turn can ask for."""

import re
from collections.abc import Callable, Iterator, Sequence

from agent.evaluation.moments.cases import CITED, Group, Properties
from agent.evaluation.moments.replies import Reply, Said, path_of
from agent.evaluation.moments.wording import (
    CJK,
    SourceText,
    count_words,
    folded,
    numbers,
    one_stands,
    parts_of,
    position,
    spans,
    unmarked,
)

_NEAR_CHARS = 150
"""A quote may stand so far from the expected passage."""
_MOST_CJK = 0.25

Fail = tuple[str, str]
"""A code and why."""
TextOf = Callable[[str], SourceText | None]
"""The text of a document by its path; None: there is none."""


def failed(want: Properties, reply: Reply, said: Said, text_of: TextOf) -> Iterator[Fail]:
    """What of the wanted does not hold."""
    if reply.status in CITED:
        yield from _documents(want, reply, text_of)
    yield from _contents(want, reply)
    yield from _records(want, reply)
    yield from _form(want, reply, said)


def _documents(want: Properties, reply: Reply, text_of: TextOf) -> Iterator[Fail]:
    docs = set(reply.docs)
    for group in want.must_cite_docs:
        if not set(_all(group)) & docs:
            yield "document_missing", str(group)
    if want.any_of_docs and not set(want.any_of_docs) & docs:
        yield "document_missing", f"one of {', '.join(want.any_of_docs)}"
    if want.only_docs and docs - set(want.only_docs):
        yield "other_document", ", ".join(sorted(docs - set(want.only_docs)))
    if len(reply.citations) < want.min_citations:
        yield "too_few_citations", f"{len(reply.citations)} of {want.min_citations}"
    if len(docs) < want.min_docs:
        yield "too_few_documents", f"{len(docs)} of {want.min_docs}"
    if want.evidence_strict and want.evidence and not stands_there(want, reply, text_of):
        yield "evidence_missed", "no citation stands at the expected passage"


def _contents(want: Properties, reply: Reply) -> Iterator[Fail]:
    yield from _values(want, reply)
    for group in want.answer_must_contain_any:
        if not one_stands(group, reply.answer):
            yield "answer_lacks", str(group)
    for pattern in want.must_not_contain:
        if position(pattern, reply.answer) >= 0:
            yield "forbidden_text", pattern
    if _leads_wrongly(want, reply.answer):
        yield "forbidden_text", f"leads with {want.answer_must_not_lead_with}"


def _values(want: Properties, reply: Reply) -> Iterator[Fail]:
    if reply.status in (*CITED, "talk"):
        for group in want.must_contain_any:
            if not one_stands(group, reply.whole):
                yield "value_missing", str(group)
    least = want.contains_at_least
    if least and reply.status in (*CITED, "talk", "clarify"):
        found = sum(one_stands(group, reply.whole) for group in least.of)
        if found < least.n:
            yield "value_missing", f"{found} of at least {least.n}"


def _all(group: Group) -> tuple[str, ...]:
    return (group,) if isinstance(group, str) else group


def _leads_wrongly(want: Properties, answer: str) -> bool:
    """Whether a forbidden lead stands before everything wanted."""
    wanted = want.must_contain_any
    places = [position(pattern, answer) for group in wanted for pattern in _all(group)]
    first = min((place for place in places if place >= 0), default=len(answer) + 1)
    return any(0 <= position(lead, answer) < first for lead in want.answer_must_not_lead_with)


def _records(want: Properties, reply: Reply) -> Iterator[Fail]:
    if want.no_citations and reply.citations:
        yield "citation_unwanted", ", ".join(reply.docs)
    if (want.no_gap or want.gap) and reply.gap is None:
        yield "field_missing", "gap_recorded"
    elif want.no_gap and reply.gap:
        yield "gap_unwanted", "gap_recorded"
    elif want.gap and not reply.gap:
        yield "gap_missing", "gap_recorded is not set"
    if want.max_calls is None:
        return
    if reply.calls is None:
        yield "field_missing", "calls"
    elif reply.calls > want.max_calls:
        yield "too_many_calls", str(reply.calls)


def _form(want: Properties, reply: Reply, said: Said) -> Iterator[Fail]:
    answer = reply.answer
    if want.max_words and count_words(answer) > want.max_words:
        yield "too_long", f"{count_words(answer)} > {want.max_words}"
    if want.is_question and not re.search(r"[?？]", answer):
        yield "not_a_question", answer[:60]
    if want.no_dates and _has_a_year(answer, said):
        yield "invented_date", answer[:80]
    yield from _language(want.language, reply)


def _has_a_year(answer: str, said: Said) -> bool:
    for known in numbers(said.facts):
        answer = answer.replace(known, " ")
    return re.search(r"\b(19|20)\d\d\b", answer) is not None


def _language(language: str, reply: Reply) -> Iterator[Fail]:
    rest = reply.answer
    if not language or not rest.strip():
        return
    for cited in reply.citations:
        rest = rest.replace(cited.quote, " ")
    chinese, latin = len(re.findall(CJK, rest)), len(re.findall(r"[A-Za-z]", rest))
    if language == "zh" and len(re.findall(CJK, reply.answer)) < 2:
        yield "language", "no Chinese in the reply"
    if language == "en" and chinese > _MOST_CJK * max(latin, 1):
        yield "language", "reply is not English"


def stands_there(want: Properties, reply: Reply, text_of: TextOf) -> bool:
    """Whether a citation stands at, or close to, an expected passage."""
    for passage in want.evidence:
        source = text_of(path_of(passage.doc))
        if source is None:
            continue
        wanted = list(spans(source.read, folded(unmarked(passage.quote))))
        for cited in reply.citations:
            if cited.doc == path_of(passage.doc) and _near(source, cited.quote, wanted):
                return True
    return False


def _near(source: SourceText, quote: str, wanted: Sequence[tuple[int, int]]) -> bool:
    parts = (folded(unmarked(part)) for part in parts_of(quote) if part.strip())
    places = [place for part in parts for place in spans(source.read, part)]
    return any(
        start < high + _NEAR_CHARS and low < end + _NEAR_CHARS
        for start, end in places
        for low, high in wanted
    )
