"""Questions as they are typed in a hurry: no apostrophes, a please, a name before them."""

import pytest

from agent.talk import split_talk
from agent.text.tidying import spelled_out
from agent.text.words import query_terms


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("whats the hotel limit", "what's the hotel limit"),
        ("hows parental leave work", "how's parental leave work"),
        ("what is the whatsapp policy", "what is the whatsapp policy"),
        ("the show's shows", "the show's shows"),
    ],
)
def test_an_apostrophe_left_out_is_put_back_after_question_words(typed: str, read: str) -> None:
    assert spelled_out(typed) == read


@pytest.mark.parametrize("hasty", ["whats", "hows", "pls", "plz", "thx", "asap", "dont", "u"])
def test_hasty_words_are_not_what_is_asked(hasty: str) -> None:
    assert [word.written for word in query_terms(f"{hasty} parental leave")] == [
        "parental",
        "leave",
    ]


@pytest.mark.parametrize(
    "typed",
    [
        "Footnote, how long is parental leave?",
        "@Footnote: how long is parental leave?",
        "@jane.doe @bob how long is parental leave?",
        "how long is parental leave, footnote?",
        "how long is parental leave? @jane.doe",
    ],
)
def test_whom_it_is_said_to_is_not_part_of_the_question(typed: str) -> None:
    kind, question = split_talk(typed)

    assert kind is None
    assert question.rstrip("?") == "how long is parental leave"


def test_a_name_inside_a_question_stays() -> None:
    assert split_talk("what does a footnote cost?")[1] == "what does a footnote cost?"
    assert split_talk("which rooms does @jane.doe book?")[1] == "which rooms does @jane.doe book?"
