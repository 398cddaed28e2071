"""What came of asking one question: the answer as programs read it, and what was measured beside.

These stand in a run's file, one a line, so that a run that was stopped goes on.
"""

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, Field


class _Read(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class PlayedCitation(_Read):
    """A citation of an answer."""

    doc: str = ""
    quote: str = ""


class Calls(_Read):
    """Model calls."""

    full: int = 0
    small: int = 0


class Tokens(_Read):
    """Tokens, as the server counts them."""

    prompt: int = 0
    completion: int = 0

    @property
    def total(self) -> int:
        """Both."""
        return self.prompt + self.completion


class Milliseconds(_Read):
    """Time, of which the model's."""

    total: float = 0
    model: float = 0

    @property
    def own(self) -> float:
        """What is not the model's; calls side by side may overlap, then nothing is left."""
        return max(0.0, self.total - self.model)


class PlayedAnswer(_Read):
    """An answer object, as far as it is measured."""

    status: str = "missing"
    answer: str = ""
    citations: tuple[PlayedCitation, ...] = ()
    rounds: int = 0
    calls: Calls = Calls()
    tokens: Tokens = Tokens()
    ms: Milliseconds = Milliseconds()

    @property
    def answered(self) -> bool:
        """Whether it claims something."""
        return self.status in ("answered", "partial")

    @property
    def declined(self) -> bool:
        """Whether it says that nothing was found."""
        return self.status == "not_covered"


class EvidenceSeen(_Read):
    """Which gold stood in the prompts of a question, as the stand-in saw them.

    Attributes:
        first: all needed evidence stood in the first prompt that could be answered from.
        first_or_listed: or its sections were listed there.
        ever: it stood in one of the prompts.
    """

    first: bool = False
    first_or_listed: bool = False
    ever: bool = False


class Played(_Read):
    """One line of a run's file.

    Attributes:
        digest: of the line that was asked.
        answer: the answer object; for a conversation empty.
        turns: the answer objects of a conversation.
        documents: paths as the engine's own search ranked them, best first.
        section_ranks: for every gold evidence the rank of the section that holds it, from 1;
            0: not among those found.
        confidence: what a threshold could decline by, 0 to 1; None: nothing of the kind.
        verbatim: for every citation whether its quote stands in its document; None: unknown.
        seen: what a stand-in saw; None with any other model.
        trouble: why there is no answer; empty where there is one.
    """

    id: str
    digest: str = ""
    answer: Mapping[str, Any] = Field(default_factory=dict)
    turns: tuple[Mapping[str, Any], ...] = ()
    documents: tuple[str, ...] = ()
    section_ranks: tuple[int, ...] = ()
    confidence: float | None = None
    verbatim: tuple[bool, ...] = ()
    seen: EvidenceSeen | None = None
    trouble: str = ""

    @property
    def reply(self) -> PlayedAnswer:
        """The answer as it is measured."""
        return PlayedAnswer.model_validate(self.answer)

    @property
    def replies(self) -> tuple[PlayedAnswer, ...]:
        """All answers of it."""
        objects = self.turns or ((self.answer,) if self.answer else ())
        return tuple(PlayedAnswer.model_validate(one) for one in objects)
