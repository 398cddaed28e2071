"""How a section is cut: passages to score, windows to read, stretches for the index."""

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.domain import (
    BlockKind,
    DocId,
    Document,
    ParseOutcome,
    Section,
    SectionPath,
    TextBlock,
    Window,
)
from agent.library.index.stretches import clip_blocks, cut_stretches
from agent.library.passages import cut_passages
from agent.library.windows import cut_windows, window_around
from agent.map.building import join_blocks

P, ITEM, HEAD, ROW, CODE = (
    BlockKind.PARAGRAPH,
    BlockKind.ITEM,
    BlockKind.HEADER_ROW,
    BlockKind.ROW,
    BlockKind.CODE,
)
SENTENCE = "This is one sentence of some length, and it ends here."


def section(*blocks: tuple[BlockKind, str]) -> Section:
    text, placed = join_blocks(TextBlock(kind, text) for kind, text in blocks)
    return Section(DocId("d"), SectionPath("s"), "1", ("S",), 1, text, placed)


def texts(made: Section, spans: Sequence[tuple[int, int]]) -> list[str]:
    return [made.text[start:end] for start, end in spans]


def passages(made: Section) -> list[str]:
    return texts(made, cut_passages(made.text, made.blocks))


def windows(made: Section, size: int = 400, overlap: float = 0.2) -> list[str]:
    return texts(made, list(cut_windows(made, size, overlap)))


def table(rows: int) -> list[tuple[BlockKind, str]]:
    return [(HEAD, "level | days"), *((ROW, f"S{n} | {n} days of rest") for n in range(rows))]


def test_a_passage_is_a_run_of_whole_sentences() -> None:
    found = passages(section((P, " ".join([SENTENCE] * 30))))

    assert len(found) > 2
    assert all(len(each) <= 500 and each.endswith("here.") for each in found)


def test_a_chinese_passage_is_shorter() -> None:
    found = passages(section((P, "员工出差的住宿费标准为每晚五百元。" * 60)))

    assert all(len(each) <= 350 and each.endswith("。") for each in found)


def test_a_small_table_is_one_passage_with_its_header() -> None:
    made = section((P, SENTENCE), *table(20), (P, SENTENCE))

    assert passages(made)[1].startswith("level | days")
    assert passages(made)[1].endswith("S19 | 19 days of rest")


def test_a_large_table_is_cut_between_rows() -> None:
    found = passages(section(*table(200)))

    assert all(len(each) <= 500 for each in found)
    assert all(line.count(" | ") == 1 for each in found for line in each.split("\n"))


def test_code_stays_whole_and_alone() -> None:
    made = section((P, SENTENCE), (CODE, "a = 1\nb = 2"), (CODE, "c = 3"), (P, SENTENCE))

    assert passages(made) == [SENTENCE, "a = 1\nb = 2", "c = 3", SENTENCE]


def test_a_sentence_without_end_is_cut_at_a_blank() -> None:
    found = passages(section((P, "word " * 1_000)))

    assert all(len(each) <= 1_500 and not each.startswith("ord") for each in found)


def test_a_short_section_is_one_window() -> None:
    assert windows(section((P, SENTENCE), (ITEM, "- item"))) == [f"{SENTENCE}\n\n- item"]


def test_a_section_without_text_has_no_window() -> None:
    assert windows(section()) == []
    assert cut_stretches(section()) == []


def test_windows_overlap_by_whole_sentences() -> None:
    found = windows(section((P, " ".join(f"Sentence number {n} stands here." for n in range(60)))))

    for one, following in pairwise(found):
        shared = following[: following.index(".") + 1]
        assert one.endswith(shared) or shared in one
        assert len(one) <= 400


def test_windows_without_overlap_repeat_nothing() -> None:
    made = section((P, " ".join(f"Sentence number {n} stands here." for n in range(60))))

    assert " ".join(windows(made, overlap=0.0)) == made.text


def test_a_table_is_read_whole_up_to_twice_the_window() -> None:
    made = section((P, SENTENCE), *table(30), (P, SENTENCE))
    found = windows(made)

    assert sum("S0 | " in each for each in found) == 1
    assert any("S0 | " in each and "S29 | " in each for each in found)


def as_windows(made: Section, size: int = 300) -> list[Window]:
    document = Document(DocId("d"), "s", "d.md", "D", "markdown", ParseOutcome.OK)
    return [Window(document, made, *span) for span in cut_windows(made, size, 0.2)]


def test_the_header_of_a_cut_table_stands_beside_each_window_and_outside_its_text() -> None:
    found = as_windows(section((P, SENTENCE), *table(60), (P, SENTENCE * 9)))
    inside = [window for window in found if window.text.startswith("S")]

    assert len(inside) > 2
    assert {window.header for window in inside} == {"level | days"}
    assert all("level" not in window.text for window in inside)
    assert found[0].header == found[-1].header == ""


def test_a_window_knows_the_page_on_which_it_begins() -> None:
    text, placed = join_blocks(TextBlock(P, SENTENCE * 3, page) for page in range(1, 9))
    made = Section(DocId("d"), SectionPath("s"), "1", ("S",), 1, text, placed, 1, 8)
    found = as_windows(made)

    assert found[0].page == 1
    assert found[-1].page == 8
    assert all(
        block.page == window.page
        for window in found
        for block in placed
        if block.start == window.start
    )


