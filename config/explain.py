"""Turns a rejected configuration into sentences an operator can act on."""

from difflib import get_close_matches

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from config.settings import ENV_PREFIX, Settings


def explain(error: ValidationError) -> str:
    """One line a problem: the key and variable to change, what it held, what it may hold.

    Values of secrets are never shown.
    """
    lines = [f"{error.error_count()} setting(s) cannot be used:"]
    lines += [f"  {_line(problem)}" for problem in error.errors()]
    lines.append("Change the settings file or the variable; all keys: docs/configuration.md.")
    return "\n".join(lines)


def _line(problem: ErrorDetails) -> str:
    place = tuple(part for step in problem["loc"] for part in str(step).split("__"))
    name = f"{'.'.join(place)} ({ENV_PREFIX}{'__'.join(place).upper()})" if place else "settings"
    if problem["type"] == "extra_forbidden":
        return f"{name}: there is no such setting.{_suggestion(place)} Take it out or correct it."
    if problem["type"] == "missing":
        return f"{name}: a value is needed here. Set it."
    held = f"={problem['input']!r}" if _may_be_shown(place, problem["input"]) else ""
    message = problem["msg"].removeprefix("Value error, ")
    return f"{name}{held}: {message[:1].upper()}{message[1:]}."


def _may_be_shown(place: tuple[str, ...], value: object) -> bool:
    secret = bool(place) and place[-1].endswith(("token", "secret", "password", "key"))
    return len(place) > 1 and not secret and isinstance(value, str | int | float)


def _suggestion(place: tuple[str, ...]) -> str:
    group: type[BaseModel] = Settings
    for depth, part in enumerate(place):
        field = group.model_fields.get(part)
        if field is None:
            near = get_close_matches(part, list(group.model_fields), n=1)
            return f" Did you mean {'.'.join((*place[:depth], near[0]))}?" if near else ""
        if not (isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel)):
            return ""
        group = field.annotation
    return ""
