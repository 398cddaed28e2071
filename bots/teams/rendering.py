"""Our replies as Teams shows them: text with footnotes, and the client's own citation chips.

The text alone says everything, sources and quotes included, so that it can be read without a
mouse and survives a client without chips.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from agent.domain import Answer, Citation, Outcome, ProgressEvent, Stage
from bots.phrases import choose_language, phrase
from bots.ports import Incoming, Notice, Place, Reply
from bots.replies.footnotes import Footnote, footnotes, shortened
from bots.replies.literal import literal_blocks
from bots.replies.parts import split_blocks, split_text
from bots.replies.progress import part_line
from bots.replies.prose import Block, Item, Run, inert, markdown_blocks
from bots.teams.markup import BREAK, PARAGRAPH, link, literal, written

PART_CHARS = 14_000
"""Longest answer text in one message, before it is escaped."""
TEXT_CHARS = 25_000
"""Longest text of one message; Teams takes 80 kB in UTF-16 with all around it."""
CHIPS = 10
"""Most citations that a client shows as chips in one message."""
PROGRESS_CHARS = 1_000
_CHANNEL_FOOTNOTES = 3
_NAME_CHARS = 80
_ABSTRACT_CHARS = 160
_PLACE_CHARS = 80
_MARKER = re.compile(r"\[(\d{1,3})\]")
_SCHEMA = "https://schema.org/Message"
_FEEDBACK = {"feedbackLoop": {"type": "default"}}


@dataclass(frozen=True, slots=True)
class Part:
    """One message of a reply.

    Attributes:
        activity: as it should look.
        plain: the same words without anything that a client could refuse.
    """

    activity: dict[str, Any]
    plain: dict[str, Any]


def render(reply: Reply, incoming: Incoming) -> list[Part]:
    """The messages of a reply, at least one."""
    if isinstance(reply, Notice):
        messages = [plain_message(text) for text in split_text(reply.text, PART_CHARS)]
        return [Part(message, message) for message in messages]
    texts = _texts(reply, incoming)
    last = len(texts) - 1
    return [_part(text, reply, feedback=index == last) for index, text in enumerate(texts)]


def plain_message(text: str) -> dict[str, Any]:
    """A message of our own words, shown as they are; line breaks are kept."""
    shown = BREAK.join(literal(text).split("\n"))
    return {"type": "message", "textFormat": "markdown", "text": shown}


def progress_text(event: ProgressEvent, incoming: Incoming) -> str:
    """What is being done, in a line, with the parts of a plan below it."""
    language = choose_language(incoming.language, incoming.text)
    text = _stage(event, language)
    for part in event.parts:
        line = f"{BREAK}• {literal(part_line(part, language))}"
        if len(text) + len(line) > PROGRESS_CHARS:
            break
        text += line
    return text


def _texts(answer: Answer, incoming: Incoming) -> list[str]:
    """The texts of an answer's messages, each short enough however much had to be escaped."""
    blocks, lines = _blocks(answer), list(_footnote_lines(answer, incoming))
    limit = PART_CHARS
    while True:
        texts = [written(part) for part in split_blocks(blocks, limit)]
        texts[0] = PARAGRAPH.join([*_remarks(answer), texts[0]])
        if limit < 500 or max(map(len, texts)) <= TEXT_CHARS:
            return _with_footnotes(texts, lines)
        limit //= 2


def _blocks(answer: Answer) -> list[Block]:
    if _written_by_a_model(answer):
        blocks = markdown_blocks(answer.text, {})
    else:
        headings = {part.question for part in answer.parts}
        blocks = literal_blocks(answer.text, {}, headings)
    return [*blocks, *(Item((Run(inert(choice)),)) for choice in answer.choices)]


def _written_by_a_model(answer: Answer) -> bool:
    """Small talk and "I found nothing" are fixed phrases, whatever core was at work."""
    by_model = (Outcome.ANSWERED, Outcome.PARTIAL, Outcome.CLARIFY)
    return not answer.extractive and answer.outcome in by_model


