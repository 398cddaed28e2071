"""The engine with a real, small model: it may be wrong, it may not mislead."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from agent.cores.openai_chat import OpenAIChat
from agent.domain import WORKSPACE, Answer, Outcome, ProgressEvent, Question
from agent.ports import ChatPrompt
from agent.text.values import foreign
from bots.app import Engine, open_engine
from config.settings import LoopSettings, ModelSettings, Settings, SourceSettings

LIBRARY = Path(__file__).parents[2] / "examples" / "library"
SLOW_S = 600.0
ASKED = (
    ("How long is parental leave?", "14 weeks"),
    ("Who approves trips above 1500 euros?", "manager"),
    ("What may a hotel night cost in Zurich?", ""),
    ("How many days of annual leave do I get?", "28"),
    ("When must a sick note be handed in?", ""),
    ("Who feeds the office dog?", None),
)
"""What is asked, and what a quote must then hold; None: it is not covered."""


def settings_for(url: str) -> ModelSettings:
    return ModelSettings(kind="openai", name="model", base_url=url, timeout_s=SLOW_S)


@asynccontextmanager
async def engine(folder: Path, url: str) -> AsyncIterator[Engine]:
    settings = Settings(
        data_dir=folder,
        sources=(SourceSettings(name="handbook", path=LIBRARY, audience=("workspace",)),),
        model=settings_for(url),
        loop=LoopSettings(work_s=SLOW_S, max_rounds=3),
    )
    async with open_engine(settings) as opened:
        await opened.jobs.run()
        yield opened


class Silent:
    async def show(self, event: ProgressEvent) -> None:
        """Nobody watches."""


async def asked(at: Engine, text: str) -> Answer:
    return await at.assistant.answer(Question(text, WORKSPACE), Silent())


async def held_up(at: Engine, answer: Answer) -> None:
    """Every quote stands in its section, every value in a quote or in the question."""
    for one in answer.citations:
        section = await at.library.read_section(WORKSPACE, one.doc_id, one.section_path)
        assert section.text[one.start : one.end] == one.quote
    if answer.outcome in (Outcome.ANSWERED, Outcome.PARTIAL):
        places = [" ".join((one.title, *one.section)) for one in answer.citations]
        quotes = [one.quote for one in answer.citations]
        assert not foreign(answer.text, [*quotes, *places, answer.question])


async def test_the_server_is_asked_in_the_best_form_it_takes(capable: str) -> None:
    chat = OpenAIChat(settings_for(capable))
    schema = {
        "type": "object",
        "properties": {"colour": {"type": "string", "enum": ["red", "green"]}},
        "required": ["colour"],
        "additionalProperties": False,
    }
    try:
        reply = await chat.complete(
            ChatPrompt("Reply with JSON.", "What colour is grass?", schema=schema, reply_tokens=40)
        )
    finally:
        await chat.close()

    assert '"green"' in reply.text
    assert reply.usage.prompt_tokens > 0


async def test_a_short_question_set_end_to_end(
    capable: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hits, calls = 0, 0
    async with engine(tmp_path, capable) as at:
        for text, wanted in ASKED:
            answer = await asked(at, text)
            await held_up(at, answer)
            quotes = " ".join(one.quote for one in answer.citations)
            hit = not quotes if wanted is None else bool(quotes) and wanted in quotes
            hits, calls = hits + hit, calls + answer.usage.full_calls
            took_s = answer.usage.total_ms / 1000
            with capsys.disabled():
                mark = "hit " if hit else "miss"
                print(f"  {mark} {answer.outcome.value:12} {took_s:5.1f} s  {text}")
    with capsys.disabled():
        print(f"  {hits} of {len(ASKED)} hits, {calls} full calls")

    assert hits >= 3


async def test_a_model_that_paraphrases_misleads_nobody(adversary: str, tmp_path: Path) -> None:
    async with engine(tmp_path, adversary) as at:
        for text, _ in ASKED:
            await held_up(at, await asked(at, text))
