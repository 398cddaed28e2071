"""What an activity must look like before anything is done with it.

Its ids become parts of addresses at the connector, so an id that could lead elsewhere is refused,
and so is an activity that says not, or not legibly, where a reply would go.
"""

import re
import unicodedata
from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote, urlsplit

from bots.problem import Problem
from bots.teams.activity import Json, text_in

_ID_CHARS = 2_000
_FROM_NOBODY = ("conversationUpdate", "installationUpdate")
"""Activities that may come without a sender."""
_TEXTS = ("id", "text", "channelId", "replyToId")
_OBJECTS = ("from", "recipient", "channelData")
_PATH_DOTS = re.compile(r"(^|[/\\])\.{1,2}($|[/\\])")


def service_url_of(activity: Json) -> str:
    """Where an activity says that replies go.

    Raises:
        Problem: 400, it says so nowhere, or what it says is no web address.
    """
    url = activity.get("serviceUrl")
    hint = "Send the connector's http or https address as serviceUrl."
    if not isinstance(url, str) or not url:
        raise Problem(400, "serviceUrl is missing or no text.", hint)
    try:
        parts = urlsplit(url)
        good = parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        good = False
    if not good or not _is_harmless(url):
        raise Problem(400, "serviceUrl is no web address.", hint)
    return text_in(activity, "serviceUrl")


def refuse_misshapen(activity: Json) -> None:
    """Refuse an activity whose conversation, sender, text or ids cannot be used.

    Raises:
        Problem: 400, with the name of the field.
    """
    for name in _TEXTS:
        _optional(activity, name, str, "text")
    for name in _OBJECTS:
        _optional(activity, name, Mapping, "object")
    _refuse_strange_id(activity, "conversation", needed=True)
    _refuse_strange_id(activity, "from", needed=activity["type"] not in _FROM_NOBODY)
    _refuse_strange_id(activity, "recipient", needed=False)
    for name in ("id", "replyToId"):
        _check_id(name, activity.get(name) or "")


def _optional(activity: Json, name: str, kind: type, called: str) -> None:
    value = activity.get(name)
    if value is not None and not isinstance(value, kind):
        raise Problem(400, f"{name} is no {called}.", f"Send {name} as the Bot Framework does.")


def _refuse_strange_id(activity: Json, name: str, *, needed: bool) -> None:
    account = activity.get(name)
    if account is None and not needed:
        return
    hint = f'Send {name} as an object: {{"id": "…"}}.'
    if not isinstance(account, Mapping):
        raise Problem(400, f"{name} is missing or no object.", hint)
    value: Any = account.get("id")
    if not isinstance(value, str) or not value.strip():
        raise Problem(400, f"{name}.id is missing or no text.", hint)
    _check_id(f"{name}.id", value)


def _check_id(name: str, value: str) -> None:
    if len(value) > _ID_CHARS or not _is_harmless(value):
        raise Problem(
            400,
            f"{name} is no id: it is too long, or holds control characters or path dots.",
            "Send the id as the platform gave it.",
        )


def _is_harmless(value: str) -> bool:
    """Whether a text may stand in an address: no control characters, nothing that climbs."""
    plain = unquote(unquote(value))
    hidden = any(unicodedata.category(each) in ("Cc", "Cs") for each in plain)
    return not hidden and not _PATH_DOTS.search(plain)
