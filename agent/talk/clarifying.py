"""One question back, where a message leaves open what it is about.

Guessing would answer about something else; the choices are headings of real sections in scope, so
that picking one leads somewhere.
"""

from agent.domain import Finding, Outcome, StopReason
from agent.phrases import language_of, phrase
from agent.ports import TextSize
from agent.reading import DocumentReader, places

_MOST_CHOICES = 4
_FEWEST_CHOICES = 2


async def ask_back(said: str, word: str, reader: DocumentReader, size: TextSize) -> Finding:
    """Ask what a pronoun stands for.

    Args:
        said: the asker's words.
        word: the pronoun left open.
        reader: finds sections that use the rest of the words, for choices.
        size: of that search.
    """
    reading = await reader.search(said, size)
    found = places(shown.window for shown in reading.windows)
    headings = list(dict.fromkeys(place.section[-1] for place in found if place.section))
    choices = tuple(headings[:_MOST_CHOICES]) if len(headings) >= _FEWEST_CHOICES else ()
    return Finding(
        question=said,
        outcome=Outcome.CLARIFY,
        text=phrase(language_of(said), "which_one", word=word),
        choices=choices,
        looked_at=found,
        stop_reason=StopReason.ANSWERED,
        rounds=0,
    )
