"""The private listener's pages and its answers to machines: access, asking, map, gaps, metrics."""

import re
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import aiohttp
import pytest
from sqlalchemy.exc import OperationalError

from agent.domain import WORKSPACE, DocId, Scope, SourceState
from agent.errors import FootnoteError
from agent.gaps import Gap, GapList
from agent.library.writing import NewDocument, SourceRecord, apply_sources, put_documents
from agent.trace import RoundText, RoundTrace, SeenSection, Trace, TraceStore
from bots.web.private import build_private
from config.settings import PrivateSettings
from tests.web_house import (
    PARENTAL,
    SALARIES,
    SYNCED,
    House,
    handbook,
    open_house,
    private_app,
    served,
)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    opened = open_house(tmp_path)
    yield opened
    opened.store.close()


@pytest.fixture
async def url(house: House) -> AsyncIterator[str]:
    async with served(private_app(house)) as address:
        yield address


@pytest.fixture
async def http() -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession() as session:
        yield session


async def text(http: aiohttp.ClientSession, url: str, **headers: str) -> str:
    return await (await http.get(url, headers=headers)).text()


# ---------------------------------------------------------------- who is let in


@pytest.mark.parametrize(
    "headers",
    [
        pytest.param({"Host": "docs.example"}, id="a name that points here"),
        pytest.param({"Origin": "https://evil.example"}, id="another site's page"),
        pytest.param({"X-Forwarded-For": "127.0.0.1"}, id="through a proxy"),
        pytest.param({"Authorization": "Bearer wrong"}, id="a wrong token"),
    ],
)
async def test_others_are_refused_everywhere(
    http: aiohttp.ClientSession, url: str, house: House, headers: dict[str, str]
) -> None:
    for path in ("/", "/map", "/gaps", "/readyz", "/healthz", "/metrics", "/nothing"):
        assert (await http.get(url + path, headers=headers)).status == 401
    for path in ("/ask", "/api/ask"):
        reply = await http.post(url + path, json={"question": "parental"}, headers=headers)
        assert reply.status == 401
    assert house.answerer.asked == []


async def test_a_refusal_says_how_to_be_let_in(http: aiohttp.ClientSession, url: str) -> None:
    reply = await http.get(f"{url}/map", headers={"Host": "docs.example"})
    problem = await reply.json()

    assert reply.headers["WWW-Authenticate"].startswith("Bearer")
    assert "Authorization: Bearer" in problem["hint"]


async def test_a_browser_is_refused_with_a_page(http: aiohttp.ClientSession, url: str) -> None:
    reply = await http.get(url, headers={"Host": "docs.example", "Accept": "text/html"})

    assert reply.status == 401
    assert "<h1>" in await reply.text()


async def test_the_right_token_opens_from_anywhere(
    http: aiohttp.ClientSession, house: House
) -> None:
    headers = {"Host": "docs.example", "Authorization": "Bearer a-long-token"}
    async with served(private_app(house, "a-long-token")) as url:
        assert (await http.get(f"{url}/map", headers=headers)).status == 200


async def test_every_reply_carries_the_security_headers(
    http: aiohttp.ClientSession, url: str
) -> None:
    for path in ("/", "/map", "/nothing", "/static/footnote.css", "/metrics"):
        headers = (await http.get(url + path)).headers
        policy = headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["X-Frame-Options"] == "DENY"
        assert headers["Server"] == "Footnote"


async def test_pages_hold_no_script_or_style_of_their_own(
    http: aiohttp.ClientSession, url: str
) -> None:
    for path in ("/", "/map", "/gaps", "/nothing"):
        page = await text(http, url + path, Accept="text/html")
        assert re.findall(r"<script(?! defer src)|<style|\sstyle=|\son\w+=", page) == []
        assert "http://" not in page
        assert "https://" not in page


async def test_an_unknown_address_is_not_found(http: aiohttp.ClientSession, url: str) -> None:
    reply = await http.get(f"{url}/nothing")

    assert reply.status == 404
    assert set(await reply.json()) == {"error", "hint"}


# ---------------------------------------------------------------- asking


async def test_the_first_page_says_what_is_known(http: aiohttp.ClientSession, url: str) -> None:
    page = await text(http, url)

    assert "handbook" in page
    assert "board" not in page


