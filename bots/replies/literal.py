"""Text of documents as blocks: taken as it stands, its lists and rows recognised by their lines.

The engine quotes an item or row as it stands in its document, `“2. Send.” [1]`, and names the
columns behind a row. Here rows become a table again, with its header on top, and a single row
becomes `column: value`; the words stay the document's own.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from agent.phrases import languages, phrase
from bots.replies.prose import Block, Item, Paragraph, Preformatted, Run, inert, marked
from bots.replies.tables import aligned

_BULLET = r"[-*•‣◦]"
_ITEM = re.compile(
    rf"^(?P<indent>[ \t]*)(?P<open>“?)(?:{_BULLET}|(?P<number>\d{{1,4}})[.)])\s+(?P<text>.+)$"
)
_ROW = re.compile(r"\S \| \S")
_INDENT_CHARS = 2
_MARKERS = r"(?P<markers>(?:\s*\[\d{1,3}\])*)"
_HEADER = "|".join(
    re.escape(phrase(language, "columns", header="\0")).replace("\0", "(.+?)")
    for language in languages()
)
_ROWS = re.compile(rf"^“(?P<rows>[^“]+)”\s*(?:{_HEADER}){_MARKERS}$", re.DOTALL)


def literal_blocks(
    text: str, links: Mapping[int, str], headings: Collection[str] = ()
) -> list[Block]:
    """Text of documents as it stands.

    Args:
        text: with `[n]` markers.
        links: address of each footnote's document; markers without one stay text.
        headings: lines that head a part of the answer.
    """
    blocks: list[Block] = []
    for paragraph in re.split(r"\n\s*\n", text.strip("\n")):
        lines = [each for line in paragraph.split("\n") for each in _under_heading(line, headings)]
        blocks += _paragraph(lines, links, headings)
    return blocks


def _under_heading(line: str, headings: Collection[str]) -> list[str]:
    """The line, cut after the heading it begins with: a short part follows its heading at once."""
    begun = [each for each in headings if each and line.startswith(f"{each} ")]
    heading = max(begun, key=len, default="")
    return [heading, line[len(heading) :].strip()] if heading else [line]


def _paragraph(
    lines: list[str], links: Mapping[int, str], headings: Collection[str]
) -> Iterator[Block]:
    running: list[str] = []
    rows: list[str] = []
    for line in [*lines, ""]:
        is_row = bool(_ROW.search(line))
        item = None if is_row else _ITEM.match(line)
        if rows and not is_row:
            yield from _table(rows, links)
            rows = []
        if running and (is_row or item or line in headings or not line):
            yield Paragraph(marked(Run("\n".join(running)), links))
            running = []
        if is_row:
            rows.append(line)
        elif item:
            yield _item(item, links)
        elif line in headings:
            yield Paragraph(marked(Run(line, bold=True), links))
        elif line:
            running.append(line)


def _item(item: re.Match[str], links: Mapping[int, str]) -> Item:
    indent = item["indent"].expandtabs(_INDENT_CHARS)
    number = int(item["number"]) if item["number"] else None
    text = item["open"] + item["text"]
    return Item(marked(Run(text), links), len(indent) // _INDENT_CHARS, number)


def _table(rows: list[str], links: Mapping[int, str]) -> Iterator[Block]:
    """Rows that follow each other; each quote of rows becomes a table of its own."""
    quoted: list[str] = []
    for row in rows:
        quoted.append(row)
        if re.search(rf"”.*{_MARKERS}$", row) and (table := _ROWS.match("\n".join(quoted))):
            yield from _with_header(table, links)
            quoted = []
    if len(quoted) == 1:
        yield Paragraph(marked(Run(quoted[0]), links))
    elif quoted:
        yield Preformatted(inert(aligned([_cells(row) for row in quoted])))


def _with_header(table: re.Match[str], links: Mapping[int, str]) -> Iterator[Block]:
    header = next(_cells(group) for group in table.groups()[1:-1] if group)
    rows = [_cells(row) for row in table["rows"].split("\n")]
    markers = table["markers"].strip()
    if len(rows) == 1:
        yield _named_cells(header, rows[0], markers, links)
        return
    yield Preformatted(inert(aligned([header, *rows])))
    if markers:
        yield Paragraph(marked(Run(markers), links))


def _named_cells(
    header: Sequence[str], row: Sequence[str], markers: str, links: Mapping[int, str]
) -> Paragraph:
    runs: list[Run] = []
    for name, cell in zip([*header, *[""] * len(row)], row, strict=False):
        lead = Run(f"{name}: ", italic=True) if name else Run("")
        runs += [Run(" · ")] * bool(runs) + [lead, Run(f"“{cell}”")]
    whole = [*runs, *marked(Run(f" {markers}"), links)] if markers else runs
    return Paragraph(tuple(replace(run, text=inert(run.text)) for run in whole if run.text))


def _cells(row: str) -> list[str]:
    return [cell.strip() for cell in row.split(" | ")]
