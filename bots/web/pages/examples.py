"""Example questions made from real headings, so that the first thing tried is answered."""

import re
from collections.abc import Iterator, Sequence

from agent.domain import WORKSPACE, MapEntry, OutlineEntry, ParseOutcome
from agent.ports import Library
from agent.text.words import language_of
from bots.phrases import phrase

_GENERAL = re.compile(
    r"\b(overview|introduction|summary|contents?|about|appendix|general|background|history|scope|"
    r"purpose|changelog|references?|index|notes?|other|misc|welcome|see also|faq|questions|"
    r"glossary|example)\b|概述|简介|介绍|目录|附录|前言|总则|说明|其他|背景|修订",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"^[\s\d.)(§]+|^第?[一二三四五六七八九十\d]+[章节条、.]\s*")
_ENOUGH_CHARS = 120
_TRIED = 24


async def example_questions(library: Library, wanted: int = 3) -> list[str]:
    """Questions of the workspace's documents whose section a search finds first.

    Args:
        library: what is asked about.
        wanted: how many at most, each from another document.
    """
    found: list[str] = []
    for entry, question in _candidates(await library.read_document_map(WORKSPACE)):
        if len(found) == wanted:
            break
        result = await library.search(question, WORKSPACE, windows=1)
        if result.windows and result.windows[0].document.doc_id == entry.document.doc_id:
            found.append(question)
    return found


def _candidates(entries: Sequence[MapEntry]) -> Iterator[tuple[MapEntry, str]]:
    """Spread over the whole map, at most one heading a document and two dozen in all."""
    usable = [entry for entry in entries if entry.document.outcome is not ParseOutcome.NOT_READABLE]
    step = max(1, len(usable) // _TRIED)
    for entry in usable[step // 2 :: step][:_TRIED]:
        if heading := _telling_heading(entry):
            yield entry, _question(heading)


def _telling_heading(entry: MapEntry) -> str:
    """The heading that says most: not the title, of a few words, with text under it."""
    headings = [
        _NUMBERED.sub("", each.headings[-1]).strip()
        for each in entry.outline
        if each.chars >= _ENOUGH_CHARS and each.headings and not _is_title(each, entry)
    ]
    telling = [heading for heading in headings if _is_telling(heading)]
    return max(telling, key=lambda heading: min(len(heading), 40), default="")


def _is_title(each: OutlineEntry, entry: MapEntry) -> bool:
    return each.headings[-1].casefold() == entry.document.title.casefold()


def _is_telling(heading: str) -> bool:
    chinese = language_of(heading) == "zh"
    length = 3 <= len(heading) <= 16 if chinese else 2 <= len(heading.split()) <= 6
    return length and not _GENERAL.search(heading)


def _question(heading: str) -> str:
    if heading.endswith(("?", "？")):
        return heading
    return phrase(language_of(heading), "web.example", heading=_lowered(heading))


def _lowered(heading: str) -> str:
    """A heading inside a sentence: its first word small, unless it is a name or abbreviation."""
    first, _, rest = heading.partition(" ")
    plain = first.istitle() and not any(word.istitle() for word in rest.split())
    return heading[:1].lower() + heading[1:] if plain and rest else heading
