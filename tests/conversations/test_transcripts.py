"""Plays every chat in this folder through Slack and the whole bot, without a model.

A chat is a text file that a colleague can write. `ann: @Footnote …` is a mention in a channel,
`ann> …` a direct message, `ann/ …` the words after /reindex; `bot:` is what stands in the thread
then, `bot (to ann):` what only she sees. Lines that go on are indented; blank ones do not count.
"""

import asyncio
import shutil
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from pydantic import SecretStr

from bots.app import open_engine
from bots.clock import SystemClock
from bots.conversation import Conversation
from bots.slack.app import build_slack
from config.settings import (
    AdminSettings,
    ChannelSettings,
    Settings,
    SlackSettings,
    SourceSettings,
)
from tests.edges.slack_server import US, SlackServer

HERE = Path(__file__).parent
TRANSCRIPTS = sorted(HERE.glob("*.txt"))
PEOPLE = {"ann": "U1", "bob": "U2", "admin": "UADMIN"}
_INDENT = "    "


@dataclass
class Stage:
    """A Slack and the whole bot, and what was said so far."""

    server: SlackServer
    conversation: Conversation
    lines: list[str] = field(default_factory=list)
    threads: dict[str, str] = field(default_factory=dict)
    """The thread in which each person wrote last, by `name` for mentions."""

    async def play(self, line: str) -> None:
        """Let somebody say a line and write down what the bot says to it."""
        seen = {channel: len(self.server.ours(channel)) for channel in self._channels()}
        private = len(self.server.ephemerals)
        responses = len(self.server.responses)
        self.lines.append(line)
        await self._say(line)
        async with asyncio.timeout(60):
            await self.conversation.settled()
        for channel in self._channels():
            for message in self.server.ours(channel)[seen.get(channel, 0) :]:
                to = "" if channel == "C1" else f" (to {_name(channel[1:])})"
                self._write(f"bot{to}", message.text)
        for notice in self.server.ephemerals[private:]:
            self._write(f"bot (to {_name(notice['user'])})", notice["text"])
        for response in self.server.responses[responses:]:
            self._write(f"bot (to {line.split('/')[0]})", response["text"])

    async def _say(self, line: str) -> None:
        for name, user in PEOPLE.items():
            if line.startswith(f"{name}/"):
                await self.server.slash("C1", user, line.removeprefix(f"{name}/").strip())
            elif line.startswith(f"{name}>"):
                text = line.removeprefix(f"{name}>").strip()
                await self.server.deliver(self.server.write(f"D{user}", user, text))
            elif line.startswith(f"{name}:"):
                await self._say_in_channel(name, line.removeprefix(f"{name}:").strip())

    async def _say_in_channel(self, name: str, said: str) -> None:
        """A mention opens a thread; what begins with `…` goes on in the last one."""
        user, goes_on = PEOPLE[name], said.startswith("…")
        text = said.lstrip("… ").replace("@Footnote", f"<@{US}>")
        more = {"thread_ts": self.threads["last"]} if goes_on else {}
        event = self.server.write("C1", user, text, **more)
        self.threads["last"] = self.threads["last"] if goes_on else event["ts"]
        await self.server.deliver(event)
        if f"<@{US}>" in text:
            await self.server.deliver({**event, "type": "app_mention"})

    def _channels(self) -> list[str]:
        return ["C1", *(f"D{user}" for user in PEOPLE.values())]

    def _write(self, who: str, text: str) -> None:
        first, *rest = text.split("\n")
        self.lines.append(f"{who}: {first}")
        self.lines += [f"{_INDENT}{line}" for line in rest if line.strip()]


def _name(user: str) -> str:
    return next(name for name, known in PEOPLE.items() if known == user)


def settings_in(data: Path) -> Settings:
    source = SourceSettings(
        name="handbook",
        path=HERE / "library",
        audience=("workspace",),
        contact="#people-help",
    )
    return Settings(
        data_dir=data,
        sources=(source,),
        admins=AdminSettings(slack=("UADMIN",)),
        channels={"default": ChannelSettings(follow_ups=True)},
    )


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder that holds this folder's own little library, read once for all chats."""

    async def read() -> None:
        async with open_engine(settings_in(data)) as engine:
            await engine.jobs.run()

    data = tmp_path_factory.mktemp("library")
    asyncio.run(read())
    return data


@pytest.fixture
async def stage(library: Path, tmp_path: Path) -> AsyncIterator[Stage]:
    shutil.copytree(library, tmp_path / "data")
    server = SlackServer()
    await server.start()
    slack_settings = SlackSettings(
        bot_token=SecretStr("xoxb-test"),
        app_token=SecretStr("xapp-test"),
        api_url=f"{server.url}/api/",
    )
    settings = settings_in(tmp_path / "data").model_copy(update={"slack": slack_settings})
    async with open_engine(settings) as engine:
        conversation = Conversation(engine.assistant, engine.jobs, engine.store, settings)
        slack = build_slack(settings, conversation, SystemClock())
        await conversation.start()
        await slack.start()
        yield Stage(server, conversation)
        await slack.stop()
        await conversation.stop()
        await slack.close()
    await server.stop()


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
async def test_conversation(path: Path, stage: Stage) -> None:
    written = path.read_text(encoding="utf-8").splitlines()
    expected = [line for line in written if line.strip()]

    for line in expected:
        if line.startswith(tuple(PEOPLE)):
            await stage.play(line)
        elif line.startswith("#"):
            stage.lines.append(line)

    assert stage.lines == expected
