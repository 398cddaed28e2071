"""Summaries without a model: the document's own sentences, every top section in turn."""

import pytest

from agent.domain import WORKSPACE, Finding, Outcome
from agent.ports import TextSize
from agent.reading import DocumentReader
from agent.talk.summaries import asked_summary, leads_elsewhere, summary, tops
from config.settings import LoopSettings
from tests.engine_fakes import MemoryLibrary

TEXTS = {
    "travel-policy": {
        "booking": "Trips are booked in the travel tool. They need an approval.",
        "trains": "Take the train for journeys below six hours.",
        "references": "The old travel policy stands in the archive.",
    },
}


async def told(question: str, texts: dict[str, dict[str, str]] = TEXTS) -> Finding | None:
    asked = asked_summary(question)
    assert asked is not None
    reader = DocumentReader(MemoryLibrary(texts), WORKSPACE, LoopSettings())
    return await summary(asked, reader, TextSize(8, 5_000))


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Summarise the travel policy", "travel"),
        ("tldr password requirements pls", "password requirements"),
        ("Can you give me a short summary of the leave page?", "leave"),
        ("travel policy in a nutshell", "travel"),
        ("用三句话概括 QoS 那个文档", "QoS"),
        ("总结一下员工手册", "员工手册"),
    ],
)
def test_a_summary_is_asked_for_in_many_words(question: str, name: str) -> None:
    asked = asked_summary(question)

    assert asked is not None
    assert asked.name == name


@pytest.mark.parametrize(
    "question", ["How do I write a summary?", "年终总结什么时候交？", "summarise"]
)
def test_other_questions_are_no_summaries(question: str) -> None:
    assert asked_summary(question) is None


async def test_every_top_section_has_a_say_but_references() -> None:
    finding = await told("Summarise the travel policy")

    assert finding is not None
    assert finding.outcome is Outcome.ANSWERED
    assert {one.section[0] for one in finding.citations} == {"Booking", "Trains"}


async def test_what_there_is_no_room_for_is_counted() -> None:
    sections = {f"part {number}": f"{'The travel rule says ' * 8}{number}." for number in range(12)}

    finding = await told("Summarise the travel policy", {"travel-policy": sections})

    assert finding is not None
    assert "of its 12 sections" in finding.text


async def test_a_document_of_no_such_name_is_not_summarised() -> None:
    assert await told("Summarise the sabbatical rules") is None


def test_a_heading_over_nearly_everything_is_no_section() -> None:
    chains = [("Reason",), *(("Resources for teammates", each) for each in "ABCD")]
    top = tops(chains)

    assert [top(chain) for chain in chains] == ["Reason", "A", "B", "C", "D"]


def test_what_only_leads_elsewhere_is_told_by_its_whole_heading() -> None:
    assert leads_elsewhere("Related pages")
    assert leads_elsewhere("参考文献")
    assert not leads_elsewhere("Resources for teammates")
    assert not leads_elsewhere("Related to customers: how we answer")
