"""When a document was changed and who owns it: from its own words, and from the file's properties.

No sentence of a document may say it, the drive does. What comes from there is labelled, since it
stands on no page that could be quoted.
"""

import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from enum import StrEnum

from agent.citations import quotes_only, verify
from agent.cores.kinds import Kind, holds
from agent.cores.units import cut
from agent.domain import Facts, Finding, Outcome, Quote, StopReason
from agent.errors import DecisionError, LibraryError
from agent.phrases import language_of, phrase
from agent.ports import ShownDocument, TextSize
from agent.reading import DocumentReader
from agent.text.words import term_set


class Property(StrEnum):
    """What a drive knows of a file."""

    MODIFIED = "modified"
    OWNER = "owner"


_DOCUMENT = (
    r"\b(?:doc|docs|document|page|policy|article|guide|handbook|manual|file|runbook|faq|standard|"
    r"addendum|agreement)s?\b|文档|页面|文章|政策|制度|手册|规定|指南|文件|规范"
)
_PLAIN_DOCUMENT = re.compile(
    r"\b(?:docs?|documents?|pages?|articles?|files?)\b|文档|页面|文章|文件", re.IGNORECASE
)
"""Words for a document that no title needs to hold."""
_ASKS = {
    Property.MODIFIED: re.compile(
        r"\b(?:when|how recently|what date|last time)\b.*\b(?:updated?|changed|modified|edited|"
        r"revised|touched|reviewed)\b|\blast (?:updated?|changed?|edit(?:ed)?|modified|revision|"
        r"modification|reviewed)\b|\bhow (?:old|recent|current|up[- ]to[- ]date) (?:is|are)\b|"
        r"\bsince when (?:does|do|is|has)\b|(?:上次|最后|最近|什么时候|何时|哪天).{0,12}"
        r"(?:更新|修改|修订|改过|改的)|(?:更新|修改|修订)(?:时间|日期)|(?:更新|修改|修订).{0,6}(?:什么时候|何时)",
        re.IGNORECASE,
    ),
    Property.OWNER: re.compile(
        r"\bwho(?:'s|’s|s| is| are|m)?\b.*\b(?:own(?:s|ers?)?|maintain(?:s|ers?)?|wrote|authors?|"
        r"written|responsible|in charge)\b|\b(?:owner|author|maintainer)s? of\b"
        r"|谁.{0,8}(?:维护|负责|写|编写|管)|(?:维护|负责|编写).{0,4}谁|(?:作者|负责人|所有者|维护者)",
        re.IGNORECASE,
    ),
}
_STATED = {
    Property.MODIFIED: re.compile(
        r"\b(?:effective|last (?:updated|reviewed|revised|modified)|updated|revised|approved|valid|"
        r"applies from)\b|生效|更新|修订|施行|发布",
        re.IGNORECASE,
    ),
    Property.OWNER: re.compile(
        r"\bowners?\b|\bowned by\b|\bauthors?\b|\bmaintain(?:er|ed by)\b|负责人|作者|维护",
        re.IGNORECASE,
    ),
}
_FRAME = (
    r"\b(?:when|since|who(?:'s|’s|s)?|was|were|is|are|does|do|did|has|have|been|the|a|an|of|for|our|"
    r"this|last|most|recently|updated?|changed?|modified|edited|revised|reviewed|touched|wrote|"
    r"written|owns?|owners?|maintains?|maintainers?|authors?|by|responsible|in charge|how|old|"
    r"recent|current|up[- ]to[- ]date|apply|applies|what|date|time)\b"
    r"|上次|最后|最近|什么时候|何时|哪天|更新|修改|修订|改过|时间|日期|谁|维护|负责人?|编写|写的?|作者|"
    r"所有者|这篇|这个|是|的|啥时候|由|呢|在"
)
"""What a question about a document says besides its name."""
_NAMED = 0.6
"""Share of the words of a name that must stand in a document's title or path."""
_LONGEST_CHARS = 300
"""A longer question asks for more than a date or a name."""
_STATED_CHARS = 200
_STATED_MOST = 2
_SECTIONS_READ = 3


