"""Small documents for tests of the library: headings and texts in, parsed documents out."""

from collections.abc import Iterable
from datetime import UTC, datetime

from agent.domain import (
    BlockKind,
    DocumentFacts,
    ParsedDocument,
    ParsedSection,
    ParseOutcome,
    TextBlock,
)
from agent.library.writing import NewDocument, SourceRecord, apply_sources, put_documents
from agent.store import Store

WORKSPACE = frozenset({"workspace"})
HANDBOOK = SourceRecord("handbook", ("workspace",), "#people-help")
LEGAL = SourceRecord("legal", ("slack:C1",), "#legal", trust="external")
MAY = datetime(2026, 5, 4, 9, 30, tzinfo=UTC)


def facts(doc: str, source: str = "handbook") -> DocumentFacts:
    """What the drive says of a file; its native id is its path."""
    return DocumentFacts(
        source, doc, doc, "hash", 100, MAY, f"https://drive.example/{doc}", "mail:ann@acme.example"
    )


def section(heading: str, *texts: str, level: int = 2) -> ParsedSection:
    """A heading with paragraphs; a text that begins with `- ` is a list item."""
    blocks = tuple(
        TextBlock(BlockKind.ITEM if text.startswith("- ") else BlockKind.PARAGRAPH, text)
        for text in texts
    )
    return ParsedSection(heading, level, blocks)


def parsed(
    title: str, *sections: ParsedSection, links: tuple[str, ...] = (), hidden_chars: int = 0
) -> ParsedDocument:
    """A readable document."""
    return ParsedDocument(
        title, "markdown", ParseOutcome.OK, sections, links=links, hidden_chars=hidden_chars
    )


def unreadable(reason: str) -> ParsedDocument:
    """A file that could not be read."""
    return ParsedDocument("", "pdf", ParseOutcome.NOT_READABLE, reason=reason)


def new(
    doc: str,
    document: ParsedDocument,
    readers: Iterable[str] = WORKSPACE,
    source: str = "handbook",
) -> NewDocument:
    """A document to put in."""
    return NewDocument(facts(doc, source), document, frozenset(readers))


LEAVE = parsed(
    "Leave policy",
    section("", "This page says how leave works at Acme."),
    section("Annual leave", "Everybody has 28 days of annual leave.", "- Ask your lead first."),
    section("Parental leave", "Parents take 16 weeks of paid leave."),
    section("Adoption", "Adoptive parents take the same 16 weeks.", level=3),
)
INCIDENTS = parsed(
    "Incident response",
    section("Severity", "An outage of the checkout is severity S1."),
    section("Error codes", "ERR-4021 means that the card was declined."),
)
CHINESE = parsed(
    "差旅报销制度",
    section("报销标准", "员工出差的住宿费标准为每晚五百元。"),
    section("申请流程", "出差前须在系统中提交申请，由部门经理审批。"),
)


def fill(store: Store, *documents: NewDocument) -> None:
    """The documents in a store with the two sources."""
    with store.transaction(write=True) as connection:
        apply_sources(connection, [HANDBOOK, LEGAL])
        put_documents(connection, documents)


def fill_handbook(store: Store) -> None:
    """Leave, incidents and travel, for the whole workspace."""
    fill(
        store,
        new("hr/leave.md", LEAVE),
        new("ops/incidents.md", INCIDENTS),
        new("hr/travel-zh.md", CHINESE),
    )
