"""What the model sees of a round: fixed text first, so that a server can keep the prefix."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import groupby

from agent.cores.llm.fencing import fenced, on_one_line
from agent.cores.llm.outlines import library_lines
from agent.cores.llm.prompts import prompt
from agent.domain import Document, Window
from agent.ports import RoundView, ShownWindow

_QUESTION_CHARS = 2_000
_KEPT_CHARS = 400
_DOUBT_CHARS = 500
_HEADER_CHARS = 200


@dataclass(frozen=True, slots=True)
class Prompt:
    """One call: the fixed rules, and what is there in this round."""

    system: str
    user: str


def show(view: RoundView) -> Prompt:
    """The prompt of a round."""
    return Prompt(prompt("decide").text, "\n\n".join(_parts(view)))


def without_last_window(view: RoundView) -> RoundView | None:
    """The view with less text, where a call would be too long; None where there is none left."""
    return replace(view, windows=view.windows[:-1]) if len(view.windows) > 1 else None


def _parts(view: RoundView) -> Iterator[str]:
    yield f"QUESTION ({view.today:%A}, {view.today.isoformat()}, {view.timezone})\n" + fenced(
        "question", view.question[:_QUESTION_CHARS]
    )
    if view.task:
        said = f"\n{fenced('doubt', view.task.said[:_DOUBT_CHARS])}" if view.task.said else ""
        yield f"TASK\n{prompt(view.task.kind).text}{said}"
    if view.parts:
        yield "PARTS\n" + _numbered(view.parts)
    if view.known:
        yield "KNOWN\n" + "\n".join(on_one_line(line, 600) for line in view.known)
    terms = view.terms or view.found.terms
    yield f"LIBRARY ({len(view.documents)} likely documents)\n" + library_lines(
        view.documents, _in_text(view), terms
    )
    if view.read:
        yield "READ\n" + _numbered(view.read)
    if view.kept:
        yield "KEPT\n" + "\n".join(
            f"{quote.section_id}: “{on_one_line(quote.text, _KEPT_CHARS)}”" for quote in view.kept
        )
    if view.note:
        yield f"NOTE\n{on_one_line(view.note, 600)}"
    yield "TEXT\n" + ("\n".join(_text(view)) or "(nothing found)")
    yield _where(view)


def _in_text(view: RoundView) -> dict[str, bool]:
    """The sections of which something is shown, and whether all of it is."""
    found: dict[str, bool] = {}
    for shown in view.windows:
        whole = _is_whole(shown.window)
        found[shown.section_id] = whole or found.get(shown.section_id, False)
    return found


def _is_whole(window: Window) -> bool:
    return window.start == 0 and window.end >= len(window.section.text)


def _numbered(lines: Sequence[str]) -> str:
    return "\n".join(f"{number}. {on_one_line(line, 300)}" for number, line in enumerate(lines, 1))


def _text(view: RoundView) -> Iterator[str]:
    """Windows in the order found, those of a document that follow each other under one path."""
    shared = _shared_day(view)
    for _, shown in groupby(view.windows, key=lambda one: one.window.document.doc_id):
        windows = list(shown)
        document = windows[0].window.document
        yield f"{on_one_line(document.doc, 200)}{_marks(document, shared)}"
        for each in windows:
            yield fenced(_name(each), each.window.text)


def _name(shown: ShownWindow) -> str:
    window = shown.window
    chain = " › ".join(on_one_line(heading) for heading in window.section.headings)
    of = len(window.section.text)
    cut = "" if _is_whole(window) else f" [{window.start}–{window.end} of {of}]"
    columns = f" columns: {on_one_line(window.header, _HEADER_CHARS)}" if window.header else ""
    return f"{shown.section_id} {chain or on_one_line(window.document.title)}{cut}{columns}"


def _shared_day(view: RoundView) -> date | None:
    """The day that half of the documents listed carry: of a copy, not of a change.

    Where one is listed alone nobody can tell, and its day is not shown either.
    """
    days = Counter(
        shown.entry.document.modified.date()
        for shown in view.documents
        if shown.entry.document.modified
    )
    if not days:
        return None
    day, count = days.most_common(1)[0]
    alone = len(view.documents) == 1
    return day if (alone or count > 1) and 2 * count >= len(view.documents) else None


def _marks(document: Document, shared: date | None) -> str:
    day = document.modified.date() if document.modified else None
    dated = f" · updated {day}" if day and day != shared else ""
    outside = " · written by outsiders" if document.trust == "external" else ""
    return f"{dated}{outside}"


def _where(view: RoundView) -> str:
    if view.forced:
        return (
            f"Round {view.round} of {view.rounds}, the last: `answer` with the best candidate, "
            "or `not_covered`."
        )
    return f"Round {view.round} of {view.rounds}."
