"""Stand-ins for a chat: a clock to turn by hand, an engine, a platform and the jobs."""

import asyncio
import heapq
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from agent.domain import (
    Answer,
    Citation,
    DocId,
    Outcome,
    ProgressEvent,
    Question,
    Scope,
    SectionPath,
    StopReason,
)
from agent.map.remarks import MapRemark
from agent.ports import Progress
from agent.store import Store, open_store
from bots.admin.commands import Told
from bots.conversation import Conversation
from bots.ports import AdminDesk, Incoming, Place, Reply
from config.settings import Settings
from connectors.reports import Busy, FailedDocument, SourceStatus, SyncReport

NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
PATIENCE_S = 10.0
"""How long a test waits for something that must happen before it fails."""


class HandClock:
    """Time that moves only when a test says so."""

    def __init__(self, now: datetime = NOON) -> None:
        self._now = now
        self._count = 0
        self._sleepers: list[tuple[datetime, int, asyncio.Event]] = []

    def now(self) -> datetime:
        return self._now

    async def sleep(self, seconds: float) -> None:
        woken = asyncio.Event()
        self._count += 1
        due = self._now + timedelta(seconds=seconds)
        heapq.heappush(self._sleepers, (due, self._count, woken))
        await woken.wait()

    def advance(self, seconds: float) -> None:
        """Let that much time pass and wake whoever slept until then."""
        self._now += timedelta(seconds=seconds)
        while self._sleepers and self._sleepers[0][0] <= self._now:
            heapq.heappop(self._sleepers)[2].set()


class SwiftClock:
    """Time in which every sleep is over at once, but is counted."""

    def __init__(self, now: datetime = NOON) -> None:
        self._now = now
        self.slept: list[float] = []

    def now(self) -> datetime:
        return self._now

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self._now += timedelta(seconds=seconds)
        await asyncio.sleep(0.001)


async def eventually(holds: Callable[[], bool]) -> None:
    """Come back as soon as something holds; fail where it never does."""
    async with asyncio.timeout(PATIENCE_S):
        while not holds():  # noqa: ASYNC110 - conditions of fakes, with no event of their own
            await asyncio.sleep(0.002)


def cite(number: int = 1, quote: str = "All employees get 14 weeks.", **other: object) -> Citation:
    """A citation of the parental leave page."""
    citation = Citation(
        number=number,
        source="handbook",
        doc="people/leave.md",
        doc_id=DocId("d-leave"),
        title="People handbook",
        section=("Leave", "Parental leave"),
        section_path=SectionPath("leave/parental-leave"),
        quote=quote,
        start=0,
        end=len(quote),
    )
    return replace(citation, **other)  # type: ignore[arg-type]  # fields are the caller's choice


def answer_to(
    text: str = "Parental leave?", said: str = "“All employees get 14 weeks.” [1]", **other: object
) -> Answer:
    """An answered question with one footnote."""
    answer = Answer(
        answer_id="a1",
        question=text,
        outcome=Outcome.ANSWERED,
        text=said,
        citations=(cite(),),
        stop_reason=StopReason.ANSWERED,
        trace_id="t1",
    )
    return replace(answer, **other)  # type: ignore[arg-type]  # fields are the caller's choice


Script = Callable[[Question, Progress], Awaitable[Answer]]


class ScriptedAssistant:
    """Answers as the test says, and remembers what it was asked."""

    def __init__(self, script: Script | Answer | Exception | None = None) -> None:
        self.script = script
        self.questions: list[Question] = []

    async def answer(self, question: Question, progress: Progress) -> Answer:
        self.questions.append(question)
        if isinstance(self.script, Exception):
            raise self.script
        if isinstance(self.script, Answer):
            return self.script
        if self.script is not None:
            return await self.script(question, progress)
        return answer_to(question.text)


class HeldAssistant(ScriptedAssistant):
    """Answers once it is let go, so that a test can act while it works."""

    def __init__(self) -> None:
        super().__init__()
        self.go = asyncio.Event()

    async def answer(self, question: Question, progress: Progress) -> Answer:
        self.questions.append(question)
        await self.go.wait()
        return answer_to(question.text)


@dataclass
class MemoryWorking:
    """A sign of work that remembers what it showed."""

    message_id: str = ""
    shown: list[ProgressEvent] = field(default_factory=list)
    closed: int = 0

    async def show(self, event: ProgressEvent) -> None:
        self.shown.append(event)

    async def close(self) -> None:
        self.closed += 1


@dataclass(frozen=True)
class Post:
    """One reply as it reached the platform."""

    incoming: Incoming
    reply: Reply
    working_id: str


class MemoryChannel:
    """A platform that keeps its messages in a list and fails on demand."""

    def __init__(self, *, working_id: str = "", readable: bool = True) -> None:
        self.posts: list[Post] = []
        self.signs: list[MemoryWorking] = []
        self.failures: list[Exception] = []
        self.lose_answers = 0
        """Posts that arrive although the platform's yes is lost."""
        self._working_id = working_id
        self._readable = readable

    async def working(self, incoming: Incoming) -> MemoryWorking:
        self.signs.append(MemoryWorking(self._working_id))
        return self.signs[-1]

    async def post(self, incoming: Incoming, reply: Reply, working_id: str) -> str:
        if self.failures:
            raise self.failures.pop(0)
        self.posts.append(Post(incoming, reply, working_id))
        if self.lose_answers:
            self.lose_answers -= 1
            raise ConnectionResetError
        return f"m{len(self.posts)}"

    async def find_reply(self, incoming: Incoming) -> str | None:
        if not self._readable:
            return None
        for number, post in enumerate(self.posts, start=1):
            if post.incoming.message_key == incoming.message_key:
                return f"m{number}"
        return ""

    @property
    def texts(self) -> list[str]:
        """What was posted, as text."""
        return [post.reply.text for post in self.posts]


