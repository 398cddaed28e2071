"""Figures of the library that questions share."""

from pathlib import Path

import pytest

from agent.library.searching import statistics
from agent.library.searching.asking import searched
from agent.library.searching.statistics import Statistics
from agent.library.writing import NewDocument, apply_sources, put_documents
from agent.store import Store, open_store
from agent.text.words import query_terms
from tests.library_files import HANDBOOK, INCIDENTS, LEAVE, new


def filled(folder: Path) -> Store:
    store = open_store(f"sqlite:///{folder / 'footnote.db'}")
    with store.transaction(write=True) as connection:
        apply_sources(connection, [HANDBOOK])
    put(store, new("leave.md", LEAVE))
    return store


def put(store: Store, document: NewDocument) -> None:
    with store.transaction(write=True) as connection:
        put_documents(connection, [document])


def knows(store: Store, figures: Statistics, word: str) -> bool:
    with store.transaction(write=False) as connection:
        return word in figures.vocabulary(connection, word[0])


def test_the_words_of_a_new_document_are_known_at_once(tmp_path: Path) -> None:
    store, figures = filled(tmp_path), Statistics()
    assert not knows(store, figures, "outag")

    put(store, new("incidents.md", INCIDENTS))

    assert knows(store, figures, "outag")


def test_a_large_library_reads_its_words_again_only_when_much_is_new(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(statistics, "LARGE", 1)
    monkeypatch.setattr(statistics, "DRIFT", 0.9)
    store, figures = filled(tmp_path), Statistics()
    assert not knows(store, figures, "outag")

    put(store, new("incidents.md", INCIDENTS))

    assert not knows(store, figures, "outag")
    with store.transaction(write=False) as connection:
        assert figures.rows(connection) > 4


def test_rare_words_are_looked_up_first_where_a_library_is_huge() -> None:
    words = query_terms("garden shed ladder")
    frequencies = {"garden": 90_000, "shed": 60_000, "ladder": 30_000}

    assert list(searched(words, frequencies, 1_000_000, ())) == ["ladder", "shed"]
