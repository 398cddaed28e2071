"""Numbers written in words."""

from decimal import Decimal

import pytest

from agent.text.numerals import chinese_number, english_numbers, english_ordinal


@pytest.mark.parametrize(
    ("words", "numbers"),
    [
        ("fourteen", [14]),
        ("twenty-five", [25]),
        ("two hundred and six", [206]),
        ("three thousand four hundred", [3400]),
        ("a hundred", [100]),
        ("two million", [2_000_000]),
        ("one and two", [1, 2]),
        ("five six", [5, 6]),
        ("two dozen", [24]),
    ],
)
def test_english_words_name_numbers(words: str, numbers: list[int]) -> None:
    assert english_numbers(words) == [Decimal(number) for number in numbers]


@pytest.mark.parametrize(
    ("run", "number"),
    [
        ("十五", 15),
        ("二十", 20),
        ("一百零五", 105),
        ("两千三百", 2300),
        ("三万五千", 35_000),
        ("一亿二千万", 120_000_000),
        ("二〇二六", 2026),
        ("三", 3),
    ],
)
def test_chinese_numerals_name_numbers(run: str, number: int) -> None:
    assert chinese_number(run) == number


@pytest.mark.parametrize("run", ["千万", "三五", "百"])
def test_some_chinese_runs_name_no_one_number(run: str) -> None:
    assert chinese_number(run) is None


def test_ordinals_have_a_number_too() -> None:
    assert english_ordinal("Third") == 3
