"""The Slack bot against a Slack of our own, through the real slack_bolt and its Socket Mode client."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from pydantic import SecretStr

from agent.store import Store, open_store
from bots.clock import SystemClock
from bots.conversation import Conversation
from bots.slack.app import Slack, build_slack
from config.settings import AdminSettings, Settings, SlackSettings
from tests.chat_fakes import (
    MemoryJobs,
    ScriptedAssistant,
    SwiftClock,
)
from tests.edges.slack_server import SlackServer


@dataclass
class Bot:
    """One process of ours."""

    slack: Slack
    conversation: Conversation
    assistant: ScriptedAssistant
    jobs: MemoryJobs

    async def stop(self) -> None:
        await self.slack.stop()
        await self.conversation.stop()
        await self.slack.close()


@dataclass
class World:
    """A Slack, and the processes of ours that listen to it."""

    server: SlackServer
    store: Store
    running: list[Bot]

    async def bot(
        self,
        assistant: ScriptedAssistant | None = None,
        *,
        clock: SystemClock | SwiftClock | None = None,
        jobs: MemoryJobs | None = None,
        **settings: object,
    ) -> Bot:
        """Start a process of ours."""
        assistant = assistant or ScriptedAssistant()
        jobs = jobs or MemoryJobs()
        whole = Settings(
            slack=SlackSettings(
                bot_token=SecretStr("xoxb-test"),
                app_token=SecretStr("xapp-test"),
                api_url=f"{self.server.url}/api/",
            ),
            admins=AdminSettings(slack=("UADMIN",)),
            **settings,  # type: ignore[arg-type]  # groups by name
        )
        clock = clock or SystemClock()
        conversation = Conversation(assistant, jobs, self.store, whole, clock)
        slack = build_slack(whole, conversation, clock)
        await conversation.start()
        await slack.start()
        bot = Bot(slack, conversation, assistant, jobs)
        self.running.append(bot)
        return bot


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    server = SlackServer()
    await server.start()
    store = open_store(f"sqlite:///{tmp_path / 'footnote.db'}")
    world = World(server, store, [])
    try:
        yield world
    finally:
        for bot in world.running:
            await bot.stop()
        await server.stop()
        store.close()


async def test_a_mention_is_answered_in_its_thread_with_footnotes(world: World) -> None:
    await world.bot()

    event = world.server.mention("C1", "U1", "How long is parental leave?")
    await world.server.deliver(event)
    await world.server.until(lambda: len(world.server.ours("C1")) == 1)

    reply = world.server.ours("C1")[0]
    assert reply.thread_ts == event["ts"]
    assert "All employees get 14 weeks." in reply.text
    assert "People handbook › Leave › Parental leave" in reply.text
    assert [block["type"] for block in reply.blocks] == ["rich_text", "context"]
