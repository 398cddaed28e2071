"""What led to a section under its old heading leads to where its text stands now."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.domain import WORKSPACE, SectionPath
from agent.errors import SectionNotFound
from agent.library import reading, writing
from agent.library.renaming import renamed
from agent.map.building import build_document
from agent.store import Store, open_store
from tests.library_files import facts, fill, new, parsed, section

DOC = facts("leave.md").doc_id


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(f"sqlite:///{tmp_path / 'footnote.db'}")
    yield opened
    opened.close()


def write(store: Store, *headings_and_texts: tuple[str, str]) -> None:
    sections = [section(heading, text) for heading, text in headings_and_texts]
    fill(store, new("leave.md", parsed("Leave policy", *sections)))


def read(store: Store, path: str) -> tuple[str, str]:
    """(heading, text) of what a link to this path opens."""
    with store.transaction(write=False) as connection:
        found = reading.read_section(connection, WORKSPACE, DOC, SectionPath(path))
    return found.heading, found.text


OTHER = ("Sick leave", "Call before nine.")


def test_a_renamed_heading_is_found_under_its_old_path(store: Store) -> None:
    write(store, ("Parental leave", "Sixteen weeks are paid."), OTHER)
    write(store, ("Leave for parents", "Sixteen weeks are paid."), OTHER)

    assert read(store, "parental-leave") == ("Leave for parents", "Sixteen weeks are paid.")
    with store.transaction(write=False) as connection:
        [found] = reading.read_subtree(connection, WORKSPACE, DOC, SectionPath("parental-leave"))
    assert found.path == "leave-for-parents"


def test_every_former_name_leads_on(store: Store) -> None:
    for heading in ("One", "Two", "Three", "Four"):
        write(store, (heading, "The very same text."), OTHER)

    assert {read(store, path)[0] for path in ("one", "two", "three", "four")} == {"Four"}


def test_a_name_that_is_used_again_leads_to_what_it_names_now(store: Store) -> None:
    write(store, ("One", "The first text."), OTHER)
    write(store, ("Two", "The first text."), OTHER)
    write(store, ("Two", "The first text."), ("One", "Something new."), OTHER)

    assert read(store, "one") == ("One", "Something new.")


def test_text_that_changed_with_its_heading_is_not_guessed(store: Store) -> None:
    write(store, ("Parental leave", "Sixteen weeks are paid."), OTHER)
    write(store, ("Leave for parents", "Twenty weeks are paid."), OTHER)

    with pytest.raises(SectionNotFound):
        read(store, "parental-leave")


def test_a_purged_document_leaves_no_former_names(store: Store) -> None:
    write(store, ("One", "The text."), OTHER)
    write(store, ("Two", "The text."), OTHER)
    with store.transaction(write=True) as connection:
        writing.purge_documents(connection, [DOC])
    write(store, ("Two", "The text."), OTHER)

    with pytest.raises(SectionNotFound):
        read(store, "one")


def _moves(*versions: tuple[tuple[str, int, str], ...]) -> dict[str, str]:
    old, after = (
        build_document(
            facts("x.md"),
            parsed("X", *(section(heading, text, level=level) for heading, level, text in each)),
        ).sections
        for each in versions
    )
    return renamed([(str(s.path), s.content_hash, len(s.text)) for s in old], after)


def test_what_stands_below_a_renamed_heading_follows_it() -> None:
    before = (("Leave", 1, ""), ("Annual", 2, "28 days."), ("Other", 2, ""), ("Pay", 1, "p"))
    after = (("Time off", 1, ""), ("Annual", 2, "28 days."), ("Other", 2, ""), ("Pay", 1, "p"))

    assert _moves(before, after) == {
        "leave": "time-off",
        "leave/annual": "time-off/annual",
        "leave/other": "time-off/other",
    }


def test_equal_texts_are_told_apart_by_their_order() -> None:
    before = (("A", 1, "same"), ("B", 1, "same"), ("C", 1, "x"))
    after = (("D", 1, "same"), ("E", 1, "same"), ("C", 1, "x"))

    assert _moves(before, after) == {"a": "d", "b": "e"}
    assert _moves(before, (*after, ("F", 1, "same"))) == {}


@given(
    st.lists(
        st.tuples(
            st.text(alphabet="ab1 .年~/", max_size=6), st.integers(1, 5), st.sampled_from("xyz")
        ),
        max_size=25,
    )
)
def test_paths_are_unique_whatever_the_headings(found: list[tuple[str, int, str]]) -> None:
    built = build_document(
        facts("x.md"),
        parsed("X", *(section(heading, text, level=level) for heading, level, text in found)),
    )
    paths = [each.path for each in built.sections]

    assert len(paths) == len(set(paths))
    assert all(paths)
