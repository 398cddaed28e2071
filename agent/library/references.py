"""Cross-references: which document leads to which, by a link or by naming its title.

Worked out at the end of a sync run for the documents that changed, and for the others as far as
a new title may stand in them.
"""

import posixpath
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import SplitResult, unquote, urlsplit

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from agent.library.index.choice import fulltext_of
from agent.library.tables import cross_references, documents, sections
from agent.text.words import index_terms, language_of

_MOST_MENTIONS = 20
_WORD = re.compile(r"\w+")
_FILE = re.compile(r"[\w][\w.-]*\.(?:docx|pdf|md|pptx|xlsx|csv|html?|txt|eml|msg|epub)(?!\w)")
_DOCS_AT_ONCE = 200
_CHINESE_TITLE_CHARS = 4


def resolve_cross_references(connection: Connection) -> None:
    """Work out the references of every document that changed since the last call."""
    known = _known(connection)
    stale = {each.doc_id for each in known if each.stale}
    if not stale:
        return
    links, titles = _Links(known), _Titles(known)
    fresh = _Titles([each for each in known if each.stale])
    rows: set[tuple[str, str, str]] = set()
    for each in known:
        rows |= {(each.doc_id, to, "link") for to in links.of(each)}
        if each.attached_to:
            rows.add((each.attached_to, each.doc_id, "link"))
    for doc_id, text in _texts(connection, sorted(stale)):
        rows |= {(doc_id, to, "mention") for to in titles.named_in(text, doc_id)}
    others = _may_name(connection, fresh, stale) if len(stale) < len(known) else []
    for doc_id, text in _texts(connection, others):
        rows |= {(doc_id, to, "mention") for to in fresh.named_in(text, doc_id)}
    _save(connection, rows)


@dataclass(frozen=True, slots=True)
class _Known:
    doc_id: str
    source: str
    doc: str
    title: str
    url: str
    links: tuple[str, ...]
    stale: bool
    attached_to: str | None = None


def _known(connection: Connection) -> list[_Known]:
    found = connection.execute(
        sa.select(
            *(documents.c.doc_id, documents.c.source, documents.c.doc, documents.c.title),
            *(documents.c.url, documents.c.links, documents.c.references_stale),
            documents.c.attached_to,
        )
    )
    return [_Known(*row[:5], tuple(row[5]), row[6], row[7]) for row in found]


class _Links:
    """Finds the document a link leads to: by path, by address, by title."""

    def __init__(self, known: Sequence[_Known]) -> None:
        self._by_path = {(each.source, each.doc.casefold()): each.doc_id for each in known}
        owners = [each for each in known if each.url and not each.attached_to]
        self._by_url = {_address(each.url): each.doc_id for each in owners}
        self._by_title = {each.title.casefold(): each.doc_id for each in known}

    def of(self, document: _Known) -> set[str]:
        found = (self._target(document, link) for link in document.links)
        return {doc_id for doc_id in found if doc_id and doc_id != document.doc_id}

    def _target(self, document: _Known, link: str) -> str | None:
        parts = _split(link)
        if parts is None:
            return None
        if parts.scheme or parts.netloc:
            return self._by_url.get(_address(link))
        path = unquote(parts.path)
        if not path:
            return None
        for candidate in _paths(document.doc, path):
            if found := self._by_path.get((document.source, candidate.casefold())):
                return found
        return self._by_title.get(path.casefold())


def _paths(doc: str, link: str) -> Iterator[str]:
    """Paths a relative link may mean: as written, with an ending, as a folder's index."""
    folder = "" if link.startswith("/") else posixpath.dirname(doc)
    path = posixpath.normpath(posixpath.join(folder, link.lstrip("/")))
    path = "" if path == "." else path.removeprefix("./")
    yield path
    stem = path.removesuffix(".html").removesuffix(".htm")
    for base in dict.fromkeys((path, stem)):
        for ending in (".md", ".html", ".docx", ".pdf", ".txt"):
            yield base + ending
        for index in ("index.md", "_index.md", "README.md", "index.html"):
            yield f"{base}/{index}".lstrip("/")


def _split(link: str) -> SplitResult | None:
    """The parts of an address, None for what only looks like one (`http://[`)."""
    try:
        return urlsplit(link)
    except ValueError:
        return None


def _address(url: str) -> str:
    parts = _split(url)
    if parts is None:
        return url
    return f"{parts.netloc}{unquote(parts.path)}?{parts.query}".rstrip("?").rstrip("/").casefold()


@dataclass(frozen=True, slots=True)
class _Title:
    doc_id: str
    words: tuple[str, ...]


