"""Which of several documents counts: versions of one document, and what is archived or a draft.

Shared drives keep last year's policy beside this year's. Both answer the question, in nearly the
same words, and only one is true now. A document's own stated date decides (effective date,
version, date in its title or path), then the drive's.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import PurePosixPath

from agent.domain import DocId, Document
from agent.text.dates import date_parts, moments, readings

Day = tuple[int, int, int]
"""Year, month, day; 0 where not stated."""


class Mark(StrEnum):
    """Why a document does not speak for today; also the name of the phrase that says so."""

    NONE = ""
    ARCHIVED = "archived"
    DRAFT = "draft"


class DecidedBy(StrEnum):
    """What shows which of two documents is newer."""

    STATED = "stated"
    MODIFIED = "modified"
    NOTHING = "undated"


@dataclass(frozen=True, slots=True)
class Edition:
    """What a document says of its own place in time.

    Attributes:
        stem: its folder and title without years, versions and marks; versions share it.
        stated: its own date; None where it states none.
        version: `(2, 1)`; empty where none is stated.
        modified: the drive's date.
    """

    doc_id: DocId
    stem: str
    mark: Mark
    stated: Day | None
    version: tuple[int, ...]
    modified: datetime | None


_ARCHIVE_WORDS = """archive archived archives old obsolete deprecated superseded outdated retired
归档 存档 已归档 作废 已作废 废止 已废止 旧版 旧 过期"""
_DRAFT_WORDS = "draft drafts wip 草稿 草案 征求意见稿"
_IDLE_WORDS = """v version ver rev revision edition final copy new current latest the of from
版 版本 第 年 年版 新版 修订版 修订 最终版 最新版 副本"""
_ARCHIVED = frozenset(_ARCHIVE_WORDS.split())
_DRAFT = frozenset(_DRAFT_WORDS.split())
_NO_NAME = _ARCHIVED | _DRAFT | frozenset(_IDLE_WORDS.split())
_TOKEN = re.compile(r"[a-z]+|\d+(?:\.\d+)*|[\u4e00-\u9fff]+")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_VERSION = re.compile(
    r"(?<![a-z])(?:v|ver\.?|version|rev\.?|revision)[ _]?(\d+(?:\.\d+)*)|第(\d+)版", re.IGNORECASE
)
_DATED = re.compile(
    r"effective|valid (?:from|as of)|in force|applies from|as of|updated|revised|revision|version"
    r"|approved|生效|施行|实施|执行|修订|更新|发布",
    re.IGNORECASE,
)
_PERIODICAL = re.compile(
    r"release|changelog|minutes|meeting|report|newsletter|notes|all hands|retro|weekly|monthly"
    r"|quarterly|agenda|incident|postmortem|invoice|announcement|周报|月报|季报|年报|纪要|会议"
    r"|发布说明|更新日志|公告|通讯"
)
_YEAR_FIRST = re.compile(r"((?:19|20)\d\d)(?!\d)\s*年?")
_RULES = re.compile(
    r"polic|handbook|manual|guide|rules|regulation|procedure|process|standard|terms|plan|budget"
    r"|price|rates|tariff|benefit|list|faq|form|template|catalog|directory|overview|calendar"
    r"|制度|办法|规定|政策|手册|指南|流程|规则|细则|标准|方案|计划|预算|条例|章程|须知|说明|价目|清单|名单|福利"
)
"""What offices write anew every year; other titles that begin with a year name what happened."""
_REACH_CHARS = 40
_CHINESE_MARKS = re.compile(
    "|".join(sorted(filter(lambda w: not w.isascii(), _NO_NAME), key=len)[::-1])
)


def mark_of(document: Document) -> Mark:
    """Whether a document's path or title marks it as archived or a draft."""
    path = PurePosixPath(document.doc.casefold())
    folders = {word for part in path.parts[:-1] for word in _words(part)}
    named = _at_an_edge(path.stem) | _at_an_edge(document.title) | _bracketed(document.title)
    for mark, words in ((Mark.DRAFT, _DRAFT), (Mark.ARCHIVED, _ARCHIVED)):
        if (folders | named) & words:
            return mark
    return Mark.NONE


def is_periodical(document: Document) -> bool:
    """Whether a document is one of a series (minutes, release notes), each true for its own day."""
    name = f"{document.title} {PurePosixPath(document.doc).stem}".casefold()
    return bool(_PERIODICAL.search(name) and re.search(r"\d", name))


def edition_of(document: Document, said: str = "") -> Edition:
    """A document's place among its versions.

    Args:
        document: its title, path and the drive's date count.
        said: what is known of its text; a date stands where it says "effective" or the like.
    """
    name = f"{document.title} {PurePosixPath(document.doc).stem}"
    stem = _stem(document.title) or _stem(PurePosixPath(document.doc).stem)
    happened = "" if said else _year_of_event(document.title)
    return Edition(
        document.doc_id,
        f"{_folder(document)}/{stem} {happened}".rstrip(),
        mark_of(document),
        _stated(said) or _dated_by_name(name),
        _version(f"{name} {said}"),
        document.modified,
    )


def newer(one: Edition, other: Edition) -> tuple[Edition, Edition, DecidedBy]:
    """Two editions, the newer one first, and what shows it."""
    if one.stated and other.stated and one.stated != other.stated:
        return *_ordered(one, other, one.stated >= other.stated), DecidedBy.STATED
    if one.version and other.version and one.version != other.version:
        return *_ordered(one, other, one.version >= other.version), DecidedBy.STATED
    if bool(one.mark) != bool(other.mark):
        return *_ordered(one, other, not one.mark), DecidedBy.STATED
    if one.modified and other.modified and one.modified.date() != other.modified.date():
        return *_ordered(one, other, one.modified >= other.modified), DecidedBy.MODIFIED
    return one, other, DecidedBy.NOTHING


