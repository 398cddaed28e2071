"""The report as Markdown."""

from agent.evaluation.report.tables import Report, ReportTable, tables_of


def as_markdown(report: Report) -> str:
    """The whole report, fit for a page of documentation."""
    parts = [f"# {_plain(report.title)}", *(_section(table) for table in tables_of(report))]
    return "\n\n".join(parts) + "\n"


def _section(table: ReportTable) -> str:
    head = _row(table.columns)
    line = "|" + "---|" * len(table.columns)
    rows = "\n".join(_row(row) for row in table.rows)
    note = f"\n\n{table.note}" if table.note else ""
    return f"## {_plain(table.heading)}\n\n{head}\n{line}\n{rows}{note}"


def _row(cells: tuple[str, ...]) -> str:
    return "| " + " | ".join(_plain(cell) for cell in cells) + " |"


def _plain(text: str) -> str:
    """Without what Markdown would take for its own."""
    line = " ".join(text.split())
    for mark in ("\\", "|", "*", "_", "`", "<"):
        line = line.replace(mark, f"\\{mark}")
    return line
