"""A reply as it is checked, and what was said before it."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Cited:
    """A citation of a reply, by the document's path inside the library."""

    doc: str
    quote: str


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer object, as far as it is checked.

    Attributes:
        gap: None where the object does not say.
        calls: None where the object does not say.
    """

    status: str
    answer: str
    citations: tuple[Cited, ...]
    gap: bool | None
    calls: int | None

    @classmethod
    def of(cls, told: Mapping[str, Any]) -> "Reply":
        """Of an answer object."""
        calls = told.get("calls")
        gap = told.get("gap_recorded")
        return cls(
            str(told.get("status")),
            told.get("answer") or "",
            tuple(
                Cited(path_of(one.get("doc")), one.get("quote") or "")
                for one in told.get("citations") or ()
            ),
            None if gap is None else bool(gap),
            sum(calls.values()) if isinstance(calls, dict) else calls,
        )

    @property
    def docs(self) -> list[str]:
        """Documents cited."""
        return [one.doc for one in self.citations]

    @property
    def whole(self) -> str:
        """The answer and its quotes."""
        return "\n".join([self.answer, "\n".join(one.quote for one in self.citations)])


def path_of(doc: str | None) -> str:
    """The path of a document inside its library."""
    return re.sub(r"^(\./|docs/)", "", doc or "")


@dataclass
class Said:
    """What the asker said and which facts were given so far: their numbers are known."""

    words: list[str] = field(default_factory=list)
    needs: list[Mapping[str, Any]] = field(default_factory=list)

    @property
    def facts(self) -> str:
        """The facts given so far, as text."""
        return json.dumps(self.needs)
