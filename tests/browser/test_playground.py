"""The playground in a real browser: asking, watching, reading, opening footnotes, by keyboard too.

Chromium is Debian's. Every page of every test is watched: no request leaves the house, nothing is
logged as an error, nothing breaks the content security policy.
"""

import asyncio
import re
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, BrowserContext, Page, async_playwright, expect

from agent.domain import WORKSPACE
from agent.errors import ServiceUnreachable
from agent.trace import RoundTrace, SeenSection, Trace, TraceStore
from tests.web_house import PARENTAL, PART_TIME, SYNCED, House, open_house, private_app, served

CHROMIUM = Path("/usr/bin/chromium")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PATIENCE_MS = 30_000
expect.set_options(timeout=PATIENCE_MS)

pytestmark = [
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.skipif(not CHROMIUM.exists(), reason="Chromium is not installed (apt: chromium)"),
]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser() -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        launched = await playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield launched
        await launched.close()


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    opened = open_house(tmp_path)
    yield opened
    opened.store.close()


@dataclass
class Visit:
    """A browser at a house; opens pages and remembers what went wrong in them."""

    browser: Browser
    url: str
    house: House
    contexts: list[BrowserContext]
    troubles: list[str]

    async def page(self, path: str = "/", **options: Any) -> Page:
        """A page in a context of its own; options are Playwright's."""
        options = {"reduced_motion": "reduce", "locale": "en-GB"} | options
        context = await self.browser.new_context(**options)
        context.set_default_timeout(PATIENCE_MS)
        self.contexts.append(context)
        page = await context.new_page()
        page.on("console", lambda said: self._note(said.type, said.text))
        page.on("pageerror", lambda error: self.troubles.append(str(error)))
        page.on("request", lambda request: self._note_request(request.url))
        await page.goto(self.url + path)
        return page

    def _note(self, kind: str, text: str) -> None:
        if kind in ("error", "warning"):
            self.troubles.append(text)

    def _note_request(self, url: str) -> None:
        if not url.startswith(self.url):
            self.troubles.append(f"asked {url}")


@pytest_asyncio.fixture(loop_scope="module")
async def visit(browser: Browser, house: House) -> AsyncIterator[Visit]:
    async with served(private_app(house)) as url:
        visit = Visit(browser, url, house, [], [])
        yield visit
        for context in visit.contexts:
            await context.close()
        assert visit.troubles == []


async def ask(page: Page, question: str) -> None:
    """Type a question, send it, wait for its answer."""
    turns = await page.locator(".turn").count()
    await page.fill("#question", question)
    await page.keyboard.press("Enter")
    await page.wait_for_selector(f".turn:nth-of-type({turns + 1}) .answer")


async def in_view(page: Page, selector: str) -> bool:
    """Whether the middle of an element can be seen and clicked."""
    return bool(
        await page.eval_on_selector(
            selector,
            """element => {
                const box = element.getBoundingClientRect();
                const x = (box.left + box.right) / 2, y = (box.top + box.bottom) / 2;
                const top = document.elementFromPoint(x, y);
                return top !== null && element.contains(top);
            }""",
        )
    )


