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
    place = tuple(str(part) for part in problem["loc"])
    name = f"{'.'.join(place)} ({ENV_PREFIX}{'__'.join(place).upper()})" if place else "settings"
    if problem["type"] == "extra_forbidden":
        return f"{name}: there is no such setting.{_suggestion(place)} Take it out or correct it."
    if problem["type"] == "missing":
        return f"{name}: a value is needed here. Set it."
    held = "" if _is_secret(place) or not place else f"={problem['input']!r}"
    message = problem["msg"].removeprefix("Value error, ")
    return f"{name}{held}: {message[:1].upper()}{message[1:]}."


def _is_secret(place: tuple[str, ...]) -> bool:
    return any(word in place[-1].lower() for word in ("token", "secret", "password", "key"))


def _suggestion(place: tuple[str, ...]) -> str:
    fields: dict[str, object] = dict(Settings.model_fields)
    for part in place[:-1]:
        annotation = getattr(fields.get(part), "annotation", None)
        if not (isinstance(annotation, type) and issubclass(annotation, BaseModel)):
            return ""
        fields = dict(annotation.model_fields)
    near = get_close_matches(place[-1], list(fields), n=1)
    return f" Did you mean {'.'.join((*place[:-1], near[0]))}?" if near else ""
