"""Whether the windows cover the question at all: a rule of a few features, calibrated.

Search always finds something; this says when it is not what was asked for. It tells absent
subjects from present ones, not a swapped fact from a true one: "who won in 1996" where only 1998
is told looks covered to it.

All constants of the rule stand here. They were set on the questions handed out with three
evaluation sets (company handbook, encyclopaedia, Chinese), wrong refusals counted beside right
ones, and lie where small changes change nothing.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from agent.cores.naming import named, unnamed
from agent.cores.ranking import Asked, forms_of, heading_terms, is_on_others
from agent.cores.units import cut
from agent.domain import Term
from agent.ports import RoundView, ShownWindow
from agent.text.lightwords import LIGHT_WEIGHT, is_action, lightness
from agent.text.units import PREFIX, SUFFIX
from agent.text.words import is_identifier, language_of, term_set

_DOUBT = 1.02
"""English: rarity of the rarest word that is missing, plus half the uncovered share."""
_NAME = 0.1
"""A missing name, number or identifier is this much more telling than another word."""
_CONDITION = re.compile(
    r"\b(?:over|above|more than|under|below|less than|up to|at least|about|around)\s+\D?([\d.,]+)",
    re.IGNORECASE,
)
"""English: a number in a condition is the asker's own; the documents need not know it."""
_TELLS = 0.6
"""English: one of two words found is no chance if it holds so much of what was asked."""
_LONE_OF = 3
"""English: of so many words or more, one alone is no answer."""
_COVERED_ZH = 0.33
"""Chinese: share of the question's weight that one window must hold. Bigrams across word borders
are always missing, so that a single missing one tells nothing."""
_KNOWN_ZH = 0.55
"""Chinese: share of the question's weight that the library must know at all."""
_FEW_ZH = 2
"""Chinese: so few bigrams found, of at least two more, are chance."""
_FOCUS_RARITY = 0.3
"""A follow-up's own word may be missing only if it is commoner than this."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether an answer may be given.

    Attributes:
        reason: one sentence for the trace.
        missing: the words that were not found, as asked; empty when covered.
        others: forms of what only the row on all others speaks of; mostly empty.
    """

    covered: bool
    reason: str
    missing: str = ""
    others: frozenset[str] = frozenset()


def judge(asked: Asked, view: RoundView) -> Verdict:
    """Whether the windows shown cover the question."""
    if not asked.terms:
        return Verdict(False, "The question names nothing to look for.")
    expanded = {each.short for each in view.found.expansions}
    names = [name for name in named(view.question) if name.written not in expanded]
    if absent := unnamed(names, view.windows):
        told = ", ".join(name.written for name in absent)
        return Verdict(False, f"Nothing that was found names {told}.", told)
    if others := _among_others(asked, view):
        return Verdict(True, "A row on all others speaks of it.", others=others)
    held = _held_by_document(view) if view.focus else _forms
    best = max(map(held, in_focus(asked, view)), key=asked.share, default=frozenset[str]())
    if view.focus and not best:
        return Verdict(False, f"No section speaks of {view.focus}.", view.focus)
    missing = asked.missing(best)
    told = ", ".join(term.written for term in missing[:3])
    doubted = _doubted_zh if language_of(view.question) == "zh" else _doubted
    says = f"The best section holds {asked.share(best):.0%} of what was asked"
    reason = f"{says}, without {told}." if told else f"{says}."
    doubt = doubted(asked, missing, view.question) or _lone(asked, best, view)
    return Verdict(not doubt, reason, told)


def _among_others(asked: Asked, view: RoundView) -> frozenset[str]:
    """Forms of the one telling word that no window has, where a table says what holds for others.

    A window must hold the rest of the question for that.
    """
    everywhere = frozenset[str]().union(*map(_forms, view.windows))
    absent = [term for term in asked.missing(everywhere) if lightness(term.written) == 1]
    if len(absent) != 1 or len(asked.terms) < 2:
        return frozenset()
    for shown in view.windows:
        short = [term for term in asked.missing(_forms(shown)) if lightness(term.written) == 1]
        if short == absent and any(map(is_on_others, cut(shown))):
            return frozenset(absent[0].forms)
    return frozenset()