async def fits(page: Page) -> bool:
    """Whether nothing has to be scrolled sideways."""
    return bool(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


# ---------------------------------------------------------------- asking


async def test_a_question_gets_its_answer_with_footnotes(visit: Visit) -> None:
    page = await visit.page()

    await ask(page, "How long is parental leave?")

    await expect(page.locator(".asked-words")).to_have_text("How long is parental leave?")
    await expect(page.locator(".words")).to_contain_text("Parental leave is 14 weeks at full pay")
    await expect(page.locator(".footnote")).to_have_count(2)
    await expect(page.locator(".footnote").first).to_contain_text("People handbook")
    await expect(page.locator(".footnote q").first).to_have_text(PARENTAL)
    await expect(page.locator("#announce")).to_have_text("The answer is there, footnotes: 2.")


async def test_an_example_is_asked_with_one_click(visit: Visit) -> None:
    page = await visit.page()

    await page.click(".examples button >> text=part-time")

    await expect(page.locator(".words")).to_contain_text("14 weeks")
    assert "part-time" in visit.house.answerer.asked[0].text


async def test_a_follow_up_belongs_to_the_same_thread(visit: Visit) -> None:
    page = await visit.page()
    await ask(page, "parental leave?")
    await ask(page, "And the hotel, a company car?")
    await ask(await visit.page(), "parental leave?")

    threads = [question.thread_key for question in visit.house.answerer.asked]
    assert threads[0] == threads[1]
    assert threads[0].startswith("web:")
    assert threads[2] != threads[0]
    await expect(page.locator(".turn")).to_have_count(2)


async def test_a_new_line_needs_the_shift_key(visit: Visit) -> None:
    page = await visit.page()

    await page.locator("#question").press_sequentially("one")
    await page.keyboard.press("Shift+Enter")
    await page.keyboard.type("two")

    assert await page.input_value("#question") == "one\ntwo"
    assert visit.house.answerer.asked == []


async def test_a_choice_is_asked_when_it_is_pressed(visit: Visit) -> None:
    page = await visit.page()
    await ask(page, "which leave")

    await page.click(".choices button >> nth=0")

    await expect(page.locator(".turn:last-child .words")).to_contain_text("14 weeks")


# ---------------------------------------------------------------- watching


async def test_what_is_being_read_is_shown_while_it_is_read(visit: Visit) -> None:
    visit.house.answerer.gate = asyncio.Event()
    page = await visit.page()
    await page.fill("#question", "parental leave?")
    await page.keyboard.press("Enter")

    await expect(page.locator(".now-words")).to_have_text(
        "Reading People handbook › 2.2 Parental leave"
    )
    await expect(page.locator(".reply")).to_have_attribute("aria-busy", "true")

    visit.house.answerer.gate.set()
    await expect(page.locator(".footnote")).to_have_count(2)
    await expect(page.locator(".working")).to_have_count(0)


async def test_a_plan_shows_the_state_of_its_parts(visit: Visit) -> None:
    visit.house.answerer.gate = asyncio.Event()
    page = await visit.page()
    await page.fill("#question", "parental leave, hotel, company car?")
    await page.keyboard.press("Enter")

    await expect(page.locator(".working .state")).to_have_text(["reading", "to do", "to do"])

    visit.house.answerer.gate.set()
    await expect(page.locator(".part-head .state")).to_have_text(
        ["answered", "answered", "not covered"]
    )
    await expect(page.locator(".status")).to_have_text("Answered in part")


async def test_escape_stops_the_work(visit: Visit) -> None:
    visit.house.answerer.gate = asyncio.Event()
    page = await visit.page()
    await page.fill("#question", "parental leave?")
    await page.keyboard.press("Enter")
    await expect(page.locator(".send")).to_have_text("Stop")

    await page.keyboard.press("Escape")

    await expect(page.locator(".trouble")).to_have_text("Stopped.")
    await expect(page.locator(".send")).to_have_text("Ask")
    async with asyncio.timeout(20):
        await visit.house.answerer.cancelled.wait()


async def test_a_failure_is_told_with_what_to_do(visit: Visit) -> None:
    visit.house.answerer.failure = ServiceUnreachable("The database is away.", hint="Ask later.")
    page = await visit.page()
    await page.fill("#question", "parental leave?")
    await page.keyboard.press("Enter")

    await expect(page.locator(".trouble")).to_have_text("The database is away. Ask later.")


# ---------------------------------------------------------------- reading the sources


async def test_a_long_paste_is_refused_whole_and_kept(visit: Visit) -> None:
    page = await visit.page()
    await page.fill("#question", "x" * 5_000)
    await page.keyboard.press("Enter")

    await expect(page.locator(".trouble")).to_contain_text("5,000 characters; 4,000 are read")
    await expect(page.locator("#question")).to_have_value("x" * 5_000)
    assert visit.house.answerer.asked == []
    visit.troubles.clear()  # the browser itself logs the refused request


async def test_a_footnote_opens_its_source_beside_the_answer(visit: Visit) -> None:
    page = await visit.page(viewport={"width": 1280, "height": 800})
    await ask(page, "parental leave?")

    await page.click(".footnote >> nth=0")

    await expect(page.locator("#source mark")).to_have_text(PARENTAL)
    assert await in_view(page, "#source mark")
    assert await in_view(page, ".words")
    answer, source = page.locator(".words"), page.locator("#source")
    answer_box, source_box = await answer.bounding_box(), await source.bounding_box()
    assert answer_box
    assert source_box
    assert answer_box["x"] + answer_box["width"] <= source_box["x"]


async def test_a_marker_in_the_text_opens_the_same_source(visit: Visit) -> None:
    page = await visit.page()
    await ask(page, "parental leave?")

    await page.click(".marker >> nth=1")

    await expect(page.locator("#source mark")).to_have_text(PART_TIME)
    await expect(page.locator(".footnotes li.opened")).to_have_attribute("value", "2")


async def test_a_quoted_table_row_is_marked_cell_by_cell(visit: Visit) -> None:
    page = await visit.page()
    await ask(page, "parental leave, hotel, company car?")

    await page.click(".footnote >> nth=1")

    await expect(page.locator("#source td mark")).to_have_text(["Amsterdam", "165 EUR", "included"])


async def test_the_source_opens_as_a_page_of_its_own(visit: Visit) -> None:
    page = await visit.page(viewport={"width": 1280, "height": 500})
    await ask(page, "parental leave?")
    await page.click(".footnote >> nth=0")

    await page.click(".panel-bar .whole")

    await expect(page.locator("mark")).to_have_text(PARENTAL)
    await expect(page.locator(".outline a[aria-current]")).to_have_text("2.2 Parental leave")
    assert await in_view(page, "mark")


async def test_an_address_with_a_section_alone_finds_it_in_a_long_document(visit: Visit) -> None:
    document = await visit.house.library.find_document(WORKSPACE, "rules.md")

    page = await visit.page(f"/source/{document.doc_id}#rule-250")

    await expect(page.locator('[id="rule-250"]')).to_be_in_viewport()


async def test_a_place_that_was_looked_at_can_be_opened(visit: Visit) -> None:
    page = await visit.page()
    await ask(page, "dogs?")

    await page.click(".honest .places a >> nth=0")

    await expect(page.locator("h1")).to_have_text("People handbook")
    await expect(page.locator('[id="working-hours"]')).to_be_in_viewport()


async def test_how_it_was_found_is_told_when_opened(visit: Visit) -> None:
    document = await visit.house.library.find_document(WORKSPACE, "people-handbook.md")
    seen = SeenSection("D1.1", document.doc_id, document.doc, document.title, ("Leave",))
    rounds = (RoundTrace(1, 1, (seen,), "answer", ("D1.1",), quotes=2, end="answered"),)
    key = WORKSPACE.key
    kept = Trace("trace-parental", SYNCED, key, "answered", "answered", "q", "", rounds)
    traces = TraceStore(visit.house.store)
    await visit.house.store.write(lambda connection: traces.save(connection, kept))
    page = await visit.page()
    await ask(page, "parental leave?")

    await page.click(".how summary")

    await expect(page.locator(".round-list li")).to_contain_text("Answered with 2 checked quotes.")
    await expect(page.locator(".figures")).to_contain_text("no language model")


# ---------------------------------------------------------------- by keyboard


async def test_everything_works_by_keyboard(visit: Visit) -> None:
    page = await visit.page()
    await page.keyboard.press("Escape")
    await page.keyboard.press("/")
    await page.keyboard.type("parental leave?")
    await page.keyboard.press("Enter")
    await expect(page.locator(".footnote")).to_have_count(2)

    await page.keyboard.press("ArrowRight")
    await expect(page.locator(".footnote").first).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(page.locator("#source mark")).to_have_text(PARENTAL)
    await expect(page.locator("#source")).to_be_focused()

    await page.keyboard.press("ArrowRight")
    await expect(page.locator("#source mark")).to_have_text(PART_TIME)

    await page.keyboard.press("Escape")
    await expect(page.locator("#source")).to_be_hidden()
    await expect(page.locator(".footnote").nth(1)).to_be_focused()

    await page.keyboard.press("/")
    await expect(page.locator("#question")).to_be_focused()
    assert await page.input_value("#question") == ""


async def test_what_has_the_focus_can_be_seen(visit: Visit) -> None:
    page = await visit.page()
    await ask(page, "parental leave?")

    await page.keyboard.press("ArrowRight")

    outline = await page.eval_on_selector(
        ".footnote:focus-visible", "element => getComputedStyle(element).outlineStyle"
    )
    assert outline == "solid"


# ---------------------------------------------------------------- honesty and safety


async def test_what_is_not_covered_is_shown_honestly(visit: Visit) -> None:
    page = await visit.page()

    await ask(page, "May I bring my dog?")

    await expect(page.locator(".status")).to_have_text("Not found in the documents")
    await expect(page.locator(".honest h3")).to_have_text(["Where I looked", "What comes nearest"])
    await expect(page.locator(".contact")).to_have_text("#people-help may know.")
    await expect(page.locator(".footnote")).to_have_count(0)


async def test_words_of_documents_and_answers_run_nothing(visit: Visit) -> None:
    visit.house.answerer.gate = asyncio.Event()
    page = await visit.page()
    await page.fill("#question", "hostile <img src=x onerror=alert(1)>")
    await page.keyboard.press("Enter")
    await expect(page.locator(".now-words")).to_contain_text("<img src=x onerror=alert(1)>")
    visit.house.answerer.gate.set()

    await page.click(".footnote")

    await expect(page.locator("#source mark")).to_contain_text("<script>document.body")
    await expect(page.locator(".note")).to_have_text("<script>alert(2)</script>")
    assert await page.locator("img").count() == 0
    await expect(page.locator("h1").first).to_have_text("Ask the documents")


async def test_without_script_it_works_as_pages(visit: Visit) -> None:
    page = await visit.page(java_script_enabled=False)
    await page.fill("#question", "parental leave?")
    await page.click(".send")
    await expect(page.locator(".footnote q").first).to_have_text(PARENTAL)

    await page.click(".footnote >> nth=0")

    await expect(page.locator("mark")).to_have_text(PARENTAL)


# ---------------------------------------------------------------- how it looks


async def test_it_fits_a_narrow_screen_with_the_source_below(visit: Visit) -> None:
    page = await visit.page(viewport={"width": 380, "height": 760})
    assert await fits(page)
    await ask(page, "parental leave, hotel, company car?")
    assert await fits(page)

    await page.click(".footnote >> nth=1")

    await expect(page.locator("#source mark").first).to_be_in_viewport()
    assert await fits(page)
    box = await page.locator("#source").bounding_box()
    assert box
    assert box["width"] == pytest.approx(380)
    assert box["y"] > 200


@pytest.mark.parametrize("path", ["/map", "/gaps", "/nothing"])
async def test_the_other_pages_fit_as_well(visit: Visit, path: str) -> None:
    page = await visit.page("/", viewport={"width": 380, "height": 760})

    await page.goto(visit.url + path)

    assert await fits(page)
    if path == "/nothing":  # the browser itself logs a page that is not found
        visit.troubles.clear()


@pytest.mark.parametrize(("scheme", "dark"), [("light", False), ("dark", True)])
async def test_it_follows_the_systems_colours(visit: Visit, scheme: str, dark: bool) -> None:
    page = await visit.page(color_scheme=scheme)

    colour = await page.evaluate("getComputedStyle(document.body).backgroundColor")

    brightness = sum(int(part) for part in re.findall(r"\d+", colour)[:3]) / 3
    assert (brightness < 60) is dark
    assert (brightness > 200) is not dark


async def test_it_speaks_chinese_to_a_chinese_browser(visit: Visit) -> None:
    page = await visit.page(locale="zh-CN")

    await ask(page, "上海住宿每晚多少钱？")

    await expect(page.locator("html")).to_have_attribute("lang", "zh")
    await expect(page.locator(".words")).to_contain_text("600 元")
    await page.click(".footnote")
    await expect(page.locator("#source td mark")).to_have_text(["北京、上海", "600 元"])
