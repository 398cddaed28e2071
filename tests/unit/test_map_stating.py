"""Dates and versions that a document states of itself."""

import pytest

from agent.map.building import build_document
from agent.map.stating import Stated
from tests.library_files import facts, parsed, section


def said(text: str, title: str = "Policy") -> Stated:
    return build_document(facts("x.md"), parsed(title, section("Scope", text))).stated


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Effective date: 1 April 2026", Stated(effective="2026-04-01")),
        ("This policy is effective from 2026-04-01.", Stated(effective="2026-04-01")),
        ("Last updated: March 5, 2025", Stated(updated="2025-03-05")),
        ("Revised in March 2025.", Stated(updated="2025-03")),
        ("Version: 2.1", Stated(version="2.1")),
        ("版本：V3.0", Stated(version="3.0")),
        ("本制度自2026年4月1日起施行。", Stated(effective="2026-04-01")),
        ("修订日期：2025年3月5日", Stated(updated="2025-03-05")),
        (
            "Effective 1 April 2026. Next review: 1 April 2027.",
            Stated(effective="2026-04-01"),
        ),
        ("Valid until 31 December 2026.", Stated()),
        ("Updated 03/04/2025.", Stated()),
        ("We met on 5 March 2025.", Stated()),
        ("The update takes 3 days.", Stated()),
    ],
)
def test_what_the_text_states(text: str, expected: Stated) -> None:
    assert said(text) == expected


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Travel policy v2.3", Stated(version="2.3")),
        ("Travel policy (March 2025)", Stated(updated="2025-03")),
        ("minutes 2025-03-05", Stated(updated="2025-03-05")),
        ("差旅制度（第3版）", Stated(version="3")),
        ("Travel policy", Stated()),
    ],
)
def test_what_the_title_states(title: str, expected: Stated) -> None:
    assert said("Nothing.", title) == expected


def test_a_date_deep_in_the_text_is_none_of_its_own() -> None:
    assert said("x " * 1_000 + "Effective 1 April 2026.") == Stated()