@dataclass(frozen=True, slots=True)
class AskedProperty:
    """A question about a document itself; `name` is what is left of it as the document's name."""

    wanted: Property
    question: str
    name: str


def asked_property(question: str) -> AskedProperty | None:
    """What a question asks of a document itself; None where it asks what documents say."""
    if len(question) > _LONGEST_CHARS or not re.search(_DOCUMENT, question, re.IGNORECASE):
        return None
    for wanted, asks in _ASKS.items():
        found = asks.search(question)
        if found:
            rest = question.replace("?", " ").replace("？", " ")
            words = re.sub(_FRAME, " ", rest, flags=re.IGNORECASE).strip()
            return AskedProperty(wanted, question, words)
    return None


async def from_properties(
    asked: AskedProperty, reader: DocumentReader, size: TextSize, facts: Facts
) -> Finding | None:
    """What a document and its drive say of it; None where no document of that name is found.

    Args:
        asked: the question.
        reader: of this question.
        size: of the search for the document.
        facts: in place of what the drive says, by document path.
    """
    reading = await reader.search(asked.name, size)
    documents = reader.outlined(reading.found, ()) if reading.found else []
    named = max(documents, key=lambda shown: _share(asked.name, shown), default=None)
    if named is None or _share(asked.name, named) < _NAMED:
        return None
    language = language_of(asked.question)
    quotes = [quote async for quote in _stated(asked.wanted, named, reader, size)]
    citations = verify(quotes[:_STATED_MOST], reader.shown, language)
    known = await _from_drive(asked.wanted, named, reader, facts)
    lines = [quotes_only(citations, language)] if citations else []
    if known:
        document = named.entry.document
        written = known == document.author and not document.owner
        key = "author_known" if written else f"{asked.wanted}_known"
        lines.append(phrase(language, key, title=document.title, value=known))
    return Finding(
        question=asked.question,
        outcome=Outcome.ANSWERED if lines else Outcome.NOT_COVERED,
        text="\n".join(lines),
        citations=citations,
        stop_reason=StopReason.ANSWERED if lines else StopReason.DECLINED,
        looked_at=reader.looked_at,
        nearest=reader.looked_at[:1],
        rounds=1,
    )


async def _stated(
    wanted: Property, named: ShownDocument, reader: DocumentReader, size: TextSize
) -> AsyncIterator[Quote]:
    """What the document itself says, where it begins."""
    pattern = _STATED[wanted]
    for number in range(1, min(_SECTIONS_READ, len(named.entry.outline)) + 1):
        try:
            reading = await reader.read((f"{named.short_id}.{number}",), size)
        except (DecisionError, LibraryError):  # set aside or gone: then nothing is stated
            return
        for unit in (unit for shown in reading.windows for unit in cut(shown)):
            dated = wanted is not Property.MODIFIED or holds(Kind.DATE, unit.text)
            if len(unit.text) <= _STATED_CHARS and dated and pattern.search(unit.text):
                yield Quote(unit.shown.section_id, unit.text)


async def _from_drive(
    wanted: Property, named: ShownDocument, reader: DocumentReader, facts: Facts
) -> str:
    """The property as the drive says it; empty where it is not known or says nothing."""
    document = named.entry.document
    given = facts.modified if wanted is Property.MODIFIED else facts.owners
    if document.doc in given:
        return given[document.doc]
    if wanted is Property.OWNER:
        return document.owner or document.author
    if document.modified is None or await reader.shares_its_date(document):
        return ""
    return document.modified.date().isoformat()


def _share(name: str, shown: ShownDocument) -> float:
    """How much of a name stands in a document's title or path, 0 to 1."""
    wanted = term_set(_PLAIN_DOCUMENT.sub(" ", name))
    document = shown.entry.document
    path = re.sub(r"[/_\-.]+", " ", document.doc)
    held = term_set(f"{document.title} {path}")
    return len(wanted & held) / len(wanted) if wanted else 0.0
