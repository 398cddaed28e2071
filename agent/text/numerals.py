"""Numbers written in words: `twenty-five`, `two hundred`, `十五`, `一百二十`, `二〇二六`."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

_UP_TO_NINETEEN = """zero one two three four five six seven eight nine ten eleven twelve
thirteen fourteen fifteen sixteen seventeen eighteen nineteen"""
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"
_ENGLISH_SMALL = {word: value for value, word in enumerate(_UP_TO_NINETEEN.split())}
_ENGLISH_TENS = {word: value * 10 for value, word in enumerate(_TENS.split(), start=2)}
_ENGLISH_POWERS = {
    "hundred": 100, "thousand": 1_000, "million": 10**6, "billion": 10**9, "trillion": 10**12,
}  # fmt: skip
_ENGLISH_ORDINALS = {word: value for value, word in enumerate(_ORDINALS.split(), start=1)}
_ENGLISH_WORD = "|".join(
    sorted((*_ENGLISH_SMALL, *_ENGLISH_TENS, *_ENGLISH_POWERS, "dozen"), key=len, reverse=True)
)
ENGLISH_NUMERAL = (
    rf"(?:a (?=hundred|thousand|million|billion|dozen))?(?:{_ENGLISH_WORD})"
    rf"(?:(?:[ -]|,? and )(?:{_ENGLISH_WORD}))*"
)
"""Regex (case to be ignored) of a run of English number words."""

ENGLISH_ORDINAL = "|".join(_ENGLISH_ORDINALS)

_CHINESE_DIGITS = {
    "零": 0, "〇": 0, "一": 1, "二": 2, "两": 2, "兩": 2, "三": 3, "四": 4, "五": 5, "六": 6,
    "七": 7, "八": 8, "九": 9,
}  # fmt: skip
_CHINESE_POWERS = {"十": 10, "百": 100, "千": 1_000}
_CHINESE_MYRIADS = {"万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8}
CHINESE_NUMERAL = f"[{''.join((*_CHINESE_DIGITS, *_CHINESE_POWERS, *_CHINESE_MYRIADS))}]+"
"""Regex of a run of Chinese numerals."""


def english_numbers(run: str) -> list[Decimal]:
    """The numbers that a run of English number words names; `one and two` names two of them."""
    numbers: list[Decimal] = []
    for words in _english_groups(re.split(r"[ ,-]+", run.casefold())):
        numbers.append(_english_value(words))
    return numbers


def english_ordinal(word: str) -> Decimal:
    """`third` is 3.

    Raises:
        KeyError: not one of `ENGLISH_ORDINAL`.
    """
    return Decimal(_ENGLISH_ORDINALS[word.casefold()])


def chinese_number(run: str) -> Decimal | None:
    """What a run of Chinese numerals names; None where it names no one number (`千万`, `三五`)."""
    if all(character in _CHINESE_DIGITS for character in run):
        return _chinese_positional(run)
    if run[0] in _CHINESE_DIGITS or run[0] == "十":
        return Decimal(_chinese_value(run))
    return None


@dataclass
class _Sum:
    """A number while its words are added up."""

    total: int = 0
    current: int = 0

    def times(self, power: int) -> None:
        """Multiply what was said last, as `hundred` does."""
        self.current = max(self.current, 1) * power

    def close(self, power: int) -> None:
        """Multiply all since the last closing, as `thousand` and 万 do."""
        self.total += max(self.current, 1) * power
        self.current = 0

    @property
    def value(self) -> int:
        return self.total + self.current


def _english_groups(words: list[str]) -> Iterator[list[str]]:
    """Split where two words cannot belong to one number."""
    group: list[str] = []
    for word in words:
        if word in ("a", ""):
            continue
        if group and word != "and" and not _english_joins(group, word):
            yield group
            group = []
        group.append(word)
    yield group


def _english_joins(group: list[str], word: str) -> bool:
    last = group[-2] if group[-1] == "and" and len(group) > 1 else group[-1]
    if word in _ENGLISH_POWERS or word == "dozen":
        return group[-1] != "and"
    if last in _ENGLISH_POWERS:
        return True
    return last in _ENGLISH_TENS and 0 < _ENGLISH_SMALL.get(word, 0) < 10 and group[-1] == last


def _english_value(words: list[str]) -> Decimal:
    number = _Sum()
    for word in words:
        if word == "hundred":
            number.times(100)
        elif word == "dozen":
            number.times(12)
        elif word in _ENGLISH_POWERS:
            number.close(_ENGLISH_POWERS[word])
        else:
            number.current += _ENGLISH_SMALL.get(word, 0) + _ENGLISH_TENS.get(word, 0)
    return Decimal(number.value)


def _chinese_positional(run: str) -> Decimal | None:
    """Digits side by side: a year or one digit; 三五 means "three to five" and is no number."""
    if len(run) in (1, 4) or "〇" in run:
        return Decimal("".join(str(_CHINESE_DIGITS[character]) for character in run))
    return None


def _chinese_value(run: str) -> int:
    number = _Sum()
    section = 0
    digit = 0
    for character in run:
        if character in _CHINESE_DIGITS:
            digit = _CHINESE_DIGITS[character]
        elif character in _CHINESE_POWERS:
            section += (digit or 1) * _CHINESE_POWERS[character]
            digit = 0
        else:
            number.current += section + digit
            number.close(_CHINESE_MYRIADS[character])
            section = digit = 0
    return number.value + section + digit
