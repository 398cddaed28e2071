"""The engine's fixed phrases, complete and alike in every language."""

import string
import tomllib
from importlib.resources import files

import pytest

from agent.domain import WORKSPACE, Question
from agent.phrases import language_for, languages, listed, phrase


def table(language: str) -> dict[str, str]:
    text = files("agent.phrases").joinpath(f"{language}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def test_english_and_chinese_are_there() -> None:
    assert set(languages()) >= {"en", "zh"}


@pytest.mark.parametrize("language", languages())
def test_every_phrase_is_said_in_every_language_with_the_same_places(language: str) -> None:
    english = table("en")

    assert {key: places(text) for key, text in table(language).items()} == {
        key: places(text) for key, text in english.items()
    }


def test_places_are_filled() -> None:
    assert phrase("zh", "may_know", contact="#hr") == "可以问问 #hr。"


def test_a_language_without_a_file_is_answered_in_english() -> None:
    assert phrase("fr", "thanks") == phrase("en", "thanks")


def test_a_missing_value_is_an_error() -> None:
    with pytest.raises(KeyError):
        phrase("en", "may_know")


@pytest.mark.parametrize(
    ("text", "chosen", "language"),
    [
        ("How long?", "auto", "en"),
        ("年假多少天？", "auto", "zh"),
        ("BestEffort 呢", "auto", "zh"),
        ("How long?", "zh", "zh"),
    ],
)
def test_phrases_follow_the_question_unless_a_language_is_chosen(
    text: str, chosen: str, language: str
) -> None:
    assert language_for(Question(text, WORKSPACE, language=chosen)) == language


@pytest.mark.parametrize(
    ("items", "text"),
    [([], ""), (["A"], "A"), (["A", "B"], "A and B"), (["A", "B", "C"], "A, B and C")],
)
def test_things_are_listed(items: list[str], text: str) -> None:
    assert listed("en", items) == text
