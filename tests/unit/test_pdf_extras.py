"""What a PDF says of itself: by pypdf at little cost, by PDFium where pypdf would search."""

import io
from pathlib import Path

import pytest
from pypdf import PdfReader, PdfWriter
from pypdf.generic import (
    ArrayObject,
    DictionaryObject,
    NameObject,
    NumberObject,
    TextStringObject,
)

from connectors.formats.pdf import second
from connectors.formats.pdf.extras import Bookmark
from connectors.formats.pdf.opinion import pages_of_text
from connectors.formats.pdf.page import PageKind
from connectors.formats.pdf.pdfium import marks
from connectors.formats.pdf.sparing import OutOfTimeError, SparingReader, TimedReader
from tests.format_files import Mark, Put, headings, pdf, read

NAMES = [f"section.{number:02}" for number in range(40)]


def chapters() -> bytes:
    pages = [[Put(f"{n} Chapter", 72, 760, 18), Put("Some text.", 72, 700)] for n in range(1, 5)]
    return pdf(pages, title="Report", marks=[Mark(f"{n} Chapter", n - 1) for n in range(1, 5)])


def with_names(wrong: str = "") -> bytes:
    """Forty named places on four pages in a tree of two levels; bookmarks to three of them.

    Args:
        wrong: the name that the last bookmark has instead of its own.
    """
    writer = PdfWriter(clone_from=io.BytesIO(chapters()))
    writer.root_object.pop("/Outlines", None)
    leaves = ArrayObject()
    for start in range(0, len(NAMES), 8):
        pairs = ArrayObject()
        for place, name in enumerate(NAMES[start : start + 8], start):
            page = writer.pages[place % 4].indirect_reference
            view = ArrayObject(
                [page, NameObject("/XYZ"), NumberObject(0), NumberObject(700 - place)]
            )
            pairs += [TextStringObject(name), view]
        limits = ArrayObject([pairs[0], pairs[-2]])
        leaf = DictionaryObject({NameObject("/Names"): pairs, NameObject("/Limits"): limits})
        leaves.append(writer._add_object(leaf))
    tree = DictionaryObject({NameObject("/Dests"): DictionaryObject({NameObject("/Kids"): leaves})})
    writer.root_object[NameObject("/Names")] = tree
    for name in (NAMES[1], NAMES[18], wrong or NAMES[39]):
        mark = DictionaryObject({NameObject("/Title"): TextStringObject(f"To {name}")})
        mark[NameObject("/Dest")] = TextStringObject(name)
        writer.get_outline_root().insert_child(writer._add_object(mark), None, writer)
    target = io.BytesIO()
    writer.write(target)
    return target.getvalue()


def test_bookmarks_lead_to_the_places_that_they_name() -> None:
    extras = second.read_extras(with_names(), 4)
    assert extras is not None
    assert extras.bookmarks == (
        Bookmark("To section.01", 1, 2, 699.0),
        Bookmark("To section.18", 1, 3, 682.0),
        Bookmark("To section.39", 1, 4, 661.0),
    )


def test_a_name_that_nothing_has_leads_nowhere() -> None:
    extras = second.read_extras(with_names("section.99"), 4)
    assert extras is not None
    assert (len(extras.bookmarks), extras.unresolved) == (2, 1)


@pytest.mark.parametrize("name", [NAMES[0], NAMES[7], NAMES[8], NAMES[39]])
def test_a_single_name_is_found_as_among_all(name: str) -> None:
    reader = SparingReader(with_names(), 60, 4)
    found = reader.named(name)
    assert found is not None
    assert found.dest_array == reader.all_named()[name].dest_array


def test_pages_are_numbered_as_pypdf_numbers_them() -> None:
    data = chapters()
    sparing, whole = SparingReader(data, 60, 4), PdfReader(io.BytesIO(data))
    numbers = [
        sparing._get_page_number_by_indirect(page.indirect_reference) for page in whole.pages
    ]
    assert numbers == [0, 1, 2, 3]


def test_pdfium_says_of_a_file_what_pypdf_does() -> None:
    assert marks.read_extras(with_names()) == second.read_extras(with_names(), 4)


def test_a_file_whose_time_is_up_is_refused() -> None:
    with pytest.raises(OutOfTimeError):
        TimedReader(chapters(), -1)


def test_what_pypdf_has_no_time_for_is_read_by_pdfium(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = headings(read(tmp_path, "a.pdf", chapters()))
    monkeypatch.setattr(second, "_EXTRAS_S", -1)
    assert second.read_extras(chapters(), 4) is None
    assert headings(read(tmp_path, "a.pdf", chapters())) == expected


def test_bookmarks_outlive_a_broken_table_of_objects(tmp_path: Path) -> None:
    data = chapters()
    broken = data[: data.rindex(b"xref")] + b"\n%%EOF\n"
    assert b"startxref" not in broken
    assert headings(read(tmp_path, "a.pdf", broken)) == headings(read(tmp_path, "a.pdf", data))


def test_pages_without_time_are_broken_and_not_blank(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(second, "_page_text", lambda _reader, _index: None)
    assert {page.kind for page in pages_of_text(chapters())} == {PageKind.BROKEN}
