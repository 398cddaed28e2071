"""What is kept of parses, and that losing it costs time only."""

import logging
from pathlib import Path

import pytest

from agent.caching import ContentCache, ParsedCache
from agent.domain import BlockKind, ParsedDocument, ParsedSection, ParseOutcome, TextBlock

DOCUMENT = ParsedDocument(
    title="Leave 假期",
    format="pdf",
    outcome=ParseOutcome.PARTIAL,
    sections=(
        ParsedSection(
            "Days",
            1,
            (TextBlock(BlockKind.ROW, "a | b", 3), TextBlock(BlockKind.ITEM, "- c")),
            page_from=3,
            page_label="iii",
            anchor="#days",
        ),
    ),
    reason="scanned: page 4",
    pages=4,
    links=("../other.pdf",),
    hidden_chars=7,
)


def test_a_parse_comes_back_as_it_was(tmp_path: Path) -> None:
    cache = ParsedCache(ContentCache(tmp_path / "cache"))
    cache.put("ab12", "1", ".pdf", DOCUMENT)

    assert cache.get("ab12", "1", ".pdf") == DOCUMENT
    cache.close()


@pytest.mark.parametrize(
    "other",
    [("cd34", "1", ".pdf"), ("ab12", "2", ".pdf"), ("ab12", "1", ".txt")],
    ids=["content", "parser", "suffix"],
)
def test_other_content_parser_or_suffix_is_another_parse(
    tmp_path: Path, other: tuple[str, str, str]
) -> None:
    cache = ParsedCache(ContentCache(tmp_path / "cache"))
    cache.put("ab12", "1", ".pdf", DOCUMENT)

    assert cache.get(*other) is None
    cache.close()


def test_what_is_kept_outlives_the_process(tmp_path: Path) -> None:
    first = ContentCache(tmp_path / "cache")
    first.put("key", {"n": [1, "二"]})
    first.close()
    second = ContentCache(tmp_path / "cache")

    assert second.get("key") == {"n": [1, "二"]}
    second.close()


def test_a_damaged_cache_is_a_miss_and_said(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = tmp_path / "cache"
    folder.mkdir()
    (folder / "cache.db").write_bytes(b"this is no database at all" * 50)
    cache = ContentCache(folder)

    with caplog.at_level(logging.WARNING):
        cache.put("key", 1)
        assert cache.get("key") is None
    assert "cannot be used" in caplog.text


def test_a_folder_that_cannot_be_made_is_a_miss(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    cache = ContentCache(tmp_path / "file" / "cache")

    cache.put("key", 1)

    assert cache.get("key") is None


def test_a_parse_kept_in_another_shape_is_a_miss(tmp_path: Path) -> None:
    cache = ContentCache(tmp_path / "cache")
    parsed = ParsedCache(cache)
    parsed.put("ab12", "1", ".pdf", DOCUMENT)
    (key,) = list(cache._open())
    cache.put(key, {"title": 3})

    assert parsed.get("ab12", "1", ".pdf") is None
    cache.close()


def test_a_closed_cache_opens_again(tmp_path: Path) -> None:
    cache = ContentCache(tmp_path / "cache")
    cache.put("key", 1)
    cache.close()

    assert cache.get("key") == 1
    cache.close()
