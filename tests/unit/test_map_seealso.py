"""Where a document sends its reader inside itself."""

import pytest

from agent.map.building import build_document
from tests.library_files import facts, parsed, section


def leads(text: str, *headings: str) -> list[str]:
    """Paths that a first section with this text leads to, the others named so."""
    sections = [section("Start", text), *(section(heading, "Text.") for heading in headings)]
    return [str(path) for path in build_document(facts("x.md"), parsed("T", *sections)).see_also[0]]


@pytest.mark.parametrize(
    "text",
    [
        "For exceptions see section 4.2 of this policy.",
        "Section 4.2 holds.",
        "As in sec. 4.2.",
        "Siehe Abschnitt 4.2.",
        "§ 4.2 gilt.",
        "例外情况见第4.2节。",
        "详见4.2。",
        "see “Exceptions” for more",
        "参见“Exceptions”。",
    ],
)
def test_a_number_or_a_name_leads_to_the_heading(text: str) -> None:
    assert leads(text, "4.1 Rules", "4.2 Exceptions", "4.3 Costs") == ["exceptions"]


def test_several_numbers_are_followed() -> None:
    assert leads("See sections 2, 3 and 4.", "1 A", "2 B", "3 C", "4 D") == ["b", "c", "d"]


def test_without_numbered_headings_the_place_in_the_outline_counts() -> None:
    assert leads("See section 3.", "Rules", "Costs") == ["costs"]


def test_a_chinese_chapter_is_found_by_its_numeral() -> None:
    assert leads("按照第三章的规定办理。", "第二章 假期", "第三章 审批流程") != []


@pytest.mark.parametrize(
    "text",
    [
        "Section 4.2 of the Companies Act applies.",
        "It took 4.2 days.",
        "See section 9.9.",
        "A section of 4.2% of the staff.",
        "The see is 4.2 km away.",
    ],
)
def test_these_lead_nowhere(text: str) -> None:
    assert leads(text, "4.1 Rules", "4.2 Exceptions") == []
