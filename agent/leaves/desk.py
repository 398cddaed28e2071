"""One leaf of a question while it is worked on: what lies on the desk between two rounds.

The loop decides what happens next; this is what it has in hand: the windows of the coming round,
the quotes that were verified, one line a past round, the hint after a mistake, the best answer
so far. At the end it becomes a finding.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace

from agent.citations import Checked, check
from agent.citations.settling import remarks, settled
from agent.domain import (
    Action,
    Decision,
    Finding,
    Outcome,
    Question,
    Quote,
    SearchResult,
    StopReason,
    Usage,
    Window,
)
from agent.errors import DecisionError
from agent.ports import RoundView, ShownWindow, Task
from agent.reading import DocumentReader, Reading, places
from agent.stopping import StopRule

_CHOICES = range(2, 5)
_NEAREST_CHARS = 300
"""The longest quote told beside a decline."""

Watch = Callable[[tuple[ShownWindow, ...]], Awaitable[None]]
"""Is told which windows are being read."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """What one run of the loop has to answer.

    Attributes:
        question: standalone.
        parts: independent look-ups asked together; empty for a single question.
        task: what is asked for beside an answer.
        known: findings of parents, one line each.
        focus: words of a follow-up that an answer must speak of.
        context: the whole question that a part was cut out of, where its other words count too.
        quotes: how many quotes its answer should rest on at most.
        shares: how many parts share the room of one answer.
    """

    question: str
    parts: tuple[str, ...] = ()
    task: Task | None = None
    known: tuple[str, ...] = ()
    focus: str = ""
    context: str = ""
    quotes: int = 3
    shares: int = 1

    @property
    def queries(self) -> tuple[str, ...]:
        """What is searched for first, side by side."""
        sides = self.task.sides if self.task else ()
        return self.parts or sides or (self.question,)


@dataclass
class Desk:
    """The state of a leaf; the reader is shared with its siblings."""

    leaf: Leaf
    asked: Question
    reader: DocumentReader
    watch: Watch
    windows: tuple[ShownWindow, ...] = ()
    found: SearchResult = field(default_factory=SearchResult)
    first_found: SearchResult = field(default_factory=SearchResult)
    searched_again: bool = False
    words: str = ""
    refused_once: bool = False
    note: str = ""
    read: list[str] = field(default_factory=list)
    kept: dict[Quote, None] = field(default_factory=dict)
    seen: dict[str, Window] = field(default_factory=dict)
    usage: Usage = field(default_factory=Usage)

    async def lay_out(self, reading: Reading) -> None:
        """Put what a search or a read brought on the desk."""
        self.windows = reading.windows
        for shown in self.windows:
            self.seen.setdefault(shown.section_id, shown.window)
        if reading.found is not None:
            self.found = reading.found
            if not self.first_found.terms:
                self.first_found = reading.found
        await self.watch(self.windows)

    def view(self, stop: StopRule) -> RoundView:
        """What the core sees of it in the coming round."""
        coming = stop.rounds + 1
        return RoundView(
            question=self.leaf.question,
            documents=tuple(self.reader.outlined(self.found, self.windows)),
            windows=self.windows,
            found=self.found,
            task=self.leaf.task,
            parts=self.leaf.parts,
            terms=self.first_found.terms,
            focus=self.leaf.focus,
            known=self.leaf.known,
            kept=tuple(self.kept),
            read=tuple(self.read),
            note=self.note,
            quotes=self.leaf.quotes,
            shares=self.leaf.shares,
            searched_again=self.searched_again,
            words=self.words,
            round=coming,
            rounds=stop.bounds.max_rounds,
            forced=coming >= stop.bounds.max_rounds,
            today=self.asked.today,
            timezone=self.asked.timezone,
        )

    def spend(self, usage: Usage) -> None:
        """Count what a decision cost."""
        self.usage = self.usage + usage

    def check(self, decision: Decision) -> Checked:
        """Check an answer, or the quotes another decision wants kept, against all shown text."""
        today = self.asked.today.isoformat()
        return check(decision, self.reader.shown, self.leaf.question, (today,))

    def keep(self, checked: Checked) -> bool:
        """Keep verified quotes; tells whether one of them is new."""
        new = [quote for quote in checked.kept if quote not in self.kept]
        self.kept |= dict.fromkeys(new)
        return bool(new)

    def next_round(self, decision: Decision | None, note: str = "") -> None:
        """Close a round with its line for READ and the hint for the next one."""
        self.note = note
        if decision is None:
            return
        seen = ", ".join(dict.fromkeys(shown.section_id for shown in self.windows)) or "nothing"
        done = f"{decision.action.value} {decision.query or ', '.join(decision.sections)}".strip()
        missing = f" · missing: {decision.missing}" if decision.missing else ""
        self.read.append(f"saw {seen} · {done}{missing}")

    def clarified(self, stop: StopRule, decision: Decision) -> Finding:
        """The leaf's end with a question back.

        Raises:
            DecisionError: the question or its choices are missing.
        """
        if not decision.answer.strip() or len(decision.choices) not in _CHOICES:
            raise DecisionError(
                "A question back needs two to four choices.", hint="Make them from real headings."
            )
        finding = self.finding(stop, Outcome.CLARIFY, StopReason.ANSWERED)
        return replace(finding, text=decision.answer, choices=decision.choices)

    def answered(self, stop: StopRule, decision: Decision, checked: Checked) -> Finding:
        """The leaf's end with an answer whose quotes were checked; not covered without any."""
        sure = decision.support.confidence >= stop.bounds.confidence_threshold
        whole = sure and not decision.missing and not checked.problems
        finding = self.finding(
            stop, Outcome.ANSWERED if whole else Outcome.PARTIAL, StopReason.ANSWERED
        )
        told = self._with_answer(finding, checked)
        if not told.citations:
            return self.finding(stop, Outcome.NOT_COVERED, StopReason.DECLINED)
        return replace(told, missing=decision.missing)

    def declined(self, stop: StopRule, decision: Decision) -> Finding:
        """The leaf's end with nothing claimed, beside the nearest words the core named."""
        finding = self.finding(stop, Outcome.NOT_COVERED, StopReason.DECLINED)
        checked = self.check(replace(decision, action=Action.ANSWER, answer=""))
        if not checked.citations or len(checked.citations[0].quote) > _NEAREST_CHARS:
            return finding
        nearest = checked.citations[0]
        place = " › ".join((nearest.title, *nearest.section[-1:]))
        return replace(finding, nearest_quote=f"“{' '.join(nearest.quote.split())}” ({place})")

    def out_of_bounds(self, stop: StopRule, reason: StopReason) -> Finding:
        """The leaf's end at a bound: the quotes kept so far, or nothing claimed."""
        checked = self.check(Decision(Action.ANSWER, quotes=tuple(self.kept)))
        if checked.citations:
            return self._with_answer(self.finding(stop, Outcome.PARTIAL, reason), checked)
        broken = reason is StopReason.TOOL_FAILURES
        return self.finding(stop, Outcome.UNAVAILABLE if broken else Outcome.NOT_COVERED, reason)

    def _with_answer(self, finding: Finding, checked: Checked) -> Finding:
        """A finding with its text, other versions and sources that differ named in it."""
        question, windows, said = self.leaf.question, self.reader.windows, self.reader.said
        whole = settled(checked, windows, question, said)
        notes = remarks(checked, windows, question)
        return replace(finding, text=whole.text, citations=whole.citations, notes=notes)

    def finding(self, stop: StopRule, outcome: Outcome, reason: StopReason) -> Finding:
        """The leaf's end with nothing claimed."""
        return Finding(
            question=self.leaf.question,
            outcome=outcome,
            stop_reason=reason,
            looked_at=places(self.seen.values()),
            nearest=self.reader.nearest(self.first_found),
            corrections=self.first_found.corrections,
            other_language_documents=self.first_found.other_language_documents,
            rounds=stop.rounds,
            usage=self.usage,
        )
