"""Where the forms of a question stand: counted once, scored for it and for its clauses."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from agent.domain import DocId
from agent.text.words import index_terms

_TITLE = 1.0
_HEADING = 1.5
_OWN_HEADING = 2.0


@dataclass(frozen=True, slots=True)
class Stretch:
    """A candidate row of the index: its place in a section and its indexed forms.

    Attributes:
        start: half-open offsets in the section's source text.
        headings: of the whole chain; those of its own heading twice.
        stretch_id: of its row, which its vector has too.
    """

    doc_id: DocId
    position: int
    start: int
    end: int
    title: Sequence[str]
    headings: Sequence[str]
    body: Sequence[str]
    stretch_id: int = 0


@dataclass(frozen=True, slots=True)
class Matches:
    """What of a question stands in one stretch.

    Attributes:
        counts: how often each form stands in the text.
        head: weight of each form in title and headings.
        length: of the text, in forms.
    """

    counts: Mapping[str, int]
    head: Mapping[str, float]
    length: int


@dataclass(frozen=True, slots=True)
class PassageMatches:
    """What of a question stands in one passage.

    Attributes:
        start: half-open offsets in the section's source text.
        row_keys: forms of the first cell of each row of a table; empty for other text.
    """

    start: int
    end: int
    counts: Mapping[str, int]
    length: int
    row_keys: Sequence[frozenset[str]]


_Place = tuple[DocId, int, int]


class Matching:
    """Counts the forms of one question, in each text once."""

    def __init__(self, forms: Iterable[str]) -> None:
        """Count these and no others."""
        self._forms = frozenset(forms)
        self._stretches: dict[_Place, Matches] = {}
        self._passages: dict[_Place, list[PassageMatches]] = {}

    def stretch(self, stretch: Stretch) -> Matches:
        """What stands in a stretch."""
        place = _place_of(stretch)
        if place not in self._stretches:
            counts = self._counted(stretch.body)
            self._stretches[place] = Matches(counts, self._head(stretch), len(stretch.body))
        return self._stretches[place]

    def passages(
        self, stretch: Stretch, cut: Iterable[tuple[int, int, str]]
    ) -> Sequence[PassageMatches]:
        """What stands in the passages of a stretch.

        Args:
            stretch: the whole.
            cut: start, end and text of its passages; looked at the first time only.
        """
        place = _place_of(stretch)
        if place not in self._passages:
            self._passages[place] = [self._passage(*each) for each in cut]
        return self._passages[place]

    def _passage(self, start: int, end: int, text: str) -> PassageMatches:
        forms = index_terms(text)
        cells = (line.partition(" | ")[0] for line in text.splitlines() if " | " in line)
        keys = tuple(map(frozenset, map(index_terms, cells)))
        return PassageMatches(start, end, self._counted(forms), len(forms), keys)

    def _counted(self, forms: Iterable[str]) -> Mapping[str, int]:
        wanted = self._forms
        return Counter([form for form in forms if form in wanted])

    def _head(self, stretch: Stretch) -> Mapping[str, float]:
        weights: dict[str, float] = dict.fromkeys(self._forms.intersection(stretch.title), _TITLE)
        for form in self._forms.intersection(stretch.headings):
            weight = _OWN_HEADING if stretch.headings.count(form) > 1 else _HEADING
            weights[form] = weights.get(form, 0.0) + weight
        return weights


def _place_of(stretch: Stretch) -> _Place:
    return stretch.doc_id, stretch.position, stretch.start
