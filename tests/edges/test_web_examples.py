"""Example questions on the first page: real headings that a search finds, the reader's first."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from agent.library.writing import NewDocument, put_documents
from bots.examples import example_questions
from connectors.formats import markdown
from tests.web_house import House, handbook, open_house, private_paper

EVERYBODY = frozenset({"workspace"})


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    opened = open_house(tmp_path)
    yield opened
    opened.store.close()


async def test_they_are_about_different_things(house: House) -> None:
    questions = await example_questions(house.library, "en")

    assert "What is said about parental leave of part-time staff?" in questions
    assert "What is said about parental leave?" not in questions
    assert len(questions) == 3


async def test_the_readers_language_comes_first(house: House) -> None:
    questions = await example_questions(house.library, "zh", wanted=2)

    assert questions[0] == "住宿标准有什么规定？"
    assert questions[1].startswith("What is said about")


async def test_nothing_is_told_of_what_others_read(house: House) -> None:
    facts, parsed = private_paper()
    paper = NewDocument(facts, parsed, frozenset({"slack:C1"}))
    await house.store.write(lambda connection: put_documents(connection, [paper]))

    assert not any("year" in each for each in await example_questions(house.library, "en", 20))


async def test_a_heading_that_asks_is_asked_as_it_stands(house: House) -> None:
    facts, _ = handbook("empty.md")
    text = "## May I bring a dog to work?\n\n" + "Dogs are welcome on Fridays. " * 8
    paper = NewDocument(facts, markdown.parse(f"# Dogs\n\n{text}".encode(), "dogs.md"), EVERYBODY)
    await house.store.write(lambda connection: put_documents(connection, [paper]))

    assert "May I bring a dog to work?" in await example_questions(house.library, "en", 20)
