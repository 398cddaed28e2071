"""Which stretches to quote, and how much of each.

The first quote must answer; the others are only worth an impatient reader's time when they come
close to it. How-to answers widen to the whole list, a sentence that leans on its neighbour takes
it along; every stretch stays contiguous in one section.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from agent.cores.ranking import Candidate
from agent.cores.units import stretch
from agent.domain import BlockKind, Quote

_QUOTE_CHARS = 420
_ALONE = 0.5
"""A short sentence with this share of the question's weight can stand alone."""
_ALL_CHARS = 700
"""All quotes of one answer together, the first one aside."""
_CLOSE = 0.85
"""Share of the best score that a further quote must reach."""
_CLOSE_ELSEWHERE = 0.8
"""The same for a document not quoted yet: a second source tells more than a second sentence."""
_CLOSE_TERMS = 0.7
"""Share of the weight of the best one's terms that a further quote, or its headings, must hold."""
_CLOSE_THIRD = 0.85
"""The same for the third document."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """A contiguous run of units that will be quoted."""

    section_id: str
    start: int
    end: int
    text: str

    def touches(self, other: "Stretch") -> bool:
        """Whether both stand in one section and share a character."""
        return (
            self.section_id == other.section_id
            and self.start < other.end
            and other.start < self.end
        )


def choose(candidates: Sequence[Candidate], most: int) -> tuple[Quote, ...]:
    """At most so many quotes, best first; none from no candidates."""
    chosen: list[Stretch] = []
    for candidate in candidates:
        if len(chosen) == most:
            break
        if chosen and not _worth(candidate, candidates[0], chosen):
            continue
        widened = _widened(candidate)
        if _adds(widened, chosen):
            chosen.append(widened)
    return tuple(Quote(each.section_id, each.text) for each in chosen)


def _worth(candidate: Candidate, best: Candidate, chosen: Sequence[Stretch]) -> bool:
    """Whether a further quote comes close to the best one, in score and in what it speaks of."""
    if candidate.score < _needed(candidate, chosen) * best.score:
        return False
    return _weight(candidate) >= _CLOSE_TERMS * _weight(best)


def _weight(candidate: Candidate) -> float:
    return sum(term.weight for term in candidate.held)


def _needed(candidate: Candidate, chosen: Sequence[Stretch]) -> float:
    """Share of the best score at which a further quote is worth a reader's time."""
    document = _document(candidate.unit.shown.section_id)
    if any(_document(each.section_id) == document for each in chosen):
        return _CLOSE
    return _CLOSE_ELSEWHERE if len(chosen) == 1 else _CLOSE_THIRD


def _document(section_id: str) -> str:
    return section_id.partition(".")[0]


def _adds(new: Stretch, chosen: Sequence[Stretch]) -> bool:
    """Whether a stretch says something that the chosen ones do not, within the space there is."""
    if any(new.touches(other) or _alike(new, other) for other in chosen):
        return False
    chars = sum(len(each.text) for each in (*chosen, new))
    return not chosen or chars <= _ALL_CHARS


def _widened(candidate: Candidate) -> Stretch:
    units = candidate.around
    first, last = candidate.run
    if first == last and _says_half(candidate):
        first, last = _completed(candidate)
    start, end = stretch(units, first, last)
    section = candidate.unit.section
    return Stretch(candidate.unit.shown.section_id, start, end, section.text[start:end])


def _says_half(candidate: Candidate) -> bool:
    """Whether a unit needs the one beside it to be understood."""
    return candidate.unit.leans or (candidate.unit.short and candidate.own < _ALONE)


def _completed(candidate: Candidate) -> tuple[int, int]:
    """With the unit before, which it leans on; with the one after where it opens the window."""
    units, number = candidate.around, candidate.unit.number
    for first, last in ((number - 1, number), (number, number + 1)):
        if first < 0 or last >= len(units):
            continue
        start, end = stretch(units, first, last)
        if end - start <= _QUOTE_CHARS and _joinable(candidate, units[first].kind):
            return first, last
    return number, number


def _joinable(candidate: Candidate, kind: BlockKind) -> bool:
    return kind is candidate.unit.kind or kind is BlockKind.PARAGRAPH


def _alike(one: Stretch, other: Stretch) -> bool:
    return one.text.casefold().split() == other.text.casefold().split()
