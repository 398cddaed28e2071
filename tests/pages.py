"""Pages of documents as the engine is shown them, from a few lines of text."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from agent.domain import (
    Action,
    Block,
    BlockKind,
    Citation,
    Decision,
    DocId,
    Document,
    Finding,
    LookedAt,
    Outcome,
    ParseOutcome,
    Quote,
    Section,
    SectionPath,
    Support,
    Window,
)

QUESTION = "How long is parental leave?"


def page(text: str, title: str = "Leave", heading: str = "Parental leave", **more: Any) -> Window:
    """A window over a whole section.

    Args:
        text: a paragraph or `- item`, `| row` or `> code` a line; the first row is the header.
        more: fields of the document or the section.
    """
    lines: list[str] = []
    blocks: list[Block] = []
    start = 0
    for line in text.split("\n"):
        kind, plain = _kind(line, blocks)
        blocks.append(Block(kind, start, start + len(plain), page=more.get("page_from")))
        lines.append(plain)
        start += len(plain) + 1
    of_section = {key: more.pop(key) for key in _SECTION_FIELDS if key in more}
    whole = "\n".join(lines)
    section = Section(
        DocId(more.get("doc", f"{title}.md")),
        SectionPath("section"),
        "1",
        (heading,) if heading else (),
        1,
        whole,
        tuple(blocks),
        **of_section,
    )
    return Window(document(title, **more), section, 0, len(whole))


_SECTION_FIELDS = ("page_from", "page_to", "page_label", "anchor", "content_hash")


def _kind(line: str, before: Sequence[Block]) -> tuple[BlockKind, str]:
    if line.startswith("| "):
        in_table = before and before[-1].kind in (BlockKind.ROW, BlockKind.HEADER_ROW)
        return (BlockKind.ROW if in_table else BlockKind.HEADER_ROW), line.removeprefix("| ")
    if line.startswith("> "):
        return BlockKind.CODE, line.removeprefix("> ")
    return (BlockKind.ITEM if line.startswith("- ") else BlockKind.PARAGRAPH), line


def document(title: str = "Leave", **more: Any) -> Document:
    """A Markdown document of the source `handbook`."""
    doc = more.pop("doc", f"{title}.md")
    given = {"format": "markdown", "outcome": ParseOutcome.OK} | more
    return Document(DocId(doc), "handbook", doc, title, **given)


def day(year: int, month: int, number: int) -> datetime:
    """Midnight of a day, UTC."""
    return datetime(year, month, number, tzinfo=UTC)


def shown(*windows: Window) -> Mapping[str, Sequence[Window]]:
    """Windows under the short ids `D1.1`, `D2.1`, …"""
    return {f"D{number}.1": [window] for number, window in enumerate(windows, 1)}


def said(text: str, *quotes: str | tuple[str, str]) -> Decision:
    """An answer with these quotes, from `D1.1` unless another id is named."""
    pairs = [("D1.1", quote) if isinstance(quote, str) else quote for quote in quotes]
    return Decision(
        Action.ANSWER,
        quotes=tuple(Quote(*pair) for pair in pairs),
        answer=text,
        support=Support.STATED,
    )


def cited(number: int, quote: str, title: str = "Leave", **more: Any) -> Citation:
    """A citation of a section that holds nothing but the quote."""
    given = {"start": 0, "end": len(quote)} | more
    return Citation(
        number=number,
        source="handbook",
        doc=f"{title}.md",
        doc_id=DocId(title),
        title=title,
        section=("Parental leave",),
        section_path=SectionPath("section"),
        quote=quote,
        **given,
    )


def found(question: str, text: str, *citations: Citation, **more: Any) -> Finding:
    """A finding that answers."""
    given = {"outcome": Outcome.ANSWERED} | more
    return Finding(question, text=text, citations=citations, **given)


def missed(question: str, *places: tuple[str, str], **more: Any) -> Finding:
    """A finding of nothing, after a look at these (title, heading) places."""
    looked = tuple(LookedAt(f"{title}.md", title, (heading,)) for title, heading in places)
    given = {"outcome": Outcome.NOT_COVERED, "looked_at": looked} | more
    return Finding(question, **given)
