"""A trace for `footnote ask --trace`: one entry a round, for people and for programs."""

from collections.abc import Iterator
from typing import Any

from pydantic import TypeAdapter
from rich.console import Group, RenderableType
from rich.text import Text

from agent.trace import RoundTrace, Trace
from bots.terminal.views import visible

_TRACE = TypeAdapter(Trace)


def trace_object(trace: Trace) -> dict[str, Any]:
    """The whole trace as JSON-ready values."""
    shown: dict[str, Any] = _TRACE.dump_python(trace, mode="json")
    return shown


def trace_view(trace: Trace) -> RenderableType:
    """The rounds of the trace, oldest first."""
    lines = [Text(f"\nTrace {trace.trace_id}", style="bold")]
    lines += [line for entry in trace.rounds for line in _round(entry)]
    ended = f"ended: {trace.outcome}"
    lines.append(Text(f"{ended} ({trace.stop_reason})" if trace.stop_reason else ended))
    return Group(*lines)


def _round(entry: RoundTrace) -> Iterator[Text]:
    part = f"part {entry.leaf}, " if entry.leaf > 1 else ""
    did = entry.action or "no usable decision"
    words = [f"{part}round {entry.round}: {did}"]
    if entry.text.query:
        words.append(f"for “{entry.text.query}”")
    if entry.targets:
        words.append(f"from {', '.join(entry.targets)}")
    yield Text(visible(" ".join(words)) + f" · {entry.ms} ms, {entry.tokens} tokens")
    if entry.text.reason:
        yield Text(visible(f"  because: {entry.text.reason}"), style="dim")
    if entry.text.note:
        yield Text(f"  told: {entry.text.note}", style="dim")
    for seen in entry.seen:
        place = " › ".join((seen.title, *seen.section))
        yield Text(visible(f"  saw {seen.section_id} {place} ({seen.doc})"), style="dim")
