"""The engine with a model: one call, other words, parts in one round, text that may not leave."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from agent.domain import Outcome, StopReason
from tests.edges.model_house import (
    HOTEL,
    LEAVE,
    QUESTION,
    SICK,
    WINDOW,
    checked,
    decision,
    house,
    prompt_of,
    quoting,
    saying,
    section_with,
)
from tests.edges.model_server import Answer as Scripted
from tests.edges.model_server import completion, failure

# ---------------------------------------------------------------- the plain way


async def test_one_call_answers_with_a_checked_footnote(tmp_path: Path) -> None:
    said = "Parental leave lasts 14 weeks at full pay. [1]"
    async with house(tmp_path, quoting(LEAVE, said)) as at:
        answer = checked(await at.ask())

    assert (answer.outcome, answer.text) == (Outcome.ANSWERED, said)
    assert answer.citations[0].quote == LEAVE
    assert (answer.usage.full_calls, answer.usage.small_calls) == (1, 0)
    assert not answer.extractive


async def test_the_model_sees_rules_question_outlines_and_fenced_text(tmp_path: Path) -> None:
    async with house(tmp_path, quoting(LEAVE)) as at:
        await at.ask()
        (prompt,) = at.prompts

    heads = ("\nQUESTION (", "\nLIBRARY (", "\nTEXT\n", "\nRound 1 of 6")
    order = [prompt.index(head) for head in heads]
    assert order == sorted(order)
    assert re.search(r"D\d Leave \(leave\.md\)", prompt)
    assert re.search(r"  D\d\.1 Parental leave \(\d+\)", prompt)
    assert LEAVE in {window[3].strip() for window in WINDOW.finditer(prompt)}


async def test_read_and_search_bring_more_text_under_the_same_ids(tmp_path: Path) -> None:
    def reads(request: dict[str, Any]) -> Any:
        listed = re.search(r"(D\d\.\d) Sick leave", prompt_of(request))
        assert listed
        return completion(decision(action="read", sections=[listed[1]], missing="sick leave"))

    async with house(tmp_path, reads, quoting(SICK)) as at:
        answer = checked(await at.ask("Is a certificate needed for parental leave?"))
        second = at.prompts[-1]

    assert answer.citations[0].quote == SICK
    assert "1. saw " in second
    assert "missing: sick leave" in second


async def test_the_same_question_again_makes_no_call(tmp_path: Path) -> None:
    async with house(tmp_path, quoting(LEAVE)) as at:
        first = await at.ask()
        again = await at.ask()
        assert len(at.server.requests) == 1

    assert again.text == first.text
    assert again.usage.full_calls == 0


# ---------------------------------------------------------------- other words, parts


async def test_below_the_gate_other_words_are_asked_for_and_searched_too(tmp_path: Path) -> None:
    words = saying("parental leave, full pay, weeks, parents")
    async with house(tmp_path, words, quoting(LEAVE)) as at:
        answer = checked(await at.ask("how much time off when my baby arrives"))
        small, full = at.prompts

    assert answer.outcome is Outcome.ANSWERED
    assert (answer.usage.full_calls, answer.usage.small_calls) == (1, 1)
    assert "6 to 10 words" in small
    assert LEAVE not in small
    assert LEAVE in full


async def test_a_question_in_another_language_is_searched_in_the_documents_own(
    tmp_path: Path,
) -> None:
    words = saying("育儿假, parental leave, 周, weeks")
    said = "育儿假为14周（my translation）。[1]"
    async with house(tmp_path, words, quoting(LEAVE, said)) as at:
        answer = checked(await at.ask("育儿假有多久？"))
        small = at.prompts[0]

    assert "in Chinese and in English" in small
    assert answer.outcome is Outcome.ANSWERED
    assert answer.citations[0].quote == LEAVE


async def test_independent_parts_share_one_round(tmp_path: Path) -> None:
    parts = [
        {"question": QUESTION, "kind": "lookup", "depends_on": []},
        {"question": "What may a hotel night cost?", "kind": "lookup", "depends_on": []},
    ]

    def both(request: dict[str, Any]) -> Any:
        quotes = [{"section": section_with(request, text), "text": text} for text in (LEAVE, HOTEL)]
        return completion(decision(quotes=quotes, answer=f"{LEAVE} [1] {HOTEL} [2]"))

    async with house(tmp_path, saying(json.dumps({"parts": parts})), both) as at:
        answer = checked(await at.ask(f"{QUESTION} And what may a hotel night cost?"))
        full = at.prompts[-1]

    assert (answer.usage.full_calls, answer.usage.small_calls) == (1, 1)
    assert "PARTS\n1. How long is parental leave?\n2. What may a hotel night cost?" in full
    assert [part.outcome for part in answer.parts] == [Outcome.ANSWERED, Outcome.ANSWERED]
    assert {one.quote for one in answer.citations} == {LEAVE, HOTEL}


async def test_a_part_that_is_not_covered_does_not_sink_the_other(tmp_path: Path) -> None:
    half = quoting(LEAVE, missing="part 2")
    plan = saying("no plan at all")
    async with house(tmp_path, plan, half, half, half) as at:
        answer = checked(await at.ask(f"{QUESTION} And who feeds the office dog?"))

    assert answer.outcome is Outcome.PARTIAL
    assert [part.outcome for part in answer.parts] == [Outcome.ANSWERED, Outcome.NOT_COVERED]


# ---------------------------------------------------------------- a server in trouble


FAILING: Mapping[str, Scripted] = {
    "500": lambda _: failure(500, "oops"),
    "a wrong key": lambda _: failure(401, "bad key"),
    "no such model": lambda _: failure(404, "no model"),
    "no room for long": lambda _: failure(429, "slow down", {"Retry-After": "600"}),
}


@pytest.mark.parametrize("kind", FAILING)
async def test_without_its_model_the_answer_is_found_by_words(tmp_path: Path, kind: str) -> None:
    async with house(tmp_path, FAILING[kind], timeout_s=1.0) as at:
        answer = checked(await at.ask())

    assert answer.outcome is Outcome.ANSWERED
    assert answer.stop_reason is StopReason.UNAVAILABLE
    assert answer.extractive
    assert "language model is unavailable" in answer.notes[0]


async def test_without_its_model_a_miss_says_so_and_is_no_gap(tmp_path: Path) -> None:
    async with house(tmp_path, FAILING["a wrong key"]) as at:
        answer = await at.ask("Who feeds the office dog?")

    assert answer.outcome is Outcome.UNAVAILABLE
    assert not answer.gap_recorded


async def test_a_model_that_keeps_failing_is_left_alone(tmp_path: Path) -> None:
    async with house(tmp_path, FAILING["a wrong key"]) as at:
        for _ in range(5):
            await at.ask()
        asked = len(at.server.requests)

    assert asked == 3


async def test_past_the_daily_budget_answers_are_quotes(tmp_path: Path) -> None:
    async with house(tmp_path, quoting(LEAVE), daily_tokens=15) as at:
        first = await at.ask()
        second = await at.ask("What may a hotel night cost?")
        asked = len(at.server.requests)

    assert (first.extractive, second.extractive) == (False, True)
    assert second.citations[0].quote == HOTEL
    assert asked == 1


# ---------------------------------------------------------------- text that may not leave


CANARY = "The merger with Northwind closes in March 2027."


async def test_text_of_a_closed_source_never_reaches_the_model(tmp_path: Path) -> None:
    closed = {"merger.md": f"# Merger plans\n\n## Northwind\n\n{CANARY}\n"}
    words = saying("parental leave")
    async with house(tmp_path, words, quoting(LEAVE), closed=closed) as at:
        secret = await at.ask("When does the merger with Northwind close?")
        asked_before = len(at.server.requests)
        await at.ask()
        await at.ask("When is the parental merger leave?")
        sent = "\n".join(at.prompts)

    assert (secret.outcome, secret.extractive) == (Outcome.ANSWERED, True)
    assert secret.citations[0].quote == CANARY
    assert asked_before == 0
    assert not [word for word in (CANARY, "Merger plans", "merger.md") if word in sent]
