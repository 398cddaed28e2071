"""Search by meaning on both databases: what is kept, what is seen, what happens in trouble."""

from importlib.util import find_spec
from pathlib import Path

import pytest
import sqlalchemy as sa

from agent.caching import ContentCache
from agent.cores.llm.breaker import Breaker
from agent.domain import WORKSPACE, Scope, SearchResult
from agent.errors import ServiceUnreachable
from agent.library.library import StoreLibrary
from agent.library.reranking.opinion import Opinion
from agent.library.tables import vectors
from agent.library.vectors.catching_up import CatchUp
from agent.library.vectors.index import VectorIndex
from agent.library.vectors.keeping import VectorState, embedded_text
from agent.library.vectors.meaning import Meaning
from agent.library.writing import SourceRecord, apply_sources, purge_documents, put_documents
from agent.store import Store
from config.settings import LoopSettings
from tests.finding_fakes import FakeEmbedder, FakeReranker
from tests.library_files import HANDBOOK, LEGAL, facts, new, parsed, section

pytestmark = pytest.mark.skipif(find_spec("numpy") is None, reason="numpy is not installed")

SECRET = SourceRecord("secret", ("workspace",), egress="none")
FREE = parsed("Time off", section("Annual", "Everybody has 28 leave days and more leave."))
HOTELS = parsed("Travel", section("Nights", "A hotel room costs 120 euros a night."))
OTHER = parsed("Kitchen", section("Coffee", "The machine is cleaned on Fridays."))


@pytest.fixture
def filled(store: Store) -> Store:
    with store.transaction(write=True) as connection:
        apply_sources(connection, [HANDBOOK, LEGAL, SECRET])
        put_documents(
            connection,
            [
                new("free.md", FREE),
                new("hotels.md", HOTELS),
                new("kitchen.md", OTHER),
                new("board.md", HOTELS, readers=("slack:C1",), source="legal"),
            ],
        )
    return store


@pytest.fixture
def cache(tmp_path: Path) -> ContentCache:
    return ContentCache(tmp_path / "vectors")


async def caught_up(store: Store, embedder: FakeEmbedder, cache: ContentCache) -> VectorState:
    return await CatchUp(store, embedder, cache).complete()


def searching(store: Store, embedder: FakeEmbedder) -> StoreLibrary:
    return StoreLibrary(store, LoopSettings(), meaning=Meaning(embedder))


def documents(result: SearchResult) -> list[str]:
    return list(dict.fromkeys(window.document.doc for window in result.windows))


async def test_a_question_in_other_words_finds_its_document(
    filled: Store, cache: ContentCache
) -> None:
    embedder = FakeEmbedder()
    await caught_up(filled, embedder, cache)

    by_words = await StoreLibrary(filled, LoopSettings()).search("a pause", WORKSPACE)
    by_meaning = await searching(filled, embedder).search("a pause", WORKSPACE)

    assert documents(by_words) == []
    assert documents(by_meaning)[0] == "free.md"
    assert embedder.questions == ["a pause"]


async def test_the_scope_is_applied_before_anything_is_compared(
    filled: Store, cache: ContentCache
) -> None:
    embedder = FakeEmbedder()
    await caught_up(filled, embedder, cache)
    library = searching(filled, embedder)

    outside = await library.search("a pause", Scope.of("slack:C1"))
    nobody = await library.search("a pause", Scope.of("slack:C9"))

    assert documents(outside) == ["board.md"]
    assert documents(nobody) == []


async def test_title_headings_and_beginning_are_embedded(
    filled: Store, cache: ContentCache
) -> None:
    embedder = FakeEmbedder()
    await caught_up(filled, embedder, cache)

    assert "Travel > Nights\nA hotel room costs 120 euros a night." in embedder.texts
    assert embedded_text("Nights", ("Nights",), "x") == "Nights\nx"


async def test_every_text_is_embedded_once(filled: Store, cache: ContentCache) -> None:
    embedder = FakeEmbedder()

    assert await caught_up(filled, embedder, cache) == VectorState(4, 4)
    before = list(embedder.texts)
    assert (await caught_up(filled, embedder, cache)).share == 1.0
    assert embedder.texts == before


async def test_a_document_read_again_costs_no_call(filled: Store, cache: ContentCache) -> None:
    embedder = FakeEmbedder()
    await caught_up(filled, embedder, cache)
    before = len(embedder.texts)

    with filled.transaction(write=True) as connection:
        put_documents(connection, [new("free.md", FREE)])
    state = await caught_up(filled, embedder, cache)

    assert (state, len(embedder.texts)) == (VectorState(4, 4), before)


async def test_another_model_makes_its_own_vectors(filled: Store, cache: ContentCache) -> None:
    await caught_up(filled, FakeEmbedder("one"), cache)
    other = FakeEmbedder("two")

    assert await CatchUp(filled, other, cache).state() == VectorState(4, 0)
    await caught_up(filled, other, cache)
    with filled.transaction(write=False) as connection:
        models = connection.scalars(sa.select(vectors.c.model).distinct()).all()

    assert models == ["two"]


