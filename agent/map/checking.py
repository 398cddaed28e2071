"""The map check: what in the library will answer badly, and what its owner can do about it."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from agent.citations.versions import DecidedBy, is_periodical, mark_of, newer
from agent.domain import DocId, MapEntry, ParseOutcome
from agent.map.comparing import Pair, copies, edition, same_titles, versions
from agent.map.contradicting import Statement
from agent.map.remarks import MapRemark, remark
from agent.map.titles import says_nothing

__all__ = ["MapRemark", "check_map", "contradicting", "speaks_for_today"]

GIANT_CHARS = 20_000
HIDDEN_CHARS = 20
"""Fewer are stray marks of an editor, not text that somebody hid."""
MANY_SECTIONS = 300
_SHORT_CHARS = 4_000
_FEW = 2
_ALL = 0.999
_SHEETS = ("csv", "xlsx")
_HOW = {
    "markdown": "(`## Parental leave`)",
    "html": "(h1 to h6)",
    "text": "on lines of their own (`1. Scope`)",
    "pdf": "with heading styles and export it with bookmarks",
}
_GENERIC = re.compile(
    r"(?:new |untitled )?(?:section|heading|chapter|part|slide|page|untitled|title|topic|text|item"
    r"|block|abschnitt|kapitel|folie|seite|überschrift|titel)\W*(?:\d[\d.]*|[a-z]|[ivx]+)?\W*"
    r"|(?:标题|章节|章|节|幻灯片|页|部分|无标题)\s*\d*|第\s*[\d一二三四五六七八九十]+\s*[章节節页頁部分]+"
    r"|[\W\d_]+|x{2,}|tbd|todo|lorem ipsum.*",
    re.IGNORECASE,
)
"""Headings that number their sections and name nothing."""
_PAGE_BLOCK = re.compile(r"(?:pages?|第)\s*\d+", re.IGNORECASE)

_REMEDIES = {
    "password": "Save it without a password.",
    "scanned": "Set ocr.enabled, or run text recognition over it and save it again.",
    "garbled": "Print or export it to a new PDF with its fonts embedded.",
    "damaged": "Open it and save it again, or restore an older version.",
    "empty": "Fill it or remove it.",
    "legacy": "Save it in a current format, .docx or .pdf.",
    "too_large": "Split it, or raise sync.file_bytes.",
    "encrypted_mail": "Export the decrypted message.",
    "timeout": "Split it, or raise sync.parse_s.",
    "unsupported": "Export it as .docx, .pdf, .html or .md, or leave it out with `exclude`.",
}


def check_map(entries: Sequence[MapEntry]) -> list[MapRemark]:
    """Everything worth telling about these documents, by document, then what concerns several."""
    same, older = copies(entries), versions(entries)
    told = {pair.entry.document.doc_id for pair in same}
    older = [pair for pair in older if pair.entry.document.doc_id not in told]
    apart = {pair.entry.document.doc_id: pair.other.document.doc_id for pair in (*same, *older)}
    return [
        *(each for entry in entries for each in _check(entry)),
        *map(_copy, same),
        *map(_older, older),
        *_same_titles(entries, apart),
    ]


def speaks_for_today(entries: Sequence[MapEntry], found: Sequence[MapRemark]) -> list[MapEntry]:
    """Readable documents that no copy, newer version or mark (archive, draft) sets aside.

    Args:
        entries: of the map.
        found: what `check_map` said of them.
    """
    aside = {each.doc for each in found if each.kind in ("stale_copy", "older_version")}
    return [
        entry
        for entry in entries
        if entry.document.outcome is not ParseOutcome.NOT_READABLE
        and entry.document.doc not in aside
        and not mark_of(entry.document)
        and not is_periodical(entry.document)
    ]


def contradicting(one: MapEntry, other: MapEntry, said: tuple[Statement, Statement]) -> MapRemark:
    """Two documents that state different figures for one thing, told at the older of them."""
    first, _, decided = newer(edition(one), edition(other))
    earlier, later = (other, one) if first.doc_id == one.document.doc_id else (one, other)
    words = {statement.doc_id: statement.sentence for statement in said}
    here, there = (words[entry.document.doc_id] for entry in (earlier, later))
    which = "" if decided is DecidedBy.NOTHING else ", which is newer,"
    return remark(
        earlier,
        "contradiction",
        f"It says “{here}”; {later.document.doc}{which} says “{there}”.",
        "Correct the one that is wrong, or say in both which case they speak of.",
    )


def _check(entry: MapEntry) -> Iterator[MapRemark]:
    document = entry.document
    if document.outcome is ParseOutcome.NOT_READABLE:
        reason = document.reason or "It could not be read."
        yield remark(entry, "not_readable", reason, _remedy(document.reason))
        return
    if document.outcome is ParseOutcome.PARTIAL:
        yield remark(entry, "partial", document.reason, _remedy(document.reason))
    elif document.reason:
        fix = "Compare names and numbers with the pages, or put a file with text in its place."
        yield remark(entry, "recognised", f"{document.reason}.", fix)
    yield from _check_name(entry)
    yield from _check_outline(entry)
    yield from _check_age(entry)
    if document.hidden_chars >= HIDDEN_CHARS:
        yield remark(
            entry,
            "hidden_text",
            f"{document.hidden_chars} characters that no reader sees were left out.",
            "Look for hidden, white or tiny text and remove it.",
        )


def _check_name(entry: MapEntry) -> Iterator[MapRemark]:
    if says_nothing(entry.document.title, entry.document.doc):
        yield remark(
            entry,
            "poor_title",
            f"“{entry.document.title}” does not say what it is about.",
            "Give it a title in its properties or as its first heading, or a telling file name.",
        )


def _check_age(entry: MapEntry) -> Iterator[MapRemark]:
    since = entry.document.not_seen_since
    if since is not None:
        yield remark(
            entry,
            "stale_copy",
            f"Not seen at its source since {since:%Y-%m-%d}; the copy here answers on.",
            "Put it back, or confirm that it is gone: /reindex confirm-deletes.",
        )


def _check_outline(entry: MapEntry) -> Iterator[MapRemark]:
    chars = sum(section.chars for section in entry.outline)
    headings = [section.headings[-1] for section in entry.outline if section.headings]
    if not chars:
        yield remark(entry, "no_text", "There is no text in it.", "Fill it or remove it.")
    elif not headings and chars > _SHORT_CHARS:
        fix = f"Give it headings {_how(entry)}, so that answers can point to a section."
        yield remark(entry, "no_sections", f"No headings in {chars:,} characters.", fix)
    elif headings and all(map(_PAGE_BLOCK.match, headings)):
        yield remark(
            entry,
            "page_blocks",
            "No headings were found; it is cut by pages.",
            "Export it with bookmarks, or with heading styles.",
        )
    else:
        yield from _check_headings(entry, headings)
    if entry.document.format not in _SHEETS:
        yield from _check_sizes(entry)


def _how(entry: MapEntry) -> str:
    return _HOW.get(entry.document.format, "with heading styles")


def _check_headings(entry: MapEntry, headings: Sequence[str]) -> Iterator[MapRemark]:
    generic = [heading for heading in headings if _GENERIC.fullmatch(heading)]
    if len(generic) >= _FEW and len(generic) * 2 >= len(headings):
        yield remark(
            entry,
            "generic_headings",
            f"{len(generic)} of {len(headings)} headings say nothing, such as “{generic[0]}”.",
            "Let each heading name what stands below it.",
        )


def _check_sizes(entry: MapEntry) -> Iterator[MapRemark]:
    largest = max(entry.outline, key=lambda section: section.chars, default=None)
    if largest is not None and largest.headings and largest.chars > GIANT_CHARS:
        yield remark(
            entry,
            "giant_section",
            f"“{largest.headings[-1]}” holds {largest.chars:,} characters without a heading.",
            f"Divide it with headings {_how(entry)}.",
        )
    if len(entry.outline) > MANY_SECTIONS:
        yield remark(
            entry,
            "many_sections",
            f"{len(entry.outline)} sections; the map shows {MANY_SECTIONS}.",
            "Split the document.",
        )


def _copy(pair: Pair) -> MapRemark:
    share = "The same text" if pair.shared > _ALL else f"{pair.shared:.0%} of its text"
    other = pair.other.document.doc
    if pair.decided is DecidedBy.NOTHING:
        fix = "Keep one of them, and a link to it in the place of the other."
    else:
        other, fix = f"{other}, which is newer", "Remove this one, or move it to an archive folder."
    return remark(pair.entry, "stale_copy", f"{share} stands in {other}.", fix)


def _older(pair: Pair) -> MapRemark:
    return remark(
        pair.entry,
        "older_version",
        f"{pair.other.document.doc} is a newer version of it, and answers in its place.",
        "Nothing, if that is right; else give both titles that tell them apart.",
    )


def _same_titles(entries: Sequence[MapEntry], apart: Mapping[DocId, DocId]) -> Iterator[MapRemark]:
    for entry, others in same_titles(entries, apart):
        named = _listed(each.doc for each in others)
        yield remark(
            entry,
            "duplicate_title",
            f"“{entry.document.title}” is also the title of {named}.",
            "Give them titles that tell them apart.",
        )


def _listed(names: Iterable[str]) -> str:
    names = list(names)
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return ", ".join(names[:3]) + more


def _remedy(reason: str) -> str:
    return _REMEDIES.get(re.split(r"\W", reason, maxsplit=1)[0], "Open it and save it again.")
