"""What programs read of an answer, and that a stored answer comes back as it was."""

import json
from dataclasses import replace
from datetime import UTC, datetime

from agent.answers import answer_object, from_stored, to_stored
from agent.domain import (
    Answer,
    Citation,
    DocId,
    LookedAt,
    Outcome,
    PartAnswer,
    SectionPath,
    StopReason,
    Usage,
)

CITATION = Citation(
    number=1,
    source="handbook",
    doc="hr/leave.md",
    doc_id=DocId("abc"),
    title="Leave",
    section=("Leave", "Parental"),
    section_path=SectionPath("leave/parental"),
    quote="Sixteen weeks.",
    start=0,
    end=14,
    page=3,
    modified=datetime(2026, 1, 2, 3, 4, tzinfo=UTC),
)
ANSWER = Answer(
    answer_id="a1",
    question="how long?",
    outcome=Outcome.ANSWERED,
    text="“Sixteen weeks.” [1]",
    citations=(CITATION,),
    parts=(PartAnswer("how long?", Outcome.ANSWERED, "“Sixteen weeks.” [1]"),),
    looked_at=(LookedAt("hr/leave.md", "Leave", ("Leave", "Parental")),),
    stop_reason=StopReason.ANSWERED,
    rounds=1,
    usage=Usage(full_calls=1, prompt_tokens=7, total_ms=5),
    trace_id="t1",
)

KEYS = [
    "id", "question", "status", "answer", "citations", "parts", "looked_at", "stop_reason",
    "gap_recorded", "understood", "rounds", "calls", "tokens", "ms", "trace_id",
]  # fmt: skip
CITATION_KEYS = [
    "number", "source", "doc", "doc_id", "title", "section", "page", "label", "quote", "url",
    "modified",
]  # fmt: skip


def test_the_object_has_exactly_the_promised_keys() -> None:
    told = answer_object(ANSWER, "q7")

    assert list(told) == KEYS
    assert list(told["citations"][0]) == CITATION_KEYS
    assert told["id"] == "q7"
    assert told["calls"] == {"full": 1, "small": 0}
    assert told["looked_at"] == [{"doc": "hr/leave.md", "section": ["Leave", "Parental"]}]


def test_it_is_json_with_dates_as_iso() -> None:
    told = json.loads(json.dumps(answer_object(ANSWER)))

    assert told["citations"][0]["modified"] == "2026-01-02T03:04:00+00:00"
    assert told["id"] == "a1"


def test_choices_stand_in_a_question_back_only() -> None:
    clarify = replace(ANSWER, outcome=Outcome.CLARIFY, choices=("Sick leave", "Parental leave"))

    assert answer_object(clarify)["choices"] == ["Sick leave", "Parental leave"]
    assert "choices" not in answer_object(ANSWER)


def test_talk_and_clarify_have_no_stop_reason() -> None:
    assert answer_object(ANSWER)["stop_reason"] == "answered"
    for outcome in (Outcome.TALK, Outcome.CLARIFY):
        assert answer_object(replace(ANSWER, outcome=outcome))["stop_reason"] is None


def test_a_stored_answer_comes_back_equal() -> None:
    assert from_stored(to_stored(ANSWER)) == ANSWER
