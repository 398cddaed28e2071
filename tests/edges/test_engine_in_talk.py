"""A conversation with a model: follow-ups, doubts, summaries, lists, parts drawn together."""

import json
from pathlib import Path
from typing import Any

from agent.domain import Outcome, StopReason
from tests.edges.model_house import (
    DOCS,
    HOTEL,
    LEAVE,
    QUESTION,
    SICK,
    checked,
    decision,
    house,
    prompt_of,
    quoting,
    saying,
    section_with,
)
from tests.edges.model_server import completion, failure

# ---------------------------------------------------------------- a conversation


async def test_a_follow_up_is_made_whole_from_what_was_asked_never_from_answers(
    tmp_path: Path,
) -> None:
    whole = saying("Is a certificate needed from the first day of sick leave?")
    async with house(tmp_path, quoting(LEAVE), whole, quoting(SICK)) as at:
        await at.ask(thread="t1")
        answer = checked(await at.ask("and a note when ill?", thread="t1"))
        small = at.prompts[1]

    assert answer.understood == "Is a certificate needed from the first day of sick leave?"
    assert answer.citations[0].quote == SICK
    assert QUESTION in small
    assert LEAVE not in small


async def test_a_rewriting_that_brings_what_nobody_said_is_not_taken(tmp_path: Path) -> None:
    whole = saying("How long is parental leave of 99 weeks for part-time staff?")
    async with house(tmp_path, quoting(LEAVE), whole, quoting(LEAVE)) as at:
        await at.ask(thread="t1")
        answer = await at.ask("and for part-time staff?", thread="t1")

    assert "99" not in answer.understood
    assert "part-time" in answer.understood


async def test_a_comparison_is_one_call_that_sees_both_sides(tmp_path: Path) -> None:
    ill = "Sick leave lasts 6 weeks at full pay."
    docs = {"leave.md": DOCS["leave.md"], "sick.md": f"# Sick\n\n## Sick leave\n\n{ill}\n"}
    both = "Parental leave lasts 14 weeks [1], sick leave 6 weeks [2]."

    def reply(request: dict[str, Any]) -> Any:
        quotes = [{"section": section_with(request, one), "text": one} for one in (LEAVE, ill)]
        return completion(decision(quotes=quotes, answer=both))

    async with house(tmp_path, reply, docs=docs) as at:
        answer = await at.ask("Is parental leave longer than sick leave?")
        (prompt,) = at.prompts

    assert "QUESTION compares." in prompt
    assert answer.text == both
    assert [one.quote for one in answer.citations] == [LEAVE, ill]


async def test_a_doubted_answer_is_read_again_and_searched_against(tmp_path: Path) -> None:
    late = "Expenses older than 90 days need an approval by Finance."
    file = "File an expense report within 60 days of the purchase."
    docs = {
        "spending.md": f"# Spending\n\n## Reports\n\n{file}\n",
        "late.md": f"# Late\n\n{late}\n",
    }
    still = "The stated time is 60 days [1]; what is older than 90 days needs an approval [2]."

    def again(request: dict[str, Any]) -> Any:
        quotes = [{"section": section_with(request, one), "text": one} for one in (file, late)]
        return completion(decision(quotes=quotes, answer=still))

    async with house(tmp_path, quoting(file), again, docs=docs) as at:
        first = await at.ask("How long do I have to file an expense report?", thread="t1")
        second = await at.ask("really? someone told me 90", thread="t1")
        prompt = at.prompts[1]

    assert [one.quote for one in first.citations] == [file]
    assert (second.text, second.understood) == (still, first.question)
    assert [one.quote for one in second.citations] == [file, late]
    assert "really? someone told me 90" in prompt.split("LIBRARY (")[0]


async def test_a_value_claimed_by_a_doubter_is_never_adopted(tmp_path: Path) -> None:
    adopted = "You are right, it is 16 weeks [1]."
    async with house(tmp_path, quoting(LEAVE), quoting(LEAVE, adopted)) as at:
        await at.ask(thread="t1")
        answer = checked(await at.ask("that's wrong, it's 16 weeks", thread="t1"))

    assert "16" not in answer.text


