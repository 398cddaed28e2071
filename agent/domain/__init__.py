"""The words of the trade, as frozen values.

Nothing here does I/O or knows who calls it. Whoever learns these names can follow every other
module; a module that needs a new noun adds it here first (docs/architecture.md, Words).
"""

from agent.domain.answers import Answer, Citation, LookedAt, PartAnswer, Usage
from agent.domain.decisions import Action, Decision, Finding, Quote, Support
from agent.domain.documents import (
    PARSE_REASONS,
    Attachment,
    Block,
    BlockKind,
    CrossReference,
    DocId,
    Document,
    DocumentFacts,
    MapEntry,
    OutlineEntry,
    ParsedDocument,
    ParsedSection,
    ParseOutcome,
    Section,
    SectionPath,
    TextBlock,
)
from agent.domain.found import (
    Correction,
    Expansion,
    Passage,
    SearchResult,
    SourceState,
    Term,
    Window,
)
from agent.domain.outcomes import Outcome, StopReason
from agent.domain.questions import (
    Facts,
    Part,
    PartKind,
    PartProgress,
    PartState,
    Plan,
    ProgressEvent,
    Question,
    Stage,
)
from agent.domain.scope import WORKSPACE, Scope

__all__ = [
    "PARSE_REASONS",
    "WORKSPACE",
    "Action",
    "Answer",
    "Attachment",
    "Block",
    "BlockKind",
    "Citation",
    "Correction",
    "CrossReference",
    "Decision",
    "DocId",
    "Document",
    "DocumentFacts",
    "Expansion",
    "Facts",
    "Finding",
    "LookedAt",
    "MapEntry",
    "Outcome",
    "OutlineEntry",
    "ParseOutcome",
    "ParsedDocument",
    "ParsedSection",
    "Part",
    "PartAnswer",
    "PartKind",
    "PartProgress",
    "PartState",
    "Passage",
    "Plan",
    "ProgressEvent",
    "Question",
    "Quote",
    "Scope",
    "SearchResult",
    "Section",
    "SectionPath",
    "SourceState",
    "Stage",
    "StopReason",
    "Support",
    "Term",
    "TextBlock",
    "Usage",
    "Window",
]
