"""Messages that are no questions: greetings, thanks, help, and questions about the bot itself.

They are answered by fixed rules without a model, a citation or a gap. All of a message must be
small talk; where a question stands beside it, the question goes on alone.
"""

import re
import unicodedata
from collections.abc import Sequence

from agent.domain import Facts, SourceState
from agent.phrases import listed, phrase
from agent.talk.kinds import SOCIAL, TalkKind, patterns
from agent.text.tidying import says_nothing, tidied

_MENTION = re.compile(
    r"(?:<@[^>]{0,200}>|<at>[^<]{0,200}</at>|(?<![\w.])@[A-Za-z][\w-]*)\s*[:：,，]?", re.IGNORECASE
)
_EDGE = " \t\r\n,.!?;:、，。！？；：~～…-–—()（）*_\"'“”"
_SIGNS = {
    "👋": TalkKind.GREETING, "🙋": TalkKind.GREETING, "🙏": TalkKind.THANKS, "❤": TalkKind.THANKS,
    "🎉": TalkKind.THANKS, "💯": TalkKind.THANKS, "👍": TalkKind.ACKNOWLEDGED,
    "👌": TalkKind.ACKNOWLEDGED, "✅": TalkKind.ACKNOWLEDGED,
    "👏": TalkKind.THANKS, "🤝": TalkKind.THANKS,
}  # fmt: skip
_EMOJI = re.compile("[\u2190-\u2bff\ufe0f\u200d\U0001f000-\U0001faff]")
_SPELLED_SIGNS = {
    ":wave:": "👋", ":pray:": "🙏", ":+1:": "👍", ":thumbsup:": "👍", ":ok_hand:": "👌",
    ":heart:": "❤", ":tada:": "🎉", ":slightly_smiling_face:": "🙂", ":smile:": "😄",
    ":clap:": "👏", ":100:": "💯", ":white_check_mark:": "✅",
}  # fmt: skip
_PARTICLES = "啊呀啦哦哈呢吧嘛哟哇"
_SIGN = re.compile("|".join(_SIGNS))
_LEAD_IN = re.compile(
    r"(?:我)?(?:想|就)?(?:请问|问|请教|咨询|打听)(?:你|您)?(?:一)?下\s*[,，:：]?\s*"
    r"|(?:quick question|one question|a question|question)\s*[:,\-–—]\s*",
    re.IGNORECASE,
)
_CLOSING = re.compile(
    r"[\s,.!?;，。！？]*(?:(?<![A-Za-z])(?:many thanks|thanks(?: a lot| in advance)?|thank you"
    r"(?: very much| in advance)?|thx|ty|cheers)|(?:非常)?(?:谢谢|感谢|多谢)(?:你|您|啦|了)?)"
    r"[\s.!。！~]*$",
    re.IGNORECASE,
)
_QUESTION_FOLLOWS = re.compile(
    r"\s+(?=(?:so |and |but |now |then |also )?(?:what|which|who|whom|whose|when|where|why|how|is"
    r"|are|do|does|did|can|could|may|must|should|will|would|has|have|i|we|my|tell|show|list|give|find)\b)",
    re.IGNORECASE,
)
_GREETS = re.compile(
    r"(?:hi+|hey+|hello+)(?: there| all| team| everyone)?(?=\s)|[你您]好(?![奇学吃看])",
    re.IGNORECASE,
)
_LONGEST_CHARS = 200
_LONGEST_ROW = 12
_CLOSING_CHARS = 80
"""Thanks at the end are looked for in so many last characters."""
_SOURCES_NAMED = 4
_EXAMPLE_WORDS = 9
_EXAMPLES = 2
_NAMED_AT_THE_EDGE = re.compile(r"\A\s*(?:@[\w.-]+[\s,，:：]+)+(?=\S)|(?<=\S)(?:\s+@[\w.-]+)+\s*\Z")
"""Other people's names before or after a question: they are meant to read it, not asked about."""


def split_talk(text: str, bot_name: str = "Footnote") -> tuple[TalkKind | None, str]:
    """Part a message into small talk and the question beside it.

    Args:
        text: the message; mentions in it do not count.
        bot_name: may stand wherever somebody is spoken to.

    Returns:
        What the small talk wants (None where there is none), and what is left to be answered;
        nothing is left where all of it was small talk.
    """
    text = tidied(text)
    rest = _without_address(text, bot_name)
    if rest.strip() in ("?", "？"):
        return TalkKind.HELP, ""
    if says_nothing(rest) and not _SIGN.search(rest):
        return TalkKind.NO_QUESTION, ""
    kinds: list[TalkKind] = []
    while rest and len(kinds) < _LONGEST_ROW:
        kind, length = _next(rest)
        if kind is None:
            break
        kinds.append(kind)
        rest = rest[length:].lstrip(_EDGE)
    if not kinds:
        return None, _without_closing(_spoken_plainly(text, bot_name))
    return min(kinds, key=list(TalkKind).index), _without_closing(_LEAD_IN.sub("", rest, count=1))


