"""What the trouble of a model server means: try again, ask in another form, or tell it.

Knows statuses and headers, not the package that raised them.
"""

import random
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from agent.errors import ServiceUnreachable

_FIRST_WAIT_S = 0.5
_SAID_CHARS = 200
_FORM_REFUSED = (400, 415, 422, 501)
_MAY_PASS = (408, 409, 429)
_NEVER_PASSES = re.compile(r"insufficient_quota|billing", re.IGNORECASE)
_CONTENT = re.compile(
    r"content_filter|content management|context_length|context length|maximum context|too long",
    re.IGNORECASE,
)


class PassingTrouble(Exception):  # noqa: N818 - it never leaves this package
    """What a later try may not meet.

    Attributes:
        told: what to raise where there is no later try.
        wait_s: seconds to wait, as the server asked; None: it asked nothing.
    """

    def __init__(self, told: ServiceUnreachable, wait_s: float | None = None) -> None:
        self.told = told
        self.wait_s = wait_s
        super().__init__(told.problem)


class RequestRefused(Exception):  # noqa: N818 - it never leaves this package
    """The server does not take this request.

    Attributes:
        said: its words, shortened.
        of_content: whether it is about the text, so that no other form would help.
    """

    def __init__(self, said: str) -> None:
        self.said = said
        self.of_content = bool(_CONTENT.search(said))
        super().__init__(said)


def trouble(status: int | None, said: str, where: str, model: str) -> Exception:
    """The error to raise for what a server answered.

    Args:
        status: of its response; None: there was none.
        said: its words.
        where: its host, for people.
        model: the model that was asked for.
    """
    if status is None:
        return PassingTrouble(
            ServiceUnreachable(
                f"The model server at {where} cannot be reached.",
                hint="Check model.base_url (FOOTNOTE_MODEL__BASE_URL), and that it runs.",
            )
        )
    if status in _FORM_REFUSED:
        return RequestRefused(said)
    told = _told(status, where, model)
    may_pass = (status in _MAY_PASS or status > 501) or status == 500
    return PassingTrouble(told) if may_pass and not _NEVER_PASSES.search(said) else told


def _told(status: int, where: str, model: str) -> ServiceUnreachable:
    match status:
        case 401 | 403:
            return ServiceUnreachable(
                f"The model server at {where} refuses the key.",
                hint="Check model.api_key (FOOTNOTE_MODEL__API_KEY).",
            )
        case 404:
            return ServiceUnreachable(
                f"The model server at {where} knows no model {model!r} at this address.",
                hint="Check model.name and model.base_url.",
            )
        case 429:
            return ServiceUnreachable(
                f"The model server at {where} has no room for more calls now.",
                hint="Try again later, or raise the limits of the account.",
            )
        case _:
            return ServiceUnreachable(
                f"The model server at {where} failed ({status}).", hint="Try again later."
            )


def no_model_server(where: str) -> ServiceUnreachable:
    """What to say where something else answers."""
    return ServiceUnreachable(
        f"What answers at {where} is no OpenAI-compatible server.",
        hint="Check model.base_url (FOOTNOTE_MODEL__BASE_URL); it mostly ends in /v1.",
    )


def too_slow(where: str, limit_s: float) -> ServiceUnreachable:
    """What to say where a call's time is over."""
    return ServiceUnreachable(
        f"The model server at {where} did not answer within {limit_s:g} s.",
        hint="Try again later, or raise model.timeout_s.",
    )


def said_in(body: Any, otherwise: str) -> str:
    """The server's own words in an error, on one line, shortened, its error code before them.

    Args:
        body: of the error, as parsed.
        otherwise: what to take where it holds none.
    """
    words = otherwise
    if isinstance(body, Mapping):
        inner = body.get("error", body)
        if isinstance(inner, Mapping):
            code, param = inner.get("code") or "", inner.get("param") or ""
            words = f"{code} {param} {inner.get('message') or otherwise}"
        elif inner:
            words = str(inner)
    return " ".join(words.split())[:_SAID_CHARS]


def wait_in(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """Seconds that a server asks to wait, never below 0; None where it asks nothing."""
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            return max(0.0, float(headers.get(name, "")) * unit)
        except ValueError:
            continue
    try:
        until = parsedate_to_datetime(headers.get("retry-after", ""))
    except ValueError:
        return None
    aware = until if until.tzinfo else until.replace(tzinfo=UTC)
    return max(0.0, (aware - (now or datetime.now(UTC))).total_seconds())


def backoff_s(tried: int) -> float:
    """Seconds before the next try, doubled each time and never the same for two processes."""
    return float(_FIRST_WAIT_S * 2 ** (tried - 1) * random.uniform(0.5, 1.0))
