"""A trace for `footnote ask --trace`: sentences for people, the whole of it for programs."""

from collections.abc import Iterator, Sequence
from typing import Any

from pydantic import TypeAdapter
from rich.console import Group, RenderableType
from rich.text import Text

from agent.trace import RoundTrace, SeenSection, Trace
from bots.phrases import phrase
from bots.terminal.views import visible

_TRACE = TypeAdapter(Trace)
_DONE = {
    "answer": "Answered with {quotes} from {targets}",
    "read": "Opened {targets}",
    "search": "Searched again for “{query}”",
    "clarify": "Asked back",
    "not_covered": "Found nothing that answers",
    "": "No usable decision came back",
}


def trace_object(trace: Trace) -> dict[str, Any]:
    """The whole trace as JSON-ready values."""
    shown: dict[str, Any] = _TRACE.dump_python(trace, mode="json", exclude={"scope"})
    return shown


def trace_view(trace: Trace) -> RenderableType:
    """The rounds of the trace, oldest first, then why it ended."""
    lines = [Text(f"\nHow this was found (trace {trace.trace_id})", style="bold")]
    lines += [line for entry in trace.rounds for line in _round(entry, _titles(trace))]
    if trace.stop_reason:
        lines.append(Text(phrase("en", f"web.stop_{trace.stop_reason}")))
    return Group(*lines)


def _titles(trace: Trace) -> dict[str, str]:
    places = (each for entry in trace.rounds for each in entry.seen)
    return {each.section_id: " › ".join((each.title, *each.section[-1:])) for each in places}


def _round(entry: RoundTrace, titles: dict[str, str]) -> Iterator[Text]:
    part = f"Part {entry.leaf}, round" if entry.leaf > 1 else "Round"
    targets = dict.fromkeys(titles.get(target, target) for target in entry.targets)
    quotes = "1 quote" if entry.quotes == 1 else f"{entry.quotes} quotes"
    did = _DONE[entry.action].format(
        quotes=quotes, targets="; ".join(targets) or "nothing", query=entry.text.query
    )
    cost = f"{entry.ms} ms, {entry.tokens:,} tokens" if entry.tokens else f"{entry.ms} ms"
    yield Text(visible(f"{part} {entry.round}: {did}. ({cost})"))
    for label, said in (("because", entry.text.reason), ("missing", entry.text.missing)):
        if said:
            yield Text(visible(f"  {label}: {said}"), style="dim")
    if entry.round == 1 and entry.text.words:
        yield Text(visible(f"  searched in these words too: {entry.text.words}"), style="dim")
    if entry.text.note:
        yield Text(visible(f"  it had been told: {entry.text.note}"), style="dim")
    yield Text(visible(f"  before it: {_in_view(entry)}"), style="dim")


def _in_view(entry: RoundTrace) -> str:
    seen = "; ".join(_by_document(entry.seen)) or "no section"
    outlines = f" · {len(entry.listed)} outlines" if entry.listed else ""
    kept = f" · {entry.kept} kept quotes" if entry.kept else ""
    return f"{seen}{outlines}{kept} · {entry.coverage:.0%} of the question's words found"


def _by_document(seen: Sequence[SeenSection]) -> Iterator[str]:
    headings: dict[str, list[str]] = {}
    for each in seen:
        headings.setdefault(each.doc, []).extend(each.section[-1:])
    for doc, found in headings.items():
        yield f"{doc} ({', '.join(found)})" if found else doc
