"""The vectors in memory, and which stretches of a scope come nearest to a question.

Brute force: 9,000 vectors take a millisecond, 150,000 twenty. Nearness is told in standard
deviations above the mean of the scope, as a cosine says little by itself.
"""

import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from agent.domain import Scope
from agent.library.scoping import visible
from agent.library.tables import documents, library_state, stretches, vectors
from agent.ports import Vector

if TYPE_CHECKING:
    import numpy as np

ENOUGH = 0.9
"""Share of a scope's stretches that must have a vector; with fewer the others were passed by."""
RELOAD_S = 5.0
_SCOPES = 32
_IDS_AT_ONCE = 5_000

Version = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Near:
    """How near the stretches of a scope are to one question.

    Attributes:
        best: ids of the nearest, nearest first.
    """

    best: tuple[int, ...]
    _places: Mapping[int, int]
    _nearness: "np.ndarray[Any, Any]"

    def of(self, stretch_ids: Iterable[int]) -> dict[int, float]:
        """Standard deviations above the mean, those below it 0; 0 for what has no vector."""
        found = {}
        for number in stretch_ids:
            place = self._places.get(number)
            found[number] = 0.0 if place is None else max(0.0, float(self._nearness[place]))
        return found


@dataclass(frozen=True, slots=True)
class _Loaded:
    """All vectors of the model, row by row."""

    version: Version
    at: float
    ids: tuple[int, ...]
    doc_ids: tuple[str, ...]
    places: Mapping[int, int]
    matrix: "np.ndarray[Any, Any]"


class VectorIndex:
    """Vectors of one model, read again when they change."""

    def __init__(self, model: str) -> None:
        self._model = model
        self._lock = threading.Lock()
        self._loaded: _Loaded | None = None
        self._scopes: dict[tuple[Version, str], np.ndarray[Any, Any] | None] = {}

    def nearest(
        self, connection: Connection, scope: Scope, asked: Vector, most: int
    ) -> Near | None:
        """The stretches of the scope by their nearness; None where too few have a vector.

        Args:
            connection: a read transaction.
            scope: applied before anything is compared.
            asked: vector of the question.
            most: length of `best`.
        """
        import numpy as np

        with self._lock:
            loaded = self._current(connection)
            seen = self._visible(connection, scope, loaded)
        question = np.asarray(asked, dtype=np.float32)
        if seen is None or loaded.matrix.shape[1] != question.shape[0]:
            return None
        cosines = loaded.matrix @ (question / max(float(np.linalg.norm(question)), 1e-9))
        inside = cosines[seen]
        nearness = (cosines - inside.mean()) / max(float(inside.std()), 1e-9)
        nearness[~seen] = 0.0
        ranked = np.flatnonzero(seen)[np.argsort(-inside, kind="stable")[:most]]
        best = tuple(loaded.ids[place] for place in ranked)
        return Near(best, loaded.places, nearness)

    def _current(self, connection: Connection) -> _Loaded:
        state = sa.select(library_state.c.version, library_state.c.vectors_version)
        version: Version = tuple(connection.execute(state).one())
        before = self._loaded
        if before and (before.version == version or monotonic() - before.at < RELOAD_S):
            return before
        self._loaded = self._load(connection, version, before)
        self._scopes = {}
        return self._loaded

    def _load(self, connection: Connection, version: Version, before: _Loaded | None) -> _Loaded:
        """What is there now; vectors that were there before are not read again."""
        import numpy as np

        rows = connection.execute(
            sa.select(vectors.c.stretch_id, vectors.c.doc_id)
            .where(vectors.c.model == self._model)
            .order_by(vectors.c.stretch_id)
        ).all()
        ids = tuple(row.stretch_id for row in rows)
        known = before.places if before else {}
        new = self._read(connection, [number for number in ids if number not in known])
        size = next((len(vector) for vector in new.values()), 0)
        size = size or (before.matrix.shape[1] if before else 0)
        matrix = np.zeros((len(ids), size), dtype=np.float32)
        for place, number in enumerate(ids):
            vector = new.get(number)
            if vector is None and before is not None:
                matrix[place] = before.matrix[before.places[number]]
            elif vector is not None and len(vector) == size:
                matrix[place] = vector
        places = {number: place for place, number in enumerate(ids)}
        return _Loaded(version, monotonic(), ids, tuple(r.doc_id for r in rows), places, matrix)

    def _read(self, connection: Connection, ids: list[int]) -> dict[int, "np.ndarray[Any, Any]"]:
        import numpy as np

        found: dict[int, np.ndarray[Any, Any]] = {}
        for start in range(0, len(ids), _IDS_AT_ONCE):
            some = ids[start : start + _IDS_AT_ONCE]
            rows = connection.execute(
                sa.select(vectors.c.stretch_id, vectors.c.vector).where(
                    vectors.c.stretch_id.between(some[0], some[-1]), vectors.c.model == self._model
                )
            )
            for row in rows:
                vector = np.frombuffer(row.vector, dtype="<f2").astype(np.float32)
                found[row.stretch_id] = vector / max(float(np.linalg.norm(vector)), 1e-9)
        return found

    def _visible(
        self, connection: Connection, scope: Scope, loaded: _Loaded
    ) -> "np.ndarray[Any, Any] | None":
        """Which rows are in scope; None where too few of the scope's stretches have a vector."""
        import numpy as np

        version: int = connection.execute(sa.select(library_state.c.version)).scalar_one()
        key = ((version, loaded.version[1]), scope.key)
        if key not in self._scopes:
            if len(self._scopes) >= _SCOPES:
                self._scopes.clear()
            counted = connection.execute(
                sa.select(documents.c.doc_id, sa.func.count())
                .join(stretches, stretches.c.doc_id == documents.c.doc_id)
                .where(visible(scope))
                .group_by(documents.c.doc_id)
            ).all()
            inside = {row[0]: row[1] for row in counted}
            seen = np.array([doc_id in inside for doc_id in loaded.doc_ids], dtype=bool)
            enough = inside and seen.sum() >= ENOUGH * sum(inside.values())
            self._scopes[key] = seen if enough else None
        return self._scopes[key]
