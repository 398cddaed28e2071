"""How a question, and the work on it, ended."""

from enum import StrEnum


class Outcome(StrEnum):
    """How a question ended."""

    ANSWERED = "answered"
    PARTIAL = "partial"
    NOT_COVERED = "not_covered"
    CLARIFY = "clarify"
    UNAVAILABLE = "unavailable"
    TALK = "talk"


class StopReason(StrEnum):
    """Why the loop ended."""

    ANSWERED = "answered"
    DECLINED = "declined"
    NO_PROGRESS = "no_progress"
    MAX_ROUNDS = "max_rounds"
    OUT_OF_TOKENS = "out_of_tokens"
    OUT_OF_TIME = "out_of_time"
    TOOL_FAILURES = "tool_failures"
    UNAVAILABLE = "unavailable"
    CANCELLED = "cancelled"