async def test_example_questions_come_from_real_headings(
    http: aiohttp.ClientSession, url: str
) -> None:
    page = await text(http, url)

    assert "parental leave of part-time staff" in page
    assert page.count('name="example"') == 3


async def test_the_page_speaks_the_readers_language(http: aiohttp.ClientSession, url: str) -> None:
    assert "向文档提问" in await text(http, url, **{"Accept-Language": "zh-CN,zh;q=0.9"})
    assert 'lang="zh"' in await text(http, f"{url}/?lang=zh")


async def test_a_link_can_fill_the_box_without_asking(
    http: aiohttp.ClientSession, url: str, house: House
) -> None:
    page = await text(http, f"{url}/?q=%3Cb%3Eparental")

    assert "&lt;b&gt;parental</textarea>" in page
    assert house.answerer.asked == []


async def test_without_script_the_form_gives_a_whole_page(
    http: aiohttp.ClientSession, url: str, house: House
) -> None:
    form = {"question": "How long is parental leave?", "thread": "t1"}
    page = await (await http.post(f"{url}/ask", data=form)).text()

    assert PARENTAL in page
    assert 'href="source/' in page
    assert 'name="thread" value="t1"' in page
    assert house.answerer.asked[0].thread_key == "web:t1"


async def test_an_example_is_asked_by_its_button(
    http: aiohttp.ClientSession, url: str, house: House
) -> None:
    await http.post(f"{url}/ask", data={"question": "", "example": "parental leave", "thread": ""})

    assert house.answerer.asked[0].text == "parental leave"


async def test_an_empty_question_is_refused_with_a_page(
    http: aiohttp.ClientSession, url: str
) -> None:
    reply = await http.post(f"{url}/ask", data={"question": "  "}, headers={"Accept": "text/html"})

    assert reply.status == 422
    assert "<h1>The question is empty.</h1>" in await reply.text()


async def test_a_long_question_is_refused_and_never_cut(
    http: aiohttp.ClientSession, url: str, house: House
) -> None:
    said = {"question": "x" * 5_000}
    page = await http.post(f"{url}/ask", data=said, headers={"Accept": "text/html"})
    api = await (await http.post(f"{url}/api/ask", json=said)).json()

    assert page.status == 413
    assert f"<h1>{api['error']}</h1>" in await page.text()
    assert "maxlength" not in await text(http, url)
    assert house.answerer.asked == []


async def test_a_link_fills_the_box_with_all_it_says(http: aiohttp.ClientSession, url: str) -> None:
    assert f">{'x' * 3_000}</textarea>" in await text(http, f"{url}/?q={'x' * 3_000}")


async def test_a_word_for_chats_is_told_where_it_works(
    http: aiohttp.ClientSession, url: str, house: House
) -> None:
    page = await (await http.post(f"{url}/ask", data={"question": "reindex"})).text()

    assert "footnote sync" in page
    assert house.answerer.asked == []


@pytest.mark.parametrize(
    "headers",
    [
        pytest.param({"Content-Type": "multipart/form-data"}, id="no boundary"),
        pytest.param({"Content-Type": "multipart/form-data; boundary=x"}, id="no parts"),
        pytest.param(
            {"Content-Type": "application/x-www-form-urlencoded; charset=nope"}, id="odd charset"
        ),
        pytest.param({"Content-Type": "application/json"}, id="no form"),
    ],
)
async def test_odd_forms_are_refused(
    http: aiohttp.ClientSession, url: str, headers: dict[str, str]
) -> None:
    reply = await http.post(f"{url}/ask", data=b"question=parental%ff", headers=headers)

    assert 400 <= reply.status < 500


async def test_a_file_in_place_of_the_question_is_refused(
    http: aiohttp.ClientSession, url: str
) -> None:
    form = aiohttp.FormData()
    form.add_field("question", b"x", filename="q.txt")

    assert (await http.post(f"{url}/ask", data=form)).status == 422


async def test_words_of_an_answer_are_never_markup(http: aiohttp.ClientSession, url: str) -> None:
    page = await (await http.post(f"{url}/ask", data={"question": "hostile"})).text()

    assert "<script>" not in page
    assert "&lt;script&gt;document" in page
    assert "&lt;script&gt;alert(2)" in page


async def test_what_is_not_covered_is_shown_honestly(http: aiohttp.ClientSession, url: str) -> None:
    page = await (await http.post(f"{url}/ask", data={"question": "dogs?"})).text()

    for words in ("Not found in the documents", "Where I looked", "#people-help may know", "gap"):
        assert words in page
    assert 'class="footnotes"' not in page


