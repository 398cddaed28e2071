"""`/api/ask`: an answer object or a stream of events, and a sentence for whatever is sent wrong."""

import asyncio
import gzip
import io
import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from agent.errors import FootnoteError, ServiceUnreachable
from bots.web import asking
from tests.web_house import PARENTAL, House, open_house, private_app, served

STREAM = {"Accept": "text/event-stream"}


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    opened = open_house(tmp_path)
    yield opened
    opened.store.close()


@pytest.fixture
async def url(house: House) -> AsyncIterator[str]:
    async with served(private_app(house)) as address:
        yield f"{address}/api/ask"


@pytest.fixture
async def http() -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession() as session:
        yield session


def events_in(text: str) -> list[tuple[str, dict[str, Any]]]:
    blocks = [block for block in text.split("\n\n") if block and not block.startswith(":")]
    pairs = [block.split("\n", 1) for block in blocks]
    return [
        (name.removeprefix("event: "), json.loads(data.removeprefix("data: ")))
        for name, data in pairs
    ]


# ---------------------------------------------------------------- answers


async def test_a_question_gets_an_answer_object(http: aiohttp.ClientSession, url: str) -> None:
    reply = await http.post(url, json={"question": "How long is parental leave?"})
    answer = await reply.json()

    assert reply.status == 200
    assert answer["status"] == "answered"
    assert answer["question"] == "How long is parental leave?"
    assert answer["citations"][0]["quote"] == PARENTAL
    assert {"parts", "looked_at", "stop_reason", "rounds", "calls", "tokens", "ms"} <= set(answer)


async def test_a_footnote_leads_to_the_viewer(http: aiohttp.ClientSession, url: str) -> None:
    answer = await (await http.post(url, json={"question": "parental"})).json()
    place = answer["citations"][0]["url"]

    reply = await http.get(url.removesuffix("/api/ask") + place)

    assert place.startswith("/source/")
    assert f"<mark>{PARENTAL}</mark>" in await reply.text()


async def test_it_asks_in_the_scope_of_the_workspace(
    http: aiohttp.ClientSession, url: str, house: House
) -> None:
    await http.post(url, json={"question": "parental"})

    assert house.answerer.asked[0].scope.audiences == {"workspace"}
    assert house.answerer.asked[0].thread_key == ""


async def test_a_thread_is_one_of_the_pages_own(
    http: aiohttp.ClientSession, url: str, house: House
) -> None:
    await http.post(url, json={"question": "parental", "thread": "slack:C1/17.2"})

    assert house.answerer.asked[0].thread_key == "web:slack:C1/17.2"


async def test_a_thread_nobody_has_seen_begins_one(http: aiohttp.ClientSession, url: str) -> None:
    reply = await http.post(url, json={"question": "parental", "thread": "never-seen"})

    assert reply.status == 200


async def test_the_longest_question_is_taken(http: aiohttp.ClientSession, url: str) -> None:
    assert (await http.post(url, json={"question": "字" * 4_000})).status == 200


async def test_control_characters_become_blanks(
    http: aiohttp.ClientSession, url: str, house: House
) -> None:
    await http.post(url, json={"question": " parental\x00\x1bleave \ud800"})

    assert house.answerer.asked[0].text == "parental  leave \ufffd"


@pytest.mark.parametrize(
    "word",
    ["reindex", "/reindex", "Status.", "failed", "confirm-deletes", "quiet", "reindex handbook"],
)
async def test_a_word_for_chats_is_told_where_it_works(
    http: aiohttp.ClientSession, url: str, house: House, word: str
) -> None:
    answer = await (await http.post(url, json={"question": word})).json()

    assert answer["status"] == "talk"
    assert word in answer["answer"]
    assert "footnote sync" in answer["answer"]
    assert "Slack" in answer["answer"]
    assert house.answerer.asked == []


async def test_it_is_told_in_chinese_too(http: aiohttp.ClientSession, url: str) -> None:
    answer = await (await http.post(url, json={"question": "安静"})).json()

    assert "在这里不起作用" in answer["answer"]


@pytest.mark.parametrize(
    "question", ["help", "failed payments", "What does status mean?", "quiet hours", "a reindex"]
)
async def test_such_a_word_inside_a_question_is_a_question(
    http: aiohttp.ClientSession, url: str, house: House, question: str
) -> None:
    await http.post(url, json={"question": question})

    assert house.answerer.asked[0].text == question


# ---------------------------------------------------------------- the stream


