"""The fixed phrases of a page in the reader's language: the `[web]` table of `bots/phrases`."""

import re

from bots.phrases import FALLBACK, languages, phrase

_TAG = re.compile(r"\s*([A-Za-z]{1,8})(?:-[A-Za-z0-9]{1,8})*\s*(?:;\s*q=([0-9.]{1,5}))?\s*")


class Words:
    """Phrases of one language, by name."""

    def __init__(self, language: str) -> None:
        self.language = language if language in languages() else FALLBACK

    def __call__(self, name: str, **values: object) -> str:
        """A phrase with its places filled; a name without a table is one of `[web]`."""
        return phrase(self.language, name if "." in name else f"web.{name}", **values)

    def count(self, name: str, number: int) -> str:
        """A phrase that counts something: `<name>_one` for 1, else `<name>_many`."""
        return self(f"{name}_one" if number == 1 else f"{name}_many", n=f"{number:,}")


def page_language(accepted: str, chosen: str = "") -> str:
    """The language to write a page in.

    Args:
        accepted: an Accept-Language header, any text.
        chosen: a language asked for by name; unknown ones do not count.
    """
    if chosen in languages():
        return chosen
    wanted = [
        (-_weight(tag[2]), order, tag[1].lower())
        for order, part in enumerate(accepted[:500].split(","))
        if (tag := _TAG.fullmatch(part)) and tag[1].lower() in languages()
    ]
    return min(wanted)[2] if wanted else FALLBACK


def _weight(text: str | None) -> float:
    try:
        return float(text) if text else 1.0
    except ValueError:
        return 0.0
