"""What a question weighs: its terms, how much each tells, and what stands for an unknown one.

A term that the library does not know weighs most: whoever asks for "pet insurance" where no pet
is mentioned is not answered by a page on insurance.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from agent import domain
from agent.text.words import Term, TermKind

_COMMON_SHARE = 0.1
_RARER_NEEDED = 2


@dataclass(frozen=True, slots=True)
class AskedTerm:
    """A term with its weight.

    Attributes:
        forms: indexed forms that count as the term, the exact one first.
        parts: of an identifier: forms that count a little when the whole is not there.
        weight: inverse document frequency.
    """

    term: Term
    forms: tuple[str, ...]
    parts: tuple[str, ...]
    weight: float
    known: bool


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as the search sees it."""

    terms: tuple[AskedTerm, ...]
    total: float

    @property
    def keys(self) -> frozenset[str]:
        """Every indexed form that matters."""
        return frozenset(form for asked in self.terms for form in (*asked.forms, *asked.parts))


def weigh(terms: Sequence[Term], frequencies: Mapping[str, int], rows: int) -> Asked:
    """The terms of a question with their weights.

    Args:
        terms: of the question.
        frequencies: in how many rows of the index each form stands.
        rows: how many rows the index has.
    """
    asked = tuple(_weigh(term, frequencies, rows) for term in _telling(terms, frequencies))
    return Asked(asked, sum(each.weight for each in asked))


def told(asked: Asked, rows: int) -> tuple[domain.Term, ...]:
    """The terms as a core is told them, so that it counts the same words as found."""
    rarest = idf(0, rows)
    return tuple(
        domain.Term(
            written=each.term.written,
            forms=each.forms,
            weight=each.weight,
            parts=each.parts,
            known=each.known,
            rarity=each.weight / rarest,
        )
        for each in asked.terms
    )


def idf(frequency: int, rows: int) -> float:
    """Inverse document frequency, above 0 for every term."""
    return math.log(1 + (rows - min(frequency, rows) + 0.5) / (frequency + 0.5))


def searched(asked: Asked, frequencies: Mapping[str, int], rows: int) -> dict[str, float]:
    """Forms to look up in the index with their weights.

    Very common ones are left out where two rarer ones remain: the candidates stay the same and
    the query is twice as fast.
    """
    weights = {
        form: idf(frequencies[form], rows)
        for each in asked.terms
        for form in (*each.forms, *each.parts)
        if frequencies.get(form)
    }
    rare = {
        form: weight
        for form, weight in weights.items()
        if frequencies[form] <= rows * _COMMON_SHARE
    }
    return rare if len(rare) >= _RARER_NEEDED else weights


def _weigh(term: Term, frequencies: Mapping[str, int], rows: int) -> AskedTerm:
    frequency = frequencies.get(term.key, 0)
    parts = tuple(part for part in term.parts if frequencies.get(part))
    weight = idf(frequency, rows)
    if not frequency and parts:
        weight = max(idf(frequencies[part], rows) for part in parts)
    return AskedTerm(term, (term.key,), parts, weight, bool(frequency))


def _telling(terms: Sequence[Term], frequencies: Mapping[str, int]) -> list[Term]:
    """Without the bigrams across Chinese word borders: unknown, between two known ones."""
    return [
        term
        for place, term in enumerate(terms)
        if term.kind is not TermKind.CJK
        or frequencies.get(term.key)
        or not _covered(terms, place, frequencies)
    ]


def _covered(terms: Sequence[Term], place: int, frequencies: Mapping[str, int]) -> bool:
    key = terms[place].key
    before = place > 0 and terms[place - 1].key
    after = place + 1 < len(terms) and terms[place + 1].key
    return bool(
        before
        and after
        and before[-1] == key[0]
        and after[0] == key[-1]
        and frequencies.get(before)
        and frequencies.get(after)
    )
