"""Whether the windows cover the question at all: a rule of a few features, calibrated.

Search always finds something; this says when it is not what was asked for. It tells absent
subjects from present ones, not a swapped fact from a true one: "who won in 1996" where only 1998
is told looks covered to it.

All constants of the rule stand here. They were set on the questions handed out with three
evaluation sets (company handbook, encyclopaedia, Chinese), wrong refusals counted beside right
ones, and lie where small changes change nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from agent.cores.ranking import Asked, heading_terms
from agent.domain import Term
from agent.ports import RoundView, ShownWindow
from agent.text.words import is_identifier, language_of, term_set

_DOUBT = 1.02
"""English: rarity of the rarest word that is missing, plus half the uncovered share."""
_NAME = 0.1
"""A missing name, number or identifier is this much more telling than another word."""
_COVERED_ZH = 0.36
"""Chinese: share of the question's weight that one window must hold. Bigrams across word borders
are always missing, so that a single missing one tells nothing."""
_FOCUS_RARITY = 0.3
"""A follow-up's own word may be missing only if it is commoner than this."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether an answer may be given.

    Attributes:
        reason: one sentence for the trace.
        missing: the words that were not found, as asked; empty when covered.
    """

    covered: bool
    reason: str
    missing: str = ""


def judge(asked: Asked, view: RoundView) -> Verdict:
    """Whether the windows shown cover the question."""
    if not asked.terms:
        return Verdict(False, "The question names nothing to look for.")
    forms = [_forms(shown) for shown in view.windows]
    best = max(forms, key=asked.share, default=frozenset[str]())
    missing = asked.missing(best)
    share = asked.share(best)
    told = ", ".join(term.written for term in missing[:3])
    if _unfocused(view.focus, missing):
        return Verdict(False, f"No section speaks of {view.focus} in this question.", told)
    if language_of(view.question) == "zh":
        covered = share >= _COVERED_ZH
    else:
        covered = _rarest(missing, view.question) + (1 - share) / 2 < _DOUBT
    says = f"The best section holds {share:.0%} of what was asked"
    return Verdict(covered, f"{says}." if not told else f"{says}, without {told}.", told)


def _forms(shown: ShownWindow) -> frozenset[str]:
    return term_set(shown.window.text) | heading_terms(shown)


def _rarest(missing: Sequence[Term], question: str) -> float:
    return max((term.rarity + _NAME * _names(term, question) for term in missing), default=0.0)


def _names(term: Term, question: str) -> bool:
    """Whether a term is a name, a number or an identifier; a first word tells nothing."""
    if term.written.isdecimal() or is_identifier(term.written):
        return True
    return term.written[:1].isupper() and not question.lstrip().startswith(term.written)


def _unfocused(focus: str, missing: Sequence[Term]) -> bool:
    wanted = term_set(focus)
    return any(
        term.rarity > _FOCUS_RARITY and not wanted.isdisjoint(term.forms) for term in missing
    )
