"""Our replies as Teams shows them: text with footnotes, and the client's own citation chips.

The text alone says everything, sources and quotes included, so that it can be read without a
mouse and survives a client without chips. Teams shows no tables in messages: lists and bold only.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from agent.domain import Answer, Citation, Outcome, PartProgress, ProgressEvent, Stage
from bots.phrases import choose_language, phrase
from bots.ports import Incoming, Notice, Place, Reply
from bots.teams.markup import BREAK, cut, literal, literal_with_markers

PART_CHARS = 18_000
"""Longest text of one message; Teams takes about 28 kB of text, 80 kB with all around it."""
CHIPS = 10
"""Most citations that a client shows as chips in one message."""
_CHANNEL_FOOTNOTES = 3
_NAME_CHARS = 80
_ABSTRACT_CHARS = 160
_QUOTE_CHARS = 300
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
        return [Part(plain_message(text), plain_message(text)) for text in split(reply.text)]
    texts = split("\n\n".join(_paragraphs(reply, incoming)))
    last = len(texts) - 1
    return [_part(text, reply, feedback=index == last) for index, text in enumerate(texts)]


def plain_message(text: str) -> dict[str, Any]:
    """A message of our own words, shown as they are; line breaks are kept."""
    lines = literal(text).split("\n")
    return {"type": "message", "textFormat": "markdown", "text": BREAK.join(lines)}


def progress_text(event: ProgressEvent, incoming: Incoming) -> str:
    """What is being done, in a line, with the parts of a plan below it."""
    language = choose_language(incoming.language, incoming.text)
    lines = [_stage(event, language)]
    lines += [_part_line(part, language) for part in event.parts]
    return cut_lines(lines, 1_000)


def split(text: str, limit: int = PART_CHARS) -> list[str]:
    """The text in pieces that each fit a message, cut between paragraphs, lines or words."""
    pieces: list[str] = []
    while len(text) > limit:
        at = next(
            (at for gap in ("\n\n", "\n", " ") if (at := text.rfind(gap, 1, limit)) > 0), limit
        )
        pieces.append(text[:at].rstrip())
        text = text[at:].lstrip()
    return [*pieces, text]


def cut_lines(lines: list[str], limit: int) -> str:
    """As many lines as fit."""
    kept: list[str] = []
    for line in lines:
        if sum(len(each) + 3 for each in kept) + len(line) > limit:
            break
        kept.append(line)
    return BREAK.join(kept) or cut(lines[0], limit)


def _paragraphs(answer: Answer, incoming: Incoming) -> Iterator[str]:
    language = answer.language
    if answer.understood:
        yield f"_{literal(phrase(language, 'reply.understood', question=answer.understood))}_"
    for note in answer.notes:
        yield f"_{literal(note)}_"
    yield literal_with_markers(answer.text)
    if answer.choices:
        yield BREAK.join(f"• {literal(choice)}" for choice in answer.choices)
    if answer.citations:
        yield "\n\n".join(_sources(answer, incoming))


def _sources(answer: Answer, incoming: Incoming) -> Iterator[str]:
    shown = len(answer.citations)
    if incoming.place is not Place.DIRECT:
        shown = _CHANNEL_FOOTNOTES
    for index, citation in enumerate(answer.citations):
        yield _footnote(citation, answer, quoted=index < shown)


def _footnote(citation: Citation, answer: Answer, *, quoted: bool) -> str:
    title = f"**{literal(citation.title)}**"
    if citation.url:
        title = f"[{title}]({citation.url.replace(')', '%29').replace(' ', '%20')})"
    place = " › ".join([title, *(literal(heading) for heading in citation.section)])
    details = "".join(f" · {literal(detail)}" for detail in _details(citation, answer.language))
    line = f"[{citation.number}] {place}{details}"
    if not quoted or _says(answer.text, citation.quote):
        return line
    return f"{line}\n> “{literal(cut(citation.quote, _QUOTE_CHARS))}”"


def _details(citation: Citation, language: str) -> Iterator[str]:
    if citation.label and citation.label != str(citation.page):
        yield phrase(language, "reply.page_label", label=citation.label, page=citation.page)
    elif citation.page:
        yield phrase(language, "reply.page", page=citation.page)
    if citation.note:
        yield citation.note


def _says(text: str, quote: str) -> bool:
    return " ".join(quote.split()) in " ".join(text.split())


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
    written = not answer.extractive
    if not cited and not written:
        return None
    entity: dict[str, Any] = {
        "type": _SCHEMA,
        "@type": "Message",
        "@context": "https://schema.org",
        "@id": "",
    }
    if written:
        entity["additionalType"] = ["AIGeneratedContent"]
    if cited:
        entity["citation"] = [_claim(each) for each in cited]
    return entity


def _claim(citation: Citation) -> dict[str, Any]:
    appearance = {
        "@type": "DigitalDocument",
        "name": cut(" › ".join((citation.title, *citation.section)), _NAME_CHARS),
        "abstract": cut(citation.quote, _ABSTRACT_CHARS),
    }
    if citation.url:
        appearance["url"] = citation.url
    return {"@type": "Claim", "position": citation.number, "appearance": appearance}


def _stage(event: ProgressEvent, language: str) -> str:
    if event.stage is Stage.QUEUED:
        return _queued(event.ahead, language)
    places = [literal(cut(each, 80)) for each in (event.document, event.section) if each]
    if event.stage is Stage.READING and places:
        return phrase(language, "teams.reading", place=" › ".join(places))
    return phrase(language, f"teams.{'map' if event.stage is Stage.READING else event.stage}")


def _queued(ahead: int, language: str) -> str:
    if ahead == 0:
        return phrase(language, "teams.next")
    key = "queued_one" if ahead == 1 else "queued"
    return phrase(language, f"teams.{key}", ahead=ahead)


def _part_line(part: PartProgress, language: str) -> str:
    key = "part_reading" if part.state.value == "reading" else part.state.value
    state = phrase(language, f"progress.{key}")
    return f"• {literal(cut(part.question, 120))} — {state}"