async def test_a_place_that_was_looked_at_opens_in_the_viewer(
    http: aiohttp.ClientSession, url: str
) -> None:
    page = await (await http.post(f"{url}/ask", data={"question": "dogs?"})).text()
    link = re.search(r'href="(open\?[^"]+)"', page)
    assert link

    reply = await http.get(f"{url}/{link[1].replace('&amp;', '&')}")

    assert reply.url.path.startswith("/source/")
    assert reply.url.query["at"] == "working-hours"


async def test_an_answer_in_chinese_has_chinese_phrases(
    http: aiohttp.ClientSession, url: str
) -> None:
    page = await (await http.post(f"{url}/ask", data={"question": "上海住宿"})).text()

    assert "更新于 2026-02-07" in page
    assert "查找过程" in page


async def test_a_date_that_half_the_files_carry_is_not_shown(
    http: aiohttp.ClientSession, url: str, house: House
) -> None:
    form = {"question": "parental leave"}
    assert "updated 2026-02-0" in await (await http.post(f"{url}/ask", data=form)).text()
    names = ("people-handbook.md", "part-time-addendum.md", "expenses.md", "hostile.md", "empty.md")
    papers = [handbook(name) for name in names]
    copied = [
        NewDocument(replace(facts, modified=SYNCED), parsed, frozenset({"workspace"}))
        for facts, parsed in papers
    ]
    await house.store.write(lambda connection: put_documents(connection, copied))

    page = await (await http.post(f"{url}/ask", data=form)).text()

    assert PARENTAL in page
    assert "updated 2026" not in page


# ---------------------------------------------------------------- how it was found


def trace(scope: Scope, *seen: SeenSection) -> Trace:
    text = RoundText(query="holiday weeks")
    rounds = (
        RoundTrace(1, 1, seen, "search", text=text),
        RoundTrace(1, 2, seen, "answer", ("D1.1",), quotes=2, end="answered"),
    )
    return Trace("t1", datetime.now(UTC), scope.key, "answered", "answered", "q", "", rounds)


def seen(doc_id: str, title: str) -> SeenSection:
    return SeenSection("D1.1", DocId(doc_id), "x.md", title, ("Leave", "Parental leave"))


async def keep(house: House, kept: Trace) -> None:
    traces = TraceStore(house.store)
    await house.store.write(lambda connection: traces.save(connection, kept))


async def test_the_trace_is_told_round_by_round(
    http: aiohttp.ClientSession, url: str, house: House
) -> None:
    document = await house.library.find_document(WORKSPACE, "people-handbook.md")
    await keep(house, trace(WORKSPACE, seen(document.doc_id, "People handbook")))

    page = await text(http, f"{url}/how/t1")

    assert page.count("<li>") == 2
    assert "holiday weeks" in page
    assert "People handbook" in page
    assert "2 checked quotes" in page


async def test_what_may_no_longer_be_read_is_not_told(
    http: aiohttp.ClientSession, url: str, house: House
) -> None:
    board = await house.library.find_document(Scope.of("slack:C1"), "salaries.md")
    await keep(house, trace(WORKSPACE, seen(board.doc_id, "Board salaries")))

    assert "Board salaries" not in await text(http, f"{url}/how/t1")


async def test_the_trace_of_another_scope_is_none(
    http: aiohttp.ClientSession, url: str, house: House
) -> None:
    await keep(house, trace(Scope.of("slack:C1")))

    other = await http.get(f"{url}/how/t1")
    none = await http.get(f"{url}/how/t2")

    assert (other.status, await other.text()) == (none.status, await none.text())
    assert none.status == 404


# ---------------------------------------------------------------- map and gaps


async def test_the_map_lists_documents_with_outlines(http: aiohttp.ClientSession, url: str) -> None:
    page = await text(http, f"{url}/map")

    assert ">People handbook</a>" in page
    assert ">2.2 Parental leave</a>" in page
    assert "salaries" not in page


async def test_the_map_names_what_could_not_be_read_and_why(
    http: aiohttp.ClientSession, url: str
) -> None:
    page = await text(http, f"{url}/map")

    assert "plan.pdf" in page.partition("could not be read")[2]
    assert "password: the file is locked" in page


