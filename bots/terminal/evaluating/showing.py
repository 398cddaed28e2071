"""The report in a terminal and in files."""

import json
from collections.abc import Callable
from pathlib import Path

from rich.console import Group, RenderableType
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from agent.evaluation.report import Report, as_markdown, as_page
from agent.evaluation.report.tables import ReportTable, tables_of
from bots.terminal.commandline import WrongUse
from bots.terminal.views import visible


def report_view(report: Report) -> RenderableType:
    """All tables of a report, one under the other."""
    return Group(Text(visible(report.title), style="bold"), *map(_table_view, tables_of(report)))


def _table_view(shown: ReportTable) -> RenderableType:
    table = Table(
        title=escape(visible(shown.heading)), title_justify="left", box=None, pad_edge=False
    )
    for column in shown.columns:
        table.add_column(escape(visible(column)))
    for row in shown.rows:
        table.add_row(*[escape(visible(cell)) for cell in row])
    note = [Text(visible(shown.note), style="dim")] if shown.note else []
    return Group(Text(""), table, *note)


def as_json_text(report: Report) -> str:
    """One array, an object an engine."""
    return json.dumps(report.to_json(), ensure_ascii=False, indent=2) + "\n"


_WRITERS: dict[str, Callable[[Report], str]] = {
    ".json": as_json_text,
    ".md": as_markdown,
    ".html": as_page,
}


def write_report(report: Report, out: Path) -> list[Path]:
    """Write the report where its name's suffix says; under any other name in every form.

    Raises:
        WrongUse: the file cannot be written.
    """
    suffix = out.suffix.lower()
    targets = [out] if suffix in _WRITERS else [Path(f"{out}{each}") for each in _WRITERS]
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        for target in targets:
            target.write_text(_WRITERS[target.suffix.lower()](report), encoding="utf-8")
    except OSError as error:
        raise WrongUse(
            f"The report cannot be written to {out} ({error.strerror}).",
            hint="Name a file in a folder that can be written, with --out.",
        ) from error
    return targets
