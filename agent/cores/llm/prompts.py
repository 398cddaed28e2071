"""The prompts as files: fixed text with a version, so that an answer can name what made it."""

import hashlib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

_FRONT = "---"


@dataclass(frozen=True, slots=True)
class PromptText:
    """A prompt's fixed text and its version, which changes with every change of meaning."""

    name: str
    version: str
    text: str


@cache
def prompt(name: str) -> PromptText:
    """The prompt of this name.

    Raises:
        FileNotFoundError: there is none.
        ValueError: its head names no version.
    """
    source = files("agent.cores").joinpath("prompts", f"{name}.md").read_text(encoding="utf-8")
    empty, head, text = source.split(_FRONT, 2)
    key, _, version = head.strip().partition(":")
    if empty or key != "version" or not version.strip():
        raise ValueError(f"prompt {name} names no version")
    return PromptText(name, version.strip(), text.strip())


def prompts_version() -> str:
    """One word for all prompts as they are, part of what an answer is remembered by."""
    known = sorted(
        file.name.removesuffix(".md")
        for file in files("agent.cores").joinpath("prompts").iterdir()
        if file.name.endswith(".md")
    )
    whole = "\0".join(f"{name} {prompt(name).version} {prompt(name).text}" for name in known)
    return hashlib.sha256(whole.encode()).hexdigest()[:12]
