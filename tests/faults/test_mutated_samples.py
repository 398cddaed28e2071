"""Broken files of every kind end with an outcome: no crash, no hang, no process over its limits.

`make bench` does the same with 2,000 files made from the real samples beside the project.
"""

import asyncio
import io
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from openpyxl import Workbook

from agent.domain import PARSE_REASONS, ParsedDocument, ParseOutcome
from config.settings import SyncSettings
from connectors.formats.parser import Parser
from tests.format_files import Mark, Put, docx, paragraph, pdf, zipped
from tests.mutations import Mutant, files_of, mutants

LIBRARY = Path(__file__).parents[2] / "examples" / "library"
SAMPLES = Path(__file__).parents[2].parent / "shared" / "samples"
LIMITS = SyncSettings(workers=2, nice=0)
_AT_ONCE = 4


def workbook() -> bytes:
    book = Workbook()
    for row in range(30):
        book.worksheets[0].append([f"Item {row}", row, row * 1.5])
    target = io.BytesIO()
    book.save(target)
    return target.getvalue()


def book() -> bytes:
    return zipped(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:'
            'container"><rootfiles><rootfile full-path="c.opf"/></rootfiles></container>',
            "c.opf": '<package xmlns="http://www.idpf.org/2007/opf"><manifest><item id="a" '
            'href="a.xhtml" media-type="application/xhtml+xml"/></manifest><spine>'
            '<itemref idref="a"/></spine></package>',
            "a.xhtml": '<html xmlns="http://www.w3.org/1999/xhtml"><body><h1>One</h1>'
            "<p>It was a dark night.</p></body></html>",
        }
    )


def own_samples() -> list[tuple[str, bytes]]:
    """A file of every kind, made here or from the sample library."""
    pages = [[Put(f"{n} Chapter", 72, 760, 18), Put("Some text.", 72, 700)] for n in range(1, 4)]
    marks = [Mark(f"Chapter {n}", n - 1) for n in range(1, 4)]
    mail = "From: a@example.com\nTo: b@example.com\nDate: 1\nSubject: Leave\n\nThirty days.\n"
    return [
        ("report.pdf", pdf(pages, title="Report", marks=marks)),
        ("letter.docx", docx("".join(paragraph(f"Line {n}") for n in range(20)))),
        ("numbers.xlsx", workbook()),
        ("story.epub", book()),
        ("mail.eml", mail.encode()),
        ("table.csv", b"name;days\n" + b"leave;30\n" * 50),
        ("page.html", b"<html><body><h1>Leave</h1><table><tr><td>30</td></tr></table></body>"),
        ("notes.txt", "年假最多可以结转五天。\n\nNOTES\n\nSome text.\n".encode("gb18030")),
        *[(path.name, path.read_bytes()) for path in sorted(LIBRARY.rglob("*.md"))[:4]],
    ]


@dataclass(slots=True)
class Result:
    """What came of a number of broken files.

    Attributes:
        read: how many were readable, wholly or in part.
        trouble: what is wrong with an outcome, one line a file; empty where nothing is.
    """

    count: int = 0
    read: int = 0
    trouble: list[str] = field(default_factory=list)

    def add(self, mutant: Mutant, document: ParsedDocument) -> None:
        self.count += 1
        self.read += document.outcome is not ParseOutcome.NOT_READABLE
        if said := trouble(mutant, document):
            self.trouble.append(said)


async def outcomes(broken: Iterator[Mutant], folder: Path, limits: SyncSettings) -> Result:
    """What they become, in the parser's own processes."""
    parser, result = Parser(limits), Result()

    async def some(name: str) -> None:
        path = folder / name
        for mutant in broken:
            path.write_bytes(mutant.data)
            result.add(mutant, await parser.parse(path, mutant.name))

    try:
        await asyncio.gather(*(some(str(number)) for number in range(_AT_ONCE)))
    finally:
        await parser.close()
    return result


def trouble(mutant: Mutant, document: ParsedDocument) -> str:
    """What is wrong with an outcome; empty where nothing is."""
    reason = document.reason
    if "died of it" in reason or "its parser failed" in reason or reason.startswith("timeout"):
        return f"{mutant.how}: {reason}"
    readable = document.outcome is not ParseOutcome.NOT_READABLE
    if not readable and reason.split(":")[0] not in PARSE_REASONS:
        return f"{mutant.how}: no reason in {reason!r}"
    if readable and not document.sections:
        return f"{mutant.how}: readable and silently empty"
    return ""


async def test_broken_files_end_with_an_outcome(tmp_path: Path) -> None:
    result = await outcomes(mutants(own_samples(), 200), tmp_path, LIMITS)
    assert (result.count, result.trouble) == (200, [])


@pytest.mark.skipif(not SAMPLES.is_dir(), reason="the sample files are not here")
async def test_broken_samples_end_with_an_outcome(tmp_path: Path) -> None:
    small = [each for each in files_of(SAMPLES) if len(each[1]) < 60_000]
    result = await outcomes(mutants(small, 150), tmp_path, LIMITS)
    assert (result.count, result.trouble) == (150, [])
