"""Where a text sends its reader inside the same document: "see section 4.2", "见第3.1节"."""

import re
from collections.abc import Iterator, Mapping, Sequence

from agent.domain import Section, SectionPath

_MOST = 20
_NUMBER = r"(\d{1,2}(?:\.\d{1,3}){0,4}|[A-Z](?:\.\d{1,3}){1,3})"
_SENDS = re.compile(
    rf"(?:§{{1,2}}\s?|\b(?:sections?|sec\.|sects?\.|clauses?|chapters?|chap\.|appendix|annex"
    rf"|paragraphs?|para\.|abschnitt(?:en|e|s)?|abschn\.|kapitel[ns]?|ziffer|anhang|sección"
    rf"|apartado|rubrique|chapitre)\s+){_NUMBER}(?![\d%])"
    rf"|第\s*(\d{{1,2}}(?:\.\d{{1,3}}){{0,4}}|[一二三四五六七八九十]{{1,3}})\s*[节節章条條款]"
    rf"|(?:参见|详见|参照|见|見)\s*{_NUMBER}(?![\d%])",
    re.IGNORECASE,
)
_ALSO = re.compile(
    rf"\s*(?:,|and|und|&|/|or|oder|、|和|及|或)\s*{_NUMBER}(?![\d%]|\s*(?:days?|天))"
)
_QUOTED = re.compile(
    r"\b(?:see|refer to|described in|under|siehe|vgl\.)\s+(?:also\s+|the\s+|section\s+|abschnitt\s+"
    r"|chapter\s+){0,3}[\"“„'‘«]([^\"”“'’»\n]{3,80})[\"”“'’»]"
    r"|(?:参见|详见|参照|见|見)\s*[“「『《\"]([^”」』》\"\n]{2,40})[”」』》\"]",
    re.IGNORECASE,
)
_OWN_NUMBER = re.compile(
    rf"\s*(?:§\s*|(?:section|chapter|clause|appendix|annex|abschnitt|kapitel|anhang)\s+)?"
    rf"{_NUMBER}[.)、:]?(?=\s|$)"
    rf"|\s*第\s*(\d{{1,2}}|[一二三四五六七八九十]{{1,3}})\s*[节節章条條]",
    re.IGNORECASE,
)
_LAW_BEHIND = re.compile(
    r"\s*(?:\([^)]{0,20}\)\s*)?(?:of\s+(?:the\s+)?(?=[A-Z0-9])|(?:der|des|de la)\s+)"
)
_PLAIN = re.compile(r"[\W_]+")


def see_also(sections: Sequence[Section]) -> list[tuple[SectionPath, ...]]:
    """For each section the others of the document that its text names, at most twenty.

    A number leads to the heading that begins with it; where no heading is numbered, to the place
    in the outline. What names a section of another work (`section 5 of the Act`) leads nowhere.
    """
    by_number = _numbered(sections)
    by_name = _named(sections)
    found = []
    for section in sections:
        paths = dict.fromkeys(_paths(section.text, by_number, by_name))
        paths.pop(section.path, None)
        found.append(tuple(paths)[:_MOST])
    return found


def _paths(
    text: str, by_number: Mapping[str, SectionPath], by_name: Mapping[str, SectionPath]
) -> Iterator[SectionPath]:
    for match in _SENDS.finditer(text):
        if _LAW_BEHIND.match(text, match.end()):
            continue
        for number in _numbers(text, match):
            if number.casefold() in by_number:
                yield by_number[number.casefold()]
    for match in _QUOTED.finditer(text):
        name = _folded(match[1] or match[2])
        if name in by_name:
            yield by_name[name]


def _numbers(text: str, match: re.Match[str]) -> Iterator[str]:
    yield next(group for group in match.groups() if group).rstrip(".")
    at = match.end()
    while also := _ALSO.match(text, at):
        yield also[1]
        at = also.end()


def _numbered(sections: Sequence[Section]) -> dict[str, SectionPath]:
    own: dict[str, SectionPath] = {}
    for section in sections:
        if match := _OWN_NUMBER.match(section.heading):
            number = next(group for group in match.groups() if group)
            own.setdefault(number.casefold(), section.path)
    if own:
        return own
    return {section.number: section.path for section in sections if section.headings}


def _named(sections: Sequence[Section]) -> dict[str, SectionPath]:
    """Headings that occur once, folded, with and without their number."""
    seen: dict[str, list[SectionPath]] = {}
    for section in sections:
        plain = _OWN_NUMBER.sub("", section.heading, count=1)
        for name in {_folded(section.heading), _folded(plain)} - {""}:
            seen.setdefault(name, []).append(section.path)
    return {name: paths[0] for name, paths in seen.items() if len(paths) == 1}


def _folded(name: str) -> str:
    return _PLAIN.sub(" ", name).strip().casefold()
