"""The report as one page for a browser: charts and tables, no script, nothing from outside."""

from collections.abc import Iterator, Sequence
from html import escape
from math import log

from agent.evaluation.intervals import Share
from agent.evaluation.moments import MomentsResult
from agent.evaluation.report.charts import Bar, BarGroup, Line, bars, lines
from agent.evaluation.report.tables import Report, ReportTable, tables_of
from agent.evaluation.results import ALL, EngineResult
from agent.evaluation.scoring import TOPS

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem;
  color: #1c1c1c; background: #fff; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .75rem .25rem 0; text-align: left; border-bottom: 1px solid #ddd;
  vertical-align: top; }
p.note { color: #555; max-width: 45rem; }
.chart { overflow-x: auto; }
svg { max-width: 100%; min-width: 32rem; height: auto; font: 12px system-ui, sans-serif; }
svg .end { text-anchor: end; } svg .middle { text-anchor: middle; }
svg .grid { stroke: #ccc; stroke-width: 1; } svg .whisker { stroke: #111; stroke-width: 1.5; }
ul.legend { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: 1rem; }
ul.legend span { display: inline-block; width: .8em; height: .8em; margin-right: .4em; }
@media (prefers-color-scheme: dark) {
  body { color: #eee; background: #181818; } th, td { border-color: #444; } p.note { color: #aaa; }
  svg text { fill: #eee; } svg .whisker { stroke: #fff; } svg .grid { stroke: #444; }
}
"""


def as_page(report: Report) -> str:
    """The whole report as HTML."""
    body = "".join([*_charts(report), *(_table(table) for table in tables_of(report))])
    title = escape(report.title)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title}</title><style>{_STYLE}</style></head>"
        f"<body><h1>{title}</h1>{body}</body></html>\n"
    )


def _charts(report: Report) -> Iterator[str]:
    ours = [one for one in report.results if isinstance(one, EngineResult)]
    moments = [one for one in report.results if isinstance(one, MomentsResult)]
    if ours and report.growing:
        yield _section("As the library grows", _growth(ours))
    if ours:
        yield _section("Hits by kind", _hits(ours))
        yield _section("Found by search", _retrieval(ours))
        curved = [one for one in ours if len(one.curve) > 1]
        if curved:
            yield _section("Declined against wrongly declined", _declining(curved))
    if moments:
        yield _section("Conversations passed", _passed(moments))


def _hits(results: Sequence[EngineResult]) -> str:
    kinds = dict.fromkeys(kind for one in results for kind in one.hits if kind != ALL)
    groups = [
        BarGroup(kind, [_as_bar(one.hits.get(kind)) for one in results]) for kind in (*kinds, ALL)
    ]
    return bars("Share of right answers by kind", groups, [one.name for one in results])


def _passed(results: Sequence[MomentsResult]) -> str:
    kinds = dict.fromkeys(kind for one in results for kind in one.moments)
    groups = [
        BarGroup(
            kind,
            [_as_bar(one.moments[kind].passed) if kind in one.moments else None for one in results],
        )
        for kind in kinds
    ]
    return bars("Share of conversations passed", groups, [one.name for one in results])


def _retrieval(results: Sequence[EngineResult]) -> str:
    groups = [
        BarGroup(f"{name} @{top}", [_plain_bar(getattr(one, name)[ALL][at]) for one in results])
        for name in ("documents", "sections")
        for at, top in enumerate(TOPS)
    ]
    return bars("What search found in its top 1, 3 and 5", groups, [one.name for one in results])


def _growth(results: Sequence[EngineResult]) -> str:
    """Hits, documents and sections over the size of the library, on a logarithmic axis."""
    sizes = sorted({one.library for one in results if one.library})
    place = {size: _log_place(size, sizes) for size in sizes}
    series = []
    for name in dict.fromkeys((one.engine, one.model) for one in results):
        mine = [one for one in results if (one.engine, one.model) == name and one.library]
        told = " ".join(part for part in name if part)
        found: dict[str, list[float | None]] = {
            "hits": [one.hits[ALL].value for one in mine],
            "documents @5": [one.documents[ALL][-1] for one in mine],
            "sections @5": [one.sections[ALL][-1] for one in mine],
        }
        for measure, values in found.items():
            points = zip(mine, values, strict=True)
            drawn = [(place[one.library], value) for one, value in points if value is not None]
            series.append(Line(f"{told}: {measure}", drawn))
    marks = [(place[size], f"{size:,}") for size in sizes]
    return lines("As the library grows", ("documents", "share"), series, marks)


def _log_place(size: int, sizes: Sequence[int]) -> float:
    low, high = log(sizes[0]), log(sizes[-1])
    return (log(size) - low) / (high - low) if high > low else 0.5


def _declining(results: Sequence[EngineResult]) -> str:
    series = [
        Line(
            one.name,
            [
                (point.wrongly_declined.value or 0.0, point.declined.value or 0.0)
                for point in one.curve
            ],
        )
        for one in results
    ]
    return lines("Declining", ("wrongly declined", "declined"), series)


def _as_bar(share: Share | None) -> Bar | None:
    if share is None or share.value is None:
        return None
    return Bar(share.value, *share.bounds)


def _plain_bar(value: float | None) -> Bar | None:
    return None if value is None else Bar(value, value, value)


def _table(table: ReportTable) -> str:
    head = "".join(f"<th>{escape(column)}</th>" for column in table.columns)
    rows = "".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in table.rows
    )
    note = f'<p class="note">{escape(table.note)}</p>' if table.note else ""
    whole = f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
    return _section(table.heading, f'<div class="wide">{whole}</div>{note}')


def _section(heading: str, body: str) -> str:
    return f"<section><h2>{escape(heading)}</h2>{body}</section>"
