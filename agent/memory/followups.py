"""A follow-up as a question that stands alone: `and for part-time?` needs the turn before.

Rules, no model, English and Chinese. What is put together is shown to the asker ("Understood:
…"), so it reads as a sentence where it can. Words a follow-up brings of its own are its *focus*:
an answer that does not speak of them answers the earlier question, not this one.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from agent.domain import Outcome
from agent.memory import chinese
from agent.memory.contrasts import replaced
from agent.memory.doubts import doubts
from agent.memory.turns import Turn
from agent.text.words import is_stop_word, language_of, query_terms

_KEYWORDS = 4
"""A message of so many words that asks nothing names what it is about last."""
_LONGEST_CHARS = 500
"""A longer message says enough by itself."""
_CLOSING_CHARS = 80
_OPENER = re.compile(
    r"(?:(?:ok(?:ay)?|and|but|so|then|also|plus|or|hmm+|what about|how about|what(?= if)|"
    r"(?:and )?(?:the )?same (?:question )?for)\b[\s,:]*)+",
    re.IGNORECASE,
)
_CLOSER = re.compile(
    r"(?:[\s,]+(?:too|then|as well|instead|though|please|pls))*[\s?!.]*$", re.IGNORECASE
)
_WH = r"(?:how|what|when|where|who|whom|whose|which|why)"
_AUX = (
    r"(?:is|are|was|were|do|does|did|can|could|should|shall|must|will|would|may|might|has|have|"
    r"am|isn't|aren't|don't|doesn't|can't|won't)"
)
_PREDICATE = re.compile(rf"(?:{_WH}(?:'s|’s|s)?\b\s+\S+|{_AUX}\b\s+\S+)", re.IGNORECASE)
_ASKS_ALONE = re.compile(
    rf"(?:(?:until|till|since|by|from|for|to|in|at|on|with|per|after|before|up to) )?{_WH}"
    r"(?: (?:long|many|much|often|fast|soon|far|early|late|exactly|else))?"
    r"(?: (?:from|to|for|at|then|exactly))?",
    re.IGNORECASE,
)
_PRONOUN = re.compile(
    r"\b(?:it|its|they|them|their|those|these|this|the same)\b"
    r"|\b(?:about|of|do|does|is|for|with|to|like|after|before|get|on|in) that\b|\bthat(?=\s*\??$)",
    re.IGNORECASE,
)
_PART_TIMERS = re.compile(r"\b(part|full)[- ]?timers?\b", re.IGNORECASE)
_DUMMY = re.compile(
    r"\b(?:what|which) (?:time|day|date|weekday|month|year|hour) is it\b|\bhow late is it\b"
    r"|\bhow(?: is|['’]s) it going\b|\bis it (?:raining|snowing|sunny|hot|cold|dark|late|\w+day)\b|"
    r"\bit (?:takes?|possible|ok|okay|allowed|true|necessary|mandatory|required) (?:to|that|for)\b"
    r"|\bis it (?:possible|ok|okay|allowed|true|necessary|mandatory|required)\b"
    r"|\bit take to\b|\bthis (?:year|month|week|quarter|company)\b",
    re.IGNORECASE,
)
_PREPOSITION = re.compile(
    r"(?:for|in|at|on|with|without|as|if|from|during|after|before|per|to|under|by|via)\b",
    re.IGNORECASE,
)
_QUESTION_START = re.compile(
    rf"(?:so |and |ok |please |pls )*{_WH}(?:'s|’s)?(?: (?:long|many|much|often|fast|soon|far|big|"
    rf"large|old|high))?\b(?: {_AUX}\b)?|{_AUX}\b",
    re.IGNORECASE,
)
_WHO_DOES = re.compile(
    r"who (?!is |was |are |were |do |does |can |should |must )\w+ ", re.IGNORECASE
)
_LEANED_ON = re.compile(r"\(([^()]+)\)$| — ([^—]+)$")
"""What an earlier follow-up itself leaned on, as it was put behind it."""
_SUBJECT = re.compile(
    r"\s*(?:i|we|you|one|they|someone|people|to)\b(?:\s+(?:have|need|get|want) to\b)?",
    re.IGNORECASE,
)
_MEANT = re.compile(
    r"(?:(?:no|nope|wrong|not that)\b[,.!]?\s+)?(?:sorry[,.]?\s+)?"
    r"i (?:meant|mean|asked about|was asking about)\s+(.+?)"
    r"(?:[,;]?\s+(?:and )?not\s+(.+?))?[.!?]*$",
    re.IGNORECASE,
)
_ORDER = re.compile(
    r"^\s*(?:please\s+|pls\s+)?(?:answer|reply|respond|say)\b[^:：?？\n]{0,80}[:：]\s*(?=\S)"
    r"|^\s*请?(?:你)?(?:直接)?(?:回答|回复)[^：:？?\n]{0,30}[：:]\s*(?=\S)",
    re.IGNORECASE,
)
_LISTED_ZH = re.compile(
    r"^\s*(?:请|麻烦)?(?:你)?把\s*(?P<what>.{2,40}?)\s*(?:全部|全|都)?(?:列|列举|写|找|说)"
    r"(?:全|一下|出来|给我)*\W*$"
    r"|^\s*(?:请|麻烦)?(?:你)?(?:帮我)?(?:列出|列举|罗列)(?:一下)?(?:所有|全部)?(?:的)?"
    r"\s*(?P<named>[^，。？?]{2,40}?)\W*$"
)
_GENERAL_STEMS = """
    day week month year hour time long cost pay paid money peopl person ask contact approv need
    appli requir request take work done start end link page document detail exampl
