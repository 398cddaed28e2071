"""Example questions made from real headings, so that the first thing tried is answered.

The web page and the first words in a chat show them.
"""

import re
from collections.abc import Iterator, Sequence

from agent.domain import WORKSPACE, DocId, MapEntry, OutlineEntry, ParseOutcome, Scope
from agent.ports import Library
from agent.text.words import language_of, query_terms
from bots.phrases import phrase

_GENERAL = re.compile(
    r"\b(overview|introduction|summary|contents?|about|appendix|general|background|history|scope|"
    r"purpose|changelog|references?|index|notes?|other|misc|welcome|see also|faq|questions|"
    r"glossary|example)\b|概述|简介|介绍|目录|附录|前言|总则|说明|其他|背景|修订",
    re.IGNORECASE,
)
_AWKWARD = re.compile(
    r"^(how|what|when|where|who|why|which|if|before|after)\b|[:!/&(\"“]", re.IGNORECASE
)
"""A heading that begins so or holds such a sign does not read well inside a question."""
_NUMBERED = re.compile(r"^[\s\d.)(§]+|^第?[一二三四五六七八九十\d]+[章节条、.]\s*")
_ENOUGH_CHARS = {"en": 120, "zh": 30}
_TRIED = 48


async def example_questions(
    library: Library, language: str, wanted: int = 3, scope: Scope = WORKSPACE
) -> list[str]:
    """Questions whose section a search finds first.

    Args:
        library: what is asked about.
        language: preferred; documents in another one make up what is missing.
        wanted: how many at most, each from another document and about something else.
        scope: who reads them; only documents that these may read are asked about.
    """
    found: list[str] = []
    asked: frozenset[str] = frozenset()
    entries = await library.read_document_map(scope)
    for entry, heading in sorted(_headings(entries), key=lambda each: _is_in(each[1], language)):
        terms = frozenset(term.key for term in query_terms(heading))
        if len(found) < wanted and not terms & asked:
            question = _question(heading)
            if await _finds(library, question, entry.document.doc_id, scope):
                found.append(question)
                asked |= terms
    return found


async def _finds(library: Library, question: str, doc_id: DocId, scope: Scope) -> bool:
    result = await library.search(question, scope, windows=1)
    return bool(result.windows) and result.windows[0].document.doc_id == doc_id


def _headings(entries: Sequence[MapEntry]) -> Iterator[tuple[MapEntry, str]]:
    """One telling heading a document, from documents spread over the whole map."""
    usable = [entry for entry in entries if entry.document.outcome is not ParseOutcome.NOT_READABLE]
    step = max(1, len(usable) // _TRIED)
    for entry in usable[step // 2 :: step]:
        if heading := _telling_heading(entry):
            yield entry, heading


def _is_in(heading: str, language: str) -> int:
    """Sorts headings of the language before all others."""
    return 0 if language_of(heading) == language else 1


def _telling_heading(entry: MapEntry) -> str:
    """The heading that says most: not the title, of a few words, with text under it."""
    headings = [
        _NUMBERED.sub("", each.headings[-1]).strip()
        for each in entry.outline
        if each.headings and not _is_title(each, entry) and _has_text(each)
    ]
    telling = [heading for heading in headings if _is_telling(heading)]
    return max(telling, key=lambda each: (_asks(each), min(len(each), 40)), default="")


def _has_text(each: OutlineEntry) -> bool:
    return each.chars >= _ENOUGH_CHARS[language_of(each.headings[-1])]


def _is_title(each: OutlineEntry, entry: MapEntry) -> bool:
    return each.headings[-1].casefold() == entry.document.title.casefold()


def _is_telling(heading: str) -> bool:
    if language_of(heading) == "zh":
        return 3 <= len(heading) <= 20 and not _GENERAL.search(heading)
    if _asks(heading):
        return 3 <= len(heading.split()) <= 12
    fits = 2 <= len(heading.split()) <= 6 and not _AWKWARD.search(heading)
    return fits and not _GENERAL.search(heading)


def _asks(heading: str) -> bool:
    return heading.endswith(("?", "？"))


def _question(heading: str) -> str:
    if _asks(heading):
        return heading
    return phrase(language_of(heading), "web.example", heading=_lowered(heading))


def _lowered(heading: str) -> str:
    """A heading inside a sentence: its first word small, unless it is a name or abbreviation."""
    first, _, rest = heading.partition(" ")
    plain = first.istitle() and not any(word.istitle() for word in rest.split())
    return heading[:1].lower() + heading[1:] if plain and rest else heading
