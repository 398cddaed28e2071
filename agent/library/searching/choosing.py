"""What is read of what was found: passages of the best stretches, windows around them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agent.domain import DocId, Document, Passage, Section, Term, Window
from agent.library.index.fulltext import Candidate
from agent.library.index.stretches import clip_blocks
from agent.library.passages import cut_passages
from agent.library.searching.matching import Stretch
from agent.library.searching.scoring import ScoredPassage, share_found
from agent.library.windows import window_around

WINDOWS_A_DOCUMENT = 3
_COVERAGE_WINDOWS = 4

Place = tuple[DocId, int]
Texts = Mapping[Place, tuple[Document, Section]]


@dataclass(frozen=True, slots=True)
class SearchBounds:
    """Sizes of one search: windows at most, characters of a window."""

    windows: int
    window_chars: int


def stretch_of(row: Candidate) -> Stretch:
    """A candidate row as the scoring takes it."""
    number, doc_id, position, start, end, title, headings, body = _fields(row)
    return Stretch(
        doc_id, position, start, end, title.split(), headings.split(), body.split(), number
    )


def _fields(row: Candidate) -> tuple[Any, ...]:
    """All at once: asked for by name, eight hundred of them cost milliseconds."""
    return tuple(row)


def place_of(stretch: Stretch) -> Place:
    """The section a stretch belongs to."""
    return stretch.doc_id, stretch.position


def cut_stretch(stretch: Stretch, texts: Texts) -> Iterator[tuple[int, int, str]]:
    """Start, end and text of the passages; none if its document went out of scope just now."""
    if place_of(stretch) not in texts:
        return
    section = texts[place_of(stretch)][1]
    text = section.text[stretch.start : stretch.end]
    blocks = clip_blocks(section.blocks, stretch.start, stretch.end)
    for start, end in cut_passages(text, blocks, stretch.start):
        yield start, end, section.text[start:end]


def in_order(passages: Iterable[ScoredPassage]) -> list[ScoredPassage]:
    """Best first; equal ones always in the same order."""
    return sorted(passages, key=_order)


def _order(passage: ScoredPassage) -> tuple[float, str, int, int]:
    stretch = passage.stretch
    return -passage.score, stretch.doc_id, stretch.position, passage.start


def choose_windows(
    passages: Sequence[ScoredPassage], texts: Texts, bounds: SearchBounds
) -> Iterator[tuple[Place, Window]]:
    """Around the best passages, each stretch of text once, at most three a document."""
    taken: dict[Place, list[tuple[int, int]]] = {}
    per_document: dict[DocId, int] = {}
    left = bounds.windows
    for passage in passages:
        place = place_of(passage.stretch)
        if not left:
            return
        if per_document.get(place[0], 0) == WINDOWS_A_DOCUMENT:
            continue
        if any(start < passage.end and passage.start < end for start, end in taken.get(place, ())):
            continue
        document, section = texts[place]
        start, end = window_around(section, passage.start, passage.end, bounds.window_chars)
        taken.setdefault(place, []).append((start, end))
        per_document[place[0]] = per_document.get(place[0], 0) + 1
        left -= 1
        yield place, Window(document, section, start, end, passage.score)


def passages_of(scored: Sequence[ScoredPassage], texts: Texts) -> Iterator[Passage]:
    """Scored passages with their sections."""
    for each in scored:
        yield Passage(texts[place_of(each.stretch)][1], each.start, each.end, each.score)


def coverage(terms: Sequence[Term], windows: Sequence[Window]) -> float:
    """Weighted share of the question found in the best of the top four windows, 0 to 1."""
    return max(
        (
            share_found(terms, window.text, *window.section.headings, window.document.title)
            for window in windows[:_COVERAGE_WINDOWS]
        ),
        default=0.0,
    )
