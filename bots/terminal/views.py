"""Answers, runs and the map as a person reads them in a terminal."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.markup import escape
from rich.padding import Padding
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn
from rich.table import Table
from rich.text import Text

from agent.domain import Answer, Citation, ProgressEvent
from agent.library.vectors.keeping import VectorState
from bots.phrases import phrase
from connectors.reports import Busy, FailedDocument, SyncProgress, SyncReport

_UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
QUOTE_CHARS = 300
"""Longest quote shown beside a footnote."""


def answer_view(answer: Answer) -> RenderableType:
    """The answer with its notes and footnotes."""
    lines: list[RenderableType] = []
    if answer.understood:
        said = phrase(answer.language, "reply.understood", question=answer.understood)
        lines.append(Text(visible(said), style="dim"))
    lines += [Text(visible(note), style="dim") for note in answer.notes]
    lines.append(Text(visible(answer.text)))
    lines += [Text(visible(f"  • {choice}")) for choice in answer.choices]
    if answer.citations:
        lines.append(Text(""))
        lines += [_footnote(citation, answer) for citation in answer.citations]
    return Group(*lines)


def _footnote(citation: Citation, answer: Answer) -> RenderableType:
    place = Text(f"[{citation.number}] ", style="bold")
    place.append(visible(" › ".join((citation.title, *citation.section))))
    place.append(visible(f" ({', '.join(_details(citation, answer.language))})"), style="dim")
    if _says(answer.text, citation.quote):
        return place
    return Group(
        place, Padding(Text(visible(f"“{_cut(citation.quote)}”"), style="italic"), (0, 0, 0, 4))
    )


def _details(citation: Citation, language: str) -> Iterator[str]:
    if citation.label and citation.label != str(citation.page):
        yield phrase(language, "reply.page_label", label=citation.label, page=citation.page)
    elif citation.page:
        yield phrase(language, "reply.page", page=citation.page)
    yield citation.doc
    if citation.note:
        yield citation.note


def _says(text: str, quote: str) -> bool:
    return " ".join(quote.split()) in " ".join(text.split())


def _cut(quote: str) -> str:
    text = " ".join(quote.split())
    return text if len(text) <= QUOTE_CHARS else text[: QUOTE_CHARS - 1].rstrip() + "…"


class StatusLine:
    """The agent's progress as one line that is written over."""

    def __init__(self, console: Console) -> None:
        self._status = console.status("")

    async def show(self, event: ProgressEvent) -> None:
        """Show what is being read."""
        place = " › ".join(part for part in (event.document, event.section) if part)
        key = event.stage.value if event.stage.value != "reading" or place else "map"
        words = phrase("en", f"progress.{key}", document=place)
        self._status.update(escape(visible(f"Footnote {words}")))

    def __enter__(self) -> "StatusLine":
        """Begin to show."""
        self._status.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Take the line away."""
        self._status.stop()


class SyncBars:
    """One progress bar a source while a run goes on."""

    def __init__(self, console: Console) -> None:
        self._bars = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[note]}"),
            console=console,
            transient=True,
        )
        self._tasks: dict[str, TaskID] = {}

    def show(self, progress: SyncProgress) -> None:
        """Take in how far a run is."""
        task = self._tasks.get(progress.source)
        if task is None:
            task = self._bars.add_task(progress.source, total=None, note="")
            self._tasks[progress.source] = task
        note = f"{progress.failed} failed" if progress.failed else ""
        total = progress.total or None
        self._bars.update(task, completed=progress.done, total=total, note=note)

    def __enter__(self) -> "SyncBars":
        """Begin to show."""
        self._bars.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Take the bars away."""
        self._bars.stop()


class VectorBar:
    """A progress bar for vectors, shown once there are any to make."""

    def __init__(self, console: Console) -> None:
        self._bar = Progress(
            TextColumn("vectors"),
            BarColumn(),
            MofNCompleteColumn(),
            console=console,
            transient=True,
        )
        self._task: TaskID | None = None

    def show(self, state: VectorState) -> None:
        """Take in how far it is."""
        if self._task is None:
            self._task = self._bar.add_task("vectors")
            self._bar.start()
        self._bar.update(self._task, completed=state.done, total=state.texts)

    def __enter__(self) -> "VectorBar":
        """Nothing is shown yet."""
        return self

    def __exit__(self, *_: object) -> None:
        """Take the bar away."""
        self._bar.stop()


def report_view(report: SyncReport | Busy) -> RenderableType:
    """A finished run in two lines, and every file that failed."""
    if isinstance(report, Busy):
        return Text(
            f"{report.source}: is being read since {report.since:%H:%M:%S}; wait for its end."
        )
    counts = ("added", "changed", "moved", "removed", "unchanged", "held_back")
    said = [f"{getattr(report, name)} {name.replace('_', ' ')}" for name in counts]
    head = f"{report.source}: {_counted(report.seen, 'file')} in {report.seconds:.1f} s"
    if report.skipped:
        head += f", {report.skipped} left out (links, devices and the like)"
    lines: list[RenderableType] = [Text(head, style="bold"), Text("  " + ", ".join(said))]
    if report.problem:
        lines.append(Text(f"  {report.problem} {report.hint}".rstrip(), style="yellow"))
    lines += [_failed_line(one) for one in (*report.failed, *report.partial)]
    return Group(*lines)


def trouble_view(report: SyncReport) -> RenderableType:
    """What went wrong in a run before a question, in a line or two; the commands tell the rest."""
    lines: list[RenderableType] = []
    if report.problem:
        lines.append(Text(visible(f"{report.source}: {report.problem} {report.hint}".rstrip())))
    if report.failed:
        said = f"{report.source}: {_counted(len(report.failed), 'file')} could not be read; "
        lines.append(Text(said + "`footnote map check` tells which and why.", style="dim"))
    return Group(*lines)


def failed_view(source: str, failed: Sequence[FailedDocument]) -> RenderableType:
    """The files of a source that could not be taken in, or only in part."""
    if not failed:
        return Text(f"{source}: no file failed.")
    rows = [_failed_line(one) for one in failed]
    return Group(Text(f"{source}:", style="bold"), *rows)


def _failed_line(failed: FailedDocument) -> Text:
    line = Text("  ~ ", style="yellow") if failed.partial else Text("  ✗ ", style="red")
    line.append(visible(f"{failed.doc}: {failed.reason}"), style="default")
    if failed.partial:
        line.append(" (the rest was read)", style="dim")
    if failed.old_copy:
        line.append(" (the earlier version answers on)", style="dim")
    return line


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def visible(text: str) -> str:
    """Text of a document without what a terminal would obey: control and direction marks."""
    return _UNSEEN.sub("�", text)


def table_view(rows: Sequence[dict[str, Any]], columns: Sequence[str]) -> Table:
    """Rows of plain values under these columns."""
    table = Table(*[column.replace("_", " ") for column in columns], box=None, pad_edge=False)
    for row in rows:
        table.add_row(*[escape(visible(str(row.get(column) or ""))) for column in columns])
    return table
