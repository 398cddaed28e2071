"""Whether each source can be listed, when it was last read, and who may read it."""

from collections.abc import Iterator

from agent.store import Store
from bots.doctor.checks import Check, failed, ok, warning
from config.settings import Settings, SourceSettings
from connectors.jobs import Jobs
from connectors.reports import RunState, SourceStatus


async def look(store: Store, settings: Settings) -> list[Check]:
    """Every configured source, in the order of the settings."""
    if not settings.sources:
        return [warning("sources", "No source is set.", "Add [[sources]]: see docs/sources.md.")]
    jobs = Jobs(store, settings)
    try:
        standing = await jobs.status()
    finally:
        await jobs.close()
    return [
        check
        for source, status in zip(settings.sources, standing, strict=True)
        for check in _source(source, status)
    ]


def _source(source: SourceSettings, status: SourceStatus) -> Iterator[Check]:
    name = f"source {source.name}"
    unreadable = _unreadable(source)
    if unreadable:
        yield failed(name, unreadable, f"Mount it, or set the path of {source.name} right.")
    else:
        yield _standing(name, status)
    for said in status.warnings:
        yield warning(name, said, "Set it in [[sources]]: see docs/sources.md.")
    if status.failed:
        yield warning(
            name,
            f"{status.failed} files could not be read.",
            f"`footnote sync {source.name} --failed` names them with the reasons.",
        )
    if status.held or status.waiting:
        yield warning(
            name,
            f"{status.held + status.waiting} missing documents wait before they are purged.",
            f"If they are really gone: /reindex {source.name} confirm-deletes.",
        )


def _unreadable(source: SourceSettings) -> str:
    try:
        if not source.path.is_dir():
            return f"There is no folder {source.path}."
        next(iter(source.path.iterdir()), None)
    except OSError as error:
        return f"{source.path} cannot be listed: {error.strerror}."
    return ""


def _standing(name: str, status: SourceStatus) -> Check:
    if status.problem:
        return failed(name, status.problem, status.hint or "Run `footnote sync` and read it.")
    if status.state in (RunState.NEVER, RunState.INTERRUPTED):
        how = "was never read to its end" if status.since else "was never read"
        return warning(name, f"It {how}.", f"Run `footnote sync {status.source}`.")
    when = f"{status.since:%Y-%m-%d %H:%M} UTC" if status.since else "never"
    word = "being read since" if status.state is RunState.RUNNING else "last read"
    return ok(name, f"{status.documents:,} documents, {word} {when}.")
