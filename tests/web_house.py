"""A small house for the tests of the pages: a real library, a scripted engine, both listeners.

The documents lie in `tests/data/web`; nothing here talks to anything but loopback.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from aiohttp import web
from pydantic import SecretStr

from agent.domain import (
    WORKSPACE,
    Answer,
    Citation,
    DocId,
    DocumentFacts,
    LookedAt,
    Outcome,
    ParsedDocument,
    ParseOutcome,
    PartAnswer,
    PartProgress,
    PartState,
    ProgressEvent,
    Question,
    SectionPath,
    Stage,
    StopReason,
    Usage,
)
from agent.gaps import GapList
from agent.library.library import StoreLibrary
from agent.library.unscoped import UnscopedReading
from agent.library.writing import (
    NewDocument,
    SourceRecord,
    apply_sources,
    mark_synced,
    put_documents,
)
from agent.ports import Library, Progress
from agent.store import Store, open_store
from agent.trace import TraceStore
from bots.links import SourceLinks
from bots.web.deps import PrivateDeps
from bots.web.metrics import MeasuredAnswerer, Metrics
from bots.web.private import build_private
from config.settings import ConversationSettings, LoopSettings, PrivateSettings
from connectors.formats import markdown

DATA = Path(__file__).parent / "data" / "web"
MODIFIED = datetime(2026, 2, 1, 9, 0, tzinfo=UTC)
SYNCED = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
SECRET = b"s" * 32

PARENTAL = "All employees are entitled to 14 weeks of parental leave at full pay."
PART_TIME = (
    "Part-time staff have the same number of weeks of parental leave, irrespective of weekly hours."
)
HOTEL = "City | Limit per night | Breakfast\nAmsterdam | 165 EUR | included"
HOTEL_ZH = "城市 | 每晚上限\n北京、上海 | 600 元"
SALARIES = "The salaries of the board are these."


@dataclass(frozen=True, slots=True)
class House:
    """What the tests hold in their hands."""

    store: Store
    library: Library
    answerer: "ScriptedAnswerer"
    deps: PrivateDeps


def handbook(name: str) -> tuple[DocumentFacts, ParsedDocument]:
    """A file of the test data as the handbook's folder would give it."""
    day = MODIFIED + timedelta(days=sorted(path.name for path in DATA.glob("*.md")).index(name))
    facts = DocumentFacts("handbook", name, name, content_hash=name, modified=day)
    return facts, markdown.parse((DATA / name).read_bytes(), name)


def private_paper() -> tuple[DocumentFacts, ParsedDocument]:
    """A document that only one channel may read."""
    facts = DocumentFacts("board", "salaries.md", "salaries.md", modified=MODIFIED)
    return facts, markdown.parse(f"# Board salaries\n\n## This year\n\n{SALARIES}".encode(), "s.md")


def unreadable() -> tuple[DocumentFacts, ParsedDocument]:
    """A file that could not be parsed."""
    facts = DocumentFacts("handbook", "plan.pdf", "plan.pdf", modified=MODIFIED)
    why = "password: the file is locked"
    return facts, ParsedDocument("", "pdf", ParseOutcome.NOT_READABLE, reason=why)


def long_paper(sections: int = 300) -> tuple[DocumentFacts, ParsedDocument]:
    """A document that is far too long to be shown at once."""
    text = "".join(
        f"## Rule {number}\n\n"
        + f"Rule {number} says what is done in case {number}. " * 20
        + "\n\n"
        for number in range(1, sections + 1)
    )
    facts = DocumentFacts("handbook", "rules.md", "rules.md", modified=MODIFIED)
    return facts, markdown.parse(f"# The rules\n\n{text}".encode(), "rules.md")


def open_house(folder: Path) -> House:
    """A house with its library filled; close `house.store` in the end."""
    (folder / "footnote.db").write_bytes(_filled_database())
    return _assembled(open_store(f"sqlite:///{folder / 'footnote.db'}"))


@cache
def _filled_database() -> bytes:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "footnote.db"
        store = open_store(f"sqlite:///{file}")
        _fill(store)
        store.close()  # the last connection writes the log back into the file
        return file.read_bytes()


def _fill(store: Store) -> None:
    everybody, board = frozenset({"workspace"}), frozenset({"slack:C1"})
    names = sorted(path.name for path in DATA.glob("*.md"))
    papers = [*(handbook(name) for name in names), unreadable(), long_paper()]
    with store.transaction(write=True) as connection:
        apply_sources(
            connection,
            [
                SourceRecord("handbook", ("workspace",), "#people-help"),
                SourceRecord("board", ("slack:C1",)),
            ],
        )
        put_documents(connection, [NewDocument(*paper, everybody) for paper in papers])
        put_documents(connection, [NewDocument(*private_paper(), board)])
        mark_synced(connection, "handbook", SYNCED)