def superseded(
    documents: Iterable[Document], said: Mapping[DocId, str] | None = None, question: str = ""
) -> dict[DocId, DocId]:
    """Documents that a newer version among them replaces, each with the newest version.

    Args:
        documents: those that were found; a newer version that was not replaces nothing.
        said: what is known of their texts.
        question: a version it names by year, number or as old is asked for and is not replaced.
    """
    texts = said or {}
    families: dict[str, list[Edition]] = {}
    for document in {document.doc_id: document for document in documents}.values():
        edition = edition_of(document, texts.get(document.doc_id, ""))
        name = edition.stem.rpartition("/")[2]
        if name and not _PERIODICAL.search(name):
            families.setdefault(edition.stem, []).append(edition)
    replaced: dict[DocId, DocId] = {}
    for family in families.values():
        replaced |= _replaced(family, question)
    return replaced


def asks_for_old(question: str) -> bool:
    """Whether a question asks for what was, not for what is."""
    return bool(
        re.search(
            r"\b(?:old|older|previous|previously|former|formerly|archived?|draft|used to|changed?"
            r"|superseded|earlier version)\b|旧|以前|之前的|历史|草稿|归档|变化|原来",
            question,
            re.IGNORECASE,
        )
    )


def _replaced(family: list[Edition], question: str) -> dict[DocId, DocId]:
    newest = family[0]
    for edition in family[1:]:
        newest = newer(newest, edition)[0]
    return {
        edition.doc_id: newest.doc_id
        for edition in family
        if edition is not newest
        and newer(newest, edition)[2] is DecidedBy.STATED
        and not _asked_for(edition, question)
    }


def _asked_for(edition: Edition, question: str) -> bool:
    if asks_for_old(question):
        return True
    year = edition.stated[0] if edition.stated else 0
    return bool(year) and str(year) in _YEAR.findall(question)


def _ordered(one: Edition, other: Edition, first: bool) -> tuple[Edition, Edition]:
    return (one, other) if first else (other, one)


def _words(text: str) -> set[str]:
    return set(re.split(r"[\s_\-.()\[\]（）【】]+", unicodedata.normalize("NFKC", text).casefold()))


def _at_an_edge(name: str) -> set[str]:
    """The first and the last word of a name, set apart from the rest: `policy_old`, `DRAFT: x`."""
    plain = unicodedata.normalize("NFKC", name).casefold().strip()
    first = re.match(r"([^\s_\-:]+)(?:\s*[:_]|\s+-|-)", plain)
    last = re.search(r"(?:[_:]\s*|-\s*)([^\s_\-:]+)$", plain)
    chinese = _CHINESE_MARKS.findall(plain[:3]) + _CHINESE_MARKS.findall(plain[-3:])
    return {found[1] for found in (first, last) if found} | set(chinese)


def _bracketed(title: str) -> set[str]:
    return {
        word
        for inner in re.findall(r"[(\[（【]([^)\]）】]*)[)\]）】]", title)
        for word in _words(inner)
    }


def _folder(document: Document) -> str:
    """The folder without years and marks: `policies/archive/2024` is `policies`."""
    parts = PurePosixPath(document.doc).parts[:-1]
    return "/".join((document.source, *filter(None, map(_stem, parts))))


def _stem(name: str) -> str:
    plain = unicodedata.normalize("NFKC", name).casefold()
    plain = _VERSION.sub(" ", plain.replace("_", " "))
    plain = _CHINESE_MARKS.sub(" ", plain)
    kept = [
        word
        for word in _TOKEN.findall(plain)
        if word not in _NO_NAME
        and not _YEAR.fullmatch(word)
        and not re.fullmatch(r"0\d|\d{8}", word)
    ]
    return " ".join(kept)


def _year_of_event(title: str) -> str:
    """The year of what `1993年…地震` or `1996 Summer Games` tells of; empty for other titles."""
    found = _YEAR_FIRST.match(title)
    return found[1] if found and not _RULES.search(title.casefold()) else ""


def _version(text: str) -> tuple[int, ...]:
    found = _VERSION.search(text)
    if not found:
        return ()
    return tuple(int(number) for number in (found[1] or found[2]).split("."))


def _dated_by_name(name: str) -> Day | None:
    if days := [day for day, _ in _days(name.replace("_", " "))]:
        return max(days)
    years = [int(year) for year in _YEAR.findall(name)]
    return (max(years), 0, 0) if years else None


def _stated(text: str) -> Day | None:
    """The latest date that stands close behind (Chinese: before) a word like "effective"."""
    plain = unicodedata.normalize("NFKC", text)
    words = [match.span() for match in _DATED.finditer(plain)]
    days = [
        day
        for day, (start, end) in _days(plain)
        if any(0 <= start - there[1] <= _REACH_CHARS or 0 <= there[0] - end <= 3 for there in words)
    ]
    return max(days) if days else None


def _days(text: str) -> list[tuple[Day, tuple[int, int]]]:
    found = []
    for moment in moments(unicodedata.normalize("NFKC", text)):
        if moment.kind != "date":
            continue
        year, month, day = date_parts(readings(moment.keys[0])[0])
        if year:
            found.append(((int(year), int(month), int(day or 0)), (moment.start, moment.end)))
    return found
