"""The decision as a model writes it: one flat object, checked whatever the server promised.

Lengths that only cost space are cut; what would change the meaning is refused, and the refusal is
the next round's note.
"""

import json
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from agent.domain import Action, Decision, Quote, Support, Usage
from agent.errors import DecisionError

_ANSWER_CHARS = 900
_QUOTE_CHARS = 400
_MISSING_CHARS = 200
_REASON_CHARS = 120
_QUERY_CHARS = 120
_ID_CHARS = 12
_LONGEST_ANSWER_CHARS = 4 * _ANSWER_CHARS
_LONGEST_QUOTE_CHARS = 4 * _QUOTE_CHARS
_SECTIONS = 3
_QUOTES = 6
_WIDE_QUOTES = 12
_WIDE_ANSWER_CHARS = 1_500
_FINAL = (Action.ANSWER, Action.NOT_COVERED)


def schema(*, forced: bool, wide: bool = False) -> dict[str, Any]:
    """The JSON schema of a decision: every key present, every length bounded, no union.

    Args:
        forced: whether only `answer` and `not_covered` are offered.
        wide: whether there is room for a summary or a long list.
    """
    quotes, chars = (_WIDE_QUOTES, _WIDE_ANSWER_CHARS) if wide else (_QUOTES, _ANSWER_CHARS)
    actions = _FINAL if forced else tuple(Action)
    quote = _object({"section": _text(_ID_CHARS), "text": _text(_QUOTE_CHARS)})
    return _object(
        {
            "missing": _text(_MISSING_CHARS),
            "reason": _text(_REASON_CHARS),
            "action": {"type": "string", "enum": [action.value for action in actions]},
            "sections": {"type": "array", "items": _text(_ID_CHARS), "maxItems": _SECTIONS},
            "query": _text(_QUERY_CHARS),
            "quotes": {"type": "array", "items": quote, "maxItems": quotes},
            "answer": _text(chars),
            "support": {"type": "string", "enum": [support.value for support in Support]},
        }
    )


def _text(chars: int) -> dict[str, Any]:
    return {"type": "string", "maxLength": chars}


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _none_is_empty(value: object) -> object:
    return "" if value is None else value


def _none_is_nothing(value: object) -> object:
    return [] if value is None else value


_Said = Annotated[str, BeforeValidator(_none_is_empty)]


class _Reply(BaseModel):
    model_config = ConfigDict(extra="ignore", str_strip_whitespace=True)


class _QuoteReply(_Reply):
    section: str
    text: str = Field(max_length=_LONGEST_QUOTE_CHARS)


class _DecisionReply(_Reply):
    missing: _Said = ""
    reason: _Said = ""
    action: Literal["answer", "read", "search", "clarify", "not_covered"]
    sections: Annotated[list[str], BeforeValidator(_none_is_nothing)] = []
    query: _Said = ""
    quotes: Annotated[list[_QuoteReply], BeforeValidator(_none_is_nothing)] = []
    answer: Annotated[_Said, Field(max_length=_LONGEST_ANSWER_CHARS)] = ""
    support: Annotated[
        Literal["stated", "follows", "partly", "none"],
        BeforeValidator(lambda value: value or "none"),
    ] = "none"


def decision_of(
    reply: Mapping[str, Any], headings: Mapping[str, str], usage: Usage | None = None
) -> Decision:
    """The decision in a reply's object.

    Args:
        reply: the object as the model wrote it.
        headings: of the sections listed, by short id; a question back offers them as choices.
        usage: what asking cost.

    Raises:
        DecisionError: it breaks the agreed form.
    """
    try:
        said = _DecisionReply.model_validate(reply)
    except ValidationError as error:
        raise DecisionError(_complaint(error), hint="Send the object again, corrected.") from error
    action = Action(said.action)
    sections = tuple(dict.fromkeys(said.sections))[:_SECTIONS]
    named = (headings[each] for each in sections if headings.get(each))
    return Decision(
        action,
        reason=said.reason[:_REASON_CHARS],
        missing=said.missing[:_MISSING_CHARS],
        sections=sections,
        query=said.query[:_QUERY_CHARS],
        quotes=tuple(
            Quote(quote.section, quote.text) for quote in said.quotes[:_WIDE_QUOTES] if quote.text
        ),
        answer=said.answer,
        support=Support(said.support),
        choices=tuple(dict.fromkeys(named)) if action is Action.CLARIFY else (),
        usage=usage or Usage(),
    )


def object_in(text: str) -> dict[str, Any]:
    """The first JSON object in a reply, whatever stands around it.

    Raises:
        DecisionError: there is none that is whole.
    """
    start = text.find("{")
    while start != -1:
        try:
            found, _ = json.JSONDecoder().raw_decode(text, start)
        except json.JSONDecodeError:
            start = text.find("{", start + 1)
            continue
        if isinstance(found, dict):
            return found
        start = text.find("{", start + 1)
    raise DecisionError("The reply was no JSON object.", hint="Send the object alone.")


def _complaint(error: ValidationError) -> str:
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"]) or "the object"
    return f"The decision cannot be used: {where}: {first['msg']}."
