"""Where a second question begins in Chinese, and what it needs of the first to stand alone."""

import re

_ASKS = re.compile(
    r"什么时候|什麼時候|多少|多久|多长|多大|多高|多远|几(?![乎点])|谁|什么|甚麼|什麼|怎么|怎麼|怎样|如何|为何|为什么|哪|何时|何地"
    r"|是否|能否|可否|有没有|是不是|能不能|可不可以|要不要|吗|嗎"
)
_MARK = re.compile(r"[？?]+")
_COMMA = re.compile(r"[，,；;]\s*")
_JOINED = re.compile(
    r"\s*(?:以及|并且|還有|还有|另外|和(?=我|是否|能否|可以|能不能|可不可以|有没有))\s*"
)
_CONNECTOR = re.compile(
    r"^(?:以及|并且|並且|还有|另外|此外|同时|而且|而|和|且|那么|那|再问一下|请问)\s*"
)
_PRONOUN = re.compile(r"^(?:它们?|他们?|她们?|其|这个?|那个?)(?:的)?")
_SUBJECT_ENDS = re.compile(
    r"是|有|由|需要|要|怎么|怎样|如何|多少|多久|什么|谁|哪|几|何时|可以|应该|必须|会|能|在|默认"
)
_AND_THAT = re.compile(r"^(?P<thing>[^，,？?]{1,12})呢$")
_TITLE = re.compile(r"《[^》]+》")
_SHORT_CHARS = 8
_TERSE = 4
_NAMED = re.compile(r"[\u4e00-\u9fffA-Za-z ]{2,10}")
_FILLER = re.compile(r"真的|确定|是的?|对|好的?|你好|您好|在|请问|不是|没有|可以|谢谢|是真的")

_AND = r"\s*(?:和|与|與|跟|同|及|以及|、)\s*"
_SEPARATELY = re.compile(r"^(?P<left>.+?)分别(?P<tail>.*)$")
_SEPARATELY_FIRST = re.compile(
    rf"^分别(?P<head>.+?)(?P<a>[^，,和与]{{2,}}?){_AND}(?P<b>[^，,和与]+)$"
)
_LAST_AND = re.compile(rf"^(?P<a>.+?){_AND}(?P<b>[^和与與跟]+)$")
_DIFFERENCE = re.compile(
    rf"^(?:请问|请)?(?P<a>.+?){_AND}(?P<b>.+?)(?:之间)?(?:的)?(?:主要)?(?:有什么|有何|有哪些|有啥|是什么|的)?"
    r"(?:区别|不同|差别|差异|區別|差別)(?:是什么|是啥|在哪里?|在哪儿|有哪些|呢)?$"
)
_WHICH = re.compile(
    rf"^(?P<a>.+?){_AND}(?P<b>.+?)\s*(?:哪个|哪一个|谁)(?:更|比较)?(?P<quality>[^，,]{{1,6}})$"
)
_THAN = re.compile(
    r"^(?:请问)?(?P<a>[^\d谁]{2,}?)(?:是否|是不是)?比(?![例如赛较賽較])(?P<b>[^\d]{2,}?)(?:更|还|還|要|都)*"
    r"(?P<quality>[长長短多少高低大小快慢早晚贵貴]|便宜)(?:一些|一点|些)?(?:吗|嗎|么|呢)?$"
)
_OPPOSITE = {"短": "长", "少": "多", "低": "高", "小": "大", "慢": "快", "晚": "早", "便宜": "贵"}
_COMPARE = re.compile(rf"^(?:请|帮我)?(?:比较|对比)(?:一下)?(?P<a>.+?){_AND}(?P<b>.+)$")
_YEARS = re.compile(r"^(?P<a>\d{4}年)(?:和|与|、)(?P<b>\d{4}年.+)$")
_LATIN_TAIL = re.compile(r"[A-Za-z][\w.\-/]*\s*$", re.ASCII)
_LATIN_HEAD = re.compile(r"\s*[A-Za-z][\w.\-/]*", re.ASCII)
_TIME_HEAD = re.compile(r"^\d{4}(?:-\d{2,4})?(?:年(?:\d{1,2}月)?(?:\d{1,2}日)?|赛季|学年|财年)")
_REACH_CHARS = 7
_SHORT_NAME_CHARS = 3
_CHINESE_NAME = re.compile(r"[\u4e00-\u9fff]+")
_NAME_ENDS = frozenset(
    "国國省市县區区州年月日季度会會子队隊级級类類种種型版部司校院组组班员員卡险險假期制法品岗崗"
)


