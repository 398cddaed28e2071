"""LIBRARY: the likely documents with their sections, within a budget that all share.

First come the headings that speak of the question, the more of it the earlier, and the neighbours
of what stands in TEXT; the rest of the room goes round, document by document, from their tops. The
order on the page is the documents' own. A heading that speaks of the question is never cut short.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from agent.cores.llm.fencing import on_one_line
from agent.domain import OutlineEntry, ParseOutcome, Term
from agent.ports import ShownDocument
from agent.text.words import index_terms

LIBRARY_CHARS = 2_400
_HEADING_CHARS = 60
_SUMMARY_CHARS = 100
_LEAST_SECTIONS = 3
_MORE_CHARS = 12
_NEIGHBOUR = 0.2
"""What standing beside a section in TEXT counts, as a share of the question spoken of."""
_SPEAKS = 0.1
"""Share of the question from which on a heading is never cut short."""


@dataclass(frozen=True, slots=True)
class _Line:
    """A section's line: of which document, the how-manieth, and how much speaks for it."""

    place: int
    at: int
    text: str
    worth: float
    depth: int


def library_lines(
    documents: Sequence[ShownDocument],
    in_text: Mapping[str, bool],
    terms: Sequence[Term],
    budget_chars: int = LIBRARY_CHARS,
) -> str:
    """The documents with their outlines, as much of them as the budget allows.

    Args:
        documents: the most likely first.
        in_text: ids of the sections that stand in TEXT, and whether as a whole.
        terms: of the question.
        budget_chars: for all of them; every document keeps its title and three sections whatever
            it is.
    """
    titles = [_title_line(document, in_text) for document in documents]
    lines = [
        line
        for place, document in enumerate(documents)
        for line in _lines(place, document, in_text, terms)
    ]
    room = budget_chars - sum(len(title) + _MORE_CHARS for title in titles)
    kept = _kept(lines, room)
    return "\n".join(
        row
        for place, title in enumerate(titles)
        for row in (title, *_outline([each for each in lines if each.place == place], kept))
    )


def _kept(lines: Sequence[_Line], room: int) -> set[_Line]:
    """The least that every document keeps, then what is worth most, while there is room."""
    ordered = _in_turn(lines)
    least = {line for turn, line in ordered if turn < _LEAST_SECTIONS}
    kept, left = least, room - sum(len(line.text) + 1 for line in least)
    for _, line in sorted(ordered, key=lambda one: (-one[1].worth, one[0], one[1].place)):
        if line not in kept and len(line.text) < left:
            left -= len(line.text) + 1
            kept.add(line)
    return kept


def _in_turn(lines: Sequence[_Line]) -> list[tuple[int, _Line]]:
    """Every line with its turn in its document: worth first, then from the top, level by level."""
    turns: dict[int, int] = {}
    ordered = []
    for line in sorted(lines, key=lambda one: (-one.worth, one.depth, one.at)):
        turn = turns.get(line.place, 0)
        turns[line.place] = turn + 1
        ordered.append((turn, line))
    return ordered


def _outline(lines: Sequence[_Line], kept: set[_Line]) -> Iterator[str]:
    there = [line for line in lines if line in kept]
    yield from (line.text for line in there)
    if len(there) < len(lines):
        yield f"  +{len(lines) - len(there)} more"


def _title_line(shown: ShownDocument, in_text: Mapping[str, bool]) -> str:
    document = shown.entry.document
    line = f"{shown.short_id} {on_one_line(document.title, 100)} ({on_one_line(document.doc, 120)})"
    if document.outcome is not ParseOutcome.OK:
        line += f" [{on_one_line(document.reason, 80)}]"
    if document.trust == "external":
        line += " [written by outsiders]"
    if any(each.startswith(f"{shown.short_id}.") for each in in_text):
        return line  # its own words stand in TEXT
    summary = on_one_line(shown.entry.summary, _SUMMARY_CHARS)
    return f"{line} – {summary}" if summary else line


def _lines(
    place: int, shown: ShownDocument, in_text: Mapping[str, bool], terms: Sequence[Term]
) -> Iterator[_Line]:
    near = _near(shown, in_text)
    known = frozenset(form for term in terms for form in (*term.forms, *term.parts, *term.kin))
    for number, section in enumerate(shown.entry.outline, start=1):
        short_id = f"{shown.short_id}.{number}"
        share = _share(section, terms, known)
        heading = on_one_line(_heading(section), None if share > _SPEAKS else _HEADING_CHARS)
        indent = "  " * max(1, min(section.level, 4))
        whole = in_text.get(short_id, False)
        worth = -1.0 if whole else share + _NEIGHBOUR * (number in near)
        text = f"{indent}{short_id} {heading} ({section.chars:,})"
        yield _Line(place, number, text, worth, section.level)


def _near(shown: ShownDocument, in_text: Mapping[str, bool]) -> set[int]:
    """Numbers of the sections in TEXT and of their neighbours."""
    prefix = f"{shown.short_id}."
    there = [int(each.removeprefix(prefix)) for each in in_text if each.startswith(prefix)]
    return {number + step for number in there for step in (-1, 0, 1)}


def _heading(section: OutlineEntry) -> str:
    return section.headings[-1] if section.headings else "(beginning)"


def _share(section: OutlineEntry, terms: Sequence[Term], known: frozenset[str]) -> float:
    """How much of the question a heading speaks of, 0 to 1; `known` are the forms of its terms."""
    forms = known.intersection(index_terms(_heading(section)))
    if not forms:
        return 0.0
    spoken = sum(term.weight * term.presence(forms) for term in terms)
    total = sum(term.weight for term in terms)
    return spoken / total if total else 0.0
