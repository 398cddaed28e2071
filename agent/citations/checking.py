"""The rule that makes an answer trustworthy: what is not quoted is not said.

A core's answer comes in believed and goes out checked: its quotes stand in text that was shown,
every sentence carries the footnote it rests on, and its numbers, dates and names stand there too.
What fails is put in words for the core's next round; what is left is fit to be sent as it is.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from agent.citations.claims import Draft, order_of, with_markers
from agent.citations.evidence import Evidence, quoted
from agent.citations.quoting import Place, locate, merged
from agent.domain import Citation, Decision, DocId, Quote, Window
from agent.phrases import language_of

_SAID_CHARS = 120


@dataclass(frozen=True, slots=True)
class Checked:
    """What is left of an answer once it was checked.

    Attributes:
        text: fit to be sent: every sentence verified, `[n]` markers into `citations`.
        citations: numbered from 1 in the order of their first marker.
        problems: what failed, one sentence each, as a hint for the next round.
        dropped: nothing of the answer could be verified.
        kept: verified quotes in the source's own words, to be shown again as KEPT.
    """

    text: str
    citations: tuple[Citation, ...] = ()
    problems: tuple[str, ...] = ()
    dropped: bool = False
    kept: tuple[Quote, ...] = ()

    @property
    def documents(self) -> frozenset[DocId]:
        """The documents cited, where there are several, so that they could disagree."""
        cited = frozenset(citation.doc_id for citation in self.citations)
        return cited if len(cited) > 1 else frozenset()


def check(
    decision: Decision,
    shown: Mapping[str, Sequence[Window]],
    question: str,
    facts: Sequence[str] = (),
) -> Checked:
    """Check a decision's answer against the text that was shown.

    Args:
        decision: its `answer` carries `[n]` markers into its `quotes`, from 1; an empty answer
            stands for its quotes as they are.
        shown: short section id to the windows shown of it, in all rounds so far.
        question: its values may be repeated; its language is that of notes.
        facts: further texts whose values may be used (today's date).

    Returns:
        The verified rest, with problems where something failed. Failing sentences are left out,
        never softened.
    """
    language = language_of(question)
    places = [locate(quote, shown, language) for quote in decision.quotes]
    evidence = Evidence.of(places, (question, *facts), language)
    draft = Draft(evidence, decision.answer)
    text = draft.checked() if decision.answer.strip() else evidence.all_quoted()
    order = order_of(text)
    return Checked(
        with_markers(text, order),
        renumber([evidence.pool[at] for at in order]),
        (*_missing(decision.quotes, places), *draft.problems),
        dropped=not text,
        kept=_kept(places),
    )


def verify(
    quotes: Sequence[Quote], shown: Mapping[str, Sequence[Window]], language: str = "en"
) -> tuple[Citation, ...]:
    """The citations of those quotes that stand in the text shown, overlaps joined, from 1."""
    places = [place for quote in quotes for place in locate(quote, shown, language)]
    return renumber(merged(place.citation for place in places))


def renumber(citations: Sequence[Citation], first: int = 1) -> tuple[Citation, ...]:
    """The same citations numbered in their order, beginning with `first`."""
    return tuple(
        replace(citation, number=number) for number, citation in enumerate(citations, first)
    )


def quotes_only(citations: Sequence[Citation], language: str = "en") -> str:
    """The citations' quotes with their markers, one a line: an answer in nobody's words."""
    return "\n".join(f"{quoted(one, language)} [{one.number}]" for one in citations)


def _missing(quotes: Sequence[Quote], places: Sequence[Sequence[Place]]) -> tuple[str, ...]:
    return tuple(
        f"Quote {number} (“{quote.text[:_SAID_CHARS]}”) does not stand in the text shown; "
        "copy it word for word."
        for number, (quote, found) in enumerate(zip(quotes, places, strict=True), 1)
        if not found
    )


def _kept(places: Sequence[Sequence[Place]]) -> tuple[Quote, ...]:
    kept = (replace(place.quote, text=place.citation.quote) for found in places for place in found)
    return tuple(dict.fromkeys(kept))