"""
_GENERAL = frozenset(_GENERAL_STEMS.split())
"""Stems that name no subject of their own."""


@dataclass(frozen=True, slots=True)
class Understood:
    """A message as a question that stands alone.

    Attributes:
        question: standalone.
        focus: words of the follow-up that an answer must speak of.
        rewritten: whether it differs from what was said.
    """

    question: str
    focus: str = ""
    rewritten: bool = False


def without_orders(said: str) -> str:
    """A message without an order on how to answer put before it; how is not the asker's choice.

    The order's words are not what is asked, and searching for them would find nothing.
    """
    asked = _ORDER.sub("", said, count=1) or said
    listed = _LISTED_ZH.match(asked)
    return f"{listed['what'] or listed['named']}有哪些？" if listed else asked


def understand(said: str, turns: Sequence[Turn]) -> Understood:
    """The question behind a message, completed from the turns before where it leans on them.

    Args:
        said: the asker's words.
        turns: earlier turns of the same thread and scope, oldest first.
    """
    if not turns:
        return Understood(said)
    if len(said) > _LONGEST_CHARS:
        return Understood(said)
    before = turns[-1]
    earlier = _leaned_on(turns)
    completed = _completed(said.strip(), earlier)
    if completed is None and before.answer.outcome is Outcome.CLARIFY and not _asks(said):
        completed = (f"{_bare(earlier)} — {_bare(said)}?", said)
    if completed is None:
        return Understood(said)
    question, focus = completed
    return Understood(question, focus, rewritten=question.strip() != said.strip())


def _leaned_on(turns: Sequence[Turn]) -> str:
    """The question that a message leans on: the last one, or, where that only led on from an
    answered one into nothing, the answered one.
    """
    last = turns[-1]
    led_on = last.understood.strip() != last.said.strip()
    in_vain = led_on and last.answer.outcome is Outcome.NOT_COVERED
    answered = (Outcome.ANSWERED, Outcome.PARTIAL)
    if in_vain and len(turns) > 1 and turns[-2].answer.outcome in answered:
        return turns[-2].understood
    return last.understood


def _completed(said: str, earlier: str) -> tuple[str, str] | None:
    if doubts(said):
        return earlier, ""
    language = language_of(said)
    if language != language_of(earlier):  # at most a name in the place of another
        name = _bare(said)
        swapped = replaced(earlier, name)
        return (swapped, name) if swapped else None
    return (chinese.rewrite if language == "zh" else _rewrite)(said, earlier)


def dangling(said: str) -> str:
    """The pronoun that a message without earlier turns leaves open; empty where it says enough."""
    if language_of(said) == "zh":
        return chinese.dangling(said)
    text = _closed(said.strip())
    pronoun = None if _DUMMY.search(text) else _PRONOUN.search(text)
    if pronoun is None or not _asks(text) or len(query_terms(text)) > 1:
        return ""
    return pronoun.group().split()[-1]


def _rewrite(said: str, earlier: str) -> tuple[str, str] | None:
    """The standalone question and its focus; None where `said` stands alone."""
    said = _PART_TIMERS.sub(r"\1-time", said)
    meant = _MEANT.match(said)
    if meant:
        return _instead(earlier, meant.group(1), meant.group(2) or "")
    opener = _OPENER.match(said)
    rest = _closed(said[opener.end() :] if opener else said).strip()
    if not rest:
        return None
    if _asks(rest):
        return _asked(rest, earlier, opened=opener is not None)
    return _elliptic(rest, earlier, opened=opener is not None, asked="?" in said)


def _asked(rest: str, earlier: str, *, opened: bool) -> tuple[str, str] | None:
    """A whole clause: it leans on the turn before by a pronoun, or by saying nothing itself."""
    pronoun = None if _DUMMY.search(rest) else _PRONOUN.search(rest)
    own = query_terms(rest)
    if pronoun is not None and len(own) <= 3:
        return _with_topic(rest, earlier, pronoun), ""
    bare = _asks_alone(rest)
    if not own or bare or (opened and all(term.key in _GENERAL for term in own)):
        return f"{rest} — {_topic(earlier)[0]}?", ""
    return (f"{rest}?", "") if opened else None


def _elliptic(rest: str, earlier: str, *, opened: bool, asked: bool) -> tuple[str, str] | None:
    """No clause: a noun or a phrase that takes the place of one in the question before."""
    words = len(rest.split())
    leads = _PREPOSITION.match(rest)
    if not (opened or (words <= 6 and leads) or (asked and words <= 3)):
        return None
    named = rest[leads.end() :].strip() if leads else rest
    swapped = replaced(earlier, named) if words <= 4 else None
    if swapped:
        return swapped, named
    if leads and _only_names(earlier) and len(named.split()) == 1:
        return f"{_bare(earlier).rpartition(' ')[0]} {named}", named
    if leads:
        return f"{_without(leads.group(), _bare(earlier))} {rest}?", named
    return (
        (f"{_without('for', _bare(earlier))} for {rest}?", rest) if opened or words == 1 else None
    )


def _only_names(earlier: str) -> bool:
    """Whether an earlier message only set words side by side: `hotel limit zurich`."""
    words = _bare(earlier).split()
    return 1 < len(words) <= _KEYWORDS and not any(map(is_stop_word, words))


def _without(preposition: str, earlier: str) -> str:
    """The question before its last phrase with this preposition, whose place is taken."""
    pattern = re.compile(rf"\s{preposition}\b", re.IGNORECASE)
    found = pattern.search(earlier, earlier.rfind("?") + 1)
    return earlier[: found.start()] if found and found.start() > 8 else earlier


def _instead(earlier: str, wanted: str, unwanted: str) -> tuple[str, str]:
    if unwanted:
        swapped, count = re.subn(re.escape(unwanted), wanted, earlier, count=1, flags=re.IGNORECASE)
        if count:
            return swapped, wanted
    if leads := _PREPOSITION.match(wanted):
        named = wanted[leads.end() :].strip()
        return f"{_without(leads.group(), _bare(earlier))} {wanted}?", named
    return replaced(earlier, wanted) or f"{_bare(earlier)} — {wanted}?", wanted


def _with_topic(rest: str, earlier: str, pronoun: re.Match[str]) -> str:
    topic, is_action = _topic(earlier)
    if not is_action and pronoun.group().casefold() in ("it", "this"):
        return f"{rest[: pronoun.start()]}{topic}{rest[pronoun.end() :]}?"
    return f"{rest} ({topic})?"


def _topic(earlier: str) -> tuple[str, bool]:
    """What the earlier question was about, and whether that is something one does."""
    text = _bare(earlier)
    leaned_on = _LEANED_ON.search(text)
    if leaned_on:
        return leaned_on.group(1) or leaned_on.group(2), True
    doer = _WHO_DOES.match(text)
    if doer:
        return text[doer.end() :], False
    start = _QUESTION_START.match(text)
    if start is None:
        return text, False
    rest = text[start.end() :]
    subject = _SUBJECT.match(rest)
    topic = rest[subject.end() if subject else 0 :].strip()
    return topic or text, subject is not None


def _asks(text: str) -> bool:
    return _PREDICATE.match(text) is not None or _asks_alone(text)


def _asks_alone(text: str) -> bool:
    """Whether a message is a question word and nothing else: `why`, `until when`, `by whom`."""
    return _ASKS_ALONE.fullmatch(text.strip(" ?!.")) is not None


def _closed(said: str) -> str:
    """A message without marks and courtesies at its end, as far as they reach back."""
    text = said.rstrip(" \t\r\n?!.")
    return text[:-_CLOSING_CHARS] + _CLOSER.sub("", text[-_CLOSING_CHARS:], count=1)


def _bare(question: str) -> str:
    return question.strip().rstrip("?？!.。 ")
