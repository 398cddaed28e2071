"""One check of the doctor: what was looked at, how it stands, what to do."""

from dataclasses import dataclass
from enum import StrEnum


class State(StrEnum):
    """How a thing stands."""

    OK = "ok"
    WARNING = "warning"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Check:
    """One thing looked at.

    Attributes:
        says: one sentence, what was seen.
        fix: what to do; empty where nothing needs it.
    """

    check: str
    state: State
    says: str
    fix: str = ""


def ok(check: str, says: str) -> Check:
    """It stands as it should."""
    return Check(check, State.OK, says)


def warning(check: str, says: str, fix: str) -> Check:
    """It works, but somebody should look at it."""
    return Check(check, State.WARNING, says, fix)


def failed(check: str, says: str, fix: str) -> Check:
    """It does not work."""
    return Check(check, State.FAILED, says, fix)