def reply(
    text: str,
    facts: Facts,
    sources: Sequence[SourceState],
    examples: Sequence[str],
    language: str,
) -> str | None:
    """The fixed reply to a message that is no question.

    Args:
        text: the message.
        facts: the bot's name, how long texts are kept, who can see them.
        sources: those in the scope of the reply.
        examples: questions that can be asked, made from real headings.
        language: of the reply, `en` or `zh`.

    Returns:
        The reply; None where the message holds a question, which is to be answered instead.
    """
    kind, question = split_talk(text, facts.bot_name)
    if kind is None or question:
        return None
    values = {
        "bot": facts.bot_name,
        "sources": _sources(sources, language),
        "visible": facts.visible_to or phrase(language, "visible_default"),
        "days": facts.kept_days,
    }
    said = [phrase(language, key, **values) for key in _PHRASES.get(kind, (kind.value,))]
    if kind is TalkKind.WHOM_TO_ASK:
        said = _contacts(sources, language) or [phrase(language, "help", **values)]
    if kind in (TalkKind.GREETING, TalkKind.HELP):
        said += _try(examples, language)
    return phrase(language, "between").join(said)


_PHRASES: dict[TalkKind, tuple[str, ...]] = {
    TalkKind.PRIVACY: ("who_sees",),
    TalkKind.RETENTION: ("how_long_kept",),
    TalkKind.SOURCES: ("what_can_you_read",),
    TalkKind.ABOUT: ("what_are_you",),
    TalkKind.TRUST: ("help_promise",),
    TalkKind.WHOM_TO_ASK: (),
    TalkKind.HELP: ("help", "help_promise"),
}


def _without_address(text: str, bot_name: str) -> str:
    """The message without mentions of anybody and without the bot's name as an address."""
    name = re.escape(bot_name)
    text = _MENTION.sub(" ", text)
    for spelled, sign in _SPELLED_SIGNS.items():
        text = text.replace(spelled, sign)
    spoken_to = rf"(?:(?<=^)|(?<=[\s,，!！]))@?{name}(?=\s*[,，!！:：]|\s*$)"
    return re.sub(spoken_to, " ", text, flags=re.IGNORECASE).strip(" \t\r\n,，")


def _spoken_plainly(text: str, bot_name: str) -> str:
    """The question without whom it is said to, where that stands before or after it."""
    name = re.escape(bot_name)
    text = re.sub(rf"\A\s*@?{name}\s*[,，:：!！]\s*(?=\S)", "", text, flags=re.IGNORECASE)
    text = re.sub(
        rf"(?<=\S)[,，]\s*@?{name}\s*([?？!！.。]*)\s*\Z", r"\1", text, flags=re.IGNORECASE
    )
    return _NAMED_AT_THE_EDGE.sub("", text).strip()


def _next(rest: str) -> tuple[TalkKind | None, int]:
    """The small talk that a text begins with, and how many characters it takes."""
    if sign := _EMOJI.match(rest):
        return _SIGNS.get(sign.group(), TalkKind.ACKNOWLEDGED), sign.end()
    whole = _plain(_EMOJI.sub("", rest)) if len(rest) <= _LONGEST_CHARS else ""
    for kind, pattern in patterns().items():
        if not whole:
            break
        if pattern.fullmatch(whole) or pattern.fullmatch(whole.rstrip(_PARTICLES)):
            return kind, len(rest)
    return _social_start(rest)


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text).strip(_EDGE)


def _social_start(rest: str) -> tuple[TalkKind | None, int]:
    """Small talk before something else: the longest phrase that ends at a border."""
    for length in sorted(_borders(rest), reverse=True):
        piece = _plain(rest[:length])
        for kind in SOCIAL:
            bare = piece.rstrip(_PARTICLES)
            if patterns()[kind].fullmatch(piece) or (bare and patterns()[kind].fullmatch(bare)):
                return kind, length
    return None, 0


def _borders(rest: str) -> set[int]:
    """Where a first phrase may end: punctuation, a line, an emoji, or where a question begins."""
    marks = {
        match.end() for match in re.finditer(r"[,.!?;:，。！？；：~～\n]|\s[-–—]\s", rest[:80])
    }
    signs = {match.start() for match in _EMOJI.finditer(rest[:80])}
    questions = {match.start() for match in _QUESTION_FOLLOWS.finditer(rest[:80])}
    greeting = re.match(
        r"(?:hi+|hey+|hello+)(?: there| all| team| everyone)?(?=\s)|[你您]好(?![奇学吃看])",
        rest,
        re.IGNORECASE,
    )
    return marks | signs | questions | ({greeting.end()} if greeting else set())


def _without_closing(question: str) -> str:
    """A question without the thanks behind it; thanks alone stay."""
    head, tail = question[:-_CLOSING_CHARS], question[-_CLOSING_CHARS:]
    return f"{head}{_CLOSING.sub(_question_mark, tail, count=1)}".strip() or question


def _question_mark(closing: re.Match[str]) -> str:
    return next((mark for mark in closing.group() if mark in "?？"), "")


def _sources(sources: Sequence[SourceState], language: str) -> str:
    named = [
        phrase(
            language,
            "source_one" if source.documents == 1 else "source_many",
            name=source.name,
            count=source.documents,
        )
        for source in sources[:_SOURCES_NAMED]
    ]
    if len(sources) > _SOURCES_NAMED:
        named.append(phrase(language, "sources_more", count=len(sources) - _SOURCES_NAMED))
    return listed(language, named) or phrase(language, "no_sources")


def _contacts(sources: Sequence[SourceState], language: str) -> list[str]:
    return [
        phrase(language, "whom_to_ask", contact=source.contact, source=source.name)
        for source in sources[:_SOURCES_NAMED]
        if source.contact
    ]


def _try(examples: Sequence[str], language: str) -> list[str]:
    short = [example for example in examples if len(example.split()) <= _EXAMPLE_WORDS]
    quoted = [f"“{example}”" for example in short[:_EXAMPLES]]
    return [phrase(language, "examples", examples=listed(language, quoted))] if quoted else []
