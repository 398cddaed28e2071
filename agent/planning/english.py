"""Where a second question begins in English, and what it needs of the first to stand alone."""

import re
from collections.abc import Iterator

from agent.text.words import is_stop_word, query_terms

_PREPOSITION = (
    r"(?:(?:within|for|on|in|at|from|to|by|up to|until|after|with|under|of|about|starting) )?"
)
_WH = r"(?:what|which|who|whom|whose|when|where|why|how)"
_AUXILIARY = r"(?:is|are|was|were|do|does|did|can|could|may|must|should|will|would|has|have|am)"
_OPENS = (
    rf"(?:{_PREPOSITION}{_WH}(?:'s)?\b"
    rf"|{_AUXILIARY} (?:i|we|you|they|it|he|she|the|there|a|an|my|our)\b)"
)
_NEXT = re.compile(
    rf"\s*(?:[,;]\s*(?:and|as well as|plus|also|but)(?: also)?|;)\s+(?={_OPENS})"
    rf"|\s+(?:as well as|and also|and)\s+(?={_PREPOSITION}(?:what|when|where|how|who)(?:'s)?\b)",
    re.IGNORECASE,
)
_OWN_SUBJECT = (
    rf"(?:{_AUXILIARY} (?:i|we|you|they|he|she|there)"
    r"|(?:is|are|was|were|does|did|can|could|may|must|should|will|would) (?:my|our|it|there)"
    r"|(?:does|can|could|may|must|should|will|would) (?:the|an?))\b"
)
"""An auxiliary with a subject behind it: `and has a …` only goes on with a question."""
_AND_ASKS = re.compile(rf"\s+(?:as well as|and also|and|plus)\s+(?={_OWN_SUBJECT})", re.IGNORECASE)
_AND_NAMES = re.compile(
    r",?\s+and(?: also)?\s+(?=(?:is|are|do|does|can|could|may|must|should|will)\s+"
    r"(?!not\b|also\b|still\b|only\b|\w+(?:ed|able|ible)\b)[a-z][\w'-]+(?:\s+[\w'-]+)+)",
    re.IGNORECASE,
)
"""The same with a noun for a subject, which may as well be a verb or an adjective."""
_NAMED_AND_ASKED = re.compile(
    rf"(?P<name>[^?.!,;:]+?),?\s+and\s+(?P<asked>{_WH}\b.+)", re.IGNORECASE | re.DOTALL
)
"""`hotel limit Zurich and who approves …`: a thing that is only named, then a question."""
_INVERTED = re.compile(rf"^(?:how|when|where|why|what {_AUXILIARY})\b", re.IGNORECASE)
_NO_SUBJECT_WORDS = """really seriously sure ok okay right yes no hello hi hey please thanks sorry
and or also anyone anybody true correct huh eh"""
_NO_SUBJECT = frozenset(_NO_SUBJECT_WORDS.split())
_NOUNS_WORDS = 4
_COMMA = re.compile(rf",\s+(?={_PREPOSITION}{_WH}\b)", re.IGNORECASE)
_QUESTION = re.compile(rf"^(?:and |also |then |so |or )*{_OPENS}", re.IGNORECASE)
_HAS_QUESTION = re.compile(rf"\b{_WH}\b|^{_AUXILIARY}\b", re.IGNORECASE)
_CONNECTOR = re.compile(r"^(?:and|also|then|plus|as well as|but|so)\b[,\s]*", re.IGNORECASE)
_REFERS = re.compile(
    r"\b(?:it|its|they|them|their|this|these|those|he|she|him|her)\b"
    r"|\b(?:that|one|ones|there)(?=\s*(?:$|\?|,|be\b|happen|take|work|apply|cost|change))",
    re.IGNORECASE,
)
_ASKED = re.compile(
    rf"^{_PREPOSITION}(?:how (?:many|much|often|long|fast|far|soon|big|old|late|early|high|quickly)"
    rf"|{_WH})\b",
    re.IGNORECASE,
)
_QUESTIONS = re.compile(r"[^?]+\?+")
_SENTENCE = re.compile(r"(?<=[.!])\s+(?=[A-Z])")
_SUBJECT_WORDS = 6
_CONTEXT_CHARS = 200