async def test_a_stream_tells_the_work_and_ends_with_the_answer(
    http: aiohttp.ClientSession, url: str
) -> None:
    reply = await http.post(url, json={"question": "parental"}, headers=STREAM)
    events = events_in(await reply.text())

    assert reply.content_type == "text/event-stream"
    assert [name for name, _ in events[:-1]] == ["progress"] * (len(events) - 1)
    assert events[0][1] == {"stage": "map", "document": "", "section": "", "parts": []}
    assert events[1][1]["document"] == "People handbook"
    assert events[1][1]["section"] == "2.2 Parental leave"
    assert events[-1][0] == "answer"
    assert events[-1][1]["citations"][0]["quote"] == PARENTAL


async def test_the_stream_and_the_plain_reply_hold_the_same_answer(
    http: aiohttp.ClientSession, url: str
) -> None:
    plain = await (await http.post(url, json={"question": "company car"})).json()
    reply = await http.post(url, json={"question": "company car"}, headers=STREAM)

    assert events_in(await reply.text())[-1][1] == plain


async def test_a_plan_tells_the_state_of_its_parts(http: aiohttp.ClientSession, url: str) -> None:
    reply = await http.post(url, json={"question": "company car"}, headers=STREAM)
    events = events_in(await reply.text())

    states = [[part["state"] for part in data["parts"]] for _, data in events[1:-1]]
    assert states == [
        ["reading", "pending", "pending"],
        ["answered", "reading", "pending"],
        ["answered", "answered", "not_covered"],
    ]


async def test_progress_arrives_before_the_answer_is_known(
    http: aiohttp.ClientSession, url: str, house: House
) -> None:
    house.answerer.gate = asyncio.Event()
    reply = await http.post(url, json={"question": "parental"}, headers=STREAM)

    first = await reply.content.readuntil(b"\n\n")
    house.answerer.gate.set()

    assert first.startswith(b"event: progress\n")
    assert b"event: answer\n" in await reply.read()


async def test_a_failure_in_mid_stream_is_an_event(
    http: aiohttp.ClientSession, url: str, house: House
) -> None:
    house.answerer.failure = ServiceUnreachable("The database is away.", hint="Start it.")

    reply = await http.post(url, json={"question": "parental"}, headers=STREAM)

    assert events_in(await reply.text())[-1] == (
        "error",
        {"error": "The database is away.", "hint": "Start it."},
    )


async def test_a_wrong_request_for_a_stream_is_refused_before_it(
    http: aiohttp.ClientSession, url: str
) -> None:
    reply = await http.post(url, json={"question": ""}, headers=STREAM)

    assert reply.status == 422
    assert set(await reply.json()) == {"error", "hint"}


@pytest.mark.parametrize("headers", [{}, STREAM], ids=["plain", "stream"])
async def test_who_leaves_is_not_worked_for(
    url: str, house: House, headers: dict[str, str]
) -> None:
    house.answerer.gate = asyncio.Event()
    async with aiohttp.ClientSession() as session:
        asking_ = asyncio.ensure_future(
            session.post(url, json={"question": "parental"}, headers=headers)
        )
        async with asyncio.timeout(20):
            await house.answerer.began.wait()
            asking_.cancel()
            await asyncio.wait({asking_})
    async with asyncio.timeout(20):
        await house.answerer.cancelled.wait()


# ---------------------------------------------------------------- what is sent wrong


