"""Renders docs/configuration.md from the settings, so that the page cannot fall behind.

`python -m config.reference > docs/configuration.md` writes it anew; a test compares the two.
"""

import sys
from collections.abc import Iterator
from typing import Any, get_args, get_origin

from annotated_types import Ge, Gt, Le, Lt
from pydantic import BaseModel, SecretStr
from pydantic.fields import FieldInfo

from config.settings import ENV_PREFIX, Settings

_HEAD = """# Configuration

Footnote runs without any setting. What you change stands in one TOML file (`--config FILE`, else
`FOOTNOTE_CONFIG`, else `footnote.toml` in the working directory); a variable
`FOOTNOTE_<GROUP>__<KEY>` wins over the file, lists are written with commas there. An unknown or bad
key is refused at the start with a sentence that says what to change. `config/footnote.toml` is the
commented default.

This page is made from the settings: `python -m config.reference > docs/configuration.md`.
"""

_TABLES = {
    "sources": "[[sources]]",
    "rules": "rules = [{ … }]",
    "groups": "[groups.NAME]",
    "channels": '[channels."ID"]',
}


def render() -> str:
    """The whole page, in the order of the settings."""
    return "\n".join([_HEAD, *_sections()]).rstrip() + "\n"


def _sections() -> Iterator[str]:
    yield _table("Top level", "", _plain_fields(Settings))
    for name, field in Settings.model_fields.items():
        group = _group(field)
        if group is None:
            continue
        title = _TABLES.get(name, f"[{name}]")
        yield _table(title, _first_line(group), _plain_fields(group), prefix=f"{name}.")
        for inner, inner_field in group.model_fields.items():
            if (nested := _group(inner_field)) is not None:
                yield _table(_TABLES[inner], _first_line(nested), _plain_fields(nested))


def _table(
    title: str, purpose: str, fields: dict[str, FieldInfo], *, prefix: str | None = None
) -> str:
    rows = [f"## {title}", "", *([purpose, ""] if purpose else [])]
    rows += ["| key | holds | default | meaning |", "|---|---|---|---|"]
    for name, field in fields.items():
        cells = (f"`{name}`", _holds(field), _default(field), _meaning(field))
        rows.append("| " + " | ".join(cells) + " |")
    if prefix and title.startswith(f"[{prefix[:-1]}]"):
        example = f"{ENV_PREFIX}{prefix[:-1]}__{next(iter(fields))}".upper()
        rows += ["", f"As a variable: `{example}` and so on."]
    return "\n".join([*rows, ""])


def _plain_fields(group: type[BaseModel]) -> dict[str, FieldInfo]:
    return {name: field for name, field in group.model_fields.items() if _group(field) is None}


def _group(field: FieldInfo) -> type[BaseModel] | None:
    candidates = (field.annotation, *get_args(field.annotation))
    for candidate in candidates:
        if isinstance(candidate, type) and issubclass(candidate, BaseModel):
            return candidate
    return None


def _first_line(group: type[BaseModel]) -> str:
    return (group.__doc__ or "").splitlines()[0]


def _holds(field: FieldInfo) -> str:
    annotation: Any = field.annotation
    if choices := [value for value in get_args(annotation) if isinstance(value, str)]:
        return " or ".join(f"`{value}`" for value in choices)
    if SecretStr in (annotation, *get_args(annotation)):
        return "secret text"
    if get_origin(annotation) is tuple:
        return "list of texts"
    if get_origin(annotation) is dict:
        return "table of texts"
    names = {"str": "text", "int": "whole number", "float": "number", "bool": "true or false"}
    name = getattr(annotation, "__name__", "Path")
    return names.get(name, "path") + _range(field)


def _range(field: FieldInfo) -> str:
    words = []
    for limit in field.metadata:
        match limit:
            case Ge():
                words.append(f"≥ {limit.ge}")
            case Gt():
                words.append(f"> {limit.gt}")
            case Le():
                words.append(f"≤ {limit.le}")
            case Lt():
                words.append(f"< {limit.lt}")
            case _:
                continue
    return f", {', '.join(words)}" if words else ""


def _default(field: FieldInfo) -> str:
    if field.is_required():
        return "needed"
    value = field.get_default(call_default_factory=True, validated_data={})
    if value in (None, "", (), {}):
        return "–"
    return f"`{', '.join(value) if isinstance(value, tuple) else value}`"


def _meaning(field: FieldInfo) -> str:
    return " ".join((field.description or "").split())


if __name__ == "__main__":
    sys.stdout.write(render())
