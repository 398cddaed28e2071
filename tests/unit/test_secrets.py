"""Secrets of our own making: there when first asked for, and the same ever after."""

import asyncio
from pathlib import Path

from agent.store import open_store
from agent.store.secrets import own_secret


async def test_a_secret_outlives_a_restart(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'footnote.db'}"
    before = open_store(url)
    made = await own_secret(before, "links")
    before.close()

    after = open_store(url)
    kept = await own_secret(after, "links")
    after.close()

    assert kept == made
    assert len(made) == 32


async def test_each_name_has_its_own(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path / 'footnote.db'}")

    assert await own_secret(store, "links") != await own_secret(store, "another")

    store.close()


async def test_two_who_ask_at_once_get_the_same(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'footnote.db'}"
    one, other = open_store(url), open_store(url)

    found = await asyncio.gather(own_secret(one, "links"), own_secret(other, "links"))

    assert found[0] == found[1]
    one.close()
    other.close()
