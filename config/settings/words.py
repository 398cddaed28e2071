"""What values look like: fractions, ports, lists of words, who may read.

A list is written with commas in a variable.
"""

import re
from typing import Annotated

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field
from pydantic_settings import NoDecode


def split_commas(value: object) -> object:
    """A list written with commas, as variables hold it; anything else as it is."""
    if isinstance(value, str):
        return [part.strip() for part in value.split(",") if part.strip()]
    return value


_AUDIENCE = re.compile(r"workspace|(?:slack|slack-group|teams|group):\S+|mail:[^\s@]+@[^\s@]+")
AUDIENCE_FORMS = (
    "workspace, slack:…, slack-group:…, teams:…, mail:someone@example.com or group:<name>"
)
"""What an audience word looks like, for people."""


def _audience_word(word: str) -> str:
    if not _AUDIENCE.fullmatch(word):
        raise ValueError(f"{word!r} is nobody I know; use {AUDIENCE_FORMS}")
    return word.casefold() if word.startswith("mail:") else word


Fraction = Annotated[float, Field(ge=0.0, le=1.0)]
Port = Annotated[int, Field(ge=0, le=65535)]
Words = Annotated[tuple[str, ...], NoDecode, BeforeValidator(split_commas)]
Audience = Annotated[
    tuple[Annotated[str, AfterValidator(_audience_word)], ...],
    NoDecode,
    BeforeValidator(split_commas),
]


class Group(BaseModel):
    """Base of all groups: read-only, and a misspelt key is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)
