"""Questions that ask for more than an answer: a summary, all there is, both sides, a second look.

What they are is found by rule; a model gets the text picked for it and one more paragraph of rules.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from agent.cores.kinds import Kind, expected
from agent.domain import Citation, Finding, Outcome, Window
from agent.fusing import fuse
from agent.leaves.desk import Desk
from agent.library.windows import cut_windows, window_around
from agent.phrases import language_of, phrase
from agent.planning import plan
from agent.planning.gate import is_comparison
from agent.ports import Task, TaskKind, TextSize
from agent.reading import DocumentReader, Reading
from agent.talk.summaries import asked_summary, leads_elsewhere, named_document, tops

_SUMMARY_CHARS = 8_000
"""Room for the beginnings of all top sections."""
_LEAST_CHARS = 250
"""Less of a section says nothing."""
_SIDES = range(2, 4)
"""Sides of a comparison that fit into one answer."""
_REREAD = 3
"""Sections quoted before that are read again."""
_REREAD_CHARS = 1_200
_LIST_ME = re.compile(
    r"^\W*(?:(?:please|pls|can you|could you) )*"
    r"(?:list|name|show(?: me)?|give me|enumerate|tell me)\b"
    r"(?: (?:all|every|each|any|of|the|our))*\s*|^\W*(?:every|all)\b(?: (?:of|the|our))*\s*",
    re.IGNORECASE,
)
"""Words that ask for all there is, and name nothing that could be found."""
_CLAIMING = re.compile(
    r"\b(?:really|are you (?:really |quite )?sure|someone|somebody|told|tell|heard|thought|think|"
    r"believe|remember|read|hr|is|are|it'?s|its|that'?s|that|wrong|right|correct|nope|no|not|update|"
    r"your|answer|double|check|again|please|pls|about|me|you|said|says)\b"
    r"|确定|肯定|真的|我?记得|我?听说|有人|告诉我|不对|错了|应该|再?(?:检查|核实|确认)一下|吗|是",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Doubt:
    """An earlier answer that the asker doubts or corrects.

    Attributes:
        said: his words; no evidence.
        cited: what the answer rested on.
    """

    said: str
    cited: tuple[Citation, ...] = ()


async def task_of(
    text: str, doubt: Doubt | None, reader: DocumentReader, size: TextSize
) -> Task | None:
    """What a question asks for beside an answer; None for a plain one."""
    if doubt:
        return Task(TaskKind.DOUBT, said=doubt.said, cited=doubt.cited)
    summed_up = asked_summary(text)
    if summed_up and (document := await named_document(summed_up, reader, size)):
        return Task(TaskKind.SUMMARY, document=document)
    sides = tuple(part.question for part in plan(text).parts) if is_comparison(text) else ()
    if len(sides) in _SIDES:
        return Task(TaskKind.COMPARE, sides=sides)
    if expected(text) is not Kind.LIST:
        return None
    wanted = _LIST_ME.sub("", text, count=1).strip()
    return Task(TaskKind.LIST, sides=(wanted,) if wanted and wanted != text.strip() else ())


async def opening(desk: Desk, size: TextSize) -> Reading | None:
    """The text picked for a task; None where searching for the question brings it.

    Raises:
        LibraryError: the library cannot be searched.
    """
    task = desk.leaf.task
    if task and task.kind is TaskKind.DOUBT:
        return await _read_again(desk, task, size)
    if task and task.document:
        return desk.reader.lay(await _beginnings(desk.reader, task))
    return None


def finished(task: Task, finding: Finding, documents: int) -> Finding:
    """A finding that says how much of a summary's document, or of the library, it covers.

    Args:
        task: what was asked for.
        finding: of the question.
        documents: in scope.
    """
    if finding.outcome not in (Outcome.ANSWERED, Outcome.PARTIAL):
        return finding
    language = language_of(finding.question)
    line = ""
    if task.document:
        line = _covered(task, finding.citations, language)
    elif task.kind is TaskKind.LIST and documents:
        cited = len({citation.doc_id for citation in finding.citations})
        line = phrase(language, "listed_from", cited=cited, documents=documents)
    return replace(finding, text=f"{finding.text}\n{line}") if line else finding


def _covered(task: Task, citations: Sequence[Citation], language: str) -> str:
    """How many of the top sections are spoken of, where not all are."""
    top = _top_of(task)
    told = {top(citation.section) for citation in citations}
    every = _says_something(task, top)
    if told >= every:
        return ""
    return phrase(language, "covers", told=len(told & every), all=len(every))


def _top_of(task: Task) -> Callable[[Sequence[str]], str]:
    assert task.document is not None
    return tops([entry.headings for entry in task.document.entry.outline])


def _says_something(task: Task, top: Callable[[Sequence[str]], str]) -> set[str]:
    assert task.document is not None
    outline = task.document.entry.outline
    return {
        top(entry.headings)
        for entry in outline
        if entry.chars and not leads_elsewhere(top(entry.headings))
    }


async def _beginnings(reader: DocumentReader, task: Task) -> list[Window]:
    """How every top section begins, each with its share of the room."""
    assert task.document is not None
    top = _top_of(task)
    every = _says_something(task, top)
    share = max(_LEAST_CHARS, _SUMMARY_CHARS // max(1, len(every)))
    left = dict.fromkeys(every, share)
    windows: list[Window] = []
    for entry in task.document.entry.outline:
        of = top(entry.headings)
        room = left.get(of, 0)
        if not entry.chars or room < min(share, _LEAST_CHARS):
            continue
        section = await reader.section(task.document.entry.document.doc_id, entry.path)
        if section and (window := _beginning(section, room)):
            windows.append(window)
            left[of] -= window.end - window.start
    return windows


def _beginning(section: Window, chars: int) -> Window | None:
    first = next(iter(cut_windows(section.section, chars, 0.0)), None)
    return replace(section, start=first[0], end=first[1]) if first else None


async def _read_again(desk: Desk, task: Task, size: TextSize) -> Reading:
    """The sections quoted before with their neighbourhood, then one contrary search."""
    reader, question = desk.reader, desk.leaf.question
    again = [window for one in task.cited[:_REREAD] if (window := await _around(one, reader))]
    quoted = reader.lay(dict.fromkeys(again))
    used = sum(shown.window.end - shown.window.start for shown in quoted.windows)
    claim = " ".join(_CLAIMING.sub(" ", task.said).split())
    found = fuse(await reader.find([f"{question} {claim}", question], size), size.windows)
    others = tuple(one for one in found.windows if not _overlaps(one, again))
    room = replace(size, chars=max(size.chars // 2, size.chars - used))
    contrary = await reader.show(replace(found, windows=others), question, room, outdated=True)
    desk.searched_again = True
    return Reading((*quoted.windows, *contrary.windows), True, found)


async def _around(citation: Citation, reader: DocumentReader) -> Window | None:
    section = await reader.section(citation.doc_id, citation.section_path)
    if section is None:
        return None
    end = min(citation.end, section.end)
    start, end = window_around(section.section, min(citation.start, end), end, _REREAD_CHARS)
    return replace(section, start=start, end=end)


def _overlaps(window: Window, others: Sequence[Window]) -> bool:
    return any(
        (one.document.doc_id, one.section.path) == (window.document.doc_id, window.section.path)
        and one.start < window.end
        and window.start < one.end
        for one in others
    )