async def test_the_map_can_be_searched(http: aiohttp.ClientSession, url: str) -> None:
    page = await text(http, f"{url}/map?q=parental+part-time")

    assert ">Part-time addendum</a>" in page
    assert ">Travel and expenses</a>" not in page
    assert "No document fits." in await text(http, f"{url}/map?q=%3Cb%3E&page=99999")


async def test_a_long_outline_is_cut_on_the_map(http: aiohttp.ClientSession, url: str) -> None:
    page = await text(http, f"{url}/map")

    assert "and 270 more" in page


async def test_gaps_stand_together_without_their_askers(
    http: aiohttp.ClientSession, url: str, house: House
) -> None:
    asked = [
        Gap("May I bring a dog?", WORKSPACE.key, "t1", "people-handbook.md", "People handbook"),
        Gap("may i bring a dog", WORKSPACE.key, "t2"),
        Gap("Is there a pension?", WORKSPACE.key, "t3"),
        Gap("What does the board earn?", Scope.of("slack:C1").key, "t4"),
        Gap("Am I being let go?", WORKSPACE.key, "t5", direct=True),
    ]
    gaps = GapList(house.store)
    await house.store.write(lambda connection: gaps.record(connection, asked, SYNCED))

    page = await text(http, f"{url}/gaps")

    rows = re.findall(r"<td>(.*?)</td>\s*<td class=\"number\">(\d+)</td>", page)
    assert rows == [("may i bring a dog", "2"), ("Is there a pension?", "1")]
    assert "board earn" not in page
    assert "let go" not in page


async def test_without_gaps_the_page_says_so(http: aiohttp.ClientSession, url: str) -> None:
    assert "No question has gone unanswered" in await text(http, f"{url}/gaps")


# ---------------------------------------------------------------- for machines


async def test_it_is_ready_once_the_first_sync_is_done(
    http: aiohttp.ClientSession, url: str
) -> None:
    reply = await http.get(f"{url}/readyz")

    assert reply.status == 200
    assert await reply.json() == {"status": "ready", "store_open": True, "first_sync_done": True}


async def test_it_is_not_ready_before(http: aiohttp.ClientSession, url: str, house: House) -> None:
    record = SourceRecord("new", ("workspace",))
    await house.store.write(lambda connection: apply_sources(connection, [record]))

    reply = await http.get(f"{url}/readyz")

    assert reply.status == 503
    assert (await reply.json())["store_open"] is True


async def test_it_is_not_ready_without_its_store(http: aiohttp.ClientSession, house: House) -> None:
    async def away() -> list[SourceState]:
        raise OperationalError("SELECT 1", {}, ConnectionRefusedError("secret-host"))

    app = build_private(replace(house.deps, all_sources=away), PrivateSettings())
    async with served(app) as url:
        reply = await http.get(f"{url}/readyz")

        assert reply.status == 503
        assert "secret-host" not in await reply.text()


async def test_questions_are_counted_by_outcome(http: aiohttp.ClientSession, url: str) -> None:
    for question in ("parental", "parental", "dogs?"):
        await http.post(f"{url}/api/ask", json={"question": question})

    page = await text(http, f"{url}/metrics")

    assert 'footnote_questions_total{outcome="answered"} 2.0' in page
    assert 'footnote_questions_total{outcome="not_covered"} 1.0' in page
    assert 'footnote_questions_total{outcome="unavailable"} 0.0' in page
    assert "footnote_answer_seconds_count 3.0" in page
    assert "parental" not in page


async def test_failures_are_counted_apart(
    http: aiohttp.ClientSession, url: str, house: House
) -> None:
    house.answerer.failure = FootnoteError("It broke.")
    await http.post(f"{url}/api/ask", json={"question": "parental"})

    assert 'footnote_questions_total{outcome="failed"} 1.0' in await text(http, f"{url}/metrics")


async def test_documents_and_the_age_of_the_sync_are_measured(
    http: aiohttp.ClientSession, url: str
) -> None:
    page = await text(http, f"{url}/metrics")

    assert 'footnote_documents{source="handbook"} 9.0' in page
    assert 'footnote_documents{source="board"} 1.0' in page
    assert 'footnote_sync_age_seconds{source="handbook"} 300.0' in page
    assert 'footnote_sync_age_seconds{source="board"}' not in page
    assert SALARIES not in page
