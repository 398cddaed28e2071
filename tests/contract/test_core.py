"""What every core promises. A new one is added to the list and must pass as it is."""

from dataclasses import replace

import pytest

from agent.cores.extractive import ExtractiveCore
from agent.domain import WORKSPACE, Action, Decision
from agent.ports import AgentCore, RoundView
from agent.reading import DocumentReader
from config.settings import LoopSettings
from tests.engine_fakes import DECLINE, MemoryLibrary, ScriptedCore, answer

TEXTS = {
    "people": {
        "leave": "Parental leave takes 16 weeks.\nIt starts with the birth.",
        "sick": "Sick leave needs a certificate.",
    },
    "travel": {"hotels": "A hotel night may cost 300 dollars."},
}
QUESTIONS = ("How long is parental leave?", "What does the moon weigh?", "???", "假期有多久？")


@pytest.fixture(
    params=[
        pytest.param(ExtractiveCore, id="extractive"),
        pytest.param(
            lambda: ScriptedCore(answer("Parental leave takes 16 weeks."), DECLINE), id="scripted"
        ),
    ]
)
def core(request: pytest.FixtureRequest) -> AgentCore:
    made: AgentCore = request.param()
    return made


async def view_of(core: AgentCore, question: str) -> RoundView:
    reader = DocumentReader(MemoryLibrary(TEXTS), WORKSPACE, LoopSettings())
    reading = await reader.search(question, core.text_size)
    assert reading.found is not None
    documents = tuple(reader.outlined(reading.found, reading.windows))
    terms = reading.found.terms
    return RoundView(question, documents, reading.windows, reading.found, terms=terms)


async def decided(core: AgentCore, view: RoundView) -> Decision:
    return await core.decide(view)


async def test_quotes_stand_in_the_section_they_name(core: AgentCore) -> None:
    view = await view_of(core, QUESTIONS[0])
    texts = {shown.section_id: shown.window.text for shown in view.windows}

    decision = await decided(core, view)

    assert decision.action is Action.ANSWER
    assert decision.quotes
    assert all(quote.text in texts[quote.section_id] for quote in decision.quotes)
    assert len(decision.quotes) <= view.quotes


@pytest.mark.parametrize("question", QUESTIONS)
async def test_in_the_forced_round_it_answers_or_declines(core: AgentCore, question: str) -> None:
    decision = await decided(core, replace(await view_of(core, question), forced=True))

    assert decision.action in (Action.ANSWER, Action.NOT_COVERED)


async def test_without_any_text_nothing_is_quoted(core: AgentCore) -> None:
    core = core if core.extractive else ScriptedCore(DECLINE)
    view = replace(await view_of(core, "quantum chromodynamics"), searched_again=True)

    decision = await decided(core, view)

    assert view.windows == ()
    assert decision.action is Action.NOT_COVERED
    assert decision.quotes == ()


async def test_what_it_costs_is_told_before(core: AgentCore) -> None:
    view = await view_of(core, QUESTIONS[0])

    assert core.cost_tokens(view) >= 0
    assert core.text_size.windows >= 1
    assert core.text_size.chars >= 1
