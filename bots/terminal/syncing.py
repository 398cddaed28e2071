"""`footnote sync`, and the sync before a question in the terminal."""

import asyncio
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from rich.console import Group, RenderableType

from agent.errors import ServiceUnreachable
from bots.app import Engine, open_engine
from bots.terminal.commandline import WrongUse, progress_console
from bots.terminal.views import (
    SyncBars,
    VectorBar,
    failed_view,
    report_view,
    table_view,
    trouble_view,
)
from config.settings import Settings
from connectors.reports import Busy, RunState, SourceStatus, SyncReport

_LOOK_S = 0.3
"""Seconds between two looks at another process's run."""
_COLUMNS = ("source", "state", "since", "documents", "failed", "held", "waiting", "problem")


@dataclass(frozen=True, slots=True)
class Shown:
    """What a command has to say: rows for programs, a view for people, and whether all is well."""

    rows: Any
    view: RenderableType
    clean: bool = True


async def run_sync(settings: Settings, names: Sequence[str] | None) -> Shown:
    """One run of these sources, None: of all."""
    async with open_engine(settings) as engine:
        await _known(engine, names)
        with SyncBars(progress_console) as bars:
            reports = await engine.jobs.run(names, bars.show)
        await complete_vectors(engine)
    rows = [_report_object(report) for report in reports]
    clean = all(isinstance(report, SyncReport) and report.clean for report in reports)
    return Shown(rows, Group(*map(report_view, reports)), clean)


async def show_status(settings: Settings, names: Sequence[str] | None) -> Shown:
    """How each source stands."""
    async with open_engine(settings) as engine:
        found = [one for one in await _known(engine, names) if not names or one.source in names]
    rows = [_status_object(status) for status in found]
    warnings = [f"{one.source}: {warning}" for one in found for warning in one.warnings]
    return Shown(rows, Group(table_view(rows, _COLUMNS), *warnings))


async def show_failed(settings: Settings, names: Sequence[str] | None) -> Shown:
    """The files that could not be taken in, or only in part."""
    async with open_engine(settings) as engine:
        sources = names or [one.source for one in await _known(engine, names)]
        await _known(engine, names)
        failed = {source: await engine.jobs.failed(source) for source in sources}
    rows = [{"source": source} | asdict(one) for source, some in failed.items() for one in some]
    return Shown(rows, Group(*[failed_view(source, some) for source, some in failed.items()]))


async def bring_in_step(engine: Engine, *, anew: bool) -> None:
    """Sync before answering: every source `anew`, else those that were never read to the end."""
    unread = (RunState.NEVER, RunState.INTERRUPTED)
    never = [one.source for one in await engine.jobs.status() if one.state in unread]
    names = None if anew else never
    if names == []:
        return
    with SyncBars(progress_console) as bars:
        reports = await engine.jobs.run(names, bars.show)
    for report in reports:
        if isinstance(report, Busy):
            await _end_of(engine, report.source)
        elif not report.clean:
            progress_console.print(trouble_view(report))


async def complete_vectors(engine: Engine) -> None:
    """Wait until every text has its vector, where an embedder is configured.

    One that does not answer is told in a line: what is done is kept, and questions are searched by
    words.
    """
    if engine.vectors is None:
        return
    with VectorBar(progress_console) as bar:
        try:
            await engine.vectors.complete(bar.show)
        except ServiceUnreachable as error:
            progress_console.print(f"Searched by words alone: {error}", style="yellow")


async def _end_of(engine: Engine, source: str) -> None:
    """Wait for a run of another process; answering from half a library would be no answer."""
    with progress_console.status(f"{source} is being read by another process…"):
        while any(  # noqa: ASYNC110 - another process's run: its row is all there is to look at
            one.source == source and one.state is RunState.RUNNING
            for one in await engine.jobs.status()
        ):
            await asyncio.sleep(_LOOK_S)


async def _known(engine: Engine, names: Sequence[str] | None) -> Sequence[SourceStatus]:
    statuses = await engine.jobs.status()
    known = [one.source for one in statuses]
    for name in names or ():
        if name not in known:
            raise WrongUse(f"There is no source {name!r}.", hint=f"Sources: {', '.join(known)}.")
    return statuses


def _report_object(report: SyncReport | Busy) -> dict[str, Any]:
    if isinstance(report, Busy):
        return {"source": report.source, "busy_since": report.since.isoformat()}
    return report.report_object()


def _status_object(status: SourceStatus) -> dict[str, Any]:
    since = status.since.isoformat(timespec="seconds") if status.since else None
    return asdict(status) | {"state": status.state.value, "since": since}
