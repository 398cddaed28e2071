"""What the engine asks of the outside world, and nothing more."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import Any, Protocol

from agent.domain import (
    Decision,
    DocId,
    Document,
    MapEntry,
    Plan,
    ProgressEvent,
    Quote,
    Scope,
    SearchResult,
    Section,
    SectionPath,
    SourceState,
    Term,
    Usage,
    Window,
)

_WINDOWS_A_PART = 4


class Library(Protocol):
    """The documents, as far as the scope of the reply allows; nothing outside it is ever told."""

    async def search(self, query: str, scope: Scope, *, windows: int = 6) -> SearchResult:
        """Sections, passages and documents for a question, best first."""
        ...

    async def read_map(self, scope: Scope, doc_ids: Sequence[DocId]) -> Sequence[MapEntry]:
        """Map entries of these documents in the order given; those out of scope are left out."""
        ...

    async def read_document_map(self, scope: Scope) -> Sequence[MapEntry]:
        """The whole map, by source and path."""
        ...

    async def read_section(self, scope: Scope, doc_id: DocId, path: SectionPath) -> Section:
        """One section with its own text.

        Raises:
            DocumentNotFound: no such document in this scope.
            SectionNotFound: the path is not in the document's outline.
        """
        ...

    async def read_subtree(
        self, scope: Scope, doc_id: DocId, path: SectionPath
    ) -> Sequence[Section]:
        """The section and all below it, in reading order; raises like `read_section`."""
        ...

    async def find_document(self, scope: Scope, name: str) -> Document:
        """A document by id, by path inside its source, or by title; raises DocumentNotFound."""
        ...

    async def sources(self, scope: Scope) -> Sequence[SourceState]:
        """The sources that hold something in this scope, with counts."""
        ...

    async def last_changed(self) -> datetime | None:
        """When the library last changed; None before the first sync."""
        ...


class Progress(Protocol):
    """Is told what is being read. Its failure never blocks an answer."""

    async def show(self, event: ProgressEvent) -> None:
        """Show the newest state; older ones may be dropped."""
        ...


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
    """How much TEXT a core can use in a round: windows at most, characters in all."""

    windows: int
    chars: int

    def for_parts(self, parts: int) -> "TextSize":
        """The same for so many parts asked together: four windows a part, within twice the text."""
        if parts < 2:
            return self
        return TextSize(
            max(self.windows, _WINDOWS_A_PART * parts), min(self.chars * parts, 2 * self.chars)
        )


@dataclass(frozen=True, slots=True)
class RoundView:
    """All that a core may rest one decision on.

    Attributes:
        question: standalone; follow-ups are completed before.
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


class SmallCalls(Protocol):
    """What a model is asked beside decisions, in few tokens: other words, parts, a whole question.

    Each answer comes with what it cost. An unusable reply is as good as none; only a model that
    does not answer at all raises ServiceUnreachable.
    """

    async def search_words(self, question: str, languages: Sequence[str]) -> tuple[str, Usage]:
        """Words the documents would use for it; empty where none are known.

        Args:
            question: standalone.
            languages: codes of those the documents are written in, `en`, `zh`.
        """
        ...

    async def plan(self, question: str, leaves: int) -> tuple[Plan | None, Usage]:
        """Its parts, at most `leaves`; None where the rules must do."""
        ...

    async def standalone(self, turns: Sequence[str], message: str) -> tuple[str, Usage]:
        """The message as a question that needs no turns; empty where the rules must do.

        Args:
            turns: what the asker said before, oldest first; never what was answered.
            message: what he says now.
        """
        ...

    async def compose(
        self, question: str, findings: str, quotes: Sequence[str]
    ) -> tuple[str, Usage]:
        """One answer from findings, to be checked against them; empty where they must do.

        Args:
            question: standalone.
            findings: the parts' answers with their `[n]` markers.
            quotes: the first is number 1.
        """
        ...


class NoSmallCalls:
    """Without a model the rules do everything."""

    async def search_words(self, question: str, languages: Sequence[str]) -> tuple[str, Usage]:
        """None."""
        del question, languages
        return "", Usage()

    async def plan(self, question: str, leaves: int) -> tuple[Plan | None, Usage]:
        """None."""
        del question, leaves
        return None, Usage()

    async def standalone(self, turns: Sequence[str], message: str) -> tuple[str, Usage]:
        """None."""
        del turns, message
        return "", Usage()

    async def compose(
        self, question: str, findings: str, quotes: Sequence[str]
    ) -> tuple[str, Usage]:
        """None."""
        del question, findings, quotes
        return "", Usage()


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


@dataclass(frozen=True, slots=True)
class ChatPrompt:
    """One call to a language model.

    Attributes:
        system: what is the same in every call, first, so that a server can keep the prefix.
        user: what is there in this call.
        schema: JSON schema of the object wanted, flat, every key required; None: text is wanted.
        name: of that object, small letters and `_`, for servers that want one.
        small: whether the small model is enough.
        reply_tokens: most tokens of the reply.
    """

    system: str
    user: str
    schema: Mapping[str, Any] | None = None
    name: str = "reply"
    small: bool = False
    reply_tokens: int = 800


@dataclass(frozen=True, slots=True)
class ChatReply:
    """What came back; believed by nobody before it is checked.

    Attributes:
        text: as the model wrote it; with a schema the JSON text of the object, if all went well.
        usage: one full or small call, its tokens and milliseconds. Where the server counts no
            tokens they are estimated.
        cut: it ended at `reply_tokens`.
        refused: the model or the server's filter declined; `text` may say why.
    """

    text: str
    usage: Usage
    cut: bool = False
    refused: bool = False


class ChatModel(Protocol):
    """A language model at its plainest: a prompt in, a reply out."""

    @property
    def name(self) -> str:
        """The model of full calls, as an answer is remembered by."""
        ...

    def cost_tokens(self, prompt: ChatPrompt) -> int:
        """Tokens that a call will cost, reply included, estimated."""
        ...

    async def complete(self, prompt: ChatPrompt) -> ChatReply:
        """One reply, retried inside the call's time limit.

        Raises:
            ServiceUnreachable: the server does not answer, its retries included, or turns us away.
            DecisionError: the server answers but refuses this very prompt.
        """
        ...


Vector = Sequence[float]
"""What a text means, as a point; of one model all have the same length."""


class Embedder(Protocol):
    """Turns texts into vectors: near ones mean much the same."""

    @property
    def name(self) -> str:
        """What made a vector; vectors of different names are never compared."""
        ...

    @property
    def outside(self) -> bool:
        """Whether texts leave the machine."""
        ...

    async def embed(self, texts: Sequence[str], *, asked: bool = False) -> Sequence[Vector]:
        """One vector a text, in the same order.

        Args:
            texts: of a few hundred characters each; what is too long is cut.
            asked: whether they are questions, which some models want marked as such.

        Raises:
            ServiceUnreachable: the model does not answer, its retries included.
        """
        ...

    async def close(self) -> None:
        """Give back connections or memory; the next call opens them again."""
        ...


class Reranker(Protocol):
    """A second opinion on which texts answer a question."""

    @property
    def name(self) -> str:
        """The model, for people."""
        ...

    @property
    def outside(self) -> bool:
        """Whether texts leave the machine."""
        ...

    async def rank(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        """One score a text, in the same order, higher is better; comparable within one call only.

        Raises:
            ServiceUnreachable: the model does not answer, its retries included.
        """
        ...

    async def close(self) -> None:
        """Give back connections or memory; the next call opens them again."""
        ...
