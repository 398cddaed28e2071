"""What a search finds, on both databases."""

import pytest

from agent.domain import Scope, SearchResult
from agent.library.library import StoreLibrary
from agent.library.writing import apply_sources, put_documents
from agent.store import Store
from config.settings import LoopSettings
from tests.library_files import HANDBOOK, LEGAL, new, parsed, section

MANY = 320
"""More rows than are looked at before the scope is asked for."""


@pytest.fixture
def crowd(store: Store) -> StoreLibrary:
    """Hundreds of documents that say more of leave than the one that a few people may read."""
    entries = [
        new(
            f"leave/{number}.md",
            parsed("Leave", section("Parental leave", "Parental leave, parental leave.")),
        )
        for number in range(MANY)
    ]
    entries.append(
        new(
            "secret.md",
            parsed("Terms", section("Other", "The board has its own rules on parental matters.")),
            readers=("slack:C1",),
            source="legal",
        )
    )
    with store.transaction(write=True) as connection:
        apply_sources(connection, [HANDBOOK, LEGAL])
        put_documents(connection, entries)
    return StoreLibrary(store, LoopSettings())


async def found(library: StoreLibrary, audience: str) -> SearchResult:
    return await library.search("parental leave", Scope.of(audience))


async def test_a_narrow_scope_finds_its_own_however_many_others_match_better(
    crowd: StoreLibrary,
) -> None:
    result = await found(crowd, "slack:C1")

    assert [window.document.doc for window in result.windows] == ["secret.md"]


async def test_a_wide_scope_sees_nothing_of_the_narrow_one(crowd: StoreLibrary) -> None:
    result = await found(crowd, "workspace")

    assert {window.document.source for window in result.windows} == {"handbook"}
    assert len(result.documents) == 10


async def test_a_question_of_two_clauses_finds_the_document_of_each(store: Store) -> None:
    others = [
        new(f"travel/{number}.md", parsed("Travel", section("Travel", "Travel to a hotel.")))
        for number in range(12)
    ]
    with store.transaction(write=True) as connection:
        apply_sources(connection, [HANDBOOK])
        put_documents(
            connection,
            [
                new("hotels.md", parsed("Hotels", section("Limit", "A hotel costs 120 euros."))),
                new("badges.md", parsed("Badges", section("Lost", "Ask reception for badges."))),
                *others,
            ],
        )
    library = StoreLibrary(store, LoopSettings())

    result = await library.search(
        "How much may a hotel on a travel cost, and who hands out badges?", Scope.of("workspace")
    )

    first = [window.document.doc for window in result.windows]
    assert {"hotels.md", "badges.md"} <= set(first[:3])
