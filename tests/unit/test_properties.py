"""Questions about a document itself: its date and owner, by its own words and by the drive."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from agent.domain import WORKSPACE, DocId, Facts, Finding, MapEntry, Outcome, Scope
from agent.ports import TextSize
from agent.reading import DocumentReader
from agent.talk.properties import Property, asked_property, from_properties
from config.settings import LoopSettings
from tests.engine_fakes import MemoryLibrary

TEXTS = {
    "travel-policy": {
        "about": "Policy owner: Finance.\nEffective from 1 April 2023.",
        "trains": "Trains are booked in second class.",
    },
    "computer-buyback": {"how": "You may buy your computer when you leave."},
}


async def told(question: str, facts: Facts | None = None) -> Finding | None:
    asked = asked_property(question)
    assert asked is not None
    reader = DocumentReader(MemoryLibrary(TEXTS), WORKSPACE, LoopSettings())
    return await from_properties(asked, reader, TextSize(8, 5_000), facts or Facts())


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("When was the travel policy last updated?", Property.MODIFIED),
        ("asset management policy - last update?", Property.MODIFIED),
        ("since when does the travel policy apply", Property.MODIFIED),
        ("whos the owner of the travel policy?", Property.OWNER),
        ("who wrote the buyback page", Property.OWNER),
        ("K3s 的文档上次修改是啥时候", Property.MODIFIED),
        ("HPA 这篇文档谁负责维护？", Property.OWNER),
    ],
)
def test_a_question_about_a_document_is_told_from_others(question: str, wanted: Property) -> None:
    asked = asked_property(question)

    assert asked is not None
    assert asked.wanted is wanted


@pytest.mark.parametrize(
    "question",
    [
        "When was firmware 3.3 released?",
        "who is responsible for incidents",
        "How long is parental leave according to the leave policy?",
        "谁负责审批？",
    ],
)
def test_what_documents_say_is_not_asked_of_the_drive(question: str) -> None:
    assert asked_property(question) is None


async def test_the_documents_own_words_come_first_and_are_cited() -> None:
    finding = await told("who is the owner of the travel policy?")

    assert finding is not None
    assert finding.outcome is Outcome.ANSWERED
    assert finding.citations[0].quote == "Policy owner: Finance."
    assert "[1]" in finding.text


async def test_what_the_drive_says_is_labelled() -> None:
    facts = Facts(modified={"travel-policy.md": "2026-02-03"})

    finding = await told("When was the travel policy last updated?", facts)

    assert finding is not None
    assert "Effective from 1 April 2023." in finding.text
    assert "last changed on 2026-02-03 (from the file's properties)" in finding.text


async def test_where_nobody_says_it_nothing_is_claimed() -> None:
    finding = await told("who wrote the computer buyback page?")

    assert finding is not None
    assert finding.outcome is Outcome.NOT_COVERED
    assert finding.text == ""


async def test_a_document_of_another_name_is_not_taken_for_it() -> None:
    assert await told("who owns the parental leave policy?") is None


class SignedLibrary(MemoryLibrary):
    """Documents whose files name their author."""

    async def read_map(self, scope: Scope, doc_ids: Sequence[DocId]) -> Sequence[MapEntry]:
        return [
            replace(entry, document=replace(entry.document, author="Ann Lee"))
            for entry in await super().read_map(scope, doc_ids)
        ]


async def test_an_author_that_the_file_names_is_no_owner() -> None:
    asked = asked_property("who wrote the computer buyback page?")
    assert asked is not None
    reader = DocumentReader(SignedLibrary(TEXTS), WORKSPACE, LoopSettings())

    finding = await from_properties(asked, reader, TextSize(8, 5_000), Facts())

    assert finding is not None
    assert "was written by Ann Lee (from the file's properties)" in finding.text
