"""`footnote run`: both listeners, Slack and Teams, and the sync beside them, until stopped.

The listeners are up before the first sync, so that health can be asked from the first second;
`/readyz` says when questions can be answered.
"""

import asyncio
import signal
from collections.abc import AsyncIterator, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from aiohttp import web
from rich.console import Console
from rich.markup import escape

from agent.domain import WORKSPACE, Question
from agent.errors import ConfigError
from agent.library.unscoped import UnscopedReading
from agent.store.secrets import own_secret
from bots.app import Engine, open_engine
from bots.clock import SystemClock
from bots.conversation import Conversation
from bots.greeting import greeting
from bots.links import LinkingAnswerer, SourceLinks
from bots.ports import Incoming
from bots.terminal.batch import read_lines
from bots.terminal.commandline import progress_console
from bots.terminal.syncing import bring_in_step
from bots.terminal.views import StatusLine, answer_view, visible
from bots.web.deps import PrivateDeps
from bots.web.metrics import MeasuredAnswerer, Metrics
from bots.web.private import build_private
from bots.web.problems import Handler
from bots.web.public import build_public
from config import logs
from config.settings import PrivateSettings, PublicSettings, Settings

if TYPE_CHECKING:
    from bots.slack.app import Slack
    from bots.teams.app import TeamsApp


_LISTENER_CLOSES_S = 5.0
"""Seconds that open requests get when the process is stopped."""


async def serve(settings: Settings, first_question: Path | None = None) -> None:
    """Serve until SIGINT or SIGTERM.

    Args:
        settings: the whole configuration.
        first_question: a file of questions whose first is shown answered once the sync is done.

    Raises:
        ConfigError: a listener or a platform cannot be opened as the settings say.
    """
    logs.set_up(settings.log_level)
    async with open_engine(settings) as engine, _opened(engine) as serving:
        await _until_stopped(_keep_in_step(engine, serving, first_question))


@dataclass(frozen=True, slots=True)
class Serving:
    """What is being served, and where."""

    settings: Settings
    public: str
    private: str
    teams: bool

    def tell_where(self) -> None:
        """Say it to the person at the terminal."""
        slack = self.settings.slack
        how = "Socket Mode" if slack.app_token else f"{self.public}/slack/events"
        teams = f"{self.public}/api/messages"
        lines = [
            f"Web page   {self.private}",
            f"Teams      {teams if self.teams else 'off: set FOOTNOTE_TEAMS__APP_ID'}",
            f"Slack      {how if slack.bot_token else 'off: set FOOTNOTE_SLACK__BOT_TOKEN'}",
            "Ctrl+C stops.",
        ]
        progress_console.print("\n".join(lines), highlight=False, soft_wrap=True)


@asynccontextmanager
async def _opened(engine: Engine) -> AsyncIterator[Serving]:
    settings, metrics = engine.settings, Metrics()
    links = SourceLinks(await own_secret(engine.store, "source links"), settings.private.base_url)
    counted = MeasuredAnswerer(engine.assistant, metrics)
    linking = LinkingAnswerer(counted, links)
    conversation = Conversation(linking, engine.jobs, engine.store, settings, SystemClock())
    async with AsyncExitStack() as stack:
        teams_route, slack_route = await _connect_platforms(stack, engine, conversation)
        public = build_public(teams=teams_route, slack=slack_route)
        private = build_private(_private_deps(engine, links, metrics, counted), settings.private)
        yield Serving(
            settings,
            await _listen(stack, public, settings.public, "public"),
            await _listen(stack, private, settings.private, "private"),
            teams_route is not None,
        )


