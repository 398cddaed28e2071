"""One record a round: what was seen, decided, why, at what cost.

So that "why did it say that" is a page, not a guess.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from time import monotonic

from agent.domain import Answer, Decision, DocId, Scope, SectionPath, Usage
from agent.ports import RoundView, ShownDocument

_NO_PATH = SectionPath("")


@dataclass(frozen=True, slots=True)
class SeenSection:
    """A section that was shown, with the short id it had then."""

    section_id: str
    doc_id: DocId
    doc: str
    title: str
    section: tuple[str, ...]
    path: SectionPath = _NO_PATH


@dataclass(frozen=True, slots=True)
class ListedDocument:
    """A document whose outline was shown, with the short id it had then."""

    short_id: str
    doc_id: DocId
    doc: str


@dataclass(frozen=True, slots=True)
class RoundText:
    """What a round held of the asker's words and of the core's."""

    leaf: str = ""
    query: str = ""
    reason: str = ""
    missing: str = ""
    note: str = ""
    words: str = ""


@dataclass(frozen=True, slots=True)
class RoundTrace:
    """One round.

    Attributes:
        leaf: number of the part it belongs to, from 1.
        seen: sections with text in view; `listed`: documents with their outline in view.
        coverage: what the newest search covered of the question, 0 to 1.
        kept: quotes kept from the rounds before.
        action: what was decided; empty where no decision came back.
        targets: short ids to read or to cite.
        quotes: how many quotes the decision carried.
        end: the stop reason, where the leaf ended with this round.
    """

    leaf: int
    round: int
    seen: tuple[SeenSection, ...]
    action: str = ""
    targets: tuple[str, ...] = ()
    quotes: int = 0
    tokens: int = 0
    ms: int = 0
    end: str = ""
    text: RoundText = RoundText()
    listed: tuple[ListedDocument, ...] = ()
    coverage: float = 0.0
    kept: int = 0


@dataclass(frozen=True, slots=True)
class Trace:
    """How one question was worked on.

    Attributes:
        question: empty once texts are forgotten.
        scope: whose question it was; None once texts are forgotten.
    """

    trace_id: str
    at: datetime
    scope_key: str
    outcome: str
    stop_reason: str
    question: str = ""
    understood: str = ""
    rounds: tuple[RoundTrace, ...] = ()
    scope: Scope | None = None


class LeafTrace:
    """Writes down the rounds of one leaf while they run."""

    def __init__(self, leaf: int, clock: Callable[[], float] = monotonic) -> None:
        self.rounds: list[RoundTrace] = []
        self._leaf = leaf
        self._clock = clock
        self._began = clock()
        self._open: RoundTrace | None = None

    def begin(self, view: RoundView) -> None:
        """Write down what a round shows."""
        self._began = self._clock()
        seen = tuple(
            SeenSection(
                shown.section_id,
                shown.window.document.doc_id,
                shown.window.document.doc,
                shown.window.document.title,
                shown.window.section.headings,
                shown.window.section.path,
            )
            for shown in view.windows
        )
        self._open = RoundTrace(
            self._leaf,
            view.round,
            tuple(dict.fromkeys(seen)),
            listed=tuple(_listed(shown) for shown in view.documents),
            coverage=round(view.found.coverage, 3),
            kept=len(view.kept),
            text=RoundText(leaf=view.question, note=view.note, words=view.words),
        )

    def end(self, decision: Decision | None, reason: str = "", usage: Usage | None = None) -> None:
        """Close the round that runs.

        Args:
            decision: what was decided; None where nothing usable came back.
            reason: why not, then.
            usage: what it cost, then.
        """
        if self._open is None:
            return
        ms = round((self._clock() - self._began) * 1000)
        closed = replace(self._open, ms=ms, tokens=_tokens(usage or Usage()))
        self.rounds.append(
            _decided(closed, decision)
            if decision
            else replace(closed, text=replace(closed.text, reason=reason))
        )
        self._open = None

    def stopped(self, reason: str) -> None:
        """Note the stop reason at the last round."""
        if self.rounds:
            self.rounds[-1] = replace(self.rounds[-1], end=reason)


def _listed(shown: ShownDocument) -> ListedDocument:
    document = shown.entry.document
    return ListedDocument(shown.short_id, document.doc_id, document.doc)


def _decided(entry: RoundTrace, decision: Decision) -> RoundTrace:
    cited = dict.fromkeys(quote.section_id for quote in decision.quotes)
    return replace(
        entry,
        action=decision.action.value,
        targets=decision.sections or tuple(cited),
        quotes=len(decision.quotes),
        tokens=_tokens(decision.usage),
        text=replace(
            entry.text,
            query=decision.query,
            reason=decision.reason,
            missing=decision.missing,
        ),
    )


def _tokens(usage: Usage) -> int:
    return usage.prompt_tokens + usage.completion_tokens


def trace_of(answer: Answer, scope: Scope, at: datetime, rounds: Iterable[RoundTrace]) -> Trace:
    """The trace of a finished answer."""
    return Trace(
        trace_id=answer.trace_id,
        at=at,
        scope_key=scope.key,
        outcome=answer.outcome.value,
        stop_reason=answer.stop_reason.value if answer.stop_reason else "",
        question=answer.question,
        understood=answer.understood,
        rounds=tuple(rounds),
        scope=scope,
    )
