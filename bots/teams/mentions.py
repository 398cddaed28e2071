"""Mentions in the text of a Teams message: ours taken out, the others made readable.

The SDK's own function removes the bot's name wherever it occurs ("where are the Docs for the Docs
API?" lost both), so the work is done here: only the exact span that Teams declares as a mention of
us goes, wherever in the text it stands.
"""

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass

from bots.teams.activity import Json, object_in, objects_in, text_in

_TAG = re.compile(r"</?at\b[^>]{0,200}>", re.IGNORECASE)
_AFTER_A_NAME = " \n,:;，：；、"
_SPACES = re.compile(r"[^\S\n]+")


@dataclass(frozen=True, slots=True)
class _Mention:
    span: str
    name: str
    ours: bool


def mentions_us(activity: Json) -> bool:
    """Whether one of the declared mentions is ours."""
    return any(mention.ours for mention in _mentions(activity))


def names_somebody(activity: Json) -> bool:
    """Whether anybody at all is mentioned."""
    return any(True for _ in _mentions(activity))


def spoken_text(activity: Json) -> str:
    """What the asker said: without our mention, entities decoded, spaces tidied."""
    text, position = text_in(activity, "text"), 0
    for mention in _mentions(activity):
        start, span = _find(text, mention.span, position)
        if start < 0:
            continue
        shown = "" if mention.ours else mention.name
        text = text[:start] + shown + text[start + len(span) :]
        position = start + len(shown)
    return _tidy(html.unescape(_TAG.sub("", text))).lstrip(_AFTER_A_NAME)


def _mentions(activity: Json) -> Iterator[_Mention]:
    our_id = text_in(object_in(activity, "recipient"), "id")
    for entity in objects_in(activity, "entities"):
        if text_in(entity, "type").lower() != "mention":
            continue
        mentioned = object_in(entity, "mentioned")
        ours = bool(our_id) and text_in(mentioned, "id") == our_id
        yield _Mention(text_in(entity, "text"), text_in(mentioned, "name"), ours)


def _find(text: str, span: str, position: int) -> tuple[int, str]:
    """Where a declared span stands, from `position` on, else anywhere; -1: nowhere."""
    if span:
        for written in (span, html.escape(span, quote=False), html.unescape(span)):
            for begin in (position, 0):
                if (start := text.find(written, begin)) >= 0:
                    return start, written
    return -1, span


def _tidy(text: str) -> str:
    lines = (_SPACES.sub(" ", line).strip() for line in text.replace("\r\n", "\n").split("\n"))
    return "\n".join(lines).strip()
