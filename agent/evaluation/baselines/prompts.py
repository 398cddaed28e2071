"""The baselines' prompts as files."""

from functools import cache
from importlib.resources import files


@cache
def prompt(name: str) -> str:
    """The fixed text of this name."""
    text = files("agent.evaluation").joinpath("prompts", f"{name}.md").read_text(encoding="utf-8")
    return text.strip()
