"""An answer outside the process: the JSON that programs read, and the text the store keeps.

The JSON's keys are a promise (docs/interfaces.md); the stored text is our own business and only
has to come back as it went in.
"""

from typing import Any

from pydantic import TypeAdapter

from agent.domain import Answer, Citation, LookedAt, Outcome, PartAnswer, Usage

_STORED = TypeAdapter(Answer)
_WITHOUT_STOP_REASON = (Outcome.TALK, Outcome.CLARIFY)


def answer_object(answer: Answer, question_id: str = "") -> dict[str, Any]:
    """The answer as programs read it.

    Args:
        answer: the finished answer.
        question_id: the id the asking program gave; empty: the answer's own.

    Returns:
        JSON-ready values; `modified` as ISO 8601, `choices` for clarify only, `stop_reason` None
        for talk and clarify.
    """
    stopped = None if answer.outcome in _WITHOUT_STOP_REASON else answer.stop_reason
    return {
        "id": question_id or answer.answer_id,
        "question": answer.question,
        "status": answer.outcome.value,
        "answer": answer.text,
        **({"choices": list(answer.choices)} if answer.outcome is Outcome.CLARIFY else {}),
        "citations": [_citation(citation) for citation in answer.citations],
        "parts": [_part(part) for part in answer.parts],
        "looked_at": [_place(place) for place in answer.looked_at],
        "stop_reason": None if stopped is None else stopped.value,
        "gap_recorded": answer.gap_recorded,
        "understood": answer.understood,
        "rounds": answer.rounds,
        **_usage(answer.usage),
        "trace_id": answer.trace_id,
    }


def to_stored(answer: Answer) -> str:
    """The answer as text for the store; `from_stored` gives an equal answer back."""
    return _STORED.dump_json(answer).decode()


def from_stored(text: str) -> Answer:
    """The answer that `to_stored` wrote.

    Raises:
        pydantic.ValidationError: the text is not a stored answer.
    """
    return _STORED.validate_json(text)


def _citation(citation: Citation) -> dict[str, Any]:
    return {
        "number": citation.number,
        "source": citation.source,
        "doc": citation.doc,
        "doc_id": citation.doc_id,
        "title": citation.title,
        "section": list(citation.section),
        "page": citation.page,
        "label": citation.label,
        "quote": citation.quote,
        "url": citation.url,
        "modified": citation.modified.isoformat() if citation.modified else None,
    }


def _part(part: PartAnswer) -> dict[str, str]:
    return {"question": part.question, "status": part.outcome.value, "answer": part.text}


def _place(place: LookedAt) -> dict[str, Any]:
    return {"doc": place.doc, "section": list(place.section)}


def _usage(usage: Usage) -> dict[str, dict[str, int]]:
    return {
        "calls": {"full": usage.full_calls, "small": usage.small_calls},
        "tokens": {"prompt": usage.prompt_tokens, "completion": usage.completion_tokens},
        "ms": {"total": usage.total_ms, "model": usage.model_ms},
    }
