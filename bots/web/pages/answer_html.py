"""What the answer's template draws: its parts, its quotes, its footnotes with their places."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date

from agent.domain import Answer, Citation, Outcome
from bots.links import Place, address
from bots.web.pages.answer_text import Footing, Piece, answer_pieces

SharedDates = Collection[tuple[str, date]]
"""Dates that so many files of a source carry that they tell nothing, as (source, date)."""


@dataclass(frozen=True, slots=True)
class ShownFootnote:
    """A footnote with the address of its place in our viewer.

    Attributes:
        page: as printed, else as counted; empty without pages.
        updated: when the document was changed; None where that tells nothing.
        repeats: the answer shows the quote already.
    """

    citation: Citation
    place: str
    page: str
    updated: date | None
    repeats: bool


@dataclass(frozen=True, slots=True)
class ShownPart:
    """A part of the answer under its own question; the question is empty for the whole."""

    question: str
    outcome: Outcome
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class ShownAnswer:
    """An answer as its template draws it.

    Attributes:
        parts: the one whole, or every part of a plan with its own text.
        plan: the parts' questions and outcomes, where the text does not follow them.
        key: begins every id of this answer on its page.
    """

    answer: Answer
    parts: tuple[ShownPart, ...]
    plan: tuple[tuple[str, Outcome], ...]
    footnotes: tuple[ShownFootnote, ...]
    key: str

    def place(self, number: int) -> str:
        """The address of a footnote's place."""
        return next(each.place for each in self.footnotes if each.citation.number == number)


def shown_answer(answer: Answer, root: str = "", shared: SharedDates = ()) -> ShownAnswer:
    """An answer ready for its template.

    Args:
        answer: the checked answer.
        root: what leads from the page to the listener's root, empty or `../`.
        shared: dates that tell nothing.
    """
    key = f"a{answer.answer_id}"
    places = {citation.number: root + address(Place.of(citation)) for citation in answer.citations}
    footing = Footing(answer.citations, {str(number): at for number, at in places.items()}, key)
    parts = _parts(answer, footing)
    said = {piece.number for part in parts for piece in part.pieces}
    return ShownAnswer(
        answer=answer,
        parts=parts,
        plan=() if len(parts) > 1 else tuple((p.question, p.outcome) for p in answer.parts),
        footnotes=tuple(
            ShownFootnote(
                citation,
                places[citation.number],
                citation.label or str(citation.page or ""),
                _updated(citation, shared),
                citation.number in said,
            )
            for citation in answer.citations
        ),
        key=key,
    )


def _parts(answer: Answer, footing: Footing) -> tuple[ShownPart, ...]:
    """Part by part where every part has a text of its own and no model made one text of them."""
    quoted = answer.extractive
    if quoted and len(answer.parts) > 1 and all(part.text for part in answer.parts):
        return tuple(
            ShownPart(part.question, part.outcome, answer_pieces(part.text, footing, quoted=True))
            for part in answer.parts
        )
    return (ShownPart("", answer.outcome, answer_pieces(answer.text, footing, quoted=quoted)),)


def _updated(citation: Citation, shared: SharedDates) -> date | None:
    day = citation.modified.date() if citation.modified else None
    return None if day is None or (citation.source, day) in shared else day
