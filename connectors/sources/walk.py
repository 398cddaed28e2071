"""Goes through a folder and everything below it, a page at a time.

Folders are opened one by one by their handles, read whole and closed, so that nothing is held open
between two pages and a walk may be given up anywhere. Symbolic links are never followed: what one
inside leads to is listed at its own place, and what lies outside is not ours.
"""

import os
from collections.abc import Iterator
from pathlib import Path

from connectors.ports import Complete, Incomplete, Item, Page, Skipped
from connectors.sources import names, rooted
from connectors.sources.items import item_of
from connectors.sources.selection import Selection, is_leftover

PAGE_ITEMS = 500
DEPTH = 64
"""Folders within folders; deeper ones are left out."""


class Walk:
    """The state of one listing; `next_page` is called from threads, one call at a time."""

    def __init__(self, root: Path, selection: Selection, link: str) -> None:
        self._root = root
        self._selection = selection
        self._link = link
        self._folders: list[tuple[str, str]] = [("", "")]
        self._pages: Iterator[Page] = iter(())
        self._place = ""
        self._troubles: list[tuple[str, OSError]] = []

    def next_page(self) -> Page | None:
        """The next page; None at the end."""
        while True:
            if page := next(self._pages, None):
                return page
            if not self._folders:
                return None
            self._pages = self._scan(*self._folders.pop())

    def end(self) -> Complete | Incomplete:
        """Whether everything was listed."""
        if not self._troubles:
            return Complete(self._place)
        doc, error = self._troubles[0]
        where = f"{self._root}/{doc}" if doc else str(self._root)
        more = f", nor {len(self._troubles) - 1} more" if len(self._troubles) > 1 else ""
        return Incomplete(
            f"The folder {where} cannot be listed ({rooted.said(error)}){more}.",
            "Check that it is there, mounted and readable for Footnote, or exclude it.",
        )

    def _scan(self, raw: str, doc: str) -> Iterator[Page]:
        """One folder: its files as pages, its folders put on the stack."""
        try:
            with rooted.folder(self._root, raw) as handle:
                self._place = self._place or str(os.fstat(handle).st_dev)
                with os.scandir(handle) as entries:
                    found = sorted(entries, key=lambda entry: entry.name)
                listed = _Listed(raw, doc, found)
                items, skipped = self._take(listed)
        except OSError as error:
            if not raw or error.errno not in rooted.GONE:
                self._troubles.append((doc, error))
            return iter(())
        return _pages(items, skipped)

    def _take(self, listed: "_Listed") -> tuple[list[Item], list[Skipped]]:
        items: list[Item] = []
        skipped: list[Skipped] = []
        deeper: list[tuple[str, str]] = []
        for entry, raw, doc in listed:
            if is_leftover(entry.name):
                continue
            if entry.is_dir(follow_symlinks=False):
                deeper += self._deeper(raw, doc, skipped)
            elif not self._selection.takes(doc):
                continue
            elif why := _no_document(entry):
                skipped.append(Skipped(doc, why))
            elif found := _status(entry):
                items.append(item_of(raw, doc, found, self._link))
        self._folders += reversed(deeper)
        return items, skipped

    def _deeper(self, raw: str, doc: str, skipped: list[Skipped]) -> list[tuple[str, str]]:
        if not self._selection.enters(doc):
            return []
        if raw.count("/") >= DEPTH:
            skipped.append(Skipped(doc, f"lies more than {DEPTH} folders deep"))
            return []
        return [(raw, doc)]


class _Listed:
    """The entries of one folder with raw and shown paths; look-alikes are told apart."""

    def __init__(self, raw: str, doc: str, entries: "list[os.DirEntry[str]]") -> None:
        self._raw = raw
        self._doc = doc
        self._entries = entries

    def __iter__(self) -> "Iterator[tuple[os.DirEntry[str], str, str]]":
        taken: set[str] = set()
        for entry in self._entries:
            raw = f"{self._raw}/{entry.name}" if self._raw else entry.name
            name = names.shown(entry.name)
            if name in taken:
                name = names.told_apart(name, raw)
            taken.add(name)
            yield entry, raw, f"{self._doc}/{name}" if self._doc else name


def _pages(items: list[Item], skipped: list[Skipped]) -> Iterator[Page]:
    if skipped:
        yield Page(skipped=tuple(skipped))
    for start in range(0, len(items), PAGE_ITEMS):
        yield Page(items=tuple(items[start : start + PAGE_ITEMS]))


def _no_document(entry: "os.DirEntry[str]") -> str:
    """Why this entry is not listed; empty when it is."""
    if entry.is_symlink():
        return "is a symbolic link, which is never followed"
    return "" if entry.is_file(follow_symlinks=False) else "is a pipe, socket or device"


def _status(entry: "os.DirEntry[str]") -> os.stat_result | None:
    """None for a file that went away since its folder was read."""
    try:
        return entry.stat(follow_symlinks=False)
    except FileNotFoundError:
        return None
