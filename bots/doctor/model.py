"""Whether the model and the search models answer as the settings say."""

from bots.doctor.checks import Check, failed, ok
from config.settings import Settings


async def model(settings: Settings) -> list[Check]:
    """The language model."""
    if settings.model.kind == "extractive":
        return [ok("model", "None: answers are the documents' own sentences.")]
    return [_not_here("model", "extractive")]


async def embedder(settings: Settings) -> list[Check]:
    """The vectors of the search."""
    if settings.embedder.kind == "none":
        return [ok("embedder", "None: search goes by words alone.")]
    return [_not_here("embedder", "none")]


async def reranker(settings: Settings) -> list[Check]:
    """The second opinion on passages."""
    if settings.reranker.kind == "none":
        return [ok("reranker", "None.")]
    return [_not_here("reranker", "none")]


def _not_here(name: str, works: str) -> Check:
    fix = f"Set it to {works!r} (FOOTNOTE_{name.upper()}__KIND={works})."
    return failed(name, f"{name}.kind asks for what this version does not have yet.", fix)
