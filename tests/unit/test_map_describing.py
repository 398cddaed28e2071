"""First sentences: what a section is about, not what stands around it."""

import pytest

from agent.map.building import build_document
from agent.map.describing import shortened
from tests.library_files import facts, parsed, section


def first(*texts: str) -> str:
    return build_document(facts("x.md"), parsed("X", section("A", *texts))).first_sentences[0]


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        pytest.param(("You may travel. Ask first.",), "You may travel.", id="the first of two"),
        pytest.param(("© 2026 Acme", "It begins here."), "It begins here.", id="no copyright"),
        pytest.param(("Figure 1: A map", "It begins."), "It begins.", id="no caption"),
        pytest.param(("- a bullet", "It begins."), "It begins.", id="no bullet"),
        pytest.param(
            ("最后更新：2026年", "本制度适用于全体员工。"), "本制度适用于全体员工。", id="Chinese"
        ),
        pytest.param(("42 / 7",), "", id="nothing without words"),
        pytest.param((), "", id="nothing from nothing"),
    ],
)
def test_first_sentence(texts: tuple[str, ...], expected: str) -> None:
    assert first(*texts) == expected


def test_it_is_cut_at_a_word_after_240_characters() -> None:
    sentence = first("word " * 100)

    assert len(sentence) <= 240
    assert sentence.endswith("word…")


def test_short_text_is_left_alone() -> None:
    assert shortened("short", 5) == "short"


def test_text_without_blanks_is_cut_anywhere() -> None:
    assert shortened("年" * 20, 10) == "年" * 9 + "…"


@pytest.mark.parametrize(
    "sentence",
    [
        "By default every laptop is encrypted.",
        "Confidential data stays on our servers.",
        "Draft your message before you send it.",
        "This page is about leave.",
        "Version 2 of the contract counts.",
    ],
)
def test_sentences_that_only_begin_like_boilerplate_are_kept(sentence: str) -> None:
    assert first(sentence) == sentence


@pytest.mark.parametrize(
    "boilerplate",
    [
        "Effective date: 1 February 2026.",
        "Effective from 2026-02-01.",
        "This version replaces the travel policy of 2024.",
        "生效日期：2026年2月1日。",
    ],
)
def test_when_a_document_holds_is_not_what_it_says(boilerplate: str) -> None:
    assert first(boilerplate, "Trains are in second class.") == "Trains are in second class."
