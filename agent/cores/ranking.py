"""Which stretch answers: units scored by the words of the question they carry.

The weights come from measurements on three question sets and are flat around these values: a
unit's own words count most, its section's rank nearly as much, then the words of its headings,
the expected kind of answer and the words of its neighbours. Where steps are asked for, a list
with the line that leads into it is one unit.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from agent.cores.kinds import Cue, Kind, cued, expected, holds
from agent.cores.units import Unit, cut, list_around, stretch
from agent.domain import BlockKind, Term
from agent.ports import ShownWindow
from agent.text.words import term_set

LIST_CHARS = 600
"""Longest list quoted whole, in characters."""
_CARRIED_CHARS = 320
_HEADINGS = 0.5
_NEIGHBOURS = 0.15
_KIND = 0.3
_LOOSE = 0.1
"""Nearly every sentence can be read as a yes or a no."""
_CUE = 0.3
_SECTION = 0.7
_EMPTY = 0.4
_KEYED = 0.3
_CELLS = 2
"""So many cells after one are read with it."""
_SENTENCE_ENDS = (".", "!", "?", ":", ";", "。", "！", "？", "：", "；")
_CODE = 0.3
_OWN = 0.8
_MORE = 0.3
"""For words that the headings do not say already: they tell one stretch from the next."""
_ASKED_ABOVE = 0.15
_SPECIAL = 0.15
_SPECIAL_CASE = re.compile(
    r"\b(?:part[- ]?time|addend(?:um|a)|appendix|contractors?|interns?|freelancers?|temporary|"
    r"exceptions?|special cases?)\b|兼职|兼職|实习|實習|外包|补充|補充|附录|附錄|例外|特殊",
    re.IGNORECASE,
)
"""What is said for a few does not answer a question about all."""
_OTHERS = re.compile(
    r"\W*(?:(?:all|any|every)\s+)?others?\b|\W*(?:everywhere |anywhere |everyone |everything )?"
    r"(?:else|elsewhere)\b|\W*(?:其他|其它|其余|其餘)",
    re.IGNORECASE,
)
_CODE_KINDS = (Kind.STEPS, Kind.COMMAND)

Share = Callable[[frozenset[str]], float]
"""Share of the question's weight that terms carry."""
Run = tuple[int, int]
"""Numbers of the first and last unit of a stretch, both included."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What the units are measured against.

    Attributes:
        terms: the question's terms; their weights are inverse document frequencies.
        kind: what the answer should hold.
        focus: forms of what a follow-up brought up; a heading that names it speaks for all of
            its section.
        cue: what verb is asked about, where another word than its own may answer.
        others: forms of what no row names: the row on all others speaks of them.
    """

    terms: tuple[Term, ...]
    kind: Kind
    focus: frozenset[str] = frozenset()
    others: frozenset[str] = frozenset()
    cue: Cue | None = None

    @property
    def keys(self) -> frozenset[str]:
        """Every form that counts for a term."""
        return frozenset(
            form for term in self.terms for form in (*term.forms, *term.parts, *term.kin)
        )

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
    """A stretch that may be quoted, with its score and the window's units around it.

    Attributes:
        own: share of the question's weight that the stretch itself holds.
        held: the question's terms in it or in the headings above it.
        fits: whether it holds the kind of answer that is expected.
    """

    around: tuple[Unit, ...]
    run: Run
    score: float
    own: float
    held: tuple[Term, ...] = ()
    fits: bool = False

    @property
    def unit(self) -> Unit:
        """Its first unit."""
        return self.around[self.run[0]]


def rank(asked: Asked, windows: Sequence[ShownWindow]) -> list[Candidate]:
    """Every stretch of the windows, best first; one that stands in two windows counts once."""
    best_score = max((shown.window.score for shown in windows), default=0.0) or 1.0
    best: dict[tuple[str, int, int], Candidate] = {}
    share = cache(asked.share)
    for shown in windows:
        for candidate in _candidates(asked, shown, shown.window.score / best_score, share):
            key = (shown.section_id, *stretch(candidate.around, *candidate.run))
            if key not in best or best[key].score < candidate.score:
                best[key] = candidate
    return sorted(best.values(), key=lambda candidate: -candidate.score)


def heading_terms(shown: ShownWindow) -> frozenset[str]:
    """Terms of the title and headings above a window."""
    window = shown.window
    return forms_of(" ".join((window.document.title, *window.section.headings)))


@lru_cache(maxsize=4_000)
def forms_of(text: str) -> frozenset[str]:
    """The terms of a window, a stretch or headings; the same texts come back round after round."""
    return term_set(text)


