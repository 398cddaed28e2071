"""Figures of the whole library that many questions share, kept until the library changes.

They choose weights and candidates for corrections only, so a large library's words may be a little
out of date; they are read by their first letter, as all of them take a second at 50,000 documents.
Nothing that is told to an asker comes from here without having been found in his scope.
"""

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

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
    vocabulary: dict[str, Mapping[str, int]] = field(default_factory=dict)
    stems: dict[str, Sequence[str]] = field(default_factory=dict)


class Statistics:
    """Row count and vocabulary of the index by version of the library."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._figures = _Figures(version=-1, rows=0)

    def rows(self, connection: Connection) -> int:
        """How many rows the index has."""
        return self._current(connection).rows

    def vocabulary(self, connection: Connection, letter: str) -> Mapping[str, int]:
        """The words the library knows that begin with a letter, with the rows they stand in.

        Of a large library as it was when less than a hundredth of it was different.
        """
        figures = self._current(connection)
        if letter not in figures.vocabulary:
            figures.vocabulary[letter] = fulltext_of(connection).vocabulary(connection, letter)
        return figures.vocabulary[letter]

    def stems(self, connection: Connection, letter: str) -> Sequence[str]:
        """The words the library knows that begin with a letter, sorted."""
        figures = self._current(connection)
        if letter not in figures.stems:
            figures.stems[letter] = sorted(self.vocabulary(connection, letter))
        return figures.stems[letter]

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
