"""A process that is killed at any point leaves no question unanswered and none answered twice."""

import asyncio
import signal
import sys
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from agent.store import Store, open_store
from bots.conversation.question_store import QuestionStore
from bots.conversation.questions import State, StoredQuestion
from config.settings import ConversationSettings
from tests.edges.slack_server import SlackServer

PROGRAM = Path(__file__).with_name("slack_process.py")
ROOT = Path(__file__).parents[2]
PATIENCE_S = 60


@dataclass
class World:
    """A Slack, a database, and the processes that were started on them."""

    server: SlackServer
    database: str
    store: Store
    processes: list[asyncio.subprocess.Process] = field(default_factory=list)

    async def start(self, *, slow: bool = False) -> asyncio.subprocess.Process:
        """Start a process of ours and wait until it listens."""
        before = len(self.server.sockets)
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            str(PROGRAM),
            self.database,
            f"{self.server.url}/api/",
            "1" if slow else "0",
            cwd=ROOT,
            env={"PYTHONPATH": str(ROOT)},
        )
        self.processes.append(process)
        await self.until(lambda: len(self.server.sockets) > before)
        return process

    async def until(self, holds: Callable[[], bool]) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while not holds():  # noqa: ASYNC110 - what another process does has no event here
                await asyncio.sleep(0.02)

    async def question(self, ts: str) -> StoredQuestion:
        """The stored question of a message in C1."""
        found = await QuestionStore(self.store, ConversationSettings()).find_by_message(
            "slack", f"C1/{ts}"
        )
        assert found is not None
        return found

    async def until_state(self, ts: str, state: State) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while (await self.question(ts)).state is not state:  # noqa: ASYNC110 - same
                await asyncio.sleep(0.02)


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    server = SlackServer()
    await server.start()
    database = f"sqlite:///{tmp_path / 'footnote.db'}"
    world = World(server, database, open_store(database))
    yield world
    for process in world.processes:
        if process.returncode is None:
            process.kill()
            await process.wait()
    await server.stop()
    world.store.close()


async def killed(process: asyncio.subprocess.Process) -> None:
    process.kill()
    await process.wait()


async def test_killed_while_it_works(world: World) -> None:
    process = await world.start(slow=True)
    event = world.server.mention("C1", "U1", "How long?")
    await world.server.deliver(event)
    await world.until(lambda: len(world.server.statuses) == 1)

    await killed(process)
    await world.start()

    await world.until_state(event["ts"], State.POSTED)
    assert len(world.server.ours("C1")) == 1


@pytest.mark.parametrize("readable", [True, False])
async def test_killed_after_slack_took_the_reply_but_before_that_was_noted(
    world: World, readable: bool
) -> None:
    if readable:
        del world.server.refused["conversations.replies"]
    world.server.gates["chat.postMessage"] = asyncio.Event()
    process = await world.start()
    event = world.server.mention("C1", "U1", "How long?")
    await world.server.deliver(event)
    await world.until(lambda: len(world.server.called("chat.postMessage")) == 1)

    await killed(process)
    world.server.gates["chat.postMessage"].set()  # the reply arrives all the same
    await world.until(lambda: len(world.server.ours("C1")) == 1)
    await world.start()

    await world.until_state(event["ts"], State.POSTED)
    replies = [message.text for message in world.server.ours("C1")]
    if readable:
        assert len(replies) == 1
    else:
        assert replies == [replies[0], f"Again, as I was interrupted:\n{replies[0]}"]


async def test_asked_to_stop_it_hands_back_and_the_next_process_answers_at_once(
    world: World,
) -> None:
    process = await world.start(slow=True)
    event = world.server.mention("C1", "U1", "How long?")
    await world.server.deliver(event)
    await world.until(lambda: len(world.server.statuses) == 1)

    process.send_signal(signal.SIGTERM)
    assert await process.wait() == 0
    assert world.server.ours("C1") == []
    await world.start()

    await world.until_state(event["ts"], State.POSTED)
    assert len(world.server.ours("C1")) == 1


async def test_killed_at_random_moments_of_a_busy_hour(world: World) -> None:
    del world.server.refused["conversations.replies"]
    threads: list[str] = []
    for _ in range(2):
        process = await world.start()
        for number in range(6):
            event = world.server.mention("C1", f"U{number % 2 + 1}", f"Question {number}?")
            await world.server.deliver(event)
            threads.append(event["ts"])
        await killed(process)
    await world.start()

    for ts in threads:
        await world.until_state(ts, State.POSTED)
    replies = [message.thread_ts for message in world.server.ours("C1")]
    assert sorted(replies) == sorted(threads)
