"""What a model server takes, found out once by asking and remembered.

Servers that call themselves OpenAI-compatible differ in how an object can be asked for: by a strict
JSON schema, by one strict tool, or only in words. The best form is tried first; a server that
refuses it is asked in the next one, at once and at no cost, since a refused request is not billed.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from typing import Any

from agent.ports import ChatPrompt


class Form(StrEnum):
    """How an object is asked for, the surest first."""

    SCHEMA = "schema"
    TOOL = "tool"
    PLAIN = "plain"

    @property
    def below(self) -> "Form":
        """The next less demanding form; plain stays plain."""
        return {"schema": Form.TOOL}.get(self.value, Form.PLAIN)


@dataclass(frozen=True, slots=True)
class Abilities:
    """What a server takes for a model.

    Attributes:
        bounds: whether a schema may bound lengths.
        length_word: what it calls the most tokens of a reply.
        temperature: whether it takes one.
    """

    form: Form = Form.SCHEMA
    bounds: bool = True
    length_word: str = "max_tokens"
    temperature: bool = True

    def without(self, complaint: str) -> "Abilities | None":
        """What to try after a refusal; None where there is nothing left to leave out.

        Args:
            complaint: what the server said.
        """
        if self.temperature and "temperature" in complaint:
            return replace(self, temperature=False)
        if self.length_word in complaint and "max_completion_tokens" in complaint:
            return replace(self, length_word=_other_length_word(self.length_word))
        if self.form is Form.PLAIN:
            return None
        if self.bounds and _BOUND.search(complaint):
            return replace(self, bounds=False)
        return replace(self, form=self.form.below)

    def to_json(self) -> dict[str, Any]:
        """As the cache keeps it."""
        return asdict(self)

    @classmethod
    def from_json(cls, kept: Any) -> "Abilities | None":
        """What `to_json` gave; None where it was written by another version."""
        try:
            return cls(**{**kept, "form": Form(kept["form"])})
        except (TypeError, ValueError, KeyError):
            return None


_BOUND = re.compile(r"m(?:ax|in)(?:Length|Items)")
_BOUNDS = ("maxLength", "maxItems", "minLength", "minItems")


def _other_length_word(word: str) -> str:
    return "max_tokens" if word == "max_completion_tokens" else "max_completion_tokens"


def asked(prompt: ChatPrompt, abilities: Abilities) -> dict[str, Any]:
    """The part of a request that says which object is wanted; with the messages.

    Returns:
        `messages`, and `response_format` or `tools` as the server takes them.
    """
    system = prompt.system
    extra: dict[str, Any] = {}
    if prompt.schema is not None:
        schema = prompt.schema if abilities.bounds else without_bounds(prompt.schema)
        match abilities.form:
            case Form.SCHEMA:
                named = {"name": prompt.name, "schema": schema, "strict": True}
                extra = {"response_format": {"type": "json_schema", "json_schema": named}}
            case Form.TOOL:
                extra = _one_tool(prompt.name, schema)
            case Form.PLAIN:
                system = f"{system}\n\n{_in_words(prompt.schema)}"
    messages = [
        {"role": role, "content": text}
        for role, text in (("system", system), ("user", prompt.user))
        if text
    ]
    return {"messages": messages, **extra}


def _one_tool(name: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    function = {
        "name": name,
        "description": "The reply, in this form.",
        "parameters": schema,
        "strict": True,
    }
    return {
        "tools": [{"type": "function", "function": function}],
        "tool_choice": {"type": "function", "function": {"name": name}},
    }


def _in_words(schema: Mapping[str, Any]) -> str:
    written = json.dumps(schema, ensure_ascii=False, separators=(",", ":"))
    return f"Reply with one JSON object and nothing else. Its JSON schema: {written}"


def without_bounds(schema: Any) -> Any:
    """The schema without bounds on lengths, which some strict servers refuse."""
    if isinstance(schema, Mapping):
        return {key: without_bounds(value) for key, value in schema.items() if key not in _BOUNDS}
    return [without_bounds(each) for each in schema] if isinstance(schema, list) else schema
