"""Where sentences end: abbreviations, numbers and lists do not end one by accident."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.text.sentences import sentences


def cut(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("It works. It does.", ["It works.", "It does."], id="two plain ones"),
        pytest.param("Dr. Lee saw it. Then left.", ["Dr. Lee saw it.", "Then left."], id="title"),
        pytest.param("See Fig. 2. It shows.", ["See Fig. 2.", "It shows."], id="figure"),
        pytest.param("Use e.g. Python. Or C.", ["Use e.g. Python.", "Or C."], id="e.g."),
        pytest.param("By J. Doe et al. in May.", ["By J. Doe et al. in May."], id="initials"),
        pytest.param("Due on Jan. 5. Not later.", ["Due on Jan. 5.", "Not later."], id="month"),
        pytest.param("It is 1.5 m. Or 2.3.1.", ["It is 1.5 m.", "Or 2.3.1."], id="decimals"),
        pytest.param("The answer is no. Next.", ["The answer is no.", "Next."], id="no, the word"),
        pytest.param("No. 5 is ours.", ["No. 5 is ours."], id="No., the number"),
        pytest.param("Acme Inc. Berlin grew.", ["Acme Inc. Berlin grew."], id="Inc. in a name"),
        pytest.param(
            "We are Acme Inc. The rest.", ["We are Acme Inc.", "The rest."], id="Inc. end"
        ),
        pytest.param('"Stop!" he said. Then no.', ['"Stop!" he said.', "Then no."], id="speech"),
        pytest.param("(See above.) Then go.", ["(See above.)", "Then go."], id="brackets"),
        pytest.param("The fee ! ! is 1.", ["The fee ! ! is 1."], id="spaced marks"),
        pytest.param("A word . . . And so.", ["A word . . .", "And so."], id="spaced dots"),
        pytest.param("Wait... Then go.", ["Wait...", "Then go."], id="an ellipsis that ends"),
        pytest.param("Well... maybe so.", ["Well... maybe so."], id="an ellipsis that does not"),
        pytest.param(
            "他说：“今天放假。”然后走了。",
            ["他说：“今天放假。”", "然后走了。"],
            id="Chinese speech",
        ),
        pytest.param("真的吗？是的；好的。", ["真的吗？", "是的；", "好的。"], id="Chinese marks"),
        pytest.param(
            "使用v2.0版本。重启。", ["使用v2.0版本。", "重启。"], id="a version in Chinese"
        ),
        pytest.param("1. Open it.\n2. Go. Wait.", ["1. Open it.", "2. Go.", "Wait."], id="steps"),
        pytest.param("- one\n- two", ["- one", "- two"], id="items"),
        pytest.param("a | b\nc | d", ["a | b", "c | d"], id="rows"),
        pytest.param("a wrapped\nline. End.", ["a wrapped\nline.", "End."], id="a wrapped line"),
        pytest.param("One\n\nTwo", ["One", "Two"], id="blank lines"),
        pytest.param("", [], id="nothing"),
    ],
)
def test_borders(text: str, expected: list[str]) -> None:
    assert cut(text) == expected


@given(st.text(alphabet='ab .!?\n。；|-1"”', max_size=80))
def test_every_visible_character_is_in_exactly_one_sentence(text: str) -> None:
    covered = [place for start, end in sentences(text) for place in range(start, end)]

    assert len(covered) == len(set(covered))
    assert {p for p, each in enumerate(text) if not each.isspace()} <= set(covered)


@given(st.text(alphabet="ab .!?\n。", max_size=60), st.integers(0, 20), st.integers(20, 60))
def test_a_stretch_stays_inside_its_borders(text: str, start: int, end: int) -> None:
    start, end = min(start, len(text)), min(end, len(text))

    assert all(start <= begin < stop <= end for begin, stop in sentences(text, start, end))


def test_a_long_line_costs_no_more_than_its_length() -> None:
    text = "A long line goes on and on. " * 5_000

    assert len(sentences(text)) == 5_000


@pytest.mark.parametrize("word", ["word ", "clause, ", "x", "词", "dots . . "])
def test_a_stretch_without_an_end_is_cut_into_bounded_ones(word: str) -> None:
    text = word * 3_000

    found = cut(text)

    assert len(found) > 1
    assert max(map(len, found)) <= 1_000
    assert "".join("".join(found).split()) == "".join(text.split())