def _candidates(
    asked: Asked, shown: ShownWindow, section_share: float, share: Share
) -> Iterable[Candidate]:
    units = tuple(cut(shown))
    keys = asked.keys
    forms = [forms_of(unit.text) & keys for unit in units]
    headings = heading_terms(shown) & (keys | asked.focus)
    given = _HEADINGS * share(headings) + _SECTION * section_share
    given += _ASKED_ABOVE * _asks_the_same(asked.kind, shown)
    given -= _SPECIAL * _is_special(asked, shown)
    for first, last in _runs(units, asked.kind):
        told = first - 1 if _told_before(units, first) else first
        inside = frozenset[str]().union(*forms[told : last + 1])
        if share(inside):
            inside |= headings & asked.focus
        if asked.others and is_on_others(units[first]):
            inside |= asked.others
        beside = frozenset[str]().union(
            *forms[max(0, first - 1) : first], *forms[last + 1 : last + 2]
        )
        start, end = stretch(units, first, last)
        own = share(inside)
        more = share(inside | headings) - share(headings)
        score = given + _OWN * own + _MORE * more + _NEIGHBOURS * share(beside)
        fits = _fits(asked.kind, units[first], shown.window.section.text[start:end])
        score += (_LOOSE if asked.kind is Kind.YES_NO else _KIND) * fits + _CUE * cued(
            asked.cue, shown.window.section.text[start:end]
        )
        score -= _EMPTY * _empty(units, (first, last))
        score -= _CODE * _only_code(units, (first, last), asked.kind)
        score += _KEYED * _keyed(units[first], asked)
        held = tuple(term for term in asked.terms if term.presence(inside | headings))
        yield Candidate(units, (first, last), score, own, held, fits)


def _runs(units: Sequence[Unit], kind: Kind) -> list[Run]:
    """Every unit with what it cannot do without; where steps are asked for, lists as a whole."""
    if kind in (*_CODE_KINDS, Kind.LIST):
        return list(dict.fromkeys(list_around(units, n, LIST_CHARS) for n in range(len(units))))
    return [_carried_on(units, number, kind) for number in range(len(units))]


def _carried_on(units: Sequence[Unit], number: int, kind: Kind) -> Run:
    """A unit with the list it leads into, or with the answer to the question it asks."""
    if units[number].leads_in:
        return list_around(units, number, _CARRIED_CHARS)
    if kind in (Kind.NUMBER, Kind.DURATION, Kind.DATE) and _is_cell(units[number]):
        return number, _last_cell(units, number)
    following = number + 1
    if units[number].asks and following < len(units):
        start, end = stretch(units, number, following)
        if end - start <= _CARRIED_CHARS and units[following].kind is units[number].kind:
            return number, following
    return number, number


def _is_cell(unit: Unit) -> bool:
    """Whether it is a line that ends no sentence, as the cells of a table in a PDF file."""
    paged = unit.shown.window.document.format == "pdf" and unit.kind is BlockKind.PARAGRAPH
    return paged and not unit.text.rstrip().endswith(_SENTENCE_ENDS)


def _last_cell(units: Sequence[Unit], number: int) -> int:
    """The last of the cells that follow one, a row's worth at most."""
    last = number
    while last < min(number + _CELLS, len(units) - 1) and _is_cell(units[last + 1]):
        last += 1
    return last


def is_on_others(unit: Unit) -> bool:
    """Whether it is the table row that holds for all that the other rows do not name."""
    return unit.kind is BlockKind.ROW and _OTHERS.match(unit.text) is not None


def _asks_the_same(kind: Kind, shown: ShownWindow) -> bool:
    """Whether the heading above asks for the same kind of answer: `How long`, 如何申请."""
    loose = (Kind.ANY, Kind.STEPS, Kind.YES_NO)
    return kind not in loose and expected(shown.window.section.heading) is kind


def _is_special(asked: Asked, shown: ShownWindow) -> bool:
    """Whether title or headings speak of a special case that was not asked about."""
    above = " ".join((shown.window.document.title, *shown.window.section.headings))
    cases = {found.casefold() for found in _SPECIAL_CASE.findall(above)}
    return bool(cases) and not any(
        term.written.casefold() in case or case in term.written.casefold()
        for term in asked.terms
        for case in cases
    )


def _told_before(units: Sequence[Unit], first: int) -> bool:
    """Whether code stands behind a line that says what it does."""
    before = units[first - 1] if first else None
    code = units[first].kind is BlockKind.CODE
    return before is not None and code and before.kind is not BlockKind.CODE and before.leads_in


def _fits(kind: Kind, first: Unit, text: str) -> bool:
    """Whether a stretch holds what is expected: a command stands in code."""
    if kind is Kind.COMMAND:
        return first.kind is BlockKind.CODE
    if kind is Kind.LIST:
        return "\n" in text.strip() or first.kind is BlockKind.ITEM
    return holds(kind, text)


def _keyed(unit: Unit, asked: Asked) -> bool:
    """Whether it is the table row of what is asked: its first cell says nothing else."""
    if unit.kind is not BlockKind.ROW:
        return False
    key = forms_of(unit.text.partition(" | ")[0])
    wanted = {form for term in asked.terms for form in term.forms}
    return bool(key) and key <= wanted


def _only_code(units: Sequence[Unit], run: Run, kind: Kind) -> bool:
    """Whether a stretch is code where no steps were asked for: it shows, it does not say."""
    return kind not in _CODE_KINDS and units[run[0]].kind is BlockKind.CODE


def _empty(units: Sequence[Unit], run: Run) -> bool:
    """Whether a stretch only announces or asks what it does not say."""
    return run[0] == run[1] and (units[run[0]].leads_in or units[run[0]].asks)