async def _connect_platforms(
    stack: AsyncExitStack, engine: Engine, conversation: Conversation
) -> tuple[Handler | None, Handler | None]:
    """Teams' and Slack's routes; what is opened here is closed in the opposite order."""
    settings = engine.settings
    teams = _teams(engine, conversation)
    if teams:
        stack.push_async_callback(teams.close)
    slack = _slack(settings, conversation)
    if slack:
        stack.push_async_callback(slack.close)
    await conversation.start()
    stack.push_async_callback(conversation.stop)
    if teams:
        await teams.start()
    if slack:
        await slack.start()
        stack.push_async_callback(slack.stop)
    return (teams.handle if teams else None, slack.handle if slack else None)


def _teams(engine: Engine, conversation: Conversation) -> "TeamsApp | None":
    from bots.teams.app import build_teams, is_served

    if not is_served(engine.settings) and engine.settings.slack.signing_secret:
        return None

    async def hello(incoming: Incoming) -> str:
        return await greeting(engine.assistant, engine.library, incoming)

    teams = build_teams(engine.settings, conversation, engine.store)
    teams.greet_with(hello)
    conversation.connect("teams", teams.channel, complete=teams.directory.complete, desk=teams.desk)
    return teams


def _slack(settings: Settings, conversation: Conversation) -> "Slack | None":
    if settings.slack.bot_token is None:
        return None
    from bots.slack.app import build_slack

    return build_slack(settings, conversation, SystemClock())


def _private_deps(
    engine: Engine, links: SourceLinks, metrics: Metrics, answerer: MeasuredAnswerer
) -> PrivateDeps:
    unscoped = UnscopedReading(engine.store)
    return PrivateDeps(
        answerer=answerer,
        library=engine.library,
        permits=unscoped,
        links=links,
        traces=engine.traces,
        gaps=engine.gaps,
        metrics=metrics,
        all_sources=unscoped.all_sources,
        shared_dates=unscoped.shared_dates,
        conversation=engine.settings.conversation,
    )


async def _listen(
    stack: AsyncExitStack, app: web.Application, at: PublicSettings | PrivateSettings, name: str
) -> str:
    """Open a listener; its address as a browser on this machine takes it."""
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=_LISTENER_CLOSES_S)
    await runner.setup()
    stack.push_async_callback(runner.cleanup)
    site = web.TCPSite(runner, at.host, at.port)
    try:
        await site.start()
    except OSError as error:
        raise ConfigError(
            f"The {name} listener cannot be opened at {at.host}:{at.port} ({error.strerror}).",
            hint=f"Stop what uses it, or set {name}.port (FOOTNOTE_{name.upper()}__PORT).",
        ) from error
    port = runner.addresses[0][1]
    host = "127.0.0.1" if at.host in ("0.0.0.0", "::") else at.host
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


async def _show_first(engine: Engine, questions: Path) -> None:
    text = read_lines(questions)[0].question or ""
    with StatusLine(progress_console) as line:
        answer = await engine.assistant.answer(Question(text, WORKSPACE), line)
    console = Console(highlight=False, soft_wrap=True)
    console.print(f"[bold]> {escape(visible(text))}[/bold]")
    console.print(answer_view(answer))
    console.print()


async def _keep_in_step(engine: Engine, serving: Serving, first_question: Path | None) -> None:
    await bring_in_step(engine, anew=True)
    if first_question:
        await _show_first(engine, first_question)
    serving.tell_where()
    work = [engine.jobs.run_forever()]
    if engine.vectors:
        work.append(engine.vectors.run())
    if engine.notes:
        work.append(engine.notes.run())
    await asyncio.gather(*work)


async def _until_stopped(work: Coroutine[Any, Any, None]) -> None:
    """Do this work until it fails or the process is told to stop, whichever is first."""
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for wanted in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(wanted, stopped.set)
    working, waiting = asyncio.create_task(work), asyncio.create_task(stopped.wait())
    await asyncio.wait({working, waiting}, return_when=asyncio.FIRST_COMPLETED)
    for task in (working, waiting):
        task.cancel()
    await asyncio.wait({working, waiting})
    if not working.cancelled():
        working.result()
