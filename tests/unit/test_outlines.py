"""LIBRARY of a prompt: which headings are listed where there is no room for all."""

from dataclasses import replace

from agent.cores.llm.outlines import library_lines
from agent.domain import MapEntry, OutlineEntry, SectionPath, Term
from agent.ports import ShownDocument
from tests.engine_fakes import document

SLACK = Term("Slack", ("slack",), 0.2, rarity=0.2)
ACCESS = Term("access", ("access",), 0.8, rarity=0.8)


def listed(number: int, headings: list[str], summary: str = "What it is about.") -> ShownDocument:
    outline = tuple(
        OutlineEntry(SectionPath(str(at)), str(at), (heading,), 1, 500)
        for at, heading in enumerate(headings, 1)
    )
    return ShownDocument(f"D{number}", MapEntry(document(f"page-{number}"), summary, outline))


def filler(count: int) -> list[str]:
    return [f"Chapter {number} on something else entirely" for number in range(count)]


def test_a_heading_that_speaks_of_the_question_is_listed_however_many_stand_before() -> None:
    shown = listed(1, [*filler(80), "Slack interface"])
    lines = library_lines([shown], {"D1.1": True, "D1.9": False}, [SLACK, ACCESS], 500)
    assert "D1.81 Slack interface (500)" in lines


def test_such_a_heading_is_never_cut_short_and_others_are() -> None:
    long = "what to do when somebody who left the company years ago still has everything"
    lines = library_lines([listed(1, [f"Access: {long}", f"Travel: {long}"])], {}, [ACCESS])
    assert f"Access: {long} (500)" in lines
    assert f"Travel: {long}" not in lines
    assert "Travel: what to do" in lines


def test_neighbours_of_what_is_shown_come_before_the_rest() -> None:
    shown = listed(1, filler(80))
    lines = library_lines([shown], {"D1.40": True}, [ACCESS], 400)
    assert "D1.39 " in lines
    assert "D1.41 " in lines


def test_what_stands_in_text_as_a_whole_leaves_its_line_to_others() -> None:
    shown = listed(1, ["Access", *filler(80)])
    whole = library_lines([shown], {"D1.1": True}, [ACCESS], 400)
    cut = library_lines([shown], {"D1.1": False}, [ACCESS], 400)
    assert "D1.1 " not in whole
    assert "D1.1 Access" in cut


def test_a_document_that_stands_in_text_needs_no_summary() -> None:
    there, beside = listed(1, ["Pay"]), listed(2, ["Leave"])
    lines = library_lines([there, beside], {"D1.1": True}, []).splitlines()
    assert lines[0] == "D1 Page 1 (page-1.md)"
    assert lines[2] == "D2 Page 2 (page-2.md) – What it is about."


def test_a_short_document_leaves_its_room_to_a_long_one() -> None:
    short, long = listed(1, ["Pay"]), listed(2, filler(80))
    lines = library_lines([short, long], {}, [], 1_200)
    assert 1_100 < len(lines) <= 1_200


def test_the_size_does_not_grow_with_the_documents_sections() -> None:
    few = library_lines([listed(number, filler(60)) for number in range(1, 6)], {}, [ACCESS])
    many = library_lines([listed(number, filler(900)) for number in range(1, 6)], {}, [ACCESS])
    assert len(few) <= 2_400
    assert abs(len(many) - len(few)) < 100


def test_all_documents_keep_a_few_sections_and_say_how_many_more_there_are() -> None:
    speaks = listed(1, [f"Access of kind {number}" for number in range(300)])
    silent = listed(2, filler(10))
    lines = library_lines([speaks, silent], {}, [ACCESS], 900)
    assert sum(line.strip().startswith("D2.") for line in lines.splitlines()) == 3
    assert "  +7 more" in lines


def test_outlines_stand_in_the_order_of_the_document() -> None:
    lines = library_lines([listed(1, ["Pay", "Leave", "Access"])], {}, [ACCESS])
    assert [line.split()[0] for line in lines.splitlines()] == ["D1", "D1.1", "D1.2", "D1.3"]


def test_what_outsiders_wrote_says_so() -> None:
    shown = listed(1, ["Pay"])
    outside = replace(shown.entry, document=replace(shown.entry.document, trust="external"))
    assert "[written by outsiders]" in library_lines([replace(shown, entry=outside)], {}, [])