def test_the_overlap_never_begins_inside_a_table() -> None:
    made = section(*table(60), (P, " ".join([SENTENCE] * 20)))

    assert all(
        not each.startswith("S") or each.startswith("S0") or " | " in each.split("\n")[0]
        for each in windows(made, size=300)
    )
    rows = [line for each in windows(made, size=300) for line in each.split("\n") if " | " in line]
    assert len(rows) == len(set(rows))


def test_a_window_is_never_part_of_the_one_before() -> None:
    short = (BlockKind.PARAGRAPH, "A short line before it.")
    made = section((BlockKind.PARAGRAPH, "It says this. " * 10), short, *table(12))
    spans = list(cut_windows(made, 300, 0.2))

    assert len(spans) > 1
    assert all(two[1] > one[1] for one, two in pairwise(spans))


def test_the_window_around_a_passage_has_text_on_both_sides() -> None:
    made = section((P, " ".join(f"Sentence number {n} stands here." for n in range(200))))
    start = made.text.index("Sentence number 100")

    begin, end = window_around(made, start, start + 30, 600)

    assert 400 <= end - begin <= 600
    assert begin < start - 100
    assert end > start + 130
    assert made.text[begin:end].startswith("Sentence number")
    assert made.text[begin:end].endswith("here.")


def test_the_window_around_a_row_takes_the_table_whole() -> None:
    made = section((P, SENTENCE * 20), *table(25), (P, SENTENCE * 20))
    start = made.text.index("S12 | ")

    begin, end = window_around(made, start, start + 10, 400)

    assert made.text[begin:end].startswith("level | days")
    assert made.text[begin:end].endswith("S24 | 24 days of rest")


def test_a_stretch_is_made_of_whole_blocks() -> None:
    made = section(*((P, SENTENCE * 5) for _ in range(20)))

    found = texts(made, cut_stretches(made))

    assert len(found) > 3
    assert all(len(each) <= 1_200 and each.startswith("This") for each in found)


def test_a_block_that_reaches_over_a_border_is_clipped() -> None:
    made = section((P, "a" * 10), (P, "b" * 10))

    assert [(block.start, block.end) for block in clip_blocks(made.blocks, 5, 15)] == [
        (5, 10),
        (12, 15),
    ]


BLOCKS = st.lists(
    st.tuples(
        st.sampled_from([P, ITEM, HEAD, ROW, CODE]),
        st.text(alphabet="ab 年。.\n", min_size=1, max_size=3_000),
    ),
    max_size=8,
)


@given(BLOCKS, st.integers(200, 900), st.floats(0, 0.5))
def test_nothing_visible_is_lost_whatever_the_blocks(
    blocks: list[tuple[BlockKind, str]], size: int, overlap: float
) -> None:
    made = section(*blocks)
    visible = {place for place, each in enumerate(made.text) if not each.isspace()}
    cuts = (
        cut_stretches(made),
        cut_passages(made.text, made.blocks),
        list(cut_windows(made, size, overlap)),
    )

    for spans in cuts:
        assert visible <= {place for start, end in spans for place in range(start, end)}
        assert all(0 <= start < end <= len(made.text) for start, end in spans)


@given(BLOCKS, st.integers(200, 900), st.data())
def test_a_window_always_holds_its_passage(
    blocks: list[tuple[BlockKind, str]], size: int, data: st.DataObject
) -> None:
    made = section(*blocks)
    found = cut_passages(made.text, made.blocks)
    if not found:
        return
    start, end = data.draw(st.sampled_from(found))

    begin, stop = window_around(made, start, end, size)

    assert begin <= start
    assert stop >= end
    assert made.text[begin:stop].strip()


@pytest.mark.parametrize("kind", [P, CODE, ROW])
def test_a_giant_block_is_cut_for_the_index(kind: BlockKind) -> None:
    made = section((kind, "word\n" * 20_000))

    assert all(end - start <= 2_400 for start, end in cut_stretches(made))


@given(BLOCKS, st.integers(200, 900), st.floats(0, 0.5))
def test_windows_leave_no_gap_and_go_forward(
    blocks: list[tuple[BlockKind, str]], size: int, overlap: float
) -> None:
    made = section(*blocks)
    spans = list(cut_windows(made, size, overlap))

    for (start, end), (following, reach) in pairwise(spans):
        assert start < following
        assert end < reach
        assert following <= end or not made.text[end:following].strip()
    if made.text.strip():
        assert not made.text[: spans[0][0]].strip()
        assert not made.text[spans[-1][1] :].strip()


@given(BLOCKS, st.integers(200, 900))
def test_only_a_table_or_code_makes_a_window_longer_and_at_most_twice(
    blocks: list[tuple[BlockKind, str]], size: int
) -> None:
    made = section(*blocks)
    largest = max(2 * size, 1_500)

    assert all(end - start <= largest for start, end in cut_windows(made, size, 0.2))


@given(BLOCKS, st.integers(200, 900), st.data())
def test_a_quote_found_in_a_window_is_found_in_its_section(
    blocks: list[tuple[BlockKind, str]], size: int, data: st.DataObject
) -> None:
    found = as_windows(section(*blocks), size)
    if not found:
        return
    window = data.draw(st.sampled_from(found))
    start = data.draw(st.integers(0, len(window.text) - 1))
    quote = window.text[start : start + data.draw(st.integers(1, 200))]

    at = window.start + start
    assert window.section.text[at : at + len(quote)] == quote
    assert any(b.start < window.end and window.start < b.end for b in window.section.blocks)
