"""What a footnote says: the place, the words, and what a reader should know of the document."""

from dataclasses import dataclass

from agent.domain import Answer, Citation
from bots.phrases import phrase
from bots.replies.prose import inert

PLACE_CHARS = 160
QUOTE_CHARS = 280


@dataclass(frozen=True, slots=True)
class Footnote:
    """One footnote, free of markup.

    Attributes:
        place: `People handbook › Leave › Parental leave`.
        page: `p. 12`; empty where there are no pages.
        note: a remark of a few words; mostly empty.
        quote: shortened; empty where the answer itself consists of it.
        url: empty where there is no address to open.
    """

    number: int
    place: str
    page: str
    note: str
    quote: str
    url: str


def footnotes(answer: Answer) -> list[Footnote]:
    """The footnotes of an answer, in order."""
    return [_footnote(citation, answer) for citation in answer.citations]


def links(answer: Answer) -> dict[int, str]:
    """The address of each footnote that has one."""
    return {each.number: each.url for each in answer.citations if each.url.startswith("http")}


def shortened(text: str, limit: int) -> str:
    """The text on one line, cut at a word where it is too long."""
    text = " ".join(text.split())
    if len(text) <= limit:
        return text
    cut = text[: limit - 1]
    at_word = cut.rsplit(" ", 1)[0]
    return (at_word if len(at_word) > limit // 2 else cut).rstrip(" ,;:，；：") + "…"


def _footnote(citation: Citation, answer: Answer) -> Footnote:
    headings = citation.section
    if headings and headings[0] == citation.title:
        headings = headings[1:]
    said = " ".join(citation.quote.split()) in " ".join(answer.text.split())
    return Footnote(
        number=citation.number,
        place=inert(shortened(" › ".join((citation.title, *headings)), PLACE_CHARS)),
        page=_page(citation, answer.language),
        note=inert(citation.note),
        quote="" if said else inert(shortened(citation.quote, QUOTE_CHARS)),
        url=citation.url if citation.url.startswith("http") else "",
    )


def _page(citation: Citation, language: str) -> str:
    if not citation.page:
        return ""
    if citation.label and citation.label != str(citation.page):
        return phrase(language, "reply.page_label", label=citation.label, page=citation.page)
    return phrase(language, "reply.page", page=citation.page)
