"""Messages that are mostly marks: tidied, and no rule over them that looks back at every mark."""

import subprocess
import sys

import pytest

from agent.text.tidying import says_nothing, tidied

_RULES = """
import sys
from agent.memory.followups import dangling, understand, without_orders
from agent.planning import by_clauses, plan
from agent.talk import split_talk
from agent.talk.properties import asked_property
from agent.text.folding import find_parts, fold
from agent.text.sentences import sentences
from agent.text.values import foreign, values
rules = (dangling, without_orders, by_clauses, plan, split_talk, asked_property, fold, sentences,
         values, lambda text: foreign(text, ["a"]), lambda text: find_parts(text, "abc"))
for rule in rules:
    rule(sys.argv[1] * (20_000 // len(sys.argv[1])) + " x")
"""
_HANG_S = 60
"""A guard against hanging alone: rules that go over a text once take less than one second."""


@pytest.mark.parametrize(
    ("text", "tidy"),
    [
        ("what is the limit?", "what is the limit?"),
        ("what??!!", "what??!!"),
        ("a" + "?" * 40_000 + "b", "a???????? b"),
        ("- one\n\n- two", "- one\n\n- two"),
        ("one" + " " * 100 + "\ntwo", "one        \ntwo"),
        ("what\x00 is\x1b it", "what  is  it"),
        ("年假" + "。" * 100 + "多少天", "年假。。。。。。。。 多少天"),
    ],
)
def test_marks_are_cut_short_and_words_stay(text: str, tidy: str) -> None:
    assert tidied(text) == tidy


@pytest.mark.parametrize(
    ("text", "nothing"), [("", True), ("?! 😀\n", True), ("a?", False), ("年", False), ("7", False)]
)
def test_letters_and_digits_say_something(text: str, nothing: bool) -> None:
    assert says_nothing(text) is nothing


@pytest.mark.parametrize(
    "unit", ["?", "! ", "。", ", ", "…", ". ", "-", "_", "\n", "a.b", "a-", "\u0301", "<@", "too "]
)
def test_no_rule_hangs_over_a_row_of(unit: str) -> None:
    subprocess.run([sys.executable, "-c", _RULES, unit], check=True, timeout=_HANG_S)
