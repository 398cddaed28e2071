"""How an answer was found: one sentence a round, of the places the reader may still read."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from agent.domain import Scope
from agent.ports import Library
from agent.trace import RoundTrace, SeenSection, Trace
from bots.problem import Problem


class Traces(Protocol):
    """Where traces are kept; in production `agent.trace.TraceStore`."""

    async def find(self, trace_id: str) -> Trace | None:
        """A trace by its id; None where there is none or it was forgotten."""
        ...


@dataclass(frozen=True, slots=True)
class ShownRound:
    """One round as a page tells it.

    Attributes:
        leaf: number of the part it belongs to, from 1.
        seen: sections that were shown, grouped by document, as (title, headings).
        action: what was decided; empty where no usable decision came back.
        end: the stop reason, where the work on the part ended here.
    """

    leaf: int
    number: int
    seen: tuple[tuple[str, tuple[str, ...]], ...]
    action: str
    targets: tuple[str, ...]
    query: str
    quotes: int
    end: str
    tokens: int
    ms: int


async def rounds_of(
    traces: Traces, library: Library, scope: Scope, trace_id: str
) -> tuple[ShownRound, ...]:
    """The rounds of an answer given in this scope, checked against what the scope reads today.

    Raises:
        Problem: 404, there is no such trace in this scope, or it was forgotten.
    """
    trace = await traces.find(trace_id)
    if trace is None or trace.scope_key != scope.key:
        raise Problem(404, "There is no record of that.", "Ask again to see how it is found.")
    ids = list(dict.fromkeys(seen.doc_id for each in trace.rounds for seen in each.seen))
    readable = {entry.document.doc_id for entry in await library.read_map(scope, ids)}
    return tuple(
        _shown(each, [seen for seen in each.seen if seen.doc_id in readable])
        for each in trace.rounds
    )


def _shown(each: RoundTrace, seen: Sequence[SeenSection]) -> ShownRound:
    titles = {place.section_id: _place(place) for place in seen}
    return ShownRound(
        leaf=each.leaf,
        number=each.round,
        seen=_by_document(seen),
        action=each.action,
        targets=tuple(titles[target] for target in each.targets if target in titles),
        query=each.text.query,
        quotes=each.quotes,
        end=each.end,
        tokens=each.tokens,
        ms=each.ms,
    )


def _place(seen: SeenSection) -> str:
    return " › ".join((seen.title, *seen.section[-1:]))


def _by_document(seen: Sequence[SeenSection]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    found: dict[str, list[str]] = {}
    for place in seen:
        found.setdefault(place.title, []).append(place.section[-1] if place.section else "")
    return tuple((title, tuple(filter(None, headings))) for title, headings in found.items())