async def test_vectors_go_with_their_document(filled: Store, cache: ContentCache) -> None:
    await caught_up(filled, FakeEmbedder(), cache)
    gone = facts("free.md").doc_id

    with filled.transaction(write=True) as connection:
        purge_documents(connection, [gone])
        left = connection.scalars(sa.select(vectors.c.doc_id)).all()

    assert len(left) == 3
    assert gone not in left


async def test_closed_sources_are_never_sent_outside(filled: Store, cache: ContentCache) -> None:
    with filled.transaction(write=True) as connection:
        put_documents(connection, [new("plan.md", FREE, source="secret")])
    outside, inside = FakeEmbedder("out", outside=True), FakeEmbedder("in")

    assert await caught_up(filled, outside, cache) == VectorState(4, 4)
    assert await caught_up(filled, inside, cache) == VectorState(5, 5)


async def test_work_cut_short_is_taken_up_again(filled: Store, cache: ContentCache) -> None:
    embedder = FakeEmbedder()
    embedder.down = True
    catch_up = CatchUp(filled, embedder, cache)
    with pytest.raises(ServiceUnreachable):
        await catch_up.complete()
    embedder.down = False

    assert await catch_up.complete() == VectorState(4, 4)


async def test_until_most_texts_have_a_vector_words_are_searched(filled: Store) -> None:
    result = await searching(filled, FakeEmbedder()).search("a pause", WORKSPACE)

    assert documents(result) == []


async def test_new_vectors_are_seen_without_a_restart(
    filled: Store, cache: ContentCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agent.library.vectors.index.RELOAD_S", 0.0)
    embedder = FakeEmbedder()
    library = searching(filled, embedder)
    await library.search("a pause", WORKSPACE)

    await caught_up(filled, embedder, cache)

    assert documents(await library.search("a pause", WORKSPACE))[0] == "free.md"


async def test_a_vector_of_another_length_is_no_reason_to_fail(
    filled: Store, cache: ContentCache
) -> None:
    await caught_up(filled, FakeEmbedder(), cache)

    with filled.transaction(write=False) as connection:
        near = VectorIndex("fake").nearest(connection, WORKSPACE, [1.0, 0.0], 5)

    assert near is None


async def test_an_embedder_that_fails_leaves_the_search_by_words(
    filled: Store, cache: ContentCache
) -> None:
    embedder = FakeEmbedder()
    await caught_up(filled, embedder, cache)
    embedder.down = True
    told: list[bool] = []
    library = StoreLibrary(filled, LoopSettings(), meaning=Meaning(embedder, Breaker(told.append)))

    results = [await library.search("hotel room", WORKSPACE) for _ in range(4)]

    assert {tuple(documents(result)) for result in results} == {("hotels.md",)}
    assert told == [True]


async def test_a_reranker_orders_the_passages(store: Store) -> None:
    with store.transaction(write=True) as connection:
        apply_sources(connection, [HANDBOOK])
        put_documents(
            connection,
            [
                new("one.md", parsed("One", section("Room", "The room the room the room."))),
                new("two.md", parsed("Two", section("Other", "A room is the answer."))),
            ],
        )
    judge = FakeReranker()
    plain, judged = (
        StoreLibrary(store, LoopSettings(), opinion=each) for each in (None, Opinion(judge))
    )

    before = await plain.search("which room", WORKSPACE)
    after = await judged.search("which room", WORKSPACE)

    assert documents(before) == ["one.md", "two.md"]
    assert documents(after) == ["two.md", "one.md"]
    assert [p.score for p in after.passages] == [p.score for p in before.passages]
    assert "Two > Other\nA room is the answer." in judge.shown


async def test_closed_sources_are_never_shown_to_a_reranker_outside(filled: Store) -> None:
    with filled.transaction(write=True) as connection:
        put_documents(connection, [new("plan.md", HOTELS, source="secret")])
        put_documents(connection, [new("more.md", parsed("More", section("A", "A hotel room.")))])
    judge = FakeReranker(outside=True)
    opinion = Opinion(judge, frozenset({"handbook"}))

    result = await StoreLibrary(filled, LoopSettings(), opinion=opinion).search(
        "hotel room", WORKSPACE
    )

    assert "plan.md" in documents(result)
    assert len(judge.shown) == 2


async def test_a_reranker_that_fails_leaves_the_order(filled: Store) -> None:
    judge = FakeReranker()
    judge.down = True
    told: list[bool] = []
    opinion = Opinion(judge, breaker=Breaker(told.append))
    with filled.transaction(write=True) as connection:
        put_documents(connection, [new("more.md", parsed("More", section("A", "A hotel room.")))])
    library = StoreLibrary(filled, LoopSettings(), opinion=opinion)

    results = [await library.search("hotel room", WORKSPACE) for _ in range(4)]

    assert len({tuple(documents(result)) for result in results}) == 1
    assert told == [True]
