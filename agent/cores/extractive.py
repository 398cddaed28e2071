"""The core that needs no language model: shared words choose, sentences are quoted.

It is the default, so Footnote works on a laptop without a key; it answers while a model is
unavailable; and it is the yardstick: a model that does not beat it is not worth its bill. It
makes the same decisions as any core, by rule, and never writes a sentence of its own.
"""

import asyncio
from dataclasses import replace

from agent.cores.kinds import cue_of, expected
from agent.cores.naming import named, naming
from agent.cores.quoting import choose
from agent.cores.ranking import Asked, rank
from agent.cores.verdict import Verdict, in_focus, judge
from agent.domain import Action, Decision, Support, Term
from agent.ports import RoundView, TextSize
from agent.text.words import term_set

_TEXT = TextSize(windows=8, chars=20_000)
"""Reading costs no tokens here; more than eight windows bring no more hits."""

_FOCUS = 3.0
"""A word that a follow-up brought up counts so much more than the words it leans on."""

_ASKING = 1.5
"""A word of the clause that asks counts so much more than one that leads up to it."""


class ExtractiveCore:
    """Decides by rule."""

    extractive = True
    text_size = _TEXT

    def cost_tokens(self, view: RoundView) -> int:
        """Nothing: no model is asked."""
        del view
        return 0

    async def decide(self, view: RoundView) -> Decision:
        """Answer with up to three quotes, search once in fewer words, or decline."""
        return await asyncio.to_thread(_decide, view)


def _decide(view: RoundView) -> Decision:
    asked = Asked(
        view.terms or view.found.terms, expected(view.question), cue=cue_of(view.question)
    )
    verdict = judge(asked, view)
    if verdict.covered:
        stressed = _stressed(_last_clause(asked, view.question), view.focus)
        stressed = replace(stressed, others=verdict.others)
        ranked = rank(stressed, view.windows if verdict.others else in_focus(asked, view))
        ranked = naming(named(view.question), ranked)
        quotes = choose(ranked, view.quotes, view.shares)
        return Decision(
            Action.ANSWER,
            reason=verdict.reason,
            quotes=quotes,
            support=Support.STATED,
        )
    if view.forced or view.searched_again:
        return _declined(verdict)
    query = _fewer_words(asked.terms)
    return (
        Decision(Action.SEARCH, reason=verdict.reason, query=query) if query else _declined(verdict)
    )


def _stressed(asked: Asked, focus: str) -> Asked:
    """With the words a follow-up brought up counting more: they are what is new."""
    wanted = term_set(focus)
    terms = (
        replace(term, weight=_FOCUS * term.weight) if wanted & set(term.forms) else term
        for term in asked.terms
    )
    return replace(asked, terms=tuple(terms), focus=wanted)


def _last_clause(asked: Asked, question: str) -> Asked:
    """With the words of a Chinese question's last clause counting more: it is the one that asks."""
    before, comma, last = question.rpartition("，")
    if not comma:
        return asked
    terms = (
        replace(term, weight=_ASKING * term.weight)
        if term.written in last and term.written not in before
        else term
        for term in asked.terms
    )
    return replace(asked, terms=tuple(terms))


def _declined(verdict: Verdict) -> Decision:
    return Decision(Action.NOT_COVERED, reason=verdict.reason, missing=verdict.missing)


def _fewer_words(terms: tuple[Term, ...]) -> str:
    """The words the library knows, the commonest left out: what may stand together elsewhere."""
    known = [term for term in terms if term.known]
    if len(known) == len(terms):
        known = sorted(known, key=lambda term: -term.weight)[: max(2, (len(known) + 1) // 2)]
    return " ".join(term.written for term in terms if term in known)
