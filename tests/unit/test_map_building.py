"""From parsed pieces to the document that the map shows."""

import pytest

from agent.domain import BlockKind, ParsedSection, SectionPath, TextBlock
from agent.map.building import BuiltDocument, build_document, join_blocks, slug
from tests.library_files import facts, parsed, section


def built(*sections: ParsedSection, title: str = "Handbook") -> BuiltDocument:
    return build_document(facts("hr/handbook.md"), parsed(title, *sections))


def paths(document: BuiltDocument) -> list[str]:
    return [str(each.path) for each in document.sections]


def test_sections_have_slug_paths_numbers_and_chains() -> None:
    document = built(
        section("3.1 Parental leave", "a", level=2),
        section("Who & when?", "b", level=3),
        section("Pay", "c", level=2),
    )

    assert paths(document) == ["parental-leave", "parental-leave/who-when", "pay"]
    assert [each.number for each in document.sections] == ["1", "1.1", "2"]
    assert document.sections[1].headings == ("3.1 Parental leave", "Who & when?")
    assert [each.level for each in document.sections] == [1, 2, 1]


def test_equal_siblings_get_ordinals() -> None:
    document = built(section("Steps", "a"), section("Steps", "b"), section("Steps", "c"))

    assert paths(document) == ["steps", "steps~2", "steps~3"]


def test_equal_headings_under_different_parents_need_none() -> None:
    document = built(
        section("Slack"), section("Steps", level=3), section("Teams"), section("Steps", level=3)
    )

    assert paths(document) == ["slack", "slack/steps", "teams", "teams/steps"]


def test_levels_that_skip_invent_no_sections() -> None:
    document = built(
        section("A", level=3), section("B", level=6), section("C", level=4), section("D", level=2)
    )

    assert [each.number for each in document.sections] == ["1", "1.1", "1.2", "2"]


def test_a_single_top_heading_is_the_title_and_its_text_the_lead() -> None:
    document = built(
        section("Travel rules", "Read this first.", level=1),
        section("Booking", "Book early.", level=2),
        title="",
    )

    assert document.title == "Travel rules"
    assert paths(document) == ["lead", "booking"]
    assert (document.sections[0].headings, document.sections[0].number) == ((), "0")
    assert document.sections[1].level == 1


def test_a_top_heading_that_is_not_the_title_stays_a_section() -> None:
    document = built(section("Booking", "Book early.", level=1), title="Travel rules")

    assert paths(document) == ["booking"]


def test_text_before_the_first_heading_is_the_lead() -> None:
    document = built(section("", "Hello."), section("A", "b"))

    assert paths(document) == ["lead", "a"]


def test_an_empty_lead_is_left_out() -> None:
    assert paths(built(section(""), section("A", "b"))) == ["a"]


def test_a_section_called_lead_does_not_take_the_path_of_the_lead() -> None:
    assert paths(built(section("", "Hello."), section("Lead", "b"))) == ["lead", "lead~2"]


def test_a_heading_without_text_stays_in_the_outline() -> None:
    document = built(section("Empty"), section("Full", "text"))

    assert [each.text for each in document.sections] == ["", "text"]


def test_headings_in_chinese_keep_their_characters() -> None:
    assert paths(built(section("一、报销 标准", "x"))) == ["报销-标准"]


@pytest.mark.parametrize(
    ("heading", "expected"),
    [
        pytest.param("2.3.1 Set up", "set-up", id="numbering goes"),
        pytest.param("2024 results", "results", id="so does a bare number before a word"),
        pytest.param("C++ & C#", "c-c", id="marks go"),
        pytest.param("???", "section", id="something always stays"),
        pytest.param("Ｆｕｌｌ width", "full-width", id="letters are folded"),
        pytest.param("x" * 100, "x" * 60, id="long ones are cut"),
    ],
)
def test_slugs(heading: str, expected: str) -> None:
    assert slug(heading) == expected


def test_items_and_rows_follow_closely_and_paragraphs_after_a_blank_line() -> None:
    text, blocks = join_blocks(
        [
            TextBlock(BlockKind.PARAGRAPH, "Intro:"),
            TextBlock(BlockKind.ITEM, "- one"),
            TextBlock(BlockKind.ITEM, "  - two"),
            TextBlock(BlockKind.PARAGRAPH, "  "),
            TextBlock(BlockKind.HEADER_ROW, "a | b"),
            TextBlock(BlockKind.ROW, "1 | 2"),
            TextBlock(BlockKind.CODE, "x = 1\n", page=3),
        ]
    )

    assert text == "Intro:\n\n- one\n  - two\na | b\n1 | 2\n\nx = 1"
    assert [text[block.start : block.end] for block in blocks] == [
        "Intro:",
        "- one",
        "  - two",
        "a | b",
        "1 | 2",
        "x = 1",
    ]
    assert blocks[-1].page == 3


def test_the_hash_follows_the_text_and_not_the_heading() -> None:
    one, other, changed = built(
        section("A", "same"), section("B", "same"), section("C", "new")
    ).sections

    assert one.content_hash == other.content_hash != changed.content_hash


def test_characters_that_no_database_takes_are_replaced() -> None:
    document = built(section("A\x00", "b\x00c \ud800"), title="T\x00")

    assert document.title == "T\ufffd"
    assert document.sections[0].headings == ("A\ufffd",)
    assert document.sections[0].text == "b\ufffdc \ufffd"


def test_pages_of_the_lead_span_all_its_pieces() -> None:
    document = built(
        ParsedSection("", 1, (TextBlock(BlockKind.PARAGRAPH, "a", 1),), 1, 1),
        ParsedSection("Handbook", 1, (TextBlock(BlockKind.PARAGRAPH, "b", 2),), 2, 3),
    )

    [lead] = document.sections
    assert (lead.path, lead.page_from, lead.page_to) == (SectionPath("lead"), 1, 3)
    assert lead.text == "a\n\nb"


def test_first_sentences_and_summary_come_from_the_text() -> None:
    document = built(
        section("", "Last updated: May 2026. This page is about leave. More."),
        section("Days", "- 28 days", "You have 28 days. Use them."),
    )

    assert document.first_sentences == ("This page is about leave.", "You have 28 days.")
    assert document.summary == "This page is about leave."


def test_a_document_of_lists_is_summed_up_by_its_chapters() -> None:
    document = built(section("Set up", "- a"), section("Tear down", "- b"))

    assert document.summary == "Set up; Tear down"


def test_the_language_is_that_of_the_text() -> None:
    assert built(section("A", "Plain English text.")).language == "en"
    assert built(section("报销", "员工出差的住宿费标准。")).language == "zh"


def test_a_document_that_is_a_title_alone_holds_that_line() -> None:
    document = built(ParsedSection("Accounts of 2020", 3), title="Accounts of 2020")

    assert [each.text for each in document.sections] == ["Accounts of 2020"]
