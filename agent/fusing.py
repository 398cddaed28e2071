"""Several searches as one: each ranks, and what stands high in any of them comes first.

Reciprocal ranks, so that scores of different queries need not be comparable. Fusing keeps what the
question itself found; other words alone lose plain questions.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

from agent.domain import DocId, SearchResult, Window

T = TypeVar("T")

_DAMPING = 5
"""Small, as the lists are short: the first of each list stays before the second of any."""
_WINDOWS_A_DOCUMENT = 3
_CONTEXT = 0.3
"""What a part's other clauses count beside its own words."""


def fuse(results: Sequence[SearchResult], windows: int) -> SearchResult:
    """One result of several, best first.

    Args:
        results: at least one; terms and corrections of all are kept, the first query's first.
        windows: at most so many, three a document.

    Returns:
        A result whose coverage is that of the query that found least.
    """
    if len(results) == 1:
        return results[0]
    ranked = by_reciprocal_rank((result.windows for result in results), _place)
    return SearchResult(
        windows=tuple(_few_a_document(ranked))[:windows],
        passages=tuple(
            by_reciprocal_rank(
                (result.passages for result in results),
                lambda passage: (passage.section.doc_id, passage.section.path, passage.start),
            )
        ),
        documents=tuple(
            by_reciprocal_rank((result.documents for result in results), lambda doc_id: doc_id)
        ),
        coverage=min(result.coverage for result in results),
        missing=_all(result.missing for result in results),
        corrections=_all(result.corrections for result in results),
        expansions=_all(result.expansions for result in results),
        other_language_documents=max(result.other_language_documents for result in results),
        terms=_all(result.terms for result in results),
    )


def in_context(part: SearchResult, whole: SearchResult) -> SearchResult:
    """What was found for a part of a question, where the whole question's words count too.

    A clause often leaves out what the other one names; a section found for both is the likelier
    one.
    """
    also = {_section(window): window.score for window in reversed(whole.windows)}
    own = [
        replace(window, score=window.score + _CONTEXT * also.get(_section(window), 0.0))
        for window in part.windows
    ]
    known = set(map(_section, part.windows))
    more = [
        replace(window, score=_CONTEXT * window.score)
        for window in whole.windows
        if _section(window) not in known
    ]
    windows = sorted((*own, *more), key=lambda window: -window.score)
    documents = tuple(dict.fromkeys((*part.documents, *whole.documents)))
    return replace(part, windows=tuple(windows), documents=documents)


def _section(window: Window) -> Hashable:
    return window.document.doc_id, window.section.path


def _place(window: Window) -> Hashable:
    return window.document.doc_id, window.section.path, window.start


def by_reciprocal_rank(lists: Iterable[Sequence[T]], key: Callable[[T], Hashable]) -> list[T]:
    """Everything in the lists, what stands high in any of them first; of equals the first one."""
    scores: dict[Hashable, float] = defaultdict(float)
    things: dict[Hashable, T] = {}
    for ranked in lists:
        for rank, thing in enumerate(ranked):
            scores[key(thing)] += 1 / (_DAMPING + rank)
            things.setdefault(key(thing), thing)
    order = sorted(things, key=lambda each: -scores[each])
    return [things[each] for each in order]


def _few_a_document(windows: Iterable[Window]) -> Iterable[Window]:
    taken: dict[DocId, int] = defaultdict(int)
    for window in windows:
        taken[window.document.doc_id] += 1
        if taken[window.document.doc_id] <= _WINDOWS_A_DOCUMENT:
            yield window


def _all(groups: Iterable[Sequence[T]]) -> tuple[T, ...]:
    return tuple(dict.fromkeys(each for group in groups for each in group))
