"""Reads the scanned pages of one document, page by page, and remembers each.

A page is a task of its own with its own time: a long scan holds up nothing, and a run that is
stopped goes on where it was, since every page read is kept by the content of its file.
"""

import asyncio
import hashlib
import re
from collections.abc import Awaitable, Mapping, Sequence
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

from agent.caching import ContentCache
from agent.domain import ParsedDocument, ParsedSection, ParseOutcome
from config.settings import OcrSettings
from connectors.formats.ocr import pages
from connectors.formats.ocr.pages import Recognised
from connectors.formats.ocr.tesseract import problem_of
from connectors.formats.pdf.page import Page

RECOGNISED = "recognised from a scan"
"""Begins what a document says of pages that were read from pictures."""
_VERSION = 1
"""Another one forgets what was recognised so far."""
_GRACE_S = 20.0
"""Seconds beside those of tesseract that a page may take to be drawn."""
_PAGES_LOST = 3
"""Pages that may fail before the rest of a document is left alone."""
_RESTS = re.compile(rf"(?:^|; )(?:scanned|garbled|{RECOGNISED})\b")


class Workers(Protocol):
    """The parser's processes."""

    def run(self, call: Any, args: Sequence[Any], seconds: float) -> Awaitable[Any]:
        """Call a function in one of them; raises TimeoutError and what pebble raises."""
        ...


@dataclass(frozen=True, slots=True)
class Attempt:
    """What came of the pages without text.

    Attributes:
        pages: those that were read, by number.
        problem: why some were not; empty where all were.
    """

    pages: Mapping[int, Page]
    problem: str = ""


def rests_on_recognition(document: ParsedDocument) -> bool:
    """Whether text recognition had, or could have had, a say in what the document holds."""
    return document.format == "pdf" and _RESTS.search(document.reason) is not None


def fingerprint(settings: OcrSettings) -> str:
    """A word that changes whenever scanned documents would be read into something else.

    Looks for the program; call it in a thread.
    """
    if not settings.enabled:
        return "off"
    if problem_of(settings) is not None:
        return "missing"
    languages = "+".join(settings.languages)
    return f"{languages} {settings.dpi} {settings.confidence} {settings.max_pages} v{_VERSION}"


class Recogniser:
    """Recognises pages in the parser's processes."""

    def __init__(self, settings: OcrSettings, workers: Workers, folder: Path | None) -> None:
        self._settings = settings
        self._workers = workers
        self._cache = ContentCache(folder) if folder else None

    def close(self) -> None:
        """Give back the files of the cache."""
        if self._cache:
            self._cache.close()

    async def attempt(self, path: Path, at_once: int) -> Attempt:
        """Read the pages of a PDF that hold no text.

        Args:
            path: a local copy.
            at_once: pages side by side.
        """
        problem = await asyncio.to_thread(problem_of, self._settings)
        if problem is not None:
            return Attempt({}, f"{problem.problem} {problem.hint}".rstrip())
        numbers, said = await self._result(pages.pages_without_text, (str(path),))
        wanted = (numbers or ())[: self._settings.max_pages]
        digest = await asyncio.to_thread(_digest, path)
        gate = asyncio.Semaphore(at_once)
        lost: list[int] = []

        async def one(number: int) -> Recognised:
            async with gate:
                if len(lost) >= _PAGES_LOST:
                    return Recognised(None, "too many of its pages cannot be recognised")
                page = await self._page(path, number, f"{digest} {number}")
                lost.extend([number] if page.page is None else [])
                return page

        done = await asyncio.gather(*map(one, wanted))
        problems = [said, *(each.problem for each in done)]
        if len(wanted) < len(numbers or ()):
            problems.append(f"at most {len(wanted)} pages are recognised (ocr.max_pages)")
        found = {each.page.number: each.page for each in done if each.page}
        return Attempt(found, next(filter(None, problems), ""))

    async def _page(self, path: Path, number: int, place: str) -> Recognised:
        asked = self._settings
        look = f"{'+'.join(asked.languages)} {asked.dpi} {asked.confidence}"
        key = f"ocr {_VERSION} {look} {place}"
        kept = await asyncio.to_thread(self._cache.get, key) if self._cache else None
        if kept is not None:
            page: Page = _page_type().validate_python(kept)
            return Recognised(page)
        read, problem = await self._result(pages.recognise, (str(path), number, asked))
        if read is None:
            return Recognised(None, problem)
        if read.page and self._cache:
            value = _page_type().dump_python(read.page, mode="json")
            await asyncio.to_thread(self._cache.put, key, value)
        result: Recognised = read
        return result

    async def _result(self, call: Any, args: Sequence[Any]) -> tuple[Any, str]:
        """(what a call in a process gave, what went wrong)."""
        from pebble import ProcessExpired

        seconds = self._settings.page_s + _GRACE_S
        try:
            return await self._workers.run(call, args, seconds), ""
        except TimeoutError:
            return None, f"a page took over {seconds:g} s"
        except (ProcessExpired, BrokenProcessPool):
            return None, "the process that recognised a page died of it"
        except (OSError, ValueError, MemoryError, RuntimeError) as error:
            return None, f"a page could not be drawn ({type(error).__name__})"


def marked(document: ParsedDocument, attempt: Attempt) -> ParsedDocument:
    """The document with its recognised text marked, and with what was not recognised told."""
    read = {number for number, page in attempt.pages.items() if page.lines}
    if document.outcome is ParseOutcome.NOT_READABLE:
        return _told(document, attempt)
    sections = tuple(_marked(section, read) for section in document.sections)
    pages_read = {b.page for each in sections for b in each.blocks if b.recognised and b.page}
    if not pages_read:
        return _told(document, attempt)
    said = f"{RECOGNISED}: {'page' if len(pages_read) == 1 else 'pages'} {ranges(pages_read)}"
    document = replace(_told(document, attempt), sections=sections)
    return replace(document, reason=f"{document.reason}; {said}" if document.reason else said)


def _told(document: ParsedDocument, attempt: Attempt) -> ParsedDocument:
    if not attempt.problem or not document.reason:
        return document
    return replace(document, reason=f"{document.reason}; {attempt.problem}")


def _marked(section: ParsedSection, read: set[int]) -> ParsedSection:
    if not any(block.page in read for block in section.blocks):
        return section
    blocks = (replace(b, recognised=True) if b.page in read else b for b in section.blocks)
    return replace(section, blocks=tuple(blocks))


def ranges(numbers: set[int]) -> str:
    """`2, 5–7`."""
    spans: list[list[int]] = []
    for number in sorted(numbers):
        if spans and number == spans[-1][-1] + 1:
            spans[-1][1:] = [number]
        else:
            spans.append([number])
    return ", ".join("–".join(map(str, span)) for span in spans)


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@lru_cache(maxsize=1)
def _page_type() -> Any:
    from pydantic import TypeAdapter

    return TypeAdapter(Page)
