"""Figures of the whole library that many questions share, kept until the library changes.

They choose weights and candidates for corrections only, so a large library's words may be a little
out of date: reading them all takes a second at 50,000 documents. Nothing that is told to an asker
comes from here without having been found in his scope.
"""

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from agent.library.index.choice import fulltext_of
from agent.library.tables import library_state, stretches

LARGE = 20_000
DRIFT = 0.01


@dataclass(slots=True)
class _Figures:
    version: int
    rows: int
    rows_at_reading: int = 0
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
        """Every word the library knows, with the number of rows it stands in.

        Of a large library as it was when less than a hundredth of it was different.
        """
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
                rows = connection.execute(count).scalar_one()
                self._figures = _succeeding(self._figures, version, rows)
            return self._figures


def _succeeding(before: _Figures, version: int, rows: int) -> _Figures:
    """Figures of a new version, with the words of the old one where they will do."""
    if rows < LARGE or abs(rows - before.rows_at_reading) > DRIFT * rows:
        return _Figures(version, rows, rows)
    return replace(before, version=version, rows=rows)
