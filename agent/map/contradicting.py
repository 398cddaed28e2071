"""Documents that state different figures for the same thing: "28 days of annual leave", "25 days".

Made to be believed: two statements count only if they speak of the same subject in the same words,
each with one figure of one unit, in documents that both hold today. What a reader would call two
cases (two offices, two grades, at least and at most) is left alone.
"""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from agent.citations.widening import has_negation
from agent.domain import DocId
from agent.text.sentences import sentences
from agent.text.values import Value, ValueKind, values
from agent.text.words import stem, term_set

MOST_STATEMENTS = 50_000
_LONGEST_CHARS = 280
_SHARED = 2
"""Words (Chinese: pairs of characters) that two statements must share, light ones aside.

One is enough where both consist of it alone and stand under headings that name it.
"""
_MOST_FIGURES = 2
"""A statement for which there are more, each in a document of its own, is a form filled in."""
_MOST_POSTED = 60
_FIGURE = re.compile(r"\d|[一二三四五六七八九十百千]\s?(?:天|个|周|年|月|元|小时|分)")
_LEAST = re.compile(
    r"\b(?:at least|minimum|min\.|no less|not less|more than|over|from)\b"
    r"|至少|不少于|不低于|最少|以上"
)
_MOST = re.compile(
    r"\b(?:up to|at most|maximum|max\.|no more|not more|less than|under|within|until)\b"
    r"|最多|不超过|最高|以内|以下|上限"
)
_LIGHT_WORDS = """
    employee employees staff everybody everyone anyone people person persons colleague colleagues
    member members team company entitled entitlement get gets receive receives given granted allowed
    allowance may must can shall should will have has had take takes per each every year years
    yearly day days week weeks month months hour hours minute minutes second seconds night
    nights limit limits limited maximum minimum amount period total least most within after before
    normally usually currently new full time paid pays pay costs cost euro euros dollar dollars eur
    usd gbp percent number standard general generally apply applies applied is are be been
    reimbursed reimburse reimburses set fixed date
    last updated update revised reviewed modified published created version
    offer offers offered grant grants provide provides provided amounts employer
"""
_LIGHT = frozenset(stem(word) for word in _LIGHT_WORDS.split())
_LIGHT_CHINESE = re.compile(
    "员工|公司|可以|可享受?|享有|享受|应当?|须|标准|期限|时间|金额|费用|价格|上限|下限|最多|最少|最高|最低"
    "|至少|不超过|不少于|不低于|以内|以上|以下|有效期|自然|工作|更新|修订|发布|版本|日期|起?施行|生效|实施|执行"
    "|[每的是为在了和及与或共有可享由从自起至到个内前后日天周月年元晚人第按照]"
)
"""What a statement says beside its subject."""
_TYPE_WORDS = """
    policy policies faq handbook guide guideline guidelines manual rules overview process procedure
    page document summary introduction terms
"""
_TYPES = frozenset(stem(word) for word in _TYPE_WORDS.split())
_UNITS_APART = frozenset({"second", "millisecond", "%", "kb", "mb", "gb", "tb", "m", "g"})
"""Units of measurements and shares, which differ between any two sentences by their nature."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """A section of a current document, as far as statements are looked for in it."""

    doc_id: DocId
    title: str
    headings: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence with one figure of one unit.

    Attributes:
        title: words of the document's title that say what it is about.
        subject: its words, figures and light words aside; `around` adds title and headings.
        names: identifiers in it (`S1`), which tell cases apart.
    """

    doc_id: DocId
    title: frozenset[str]
    sentence: str
    unit: str
    figure: str
    subject: frozenset[str]
    around: frozenset[str]
    names: frozenset[str]


def contradictions(stretches: Iterable[Stretch]) -> list[tuple[Statement, Statement]]:
    """Pairs of statements that cannot both be right, one pair for two documents."""
    by_unit: dict[str, list[Statement]] = defaultdict(list)
    for number, statement in enumerate(_statements(stretches)):
        if number >= MOST_STATEMENTS:
            break
        by_unit[statement.unit].append(statement)
    found: dict[tuple[DocId, DocId], tuple[Statement, Statement]] = {}
    for statements in by_unit.values():
        kept = _without_forms(statements)
        for one, other in _near(kept):
            if _differ(one, other):
                found.setdefault((one.doc_id, other.doc_id), (one, other))
    return list(found.values())


