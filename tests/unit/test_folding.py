"""Where a quote stands in a text, whatever spaces, quote marks, dashes and line ends it has."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.text.folding import find, find_parts, fold

_TEXT = st.text(st.sampled_from("aé́ﬁ½bB1.,-–\u00ad\u200b \n\t'”中文，…(0"), max_size=30)


@pytest.mark.parametrize(
    ("quote", "text", "found"),
    [
        pytest.param("14 weeks", "is 14 weeks at", "14 weeks", id="as it stands"),
        pytest.param("14 WEEKS", "is 14 weeks at", "14 weeks", id="other case"),
        pytest.param("14 weeks", "is 14\n   weeks at", "14\n   weeks", id="other white space"),
        pytest.param('the "pool" car', "the “pool” car", "the “pool” car", id="quote marks"),
        pytest.param("don't", "you don’t pay", "don’t", id="apostrophe"),
        pytest.param("2019-2020", "in 2019–2020.", "2019–2020", id="dashes"),
        pytest.param("yes -- always", "yes — always", "yes — always", id="typed dash"),
        pytest.param("information", "all infor-\nmation is", "infor-\nmation", id="broken line"),
        pytest.param("information", "infor\u00admation", "infor\u00admation", id="soft hyphen"),
        pytest.param("information", "infor\u00ad\nmation", "infor\u00ad\nmation", id="soft break"),
        pytest.param("well known", "well known", "well known", id="blank between words"),
        pytest.param("part-time", "for part-\ntime staff", "part-\ntime", id="hyphen at line end"),
        pytest.param("office", "the oﬃce is", "oﬃce", id="ligature"),
        pytest.param("café", "the cafe\u0301 is", "cafe\u0301", id="decomposed accent"),
        pytest.param("默认30秒", "周期默认 30 秒。", "默认 30 秒", id="blanks beside Chinese"),
        pytest.param("默认为三十", "默认\n为三十。", "默认\n为三十", id="broken Chinese line"),
        pytest.param("（默认:5）", "值(默认：5)。", "(默认：5)", id="full width"),
        pytest.param("Straße", "in der STRASSE 5", "STRASSE", id="sharp s"),
        pytest.param("a b", "a\u200b b", "a\u200b b", id="zero width"),
    ],
)
def test_a_quote_is_found_in_the_sources_own_characters(quote: str, text: str, found: str) -> None:
    place = find(quote, text)

    assert place is not None
    assert text[slice(*place)] == found


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        pytest.param("14 days", "14 weeks", id="other words"),
        pytest.param("4 weeks", "14 weeks", id="half a number"),
        pytest.param("5 days", "1.5 days", id="decimals of a number"),
        pytest.param("1", "1,200 euros", id="thousands of a number"),
        pytest.param("covered", "uncovered", id="half a word"),
        pytest.param("able", "ables", id="without its ending"),
        pytest.param("cafe", "cafe\u0301", id="without its accent"),
        pytest.param("now here", "nowhere", id="blank inside a word"),
        pytest.param("", "anything", id="nothing"),
        pytest.param(" \u00ad\n", "any \u00ad\n thing", id="nothing visible"),
    ],
)
def test_what_does_not_stand_there_is_not_found(quote: str, text: str) -> None:
    assert find(quote, text) is None


def test_a_later_whole_word_is_found_behind_a_half_one() -> None:
    text = "114 weeks, then 14 weeks"

    assert find("14 weeks", text) == (16, 24)


def test_looking_begins_where_it_is_told() -> None:
    assert find("Ab", "ab ab", 1) == (3, 5)


def test_a_sentence_may_end_at_a_number() -> None:
    assert find("costs 5", "It costs 5. It") == (3, 10)


def test_parts_around_an_ellipsis_stand_in_order() -> None:
    text = "All employees, also part-time, are entitled to leave of 14 weeks."

    places = find_parts("all employees … are entitled to [...] 14 weeks…", text)

    assert [text[slice(*place)] for place in places or ()] == [
        "All employees",
        "are entitled to",
        "14 weeks",
    ]


@pytest.mark.parametrize(
    "quote",
    [
        pytest.param("14 weeks … all employees", id="out of order"),
        pytest.param("all employees … 15 weeks", id="one missing"),
        pytest.param("…", id="nothing but dots"),
    ],
)
def test_an_ellipsis_hides_nothing(quote: str) -> None:
    assert find_parts(quote, "All employees get 14 weeks.") is None


def test_a_source_may_hold_an_ellipsis_itself() -> None:
    assert find_parts("Wait... what", "Wait… what?") == [(0, 10)]


def test_chinese_ellipses_part_a_quote() -> None:
    text = "员工每年享有十五天年假，须提前申请。"

    assert find_parts("员工……十五天年假", text) == [(0, 2), (6, 11)]


@given(_TEXT, st.data())
def test_whatever_is_found_folds_like_the_quote(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    quote = data.draw(st.one_of(_TEXT, st.just(text[start : data.draw(st.integers(start, 30))])))

    place = find(quote, text)

    if place is not None:
        assert fold(text[slice(*place)]).text == fold(quote.strip()).text


@given(_TEXT)
def test_a_whole_text_is_found_in_itself(text: str) -> None:
    on_a_blank = unicodedata.combining(f"{text.strip()}."[0])  # an accent is no word by itself
    if fold(text.strip()).text and not on_a_blank:
        assert find(text, text) is not None


@given(_TEXT)
def test_every_plain_character_leads_back_into_the_original(text: str) -> None:
    folded = fold(text)

    assert len(folded.text) == len(folded.starts) == len(folded.ends)
    assert all(0 <= a < b <= len(text) for a, b in zip(folded.starts, folded.ends, strict=True))
    assert list(folded.starts) == sorted(folded.starts)


def test_an_accent_on_a_blank_is_no_character_that_can_be_found() -> None:
    assert fold("\n\u0301").text == ""
    assert find("\n\u0301", "\n\u0301") is None
