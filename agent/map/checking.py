"""The map check: what in the library will answer badly, and what its owner can do about it."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from agent.domain import MapEntry, ParseOutcome

Kind = Literal[
    "not_readable",
    "partial",
    "recognised",
    "no_text",
    "no_sections",
    "page_blocks",
    "duplicate_title",
    "hidden_text",
    "giant_section",
    "many_sections",
]

GIANT_CHARS = 20_000
HIDDEN_CHARS = 20
"""Fewer are stray marks of an editor, not text that somebody hid."""
MANY_SECTIONS = 300
_SHORT_CHARS = 4_000
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
    "unsupported": "Export it as .docx, .pdf, .html or .md.",
}


@dataclass(frozen=True, slots=True)
class MapRemark:
    """One row of the map check: which document, what kind of trouble, what to do."""

    doc: str
    kind: Kind
    says: str
    fix: str


def check_map(entries: Sequence[MapEntry]) -> list[MapRemark]:
    """Everything worth telling about these documents, by document, duplicates last."""
    return [*(remark for entry in entries for remark in _check(entry)), *_same_titles(entries)]


def _check(entry: MapEntry) -> Iterator[MapRemark]:
    document = entry.document
    if document.outcome is ParseOutcome.NOT_READABLE:
        reason = document.reason or "It could not be read."
        yield _remark(entry, "not_readable", reason, _remedy(document.reason))
        return
    if document.outcome is ParseOutcome.PARTIAL:
        yield _remark(entry, "partial", document.reason, _remedy(document.reason))
    elif document.reason:
        fix = "Compare names and numbers with the pages, or put a file with text in its place."
        yield _remark(entry, "recognised", f"{document.reason}.", fix)
    yield from _check_outline(entry)
    if document.hidden_chars >= HIDDEN_CHARS:
        yield _remark(
            entry,
            "hidden_text",
            f"{document.hidden_chars} characters that no reader sees were left out.",
            "Look for hidden, white or tiny text and remove it.",
        )


def _check_outline(entry: MapEntry) -> Iterator[MapRemark]:
    chars = sum(section.chars for section in entry.outline)
    headed = [section for section in entry.outline if section.headings]
    if not chars:
        yield _remark(entry, "no_text", "There is no text in it.", "Fill it or remove it.")
    elif not headed and chars > _SHORT_CHARS:
        yield _remark(
            entry,
            "no_sections",
            f"No headings in {chars:,} characters.",
            "Give it headings with heading styles, so that answers can point to a section.",
        )
    elif headed and all(_PAGE_BLOCK.match(section.headings[-1]) for section in headed):
        yield _remark(
            entry,
            "page_blocks",
            "No headings were found; it is cut by pages.",
            "Export it with bookmarks, or with heading styles.",
        )
    yield from _check_sizes(entry)


def _check_sizes(entry: MapEntry) -> Iterator[MapRemark]:
    largest = max(entry.outline, key=lambda section: section.chars, default=None)
    if largest is not None and largest.headings and largest.chars > GIANT_CHARS:
        yield _remark(
            entry,
            "giant_section",
            f"“{largest.headings[-1]}” holds {largest.chars:,} characters without a heading.",
            "Divide it with headings.",
        )
    if len(entry.outline) > MANY_SECTIONS:
        yield _remark(
            entry,
            "many_sections",
            f"{len(entry.outline)} sections; the map shows {MANY_SECTIONS}.",
            "Split the document.",
        )


def _same_titles(entries: Sequence[MapEntry]) -> Iterator[MapRemark]:
    by_title: dict[str, list[MapEntry]] = defaultdict(list)
    for entry in entries:
        by_title[entry.document.title.casefold()].append(entry)
    for same in by_title.values():
        for entry in same if len(same) > 1 else ():
            others = _listed(each.document.doc for each in same if each is not entry)
            yield _remark(
                entry,
                "duplicate_title",
                f"“{entry.document.title}” is also the title of {others}.",
                "Give them titles that tell them apart.",
            )


def _listed(names: Iterable[str]) -> str:
    names = list(names)
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return ", ".join(names[:3]) + more


def _remedy(reason: str) -> str:
    return _REMEDIES.get(re.split(r"\W", reason, maxsplit=1)[0], "Open it and save it again.")


def _remark(entry: MapEntry, kind: Kind, says: str, fix: str) -> MapRemark:
    return MapRemark(entry.document.doc, kind, says, fix)
