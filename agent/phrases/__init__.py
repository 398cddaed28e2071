"""Every fixed phrase of the engine, one file a language; another language is another file.

Phrases are what the engine itself says; quotes stay in the language of their source. English is
complete; a phrase that another file lacks is said in English.
"""

import tomllib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Final

from agent.domain import Question
from agent.text.words import language_of as _guess

FALLBACK: Final = "en"


def languages() -> tuple[str, ...]:
    """The languages there is a file for."""
    names = (file.name for file in files(__package__).iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml")))


def phrase(language: str, key: str, **values: object) -> str:
    """A phrase with its places filled.

    Args:
        language: `en`, `zh`; one without a file is answered in English.
        key: name of the phrase in the file.
        values: one for every `{place}` of the phrase.

    Raises:
        KeyError: there is no such phrase, or a place was given no value.
    """
    text = _phrases(language).get(key)
    return (_phrases(FALLBACK)[key] if text is None else text).format(**values)


def language_of(text: str) -> str:
    """The language of fixed phrases for this text, `en` or `zh`."""
    return _guess(text)


def language_for(question: Question) -> str:
    """The language a question is to be answered in: the one chosen, else its own."""
    return language_of(question.text) if question.language == "auto" else question.language


def listed(language: str, items: Sequence[str]) -> str:
    """`A, B and C`; empty for none."""
    if len(items) <= 1:
        return "".join(items)
    head = phrase(language, "comma").join(items[:-1])
    return f"{head}{phrase(language, 'and')}{items[-1]}"


@cache
def _phrases(language: str) -> dict[str, str]:
    if language not in languages():
        language = FALLBACK
    text = files(__package__).joinpath(f"{language}.toml").read_text(encoding="utf-8")
    phrases: dict[str, str] = tomllib.loads(text)
    return phrases
