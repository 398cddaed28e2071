"""The first words to a place: what we do, and real questions that its readers may ask."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from agent.domain import WORKSPACE, Scope
from agent.library.writing import NewDocument, put_documents
from bots.greeting import greeting
from bots.ports import Place
from tests.chat_fakes import ScriptedAssistant, message
from tests.web_house import House, open_house, private_paper

CHANNEL = Scope(frozenset({"slack:C1"}))


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    opened = open_house(tmp_path)
    yield opened
    opened.store.close()


async def said_to(house: House, scope: Scope) -> list[str]:
    """The lines of the greeting."""
    arrival = message("", place=Place.DIRECT, scope=scope)
    return (await greeting(ScriptedAssistant(), house.library, arrival)).splitlines()


async def test_it_ends_with_three_questions_made_of_real_headings(house: House) -> None:
    lines = await said_to(house, WORKSPACE)

    assert lines[-4] == "For example:"
    assert "• What is said about parental leave of part-time staff?" in lines[-3:]


async def test_it_names_nothing_that_this_reader_may_not_read(house: House) -> None:
    paper = NewDocument(*private_paper(), frozenset({"slack:C2"}))
    await house.store.write(lambda connection: put_documents(connection, [paper]))
    nobody, others = await said_to(house, Scope(frozenset())), await said_to(house, CHANNEL)

    assert not any(line.startswith("•") for line in nobody)
    assert not any(line.startswith("•") for line in others)
