"""When a message in a thread is meant for us although nobody named us.

Only from the one who asked, soon after, with nobody else having spoken or being spoken to, and
only if it reads like a question. Everything else in the thread is people talking to each other.
"""

import re
from datetime import datetime, timedelta

from bots.conversation.question_store import ThreadState
from bots.conversation.questions import Follow, State
from bots.ports import Incoming

_QUIET = frozenset({"quiet", "be quiet", "安静", "闭嘴"})
_FORGET_ME = re.compile(
    r"(?:please |pls )?"
    r"(?:forget (?:me|about me|everything (?:about me|i (?:have )?(?:asked|said)))"
    r"|delete my (?:data|questions|history))(?: please)?"
    r"|(?:请)?(?:忘记|忘掉|删除)我(?:的(?:数据|提问|记录))?",
    re.IGNORECASE,
)
_ENDS_AS_QUESTION = re.compile(r"[?？]\s*$|(吗|呢|么)[。.!！]?\s*$")
_BEGINS_AS_QUESTION = re.compile(
    r"(and|but|or|so|what|how|when|where|who|whom|whose|why|which|can|could|may|must|do|does|did|"
    r"is|are|was|were|will|would|should|same for|except)\b",
    re.IGNORECASE,
)
_BEGINS_AS_CHINESE_QUESTION = re.compile(
    r"那|如果|怎么|什么|为什么|哪|谁|多少|几|能|可以|是否|有没有"
)
_LONGEST_ELLIPSIS_WORDS = 12


def is_quiet(text: str) -> bool:
    """Whether the message asks us to stay out of the thread."""
    return text.strip().rstrip(".!。！").lower() in _QUIET


def is_forget_me(text: str) -> bool:
    """Whether the asker wants what he asked to be forgotten."""
    return bool(_FORGET_ME.fullmatch(" ".join(text.split()).rstrip(".!。！ ")))


def reads_like_a_question(text: str) -> bool:
    """Whether a message is a question, or the rest of one ("and for part-time")."""
    text = text.strip()
    if _ENDS_AS_QUESTION.search(text):
        return True
    short = len(text.split()) <= _LONGEST_ELLIPSIS_WORDS and len(text) <= 120
    return short and bool(
        _BEGINS_AS_QUESTION.match(text) or _BEGINS_AS_CHINESE_QUESTION.match(text)
    )


def follows_up(
    incoming: Incoming, thread: ThreadState, now: datetime, *, within: timedelta
) -> bool:
    """Whether a message goes on with what its writer asked us in this thread."""
    return (
        thread.asker == incoming.asker
        and thread.follow is Follow.OPEN
        and thread.state is State.POSTED
        and now - thread.asked_at <= within
        and reads_like_a_question(incoming.text)
    )
