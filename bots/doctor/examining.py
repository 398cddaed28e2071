"""The order of the checks, and which of them a word asks for."""

import asyncio
from collections.abc import Awaitable, Callable

from agent.errors import FootnoteError
from agent.store import Store, open_store
from bots.doctor import model, platforms, recognition, sources, store
from bots.doctor.checks import Check, failed
from config.settings import Settings

_Look = Callable[[Settings], Awaitable[list[Check]]]
_LookAtStore = Callable[[Store, Settings], Awaitable[list[Check]]]

PARTS = ("store", "sources", "ocr", "model", "embedder", "reranker", "slack", "teams")
"""What can be asked for by name, in the order of a whole examination."""


async def examine(settings: Settings, part: str | None = None) -> list[Check]:
    """Every check, or those of one part.

    Args:
        settings: what is to be examined.
        part: a word of `PARTS`; None: all.
    """
    checks = []
    for name in PARTS if part is None else (part,):
        of_store = _OF_STORE.get(name)
        checks += await (_with_store(settings, of_store) if of_store else _ALONE[name](settings))
    return checks


async def _with_store(settings: Settings, look: _LookAtStore) -> list[Check]:
    try:
        opened = await asyncio.to_thread(open_store, settings.store_url)
    except FootnoteError as error:
        return [failed("store", error.problem, error.hint)]
    try:
        return await look(opened, settings)
    finally:
        opened.close()


_OF_STORE: dict[str, _LookAtStore] = {"store": store.look, "sources": sources.look}
_ALONE: dict[str, _Look] = {
    "ocr": recognition.look,
    "model": model.model,
    "embedder": model.embedder,
    "reranker": model.reranker,
    "slack": platforms.slack,
    "teams": platforms.teams,
}
