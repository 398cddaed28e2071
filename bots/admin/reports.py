"""What admins read: progress, totals, status and failures as plain lines."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from bots.phrases import counted, phrase
from connectors.reports import (
    Busy,
    FailedDocument,
    RunState,
    SourceStatus,
    SyncProgress,
    SyncReport,
)

FIRST_FAILURES = 5
"""Failed files named in the report of a run."""
LISTED_FAILURES = 100
"""Failed files named when they are asked for."""
_DAY_MINUTES = 24 * 60


def help_text(sources: Sequence[str], language: str) -> str:
    """The list of words."""
    names = ", ".join(sources) or "–"
    return phrase(language, "admin.help", sources=names).strip()


def begun_text(names: Sequence[str], language: str, *, one: bool) -> str:
    """The first line of a progress message."""
    if one:
        return phrase(language, "admin.begun_one", source=names[0])
    return phrase(language, "admin.begun_all", sources=", ".join(names))


def progress_lines(
    names: Sequence[str], so_far: Mapping[str, SyncProgress], language: str
) -> list[str]:
    """One line a source: how far it is."""
    return [_progress_line(name, so_far.get(name), language) for name in names]


def results_text(results: Sequence[SyncReport | Busy], language: str) -> str:
    """The end of a run over one or more sources."""
    blocks = [
        _busy_line(result, language) if isinstance(result, Busy) else _report(result, language)
        for result in results
    ]
    if all(isinstance(result, Busy) for result in results):
        blocks.append(phrase(language, "admin.nothing_started"))
    return "\n".join(blocks)


def status_text(sources: Sequence[SourceStatus], now: datetime, language: str) -> str:
    """Every source as it stands."""
    return "\n".join(_status(source, now, language) for source in sources)


def failed_text(failed: Sequence[tuple[str, Sequence[FailedDocument]]], language: str) -> str:
    """The files that could not be read, or only in part, by source."""
    if not any(documents for _, documents in failed):
        if len(failed) == 1:
            return phrase(language, "admin.no_failures_in", source=failed[0][0])
        return phrase(language, "admin.no_failures")
    blocks: list[str] = []
    for source, documents in failed:
        if documents:
            blocks += [f"{source}:", *_failures(source, documents, LISTED_FAILURES, language)]
    return "\n".join(blocks)


def confirmed_text(source: str, count: int, language: str) -> str:
    """What `confirm-deletes` came to."""
    if not count:
        return phrase(language, "admin.nothing_to_confirm", source=source)
    return counted(language, "admin.confirmed", count, source=source)


def _progress_line(name: str, progress: SyncProgress | None, language: str) -> str:
    if progress is None:
        return phrase(language, "admin.waiting", source=name)
    done = f"{progress.done}/{progress.total}" if progress.total else str(progress.done)
    line = phrase(language, "admin.progress", source=name, seen=progress.seen, done=done)
    if progress.failed:
        line += phrase(language, "admin.progress_failed", failed=progress.failed)
    return line


def _busy_line(busy: Busy, language: str) -> str:
    return phrase(
        language, "admin.running_since", source=busy.source, since=_clock_time(busy.since)
    )


def _report(report: SyncReport, language: str) -> str:
    lines = [_headline(report, language)]
    if report.problem:
        lines.append(f"{report.problem} {report.hint}".strip())
    if report.held_back:
        lines.append(counted(language, "admin.held_back", report.held_back, source=report.source))
    if report.failed:
        lines.append(phrase(language, "admin.first_failures"))
        lines += _failures(report.source, report.failed, FIRST_FAILURES, language)
    if report.partial:
        lines.append(phrase(language, "admin.first_partial"))
        lines += _failures(report.source, report.partial, FIRST_FAILURES, language)
    return "\n".join(lines)


def _headline(report: SyncReport, language: str) -> str:
    if report.state is RunState.FAILED:
        return phrase(language, "admin.source_failed", source=report.source)
    if not report.seen and not report.touched:
        return phrase(language, "admin.empty", source=report.source)
    if not report.touched and not report.failed:
        return counted(language, "admin.untouched", report.seen, source=report.source)
    totals = phrase(
        language,
        "admin.totals",
        source=report.source,
        seen=report.seen,
        added=report.added,
        changed=report.changed,
        moved=report.moved,
        removed=report.removed,
        failed=len(report.failed),
    )
    return f"{totals} · {phrase(language, 'admin.took', seconds=f'{report.seconds:.1f}')}"


def _failures(
    source: str, documents: Sequence[FailedDocument], shown: int, language: str
) -> list[str]:
    lines = [_failure(one, language) for one in documents[:shown]]
    if (rest := len(documents) - shown) > 0:
        lines.append(counted(language, "admin.more_failures", rest, source=source))
    return lines


def _failure(document: FailedDocument, language: str) -> str:
    key = "admin.part_missing" if document.partial else "admin.failure"
    return "• " + phrase(language, key, doc=document.doc, reason=document.reason)


def _status(source: SourceStatus, now: datetime, language: str) -> str:
    lines = [_status_head(source, now, language)]
    if source.failed:
        lines.append(counted(language, "admin.status_failed", source.failed, source=source.source))
    if source.held + source.waiting:
        lines.append(
            counted(
                language,
                "admin.status_held",
                source.held + source.waiting,
                source=source.source,
            )
        )
    if source.problem:
        lines.append(f"{source.problem} {source.hint}".strip())
    return "\n   ".join([*lines, *source.warnings])


def _status_head(source: SourceStatus, now: datetime, language: str) -> str:
    name = source.source
    if source.since is None:
        return phrase(language, "admin.status_never", source=name)
    if source.state is RunState.RUNNING:
        total = f"/{source.total}" if source.total else ""
        return phrase(
            language,
            "admin.status_running",
            source=name,
            since=_clock_time(source.since),
            done=f"{source.done}{total}",
        )
    return counted(
        language,
        "admin.status_line",
        source.documents,
        source=name,
        when=_ago(source.since, now, language),
        state=phrase(language, f"admin.state_{source.state.value}"),
    )


def _clock_time(moment: datetime) -> str:
    return f"{moment:%H:%M} UTC"


def _ago(moment: datetime, now: datetime, language: str) -> str:
    minutes = int((now - moment).total_seconds() // 60)
    if minutes < 1:
        return phrase(language, "admin.just_now")
    if minutes < _DAY_MINUTES:
        return phrase(language, "admin.minutes_ago", minutes=minutes)
    return f"{moment:%Y-%m-%d %H:%M} UTC"
