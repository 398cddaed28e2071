"""What a core sees of a round, and what it is asked."""

from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from enum import StrEnum
from typing import Protocol

from agent.domain import Citation, Decision, MapEntry, Quote, SearchResult, Term, Window

_WINDOWS_A_PART = 4


@dataclass(frozen=True, slots=True)
class ShownDocument:
    """A likely document, as a core sees it.

    Attributes:
        short_id: `D3`, the same through all rounds of one question; its sections are `D3.1`,
            `D3.2`, … in the order of `entry.outline`.
    """

    short_id: str
    entry: MapEntry


@dataclass(frozen=True, slots=True)
class ShownWindow:
    """A window in TEXT with the short id of its section."""

    section_id: str
    window: Window


@dataclass(frozen=True, slots=True)
class TextSize:
    """How much TEXT a core can use in a round.

    Attributes:
        windows: that share the room; each has at least its share.
        chars: the room, of all together.
        spare: further windows that come in where those are short.
    """

    windows: int
    chars: int
    spare: int = 0

    @property
    def wanted(self) -> int:
        """Windows to search for."""
        return self.windows + self.spare

    def for_parts(self, parts: int) -> "TextSize":
        """The same for so many parts asked together: four windows a part, within twice the text."""
        if parts < 2:
            return self
        return TextSize(
            max(self.windows, _WINDOWS_A_PART * parts),
            min(self.chars * parts, 2 * self.chars),
            self.spare,
        )


class TaskKind(StrEnum):
    """What a question asks for beside an answer; named like the prompt that says how."""

    SUMMARY = "summary"
    LIST = "list"
    COMPARE = "compare"
    DOUBT = "doubt"


@dataclass(frozen=True, slots=True)
class Task:
    """A question with bounds of its own.

    Attributes:
        said: the asker's words where they are not the question: his doubt. No evidence.
        cited: what the doubted answer rested on.
        document: the one to be summed up.
        sides: of a comparison, each a question by itself; both are searched for. Of a list, what
            is to be listed.
    """

    kind: TaskKind
    said: str = ""
    cited: tuple[Citation, ...] = ()
    document: ShownDocument | None = None
    sides: tuple[str, ...] = ()

    @property
    def wide(self) -> bool:
        """Whether it needs more quotes and more text than an answer."""
        return self.kind in (TaskKind.SUMMARY, TaskKind.LIST)


@dataclass(frozen=True, slots=True)
class RoundView:
    """All that a core may rest one decision on.

    Attributes:
        question: standalone; follow-ups are completed before.
        task: what is asked for beside an answer; None for a plain question.
        parts: self-contained parts where several are asked together; empty for a single question.
        terms: the question's own terms, also when `found` comes from other words.
        focus: words of a follow-up that an answer must speak of; empty when it is none.
        known: findings of parents, one line each.
        documents: the shortlist and every document with a window in `windows`.
        windows: text of this round, best first.
        kept: quotes verified in earlier rounds.
        read: one line a past round: what was seen, what was done, what is missing.
        note: a hint after a failed check or an unusable decision; empty when there is none.
        found: what the newest search found.
        quotes: how many quotes an answer should rest on at most; fewer for one part of several.
        shares: how many parts share the room of one answer.
        searched_again: whether a search in other words has been made.
        words: those a small call gave for the first search; empty where none was made.
        round: number of this round, from 1.
        rounds: most rounds there can be.
        forced: only `answer` and `not_covered` are accepted.
    """

    question: str
    documents: tuple[ShownDocument, ...]
    windows: tuple[ShownWindow, ...]
    found: SearchResult
    task: Task | None = None
    parts: tuple[str, ...] = ()
    terms: tuple[Term, ...] = ()
    focus: str = ""
    known: tuple[str, ...] = ()
    kept: tuple[Quote, ...] = ()
    read: tuple[str, ...] = ()
    note: str = ""
    quotes: int = 3
    shares: int = 1
    searched_again: bool = False
    words: str = ""
    round: int = 1
    rounds: int = 1
    forced: bool = False
    today: date = field(default_factory=lambda: datetime.now(UTC).date())
    timezone: str = "UTC"


class AgentCore(Protocol):
    """Makes the choices of the loop: a language model, a rule, or a test's script."""

    @property
    def extractive(self) -> bool:
        """Whether its answers consist of quotes, no model having written them."""
        ...

    @property
    def text_size(self) -> TextSize:
        """How much text to show it in one round."""
        ...

    def cost_tokens(self, view: RoundView) -> int:
        """Tokens that deciding on this view will cost, estimated; 0 without a model."""
        ...

    async def decide(self, view: RoundView) -> Decision:
        """One choice: what to do next, on what, and why.

        Raises:
            DecisionError: what came back broke the agreed form; it costs a round.
            ServiceUnreachable: the model did not answer, its retries included.
        """
        ...
