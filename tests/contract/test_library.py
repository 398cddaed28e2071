"""What every library promises: the one in the store, on both databases, and the fake."""

from collections.abc import Callable, Iterator

import pytest

from agent.domain import WORKSPACE, DocId, Scope, SectionPath
from agent.errors import DocumentNotFound, LibraryError, SectionNotFound
from agent.library.library import StoreLibrary
from agent.ports import Library
from agent.store import open_store
from config.settings import LoopSettings
from tests.engine_fakes import MemoryLibrary
from tests.library_files import facts, fill, new, parsed, section

LEAVE, PARENTAL = SectionPath("leave"), SectionPath("leave/parental")
TEXTS = {
    "leave-policy": {
        "leave": "Everybody has 28 days of annual leave.",
        "leave/parental": "Parents take 16 weeks of paid time.",
    },
    "incident-response": {"severity": "An outage of the checkout is severity S1."},
}
STRANGER = Scope.of("slack:C9")


@pytest.fixture(params=["sqlite", "postgresql", "memory"])
def library(request: pytest.FixtureRequest, new_url: Callable[[str], str]) -> Iterator[Library]:
    if request.param == "memory":
        yield MemoryLibrary(TEXTS)
        return
    store = open_store(new_url(request.param))
    leave, severity = TEXTS["leave-policy"], TEXTS["incident-response"]["severity"]
    fill(
        store,
        new(
            "leave-policy.md",
            parsed(
                "Leave Policy",
                section("Leave", leave["leave"]),
                section("Parental", leave["leave/parental"], level=3),
            ),
        ),
        new("incident-response.md", parsed("Incident Response", section("Severity", severity))),
    )
    yield StoreLibrary(store, LoopSettings())
    store.close()


async def _leave(library: Library) -> DocId:
    return (await library.find_document(WORKSPACE, "Leave Policy")).doc_id


async def test_the_section_that_answers_is_found_first(library: Library) -> None:
    found = await library.search("How many days of annual leave are there?", WORKSPACE)

    assert "28 days" in found.windows[0].text
    assert found.documents[0] == await _leave(library)


async def test_words_that_nobody_wrote_are_named_and_lower_the_coverage(library: Library) -> None:
    known = await library.search("annual leave days", WORKSPACE)
    unknown = await library.search("annual leave of zebras", WORKSPACE)

    assert unknown.missing == ("zebras",)
    assert known.missing == ()
    assert unknown.coverage < known.coverage


async def test_the_terms_of_a_question_come_with_their_weights(library: Library) -> None:
    found = await library.search("annual zebras", WORKSPACE)

    assert [(term.written, term.known) for term in found.terms] == [
        ("annual", True),
        ("zebras", False),
    ]
    assert found.terms[0].weight < found.terms[1].weight


async def test_a_question_of_question_words_finds_nothing(library: Library) -> None:
    assert (await library.search("who is it?", WORKSPACE)).windows == ()


async def test_one_window_brings_one_place_and_at_most_its_neighbours(library: Library) -> None:
    found = await library.search("leave weeks outage", WORKSPACE, windows=1)

    assert {window.document.doc_id for window in found.windows} == {found.documents[0]}


async def test_nothing_is_told_outside_the_scope(library: Library) -> None:
    doc_id = await _leave(library)

    found = await library.search("annual leave", STRANGER)

    assert (found.windows, found.passages, found.documents, found.coverage) == ((), (), (), 0.0)
    assert await library.read_map(STRANGER, [doc_id]) == []
    assert await library.read_document_map(STRANGER) == []
    assert await library.sources(STRANGER) == []
    with pytest.raises(LibraryError):
        await library.read_section(STRANGER, doc_id, LEAVE)
    with pytest.raises(DocumentNotFound):
        await library.find_document(STRANGER, "Leave Policy")


async def test_an_empty_scope_sees_nothing(library: Library) -> None:
    assert (await library.search("annual leave", Scope())).windows == ()
    assert await library.read_document_map(Scope()) == []


async def test_map_entries_come_in_the_order_asked_for(library: Library) -> None:
    whole = await library.read_document_map(WORKSPACE)
    turned = [entry.document.doc_id for entry in whole][::-1]

    entries = await library.read_map(WORKSPACE, [*turned, DocId("nobody")])

    assert [entry.document.doc_id for entry in entries] == turned


async def test_the_outline_lists_every_section(library: Library) -> None:
    [entry] = await library.read_map(WORKSPACE, [await _leave(library)])

    assert [section.path for section in entry.outline] == [LEAVE, PARENTAL]
    assert entry.outline[0].chars == len(TEXTS["leave-policy"]["leave"])


async def test_a_section_is_read_by_its_path(library: Library) -> None:
    section = await library.read_section(WORKSPACE, await _leave(library), PARENTAL)

    assert section.text == "Parents take 16 weeks of paid time."


async def test_a_subtree_is_read_in_order(library: Library) -> None:
    sections = await library.read_subtree(WORKSPACE, await _leave(library), LEAVE)

    assert [section.path for section in sections] == [LEAVE, PARENTAL]


async def test_an_unknown_section_is_an_error(library: Library) -> None:
    doc_id = await _leave(library)

    with pytest.raises(SectionNotFound):
        await library.read_section(WORKSPACE, doc_id, SectionPath("salary"))
    with pytest.raises(SectionNotFound):
        await library.read_subtree(WORKSPACE, doc_id, SectionPath("salary"))


@pytest.mark.parametrize("name", ["leave-policy.md", "Leave Policy"])
async def test_a_document_is_found_by_path_and_by_title(library: Library, name: str) -> None:
    assert (await library.find_document(WORKSPACE, name)).doc == facts("leave-policy.md").doc


async def test_an_unknown_document_is_an_error(library: Library) -> None:
    with pytest.raises(DocumentNotFound):
        await library.find_document(WORKSPACE, "Salary policy")


async def test_sources_are_counted(library: Library) -> None:
    [source] = await library.sources(WORKSPACE)

    assert (source.name, source.documents) == ("handbook", 2)


async def test_the_last_change_is_known(library: Library) -> None:
    assert await library.last_changed() is not None
