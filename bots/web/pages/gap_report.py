"""Gaps as those who write documents read them: alike questions together, the most asked first.

Only questions asked in the scope of the reader are shown, and none of a direct conversation.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Protocol

from agent.domain import Scope
from agent.gaps import Gap
from agent.text.words import query_terms

_ALIKE = 0.6
_READ = 1_000


class Gaps(Protocol):
    """Where gaps are kept; in production `agent.gaps.GapList`."""

    async def newest(self, limit: int = 100) -> list[Gap]:
        """The newest gaps, newest first."""
        ...


@dataclass(frozen=True, slots=True)
class GapGroup:
    """Questions that ask much the same.

    Attributes:
        question: as it was asked last.
        count: how often it was asked.
        nearest_title, nearest_doc: the document that came nearest; empty where none did.
    """

    question: str
    count: int
    last_asked: datetime | None
    nearest_title: str
    nearest_doc: str


async def gap_groups(gaps: Gaps, scope: Scope) -> list[GapGroup]:
    """The gaps of a scope, grouped by likeness, the most asked first."""
    newest = await gaps.newest(_READ)
    shown = [gap for gap in newest if gap.scope_key == scope.key and not gap.direct]
    return grouped(shown)


def grouped(gaps: Sequence[Gap]) -> list[GapGroup]:
    """Alike questions together; the order of equals stays, newest first."""
    groups: list[GapGroup] = []
    asked: list[frozenset[str]] = []
    for gap in gaps:
        terms = frozenset(term.key for term in query_terms(gap.question))
        place = next((at for at, other in enumerate(asked) if _alike(terms, other)), None)
        if place is None:
            asked.append(terms)
            groups.append(GapGroup(gap.question, 1, gap.at, gap.nearest_title, gap.nearest_doc))
        else:
            groups[place] = replace(groups[place], count=groups[place].count + 1)
    return sorted(groups, key=lambda group: -group.count)


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    """The same words that carry meaning, or at least two and most of them."""
    both = len(one & other)
    return one == other or (both > 1 and both / len(one | other) >= _ALIKE)