class Rules:
    """The rules for Chinese."""

    def compared(self, question: str) -> list[str]:
        """One question a side where two things are compared, else nothing."""
        pieces = _pieces(question)
        first = pieces[0] if pieces else ""
        if than := _THAN.match(first):
            said = str(than["quality"])
            quality = _OPPOSITE.get(said, said)
            ending = "有多少" if quality == "多" else f"有多{quality}"
            return [f"{than[side].strip()}{ending}？" for side in ("a", "b")]
        for pattern in (_DIFFERENCE, _COMPARE, _WHICH):
            if found := pattern.match(first):
                one, other = _both(found["a"], found["b"])
                asked = found.groupdict().get("quality")
                ending = f"有多{asked}" if asked else "是什么"
                return [f"{one.strip()}{ending}？", f"{other.strip()}{ending}？"]
        return []

    def asked(self, message: str) -> list[str]:
        """The questions of a message, each self-contained; one or none where it is single."""
        pieces = _pieces(message)
        if len(pieces) > 1 and all(map(_is_name, pieces)):
            return [f"{piece}？" for piece in pieces]
        clauses = [clause for piece in pieces for clause in _clauses(piece)]
        if len(clauses) == 1:
            return _separate(clauses[0])
        if len(clauses) == 2 and (other := _AND_THAT.match(clauses[1])):
            return _same_of(clauses[0], other["thing"])
        asking = [clause for clause in clauses if _ASKS.search(clause)]
        if len(asking) < 2 or len(asking) < len(clauses):
            return []
        subject = _subject(asking[0])
        return [f"{asking[0]}？", *(f"{_with_subject(each, subject)}？" for each in asking[1:])]

    def joined(self, question: str) -> list[str]:
        """The clauses of a question that may be two: worth a try where the whole led nowhere."""
        pieces = _pieces(question)
        parts = re.split(r"\s*(?:和|与|以及|并且)\s*", pieces[0]) if len(pieces) == 1 else []
        both = len(parts) == 2 and all(len(part) > _TERSE and _ASKS.search(part) for part in parts)
        return [f"{part}？" for part in parts] if both else []


RULES = Rules()


def _pieces(message: str) -> list[str]:
    return [piece.strip() for piece in _MARK.split(message) if piece.strip()]


def _clauses(piece: str) -> list[str]:
    """Cut at a comma where both sides ask."""
    clauses: list[str] = []
    for part in (part for half in _COMMA.split(piece) for part in _halves(half)):
        asks_too = _ASKS.search(part) or _AND_THAT.match(_CONNECTOR.sub("", part))
        if clauses and not (_ASKS.search(clauses[-1]) and asks_too):
            clauses[-1] = f"{clauses[-1]}，{part}"
        else:
            clauses.append(part)
    return [_CONNECTOR.sub("", clause).strip() for clause in clauses]


def _halves(part: str) -> list[str]:
    """Cut at a word that joins two clauses, where both sides ask."""
    for joint in _JOINED.finditer(part):
        left, right = part[: joint.start()], part[joint.end() :]
        if min(len(left), len(right)) > _TERSE and _ASKS.search(left) and _ASKS.search(right):
            return [left, *_halves(right)]
    return [part]


