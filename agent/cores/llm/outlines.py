"""LIBRARY: the likely documents with their sections, within a budget.

Sections that are shown in TEXT come first with their neighbours, then those whose headings speak of
the question, then the rest from the top; the order on the page is the document's own. A heading
that speaks of the question is never cut.
"""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from agent.cores.llm.fencing import on_one_line
from agent.domain import OutlineEntry, ParseOutcome, Term
from agent.ports import ShownDocument
from agent.text.words import index_terms

LIBRARY_CHARS = 2_400
_HEADING_CHARS = 60
_SUMMARY_CHARS = 100
_LEAST_SECTIONS = 3


@dataclass(frozen=True, slots=True)
class _Line:
    at: int
    text: str
    rank: int


def library_lines(
    documents: Sequence[ShownDocument],
    in_text: AbstractSet[str],
    terms: Sequence[Term],
    budget_chars: int = LIBRARY_CHARS,
) -> str:
    """The documents with their outlines, as much of each as its share of the budget allows.

    Args:
        documents: the most likely first.
        in_text: ids of the sections that stand in TEXT.
        terms: of the question.
        budget_chars: for all of them; every document keeps its title line whatever it is.
    """
    parts, left = [], budget_chars
    for place, document in enumerate(documents):
        share = left // (len(documents) - place)
        part = _document(document, in_text, terms, share)
        parts.append(part)
        left = max(0, left - len(part))
    return "\n".join(parts)


def _document(
    shown: ShownDocument, in_text: AbstractSet[str], terms: Sequence[Term], budget: int
) -> str:
    head = _title_line(shown)
    lines = _lines(shown, in_text, terms)
    kept: list[_Line] = []
    left = budget - len(head)
    for line in sorted(lines, key=lambda line: (line.rank, line.at)):
        left -= len(line.text) + 1
        if left < 0 and len(kept) >= _LEAST_SECTIONS:
            break
        kept.append(line)
    more = len(lines) - len(kept)
    tail = [f"  +{more} more"] if more else []
    return "\n".join([head, *(line.text for line in sorted(kept, key=lambda one: one.at)), *tail])


def _title_line(shown: ShownDocument) -> str:
    document = shown.entry.document
    line = f"{shown.short_id} {on_one_line(document.title, 100)} ({on_one_line(document.doc, 120)})"
    if document.outcome is not ParseOutcome.OK:
        line += f" [{on_one_line(document.reason, 80)}]"
    if document.trust == "external":
        line += " [written by outsiders]"
    summary = on_one_line(shown.entry.summary, _SUMMARY_CHARS)
    return f"{line} – {summary}" if summary else line


def _lines(shown: ShownDocument, in_text: AbstractSet[str], terms: Sequence[Term]) -> list[_Line]:
    outline = shown.entry.outline
    near = _near(shown, in_text)
    lines = []
    for number, section in enumerate(outline, start=1):
        speaks = _speaks(section, terms)
        heading = on_one_line(_heading(section), None if speaks else _HEADING_CHARS)
        indent = "  " * max(1, min(section.level, 4))
        text = f"{indent}{shown.short_id}.{number} {heading} ({section.chars:,})"
        rank = 0 if number in near else 1 if speaks else 1 + section.level
        lines.append(_Line(number, text, rank))
    return lines


def _near(shown: ShownDocument, in_text: AbstractSet[str]) -> set[int]:
    """Numbers of the sections in TEXT and of their neighbours."""
    prefix = f"{shown.short_id}."
    there = [int(each.removeprefix(prefix)) for each in in_text if each.startswith(prefix)]
    return {number + step for number in there for step in (-1, 0, 1)}


def _heading(section: OutlineEntry) -> str:
    return section.headings[-1] if section.headings else "(beginning)"


def _speaks(section: OutlineEntry, terms: Sequence[Term]) -> bool:
    forms = set(index_terms(_heading(section)))
    return any(term.presence(forms) >= 1.0 and term.rarity > 0.3 for term in terms)
