"""What a question names exactly, and that no other thing's figures answer it."""

import pytest

from agent.cores.naming import named
from agent.domain import Action
from tests.unit.test_extractive import decide, quotes

PLANS = {
    f"plan-{number}": {"rates": f"The rate of plan-{number} is {number}0 euros a month."}
    for number in (1, 2, 3)
}
TOPICS = {f"topic-{n}": {"fees": f"The fee for topic{n} is {n}5 euros."} for n in range(1, 9)}


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("What is the rate of plan-4?", ["plan-4"]),
        ("topic9 fee", ["topic9"]),
        ("How fast is an S1 answered?", ["S1"]),
        ("What is the fee for topic 9?", ["9"]),
        ("What is new in firmware 3.2?", ["3.2"]),
        ("Is a receipt needed over 1000 euro?", []),
        ("Can I accept a gift of 50 euros?", []),
        ("Who is on call on 24 December 2026?", []),
        ("What was decided in mid-2024?", []),
        ("May I work from home 3 days a week?", []),
        ("Do trips above 1,500 euros need approval?", []),
    ],
)
def test_identifiers_are_names_and_amounts_and_dates_are_not(
    question: str, names: list[str]
) -> None:
    assert [name.written for name in named(question)] == names


@pytest.mark.parametrize("spelt", ["plan-4", "Plan 4", "PLAN4", "the plan_4 rate"])
def test_a_name_is_found_however_its_pieces_are_joined(spelt: str) -> None:
    (name,) = named("the fee of plan-4")

    assert name.within(spelt)


@pytest.mark.parametrize("other", ["plan-44", "plan-3", "airplan-4", "plan-4.1"])
def test_a_longer_name_is_another_one(other: str) -> None:
    (name,) = named("the fee of plan-4")

    assert not name.within(other)


@pytest.mark.parametrize(
    ("texts", "question"),
    [
        (PLANS, "What is the rate of plan-4?"),
        (PLANS, "PLAN-77"),
        (TOPICS, "topic9 fee"),
        (TOPICS, "What is the fee for topic 9?"),
    ],
)
async def test_what_is_nowhere_is_not_answered_with_anothers_figures(
    texts: dict[str, dict[str, str]], question: str
) -> None:
    decision = await decide(texts, question, searched=True)

    assert decision.action is Action.NOT_COVERED


async def test_only_what_names_it_is_quoted() -> None:
    assert await quotes(PLANS, "What is the rate of plan-2?") == [
        "The rate of plan-2 is 20 euros a month."
    ]


async def test_a_title_that_names_it_speaks_for_its_sentences() -> None:
    texts = {f"firmware-{n}": {"release": f"The firmware was released on {n} May."} for n in (7, 8)}

    said = await quotes(texts, "When was firmware 8 released?")

    assert said == ["The firmware was released on 8 May."]
