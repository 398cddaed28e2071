"""Words that tell little about what is asked, though they are no stop words.

"Pick" and "happen" stand in sentences about anything; "limit" and "length" say which kind of
answer is wanted; a "friend" may be called anything else. They may be missing from an answer, and
finding one of them alone is chance.
"""

from agent.text.words import stem

LIGHT_WEIGHT = 0.4
"""Such a word weighs so much of what its rarity would give it."""

_ACTIONS = """
    answer ask become begin bring come expect explain find finish happen hear helpful keep know
    look mean mention pick respond reply say see seem show stand start stop suppose talk tell think
    touch try turn useful want wonder
    became began brought came found heard kept known meant said saw seen stood thought told
    tried
    able actually allowed close currently exactly fast generally long longer longest normally
    possible quickly usually
"""
_KINDS = """
    amount bonus length life lifespan lifetime limit maximum minimum number period rule size
"""
_PEOPLE = """
    buddy chap colleague coworker folk friend guy mate pal
"""
_CHINESE = frozenset(("最多", "最少", "至少", "最高", "最低", "最长", "朋友", "同事", "一次"))


def _stems(words: str) -> frozenset[str]:
    return frozenset(stem(word) for word in words.split())


_LIGHT_ACTIONS = _stems(_ACTIONS)
_LIGHT = _LIGHT_ACTIONS | _stems(_KINDS) | _stems(_PEOPLE)


def lightness(written: str) -> float:
    """What a word of a question weighs as a share of its rarity, above 0 to 1."""
    if written in _CHINESE or (_is_plain(written) and stem(written.casefold()) in _LIGHT):
        return LIGHT_WEIGHT
    return 1.0


def is_action(written: str) -> bool:
    """Whether an English word only says what is done or how, never what is asked about."""
    return _is_plain(written) and stem(written.casefold()) in _LIGHT_ACTIONS


def _is_plain(written: str) -> bool:
    """Written as a word, not as an acronym."""
    return written.isascii() and not (written.isupper() and len(written) > 1)
