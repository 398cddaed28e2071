"""The map as text: whole for few documents, titles for many, never more than the budget."""

from agent.domain import (
    CrossReference,
    DocId,
    Document,
    MapEntry,
    OutlineEntry,
    ParseOutcome,
    SectionPath,
)
from agent.map.rendering import render_entry, render_map


def outline(*headings: str, level: int = 1) -> tuple[OutlineEntry, ...]:
    return tuple(
        OutlineEntry(SectionPath(f"s{n}"), str(n), (heading,), level, 100, f"About {heading}.")
        for n, heading in enumerate(headings, start=1)
    )


def entry(title: str, *headings: str, reason: str = "") -> MapEntry:
    outcome = ParseOutcome.NOT_READABLE if reason else ParseOutcome.OK
    document = Document(DocId(title), "handbook", f"{title}.md", title, "markdown", outcome, reason)
    references = (CrossReference(DocId("x"), "Glossary"),)
    return MapEntry(document, f"All on {title}.", outline(*headings), references)


FEW = [entry("Leave", "Annual", "Parental"), entry("Travel", "Booking")]


def test_without_a_budget_everything_is_shown() -> None:
    text = render_map(FEW)

    assert text.splitlines()[:4] == [
        "Leave  [handbook: Leave.md]",
        "  All on Leave.",
        "  1 Annual – About Annual.",
        "  2 Parental – About Parental.",
    ]
    assert "  → Glossary" in text


def test_less_room_shows_less_of_each_and_still_every_title() -> None:
    whole = len(render_map(FEW))
    sizes = [render_map(FEW, budget) for budget in (whole, whole - 1, 100, 60)]

    assert "About Annual." in sizes[0]
    assert "About Annual." not in sizes[1]
    assert "Annual" in sizes[1]
    assert "Annual" not in sizes[3]
    assert all("Leave" in text and "Travel" in text for text in sizes)


def test_where_not_even_the_titles_fit_the_rest_is_counted() -> None:
    text = render_map([entry(f"Document {n}") for n in range(100)], 200)

    assert len(text) <= 200
    assert text.splitlines()[-1].endswith("more documents")


def test_any_budget_is_kept() -> None:
    assert all(len(render_map(FEW, budget)) <= budget for budget in range(0, 400, 7))


def test_a_document_that_cannot_be_read_says_why() -> None:
    text = render_entry(entry("Pay", reason="password: protected"))

    assert "  ! not readable: password: protected" in text


def test_an_endless_outline_is_cut_and_counted() -> None:
    text = render_entry(entry("Long", *(f"Heading {n}" for n in range(50))))

    assert "Heading 39" in text
    assert "Heading 40" not in text
    assert "… 10 more sections" in text


def test_pages_are_shown_where_there_are_some() -> None:
    section = OutlineEntry(SectionPath("a"), "1", ("A",), 1, 9, page_from=7, page_to=8)
    document = entry("Report").document

    assert "1 A (p. 7)" in render_entry(MapEntry(document, "", (section,)))


def test_nothing_is_rendered_of_nothing() -> None:
    assert render_map([]) == render_map([], 10) == ""
