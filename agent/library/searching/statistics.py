"""Figures of the whole library that many questions share, kept until the library changes.

They choose weights and candidates for corrections only. Nothing that is told to an asker comes
from here without having been found in his scope.
"""

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from agent.library.index.choice import fulltext_of
from agent.library.tables import library_state, stretches


@dataclass(slots=True)
class _Figures:
    version: int
    rows: int
    vocabulary: Mapping[str, int] | None = None
    stems: Sequence[str] | None = None


class Statistics:
    """Row count and vocabulary of the index by version of the library."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._figures = _Figures(version=-1, rows=0)

    def rows(self, connection: Connection) -> int:
        """How many rows the index has."""
        return self._current(connection).rows

    def vocabulary(self, connection: Connection) -> Mapping[str, int]:
        """Every word the library knows, with the number of rows it stands in."""
        figures = self._current(connection)
        if figures.vocabulary is None:
            figures.vocabulary = fulltext_of(connection).vocabulary(connection)
        return figures.vocabulary

    def stems(self, connection: Connection) -> Sequence[str]:
        """Every word the library knows, sorted."""
        figures = self._current(connection)
        if figures.stems is None:
            figures.stems = sorted(self.vocabulary(connection))
        return figures.stems

    def _current(self, connection: Connection) -> _Figures:
        version: int = connection.scalar(sa.select(library_state.c.version)) or 0
        with self._lock:
            if self._figures.version != version:
                count = sa.select(sa.func.count()).select_from(stretches)
                self._figures = _Figures(version, connection.execute(count).scalar_one())
            return self._figures
