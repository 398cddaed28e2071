"""A library in memory, a core that follows a script, a progress that remembers."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from agent.domain import (
    Action,
    Block,
    BlockKind,
    Decision,
    DocId,
    Document,
    MapEntry,
    OutlineEntry,
    ParseOutcome,
    ProgressEvent,
    Quote,
    Scope,
    SearchResult,
    Section,
    SectionPath,
    SourceState,
    Support,
    Term,
    Window,
)
from agent.errors import DocumentNotFound, LibraryError, SectionNotFound
from agent.ports import RoundView, TextSize
from agent.text.lightwords import lightness
from agent.text.words import query_terms, term_set

NOON = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


def section(doc_id: str, path: str, text: str, headings: tuple[str, ...] = ()) -> Section:
    """A section whose lines are its paragraphs, items (`- `) and rows (` | `)."""
    blocks = []
    start = 0
    for line in text.split("\n"):
        if line:
            blocks.append(Block(_kind(line), start, start + len(line)))
        start += len(line) + 1
    return Section(
        doc_id=DocId(doc_id),
        path=SectionPath(path),
        number=path,
        headings=headings or (path.split("/")[-1].replace("-", " ").title(),),
        level=path.count("/") + 1,
        text=text,
        blocks=tuple(blocks),
    )


def _kind(line: str) -> BlockKind:
    if line.lstrip().startswith("- "):
        return BlockKind.ITEM
    return BlockKind.ROW if " | " in line else BlockKind.PARAGRAPH


def document(doc_id: str) -> Document:
    return Document(
        doc_id=DocId(doc_id),
        source="handbook",
        doc=f"{doc_id}.md",
        title=doc_id.replace("-", " ").title(),
        format="markdown",
        outcome=ParseOutcome.OK,
        contact="#help",
    )


class MemoryLibrary:
    """Documents as `{doc_id: {section path: text}}`, all of one audience, searched by words."""

    def __init__(self, texts: Mapping[str, Mapping[str, str]], audience: str = "workspace") -> None:
        self._audience = audience
        self._sections = {
            doc_id: [section(doc_id, path, text) for path, text in paths.items()]
            for doc_id, paths in texts.items()
        }
        self.queries: list[str] = []
        self.broken = 0
        self.other_language_documents = 0

    async def search(self, query: str, scope: Scope, *, windows: int = 6) -> SearchResult:
        self.queries.append(query)
        if self.broken:
            self.broken -= 1
            raise LibraryError("The library is locked.", hint="Try again.")
        terms = self._terms(query)
        found = sorted(
            (window for window in map(self._window(terms), self._all(scope)) if window.score),
            key=lambda window: -window.score,
        )[:windows]
        return SearchResult(
            windows=tuple(found),
            documents=tuple(dict.fromkeys(window.document.doc_id for window in found)),
            coverage=found[0].score if found else 0.0,
            terms=terms,
            missing=tuple(term.written for term in terms if not term.known),
            other_language_documents=self.other_language_documents,
        )

    async def read_map(self, scope: Scope, doc_ids: Sequence[DocId]) -> Sequence[MapEntry]:
        return [
            _entry(self._sections[doc_id])
            for doc_id in doc_ids
            if doc_id in self._sections and self._audience in scope.audiences
        ]

    async def read_document_map(self, scope: Scope) -> Sequence[MapEntry]:
        return await self.read_map(scope, [DocId(doc_id) for doc_id in self._sections])

    async def read_section(self, scope: Scope, doc_id: DocId, path: SectionPath) -> Section:
        for each in self._all(scope):
            if (each.doc_id, each.path) == (doc_id, path):
                return each
        raise SectionNotFound(f"No section {path} in {doc_id}.")

    async def read_subtree(
        self, scope: Scope, doc_id: DocId, path: SectionPath
    ) -> Sequence[Section]:
        await self.read_section(scope, doc_id, path)
        return [
            each
            for each in self._sections[doc_id]
            if each.path == path or each.path.startswith(f"{path}/")
        ]

    async def find_document(self, scope: Scope, name: str) -> Document:
        for doc_id in self._sections:
            found = document(doc_id)
            if self._audience in scope.audiences and name in (doc_id, found.doc, found.title):
                return found
        raise DocumentNotFound(f"No document {name}.")

    async def sources(self, scope: Scope) -> Sequence[SourceState]:
        if self._audience not in scope.audiences:
            return []
        return [SourceState("handbook", len(self._sections), "#help")]

    async def last_changed(self) -> datetime | None:
        return NOON

    def forget(self, doc_id: str) -> None:
        """The document is deleted while a question is worked on."""
        del self._sections[doc_id]

    def _all(self, scope: Scope) -> list[Section]:
        if self._audience not in scope.audiences:
            return []
        return [each for sections in self._sections.values() for each in sections]

    def _terms(self, query: str) -> tuple[Term, ...]:
        known = frozenset[str]().union(
            *(_forms(each) for sections in self._sections.values() for each in sections)
        )
        return tuple(
            _term(term.written, term.key, term.key in known) for term in query_terms(query)
        )

    def _window(self, terms: Sequence[Term]) -> Callable[[Section], Window]:
        def window(each: Section) -> Window:
            forms = _forms(each)
            score = sum(term.weight for term in terms if term.presence(forms))
            score /= sum(term.weight for term in terms) or 1.0
            return Window(document(each.doc_id), each, 0, len(each.text), score)

        return window


def _term(written: str, form: str, known: bool) -> Term:
    rarity = (0.5 if known else 1.0) * lightness(written)
    return Term(written, (form,), 2.0 * rarity, known=known, rarity=rarity)


def _forms(each: Section) -> frozenset[str]:
    return term_set(" ".join((each.text, *each.headings, document(each.doc_id).title)))


def _entry(sections: Sequence[Section]) -> MapEntry:
    outline = tuple(
        OutlineEntry(each.path, each.number, each.headings, each.level, len(each.text))
        for each in sections
    )
    return MapEntry(document(sections[0].doc_id), "", outline)


class ScriptedCore:
    """Makes the given decisions in turn, the last one for ever, and remembers what it saw.

    An exception in the script is raised.
    """

    extractive = False

    def __init__(
        self, *decisions: Decision | Exception, cost_tokens: int = 0, chars: int = 5_000
    ) -> None:
        self._decisions = list(decisions)
        self._cost_tokens = cost_tokens
        self._chars = chars
        self.views: list[RoundView] = []

    @property
    def text_size(self) -> TextSize:
        return TextSize(6, self._chars)

    def cost_tokens(self, view: RoundView) -> int:
        del view
        return self._cost_tokens

    async def decide(self, view: RoundView) -> Decision:
        self.views.append(view)
        last = len(self._decisions) == 1
        decision = self._decisions[0] if last else self._decisions.pop(0)
        if isinstance(decision, Exception):
            raise decision
        return decision


def answer(quote: str, section_id: str = "D1.1", text: str = "") -> Decision:
    """The decision to answer with one quote, as it stands where no text is given."""
    return Decision(
        Action.ANSWER, quotes=(Quote(section_id, quote),), answer=text, support=Support.STATED
    )


def search(query: str) -> Decision:
    return Decision(Action.SEARCH, query=query)


def read(*section_ids: str) -> Decision:
    return Decision(Action.READ, sections=section_ids)


DECLINE = Decision(Action.NOT_COVERED)


def unsure(decision: Decision) -> Decision:
    return replace(decision, support=Support.PARTLY)


class RememberedProgress:
    """Remembers every event."""

    def __init__(self) -> None:
        self.events: list[ProgressEvent] = []

    async def show(self, event: ProgressEvent) -> None:
        self.events.append(event)


class Clock:
    """A clock that goes when told."""

    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        return self.now_s
