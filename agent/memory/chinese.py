"""Follow-ups in Chinese: `那兼职呢？`, `它默认端口是多少？`, `需要多久？`."""

import re

from agent.memory.contrasts import replaced
from agent.text.stopwords import CHINESE_FILLERS

_OPENER = re.compile(r"(?:(?:那么?|还有|另外|然后|而|以及|再问一下|那如果是?|如果是|换成)[，, ]*)+")
_CLOSER = re.compile(r"(?:的)?(?:呢|怎么样|又如何)?[？?！!。. ]*$")
_ENDS_ELLIPTIC = re.compile(r"(?:呢|又如何)[？?！!。. ]*$")
_QUESTION_WORD = re.compile(
    r"什么|怎么|怎样|如何|为何|多少|多久|多长|多大|哪|谁|几|是否|能否|可否|有没有|是不是|能不能|吗|何"
)
_PRONOUN = re.compile(
    r"它们?|这个|那个|这些|那些|该(?=[^怎])|上述|刚才(?:说的|那个)?|其(?=[中默的])"
)
_BARE_PRONOUN = re.compile(r"它们?|(?:这个|那个)(?=[是有能要会怎多默在的])")
_TOPIC_DROPPED = re.compile(
    r"请问|想问下?|是什么意思|是什么|什么是|是多少|有多少|有哪些|是哪些|默认是|怎么|怎样|如何|"
    r"有?多少(?:天|个|次|钱|元)?|多久一?次?|多长时间|什么时候|何时|在?哪里?|哪些|哪个|"
    r"(?:一年)?(?:能|可以)?有?几(?:个|天|次|种|类|周|小时)|"
    r"吗|呢|[？?！!。]"
)
_MEANT = re.compile(
    r"(?:不[，, ]*)?我(?:问|说|指)的是(.+?)的?(?:[，,; ]+(?:而)?不是(.+?)的?)?[。.！!]*$"
)
_LATIN_NAME = re.compile(r"[A-Za-z][\w.+/-]*")
_FILLERS = re.compile(
    "|".join(CHINESE_FILLERS) + r"|[\s，。？?！!、,]|需要|能|会|要|是|有|在|一般|大概|通常"
)

_LITTLE = 2
"""Characters besides question words with which a clause says nothing of its own."""


def rewrite(said: str, earlier: str) -> tuple[str, str] | None:
    """The standalone question and its focus; None where `said` stands alone."""
    meant = _MEANT.match(said)
    if meant:
        return _instead(earlier, meant.group(1), meant.group(2) or ""), meant.group(1)
    opener = _OPENER.match(said)
    rest = said[opener.end() :] if opener else said
    if _ENDS_ELLIPTIC.search(rest) and not _QUESTION_WORD.search(_CLOSER.sub("", rest)):
        return _elliptic(_CLOSER.sub("", rest), earlier)
    if opener and not _QUESTION_WORD.search(rest):
        return _elliptic(_CLOSER.sub("", rest), earlier)
    return _leaning(rest, earlier)


def dangling(said: str) -> str:
    """The pronoun that a message without earlier turns leaves open; empty where it says enough."""
    pronoun = _BARE_PRONOUN.search(said)
    if pronoun is None or _LATIN_NAME.search(said):
        return ""
    own = _FILLERS.sub("", said.replace(pronoun.group(), "", 1))
    return pronoun.group() if len(own) <= _LITTLE else ""


def _elliptic(phrase: str, earlier: str) -> tuple[str, str] | None:
    phrase = phrase.strip("，, ")
    if not phrase:
        return None
    swapped = replaced(earlier, phrase) or _latin_swapped(earlier, phrase)
    return swapped or f"{phrase}{_gap(phrase)}{earlier}", phrase


def _leaning(rest: str, earlier: str) -> tuple[str, str] | None:
    """A clause of its own that leans by a pronoun, or by saying nothing itself."""
    topic = _topic(earlier)
    pronoun = _PRONOUN.search(rest)
    if pronoun and topic:
        bare = _BARE_PRONOUN.match(rest, pronoun.start())
        if bare:
            return f"{rest[: bare.start()]}{topic}{_gap(topic)}{rest[bare.end() :]}", ""
        return f"{topic}{_gap(topic)}{rest}", ""
    own = _FILLERS.sub("", rest)
    if topic and len(own) <= _LITTLE and not _LATIN_NAME.search(rest):
        return f"{topic}{_gap(topic)}{rest}", ""
    return None


def _instead(earlier: str, wanted: str, unwanted: str) -> str:
    if unwanted and unwanted in earlier:
        return earlier.replace(unwanted, wanted, 1)
    return replaced(earlier, wanted) or f"{wanted}{_gap(wanted)}{earlier}"


def _latin_swapped(earlier: str, phrase: str) -> str | None:
    """`BestEffort 呢` after `Guaranteed 适合什么`: one Latin name stands for the other."""
    if not _LATIN_NAME.fullmatch(phrase):
        return None
    name = _LATIN_NAME.search(earlier)
    return earlier[: name.start()] + phrase + earlier[name.end() :] if name else None


def _topic(earlier: str) -> str:
    return _TOPIC_DROPPED.sub("", earlier).strip("，, 的")


def _gap(phrase: str) -> str:
    return " " if phrase[-1:].isascii() else ""