_THING = r"(?P<a>[^,;:?]+?)"
_OTHER = r"(?P<b>[^,;:?]+?)"
_REGARDING = (
    r"(?:in terms of|regarding|concerning|with regard to|when it comes to|in|for|on|as to|about)"
)
_ASPECT = rf"(?P<aspect>\s*(?:[,:]\s*|\s{_REGARDING}\s).+?)?"
_VERSUS = r"(?:vs\.?|versus)"
_NAMES = r"(?:name|give|state|have|set|use|list|mention|specify|show|say)s?"
_COMPARISONS = tuple(
    re.compile(rf"^{pattern}\s*\?*\s*$", re.IGNORECASE)
    for pattern in (
        rf"(?:.*?\b)?(?:differences?|diffs?|distinction) between {_THING} (?:and|{_VERSUS}|&) "
        rf"{_OTHER}{_ASPECT}",
        rf"how (?:does|do|is|are) {_THING} (?:differ(?:ent)?|compare) (?:from|to|with) "
        rf"{_OTHER}{_ASPECT}",
        rf"how (?:do|are) {_THING} and {_OTHER} (?:differ(?:ent)?|compare){_ASPECT}",
        rf"(?:please |can you |could you )*compare {_THING} (?:and|with|to|against|{_VERSUS}) "
        rf"{_OTHER}{_ASPECT}",
        rf"{_THING} {_VERSUS} {_OTHER}{_ASPECT}",
        rf"{_THING} and {_OTHER} {_NAMES} (?:different|differing|conflicting|contradictory) "
        r"(?P<aspect>[^.?]+)\.[^.]*",
    )
)
_MEASURES = {
    "How long is": "longer shorter",
    "How much is": "higher lower more less bigger smaller larger greater cheaper costlier pricier",
    "When is": "earlier later sooner",
    "How fast is": "faster slower quicker",
}
_MEASURE = {word: asks for asks, words in _MEASURES.items() for word in words.split()}
_QUALITY = rf"(?P<quality>{'|'.join(_MEASURE)})"
_THAN = tuple(
    re.compile(rf"^{pattern}\s*\?*\s*$", re.IGNORECASE)
    for pattern in (
        rf"(?:so )?(?:is|are|was|were|do|does|did|will) {_THING}(?: last| take| cost)? "
        rf"(?:any |much |really )?{_QUALITY}(?: expensive)? than {_OTHER}",
        rf"(?:which|what)(?: one)? (?:is|are|lasts?|takes?|costs?) {_QUALITY}[,:]? {_THING},? "
        rf"or {_OTHER}",
    )
)
_SHARED = re.compile(r"^(?P<head>.+? (?:of|for|in|at|on) )\S.*$", re.IGNORECASE)
_BOUND = re.compile(r"\d|^(?:that|those|it|this)\b", re.IGNORECASE)
"""No name of something that is compared."""
_PLACED = re.compile(r"^(?:of|for|in|at|on)\s+", re.IGNORECASE)
_DETERMINER = re.compile(r"^(?:the|a|an|our|my|your)\s+", re.IGNORECASE)
_LEADING = re.compile(rf"^[\s,:]*{_REGARDING}?\s*", re.IGNORECASE)


class Rules:
    """The rules for English."""

    def compared(self, question: str) -> list[str]:
        """One question a side where two things are compared, else nothing."""
        if sides := _measured(question.strip()):
            return sides
        for pattern in _COMPARISONS:
            if (found := pattern.match(question.strip())) and _distinct(found["a"], found["b"]):
                one, other = _full_names(found["a"].strip(), found["b"].strip())
                aspect = _LEADING.sub("", found["aspect"] or "", count=1).strip(" ?.")
                return [_about(one, aspect), _about(other, aspect)]
        return []

    def asked(self, message: str) -> list[str]:
        """The questions of a message, each self-contained; one or none where it is single."""
        if nouns := _nouns(message):
            return nouns
        context, questions = _questions(message)
        clauses = [clause for question in questions for clause in _clauses(question)]
        if len(clauses) < 2:
            return []
        subject = _subject(clauses[0])
        first = _finished(clauses[0], context)
        return [
            first,
            *(_finished(_with_subject(clause, subject), context) for clause in clauses[1:]),
        ]

    def joined(self, question: str) -> list[str]:
        """The clauses of a question that may be two: worth a try where the whole led nowhere."""
        named = _NAMED_AND_ASKED.match(question.strip())
        if named and _is_name(named["name"]):
            return [_finished(named["name"], ""), _finished(named["asked"], "")]
        if not _INVERTED.match(question.strip()):
            return []
        clauses = list(_cut(question, _AND_NAMES))
        return [_finished(clause, "") for clause in clauses] if len(clauses) > 1 else []


RULES = Rules()


def _questions(message: str) -> tuple[str, list[str]]:
    """What is said before the first question, and the questions."""
    pieces = [piece.strip() for piece in _QUESTIONS.findall(message)] or [message.strip()]
    head = _SENTENCE.split(pieces[0])
    context = " ".join(head[:-1])
    questions = [head[-1], *(piece for piece in pieces[1:] if _asks(piece))]
    return (context if len(context) <= _CONTEXT_CHARS else ""), questions


def _nouns(message: str) -> list[str]:
    """The parts of a message that only names things, each with a mark: `battery life? warranty?`"""
    pieces = [piece.strip() for piece in _QUESTIONS.findall(message)]
    names = [piece for piece in pieces if _is_name(piece)]
    if len(pieces) < 2 or not message.strip().endswith("?") or not _is_name(pieces[0]):
        return []
    whole = all(piece in names or _asks(piece) for piece in pieces)
    return [_finished(_CONNECTOR.sub("", piece), "") for piece in pieces] if whole else []


