"""Search by meaning as the library uses it: a question's vector, and what lies near it.

An embedder that fails costs nothing but its share of the search: after three failures it is left
alone for a minute, and questions are searched by words.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy.engine import Connection

from agent.cores.llm.breaker import Breaker
from agent.domain import Scope
from agent.errors import ServiceUnreachable
from agent.library.vectors.index import Near, VectorIndex
from agent.ports import Embedder, Vector

logger = logging.getLogger(__name__)

_NEAREST = 50
"""So many of the nearest stretches are looked at beside those found by words."""


@dataclass(frozen=True, slots=True)
class Meant:
    """A question as a point among the library's texts."""

    vector: Vector
    index: VectorIndex

    def near(self, connection: Connection, scope: Scope) -> Near | None:
        """What lies near it in scope; None where too little of the scope has vectors."""
        return self.index.nearest(connection, scope, self.vector, _NEAREST)


class Meaning:
    """Finds out where questions lie."""

    def __init__(self, embedder: Embedder, breaker: Breaker | None = None) -> None:
        self._embedder = embedder
        self._breaker = breaker or Breaker(_tell)
        self._index = VectorIndex(embedder.name)

    async def of(self, questions: Sequence[str]) -> list[Meant]:
        """The places of questions; none while the embedder fails."""
        if not self._breaker.allows():
            return []
        try:
            vectors = await self._embedder.embed(questions, asked=True)
        except ServiceUnreachable as error:
            self._breaker.failed()
            logger.warning("searched by words alone", extra={"problem": error.problem})
            return []
        self._breaker.succeeded()
        return [Meant(vector, self._index) for vector in vectors]


def _tell(open_now: bool) -> None:
    if open_now:
        logger.error("the embedder keeps failing: questions are searched by words alone")
    else:
        logger.warning("the embedder answers again")
