"""How people greet, thank, take leave and ask about the bot itself, one file a language.

Closed lists: a message counts only if all of it stands there, so that a question about the
documents is never taken for small talk.
"""

import re
import tomllib
from enum import StrEnum
from functools import cache
from importlib.resources import files


class TalkKind(StrEnum):
    """What a message that is no question wants; what must be answered first stands on top."""

    PRIVACY = "privacy"
    RETENTION = "retention"
    SOURCES = "sources"
    NOT_A_PERSON = "not_a_person"
    ABOUT = "about"
    TRUST = "trust"
    WHOM_TO_ASK = "whom_to_ask"
    HELP = "help"
    THANKS = "thanks"
    GOODBYE = "goodbye"
    GREETING = "greeting"
    ACKNOWLEDGED = "acknowledged"
    NO_QUESTION = "no_question"


SOCIAL = (TalkKind.THANKS, TalkKind.GOODBYE, TalkKind.GREETING, TalkKind.ACKNOWLEDGED)
"""Kinds that may stand before a question; the question then goes on alone."""


@cache
def patterns() -> dict[TalkKind, re.Pattern[str]]:
    """For every kind the phrases of all languages as one regex, to be matched whole."""
    names = sorted(file.name for file in files(__package__).iterdir())
    tables = [_read(name) for name in names if name.endswith(".toml")]
    return {
        kind: re.compile(
            "|".join(phrase for table in tables for phrase in table.get(kind.value, ())) or "(?!)",
            re.IGNORECASE,
        )
        for kind in TalkKind
    }


def _read(name: str) -> dict[str, list[str]]:
    """Phrases by kind, macros filled in."""
    tables = tomllib.loads(files(__package__).joinpath(name).read_text(encoding="utf-8"))
    macros: dict[str, str] = tables["macros"]

    def filled(phrase: str) -> str:
        return re.sub(r"<(\w+)>", lambda found: macros[found[1]], phrase)

    phrases: dict[str, list[str]] = tables["phrases"]
    return {kind: [filled(each) for each in each_kind] for kind, each_kind in phrases.items()}