class MemoryReport:
    """A private message that remembers what it said."""

    def __init__(self, text: str) -> None:
        self.texts = [text]

    @property
    def message_id(self) -> str:
        return "report"

    async def show(self, text: str) -> None:
        self.texts.append(text)


class MemoryDesk:
    """Knows the admins by name and keeps their reports."""

    def __init__(self, *admins: str) -> None:
        self._admins = admins
        self.reports: list[MemoryReport] = []

    async def is_admin(self, incoming: Incoming) -> bool:
        return incoming.asker in self._admins

    async def report(self, incoming: Incoming, text: str) -> MemoryReport:
        self.reports.append(MemoryReport(text))
        return self.reports[-1]


class MemoryJobs:
    """Sources with prepared results."""

    def __init__(self, *results: SyncReport | Busy, sources: Sequence[str] = ("handbook",)) -> None:
        self.results = results
        self.sources = sources
        self.runs: list[Sequence[str] | None] = []
        self.failures: tuple[FailedDocument, ...] = ()
        self.waiting_deletes = 0
        self.states: tuple[SourceStatus, ...] = ()
        self.during: Callable[[Told | None], Awaitable[None]] | None = None
        self.remarks: tuple[MapRemark, ...] = ()

    async def run(
        self, names: Sequence[str] | None, on_progress: Told | None = None
    ) -> Sequence[SyncReport | Busy]:
        self.runs.append(names)
        if self.during:
            await self.during(on_progress)
        return self.results

    async def status(self) -> Sequence[SourceStatus]:
        from connectors.reports import RunState

        return self.states or [SourceStatus(name, RunState.NEVER) for name in self.sources]

    async def failed(self, source: str) -> Sequence[FailedDocument]:
        return self.failures

    async def confirm_deletes(self, source: str) -> int:
        count, self.waiting_deletes = self.waiting_deletes, 0
        return count

    async def map_check(self, names: Sequence[str] | None = None) -> Sequence[MapRemark]:
        return self.remarks


_counter = iter(range(1, 1_000_000))


def message(text: str = "How long is parental leave?", **other: object) -> Incoming:
    """A mention in a channel, each call another message."""
    number = next(_counter)
    incoming = Incoming(
        platform="chat",
        message_key=f"C1/{number}",
        text=text,
        thread_key=f"chat:C1/{number}",
        conversation_key="chat:C1",
        asker="chat:ann",
        place=Place.CHANNEL,
        scope=Scope.of("workspace"),
    )
    return replace(incoming, **other)  # type: ignore[arg-type]  # fields are the caller's choice


@dataclass
class Chat:
    """A whole conversation on stand-ins; `restarted` is the next process on the same store."""

    store: Store
    settings: Settings
    assistant: ScriptedAssistant
    channel: MemoryChannel
    clock: HandClock | SwiftClock
    jobs: MemoryJobs
    desk: AdminDesk | None
    conversation: Conversation

    def restarted(self, **other: object) -> "Chat":
        """Another process object on the same store, with the same platform."""
        parts: dict[str, object] = {
            "store": self.store,
            "settings": self.settings,
            "assistant": self.assistant,
            "channel": self.channel,
            "clock": self.clock,
            "jobs": self.jobs,
            "desk": self.desk,
        }
        return chat(**{**parts, **other})  # type: ignore[arg-type]  # same as `chat`

    async def say(self, incoming: Incoming) -> None:
        """Hand a message over and wait until nothing is left to do."""
        await self.conversation.receive(incoming)
        await self.settle()

    async def lose(self) -> None:
        """Let a process that counted as dead come to its end, so that the test leaves nothing."""
        if isinstance(self.clock, HandClock):
            self.clock.advance(3_600)
        for task in list(self.conversation._tasks.values()):
            task.cancel()
        await self.settle()

    async def settle(self) -> None:
        """Wait until no question is being worked on."""
        async with asyncio.timeout(PATIENCE_S):
            await self.conversation.settled()


def chat(
    store: Store | Path,
    *,
    settings: Settings | None = None,
    assistant: ScriptedAssistant | None = None,
    channel: MemoryChannel | None = None,
    clock: HandClock | SwiftClock | None = None,
    jobs: MemoryJobs | None = None,
    desk: AdminDesk | None = None,
) -> Chat:
    """Put a conversation together; a path opens a fresh store in it."""
    if isinstance(store, Path):
        store = open_store(f"sqlite:///{store / 'footnote.db'}")
    settings = settings or Settings()
    assistant = assistant or ScriptedAssistant()
    channel = channel or MemoryChannel()
    clock = clock or HandClock()
    jobs = jobs or MemoryJobs()
    conversation = Conversation(assistant, jobs, store, settings, clock)
    conversation.connect("chat", channel, desk=desk)
    return Chat(store, settings, assistant, channel, clock, jobs, desk, conversation)
