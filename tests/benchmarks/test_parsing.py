"""Speed and memory of parsing beside other people's, all in one run; run with `make bench`.

Competitors that are not installed are left out with a word: `pip install markitdown[pdf,docx]`.
Seconds are of CPU, so that a busy machine does not lie; each row runs in a process of its own.
"""

import io
import re
import resource
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pebble import ProcessPool

from connectors.formats.worker import parse_file
from tests.benchmarks.extractors import markitdown, pypdf, python_docx
from tests.benchmarks.word_coverage import TARGET, Measure, files_of, summary

SAMPLES = Path(__file__).parents[2].parent / "shared" / "samples"
LIBRARY = Path(__file__).parents[2] / "examples" / "library"
REPORT = SAMPLES / "GeoTopo-komprimiert.pdf"
MANUAL = SAMPLES / "pdf2image-memory-error-test-400p.pdf"
PRINTED_PAGES = 870
_PAGE_CHARS = 2_500
_SECONDS = 300
_FILE_BYTES = 1_000_000_000

with_samples = pytest.mark.skipif(
    not SAMPLES.is_dir(), reason="the sample files are not beside the project"
)


def measured(call: Callable[..., Any], *args: Any) -> tuple[float, float, Any] | None:
    """(CPU seconds, peak MiB, result) of a call in a fresh process; None where it failed."""
    with ProcessPool(max_workers=1, max_tasks=1) as pool:
        try:
            cost: tuple[float, float, Any] = pool.schedule(
                _cost, (call, *args), timeout=_SECONDS
            ).result()
        except Exception:  # noqa: BLE001 - not installed, failed or too slow: no row
            return None
        return cost


def _cost(call: Callable[..., Any], *args: Any) -> tuple[float, float, Any]:
    began = time.process_time()
    result = call(*args)
    used = time.process_time() - began
    return used, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, result


def ours(path: str) -> int:
    """How many headings were found."""
    document = parse_file(path, path, _FILE_BYTES).document
    return sum(bool(section.heading) for section in document.sections)


def ours_again(path: str) -> tuple[float, int]:
    """(CPU seconds of a second parse, headings): the first one paid for the imports."""
    ours(path)
    began = time.process_time()
    found = ours(path)
    return time.process_time() - began, found


def by_markitdown(path: str) -> int:
    (text,) = markitdown(Path(path).read_bytes(), Path(path).suffix)
    return len(re.findall(r"^#{1,6} ", text, re.MULTILINE))


def by_pypdf(path: str) -> int:
    return 0 * len(pypdf(Path(path).read_bytes()))


def by_python_docx(path: str) -> int:
    from docx import Document

    data = Path(path).read_bytes()
    python_docx(data)
    names = (each.style.name for each in Document(io.BytesIO(data)).paragraphs if each.style)
    return sum((name or "").startswith("Heading") for name in names)


def row(name: str, pages: float, unit: str, cost: tuple[float, float, int] | None) -> None:
    if cost is None:
        print(f"  {name:14} not installed, failed, or over {_SECONDS} s")
        return
    seconds, peak, headings = cost
    speed = pages / max(seconds, 1e-9)
    print(
        f"  {name:14} {seconds:7.2f} s  {speed:8.1f} {unit}/s  {peak:5.0f} MiB  {headings} headings"
    )


def warm(path: Path) -> tuple[float, float, int] | None:
    """The cost of our own parse without the imports."""
    cost = measured(ours_again, str(path))
    return None if cost is None else (cost[2][0], cost[1], cost[2][1])


@with_samples
@pytest.mark.parametrize(("path", "pages"), [(REPORT, 117), (MANUAL, 400)], ids=["117 p", "400 p"])
def test_pages_a_second(path: Path, pages: int) -> None:
    print(f"\n{path.name}, {pages} pages")
    found = warm(path)
    row("footnote", pages, "pages", found)
    row("pypdf", pages, "pages", measured(by_pypdf, str(path)))
    row("markitdown", pages, "pages", measured(by_markitdown, str(path)))
    assert found is not None
    assert found[2] > 0


def test_a_long_word_file(tmp_path: Path) -> None:
    path = tmp_path / "handbook.docx"
    path.write_bytes(long_letter())
    print(f"\nWord file of {PRINTED_PAGES} printed pages, {path.stat().st_size >> 10} KiB")
    found = warm(path)
    row("footnote", PRINTED_PAGES, "pages", found)
    row("python-docx", PRINTED_PAGES, "pages", measured(by_python_docx, str(path)))
    row("markitdown", PRINTED_PAGES, "pages", measured(by_markitdown, str(path)))
    assert found is not None
    assert found[2] == PRINTED_PAGES // 3


def long_letter() -> bytes:
    """As long as a manual: a heading every three pages, paragraphs of a few sentences."""
    from docx import Document

    words = "The quick supervisor reviews every request within two working days of its receipt. "
    made = Document()
    for number in range(PRINTED_PAGES // 3):
        made.add_heading(f"Section {number}", 1)
        for _ in range(3 * _PAGE_CHARS // (6 * len(words))):
            made.add_paragraph(words * 6)
    target = io.BytesIO()
    made.save(target)
    return target.getvalue()


def test_markdown_megabytes_a_second(tmp_path: Path) -> None:
    texts = [path.read_text("utf-8") for path in sorted(LIBRARY.rglob("*.md"))]
    whole = "\n".join(texts) * (1 + 2_000_000 // sum(map(len, texts)))
    path = tmp_path / "library.md"
    path.write_text(whole, "utf-8")
    megabytes = path.stat().st_size / 1e6
    print(f"\nMarkdown, {megabytes:.1f} MB")
    found = warm(path)
    row("footnote", megabytes, "MB", found)
    assert found is not None
    assert found[2] > 0


@with_samples
def test_memory_of_a_worker_over_all_samples() -> None:
    paths = [str(path) for path in files_of(SAMPLES)]
    cost = measured(_all, paths)
    assert cost is not None
    print(f"\none worker over {len(paths)} samples: {cost[0]:.1f} s CPU, peak {cost[1]:.0f} MiB")


def _all(paths: list[str]) -> int:
    return sum(ours(path) for path in paths)


@with_samples
def test_words_that_come_through() -> None:
    measure = Measure()
    found = list(measure.coverages(files_of(SAMPLES)))
    measure.close()
    print(f"\nShare of the words of the best of three extractors\n{summary(found)}")
    lost = [f"{each.path.name} {each.agreed:.1%}" for each in found if each.agreed < TARGET]
    assert lost == []
