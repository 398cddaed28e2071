"""What is being done, in words; the bot's name goes before them."""

from agent.domain import PartProgress, ProgressEvent, Stage
from bots.phrases import phrase
from bots.replies.footnotes import shortened
from bots.replies.prose import inert

_NAME_CHARS = 60
_PART_CHARS = 80


def progress_line(event: ProgressEvent, language: str) -> str:
    """`is reading People handbook › Leave…`"""
    match event.stage:
        case Stage.QUEUED:
            return _queued(event.ahead, language)
        case Stage.READING if event.document:
            document = inert(shortened(event.document, _NAME_CHARS))
            if not event.section:
                return phrase(language, "progress.reading", document=document)
            section = inert(shortened(event.section, _NAME_CHARS))
            return phrase(language, "progress.reading_section", document=document, section=section)
        case Stage.CHECKING | Stage.COMPOSING:
            return phrase(language, f"progress.{event.stage.value}")
    return phrase(language, "progress.map")


def part_line(part: PartProgress, language: str) -> str:
    """One part of a plan and how far it is."""
    key = "part_reading" if part.state.value == "reading" else part.state.value
    return f"{inert(shortened(part.question, _PART_CHARS))}: {phrase(language, f'progress.{key}')}"


def _queued(ahead: int, language: str) -> str:
    if ahead == 0:
        return phrase(language, "progress.next")
    if ahead == 1:
        return phrase(language, "progress.queued_one")
    return phrase(language, "progress.queued", ahead=ahead)
