"""One line on a document by the small model, believed as far as it is in the document's words.

A note stands in the map beside the title. It is never searched, so it can bring no document into a
shortlist, and a document that tries to write its own advertisement gets the summary by rule.
"""

import re

from agent.cores.llm.fencing import fenced, on_one_line
from agent.cores.llm.prompts import prompt
from agent.errors import DecisionError
from agent.ports import ChatModel, ChatPrompt
from agent.text.values import foreign
from agent.text.words import language_of, term_set

NOTE_CHARS = 200
_REPLY_TOKENS = 90
_OWN_WORDS = 0.7
"""Share of a note's words that must stand in the document."""
_LINK = re.compile(
    r"https?:|www\.|\]\(|[\w.+-]+@[\w-]+\.|<[a-z/!]|\b[\w-]+\.(?:com|org|net|io)\b", re.I
)
_WRAPPING = "\"'“”‘’«»「」 -*•#"


class ModelNotes:
    """Asks the small model for notes."""

    def __init__(self, chat: ChatModel) -> None:
        self._chat = chat

    @property
    def made_by(self) -> str:
        """Model and version of the prompt: what a note is remembered by beside its text."""
        return f"{self._chat.name} {prompt('notes').version}"

    async def note_on(self, text: str) -> str:
        """A line of at most 200 characters; empty where the reply cannot be used.

        Args:
            text: what is known of a document: title, headings, first sentences.

        Raises:
            ServiceUnreachable: the model does not answer, or the day's tokens are used up.
        """
        asked = ChatPrompt(
            prompt("notes").text,
            fenced("document", text),
            small=True,
            reply_tokens=_REPLY_TOKENS,
        )
        try:
            reply = await self._chat.complete(asked)
        except DecisionError:  # the server refuses this text: then no note is made of it
            return ""
        return "" if reply.refused or reply.cut else checked_note(reply.text, text)


def checked_note(reply: str, text: str) -> str:
    """The reply as a note, or empty: too long, with a link or a figure, in words not its own."""
    note = on_one_line(reply).strip(_WRAPPING)
    if not note or len(note) > NOTE_CHARS or _LINK.search(note):
        return ""
    terms = term_set(note)
    own = len(terms & term_set(text))
    if not terms or own < _OWN_WORDS * len(terms) or foreign(note, [text]):
        return ""
    return note if language_of(note) == language_of(text) else ""
