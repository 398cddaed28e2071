"""How links and names of titles are resolved; both databases: test_library_writing.py."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from agent.library.references import resolve_cross_references
from agent.library.tables import cross_references
from agent.library.writing import NewDocument
from agent.store import Store, open_store
from tests.library_files import facts, fill, new, parsed, section


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(f"sqlite:///{tmp_path / 'footnote.db'}")
    yield opened
    opened.close()


def _page(doc: str, title: str, text: str = "Nothing else.", *links: str) -> NewDocument:
    return new(doc, parsed(title, section("A", text), links=links))


def _leads(store: Store, doc: str) -> set[tuple[str, str]]:
    """Where a document leads to, and by what."""
    names = {
        facts(each).doc_id: each for each in ("hr/leave.md", "hr/pay.md", "index.md", "假期.md")
    }
    with store.transaction(write=True) as connection:
        resolve_cross_references(connection)
        rows = connection.execute(
            sa.select(cross_references.c.to_doc, cross_references.c.kind).where(
                cross_references.c.from_doc == facts(doc).doc_id
            )
        ).all()
    return {(names[row.to_doc], row.kind) for row in rows}


@pytest.mark.parametrize(
    "link",
    [
        pytest.param("leave.md", id="beside it"),
        pytest.param("./leave.md#annual", id="with a fragment"),
        pytest.param("../hr/leave.md", id="over the parent"),
        pytest.param("/hr/leave.md", id="from the root"),
        pytest.param("leave", id="without the ending"),
        pytest.param("leave.html", id="as the page it becomes"),
        pytest.param("Leave.MD", id="in other case"),
        pytest.param("https://drive.example/hr/leave.md?", id="by the drive's own address"),
        pytest.param("Leave%20policy", id="by title"),
    ],
)
def test_a_link_leads_to_a_document(store: Store, link: str) -> None:
    fill(store, _page("hr/leave.md", "Leave policy"), _page("hr/pay.md", "Pay", "x", link))

    assert _leads(store, "hr/pay.md") == {("hr/leave.md", "link")}


@pytest.mark.parametrize(
    "link",
    [
        "#annual",
        "https://elsewhere.example/leave.md",
        "mailto:a@b.example",
        "gone.md",
        "pay.md",
        "[",
    ],
)
def test_these_lead_nowhere(store: Store, link: str) -> None:
    fill(store, _page("hr/leave.md", "Leave policy"), _page("hr/pay.md", "Pay", "x", link))

    assert _leads(store, "hr/pay.md") == set()


def test_a_link_that_is_no_address_at_all_is_passed_over(store: Store) -> None:
    fill(store, _page("hr/pay.md", "Pay", "x", "http://[broken", "\x00"))

    assert _leads(store, "hr/pay.md") == set()


def test_a_folder_is_its_index(store: Store) -> None:
    fill(store, _page("index.md", "Start here"), _page("hr/pay.md", "Pay", "x", ".."))

    assert _leads(store, "hr/pay.md") == {("index.md", "link")}


def test_a_title_of_one_word_is_not_taken_for_a_mention(store: Store) -> None:
    fill(store, _page("hr/leave.md", "Leave"), _page("hr/pay.md", "Pay", "You may leave early."))

    assert _leads(store, "hr/pay.md") == set()


def test_a_title_that_two_documents_have_is_no_mention_of_either(store: Store) -> None:
    fill(
        store,
        _page("hr/leave.md", "Annual leave"),
        _page("index.md", "Annual leave"),
        _page("hr/pay.md", "Pay", "See annual leave."),
    )

    assert _leads(store, "hr/pay.md") == set()


def test_a_chinese_title_is_recognised_in_running_text(store: Store) -> None:
    fill(
        store,
        _page("假期.md", "员工休假管理办法"),
        _page("hr/pay.md", "薪酬", "具体规定见《员工休假管理办法》第三条。"),
    )

    assert _leads(store, "hr/pay.md") == {("假期.md", "mention")}


def test_working_it_out_twice_changes_nothing(store: Store) -> None:
    fill(
        store, _page("hr/leave.md", "Leave policy"), _page("hr/pay.md", "Pay", "The leave policy.")
    )

    assert _leads(store, "hr/pay.md") == _leads(store, "hr/pay.md") == {("hr/leave.md", "mention")}


@pytest.mark.parametrize(
    "text", ["It stands in leave.md.", "See `hr/leave.md`, part 2.", "详见leave.md。"]
)
def test_a_file_name_in_the_text_leads_to_the_file(store: Store, text: str) -> None:
    fill(store, _page("hr/leave.md", "Holidays"), _page("hr/pay.md", "Pay", text))

    assert _leads(store, "hr/pay.md") == {("hr/leave.md", "mention")}


def test_a_new_file_is_found_by_those_that_name_it_already(store: Store) -> None:
    fill(store, _page("hr/pay.md", "Pay", "It stands in leave.md."))
    assert _leads(store, "hr/pay.md") == set()
    fill(store, _page("hr/leave.md", "Holidays"))

    assert _leads(store, "hr/pay.md") == {("hr/leave.md", "mention")}


def test_a_name_that_two_files_bear_leads_nowhere(store: Store) -> None:
    two = _page("hr/leave.md", "Holidays"), _page("old/leave.md", "Days off")
    fill(store, *two, _page("hr/pay.md", "Pay", "It stands in leave.md."))

    assert _leads(store, "hr/pay.md") == set()