def in_focus(asked: Asked, view: RoundView) -> tuple[ShownWindow, ...]:
    """The windows that speak of what a follow-up brought up; all of them where it brought none.

    Common words of it may be missing, they could be said otherwise.
    """
    wanted = term_set(view.focus)
    needed = [
        term
        for term in asked.terms
        if term.rarity > _FOCUS_RARITY and not wanted.isdisjoint(term.forms)
    ]
    return tuple(
        shown for shown in view.windows if all(term.presence(_forms(shown)) for term in needed)
    )


def _held_by_document(view: RoundView) -> Callable[[ShownWindow], frozenset[str]]:
    """For follow-ups, what all windows of a window's document hold.

    The section on the other case often leaves out what the first one spelt out.
    """

    def held(shown: ShownWindow) -> frozenset[str]:
        doc_id = shown.window.document.doc_id
        same = (each for each in view.windows if each.window.document.doc_id == doc_id)
        return frozenset[str]().union(*map(_forms, same))

    return held


def _doubted(asked: Asked, missing: Sequence[Term], question: str) -> bool:
    telling = [term for term in asked.terms if not is_action(term.written)]
    found = len(set(telling) - set(missing))
    if not found or (found == 1 and len(telling) >= _LONE_OF):
        return True
    rarest = max((_telling(term, question) for term in missing), default=0.0)
    return rarest + _uncovered(asked, missing) / 2 >= _DOUBT


def _lone(asked: Asked, best: frozenset[str], view: RoundView) -> bool:
    """Whether one of two telling words was found and no heading or title speaks of it."""
    telling = [term for term in asked.terms if lightness(term.written) == 1]
    found = [term for term in telling if term.presence(best)]
    if view.focus or language_of(view.question) == "zh" or len(found) != 1 or len(telling) < 2:
        return False
    if asked.share(frozenset(found[0].forms)) >= _TELLS:
        return False
    return not any(found[0].presence(heading_terms(shown)) for shown in view.windows)


def _telling(term: Term, question: str) -> float:
    """How much it tells that this term is missing, 0 to about 1."""
    if lightness(term.written) < 1:
        return term.rarity
    if _is_own_amount(term.written, question):
        return term.rarity * LIGHT_WEIGHT
    return term.rarity + _NAME * _names(term, question)


def _is_own_amount(written: str, question: str) -> bool:
    """Whether a number is the asker's own: in a condition, or with its unit."""
    if not written[:1].isdecimal():
        return False
    return (
        written in _CONDITION.findall(question)
        or re.search(
            rf"(?:{PREFIX})\s?{re.escape(written)}|{re.escape(written)}[\s-]?(?:{SUFFIX})",
            question,
            re.IGNORECASE,
        )
        is not None
    )


def _doubted_zh(asked: Asked, missing: Sequence[Term], question: str) -> bool:
    del question
    found = len(asked.terms) - len(missing)
    telling = [term for term in missing if lightness(term.written) == 1]
    if not found or (found <= _FEW_ZH and len(telling) >= _FEW_ZH):
        return True
    unknown = [term for term in asked.terms if not term.known]
    if 1 - _uncovered(asked, unknown) < _KNOWN_ZH:
        return True
    return 1 - _uncovered(asked, missing) < _COVERED_ZH


def _uncovered(asked: Asked, missing: Sequence[Term]) -> float:
    """Share of the question's weight in these terms."""
    return sum(term.weight for term in missing) / sum(term.weight for term in asked.terms)


def _forms(shown: ShownWindow) -> frozenset[str]:
    return forms_of(shown.window.text) | heading_terms(shown)


def _names(term: Term, question: str) -> bool:
    """Whether a term is a name, a number or an identifier; a first word tells nothing."""
    if term.written.isdecimal() or is_identifier(term.written):
        return True
    return term.written[:1].isupper() and not question.lstrip().startswith(term.written)
