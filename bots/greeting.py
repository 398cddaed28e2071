"""The first words to a place or person: what we do, and questions that can be tried at once."""

from agent.domain import Question
from agent.ports import Library
from bots.examples import example_questions
from bots.phrases import choose_language, phrase
from bots.ports import Answerer, Incoming
from bots.silent import Silent

_HELP = {"zh": "帮助"}


async def greeting(answerer: Answerer, library: Library, incoming: Incoming) -> str:
    """What help says, and up to three questions about what is read here.

    Args:
        answerer: says what help says.
        library: what can be asked about.
        incoming: where we arrived, with its scope filled in.
    """
    language = choose_language(incoming.language, incoming.text)
    asked = Question(_HELP.get(language, "help"), incoming.scope)
    said = (await answerer.answer(asked, Silent())).text
    examples = await example_questions(library, language, scope=incoming.scope)
    if not examples:
        return said
    return "\n".join([said, "", phrase(language, "reply.examples"), *(f"• {e}" for e in examples)])
