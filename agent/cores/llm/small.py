"""The calls beside decisions: other words, parts, a whole question, each in a few tokens.

Their replies are only ever used to search or to split, and a composed answer is checked against its
findings before anybody sees it. What cannot be used is as good as none.
"""

import re
from collections.abc import Sequence
from typing import Any, Literal

from pydantic import BaseModel, Field, ValidationError

from agent.cores.llm.deciding import object_in
from agent.cores.llm.fencing import fenced
from agent.cores.llm.prompts import prompt
from agent.domain import Part, PartKind, Plan, Usage
from agent.errors import DecisionError
from agent.ports import ChatModel, ChatPrompt, ChatReply
from agent.text.values import foreign

_LANGUAGES = {"en": "English", "zh": "Chinese"}
_WORDS = 12
_WORD_CHARS = 60
_QUESTION_CHARS = 500
_SPLIT = re.compile(r"[,;，；、\n]+")
_MARKER = re.compile(r"^\W*(?:\d+[.)]\s*)?")
_WORDS_TOKENS = 80
_QUESTION_TOKENS = 160
_PLAN_TOKENS = 500
_ANSWER_TOKENS = 500


class ModelSmallCalls:
    """Asks the small model."""

    def __init__(self, chat: ChatModel) -> None:
        self._chat = chat

    async def search_words(self, question: str, languages: Sequence[str]) -> tuple[str, Usage]:
        """Six to ten words the documents would use; empty where the reply cannot be used."""
        named = " and in ".join(_LANGUAGES.get(code, code) for code in languages)
        system = prompt("words").text.replace("{languages}", named or "the question's language")
        reply = await self._ask(system, fenced("question", question), _WORDS_TOKENS)
        return (_words(reply.text) if _usable(reply) else ""), reply.usage

    async def plan(self, question: str, leaves: int) -> tuple[Plan | None, Usage]:
        """The parts of a question; None where the reply cannot be used."""
        system = prompt("plan").text.replace("{leaves}", str(leaves))
        asked = ChatPrompt(
            system,
            fenced("question", question),
            schema=_plan_schema(leaves),
            name="plan",
            small=True,
            reply_tokens=_PLAN_TOKENS,
        )
        reply = await self._complete(asked)
        try:
            return _plan(question, object_in(reply.text), leaves), reply.usage
        except DecisionError:
            return None, reply.usage

    async def standalone(self, turns: Sequence[str], message: str) -> tuple[str, Usage]:
        """The message as a whole question; empty where the reply adds what nobody said."""
        said = "\n".join(fenced(f"turn {number}", turn) for number, turn in enumerate(turns, 1))
        text = f"{said}\n{fenced('new message', message)}"
        reply = await self._ask(prompt("standalone").text, text, _QUESTION_TOKENS)
        whole = _one_question(reply.text) if _usable(reply) else ""
        return ("" if foreign(whole, [*turns, message]) else whole), reply.usage

    async def compose(
        self, question: str, findings: str, quotes: Sequence[str]
    ) -> tuple[str, Usage]:
        """One answer from findings, by the full model; empty where the reply cannot be used."""
        quoted = "\n".join(fenced(f"quote {number}", one) for number, one in enumerate(quotes, 1))
        text = f"{fenced('question', question)}\n{fenced('findings', findings)}\n{quoted}"
        asked = ChatPrompt(prompt("compose").text, text, reply_tokens=_ANSWER_TOKENS)
        reply = await self._complete(asked)
        return (reply.text.strip() if _usable(reply) else ""), reply.usage

    async def _ask(self, system: str, user: str, tokens: int) -> ChatReply:
        return await self._complete(ChatPrompt(system, user, small=True, reply_tokens=tokens))

    async def _complete(self, asked: ChatPrompt) -> ChatReply:
        """The reply; none where the server refuses this very prompt."""
        try:
            return await self._chat.complete(asked)
        except DecisionError:
            return ChatReply("", Usage(), refused=True)


def _usable(reply: ChatReply) -> bool:
    return bool(reply.text.strip()) and not reply.refused and not reply.cut


def _words(text: str) -> str:
    """The words in a reply, its separators forgotten or not."""
    terms = (_MARKER.sub("", term).strip(" .\"'“”`*") for term in _SPLIT.split(text))
    known = (term for term in dict.fromkeys(terms) if term)
    words = (word for term in known for word in ([term] if _is_term(term) else term.split()))
    kept = [word for word in dict.fromkeys(words) if len(word) <= _WORD_CHARS]
    return " ".join(kept[:_WORDS])


def _is_term(text: str) -> bool:
    return len(text) <= _WORD_CHARS


def _one_question(text: str) -> str:
    line = " ".join(text.split()).strip("\"“”'`")
    return line if len(line) <= _QUESTION_CHARS else ""


class _PartReply(BaseModel):
    question: str = Field(min_length=1, max_length=_QUESTION_CHARS)
    kind: Literal["lookup", "compare", "combine"] = "lookup"
    depends_on: list[int] = []


class _PlanReply(BaseModel):
    parts: list[_PartReply] = Field(min_length=1)


def _plan(question: str, reply: dict[str, Any], leaves: int) -> Plan:
    """The plan in a reply; parts only ever depend on earlier ones, so it has no circles."""
    try:
        said = _PlanReply.model_validate(reply)
    except ValidationError as error:
        raise DecisionError("The plan cannot be used.") from error
    if len(said.parts) > leaves:
        raise DecisionError("The plan has too many parts.")
    parts = tuple(
        Part(
            str(number),
            " ".join(part.question.split()),
            PartKind(part.kind),
            tuple(str(parent) for parent in part.depends_on if 0 < parent < number),
        )
        for number, part in enumerate(said.parts, start=1)
    )
    if foreign(" ".join(part.question for part in parts), [question]):
        raise DecisionError("The plan names what was not asked.")
    return Plan(question, parts)


def _plan_schema(leaves: int) -> dict[str, Any]:
    part = {
        "type": "object",
        "properties": {
            "question": {"type": "string", "maxLength": _QUESTION_CHARS},
            "kind": {"type": "string", "enum": [kind.value for kind in PartKind]},
            "depends_on": {"type": "array", "items": {"type": "integer"}, "maxItems": leaves},
        },
        "required": ["question", "kind", "depends_on"],
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": {"parts": {"type": "array", "items": part, "maxItems": leaves}},
        "required": ["parts"],
        "additionalProperties": False,
    }
