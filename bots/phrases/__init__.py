"""The fixed phrases of the chat, one file a language; another language is another file.

English is complete; a phrase that another file lacks is said in English.
"""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

from agent.text.words import language_of

FALLBACK = "en"


def languages() -> tuple[str, ...]:
    """The languages there is a file for."""
    names = (file.name for file in files(__package__).iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml")))


def phrase(language: str, key: str, **values: object) -> str:
    """A phrase with its places filled.

    Args:
        language: `en`, `zh`; one without a file is answered in English.
        key: `table.name` in the file.
        values: one for every `{place}` of the phrase.

    Raises:
        KeyError: there is no such phrase, or a place was given no value.
    """
    text = _phrases(language).get(key)
    return (_phrases(FALLBACK)[key] if text is None else text).format(**values)


def counted(language: str, key: str, count: int, **values: object) -> str:
    """A phrase about so many things: `<key>_one` for a single one, else `<key>` with `{count}`."""
    if count == 1:
        return phrase(language, f"{key}_one", **values)
    return phrase(language, key, count=count, **values)


def choose_language(preferred: str, text: str) -> str:
    """The language of fixed phrases: the one preferred, `auto` follows the text."""
    return language_of(text) if preferred == "auto" else preferred


@cache
def _phrases(language: str) -> dict[str, str]:
    if language not in languages():
        language = FALLBACK
    text = files(__package__).joinpath(f"{language}.toml").read_text(encoding="utf-8")
    tables: dict[str, dict[str, Any]] = tomllib.loads(text)
    return {
        f"{table}.{name}": value
        for table, phrases in tables.items()
        for name, value in phrases.items()
    }
