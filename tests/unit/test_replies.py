"""The pieces of a reply: text into blocks, long replies into parts, footnotes, progress."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.domain import PartProgress, PartState, ProgressEvent, Stage
from bots.replies.footnotes import footnotes, shortened
from bots.replies.literal import literal_blocks
from bots.replies.parts import split_blocks, split_text
from bots.replies.progress import part_line, progress_line
from bots.replies.prose import (
    Block,
    Item,
    Paragraph,
    Preformatted,
    Quotation,
    Run,
    inert,
    markdown_blocks,
    plain,
    size,
)
from tests.chat_fakes import answer_to, cite

URL = "https://drive.example/leave"


def words_of(blocks: list[Block]) -> str:
    return "\n".join(b.text if isinstance(b, Preformatted) else plain(b.runs) for b in blocks)


# ---------------------------------------------------------------- text of documents


def test_signs_of_markup_in_documents_are_signs() -> None:
    text = "Set *all* of `x_y` to <b>1</b> # now"

    assert literal_blocks(text, {}) == [Paragraph((Run(text),))]


def test_a_marker_links_to_its_document_where_there_is_an_address() -> None:
    blocks = literal_blocks("14 weeks [1], more [2].", {1: URL})

    assert blocks == [Paragraph((Run("14 weeks "), Run("[1]", url=URL), Run(", more [2].")))]


def test_lines_with_bullets_and_numbers_are_lists() -> None:
    blocks = literal_blocks("Do this:\n- one\n  - deeper\n3. three\nThen rest.", {})

    assert blocks == [
        Paragraph((Run("Do this:"),)),
        Item((Run("one"),)),
        Item((Run("deeper"),), depth=1),
        Item((Run("three"),), number=3),
        Paragraph((Run("Then rest."),)),
    ]


def test_a_quoted_list_keeps_its_first_item() -> None:
    blocks = literal_blocks("“1. Open it.\n2. Close it.” [1]", {})

    assert blocks == [
        Item((Run("“Open it."),), number=1),
        Item((Run("Close it.” [1]"),), number=2),
    ]


def test_quoted_rows_become_a_table_with_its_header() -> None:
    text = "“Starter | 60\nTeam | 300” (columns: plan | requests) [2]"

    assert literal_blocks(text, {2: URL}) == [
        Preformatted("plan    | requests\nStarter | 60\nTeam    | 300"),
        Paragraph((Run("[2]", url=URL),)),
    ]


def test_one_quoted_row_is_said_by_its_columns() -> None:
    text = "“E-205 | Cloud not reachable” (columns: Code | Meaning) [1]"

    assert (
        words_of(literal_blocks(text, {})) == "Code: “E-205” · Meaning: “Cloud not reachable” [1]"
    )


def test_chinese_tables_are_aligned_by_their_width() -> None:
    (table,) = literal_blocks("员工 | 20 天\nTeam | 3", {})

    assert table == Preformatted("员工 | 20 天\nTeam | 3")


def test_the_question_of_a_part_is_a_heading() -> None:
    blocks = literal_blocks("How long?\n“14 weeks” [1]", {}, {"How long?"})

    assert blocks[0] == Paragraph((Run("How long?", bold=True),))


def test_a_part_that_follows_its_heading_in_the_same_line_stands_below_it() -> None:
    text = "Which limit? “Berlin | 140” (columns: city | limit) [1]\nWho pays? “HR pays.” [2]"

    blocks = literal_blocks(text, {}, {"Which limit?", "Who pays?", "Who"})

    assert blocks[0] == Paragraph((Run("Which limit?", bold=True),))
    assert words_of(blocks[1:]) == "city: “Berlin” · limit: “140” [1]\nWho pays?\n“HR pays.” [2]"
    assert blocks[2] == Paragraph((Run("Who pays?", bold=True),))


# ---------------------------------------------------------------- text of models


def test_markdown_of_a_model_becomes_blocks() -> None:
    text = (
        "# Leave\n\n**14** weeks [1] of *paid* `leave`.\n\n1. ask\n   - early\n2. go\n\n"
        "```\ncode *x*\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n> said"
    )

    assert markdown_blocks(text, {1: URL}) == [
        Paragraph((Run("Leave", bold=True),)),
        Paragraph(
            (
                Run("14", bold=True),
                Run(" weeks "),
                Run("[1]", url=URL),
                Run(" of "),
                Run("paid", italic=True),
                Run(" "),
                Run("leave", code=True),
                Run("."),
            )
        ),
        Item((Run("ask"),), number=1),
        Item((Run("early"),), depth=1),
        Item((Run("go"),), number=2),
        Preformatted("code *x*"),
        Preformatted("a | b\n1 | 2"),
        Quotation((Run("said"),)),
    ]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("[here](https://evil.example)", "here", id="links"),
        pytest.param("![chart](https://evil.example/x.png)", "chart", id="images"),
        pytest.param("<script>alert(1)</script>", "<script>alert(1)</script>", id="HTML"),
        pytest.param("<https://evil.example>", "https://evil.example", id="addresses"),
    ],
)
def test_a_model_cannot_link_or_embed(text: str, shown: str) -> None:
    (block,) = markdown_blocks(text, {1: URL})

    assert isinstance(block, Paragraph)
    assert plain(block.runs) == shown
    assert all(not run.url for run in block.runs)


@pytest.mark.parametrize(
    "alive", ["<!channel>", "<@U1>", "<#C1>", "@here", "@Channel", "@everyone"]
)
@pytest.mark.parametrize("read", [literal_blocks, markdown_blocks])
def test_nobody_is_mentioned_by_a_text(alive: str, read: object) -> None:
    blocks = (literal_blocks if read is literal_blocks else markdown_blocks)(
        f"Ask {alive} now\n\n```\n{alive}\n```\n\na | {alive}\nb | c", {}
    )

    assert alive not in words_of(blocks)
    assert words_of(blocks).replace("\u2060", "").count(alive) == 3


def test_other_at_signs_stay() -> None:
    assert inert("ann@example.com and @ann") == "ann@example.com and @ann"


# ---------------------------------------------------------------- parts


@given(
    st.lists(
        st.one_of(
            st.text("ab c\n。", min_size=1, max_size=400).map(lambda t: Paragraph((Run(t),))),
            st.text("ab\n ", min_size=1, max_size=400).map(Preformatted),
            st.text("abc ", min_size=1, max_size=200).map(lambda t: Item((Run(t),), number=1)),
        ),
        max_size=6,
    ),
    st.integers(40, 300),
)
def test_splitting_keeps_every_letter_and_the_limit(blocks: list[Block], limit: int) -> None:
    parts = split_blocks(blocks, limit)

    letters = [c for b in blocks for c in words_of([b]) if not c.isspace()]
    kept = [c for part in parts for c in words_of(part) if not c.isspace()]
    assert kept == letters
    assert all(sum(size(block) for block in part) <= limit for part in parts)


@given(st.text("ab c\n。", max_size=500), st.integers(10, 80))
def test_splitting_plain_text_keeps_every_letter_and_the_limit(text: str, limit: int) -> None:
    pieces = split_text(text, limit)

    assert "".join("".join(pieces).split()) == "".join(text.split())
    assert all(len(piece) <= limit for piece in pieces)


def test_code_that_is_cut_goes_on_as_code_with_its_indentation() -> None:
    code = "\n".join(f"    line {number}" for number in range(20))

    parts = split_blocks([Preformatted(code)], 100)

    assert len(parts) > 1
    assert all(isinstance(block, Preformatted) for part in parts for block in part)
    assert "\n".join(words_of(part) for part in parts) == code


def test_a_list_that_is_cut_goes_on_with_its_numbers() -> None:
    items: list[Block] = [Item((Run("word " * 10),), number=number) for number in range(1, 6)]

    parts = split_blocks(items, 120)

    numbers = [block.number for part in parts for block in part if isinstance(block, Item)]
    assert numbers == [1, 2, 3, 4, 5]
    assert len(parts) > 1


def test_a_long_paragraph_is_cut_after_a_sentence() -> None:
    text = "The first sentence is here. The second one follows it. The third ends."

    (first, *_) = split_blocks([Paragraph((Run(text),))], 64)

    assert words_of(first) == "The first sentence is here. The second one follows it."


# ---------------------------------------------------------------- footnotes


def test_a_footnote_says_place_page_and_remark() -> None:
    cited = cite(page=12, label="8", note="archived", url=URL, quote="Other words.")

    (note,) = footnotes(answer_to(citations=(cited,)))

    assert note.place == "People handbook › Leave › Parental leave"
    assert note.page == "p. 8 (page 12 of the file)"
    assert (note.note, note.quote, note.url) == ("archived", "Other words.", URL)


def test_a_quote_that_is_the_answer_is_not_repeated() -> None:
    (note,) = footnotes(answer_to(said="“All employees\nget 14 weeks.” [1]"))

    assert note.quote == ""


def test_a_heading_that_repeats_the_title_is_said_once() -> None:
    (note,) = footnotes(answer_to(citations=(cite(title="Leave"),)))

    assert note.place == "Leave › Parental leave"


def test_an_address_that_is_no_web_address_is_no_link() -> None:
    (note,) = footnotes(answer_to(citations=(cite(url="javascript:alert(1)"),)))

    assert note.url == ""


def test_long_texts_are_cut_at_a_word() -> None:
    assert shortened("one two three four", 12) == "one two…"
    assert shortened("一二三四五六七八", 5) == "一二三四…"


# ---------------------------------------------------------------- progress


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (ProgressEvent(Stage.MAP), "is reading the document map…"),
        (ProgressEvent(Stage.READING, "Handbook"), "is reading Handbook…"),
        (ProgressEvent(Stage.READING, "Handbook", "Leave"), "is reading Handbook › Leave…"),
        (ProgressEvent(Stage.READING), "is reading the document map…"),
        (ProgressEvent(Stage.CHECKING), "is checking the quotes…"),
        (ProgressEvent(Stage.COMPOSING), "is writing the answer…"),
        (ProgressEvent(Stage.QUEUED), "has your question next…"),
        (ProgressEvent(Stage.QUEUED, ahead=1), "has one question before yours…"),
        (ProgressEvent(Stage.QUEUED, ahead=7), "has 7 questions before yours…"),
    ],
)
def test_progress_is_said_in_words(event: ProgressEvent, said: str) -> None:
    assert progress_line(event, "en") == said


@pytest.mark.parametrize("state", list(PartState))
def test_every_state_of_a_part_has_words(state: PartState) -> None:
    assert part_line(PartProgress("How long?", state), "zh").startswith("How long?: ")