def _statements(stretches: Iterable[Stretch]) -> Iterator[Statement]:
    for stretch in stretches:
        if not _FIGURE.search(stretch.text):
            continue
        around = _subject(" ".join((stretch.title, *stretch.headings)))
        named = _subject(stretch.headings[-1]) if stretch.headings else frozenset()
        for start, end in sentences(stretch.text):
            sentence = stretch.text[start:end]
            if end - start <= _LONGEST_CHARS and _FIGURE.search(sentence):
                yield from (
                    each
                    for each in _stated(stretch, sentence, around)
                    if len(each.subject) >= _SHARED or each.subject <= named
                )


def _stated(stretch: Stretch, sentence: str, around: frozenset[str]) -> Iterator[Statement]:
    plain = unicodedata.normalize("NFKC", sentence)
    found = [value for value in values(plain) if not value.weak and value.unit != "part"]
    figures = _figures(found)
    if len(figures) != 1:
        return
    ((unit, figure),) = figures
    subject = _subject(_without(plain, found))
    if subject:
        yield Statement(
            stretch.doc_id,
            _subject(stretch.title) - _TYPES,
            " ".join(sentence.split()),
            unit,
            figure,
            subject,
            subject | around,
            frozenset(value.key for value in found if value.kind is ValueKind.IDENTIFIER),
        )


def _figures(found: Iterable[Value]) -> set[tuple[str, str]]:
    """(unit, figure) of what a sentence states; none where a bare number stands beside them."""
    figures = set()
    for value in found:
        if value.kind is ValueKind.IDENTIFIER:
            continue
        unit = value.unit if value.kind is ValueKind.NUMBER else value.kind.value
        if not unit or unit in _UNITS_APART:
            return set()
        figures.add((unit, value.key))
    return figures


def _without(text: str, found: Iterable[Value]) -> str:
    """A sentence without its figures."""
    for value in found:
        end = value.start + len(value.written)
        text = text[: value.start] + " " * len(value.written) + text[end:]
    return text


def _subject(text: str) -> frozenset[str]:
    telling = _LIGHT_CHINESE.sub(" ", unicodedata.normalize("NFKC", text))
    return frozenset(
        term for term in term_set(telling) if term not in _LIGHT and not any(map(str.isdigit, term))
    )


def _without_forms(statements: Sequence[Statement]) -> list[Statement]:
    """Those whose subject has one figure in its document, and at most two in all."""
    within: dict[tuple[DocId, frozenset[str]], set[str]] = defaultdict(set)
    in_all: dict[frozenset[str], set[str]] = defaultdict(set)
    for each in statements:
        within[each.doc_id, each.subject].add(each.figure)
        in_all[each.subject].add(each.figure)
    return [
        each
        for each in statements
        if len(within[each.doc_id, each.subject]) == 1
        and len(in_all[each.subject]) <= _MOST_FIGURES
    ]


def _near(statements: Sequence[Statement]) -> Iterator[tuple[Statement, Statement]]:
    """Pairs from two documents that share the rarest word of one of them."""
    times = Counter(term for each in statements for term in each.subject)
    posted: dict[str, list[Statement]] = defaultdict(list)
    for each in statements:
        for term in sorted(each.subject, key=lambda term: (times[term], term))[:4]:
            if times[term] <= _MOST_POSTED:
                posted[term].append(each)
    for group in posted.values():
        for at, one in enumerate(group):
            for other in group[at + 1 :]:
                if one.doc_id != other.doc_id and one.figure != other.figure:
                    yield (one, other) if one.doc_id < other.doc_id else (other, one)


def _differ(one: Statement, other: Statement) -> bool:
    shared = len(one.subject & other.subject)
    own, theirs = _more(one, other), _more(other, one)
    if (
        (shared < _SHARED and one.subject != other.subject)
        or (own and theirs)
        or one.names != other.names
    ):
        return False
    if len(own) + len(theirs) > max(shared // 2 - 1, 0) or _parallel(one.title, other.title):
        return False
    return _limits(one.sentence) == _limits(other.sentence) and has_negation(
        one.sentence
    ) == has_negation(other.sentence)


def _more(one: Statement, other: Statement) -> set[str]:
    """Words of a statement that the other lacks; pairs of characters as far as these are new."""
    characters = set("".join(other.around))
    return {
        term for term in one.subject - other.around if term.isascii() or not set(term) <= characters
    }


def _parallel(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two titles name two cases of one thing: benefits in Berlin, benefits in Paris."""
    return bool(one & other and one - other and other - one)


def _limits(sentence: str) -> tuple[bool, bool]:
    folded = sentence.casefold()
    return bool(_LEAST.search(folded)), bool(_MOST.search(folded))
