"""Characters that show nothing are taken out of every format, in one place, and counted."""

from pathlib import Path

import pytest

from agent.domain import BlockKind, ParsedDocument, ParsedSection, ParseOutcome, TextBlock
from connectors.formats.detect import Kind
from connectors.formats.outcome import finished
from tests.format_files import docx, everything, headings, paragraph, read

JUNK = "\x1b\x07\x9b\u202e\u2066\u2069\u200b\ufeff"


def _document(kind: str, title: str, *sections: ParsedSection) -> ParsedDocument:
    return ParsedDocument(title, kind, ParseOutcome.OK, sections, hidden_chars=2)


def _section(heading: str, *texts: str) -> ParsedSection:
    return ParsedSection(heading, 2, tuple(TextBlock(BlockKind.PARAGRAPH, t) for t in texts))


@pytest.mark.parametrize("kind", list(Kind))
def test_they_leave_titles_headings_and_text_of_every_format(kind: Kind) -> None:
    dirty = _document(kind, f"T{JUNK}itle", _section(f"He{JUNK}ad", f"a\tb\n{JUNK}c"))
    clean = finished(dirty, "a")
    assert clean.title == "Title"
    assert (clean.sections[0].heading, clean.sections[0].blocks[0].text) == ("Head", "a\tb\nc")
    assert clean.hidden_chars == 2 + 3 * len(JUNK)


def test_every_control_character_but_tab_and_line_end_is_gone() -> None:
    controls = "".join(map(chr, [*range(32), *range(0x7F, 0xA0)]))
    clean = finished(_document("text", "T", _section("", f"a{controls}b")), "a")
    left = set(clean.sections[0].blocks[0].text)
    assert left == {"a", "b", "\t", "\n"}


def test_marks_that_join_letters_and_pictures_stay() -> None:
    written = "می\u200cخواهم 👩\u200d💻 e\u0301 \u200e12"
    assert finished(_document("text", "T", _section("", written)), "a").hidden_chars == 2


def test_what_was_nothing_else_is_gone() -> None:
    dirty = _document("text", "", _section("One", "a"), _section("\u200b", "b", "\u200b"))
    clean = finished(dirty, "a")
    assert [each.heading for each in clean.sections] == ["One"]
    assert [block.text for block in clean.sections[0].blocks] == ["a", "b"]


def test_a_file_of_nothing_else_is_empty() -> None:
    document = finished(_document("text", "", _section("", "\u200b\u202e")), "a")
    assert document.reason == "empty: the file holds no text"


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.md", "# Leave\u202e\n\n## Da\u200bys\n\nTwenty\x1b five\u200bdays.\n"),
        (
            "a.html",
            "<html><title>Leave\u202e</title><h2>Da\u200bys</h2><p>Twenty\x1b five\u200bdays.</p>",
        ),
        ("a.txt", "Leave\u202e\n\n1. Da\u200bys\n\nTwenty\x1b five\u200bdays.\n\nMore.\n"),
        ("a.docx", docx(paragraph("Twenty\u2066 five\u200bdays."))),
        ("a.csv", "Da\u200bys,b\nTwenty\x1b five\u200bdays.,x\n"),
        ("a.eml", "From: a@b.example\nSubject: Le\u200bave\n\nTwenty\x1b five\u200bdays.\n"),
    ],
)
def test_files_are_read_without_them(tmp_path: Path, name: str, data: bytes | str) -> None:
    document = read(tmp_path, name, data)
    words = [document.title, everything(document), *(text for _, text in headings(document))]
    assert "Twenty fivedays." in "\n".join(words)
    assert not set("\x1b\u200b\u202e\u2066").intersection("".join(words))
    assert document.hidden_chars > 0