def _assembled(store: Store) -> House:
    library = StoreLibrary(store, LoopSettings())
    unscoped = UnscopedReading(store)
    answerer = ScriptedAnswerer(library)
    metrics = Metrics(lambda: SYNCED.replace(minute=5))

    deps = PrivateDeps(
        answerer=MeasuredAnswerer(answerer, metrics),
        library=library,
        permits=unscoped,
        links=SourceLinks(SECRET),
        traces=TraceStore(store),
        gaps=GapList(store),
        metrics=metrics,
        all_sources=unscoped.all_sources,
        shared_dates=unscoped.shared_dates,
        conversation=ConversationSettings(),
    )
    return House(store, library, answerer, deps)


@asynccontextmanager
async def served(app: web.Application) -> AsyncIterator[str]:
    """The application on a free port of loopback; yields its address."""
    runner = web.AppRunner(app, shutdown_timeout=1.0)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


def private_app(house: House, token: str = "", base_url: str = "") -> web.Application:
    """The private listener of a house."""
    deps = replace(house.deps, links=SourceLinks(SECRET, base_url))
    secret = SecretStr(token) if token else None
    return build_private(deps, PrivateSettings(token=secret, base_url=base_url))


@dataclass
class ScriptedAnswerer:
    """Answers by a word in the question, with quotes that really stand in the library.

    Attributes:
        asked: every question, in order.
        gate: where set, answers wait for it after their first progress.
        began: set when a question has come.
        cancelled: set when a waiting answer was called off.
        failure: raised in place of an answer.
    """

    library: Library
    asked: list[Question] = field(default_factory=list)
    gate: asyncio.Event | None = None
    began: asyncio.Event = field(default_factory=asyncio.Event)
    cancelled: asyncio.Event = field(default_factory=asyncio.Event)
    failure: Exception | None = None

    async def answer(self, question: Question, progress: Progress) -> Answer:
        """The answer of the first script whose word occurs in the question."""
        self.asked.append(question)
        self.began.set()
        if self.failure:
            raise self.failure
        make = next((make for word, make in SCRIPTS.items() if word in question.text), not_covered)
        events, answer = make(self, question)
        for event in events:
            await progress.show(event)
            await self._wait()
        return await self._cited(answer)

    async def _wait(self) -> None:
        if self.gate:
            try:
                await self.gate.wait()
            except asyncio.CancelledError:
                self.cancelled.set()
                raise

    async def _cited(self, answer: Answer) -> Answer:
        entries = await self.library.read_document_map(WORKSPACE)
        ids = {entry.document.doc: entry.document.doc_id for entry in entries}
        found = [await self._placed(each, ids[each.doc]) for each in answer.citations]
        return replace(answer, citations=tuple(found))

    async def _placed(self, citation: Citation, doc_id: DocId) -> Citation:
        (entry,) = await self.library.read_map(WORKSPACE, [doc_id])
        for line in entry.outline:
            section = await self.library.read_section(WORKSPACE, doc_id, line.path)
            start = section.text.find(citation.quote)
            if start >= 0:
                return replace(
                    citation,
                    doc_id=doc_id,
                    title=entry.document.title,
                    section=section.headings,
                    section_path=section.path,
                    start=start,
                    end=start + len(citation.quote),
                    modified=entry.document.modified,
                )
        raise AssertionError(f"{citation.quote!r} does not stand in {citation.doc}")


def quoted(number: int, doc: str, words: str) -> Citation:
    """A citation that still has to be placed."""
    nowhere = SectionPath("")
    return Citation(number, "handbook", doc, DocId(""), "", (), nowhere, words, 0, 0)


Script = tuple[Sequence[ProgressEvent], Answer]
_USAGE = Usage(total_ms=840)


