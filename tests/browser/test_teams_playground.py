"""Teams' own local client, Microsoft's Agents Playground, talking to the bot in Chromium.

The engine is the real one over the sample library; only what a model would write is scripted. The
bot is asked in the personal chat, the group chat and a channel, and the tests look at what people
see there.
"""

import asyncio
import os
import re
import shutil
import socket
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import pytest_asyncio
from aiohttp import ClientError, ClientSession, web
from playwright.async_api import Browser, Locator, Page, async_playwright, expect

from agent.domain import Answer, PartProgress, PartState, ProgressEvent, Question, Stage
from agent.ports import Progress
from bots.app import open_engine
from bots.conversation import Conversation
from bots.ports import Answerer
from bots.teams.app import build_teams
from bots.teams.records import Records, Vote
from bots.web.public import build_public
from config.settings import AdminSettings, ConversationSettings, Settings, SourceSettings
from tests.chat_fakes import answer_to, cite

CHROMIUM = Path("/usr/bin/chromium")
CLIENT = Path(__file__).parent / "node_modules/@microsoft/m365agentsplayground/cli.js"
DOCUMENTS = Path(__file__).parents[2] / "examples" / "library"
ALEX = "00000000-0000-0000-0000-0000000000020"
"""The account that the client signs in with; it is the admin here."""
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"]
_ELSEWHERE = re.compile(r"^https?://(?!127\.0\.0\.1|localhost)")
PATIENCE_MS = 30_000
PATIENCE_S = PATIENCE_MS / 1000

pytestmark = [
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.skipif(not CHROMIUM.exists(), reason="Chromium is not installed (apt: chromium)"),
    pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not installed"),
    pytest.mark.skipif(
        not CLIENT.exists(),
        reason="the client is not installed (npm install --prefix tests/browser)",
    ),
]


class Scripted:
    """The real engine, but for questions that begin with a cue."""

    def __init__(self, engine: Answerer) -> None:
        self._engine = engine
        self.go = asyncio.Event()

    async def answer(self, question: Question, progress: Progress) -> Answer:
        cue = question.text.partition(":")[0]
        if cue == "slow":
            await progress.show(_READING)
            await self.go.wait()
        if cue in ("slow", "model"):
            return _WRITTEN
        if cue == "long":
            return answer_to(said=_LONG, extractive=False)
        return await self._engine.answer(question, progress)


_READING = ProgressEvent(
    Stage.READING,
    "People handbook",
    "Sick leave",
    (
        PartProgress("How long is parental leave?", PartState.ANSWERED),
        PartProgress("And sick leave?", PartState.READING),
    ),
)
_WRITTEN = answer_to(
    said="It is 14 weeks at full pay [1]. It is asked for early:\n- six weeks before [2]",
    citations=(
        cite(1, "All employees are entitled to 14 weeks of paid parental leave for each child."),
        cite(2, "Leave is requested six weeks before it begins.", title="Leave [draft] *2*"),
    ),
    extractive=False,
)
_LONG = "\n\n".join(f"Paragraph {number} of many. {'Words, ' * 80}[1]" for number in range(1, 61))


