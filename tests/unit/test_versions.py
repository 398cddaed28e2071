"""Which of several documents counts."""

import pytest

from agent.citations.versions import (
    DecidedBy,
    Mark,
    asks_for_old,
    edition_of,
    mark_of,
    newer,
    superseded,
)
from agent.domain import Document
from tests.pages import day, document

POLICY_2024 = document("Travel policy 2024", doc="policies/travel-2024.docx")
POLICY_2026 = document("Travel policy 2026", doc="policies/travel-2026.docx")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param(POLICY_2024, POLICY_2026, id="year in the title"),
        pytest.param(
            document("Leave policy v1", doc="a/leave-1.md"),
            document("Leave policy v2", doc="a/leave-2.md"),
            id="version in the title",
        ),
        pytest.param(
            document("Dress code", doc="hr/archive/dress.md"),
            document("Dress code", doc="hr/dress.md"),
            id="archive folder",
        ),
        pytest.param(
            document("Budget (draft)", doc="a/budget_draft.md"),
            document("Budget", doc="a/budget.md"),
            id="draft",
        ),
        pytest.param(
            document("差旅制度（2023年版）", doc="zh/差旅2023.md"),
            document("差旅制度（2025年版）", doc="zh/差旅2025.md"),
            id="Chinese year",
        ),
        pytest.param(
            document("请假制度", doc="zh/归档/请假.md"),
            document("请假制度", doc="zh/请假.md"),
            id="Chinese archive",
        ),
        pytest.param(
            document("Travel policy", doc="2024/travel.md"),
            document("Travel policy", doc="2026/travel.md"),
            id="folder of a year",
        ),
    ],
)
def test_the_newer_version_replaces_the_older(old: Document, new: Document) -> None:
    said = {old.doc_id: "Effective 1 March 2024.", new.doc_id: "Effective 1 February 2026."}

    assert superseded([old, new], said) == {old.doc_id: new.doc_id}
    assert superseded([new, old], said) == {old.doc_id: new.doc_id}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param(
            document("Firmware 3.2 release notes", doc="r/firmware-3.2.md"),
            document("Firmware 3.3 release notes", doc="r/firmware-3.3.md"),
            id="release notes",
        ),
        pytest.param(
            document("Team meeting 2024-05-01", doc="m/1.md"),
            document("Team meeting 2024-06-01", doc="m/2.md"),
            id="minutes",
        ),
        pytest.param(
            document("Overview 2024", doc="sales/overview.md"),
            document("Overview 2026", doc="support/overview.md"),
            id="other folders",
        ),
        pytest.param(document("Leave"), document("Travel"), id="other titles"),
        pytest.param(
            document("Leave", doc="a/leave.md", modified=day(2024, 1, 1)),
            document("Leave", doc="a/leave.docx", modified=day(2026, 1, 1)),
            id="nothing but the drive's date",
        ),
    ],
)
def test_other_documents_are_no_versions(one: Document, other: Document) -> None:
    assert superseded([one, other]) == {}


@pytest.mark.parametrize(
    "question",
    ["What was the hotel limit in 2024?", "What did the old policy say?", "旧制度怎么规定？"],
)
def test_a_version_that_is_asked_for_is_not_replaced(question: str) -> None:
    assert superseded([POLICY_2024, POLICY_2026], question=question) == {}


def test_of_several_versions_the_newest_replaces_all() -> None:
    middle = document("Travel policy 2025", doc="policies/travel-2025.docx")

    assert superseded([middle, POLICY_2024, POLICY_2026]) == {
        middle.doc_id: POLICY_2026.doc_id,
        POLICY_2024.doc_id: POLICY_2026.doc_id,
    }


@pytest.mark.parametrize(
    ("doc", "title", "mark"),
    [
        ("hr/archive/leave.md", "Leave", Mark.ARCHIVED),
        ("hr/old/leave.md", "Leave", Mark.ARCHIVED),
        ("hr/leave_old.md", "Leave", Mark.ARCHIVED),
        ("hr/leave.md", "Leave (obsolete)", Mark.ARCHIVED),
        ("hr/leave.md", "DRAFT: Leave", Mark.DRAFT),
        ("hr/leave-draft.md", "Leave", Mark.DRAFT),
        ("人事/请假（旧版）.md", "请假（旧版）", Mark.ARCHIVED),
        ("人事/请假草稿.md", "请假草稿", Mark.DRAFT),
        ("hr/how-old-must-i-be.md", "How old must I be", Mark.NONE),
        ("hr/deprecation_process.md", "Deprecation process", Mark.NONE),
        ("hr/leave.md", "Leave", Mark.NONE),
    ],
)
def test_marks_are_read_from_path_and_title(doc: str, title: str, mark: Mark) -> None:
    assert mark_of(document(title, doc=doc)) is mark


@pytest.mark.parametrize(
    ("said", "stated"),
    [
        ("Version 1.4. Effective date: 1 March 2024.", (2024, 3, 1)),
        ("Last updated 2025-07-04, first approved 2019-01-01", (2025, 7, 4)),
        ("本制度自2025年3月1日起施行。", (2025, 3, 1)),
        ("The company was founded on 1 May 1990.", None),
    ],
)
def test_a_document_states_its_own_date(said: str, stated: tuple[int, int, int] | None) -> None:
    assert edition_of(document("Leave"), said).stated == stated


@pytest.mark.parametrize(
    ("one", "other", "decided"),
    [
        pytest.param("effective 1 May 2024", "effective 1 May 2026", DecidedBy.STATED, id="date"),
        pytest.param("version 1.9", "version 1.10", DecidedBy.STATED, id="version"),
    ],
)
def test_what_documents_state_decides(one: str, other: str, decided: DecidedBy) -> None:
    first = edition_of(document("A", modified=day(2026, 9, 9)), one)
    second = edition_of(document("B", modified=day(2020, 1, 1)), other)

    assert newer(first, second) == (second, first, decided)


def test_else_the_drives_date_decides() -> None:
    first = edition_of(document("A", modified=day(2024, 1, 1)))
    second = edition_of(document("B", modified=day(2025, 1, 1)))

    assert newer(first, second) == (second, first, DecidedBy.MODIFIED)


def test_without_any_date_nothing_decides() -> None:
    first, second = edition_of(document("A")), edition_of(document("B"))

    assert newer(first, second) == (first, second, DecidedBy.NOTHING)


@pytest.mark.parametrize(
    ("question", "old"),
    [("What was the previous limit?", True), ("以前的标准？", True), ("What is the limit?", False)],
)
def test_questions_about_the_past_are_known(question: str, old: bool) -> None:
    assert asks_for_old(question) is old


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1993年北海道地震", "2004年北海道地震"),
        ("1996 Summer Games", "2000 Summer Games"),
    ],
)
def test_events_of_two_years_are_no_versions(one: str, other: str) -> None:
    assert superseded([document(one, doc="a.md"), document(other, doc="b.md")]) == {}


def test_a_rule_whose_title_begins_with_its_year_is_a_version() -> None:
    old, new = (
        document("2024 Travel policy", doc="a.md"),
        document("2026 Travel policy", doc="b.md"),
    )

    assert superseded([old, new]) == {old.doc_id: new.doc_id}