async def test_a_summary_is_written_from_the_beginnings_of_all_sections(tmp_path: Path) -> None:
    both = f"{LEAVE} [1] {SICK} [2]"

    def reply(request: dict[str, Any]) -> Any:
        quotes = [
            {"section": section_with(request, quote), "text": quote} for quote in (LEAVE, SICK)
        ]
        return completion(decision(quotes=quotes, answer=both))

    async with house(tmp_path, reply) as at:
        answer = checked(await at.ask("Summarise the leave page"))
        (prompt,) = at.prompts

    assert "QUESTION asks for a summary" in prompt
    assert LEAVE in prompt
    assert SICK in prompt
    assert HOTEL not in prompt
    assert [one.quote for one in answer.citations] == [LEAVE, SICK]
    assert "sections" not in answer.text


async def test_a_summary_says_what_it_leaves_out(tmp_path: Path) -> None:
    async with house(tmp_path, quoting(LEAVE)) as at:
        answer = checked(await at.ask("Summarise the leave page"))

    assert answer.text.endswith("This covers 1 of its 2 sections.")


async def test_without_its_model_a_summary_is_made_by_rule(tmp_path: Path) -> None:
    async with house(tmp_path, lambda _: failure(500, "oops")) as at:
        answer = checked(await at.ask("Summarise the leave page"))

    assert answer.outcome is Outcome.ANSWERED
    assert answer.stop_reason is StopReason.UNAVAILABLE
    assert [one.quote for one in answer.citations] == [LEAVE, SICK]


async def test_without_its_model_a_comparison_still_looks_up_both_sides(tmp_path: Path) -> None:
    ill = "Sick leave lasts 6 weeks at full pay."
    docs = {"leave.md": DOCS["leave.md"], "sick.md": f"# Sick\n\n## Sick leave\n\n{ill}\n"}
    async with house(tmp_path, lambda _: failure(500, "oops"), docs=docs) as at:
        answer = await at.ask("Is parental leave longer than sick leave?")

    assert answer.stop_reason is StopReason.UNAVAILABLE
    assert {one.quote for one in answer.citations} == {LEAVE, ill}


async def test_a_list_says_from_how_many_documents_it_is(tmp_path: Path) -> None:
    async with house(tmp_path, quoting(LEAVE)) as at:
        answer = checked(await at.ask("List all kinds of parental leave"))

    assert answer.text.endswith("This is from 1 of the 2 documents searched.")


async def test_parts_that_build_on_each_other_are_drawn_together(tmp_path: Path) -> None:
    parts = [
        {"question": QUESTION, "kind": "lookup", "depends_on": []},
        {"question": "Is a certificate needed for sick leave?", "kind": "lookup", "depends_on": []},
        {"question": "How do both compare?", "kind": "compare", "depends_on": [1, 2]},
    ]
    drawn = "Parental leave lasts 14 weeks [1], while sick leave needs a certificate [2]."

    def each(request: dict[str, Any]) -> Any:
        prompt = prompt_of(request)
        if "Write one short answer from the findings" in prompt:
            return completion(drawn)
        sick = "certificate needed" in prompt.split("\nLIBRARY (")[0]
        return quoting(SICK if sick else LEAVE)(request)

    async with house(tmp_path, saying(json.dumps({"parts": parts})), each) as at:
        asked = f"{QUESTION} Is a certificate needed for sick leave? How do both compare?"
        answer = checked(await at.ask(asked))

    assert answer.text == drawn
    assert [one.quote for one in answer.citations] == [LEAVE, SICK]


async def test_a_drawn_answer_that_adds_something_is_not_taken(tmp_path: Path) -> None:
    parts = [
        {"question": QUESTION, "kind": "lookup", "depends_on": []},
        {"question": "And with twins?", "kind": "combine", "depends_on": [1]},
    ]

    def each(request: dict[str, Any]) -> Any:
        if "Write one short answer from the findings" in prompt_of(request):
            return completion("It is 14 weeks, and 21 with twins [1].")
        return quoting(LEAVE)(request)

    async with house(tmp_path, saying(json.dumps({"parts": parts})), each) as at:
        answer = checked(await at.ask(f"{QUESTION} And how long is it with twins?"))

    assert "21" not in answer.text
    assert "14 weeks" in answer.text