def parental(_self: ScriptedAnswerer, question: Question) -> Script:
    """An answer from two documents."""
    places = (
        LookedAt("people-handbook.md", "People handbook", ("2 Leave", "2.2 Parental leave")),
        LookedAt("part-time-addendum.md", "Part-time addendum", ()),
    )
    events = [
        ProgressEvent(Stage.READING, "People handbook", "2.2 Parental leave"),
        ProgressEvent(Stage.READING, "Part-time addendum", "Parental leave of part-time staff"),
        ProgressEvent(Stage.CHECKING),
    ]
    return events, Answer(
        answer_id="parental",
        question=question.text,
        outcome=Outcome.ANSWERED,
        text="Parental leave is 14 weeks at full pay [1]; part-time staff get the same [2].",
        citations=(
            quoted(1, "people-handbook.md", PARENTAL),
            quoted(2, "part-time-addendum.md", PART_TIME),
        ),
        looked_at=places,
        stop_reason=StopReason.ANSWERED,
        rounds=1,
        usage=_USAGE,
        trace_id="trace-parental",
    )


def three_parts(_self: ScriptedAnswerer, question: Question) -> Script:
    """A plan of which one part is not covered."""
    asked = ("How long is parental leave?", "What may a hotel cost?", "Is there a company car?")
    pending, reading, done = PartState.PENDING, PartState.READING, PartState.ANSWERED

    def parts(*states: PartState) -> tuple[PartProgress, ...]:
        return tuple(map(PartProgress, asked, states))

    events = [
        ProgressEvent(Stage.MAP, parts=parts(reading, pending, pending)),
        ProgressEvent(
            Stage.READING, "Travel and expenses", "What is paid back", parts(done, reading, pending)
        ),
        ProgressEvent(Stage.CHECKING, parts=parts(done, done, PartState.NOT_COVERED)),
    ]
    return events, Answer(
        answer_id="parts",
        question=question.text,
        outcome=Outcome.PARTIAL,
        text="14 weeks at full pay [1].\n\nIn Amsterdam 165 EUR a night [2].\n\n"
        "A company car: I found nothing.",
        citations=(
            quoted(1, "people-handbook.md", PARENTAL),
            quoted(2, "expenses.md", HOTEL),
        ),
        parts=(
            PartAnswer(asked[0], Outcome.ANSWERED, "14 weeks at full pay [1]."),
            PartAnswer(asked[1], Outcome.ANSWERED, "In Amsterdam 165 EUR a night [2]."),
            PartAnswer(asked[2], Outcome.NOT_COVERED, "I found nothing."),
        ),
        stop_reason=StopReason.ANSWERED,
        rounds=2,
        usage=_USAGE,
        trace_id="trace-parts",
    )


def chinese(_self: ScriptedAnswerer, question: Question) -> Script:
    """A Chinese answer from a table."""
    return [ProgressEvent(Stage.READING, "差旅管理制度", "二、住宿标准")], Answer(
        answer_id="zh",
        question=question.text,
        outcome=Outcome.ANSWERED,
        text="北京、上海的住宿每晚上限为 600 元 [1]。",
        citations=(quoted(1, "差旅制度.md", HOTEL_ZH),),
        stop_reason=StopReason.ANSWERED,
        rounds=1,
        usage=_USAGE,
        trace_id="trace-zh",
        language="zh",
    )


def which(_self: ScriptedAnswerer, question: Question) -> Script:
    """One question back."""
    return [], Answer(
        "which",
        question.text,
        Outcome.CLARIFY,
        "Which leave do you mean?",
        choices=("How long is parental leave?", "How long is annual leave?"),
    )


def hostile(_self: ScriptedAnswerer, question: Question) -> Script:
    """Words of a document that would be markup."""
    words = 'This paragraph holds <script>document.body.textContent = "owned"</script>'
    return [ProgressEvent(Stage.READING, "<img src=x onerror=alert(1)>", "<b>")], Answer(
        "hostile",
        question.text,
        Outcome.ANSWERED,
        f"{words} [1]",
        (quoted(1, "hostile.md", words),),
        notes=("<script>alert(2)</script>",),
        stop_reason=StopReason.ANSWERED,
    )


def not_covered(_self: ScriptedAnswerer, question: Question) -> Script:
    """The honest gap."""
    near = LookedAt("people-handbook.md", "People handbook", ("3 Working hours",))
    return [ProgressEvent(Stage.READING, "People handbook", "3 Working hours")], Answer(
        answer_id="none",
        question=question.text,
        outcome=Outcome.NOT_COVERED,
        text="I found nothing about this in the documents I know.",
        looked_at=(near,),
        nearest=(near,),
        contact="#people-help",
        gap_recorded=True,
        stop_reason=StopReason.DECLINED,
        rounds=2,
        usage=_USAGE,
        trace_id="trace-none",
    )


SCRIPTS: dict[str, Callable[[ScriptedAnswerer, Question], Script]] = {
    "company car": three_parts,
    "parental": parental,
    "住宿": chinese,
    "which": which,
    "hostile": hostile,
}
