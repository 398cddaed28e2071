"""The bot's fixed phrases, complete and alike in every language, and none that nobody says."""

import re
import string
import tomllib
from importlib.resources import files
from pathlib import Path

import pytest

from bots.phrases import choose_language, counted, languages, phrase

BOTS = Path(__file__).parents[2] / "bots"


def table(language: str) -> dict[str, str]:
    text = files("bots.phrases").joinpath(f"{language}.toml").read_text(encoding="utf-8")
    return {
        f"{group}.{name}": words
        for group, phrases in tomllib.loads(text).items()
        for name, words in phrases.items()
    }


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


def test_every_phrase_is_said_somewhere() -> None:
    sources = [*BOTS.rglob("*.py"), *BOTS.rglob("*.html")]
    code = "\n".join(file.read_text(encoding="utf-8") for file in sources)
    said = set(re.findall(r"[\"'{.]([a-z_]+)[\"'}]", code))

    unsaid = [
        key
        for key in table("en")
        if key.startswith(("reply.", "admin."))
        and not key.startswith("admin.state_")
        and key.removesuffix("_one").split(".")[1] not in said
    ]
    assert unsaid == []


def test_a_single_thing_is_counted_as_one() -> None:
    assert counted("en", "admin.confirmed", 1, source="a") == "a: 1 document was removed."
    assert counted("en", "admin.confirmed", 2, source="a") == "a: 2 documents were removed."


def test_the_language_follows_the_text_unless_one_is_preferred() -> None:
    assert choose_language("auto", "产假有多少天？") == "zh"
    assert choose_language("auto", "") == "en"
    assert choose_language("en", "产假有多少天？") == "en"


def test_a_language_without_a_file_is_answered_in_english() -> None:
    assert phrase("fr", "notice.ask") == phrase("en", "notice.ask")
