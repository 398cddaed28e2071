"""Words that operate the bot in a chat, and what is said of them where there is no chat."""

from uuid import uuid4

from agent.domain import Answer, Outcome
from agent.text.words import language_of
from bots.admin.words import Word, parse
from bots.conversation.follow_ups import is_quiet
from bots.phrases import phrase


def said_of_chat_word(text: str) -> Answer | None:
    """What to say to a word for chats that stands alone; None where it is a question."""
    if not is_quiet(text) and not _is_admin_word(text):
        return None
    language = language_of(text)
    said = phrase(language, "web.chat_word", word=text.strip())
    return Answer(uuid4().hex, text, Outcome.TALK, said, language=language)


def _is_admin_word(text: str) -> bool:
    """Whether it could mean nothing else: `failed payments` may well be a question here."""
    command = parse(text)
    if command is None:
        return False
    return not command.source or command.word is Word.REINDEX or text.strip().startswith("/")
