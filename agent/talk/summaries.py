"""`Summarise the travel policy` without a model: the document's own sentences, section by section.

Nothing is written anew. Every top section has a say before any has a second one, and where the
room does not last for all of them, the answer says how many it covers.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from agent.citations import quotes_only, verify
from agent.cores.units import Unit, cut
from agent.domain import BlockKind, Finding, Outcome, Quote, StopReason
from agent.map.describing import says_something
from agent.phrases import language_of, phrase
from agent.ports import ShownDocument, ShownWindow, TextSize
from agent.reading import DocumentReader
from agent.text.words import term_set

_ASKS = re.compile(
    r"^\W*(?:(?:please|pls|can you|could you|would you)\s+)*(?:(?:tl;?dr|summari[sz]e|sum up|recap)"
    r"|(?:give me |i need )?(?:a |the )?(?:short |quick |brief )*(?:summary|overview|gist|tl;?dr"
    r"|recap)(?: of| on| for)?|(?:the )?(?:key|main) points (?:of|in|from))\b[\s:,]*(?P<name>.+)$"
    r"|^(?P<before>.+?)[\s,:–-]+(?:tl;?dr|in a nutshell|in (?:short|brief))\W*$",
    re.IGNORECASE,
)
_ASKS_ZH = re.compile(
    r"^(?:请|麻烦|帮我|你|能)*(?:用[^，。]{1,8}(?:话|句|字|句子|要点))?(?:把|将)?(?P<before>.*?)"
    r"(?:概括|总结|總結|概述|归纳|歸納|简述|梳理|摘要)(?:一下|下)?(?P<name>.*)$"
)
_ASKS_MORE = re.compile(r"[？?]\s*\S|什么|多少|多久|几|谁|哪|如何|怎么|是否|\bhow\b|\bwhen\b")
_FRAME = re.compile(
    r"\b(?:the|our|my|this|that|a|an|in|of|for|on|page|pages|document|doc|docs|policy|please|pls|"
    r"guide|handbook|thanks|"
    r"(?:one|two|three|four|five|\d+) (?:sentences?|lines?|bullets?|points?))\b"
    r"|那个|这个|那篇|这篇|文档|文件|文章|页面|一下|的|内容|要点|主要|[?？!！.。,，]",
    re.IGNORECASE,
)
_ASIDE = re.compile(
    r"^\W*(?:references?|see also|further reading|links|table of contents|(?:more |further |other |"
    r"additional |useful )?(?:resources|links)|related(?: \w+)?)\W*$"
    r"|^\W*(?:参考|參考|相关|相關|延伸|目录|目錄)\w{0,4}\W*$",
    re.IGNORECASE,
)
"""Headings of what leads elsewhere."""
_NAMED = 0.6
"""Share of a name's words that must stand in a document's title, path and headings."""
_NEARLY_ALL = 0.7
_DEEPEST = 3
"""Levels of headings among which the top one is looked for."""
_LONGEST_CHARS = 200
_QUOTES = 8
_CHARS = {"en": 850, "zh": 230}
_UNIT_CHARS = range(12, 301)
_TEXT = TextSize(windows=200, chars=60_000)


@dataclass(frozen=True, slots=True)
class AskedSummary:
    """A question for a summary; `name` is what the document is called."""

    question: str
    name: str


def asked_summary(question: str) -> AskedSummary | None:
    """What is to be summarised; None where a question asks for something else."""
    if len(question) > _LONGEST_CHARS or _ASKS_MORE.search(question):
        return None
    found = (_ASKS_ZH if language_of(question) == "zh" else _ASKS).match(question.strip())
    if found is None:
        return None
    words = found["name"] or found["before"] or ""
    name = " ".join(_FRAME.sub(" ", words).split())
    return AskedSummary(question, name) if term_set(name) else None


async def summary(asked: AskedSummary, reader: DocumentReader, size: TextSize) -> Finding | None:
    """The document's own sentences; None where no document of that name is found.

    Args:
        asked: the question.
        reader: of this question.
        size: of the search for the document.
    """
    named = await named_document(asked, reader, size)
    if named is None:
        return None
    whole = await reader.read_whole(named.short_id, _TEXT)
    top = tops([shown.window.section.headings for shown in whole.windows])
    sections = _by_section(whole.windows, top)
    language = language_of(asked.question)
    chosen = _chosen(sections, _CHARS[language])
    citations = verify([Quote(u.shown.section_id, u.text) for u in chosen], reader.shown, language)
    if not citations:
        return None
    told = {top(unit.shown.window.section.headings) for unit in chosen}
    text = quotes_only(citations, language)
    if len(told) < len(sections):
        text += "\n" + phrase(language, "covers", told=len(told), all=len(sections))
    return Finding(
        question=asked.question,
        outcome=Outcome.ANSWERED,
        text=text,
        citations=citations,
        stop_reason=StopReason.ANSWERED,
        looked_at=reader.looked_at,
        rounds=1,
    )


async def named_document(
    asked: AskedSummary, reader: DocumentReader, size: TextSize
) -> ShownDocument | None:
    """The document of that name; None where there is none.

    Args:
        asked: the question.
        reader: of this question.
        size: of the search for the document.
    """
    reading = await reader.search(asked.name, size)
    documents = reader.outlined(reading.found, ()) if reading.found else []
    named = max(documents, key=lambda shown: _share(asked.name, shown), default=None)
    return named if named and _share(asked.name, named)[0] >= _NAMED else None


def leads_elsewhere(heading: str) -> bool:
    """Whether a section of this heading only names what can be read elsewhere."""
    return _ASIDE.match(heading) is not None


def tops(chains: Sequence[Sequence[str]]) -> Callable[[Sequence[str]], str]:
    """What tells a chain of headings its top section, in a document of these chains.

    A heading over nearly all of a document is no section of it: those below count then.
    """
    named = [tuple(chain) for chain in chains if chain]
    longest = min(_DEEPEST, max(map(len, named), default=0))
    depth = 0
    while depth + 1 < longest and _largest(named, depth) > _NEARLY_ALL * len(named):
        depth += 1
    return lambda chain: (chain[depth : depth + 1] or chain[-1:] or ("",))[0]


def _largest(chains: Sequence[tuple[str, ...]], depth: int) -> int:
    return Counter(chain[: depth + 1] for chain in chains).most_common(1)[0][1]


def _share(name: str, shown: ShownDocument) -> tuple[float, float]:
    """How much of a name stands in title, path and headings; then in title and path alone."""
    wanted = term_set(name)
    document = shown.entry.document
    path = re.sub(r"[/_\-.]+", " ", document.doc)
    own = term_set(f"{document.title} {path}")
    headings = term_set(" ".join(h for each in shown.entry.outline for h in each.headings))
    if not wanted & own:
        return 0.0, 0.0
    return len(wanted & (own | headings)) / len(wanted), len(wanted & own) / len(wanted)


def _by_section(
    windows: Iterable[ShownWindow], top: Callable[[Sequence[str]], str]
) -> list[list[Unit]]:
    """What can be quoted, a list for every top section that says something, in reading order."""
    sections: dict[str, list[Unit]] = {}
    for shown in windows:
        name = top(shown.window.section.headings)
        for unit in () if leads_elsewhere(name) else cut(shown):
            if _says_something(unit):
                sections.setdefault(name, []).append(unit)
    return list(sections.values())


def _says_something(unit: Unit) -> bool:
    half = unit.leads_in or unit.asks or (unit.leans and unit.number > 0)
    prose = unit.kind is BlockKind.PARAGRAPH
    empty = half or (prose and not says_something(unit.text))
    return unit.kind is not BlockKind.CODE and not empty and len(unit.text) in _UNIT_CHARS


def _chosen(sections: Sequence[Sequence[Unit]], chars: int) -> list[Unit]:
    """Units of all sections in turn, as far as the room lasts, then in reading order."""
    order = {id(unit): at for at, unit in enumerate(u for units in sections for u in units)}
    chosen: list[Unit] = []
    for unit in _in_turn(sections):
        if len(chosen) == _QUOTES:
            break
        if len(unit.text) <= chars:
            chosen.append(unit)
            chars -= len(unit.text)
    return sorted(chosen, key=lambda unit: order[id(unit)])


def _in_turn(sections: Sequence[Sequence[Unit]]) -> Iterator[Unit]:
    for row in zip_longest(*sections):
        yield from filter(None, row)
