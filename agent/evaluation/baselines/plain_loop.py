"""A plain loop: choose sections from the map, read them, answer or choose again; two calls a round.

It navigates by the map alone (titles, paths, headings, first sentences) and has no search: what
the map does not show it never finds.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from time import monotonic
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from agent.cores.llm.deciding import object_in
from agent.cores.llm.fencing import fenced, on_one_line
from agent.domain import Answer, MapEntry, Question, Scope, Usage
from agent.errors import DecisionError
from agent.evaluation.baselines.answering import (
    Passage,
    PassagesReply,
    as_answer,
    ask_passages,
)
from agent.evaluation.baselines.bm25 import Bm25
from agent.evaluation.baselines.prompts import prompt
from agent.evaluation.retrieval import Ranked
from agent.ports import ChatModel, ChatPrompt, ChatReply, Library

_DOCUMENTS = 20
_HEADINGS = 40
_HEADING_CHARS = 60
_OPENED = 3
_ROUNDS = 4
_TEXT_CHARS = 8_000
_REPLY_TOKENS = 200


class _OpenReply(BaseModel):
    model_config = ConfigDict(extra="ignore")

    open: list[str] = []


@dataclass(frozen=True, slots=True)
class PlainLoop:
    """The baseline over one library, its map in memory."""

    chat: ChatModel
    library: Library
    scope: Scope
    entries: Sequence[MapEntry]
    by_words: Bm25

    async def answer(self, question: Question) -> Answer:
        """One answer, after at most four rounds.

        Raises:
            ServiceUnreachable: the model did not answer.
        """
        began = monotonic()
        shortlist = self._shortlist(question.text)
        opened: list[str] = []
        usage, passages, rounds = Usage(), list[Passage](), 0
        reply: PassagesReply | None = PassagesReply()  # nothing to open: nothing found
        while rounds < _ROUNDS:
            rounds += 1
            chosen, cost = await self._choose(question.text, shortlist, opened)
            usage += cost
            if not chosen:
                break
            opened += chosen
            passages = await self._read(shortlist, chosen)
            reply, cost = await ask_passages(self.chat, question.text, passages)
            usage += cost
            if reply is not None and reply.covered:
                break
        took_ms = round((monotonic() - began) * 1000)
        whole = replace(usage, total_ms=took_ms)
        return as_answer(question, reply, passages, whole, rounds)

    async def rank(self, question: str) -> Ranked:
        """The documents of its shortlist; it finds no sections."""
        return Ranked(tuple(entry.document.doc for entry in self._shortlist(question)))

    def _shortlist(self, question: str) -> list[MapEntry]:
        return [self.entries[at] for at in self.by_words.best(question, _DOCUMENTS)]

    async def _choose(
        self, question: str, shortlist: Sequence[MapEntry], opened: Sequence[str]
    ) -> tuple[list[str], Usage]:
        """Sections to open that exist and were not opened yet."""
        parts = [f"QUESTION\n{fenced('question', question)}", f"MAP\n{_map(shortlist)}"]
        if opened:
            parts.append(f"READ\n1. saw them · read {', '.join(opened)}")
        asked = ChatPrompt(
            prompt("open"),
            "\n\n".join(parts),
            schema=_schema(),
            name="open",
            reply_tokens=_REPLY_TOKENS,
        )
        reply = await self.chat.complete(asked)
        known = {name for name, _, _ in _listed(shortlist)} - set(opened)
        return [name for name in _ids(reply) if name in known][:_OPENED], reply.usage

    async def _read(self, shortlist: Sequence[MapEntry], names: Sequence[str]) -> list[Passage]:
        places = {name: (entry, at) for name, entry, at in _listed(shortlist)}
        passages: list[Passage] = []
        left = _TEXT_CHARS
        for name in names:
            entry, at = places[name]
            sections = await self.library.read_subtree(
                self.scope, entry.document.doc_id, entry.outline[at].path
            )
            for section in sections:
                if left > 0 and section.text.strip():
                    text = section.text[:left]
                    passages.append(Passage(entry.document, section.headings, section.path, text))
                    left -= len(text)
        return passages


async def build_plain_loop(chat: ChatModel, library: Library, scope: Scope) -> PlainLoop:
    """Read the map."""
    entries = await library.read_document_map(scope)
    return PlainLoop(chat, library, scope, entries, Bm25([_indexed(entry) for entry in entries]))


def _indexed(entry: MapEntry) -> str:
    headings = " ".join(one.headings[-1] for one in entry.outline if one.headings)
    return f"{entry.document.title} {entry.document.doc} {headings} {entry.summary}"


def _listed(shortlist: Sequence[MapEntry]) -> Iterator[tuple[str, MapEntry, int]]:
    """Short id, document and place in its outline of every listed section."""
    for number, entry in enumerate(shortlist, start=1):
        for at in range(min(_HEADINGS, len(entry.outline))):
            yield f"D{number}.{at + 1}", entry, at


def _map(shortlist: Sequence[MapEntry]) -> str:
    lines = []
    for number, entry in enumerate(shortlist, start=1):
        document = entry.document
        title, path = on_one_line(document.title, 100), on_one_line(document.doc, 120)
        lines.append(f"D{number} {title} ({path}) – {on_one_line(entry.summary, 100)}")
        for at, section in enumerate(entry.outline[:_HEADINGS], start=1):
            heading = section.headings[-1] if section.headings else "(beginning)"
            indent = "  " * max(1, min(section.level, 4))
            shown = on_one_line(heading, _HEADING_CHARS)
            lines.append(f"{indent}D{number}.{at} {shown} ({section.chars:,})")
    return "\n".join(lines)


def _ids(reply: ChatReply) -> list[str]:
    try:
        return list(dict.fromkeys(_OpenReply.model_validate(object_in(reply.text)).open))
    except (DecisionError, ValidationError):
        return []


def _schema() -> dict[str, Any]:
    names = {"type": "array", "items": {"type": "string", "maxLength": 12}, "maxItems": _OPENED}
    return {
        "type": "object",
        "properties": {"reason": {"type": "string", "maxLength": 120}, "open": names},
        "required": ["reason", "open"],
        "additionalProperties": False,
    }
