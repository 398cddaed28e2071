"""What counts as the same word, in English, in Chinese, and for identifiers."""

import pytest

from agent.text.words import (
    index_terms,
    is_identifier,
    is_stop_word,
    language_of,
    query_terms,
    term_set,
)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("policies", "Policy", id="number and case"),
        pytest.param("reimbursed", "reimbursement", id="endings"),
        pytest.param("résumé", "resume", id="accents"),
        pytest.param("company’s", "company", id="the possessive, with a curly mark"),
        pytest.param("ＶＰＮ", "vpn", id="full-width letters"),
        pytest.param("1,500", "1500", id="thousands"),
        pytest.param("O'Brien", "OBrien", id="an apostrophe inside a name"),
    ],
)
def test_these_are_one_word(one: str, other: str) -> None:
    assert term_set(one) == term_set(other)


@pytest.mark.parametrize(
    ("text", "forms"),
    [
        pytest.param("ERR-4021", ["err-4021", "err", "4021"], id="an error code"),
        pytest.param("S2", ["s2"], id="a level"),
        pytest.param("v2.3.1", ["v2.3.1", "2.3.1"], id="a version"),
        pytest.param("foo_bar", ["foo_bar", "foo", "bar"], id="snake case"),
        pytest.param("maxRetries", ["maxretri", "max", "retri"], id="camel case"),
        pytest.param("config.yaml", ["config.yaml", "config", "yaml"], id="a file"),
        pytest.param("C++", ["c++"], id="a language"),
    ],
)
def test_an_identifier_is_indexed_whole_and_in_parts(text: str, forms: list[str]) -> None:
    assert index_terms(text) == forms


def test_a_hyphenated_word_is_found_written_apart_or_together() -> None:
    forms = index_terms("the on-call engineer")

    assert set(index_terms("oncall")) <= set(forms)
    assert set(index_terms("call")) <= set(forms)


def test_chinese_is_cut_into_pairs_of_characters() -> None:
    assert index_terms("年假制度") == ["年假", "假制", "制度"]


def test_english_inside_chinese_stays_a_word() -> None:
    assert index_terms("S2级事故") == ["s2", "级事", "事故"]


def test_function_and_question_words_are_not_asked_for() -> None:
    assert [word.key for word in query_terms("What is the policy on leave, please?")] == [
        "polici",
        "leav",
    ]


def test_chinese_question_words_are_not_asked_for() -> None:
    assert [word.key for word in query_terms("请问年假有多少天？")] == ["年假"]


def test_a_question_of_one_character_still_asks_for_it() -> None:
    assert [word.key for word in query_terms("税")] == ["税"]


def test_a_department_in_capitals_is_no_pronoun() -> None:
    assert [word.written for word in query_terms("Who in IT helps us?")] == ["IT", "helps"]


def test_each_word_is_asked_for_once_as_it_was_written() -> None:
    words = query_terms("Leave and leaves before leaving")

    assert [(word.key, word.written) for word in words] == [("leav", "Leave")]


def test_nothing_comes_from_nothing() -> None:
    assert index_terms(" … ？！ --- ") == []
    assert query_terms("who are we?") == ()


@pytest.mark.parametrize(
    ("text", "language"),
    [
        pytest.param("How many days of leave?", "en", id="English"),
        pytest.param("年假有多少天？", "zh", id="Chinese"),
        pytest.param("请问 Kubernetes Pod 怎么重启？", "zh", id="Chinese with English names"),
        pytest.param("What does 年假 mean here?", "en", id="English with a Chinese word"),
        pytest.param("12345 !!", "en", id="neither"),
    ],
)
def test_language(text: str, language: str) -> None:
    assert language_of(text) == language


@pytest.mark.parametrize("word", ["S2", "ERR-4021", "v2.3.1", "foo_bar", "x@acme.example"])
def test_identifiers_are_known_as_such(word: str) -> None:
    assert is_identifier(word)


@pytest.mark.parametrize("word", ["leave", "on-call", "年假", "", "Smith"])
def test_words_are_no_identifiers(word: str) -> None:
    assert not is_identifier(word)


def test_stop_words() -> None:
    assert is_stop_word("The")
    assert not is_stop_word("IT")
    assert not is_stop_word("leave")