def _is_name(piece: str) -> bool:
    """Whether a piece is a name of something to look up; a number would be a guess at an answer."""
    words = _CONNECTOR.sub("", piece.strip().rstrip("? ")).split()
    plain = {word.casefold().strip(",.!") for word in words}
    asks = _HAS_QUESTION.search(" ".join(words)) or any(map(str.isdigit, piece))
    short = 0 < len(words) <= _NOUNS_WORDS
    return short and not asks and not plain & _NO_SUBJECT and bool(query_terms(" ".join(words)))


def _asks(piece: str) -> bool:
    """Whether a later piece with a question mark is a question of its own."""
    return bool(_HAS_QUESTION.search(_CONNECTOR.sub("", piece)) and _says_something(piece))


def _clauses(question: str) -> list[str]:
    """Cut where a second question begins, if both sides ask something."""
    pieces = [part for piece in _cut(question, _NEXT) for part in _cut(piece, _AND_ASKS)]
    if len(pieces) > 1:
        pieces = [part for piece in pieces[:-1] for part in _cut(piece, _COMMA)] + pieces[-1:]
    return pieces


def _cut(question: str, border: re.Pattern[str]) -> Iterator[str]:
    start = 0
    for match in border.finditer(question):
        left, right = question[start : match.start()], question[match.end() :]
        if _complete(left) and _complete(right) and not _relative(question[: match.start()], right):
            yield left.strip()
            start = match.end()
    yield question[start:].strip()


def _complete(clause: str) -> bool:
    """Whether a clause asks and says what about: `when` in `when and where` does not."""
    return bool(_HAS_QUESTION.search(clause.strip())) and _says_something(clause)


def _says_something(clause: str) -> bool:
    return bool(query_terms(clause)) and len(clause.split()) > 1


def _relative(left: str, right: str) -> bool:
    """Whether `and who …` goes on with an earlier `who …` that is no question."""
    word = right.split(maxsplit=1)[0].casefold()
    return bool(word in ("who", "which", "whose") and re.search(rf"\w\s+{word}\b", left.casefold()))


def _with_subject(clause: str, subject: str) -> str:
    """A later clause with the subject it leans on, in brackets."""
    clause = _CONNECTOR.sub("", clause).strip()
    leans = _REFERS.search(clause) or len(query_terms(clause)) < 2
    if not subject or not leans:
        return clause
    return f"{clause.rstrip(' ?.')} ({subject})"


def _subject(clause: str) -> str:
    """The words of the first clause that say what it is about."""
    kept = [word.strip(".,;:?!()") for word in _ASKED.sub("", clause).split()]
    words = [word for word in kept if word and not is_stop_word(word) and query_terms(word)]
    return " ".join(words[:_SUBJECT_WORDS])


def _finished(clause: str, context: str) -> str:
    text = clause.strip().rstrip("?.! ,;")
    text = f"{text[:1].upper()}{text[1:]}?"
    return f"{context} {text}" if context else text


def _distinct(one: str, other: str) -> bool:
    return one.casefold().strip() != other.casefold().strip() and bool(query_terms(other))


def _measured(question: str) -> list[str]:
    """`Is A longer than B` asks how long each is; nothing where a side is a number or a pronoun."""
    found = next(filter(None, (pattern.match(question) for pattern in _THAN)), None)
    if found is None:
        return []
    one, other = found["a"].strip(), found["b"].strip()
    named = _distinct(one, other) and bool(query_terms(one)) and not _BOUND.search(other)
    if not named:
        return []
    asks = _MEASURE[found["quality"].casefold()]
    return [f"{asks} {side}?" for side in _full_names(one, other)]


def _full_names(one: str, other: str) -> tuple[str, str]:
    """`critical` and `high vulns` are `critical vulns` and `high vulns`.

    `the price of A` and `B` are `the price of A` and `the price of B`, and so is `of B`.
    """
    shared = _SHARED.match(one)
    if shared and not _SHARED.match(other):
        return one, f"{shared['head']}{_PLACED.sub('', other)}"
    short, long = _DETERMINER.sub("", one).split(), _DETERMINER.sub("", other).split()
    if len(short) < len(long) and (short[-1].islower() or _alike(short[-1], long[len(short) - 1])):
        return " ".join((one, *long[len(short) :])), other
    return one, other


def _alike(one: str, other: str) -> bool:
    """Whether two names have one shape: `S1` and `S2`, `ISO` and `NSO`, `2024` and `2026`."""
    return one.isupper() == other.isupper() and one.isdigit() == other.isdigit()


def _about(thing: str, aspect: str) -> str:
    if not aspect:
        return f"What about {thing}?"
    return f"{thing[:1].upper()}{thing[1:]}: {aspect}?"
