"""The composition root: the only place that knows every concrete class and reads no settings twice.

Reading this file tells what Footnote is made of. Nothing else imports it but the commands; tests
build their own, smaller, assemblies.
"""

import asyncio
import hashlib
import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from agent.assistant import Assistant
from agent.domain import Scope
from agent.gaps import GapList
from agent.library.library import StoreLibrary
from agent.library.noting import NoteKeeper
from agent.library.vectors.catching_up import CatchUp
from agent.memory import ThreadMemory
from agent.remembered import RememberedAnswers
from agent.store import Store, open_store
from agent.trace import TraceStore, trace_store
from bots.finding import Finders, finders_of
from bots.terminal.commandline import WrongUse
from bots.thinking import Minds, minds_of
from config.settings import Settings, SourceSettings, StoreSettings
from connectors.jobs import Jobs


@dataclass(frozen=True, slots=True)
class Engine:
    """What every command needs: questions in, answers out, and the library in step.

    Attributes:
        vectors: brings the vectors in step; None without an embedder.
        notes: has the model describe documents; None without a model.
    """

    settings: Settings
    store: Store
    library: StoreLibrary
    assistant: Assistant
    jobs: Jobs
    traces: TraceStore
    gaps: GapList
    vectors: CatchUp | None = None
    notes: NoteKeeper | None = None


@asynccontextmanager
async def open_engine(settings: Settings) -> AsyncIterator[Engine]:
    """Open the store, make the library follow the settings, and close everything at the end.

    Raises:
        ConfigError: a setting, or a package that it needs, is missing.
        ServiceUnreachable: the database does not answer.
    """
    store = await asyncio.to_thread(open_store, settings.store_url)
    async with AsyncExitStack() as stack:
        stack.callback(store.close)
        jobs = Jobs(store, settings)
        stack.push_async_callback(jobs.close)
        minds = minds_of(settings, store)
        stack.push_async_callback(minds.close)
        finders = finders_of(settings, store)
        stack.push_async_callback(finders.close)
        await jobs.apply_settings()
        yield _assemble(settings, store, jobs, minds, finders)


def _assemble(
    settings: Settings, store: Store, jobs: Jobs, minds: Minds, finders: Finders
) -> Engine:
    library = StoreLibrary(
        store, settings.loop, settings.glossary, finders.meaning, finders.opinion
    )
    traces, gaps = trace_store(store, settings.trace), GapList(store)
    memory = ThreadMemory(store, settings.conversation, lambda: datetime.now(UTC))
    remembered = RememberedAnswers(store, library, minds.made_by) if minds.made_by else None
    assistant = Assistant(
        library,
        minds.thinking,
        memory,
        traces,
        gaps,
        settings.loop,
        remembered,
    )
    return Engine(
        *(settings, store, library, assistant, jobs, traces, gaps), finders.vectors, minds.notes
    )


def settings_for_folder(settings: Settings, folder: Path) -> Settings:
    """Settings under which one folder is the whole library, kept under the data folder.

    Raises:
        WrongUse: it is no folder.
    """
    if not folder.is_dir():
        raise WrongUse(f"{folder} is no folder.", hint="Name an existing one with --folder.")
    place = folder.resolve()
    digest = hashlib.sha256(str(place).encode("utf-8", "surrogateescape")).hexdigest()[:16]
    name = re.sub(r"[^a-z0-9_-]+", "-", place.name.lower()).strip("-_")[:40] or "folder"
    source = SourceSettings(name=name, path=place, audience=("workspace",))
    return settings.model_copy(
        update={
            "sources": (source,),
            "data_dir": settings.data_dir / "folders" / digest,
            "store": StoreSettings(),
        }
    )


def operator_scope(settings: Settings) -> Scope:
    """Everything that anybody may be answered from, for the person at the terminal."""
    words = {word for source in settings.sources for word in source.audience}
    words |= {word for group in settings.groups.values() for word in group.members}
    words |= {
        word for source in settings.sources for rule in source.rules for word in rule.audience
    }
    return Scope(frozenset(words))
