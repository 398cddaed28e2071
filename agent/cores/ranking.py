"""Which sentence answers: units scored by the words of the question they carry.

The weights come from measurements on three question sets and are flat around these values: a
unit's own words count most, its section's rank nearly as much, then the words of its headings,
the expected kind of answer and the words of its neighbours.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from agent.cores.kinds import Kind, holds
from agent.cores.units import Unit, cut
from agent.domain import Term
from agent.ports import ShownWindow
from agent.text.words import term_set

_HEADINGS = 0.5
_NEIGHBOURS = 0.15
_KIND = 0.2
_SECTION = 0.8


@dataclass(frozen=True, slots=True)
class Asked:
    """What the units are measured against.

    Attributes:
        terms: the question's terms; their weights are inverse document frequencies.
        kind: what the answer should hold.
    """

    terms: tuple[Term, ...]
    kind: Kind

    def share(self, forms: frozenset[str]) -> float:
        """Share of the question's weight that these terms carry, 0 to 1."""
        total = sum(term.weight for term in self.terms)
        if not total:
            return 0.0
        return sum(term.weight * term.presence(forms) for term in self.terms) / total

    def missing(self, forms: frozenset[str]) -> tuple[Term, ...]:
        """Terms that are not among these, heaviest first."""
        absent = [term for term in self.terms if not term.presence(forms)]
        return tuple(sorted(absent, key=lambda term: -term.weight))


@dataclass(frozen=True, slots=True)
class Candidate:
    """A unit with its score and the window's units around it.

    Attributes:
        own: share of the question's weight in the unit itself.
        whole: the same with title and headings.
    """

    unit: Unit
    around: tuple[Unit, ...]
    score: float
    own: float
    whole: float


def rank(asked: Asked, windows: Sequence[ShownWindow]) -> list[Candidate]:
    """Every unit of the windows, best first; one that stands in two windows counts once."""
    best_score = max((shown.window.score for shown in windows), default=0.0) or 1.0
    best: dict[tuple[str, int, int], Candidate] = {}
    for shown in windows:
        section_share = shown.window.score / best_score
        for candidate in _candidates(asked, shown, section_share):
            key = (shown.section_id, candidate.unit.start, candidate.unit.end)
            if key not in best or best[key].score < candidate.score:
                best[key] = candidate
    return sorted(best.values(), key=lambda candidate: -candidate.score)


def heading_terms(shown: ShownWindow) -> frozenset[str]:
    """Terms of the title and headings above a window."""
    window = shown.window
    return term_set(" ".join((window.document.title, *window.section.headings)))


def _candidates(asked: Asked, shown: ShownWindow, section_share: float) -> Iterable[Candidate]:
    units = tuple(cut(shown))
    forms = [term_set(unit.text) for unit in units]
    headings = heading_terms(shown)
    in_headings = asked.share(headings)
    for number, unit in enumerate(units):
        own = asked.share(forms[number])
        beside = frozenset().union(
            *forms[max(0, number - 1) : number], *forms[number + 1 : number + 2]
        )
        score = own + _HEADINGS * in_headings + _SECTION * section_share
        score += _NEIGHBOURS * asked.share(beside)
        score += _KIND * holds(asked.kind, unit.text)
        yield Candidate(unit, units, score, own, asked.share(forms[number] | headings))
