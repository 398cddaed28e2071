"""What is written down of a question's rounds, and how long it is kept."""

from agent.trace.keeping import TraceStore, trace_store, traces
from agent.trace.lines import TraceLines
from agent.trace.rounds import (
    LeafTrace,
    ListedDocument,
    RoundText,
    RoundTrace,
    SeenSection,
    Trace,
    trace_of,
)

__all__ = [
    "LeafTrace",
    "ListedDocument",
    "RoundText",
    "RoundTrace",
    "SeenSection",
    "Trace",
    "TraceLines",
    "TraceStore",
    "trace_of",
    "trace_store",
    "traces",
]
