"""One call: numbered passages in, an answer with quotes out, as the model wrote them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from agent.cores.llm.deciding import object_in
from agent.cores.llm.fencing import fenced, on_one_line
from agent.domain import Answer, Citation, Document, Outcome, Question, SectionPath, Usage
from agent.errors import DecisionError
from agent.evaluation.baselines.prompts import prompt
from agent.ports import ChatModel, ChatPrompt, ChatReply

_QUOTES = 6
_QUOTE_CHARS = 400
_ANSWER_CHARS = 900
_REPLY_TOKENS = 1_200
_PLACE_CHARS = 200


@dataclass(frozen=True, slots=True)
class Passage:
    """A text to answer from."""

    document: Document
    headings: tuple[str, ...]
    path: SectionPath
    text: str

    @property
    def place(self) -> str:
        """Path and headings."""
        return " › ".join((self.document.doc, *self.headings))


class _QuoteReply(BaseModel):
    model_config = ConfigDict(extra="ignore")

    passage: int
    text: str


class PassagesReply(BaseModel):
    """What came back."""

    model_config = ConfigDict(extra="ignore")

    quotes: list[_QuoteReply] = Field(default_factory=list)
    answer: str = ""
    covered: bool = False


async def ask_passages(
    chat: ChatModel, question: str, passages: Sequence[Passage]
) -> tuple[PassagesReply | None, Usage]:
    """The reply, None where it cannot be used, and what it cost.

    Raises:
        ServiceUnreachable: the model did not answer.
    """
    shown = "\n".join(
        fenced(f"{number} {on_one_line(one.place, _PLACE_CHARS)}", one.text)
        for number, one in enumerate(passages, start=1)
    )
    user = f"QUESTION\n{fenced('question', question)}\n\nPASSAGES\n{shown or '(none)'}"
    asked = ChatPrompt(
        prompt("passages"), user, schema=_schema(), name="answer", reply_tokens=_REPLY_TOKENS
    )
    reply = await chat.complete(asked)
    return _read(reply), reply.usage


def _read(reply: ChatReply) -> PassagesReply | None:
    if reply.refused:
        return None
    try:
        return PassagesReply.model_validate(object_in(reply.text))
    except (DecisionError, ValidationError):
        return None


def as_answer(
    question: Question,
    reply: PassagesReply | None,
    passages: Sequence[Passage],
    usage: Usage,
    rounds: int = 1,
) -> Answer:
    """The answer object of a reply.

    Args:
        question: as asked.
        reply: the last one; None: it could not be used.
        passages: those it speaks of, from 1.
        usage: of all calls.
        rounds: it took.
    """
    outcome = Outcome.UNAVAILABLE
    citations: tuple[Citation, ...] = ()
    text = ""
    if reply is not None:
        outcome = Outcome.ANSWERED if reply.covered else Outcome.NOT_COVERED
        text = reply.answer if reply.covered else ""
        quotes = reply.quotes[:_QUOTES] if reply.covered else []
        citations = tuple(
            _citation(quote.passage, quote.text, passages[quote.passage - 1])
            for quote in quotes
            if 0 < quote.passage <= len(passages)
        )
    return Answer(
        uuid4().hex,
        question.text,
        outcome,
        text,
        citations,
        rounds=rounds,
        usage=usage,
        extractive=False,
    )


def _citation(number: int, quote: str, passage: Passage) -> Citation:
    document = passage.document
    return Citation(
        number,
        document.source,
        document.doc,
        document.doc_id,
        document.title,
        passage.headings,
        passage.path,
        quote,
        0,
        0,
        url=document.url,
        modified=document.modified,
    )


def _schema() -> dict[str, Any]:
    quote = _object(
        {"passage": {"type": "integer"}, "text": {"type": "string", "maxLength": _QUOTE_CHARS}}
    )
    return _object(
        {
            "quotes": {"type": "array", "items": quote, "maxItems": _QUOTES},
            "answer": {"type": "string", "maxLength": _ANSWER_CHARS},
            "covered": {"type": "boolean"},
        }
    )


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
