"""Real files of every kind lead to the title, top headings and outcome that a person found."""

import json
from pathlib import Path
from typing import Any

import pytest

from agent.domain import ParsedDocument, ParseOutcome
from tests.format_files import everything, read

SAMPLES = Path(__file__).parents[2].parent / "shared" / "samples"
MANIFEST = SAMPLES / "manifest.jsonl"
REASONS = {"password": "password", "scanned": "scanned"}

pytestmark = pytest.mark.skipif(not MANIFEST.is_file(), reason="the sample files are not here")


def _cases() -> list[dict[str, Any]]:
    if not MANIFEST.is_file():
        return []
    return [json.loads(line) for line in MANIFEST.read_text(encoding="utf-8").splitlines()]


def _read(case: dict[str, Any], folder: Path) -> ParsedDocument:
    path = SAMPLES / Path(case["file"]).name
    return read(folder, path.name, path.read_bytes())


def _folded(text: str) -> str:
    return " ".join(text.split())


def _name(case: dict[str, Any]) -> str:
    return Path(case["file"]).name


@pytest.mark.parametrize("case", _cases(), ids=_name)
def test_the_outcome_is_the_true_one(case: dict[str, Any], tmp_path: Path) -> None:
    document = _read(case, tmp_path)
    expected = case["expected_outcome"]
    if expected == "readable":
        assert document.outcome is ParseOutcome.OK, document.reason
        assert document.sections
    else:
        word = next(word for word in REASONS if word in expected)
        assert document.outcome is ParseOutcome.NOT_READABLE
        assert document.reason.startswith(word)


@pytest.mark.parametrize("case", [c for c in _cases() if c["expected_title"]], ids=_name)
def test_the_title_is_the_one_a_reader_sees(case: dict[str, Any], tmp_path: Path) -> None:
    assert _folded(_read(case, tmp_path).title) == _folded(case["expected_title"])


@pytest.mark.parametrize("case", [c for c in _cases() if c["expected_top_headings"]], ids=_name)
def test_the_top_headings_are_found_in_order(case: dict[str, Any], tmp_path: Path) -> None:
    document = _read(case, tmp_path)
    top = min(each.level for each in document.sections if each.heading)
    found = [
        _folded(each.heading) for each in document.sections if each.heading and each.level == top
    ]
    wanted = [_folded(heading) for heading in case["expected_top_headings"]]
    assert [heading for heading in found if heading in wanted] == wanted


@pytest.mark.parametrize(
    "case",
    [c for c in _cases() if c["expected_outcome"] == "readable" and not c["expected_top_headings"]],
    ids=_name,
)
def test_a_file_without_headings_is_given_none(case: dict[str, Any], tmp_path: Path) -> None:
    assert [each.heading for each in _read(case, tmp_path).sections if each.heading] == []


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("multicolumn.pdf", "consectetuer adipiscing elit"),
        ("testOptionalHyphen.pdf", "optionalhyphen"),
        ("helloworld-bad.pdf", "Hello, world!"),
        ("Strict.docx", "Some text"),
        ("mixed_without_h1.md", "Content before first heading"),
        ("umlauts-non-utf8.md", "können"),
        ("test_mskanji.csv", "名前"),
    ],
)
def test_known_words_are_found_whole(name: str, words: str, tmp_path: Path) -> None:
    assert words in everything(read(tmp_path, name, (SAMPLES / name).read_bytes()))
