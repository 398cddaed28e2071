"""Questions that come over HTTP: read, answered, cancelled when nobody waits any more.

Everything a program can send wrong is met here with a sentence that says what to send instead.
"""

import asyncio
import json
import unicodedata
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from aiohttp import web

from agent.domain import WORKSPACE, Answer, ProgressEvent, Question, Stage
from agent.ports import Progress
from bots.ports import Answerer
from bots.problem import Problem
from bots.web.chat_words import said_of_chat_word
from config.settings import ConversationSettings

BODY_BYTES = 256 * 1024
"""Largest body of a question, in bytes."""
_THREAD_CHARS = 200
_WAITING = 64
_ANSWER_S = 180.0
_BODY_S = 30.0


@dataclass(frozen=True, slots=True)
class Ask:
    """A question as it was sent.

    Attributes:
        thread: the asking program's own name of the conversation; empty: none.
        timezone: IANA name of the asker's time zone.
    """

    text: str
    thread: str = ""
    timezone: str = "UTC"

    @property
    def question(self) -> Question:
        """The question as the engine takes it, in the scope of the private listener."""
        thread_key = f"web:{self.thread}" if self.thread else ""
        zone = UTC if self.timezone == "UTC" else ZoneInfo(self.timezone)
        return Question(
            self.text,
            WORKSPACE,
            thread_key,
            today=datetime.now(zone).date(),
            timezone=self.timezone,
        )


class AskingDesk:
    """Has questions answered, a few at a time, and refuses them when too many wait."""

    def __init__(self, answerer: Answerer, settings: ConversationSettings) -> None:
        self._answerer = answerer
        self._longest = settings.question_chars
        self._places = asyncio.Semaphore(settings.at_once)
        self._waiting = 0

    @asynccontextmanager
    async def place(self) -> AsyncIterator[None]:
        """A place in the queue, to be taken before anything is replied.

        Raises:
            Problem: 429, too many wait already.
        """
        if self._waiting >= _WAITING:
            raise Problem(
                429, "Too many questions are waiting.", "Ask again shortly.", {"Retry-After": "5"}
            )
        self._waiting += 1
        try:
            yield
        finally:
            self._waiting -= 1

    async def answer(self, ask: Ask, progress: Progress) -> Answer:
        """The answer, once it is this question's turn.

        Raises:
            Problem: 504, no answer in time.
        """
        if said := said_of_chat_word(ask.text):
            return said
        await progress.show(ProgressEvent(Stage.MAP))
        async with self._places:
            try:
                async with asyncio.timeout(_ANSWER_S):
                    return await self._answerer.answer(ask.question, progress)
            except TimeoutError as error:
                raise Problem(
                    504, "No answer was found in time.", "Ask a narrower question."
                ) from error

    async def read_json(self, request: web.Request) -> Ask:
        """The question in a JSON body.

        Raises:
            Problem: 400 not a JSON object, 413 too long, 422 a value of the wrong kind.
        """
        return self._checked(_json_object(await _body(request)))

    async def read_form(self, request: web.Request) -> Ask:
        """The question in the page's own form; raises like `read_json`."""
        try:
            async with asyncio.timeout(_BODY_S):
                form = await request.post()
        except (ValueError, UnicodeError, LookupError) as error:
            raise Problem(400, "The form cannot be read.", "Ask from the page itself.") from error
        except TimeoutError as error:
            raise _too_slow() from error
        # A button with an example sends it in a field of its own, beside the empty box.
        return self._checked({**form, "question": form.get("example") or form.get("question")})

    def _checked(self, given: Mapping[str, Any]) -> Ask:
        text, thread = given.get("question"), given.get("thread")
        if not isinstance(text, str):
            raise Problem(422, '"question" is missing or no text.', 'Send {"question": "…"}.')
        if thread is not None and not isinstance(thread, str):
            raise Problem(
                422, '"thread" is no text.', "Send any name of your own, or leave it out."
            )
        zone = _known_zone(given.get("timezone"))
        return Ask(self._checked_text(text), _checked_thread(thread or ""), zone)

    def _checked_text(self, text: str) -> str:
        clean = _without_controls(text).strip()
        if not clean:
            raise Problem(422, "The question is empty.", "Type what you want to know.")
        if len(clean) > self._longest:
            raise Problem(
                413,
                f"The question has {len(clean):,} characters; {self._longest:,} are read.",
                "Ask it in fewer words.",
            )
        return clean


def _checked_thread(thread: str) -> str:
    if len(thread) > _THREAD_CHARS or _without_controls(thread) != thread:
        raise Problem(
            422,
            f'"thread" is longer than {_THREAD_CHARS} characters or holds control characters.',
            "Use a short name of your own.",
        )
    return thread.strip()


def _known_zone(name: object) -> str:
    """A time zone the page told; one we do not know counts as UTC."""
    return name if isinstance(name, str) and name in available_timezones() else "UTC"


def _without_controls(text: str) -> str:
    """Control characters as blanks, lone surrogates (no character at all) as U+FFFD."""
    whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return "".join(
        " " if unicodedata.category(char) == "Cc" and char not in "\n\t" else char for char in whole
    )


async def _body(request: web.Request) -> bytes:
    try:
        async with asyncio.timeout(_BODY_S):
            return await request.read()
    except TimeoutError as error:
        raise _too_slow() from error
    except (web.RequestPayloadError, ValueError) as error:
        raise Problem(400, "The body cannot be read.", "Send it whole and uncompressed.") from error


def _too_slow() -> Problem:
    return Problem(408, "The body did not arrive in time.", "Send it at once.")


def _json_object(body: bytes) -> Mapping[str, Any]:
    hint = 'Send {"question": "…"} as JSON in UTF-8.'
    try:
        value = json.loads(body.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise Problem(400, "The body is no JSON.", hint) from error
    if not isinstance(value, dict):
        raise Problem(400, "The body is no JSON object.", hint)
    return value