@pytest.mark.parametrize(
    ("body", "status"),
    [
        pytest.param(b"", 400, id="nothing"),
        pytest.param(b"question=x", 400, id="a form"),
        pytest.param(b'{"question": "x"', 400, id="broken JSON"),
        pytest.param(b"[" * 100_000, 400, id="nested without end"),
        pytest.param(b'{"question": "\xff"}', 400, id="no UTF-8"),
        pytest.param(b'["x"]', 400, id="a list"),
        pytest.param(b"null", 400, id="null"),
        pytest.param(b"{}", 422, id="no question"),
        pytest.param(b'{"question": null}', 422, id="null for a question"),
        pytest.param(b'{"question": 7}', 422, id="a number for a question"),
        pytest.param(b'{"question": ["x"]}', 422, id="a list for a question"),
        pytest.param(b'{"question": {"x": 1}}', 422, id="an object for a question"),
        pytest.param(b'{"question": ""}', 422, id="an empty question"),
        pytest.param(b'{"question": " \\n\\t\\u0000 "}', 422, id="a blank question"),
        pytest.param(b'{"question": "x", "thread": 7}', 422, id="a number for a thread"),
        pytest.param(b'{"question": "x", "thread": {}}', 422, id="an object for a thread"),
        pytest.param(b'{"question": "x", "thread": "\\u0000"}', 422, id="no name for a thread"),
        pytest.param(
            json.dumps({"question": "x", "thread": "t" * 201}).encode(), 422, id="a long thread"
        ),
        pytest.param(json.dumps({"question": "x" * 4_001}).encode(), 413, id="4,001 characters"),
        pytest.param(json.dumps({"question": "x" * 40_000}).encode(), 413, id="40,000 characters"),
        pytest.param(
            json.dumps({"question": "字" * 40_000}).encode(), 413, id="40,000 Chinese ones"
        ),
        pytest.param(b'{"question": "' + b"x" * 2_000_000 + b'"}', 413, id="two megabytes"),
    ],
)
async def test_it_is_refused_with_a_sentence(
    http: aiohttp.ClientSession, url: str, house: House, body: bytes, status: int
) -> None:
    json_type = {"Content-Type": "application/json"}
    reply = await http.post(url, data=io.BytesIO(body), headers=json_type)
    problem = await reply.json()

    assert reply.status == status
    assert set(problem) == {"error", "hint"}
    assert all(problem.values())
    assert house.answerer.asked == []


@pytest.mark.parametrize(
    ("headers", "body", "status"),
    [
        pytest.param({"Content-Encoding": "gzip"}, b"no gzip", 400, id="no gzip at all"),
        pytest.param(
            {"Content-Encoding": "gzip"}, gzip.compress(b" " * 50_000_000), 413, id="a gzip bomb"
        ),
        pytest.param(
            {"Content-Encoding": "gzip"}, gzip.compress(b"{}")[:11], 400, id="half a gzip"
        ),
        pytest.param({"Content-Type": "text/plain; charset=nope"}, b"{}", 422, id="odd charset"),
    ],
)
async def test_odd_encodings_are_refused(
    http: aiohttp.ClientSession, url: str, headers: dict[str, str], body: bytes, status: int
) -> None:
    reply = await http.post(url, data=body, headers=headers)

    assert reply.status == status
    assert set(await reply.json()) == {"error", "hint"}


async def test_another_method_is_refused(http: aiohttp.ClientSession, url: str) -> None:
    reply = await http.get(url)

    assert reply.status == 405
    assert reply.headers["Allow"] == "POST"
    assert set(await reply.json()) == {"error", "hint"}


async def test_too_many_at_once_are_turned_away(
    http: aiohttp.ClientSession, url: str, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking, "_WAITING", 1)
    house.answerer.gate = asyncio.Event()
    first = await http.post(url, json={"question": "parental"}, headers=STREAM)

    second = await http.post(url, json={"question": "parental"})
    house.answerer.gate.set()

    assert second.status == 429
    assert "Retry-After" in second.headers
    assert b"event: answer" in await first.read()
    assert (await http.post(url, json={"question": "parental"})).status == 200


@pytest.mark.parametrize(
    ("failure", "status", "says"),
    [
        pytest.param(
            ServiceUnreachable("The database is away.", hint="Start it."),
            503,
            "The database is away.",
            id="a service that is away",
        ),
        pytest.param(FootnoteError("It is odd."), 500, "It is odd.", id="an error with a sentence"),
        pytest.param(ZeroDivisionError("detail"), 500, "Something broke on our side.", id="a bug"),
    ],
)
async def test_our_own_failures_are_told(
    http: aiohttp.ClientSession, url: str, house: House, failure: Exception, status: int, says: str
) -> None:
    house.answerer.failure = failure

    reply = await http.post(url, json={"question": "parental"})

    assert reply.status == status
    assert (await reply.json())["error"] == says


@pytest.mark.parametrize(
    ("told", "taken"),
    [
        pytest.param("Asia/Shanghai", "Asia/Shanghai", id="one we know"),
        pytest.param("Middle/Earth", "UTC", id="one we do not"),
        pytest.param("../../etc/passwd", "UTC", id="a path"),
        pytest.param(7, "UTC", id="a number"),
    ],
)
async def test_a_time_zone_is_taken_if_there_is_one(
    http: aiohttp.ClientSession, url: str, house: House, told: object, taken: str
) -> None:
    await http.post(url, json={"question": "parental", "timezone": told})

    assert house.answerer.asked[0].timezone == taken
