"""What is asked, how it is split, and what the asker sees while he waits."""

from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from enum import StrEnum

from agent.domain.found import SourceState
from agent.domain.scope import Scope


@dataclass(frozen=True, slots=True)
class Facts:
    """Facts used in place of the real ones (`given` in a batch line)."""

    owners: dict[str, str] = field(default_factory=dict)
    modified: dict[str, str] = field(default_factory=dict)
    bot_name: str = "Footnote"
    kept_days: int = 30
    visible_to: str = ""
    sources: tuple[SourceState, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked.

    Attributes:
        text: the asker's words, mention removed.
        thread_key: the thread whose earlier turns may complete it; empty: none.
        direct: asked in a direct conversation, where only turns of the last minutes count.
        today: the asker's date.
        timezone: IANA name of the asker's time zone.
        language: of fixed phrases, `en` or `zh`; `auto` follows the question.
    """

    text: str
    scope: Scope
    thread_key: str = ""
    direct: bool = False
    today: date = field(default_factory=lambda: datetime.now(UTC).date())
    timezone: str = "UTC"
    language: str = "auto"
    facts: Facts = field(default_factory=Facts)


class Stage(StrEnum):
    """What is being done while the asker waits."""

    QUEUED = "queued"
    MAP = "map"
    READING = "reading"
    CHECKING = "checking"
    COMPOSING = "composing"


class PartState(StrEnum):
    """How far a part of the question is."""

    PENDING = "pending"
    READING = "reading"
    ANSWERED = "answered"
    PARTIAL = "partial"
    NOT_COVERED = "not_covered"


@dataclass(frozen=True, slots=True)
class PartProgress:
    """One part of a plan while it is worked on."""

    question: str
    state: PartState


@dataclass(frozen=True, slots=True)
class ProgressEvent:
    """What is being read right now; titles and headings in the scope of the reply.

    Attributes:
        ahead: for `queued`, the questions that are answered first.
    """

    stage: Stage
    document: str = ""
    section: str = ""
    parts: tuple[PartProgress, ...] = ()
    ahead: int = 0


class PartKind(StrEnum):
    """How a part of a question is answered."""

    LOOKUP = "lookup"
    COMPARE = "compare"
    COMBINE = "combine"


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a question, understandable without the others.

    Attributes:
        part_id: `1`, `2`, …, in the order asked.
        depends_on: ids of parts whose findings must be known first.
    """

    part_id: str
    question: str
    kind: PartKind = PartKind.LOOKUP
    depends_on: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """A question's parts in the order asked; one part equal to the question for most."""

    question: str
    parts: tuple[Part, ...]

    @property
    def single(self) -> bool:
        """Whether there is nothing to split."""
        return len(self.parts) == 1
