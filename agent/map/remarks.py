"""One row of the map check: what will answer badly, and what its owner can do about it."""

from dataclasses import dataclass
from typing import Literal

from agent.domain import MapEntry

Kind = Literal[
    "not_readable",
    "partial",
    "recognised",
    "no_text",
    "poor_title",
    "no_sections",
    "generic_headings",
    "page_blocks",
    "giant_section",
    "many_sections",
    "hidden_text",
    "stale_copy",
    "older_version",
    "duplicate_title",
    "contradiction",
]


@dataclass(frozen=True, slots=True)
class MapRemark:
    """One row of the map check: which document, what kind of trouble, what to do."""

    doc: str
    kind: Kind
    says: str
    fix: str


def remark(entry: MapEntry, kind: Kind, says: str, fix: str) -> MapRemark:
    """A remark on a document of the map."""
    return MapRemark(entry.document.doc, kind, says, fix)
