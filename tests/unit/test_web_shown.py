"""How a section's text becomes paragraphs, lists, tables and code with the quote marked."""

from agent.domain import Block, BlockKind, DocId, Section, SectionPath
from bots.web.pages.shown import Piece, pieces, shown_blocks

P, ITEM, HEAD, ROW, CODE = (
    BlockKind.PARAGRAPH,
    BlockKind.ITEM,
    BlockKind.HEADER_ROW,
    BlockKind.ROW,
    BlockKind.CODE,
)


def section(*blocks: tuple[BlockKind, str] | tuple[BlockKind, str, int]) -> Section:
    text, placed = "", []
    for kind, words, *page in blocks:
        start = len(text)
        text += words
        placed.append(Block(kind, start, len(text), page[0] if page else None))
        text += "\n"
    first = placed[0].page if placed else None
    return Section(DocId("d"), SectionPath("s"), "1", ("S",), 1, text, tuple(placed), first)


def marked(found: tuple[Piece, ...]) -> list[str]:
    return [piece.text for piece in found if piece.marked]


def test_the_mark_falls_on_the_quoted_characters() -> None:
    assert pieces("one two three", 0, 13, (4, 7)) == (
        Piece("one ", marked=False),
        Piece("two", marked=True),
        Piece(" three", marked=False),
    )


def test_a_mark_elsewhere_leaves_the_text_whole() -> None:
    assert pieces("one two", 0, 3, (4, 7)) == (Piece("one", marked=False),)


def test_a_quote_over_two_paragraphs_is_marked_in_both() -> None:
    shown = shown_blocks(section((P, "First words."), (P, "Second words.")), (6, 19))

    assert [marked(block.pieces) for block in shown] == [["words."], ["Second"]]


def test_items_that_follow_each_other_are_one_list() -> None:
    shown = shown_blocks(
        section((P, "Take:"), (ITEM, "- a pen"), (ITEM, "  - blue"), (ITEM, "2. paper"))
    )

    assert [block.kind for block in shown] == ["paragraph", "list"]
    items = shown[1].items
    assert [(item.depth, item.number) for item in items] == [(0, ""), (1, ""), (0, "2.")]
    assert [item.pieces[0].text for item in items] == ["a pen", "blue", "paper"]


def test_a_quoted_item_is_marked_without_its_bullet() -> None:
    shown = shown_blocks(section((ITEM, "- a pen")), (0, 7))

    assert marked(shown[0].items[0].pieces) == ["a pen"]


def test_rows_become_a_table_and_each_quoted_cell_is_marked() -> None:
    table = section((HEAD, "City | Limit"), (ROW, "Berlin | 140 EUR"), (ROW, "Bonn | 120 EUR"))
    start = table.text.index("Berlin")

    (shown,) = shown_blocks(table, (start, start + len("Berlin | 140 EUR")))

    assert [row.header for row in shown.rows] == [True, False, False]
    assert [[marked(cell) for cell in row.cells] for row in shown.rows] == [
        [[], []],
        [["Berlin"], ["140 EUR"]],
        [[], []],
    ]


def test_an_empty_cell_stays_a_cell() -> None:
    (shown,) = shown_blocks(section((ROW, "a |  | c")))

    assert len(shown.rows[0].cells) == 3


def test_code_is_kept_as_it_stands() -> None:
    (shown,) = shown_blocks(section((CODE, "if x:\n    y()")))

    assert shown.kind == "code"
    assert shown.pieces == (Piece("if x:\n    y()", marked=False),)


def test_a_new_page_is_told_where_it_begins() -> None:
    shown = shown_blocks(section((P, "a", 3), (P, "b", 3), (P, "c", 4), (P, "d", 4)))

    assert [block.page for block in shown] == [None, None, 4, None]


def test_a_section_without_blocks_is_one_paragraph() -> None:
    bare = Section(DocId("d"), SectionPath("s"), "1", ("S",), 1, "Some words.")

    (shown,) = shown_blocks(bare, (5, 10))

    assert marked(shown.pieces) == ["words"]


def test_a_stretch_shows_nothing_outside_it() -> None:
    whole = section((P, "secret before"), (P, "open words"), (P, "secret after"))
    start = whole.text.index("open")

    (shown,) = shown_blocks(whole, None, (start, start + 10))

    assert shown.pieces == (Piece("open words", marked=False),)