@dataclass
class House:
    """The running bot and where its client is served."""

    client_url: str
    assistant: Scripted
    talk: Conversation
    records: Records
    screens: Path

    async def votes(self) -> list[Vote]:
        """Every vote that was given."""
        return await self.records.votes()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def house(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[House]:
    folder = tmp_path_factory.mktemp("teams")
    settings = Settings(
        data_dir=folder / "data",
        sources=(SourceSettings(name="handbook", path=DOCUMENTS, audience=("workspace",)),),
        admins=AdminSettings(teams=(ALEX,)),
        conversation=ConversationSettings(asker_per_minute=1_000, channel_per_minute=1_000),
    )
    async with AsyncExitStack() as stack:
        engine = await stack.enter_async_context(open_engine(settings))
        await engine.jobs.run()
        assistant = Scripted(engine.assistant)
        talk = Conversation(assistant, engine.jobs, engine.store, settings)
        teams = build_teams(settings, talk, engine.store)
        talk.connect("teams", teams.channel, complete=teams.directory.complete, desk=teams.desk)
        await talk.start()
        await teams.start()
        stack.push_async_callback(teams.close)
        stack.push_async_callback(talk.stop)
        port = await stack.enter_async_context(_served(build_public(teams=teams.handle)))
        url = await stack.enter_async_context(_client(f"http://127.0.0.1:{port}/api/messages"))
        yield House(url, assistant, talk, Records(engine.store), folder)


class _served:  # noqa: N801 - reads as a verb
    """Serves an application on a free local port while inside."""

    def __init__(self, app: web.Application) -> None:
        self._runner = web.AppRunner(app, access_log=None)

    async def __aenter__(self) -> int:
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        return int(self._runner.addresses[0][1])

    async def __aexit__(self, *_: object) -> None:
        await self._runner.cleanup()


class _client:  # noqa: N801 - reads as a verb
    """Runs the client's server while inside; gives back its address."""

    def __init__(self, endpoint: str) -> None:
        self._endpoint = endpoint
        self._folder = TemporaryDirectory()
        self._process: asyncio.subprocess.Process | None = None

    async def __aenter__(self) -> str:
        port = _free_port()
        words = ["start", "-e", self._endpoint, "-c", "msteams", "--disable-telemetry"]
        self._process = await asyncio.create_subprocess_exec(
            "node", str(CLIENT), *words, "-p", str(port),
            cwd=self._folder.name,
            env=os.environ | {"TEAMSAPPTESTER_BROWSER": "none"},
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
        )  # fmt: skip
        url = f"http://127.0.0.1:{port}/"
        await _answers(url)
        return url

    async def __aexit__(self, *_: object) -> None:
        assert self._process is not None
        self._process.terminate()
        await self._process.wait()
        self._folder.cleanup()


async def _answers(url: str) -> None:
    async with asyncio.timeout(PATIENCE_S), ClientSession() as session:
        while True:
            try:
                async with session.get(url):
                    return
            except ClientError:
                await asyncio.sleep(0.1)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser() -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        launched = await playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield launched
        await launched.close()


@dataclass
class Client:
    """The client's page; its chats go on from test to test, as people's do."""

    page: Page
    house: House

    async def open(self, name: str) -> None:
        """Go to a chat or channel."""
        await self.page.get_by_role("treeitem", name=re.compile(name)).first.click()
        await expect(self.page.locator("[role=textbox]").last).to_be_visible()

    async def say(self, words: str, *, mention: bool = False, box: int = -1) -> None:
        """Type a message and send it.

        Args:
            words: what to type.
            mention: name the bot first.
            box: which of the boxes; in a channel 0 begins a post, n answers the n-th.
        """
        boxes = self.page.locator("[role=textbox]")
        await boxes.nth(box).click()
        if mention:
            await self.page.keyboard.type("@Te", delay=80)
            await self.page.get_by_role("menuitem", name="Test Bot").click()
            await self.page.keyboard.type(" ")
        await self.page.keyboard.type(words)
        await self.page.keyboard.press("Enter")

    def shows(self, words: str) -> Locator:
        """Where the page says something."""
        return self.page.get_by_text(words)

    async def sees(self, words: str) -> None:
        """Wait until the page says something."""
        await expect(self.shows(words).last).to_be_visible()

    async def screen(self, name: str) -> None:
        """Keep a picture of the page for people to look at."""
        await self.page.screenshot(path=self.house.screens / f"{name}.png")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def client(browser: Browser, house: House) -> AsyncIterator[Client]:
    context = await browser.new_context(viewport={"width": 1300, "height": 1000})
    context.set_default_timeout(PATIENCE_MS)
    expect.set_options(timeout=PATIENCE_MS)
    await context.route(_ELSEWHERE, lambda route: route.abort())  # fonts of an office network
    page = await context.new_page()
    await page.goto(house.client_url)
    await page.get_by_role("button", name="Hide log panel").click()  # it repeats every text
    yield Client(page, house)
    await context.close()


async def test_a_direct_message_is_answered_with_a_chip_and_its_quote(client: Client) -> None:
    await client.open("Personal Chat")
    await client.say("How long is parental leave?")

    await client.sees("14 weeks of parental leave")
    await client.sees("Leave and absence")
    quotes = client.page.get_by_text("Parents receive 14 weeks")
    before = await quotes.count()
    await client.page.get_by_text("1", exact=True).first.hover()
    await expect(quotes).to_have_count(before + 1)
    asked = await client.shows("How long is parental leave?").first.bounding_box()
    answered = await quotes.first.bounding_box()
    assert asked is not None
    assert answered is not None
    assert asked["y"] < answered["y"]
    await client.screen("personal")


async def test_quotes_alone_are_not_called_ai(client: Client) -> None:
    await client.open("Personal Chat")
    labels = client.page.get_by_text("AI generated")
    await client.say("When is a doctor's certificate needed?")
    await client.sees("fourth calendar day")
    await expect(labels).to_have_count(0)

    await client.say("model: How long is parental leave?")
    await client.sees("It is asked for early")
    await expect(labels).to_have_count(1)
    await expect(client.page.get_by_text("Leave [draft] *2*")).to_be_visible()
    await client.screen("label")


async def test_a_chinese_question_is_answered_in_chinese(client: Client) -> None:
    await client.open("Personal Chat")
    await client.say("全职员工每年有多少天年假？")

    await client.sees("15天")
    await client.screen("chinese")


async def test_the_work_is_shown_until_the_answer_is_there(client: Client, house: House) -> None:
    house.assistant.go.clear()
    await client.open("Personal Chat")
    await client.say("slow: How long is leave?")
    await client.sees("Reading People handbook › Sick leave…")
    await client.sees("And sick leave?: reading")
    await client.screen("streaming")

    house.assistant.go.set()
    await client.sees("It is asked for early")
    await expect(client.shows("Reading People handbook")).to_have_count(0)


async def test_a_group_chat_is_answered_where_we_are_named(client: Client, house: House) -> None:
    house.assistant.go.clear()
    await client.open("Group Chat")
    await client.say("slow: How long is leave?", mention=True)
    await client.sees("And sick leave?: reading")
    await client.screen("group-working")

    house.assistant.go.set()
    await client.sees("It is asked for early")
    await expect(client.shows("Reading People handbook")).to_have_count(0)
    await client.screen("group")


async def test_a_channel_post_is_answered_in_its_thread(client: Client) -> None:
    await client.open("General")
    await client.say("How long is parental leave?", mention=True, box=0)
    await client.sees("14 weeks of parental leave")

    await client.say("When is a doctor's certificate needed?", mention=True, box=1)
    await client.sees("fourth calendar day")
    await expect(client.page.locator("[role=textbox]")).to_have_count(2)  # one thread, no new post
    await client.screen("channel")


async def test_what_is_not_there_is_not_made_up(client: Client) -> None:
    await client.open("Personal Chat")
    await client.say("Who won the football world cup?")

    await client.sees("found nothing")
    await client.screen("not-covered")


async def test_a_long_answer_goes_on_in_a_second_message(client: Client) -> None:
    await client.open("Personal Chat")
    await client.say("long: everything")

    await client.sees("Paragraph 1 of many.")
    await client.sees("Paragraph 60 of many.")
    await client.screen("long")


async def test_a_vote_is_thanked_for_and_kept(client: Client, house: House) -> None:
    await client.open("Personal Chat")
    await client.say("model: How long?")
    await client.sees("It is asked for early")
    await client.page.get_by_label("Dislike").last.click()
    await client.page.get_by_role("dialog").get_by_role("textbox").fill("It is 16 weeks.")
    await client.page.get_by_role("button", name="Submit").click()

    await client.sees("Thank you!")
    await client.page.get_by_role("dialog").get_by_role("button", name="Close").click()
    await expect(client.page.get_by_role("dialog")).to_have_count(0)
    vote = (await house.votes())[0]
    assert (vote.liked, vote.words) == (False, "It is 16 weeks.")
    assert vote.message_key


async def test_an_admin_reindexes_and_reads_the_status(client: Client) -> None:
    await client.open("Personal Chat")
    await client.say("/reindex")
    await client.sees("none had changed")

    await client.say("status")
    await client.sees("documents, last read")
    await client.screen("admin")


async def test_an_admin_word_in_a_group_is_answered_in_private(client: Client) -> None:
    await client.open("Group Chat")
    await client.say("status", mention=True)
    await client.open("Personal Chat")

    await client.sees("documents, last read")
