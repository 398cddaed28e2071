"""What is written down of a question's rounds, and how long it is kept."""

from agent.trace.keeping import TraceStore, traces
from agent.trace.rounds import LeafTrace, RoundText, RoundTrace, SeenSection, Trace, trace_of

__all__ = [
    "LeafTrace",
    "RoundText",
    "RoundTrace",
    "SeenSection",
    "Trace",
    "TraceStore",
    "trace_of",
    "traces",
]
