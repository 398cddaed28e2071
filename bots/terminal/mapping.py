"""`footnote map`: the document map, what its check says, and one document with its text."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict
from pathlib import Path

from rich.console import Group
from rich.text import Text

from agent.domain import Scope, SectionPath
from agent.library.checking import check_library
from agent.map.rendering import render_entry, render_map
from bots.app import Engine, open_engine, operator_scope, settings_for_folder
from bots.terminal.documents import document_object
from bots.terminal.syncing import Shown, bring_in_step
from bots.terminal.views import table_view, visible
from config.settings import Settings


async def whole_map(settings: Settings, folder: Path | None) -> Shown:
    """Every document with its outline."""
    async with _opened(settings, folder) as (engine, scope):
        entries = await engine.library.read_document_map(scope)
    return Shown([document_object(entry) for entry in entries], Text(visible(render_map(entries))))


async def check(settings: Settings, folder: Path | None) -> Shown:
    """What in the map will answer badly, and what its owner can do."""
    async with _opened(settings, folder) as (engine, scope):
        found = await check_library(engine.store, scope)
        sources = await engine.library.sources(scope)
    rows = [asdict(remark) for remark in found]
    good = f"{sum(source.documents for source in sources)} documents, nothing to mend."
    return Shown(rows, table_view(rows, ("doc", "kind", "says", "fix")) if rows else Text(good))


async def one_document(settings: Settings, folder: Path | None, name: str) -> Shown:
    """One document, by id, path or title, with the text of its sections."""
    async with _opened(settings, folder) as (engine, scope):
        document = await engine.library.find_document(scope, name.removeprefix("./"))
        (entry,) = await engine.library.read_map(scope, [document.doc_id])
        texts: dict[SectionPath, str] = {}
        for line in entry.outline:
            section = await engine.library.read_section(scope, document.doc_id, line.path)
            texts[line.path] = section.text
    view = [Text(visible(render_entry(entry)), style="bold")]
    for line in entry.outline:
        view.append(
            Text(visible(f"\n{line.number} {' › '.join(line.headings)}".rstrip()), style="bold")
        )
        view.append(Text(visible(texts[line.path])))
    return Shown(document_object(entry, texts), Group(*view))


@asynccontextmanager
async def _opened(settings: Settings, folder: Path | None) -> AsyncIterator[tuple[Engine, Scope]]:
    chosen = settings_for_folder(settings, folder) if folder else settings
    async with open_engine(chosen) as engine:
        await bring_in_step(engine, anew=folder is not None)
        yield engine, operator_scope(chosen)
