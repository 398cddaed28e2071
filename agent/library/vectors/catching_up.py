"""Works out the vectors that are missing, a batch at a time, beside everything else.

Each batch is kept at once, so that a run that is cut short is taken up where it was. What a model
made of a text is remembered by the text: a document that moved or was read again costs nothing.
"""

import asyncio
import base64
import binascii
import logging
from collections.abc import Callable, Sequence

from sqlalchemy.engine import Connection

from agent.caching import ContentCache
from agent.errors import ServiceUnreachable
from agent.library.vectors.keeping import (
    Pending,
    VectorState,
    from_bytes,
    put_vectors,
    read_pending,
    read_state,
    to_bytes,
)
from agent.ports import Embedder, Vector
from agent.store import Store

logger = logging.getLogger(__name__)

_BATCH = 64
LOOK_S = 5.0
"""Seconds between two looks for new texts."""
RETRY_S = 60.0
"""Seconds until an embedder that failed is asked again."""

OnProgress = Callable[[VectorState], None]


class CatchUp:
    """Brings the vectors in step with the library."""

    def __init__(self, store: Store, embedder: Embedder, cache: ContentCache) -> None:
        self._store = store
        self._embedder = embedder
        self._cache = cache

    async def state(self) -> VectorState:
        """How far it has come."""
        name, outside = self._embedder.name, self._embedder.outside
        return await self._store.read(lambda c: read_state(c, name, outside=outside))

    async def complete(self, on_progress: OnProgress | None = None) -> VectorState:
        """Work until no text is without its vector.

        Args:
            on_progress: is told how far it has come after each batch; must not block.

        Raises:
            ServiceUnreachable: the embedder does not answer; what was done is kept.
        """
        state = await self.state()
        after = 0
        while state.done < state.texts and (batch := await self._pending(after)):
            await self._embed(batch)
            after = batch[-1].stretch_id
            state = VectorState(state.texts, state.done + len(batch))
            if on_progress:
                on_progress(state)
        return await self.state()

    async def run(self) -> None:
        """Stay in step until cancelled; an embedder that fails is asked again after a minute."""
        failing = False
        while True:
            try:
                await self.complete()
            except ServiceUnreachable as error:
                if not failing:
                    logger.warning("vectors wait for it", extra={"problem": error.problem})
                failing = True
                await asyncio.sleep(RETRY_S)
                continue
            if failing:
                logger.warning("the embedder makes vectors again")
            failing = False
            await asyncio.sleep(LOOK_S)

    async def _pending(self, after: int) -> list[Pending]:
        name, outside = self._embedder.name, self._embedder.outside

        def work(connection: Connection) -> list[Pending]:
            return read_pending(connection, name, after=after, most=_BATCH, outside=outside)

        return await self._store.read(work)

    async def _embed(self, batch: Sequence[Pending]) -> None:
        model = self._embedder.name
        known = await asyncio.to_thread(self._remembered, batch)
        new = [each for each in batch if each.stretch_id not in known]
        if new:
            made = await self._embedder.embed([each.text for each in new])
            fresh = {each.stretch_id: vector for each, vector in zip(new, made, strict=True)}
            await asyncio.to_thread(self._remember, new, fresh)
            known |= fresh
        found = {each.stretch_id: (each.doc_id, known[each.stretch_id]) for each in batch}
        await self._store.write(lambda c: put_vectors(c, model, found))

    def _remembered(self, batch: Sequence[Pending]) -> dict[int, Vector]:
        model = self._embedder.name
        kept = {each.stretch_id: self._cache.get(each.key(model)) for each in batch}
        found = {number: _decoded(value) for number, value in kept.items()}
        return {number: vector for number, vector in found.items() if vector}

    def _remember(self, batch: Sequence[Pending], made: dict[int, Vector]) -> None:
        for each in batch:
            value = base64.b64encode(to_bytes(made[each.stretch_id])).decode()
            self._cache.put(each.key(self._embedder.name), value)


def _decoded(value: object) -> Vector:
    """A remembered vector; empty where there is none, or none that can be read."""
    if not isinstance(value, str):
        return ()
    try:
        return from_bytes(base64.b64decode(value, validate=True))
    except (binascii.Error, ValueError):
        return ()
