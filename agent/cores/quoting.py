"""Which stretches to quote, and how much of each.

The first quote must answer; the others are only worth an impatient reader's time when they come
close to it. Three quotes and 900 characters are room for more than three sentences, and the one
that answers often stands beside the one that carries the words: so what is near a quote joins it.
How-to answers widen to the whole list, a sentence that leans on its neighbour takes it along;
every stretch stays contiguous in one section.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from agent.citations.widening import judged
from agent.cores.ranking import Candidate
from agent.cores.units import Unit, contiguous, stretch
from agent.domain import BlockKind, Quote
from agent.text.words import language_of

_QUOTE_CHARS = {"en": 420, "zh": 180}
"""What a quote grows to at most, in characters; Chinese says as much in fewer."""
_ALONE = 0.5
"""A short sentence with this share of the question's weight can stand alone."""
_ALL_CHARS = {"en": 780, "zh": 280}
"""All quotes of one answer together, in characters, the first one of each part aside."""
_PARTS_CHARS = {"en": 780, "zh": 450}
"""The same where several parts share the room."""
_DEPTH = 12
"""So many candidates are looked at; what stands further back answers by chance."""
_CLOSE = 0.75
"""Share of the best score that a further stretch of a document quoted already must reach."""
_CLOSE_ELSEWHERE = 0.85
"""The same for another document: it is more often the wrong one."""
_SAYS_ALL = 0.85
"""Where the best stretch holds so much of the question and the kind of answer expected …"""
_CLOSE_TO_ALL = 0.85
"""… what else is quoted must come this close to it, and hold such an answer too."""
_CLOSE_TERMS = 0.5
"""Share of the weight of the best one's terms that a further quote, or its headings, must hold."""
_CLOSE_TERMS_ELSEWHERE = 0.75
"""The same for another document."""
_KIND_TERMS = 0.25
"""The same for one that holds the kind of answer expected where the best one does not."""
_GAP = 1
"""So many units may lie between two stretches that are quoted as one."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """A contiguous run of units that will be quoted: `first` and `last`, both included."""

    around: tuple[Unit, ...]
    first: int
    last: int

    @property
    def section_id(self) -> str:
        """Short id of its section."""
        return self.around[self.first].shown.section_id

    @property
    def span(self) -> tuple[int, int]:
        """Half-open offsets in the section, as a reader will see it quoted."""
        return self._judged[0]

    @property
    def chars(self) -> int:
        """How long it is as a reader will see it quoted, columns included."""
        (start, end), header = self._judged
        row = self.around[self.first].kind is BlockKind.ROW
        return end - start + (len(header) if row else 0)

    @property
    def _judged(self) -> tuple[tuple[int, int], str]:
        section = self.around[self.first].section
        return judged(section, stretch(self.around, self.first, self.last))

    @property
    def text(self) -> str:
        """Its own words."""
        start, end = stretch(self.around, self.first, self.last)
        return self.around[self.first].section.text[start:end]

    def touches(self, other: "Stretch") -> bool:
        """Whether both stand in one section and share a character."""
        if self.section_id != other.section_id:
            return False
        (start, end), (begin, stop) = self.span, other.span
        return start < stop and begin < end

    def near(self, other: "Stretch") -> bool:
        """Whether both stand in one window, at most a unit between them; rows stand alone."""
        if self.around is not other.around:
            return False
        between = max(self.first, other.first) - min(self.last, other.last) - 1
        rows = BlockKind.ROW in (self.around[self.first].kind, other.around[other.first].kind)
        whole = self.joined(other)
        return between <= _GAP and not rows and contiguous(self.around, whole.first, whole.last)

    def joined(self, other: "Stretch") -> "Stretch":
        """Both, with what lies between them."""
        return replace(self, first=min(self.first, other.first), last=max(self.last, other.last))


def choose(candidates: Sequence[Candidate], most: int, shares: int = 1) -> tuple[Quote, ...]:
    """At most so many quotes, best first; none from no candidates.

    Args:
        candidates: best first.
        most: how many quotes.
        shares: how many parts share the room there is.
    """
    chosen: list[Stretch] = []
    language = language_of(candidates[0].unit.text) if candidates else "en"
    space = (_PARTS_CHARS if shares > 1 else _ALL_CHARS)[language] // shares
    for candidate in candidates[:_DEPTH]:
        if not chosen or _worth(candidate, candidates[0], chosen):
            chosen = _with(_completed(candidate), chosen, most, space)
    return tuple(Quote(each.section_id, each.text) for each in chosen)


def _worth(candidate: Candidate, best: Candidate, chosen: Sequence[Stretch]) -> bool:
    """Whether a further quote comes close to the best one, in score and in what it speaks of."""
    document = _document(candidate.unit.shown.section_id)
    same = any(_document(each.section_id) == document for each in chosen)
    close = _CLOSE if same else _CLOSE_ELSEWHERE
    if best.fits and best.own >= _SAYS_ALL:
        if not candidate.fits:
            return False
        close = max(close, _CLOSE_TO_ALL)
    terms = _CLOSE_TERMS if same else _CLOSE_TERMS_ELSEWHERE
    if candidate.fits and not best.fits:
        terms = _KIND_TERMS
    return candidate.score >= close * best.score and _weight(candidate) >= terms * _weight(best)


def _weight(candidate: Candidate) -> float:
    return sum(term.weight for term in candidate.held)


def _document(section_id: str) -> str:
    return section_id.partition(".")[0]


def _with(new: Stretch, chosen: Sequence[Stretch], most: int, space: int) -> list[Stretch]:
    """The chosen stretches with a new one joined to them or added, where there is room."""
    left = space - sum(each.chars for each in chosen)
    for at, each in enumerate(chosen):
        joined = each.joined(new) if each.near(new) else each
        if joined == each and each.near(new):
            return list(chosen)
        if joined != each and joined.chars <= min(_most(joined), each.chars + left):
            return [*chosen[:at], joined, *chosen[at + 1 :]]
    if any(new.touches(other) or _alike(new, other) for other in chosen):
        return list(chosen)
    fits = not chosen or (len(chosen) < most and new.chars <= left)
    return [*chosen, new] if fits else list(chosen)


def _completed(candidate: Candidate) -> Stretch:
    """A candidate with the unit it leans on, or the one after where it opens the window."""
    units, (first, last) = candidate.around, candidate.run
    whole = Stretch(units, first, last)
    if first != last or not _says_half(candidate):
        return whole
    for more in (replace(whole, first=first - 1), replace(whole, last=last + 1)):
        if more.first < 0 or more.last >= len(units):
            continue
        joinable = _joinable(candidate, units[more.first].kind)
        if joinable and more.chars <= _most(more) and contiguous(units, more.first, more.last):
            return more
    return whole


def _most(each: Stretch) -> int:
    """How long a stretch may grow, in characters."""
    return _QUOTE_CHARS[language_of(each.text)]


def _says_half(candidate: Candidate) -> bool:
    """Whether a unit needs the one beside it to be understood."""
    return candidate.unit.leans or (candidate.unit.short and candidate.own < _ALONE)


def _joinable(candidate: Candidate, kind: BlockKind) -> bool:
    return kind is candidate.unit.kind or kind is BlockKind.PARAGRAPH


def _alike(one: Stretch, other: Stretch) -> bool:
    return one.text.casefold().split() == other.text.casefold().split()
