"""The words with which admins operate the bot from chat, told apart from questions."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from bots.ports import Incoming


class Word(StrEnum):
    """What an admin can ask for."""

    REINDEX = "reindex"
    STATUS = "status"
    FAILED = "failed"
    CONFIRM_DELETES = "confirm-deletes"
    HELP = "help"


@dataclass(frozen=True, slots=True)
class Command:
    """An admin word with its source, empty for all; `unknown` holds words that mean nothing."""

    word: Word
    source: str = ""
    unknown: str = ""

    def __str__(self) -> str:
        return " ".join(part for part in (self.word.value, self.source) if part)


_HELP = frozenset({"help", "帮助"})
_POLITE = frozenset({"please", "pls", "plz", "now", "thanks", "thx", "asap", "again", "谢谢", "请"})
_NOT_HERE_YET = frozenset({"forget", "unforget", "recall", "pause", "resume", "gaps"})
"""Words of an admin that nothing is done for yet; with more than one word after, a question."""


def is_help(text: str) -> bool:
    """Whether a message asks for help and nothing else."""
    return text.strip().rstrip("?!.？！。").lower() in _HELP


def command_in(incoming: Incoming) -> Command | None:
    """The admin word in a message; None where it is a question."""
    return parse(incoming.text, given_as_command="command" in incoming.address)


def parse(text: str, *, given_as_command: bool = False) -> Command | None:
    """The admin word in a message; None where it is an ordinary question.

    Args:
        text: the message, mention removed; a leading slash is allowed.
        given_as_command: it came as `/reindex <text>`, so it cannot be a question.
    """
    slashed = text.strip().startswith("/")
    said = text.strip().lstrip("/").rstrip(".!。！").lower().split()
    words = _without_politeness(said)
    if words[:1] == [Word.REINDEX] and (given_as_command or slashed or len(words) <= 2):
        return _after_reindex(words[1:], said[1:])
    if given_as_command:
        return _after_reindex(words, said)
    match words:
        case ["status"] | ["failed"] | ["confirm-deletes"]:
            return Command(Word(words[0]))
        case ["failed" | "confirm-deletes", source]:
            return Command(Word(words[0]), source)
        case [first] | [first, _] if first in _NOT_HERE_YET:
            return Command(Word.HELP, unknown=" ".join(said))
    return None


def _without_politeness(words: Sequence[str]) -> list[str]:
    plain = [word.strip(".!,。！，") for word in words]
    while plain and (plain[-1] in _POLITE or not plain[-1]):
        plain.pop()
    while plain and (plain[0] in _POLITE or not plain[0]):
        plain.pop(0)
    return plain


def _after_reindex(words: Sequence[str], said: Sequence[str]) -> Command:
    match words:
        case []:
            return Command(Word.REINDEX)
        case ["status" | "failed" | "confirm-deletes" | "help" | "reindex"]:
            return Command(Word(words[0]))
        case ["failed" | "confirm-deletes" | "reindex", source]:
            return Command(Word(words[0]), source)
        case [source]:
            return Command(Word.REINDEX, source)
    return Command(Word.HELP, unknown=" ".join(said))