@dataclass(slots=True)
class _Titles:
    """Titles and file names that can be recognised in running text: telling, and unique."""

    known: Sequence[_Known]
    names: Mapping[str, str] = field(init=False)
    english: Mapping[str, list[_Title]] = field(init=False)
    chinese: Mapping[str, list[tuple[str, str]]] = field(init=False)

    def __post_init__(self) -> None:
        by_title: dict[str, list[_Known]] = defaultdict(list)
        for each in self.known:
            by_title[each.title.casefold()].append(each)
        english: dict[str, list[_Title]] = defaultdict(list)
        chinese: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for title, owners in by_title.items():
            if len(owners) > 1:
                continue
            if language_of(title) == "zh":
                if len(title) >= _CHINESE_TITLE_CHARS:
                    chinese[title[:_CHINESE_TITLE_CHARS]].append((title, owners[0].doc_id))
            elif len(set(index_terms(title))) > 1:
                words = tuple(_WORD.findall(title))
                english[words[0]].append(_Title(owners[0].doc_id, words))
        self.english, self.chinese = english, chinese
        self.names = _file_names(self.known)

    def named_in(self, text: str, own: str) -> set[str]:
        """Documents whose title stands in the text, at most twenty."""
        text = text.casefold()
        found: set[str] = set()
        for doc_id in (*self._files_in(text), *self._english_in(text), *self._chinese_in(text)):
            if doc_id != own:
                found.add(doc_id)
            if len(found) == _MOST_MENTIONS:
                break
        return found

    def _files_in(self, text: str) -> Iterator[str]:
        for written in dict.fromkeys(_FILE.findall(text)):
            # Chinese stands before a name without a blank.
            starts = [0, *(at for at in range(1, len(written)) if not written[at - 1].isascii())]
            names = (written[at:] for at in starts)
            yield from [self.names[name] for name in names if name in self.names][:1]

    def _english_in(self, text: str) -> Iterator[str]:
        words = _WORD.findall(text)
        for at, word in enumerate(words):
            for title in self.english.get(word, ()):
                if tuple(words[at : at + len(title.words)]) == title.words:
                    yield title.doc_id

    def _chinese_in(self, text: str) -> Iterator[str]:
        if not self.chinese or language_of(text[:2_000]) != "zh":
            return
        for at in range(len(text) - _CHINESE_TITLE_CHARS + 1):
            for title, doc_id in self.chinese.get(text[at : at + _CHINESE_TITLE_CHARS], ()):
                if text.startswith(title, at):
                    yield doc_id


def _file_names(known: Sequence[_Known]) -> dict[str, str]:
    """Names of files that one document alone has; an attachment is named with its mail."""
    owners: dict[str, list[str]] = defaultdict(list)
    for each in known:
        if not each.attached_to:
            owners[posixpath.basename(each.doc).casefold()].append(each.doc_id)
    return {name: ids[0] for name, ids in owners.items() if len(ids) == 1}


def _may_name(connection: Connection, titles: _Titles, stale: set[str]) -> list[str]:
    """Unchanged documents in which all words of one of the titles stand."""
    found: set[str] = set()
    index = fulltext_of(connection)
    for each in titles.known:
        for name in (each.title, posixpath.basename(each.doc)):
            terms = sorted(set(index_terms(name)))
            if len(terms) > 1:
                found |= set(index.documents_with(connection, terms))
    return sorted(found - stale)


def _texts(connection: Connection, doc_ids: Sequence[str]) -> Iterator[tuple[str, str]]:
    for start in range(0, len(doc_ids), _DOCS_AT_ONCE):
        found = connection.execute(
            sa.select(sections.c.doc_id, sections.c.text)
            .where(sections.c.doc_id.in_(doc_ids[start : start + _DOCS_AT_ONCE]))
            .order_by(sections.c.doc_id, sections.c.position)
        )
        whole: dict[str, list[str]] = defaultdict(list)
        for row in found:
            whole[row.doc_id].append(row.text)
        for doc_id, texts in whole.items():
            yield doc_id, "\n".join(texts)


def _save(connection: Connection, rows: Iterable[tuple[str, str, str]]) -> None:
    stale = sa.select(documents.c.doc_id).where(documents.c.references_stale)
    connection.execute(
        sa.delete(cross_references).where(
            sa.or_(
                cross_references.c.kind == "link",
                cross_references.c.from_doc.in_(stale),
                cross_references.c.to_doc.in_(stale),
            )
        )
    )
    if rows:
        connection.execute(
            sa.insert(cross_references),
            [{"from_doc": a, "to_doc": b, "kind": kind} for a, b, kind in sorted(rows)],
        )
    connection.execute(
        sa.update(documents).where(documents.c.references_stale).values(references_stale=False)
    )