def _remarks(answer: Answer) -> Iterator[str]:
    if answer.understood:
        said = phrase(answer.language, "reply.understood", question=answer.understood)
        yield f"_{literal(said)}_"
    for note in answer.notes:
        yield f"_{literal(note)}_"


def _with_footnotes(texts: list[str], lines: Sequence[str]) -> list[str]:
    """The texts with the footnotes below the last one, or in more messages of their own."""
    for line in lines:
        if len(texts[-1]) + len(line) > TEXT_CHARS:
            texts.append(line)
        else:
            texts[-1] = f"{texts[-1]}{PARAGRAPH}{line}"
    return texts


def _footnote_lines(answer: Answer, incoming: Incoming) -> Iterator[str]:
    notes = footnotes(answer)
    if incoming.place is not Place.DIRECT:
        notes = [
            note if index < _CHANNEL_FOOTNOTES else replace(note, quote="")
            for index, note in enumerate(notes)
        ]
    for together in _by_place(notes):
        yield _footnote_line(together)


def _by_place(notes: Sequence[Footnote]) -> list[list[Footnote]]:
    """Footnotes in order; neighbours that say the same place and no words share a line."""
    lines: list[list[Footnote]] = []
    for note in notes:
        before = lines[-1][-1] if lines else None
        if before and not note.quote and replace(before, number=note.number) == note:
            lines[-1].append(note)
        else:
            lines.append([note])
    return lines


def _footnote_line(notes: Sequence[Footnote]) -> str:
    note = notes[0]
    title, arrow, rest = note.place.partition(" › ")
    shown = f"**{literal(title)}**"
    shown = link(shown, note.url) if note.url else shown
    details = "".join(f" · {literal(detail)}" for detail in (note.page, note.note) if detail)
    markers = "".join(f"[{each.number}]" for each in notes)
    line = f"{markers} {shown}{arrow}{literal(rest)}{details}"
    return f"{line}\n> “{literal(note.quote)}”" if note.quote else line


def _part(text: str, answer: Answer, *, feedback: bool) -> Part:
    plain = {"type": "message", "textFormat": "markdown", "text": text}
    activity: dict[str, Any] = dict(plain)
    if entity := _entity(text, answer):
        activity["entities"] = [entity]
    if feedback and answer.outcome is not Outcome.TALK:
        activity["channelData"] = _FEEDBACK
    return Part(activity, plain)


def _entity(text: str, answer: Answer) -> dict[str, Any] | None:
    """The one root entity of a message: its citations, and the label if a model wrote it."""
    numbers = {int(number) for number in _MARKER.findall(text)}
    cited = [each for each in answer.citations if each.number in numbers][:CHIPS]
    by_model = _written_by_a_model(answer)
    if not cited and not by_model:
        return None
    entity: dict[str, Any] = {
        "type": _SCHEMA,
        "@type": "Message",
        "@context": "https://schema.org",
        "@id": "",
    }
    if by_model:
        entity["additionalType"] = ["AIGeneratedContent"]
    if cited:
        entity["citation"] = [_claim(each) for each in cited]
    return entity


def _claim(citation: Citation) -> dict[str, Any]:
    place = " › ".join((citation.title, *citation.section))
    appearance = {
        "@type": "DigitalDocument",
        "name": shortened(place, _NAME_CHARS),
        "abstract": shortened(citation.quote, _ABSTRACT_CHARS),
    }
    if citation.url.startswith("http"):
        appearance["url"] = citation.url
    return {"@type": "Claim", "position": citation.number, "appearance": appearance}


def _stage(event: ProgressEvent, language: str) -> str:
    if event.stage is Stage.QUEUED:
        return _queued(event.ahead, language)
    places = [shortened(each, _PLACE_CHARS) for each in (event.document, event.section) if each]
    if event.stage is Stage.READING and places:
        return phrase(language, "teams.reading", place=literal(" › ".join(places)))
    return phrase(language, f"teams.{'map' if event.stage is Stage.READING else event.stage}")


def _queued(ahead: int, language: str) -> str:
    if ahead == 0:
        return phrase(language, "teams.next")
    key = "queued_one" if ahead == 1 else "queued"
    return phrase(language, f"teams.{key}", ahead=ahead)
