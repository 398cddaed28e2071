"""The map check names what will answer badly, and the remedy."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from agent.domain import DocId, Document, MapEntry, OutlineEntry, ParseOutcome, SectionPath
from agent.map.checking import check_map

GOOD = Document(DocId("a"), "handbook", "a.md", "Leave", "markdown", ParseOutcome.OK)


def outline(*sections: tuple[str, int]) -> tuple[OutlineEntry, ...]:
    return tuple(
        OutlineEntry(SectionPath(f"s{n}"), str(n), (heading,) if heading else (), 1, chars)
        for n, (heading, chars) in enumerate(sections)
    )


def kinds(*entries: MapEntry) -> list[str]:
    return [remark.kind for remark in check_map(entries)]


def test_a_good_document_gives_no_remark() -> None:
    assert kinds(MapEntry(GOOD, "", outline(("A", 900), ("B", 800)))) == []


@pytest.mark.parametrize(
    ("sections", "expected"),
    [
        pytest.param([], ["no_text"], id="nothing in it"),
        pytest.param([("A", 0)], ["no_text"], id="headings alone"),
        pytest.param([("", 9_000)], ["no_sections"], id="a long text without headings"),
        pytest.param([("", 900)], [], id="a short one needs none"),
        pytest.param([("Pages 1–5", 900), ("Pages 6–9", 9)], ["page_blocks"], id="cut by pages"),
        pytest.param([("第 1 页", 900)], ["page_blocks"], id="cut by pages in Chinese"),
        pytest.param([("A", 30_000), ("B", 1)], ["giant_section"], id="one giant section"),
        pytest.param([("A", 1)] * 301, ["many_sections"], id="too many sections"),
    ],
)
def test_outlines(sections: list[tuple[str, int]], expected: list[str]) -> None:
    assert kinds(MapEntry(GOOD, "", outline(*sections))) == expected


@pytest.mark.parametrize(
    ("reason", "fix"),
    [
        ("password: it is protected", "Save it without a password."),
        ("scanned", "Set ocr.enabled, or run text recognition over it and save it again."),
        ("strange", "Open it and save it again."),
    ],
)
def test_what_cannot_be_read_comes_with_its_remedy(reason: str, fix: str) -> None:
    broken = replace(GOOD, outcome=ParseOutcome.NOT_READABLE, reason=reason)
    [remark] = check_map([MapEntry(broken, "", ())])

    assert (remark.kind, remark.says, remark.fix, remark.doc) == (
        "not_readable",
        reason,
        fix,
        "a.md",
    )


def test_a_partly_read_document_is_named() -> None:
    partly = replace(GOOD, outcome=ParseOutcome.PARTIAL, reason="scanned: pages 3 and 4")

    assert kinds(MapEntry(partly, "", outline(("A", 9)))) == ["partial"]


def test_hidden_text_is_counted() -> None:
    [remark] = check_map([MapEntry(replace(GOOD, hidden_chars=70), "", outline(("A", 9)))])

    assert remark.kind == "hidden_text"
    assert "70 characters" in remark.says


def test_equal_titles_name_each_other() -> None:
    other = replace(GOOD, doc_id=DocId("b"), doc="b.md", title="leave")
    remarks = check_map([MapEntry(each, "", outline(("A", 9))) for each in (GOOD, other)])

    assert [(remark.doc, remark.kind) for remark in remarks] == [
        ("a.md", "duplicate_title"),
        ("b.md", "duplicate_title"),
    ]
    assert "b.md" in remarks[0].says


def test_a_few_stray_marks_are_no_hidden_text() -> None:
    assert check_map([MapEntry(replace(GOOD, hidden_chars=3), "", outline(("A", 9)))]) == []


@pytest.mark.parametrize(
    "title", ["Untitled", "Introduction", "1", "Scan 0003", "Background:", "目录", "final.docx"]
)
def test_a_title_that_any_document_could_bear_is_poor(title: str) -> None:
    assert kinds(MapEntry(replace(GOOD, title=title), "", outline(("A", 9)))) == ["poor_title"]


@pytest.mark.parametrize("title", ["Leave", "ISO 27001", "Q3 2025", "员工手册", "Scan policy"])
def test_a_title_that_names_something_is_none(title: str) -> None:
    assert kinds(MapEntry(replace(GOOD, title=title), "", outline(("A", 9)))) == []


def test_headings_that_only_number_their_sections_are_generic() -> None:
    entry = MapEntry(GOOD, "", outline(("Section 1", 9), ("Section 2", 9), ("Costs", 9)))
    [remark] = check_map([entry])

    assert remark.kind == "generic_headings"
    assert remark.says == "2 of 3 headings say nothing, such as “Section 1”."


def test_a_sheet_of_any_length_needs_no_headings() -> None:
    sheet = replace(GOOD, format="xlsx")

    assert kinds(MapEntry(sheet, "", outline(("Prices", 90_000)))) == []


def test_a_copy_that_answers_on_is_told_with_its_age() -> None:
    stale = replace(GOOD, not_seen_since=datetime(2026, 5, 4, tzinfo=UTC))
    [remark] = check_map([MapEntry(stale, "", outline(("A", 9)))])

    assert remark.kind == "stale_copy"
    assert "2026-05-04" in remark.says


@pytest.mark.parametrize("fmt", ["markdown", "pdf", "docx"])
def test_what_to_do_fits_the_format(fmt: str) -> None:
    [remark] = check_map([MapEntry(replace(GOOD, format=fmt), "", outline(("", 9_000)))])

    how = {"markdown": "##", "pdf": "bookmarks", "docx": "heading styles"}
    assert how[fmt] in remark.fix