def _is_name(piece: str) -> bool:
    """Whether a piece only names something to look up: `保修？`"""
    return bool(_NAMED.fullmatch(piece)) and not (_ASKS.search(piece) or _FILLER.fullmatch(piece))


def _same_of(clause: str, thing: str) -> list[str]:
    """`产假多少天，陪产假呢` asks the same of another thing."""
    subject = _subject(clause)
    if not subject or not clause.startswith(subject):
        return []
    return [f"{clause}？", f"{thing}{clause.removeprefix(subject)}？"]


def _separate(question: str) -> list[str]:
    """`A和B分别是多少` asks for A and for B."""
    if found := _YEARS.match(question):
        one, other = _both(found["a"], found["b"])
        return [f"{one}？", f"{other}？"]
    if found := _SEPARATELY_FIRST.match(question):
        one, other = _both(f"{found['head']}{found['a']}", found["b"])
        return [f"{one}？", f"{other}？"]
    found = _SEPARATELY.match(question)
    sides = _LAST_AND.match(found["left"]) if found else None
    if not found or not sides or not _ASKS.search(found["tail"]):
        return []
    one, other = _both(sides["a"], sides["b"])
    return [f"{one.strip()}{found['tail']}？", f"{other.strip()}{found['tail']}？"]


def _both(left: str, right: str) -> tuple[str, str]:
    """Two coordinated names with what they share: 女子 and 男子单人滑 share 单人滑.

    There is no word segmenter here; the second name is taken to end like the first (…国, …年, …会)
    or to be the Latin word that faces another one.
    """
    left, right = left.rstrip(), right.lstrip()
    head = _head_length(left, right)
    if head:
        cut = _conjunct_length(left, head)
        return left + right[head:], left[: len(left) - cut] + right
    if "的" in right and "的" not in left:
        return left + right[right.index("的") :], right
    if len(left) <= _SHORT_NAME_CHARS and len(right) > len(left) and _CHINESE_NAME.fullmatch(left):
        return left + right[len(left) :], right  # two names of one length: 谷歌和百度
    time = _TIME_HEAD.match(left)
    if time and not _TIME_HEAD.match(right):
        return left, time.group() + right
    return left, right


def _head_length(left: str, right: str) -> int:
    """How much of the right side is the name that stands beside the left one; 0 if unknown."""
    if _LATIN_TAIL.search(left):
        latin = _LATIN_HEAD.match(right)
        return latin.end() if latin else 0
    at = right[:_REACH_CHARS].find(left[-1]) if left[-1] in _NAME_ENDS else -1
    return at + 1 if at > 0 else 0


def _conjunct_length(left: str, head: int) -> int:
    latin = _LATIN_TAIL.search(left)
    return len(latin.group()) if latin else min(head, len(left))


def _subject(clause: str) -> str:
    """What the first clause is about: a title, else what stands before its verb."""
    if title := _TITLE.search(clause):
        return title.group()
    end = _SUBJECT_ENDS.search(clause)
    before = clause[: end.start()].strip() if end else ""
    return before or _ASKS.sub("", clause).strip()


def _with_subject(clause: str, subject: str) -> str:
    """A later clause with the subject it leans on."""
    pronoun = _PRONOUN.match(clause)
    if pronoun and subject:
        joint = "的" if pronoun.group().endswith("的") or pronoun.group() == "其" else ""
        return f"{subject}{joint}{clause[pronoun.end() :]}"
    if subject and len(clause) <= _SHORT_CHARS and not _names_something(clause, subject):
        return f"{subject}，{clause}"
    return clause


def _names_something(clause: str, subject: str) -> bool:
    """Whether a clause names its own subject, or the first one's again."""
    pairs = (subject[at : at + 2] for at in range(len(subject) - 1))
    own = _TITLE.search(clause) or re.search(r"^我[^几多]{5}|[A-Za-z]", clause)
    return bool(own) or any(pair in clause for pair in pairs)
