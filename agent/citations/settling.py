"""Sources that disagree: the current one answers, the other is said in one line.

Two versions of one policy, or two documents that state different figures for the same thing: the
asker gets the one that counts now, learns that there is another, and what made the choice.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from agent.citations.checking import Checked, renumber
from agent.citations.claims import order_of, slotted, with_markers
from agent.citations.evidence import quoted, slot
from agent.citations.quoting import locate
from agent.citations.versions import DecidedBy, asks_for_old, edition_of, mark_of, newer, superseded
from agent.domain import Citation, DocId, Document, Quote, Window
from agent.phrases import language_of, listed, phrase
from agent.text.sentences import sentences
from agent.text.values import ValueKind, values
from agent.text.words import term_set

Said = Mapping[DocId, str]
"""What is known of documents' texts (outline, first sentences), where their dates may stand."""

_ASKS_VALUE = re.compile(
    r"\bhow (?:many|much|long|often|far|soon|fast|high|big|old|late)\b|\bwhen\b|\b(?:limit|rate|fee"
    r"|price|cost|deadline|maximum|minimum|period|amount|allowance|number|percentage|share|hours?|times?"
    r"|open|what time|date)\b"
    r"|多少|多久|多长|几[个天年月次周小分点]|何时|什么时候|上限|下限|标准|限额|期限|金额|比例|费用|时间",
    re.IGNORECASE,
)
_ALIKE = 0.3
"""Share of their words that two statements about the same thing have in common, at least."""
_ON_SUBJECT = 0.5
"""Share of the question's words that a statement must hold to answer it."""


@dataclass(frozen=True, slots=True)
class Current:
    """Windows, those that speak for today apart from those that do not."""

    windows: tuple[Window, ...]
    aside: tuple[Window, ...] = ()


def current(
    windows: Sequence[Window], question: str, said: Said | None = None, *, outdated: bool = False
) -> Current:
    """Set aside what a newer version replaces, and what is archived or a draft.

    Args:
        windows: what a search brought.
        question: where it asks for what was, nothing is set aside.
        said: what is known of the documents' texts.
        outdated: whether archived documents and drafts may stay beside others; where there are
            no others they always do.
    """
    replaced = superseded((window.document for window in windows), said, question)
    keep_marked = outdated or asks_for_old(question)
    kept = tuple(window for window in windows if window.document.doc_id not in replaced)
    unmarked = tuple(window for window in kept if not mark_of(window.document))
    kept = kept if keep_marked else unmarked or kept
    return Current(kept, tuple(window for window in windows if window not in kept))


def settled(
    checked: Checked, windows: Sequence[Window], question: str, said: Said | None = None
) -> Checked:
    """A checked answer with a line for an older version or a source that says otherwise.

    Args:
        checked: the answer.
        windows: all that was shown or set aside.
        question: decides whether two figures answer the same.
        said: what is known of the documents' texts.
    """
    if not checked.citations:
        return checked
    documents = {window.document.doc_id: window.document for window in windows}
    settler = _Settler(question, documents, said or {})
    return settler.older_versions(settler.differing(checked), windows)


def remarks(checked: Checked, windows: Sequence[Window], question: str) -> tuple[str, ...]:
    """The line to show above an answer that rests on archived documents or drafts alone."""
    documents = {window.document.doc_id: window.document for window in windows}
    cited = [documents[one.doc_id] for one in checked.citations if one.doc_id in documents]
    if not cited or not all(map(mark_of, cited)) or asks_for_old(question):
        return ()
    titles = list(dict.fromkeys(document.title for document in cited))
    language = language_of(question)
    return (phrase(language, "outdated", titles=listed(language, titles)),)


class _Settler:
    def __init__(self, question: str, documents: Mapping[DocId, Document], said: Said) -> None:
        self._question = question
        self._language = language_of(question)
        self._documents = documents
        self._said = said
        self._replaced = superseded(documents.values(), said, question)
        self._versions = superseded(documents.values(), said)

    def older_versions(self, checked: Checked, windows: Sequence[Window]) -> Checked:
        """Add one line for the older version of the document that is cited first, if it differs."""
        cited = {citation.doc_id for citation in checked.citations}
        for citation in checked.citations:
            older = [
                window
                for window in windows
                if self._replaced.get(window.document.doc_id) == citation.doc_id
                and window.document.doc_id not in cited
            ]
            if other := self._counterpart(citation, older):
                older_title = other.title
                return self._with_line(checked, other, "older_version", older=older_title)
        return checked

    def differing(self, checked: Checked) -> Checked:
        """Say that two cited documents differ, and let the later one lead."""
        if not _ASKS_VALUE.search(self._question):
            return checked
        for at, one in enumerate(checked.citations):
            for other in checked.citations[at + 1 :]:
                if one.doc_id != other.doc_id and self._differ(one, other):
                    return self._led_by_later(checked, one, other)
        return checked

    def _led_by_later(self, checked: Checked, one: Citation, other: Citation) -> Checked:
        editions = [
            edition_of(self._documents[each.doc_id], self._said.get(each.doc_id, "") or each.quote)
            for each in (one, other)
        ]
        first, _, decided = newer(*editions)
        later, earlier = (one, other) if first.doc_id == one.doc_id else (other, one)
        older = self._replaced.get(earlier.doc_id) == later.doc_id
        if not older and self._versions.get(earlier.doc_id) == later.doc_id:
            return checked if asks_for_old(self._question) else _without(checked, later)
        without = _without(checked, earlier)
        if older:
            return self._with_line(without, earlier, "older_version", older=earlier.title)
        key = {
            DecidedBy.STATED: "differ_stated",
            DecidedBy.MODIFIED: "differ_modified",
            DecidedBy.NOTHING: "differ_undated",
        }[decided]
        return self._with_line(without, earlier, key, later=later.title, earlier=earlier.title)

    def _counterpart(self, citation: Citation, windows: Sequence[Window]) -> Citation | None:
        """What an older version says in the place of a citation, where its values differ."""
        best: tuple[float, Citation] | None = None
        for window in windows:
            for start, end in sentences(window.text):
                found = locate(Quote("", window.text[start:end]), {"": [window]}, self._language)
                if not found or not self._differ(citation, found[0].citation):
                    continue
                share = _alike(citation.quote, found[0].citation.quote)
                if best is None or share > best[0]:
                    best = share, found[0].citation
        return best[1] if best else None

    def _differ(self, one: Citation, other: Citation) -> bool:
        """Whether two quotes state different figures for the same thing that was asked."""
        if not (self._on_subject(one) and self._on_subject(other)):
            return False
        return _alike(one.quote, other.quote) >= _ALIKE and _figures_differ(one.quote, other.quote)

    def _on_subject(self, citation: Citation) -> bool:
        asked = term_set(self._question)
        stated = term_set(f"{citation.quote} {' '.join(citation.section)}")
        return len(asked & stated) >= _ON_SUBJECT * len(asked)

    def _with_line(self, checked: Checked, citation: Citation, key: str, **values: str) -> Checked:
        """The answer with one line more; its citation is new unless the answer has it already."""
        known = next((one for one in checked.citations if _same_place(one, citation)), None)
        number = known.number if known else len(checked.citations) + 1
        words = f"{quoted(citation, self._language)} [{number}]"
        line = phrase(self._language, key, quote=words, **values)
        added = () if known else (replace(citation, number=number),)
        text = f"{checked.text}\n{line}".strip()
        return replace(checked, text=text, citations=(*checked.citations, *added))


def _same_place(one: Citation, other: Citation) -> bool:
    return (one.doc_id, one.section_path, one.start) == (
        other.doc_id,
        other.section_path,
        other.start,
    )


def _without(checked: Checked, citation: Citation) -> Checked:
    """The answer without the lines that rest on one citation alone."""
    slots = {one.number: at for at, one in enumerate(checked.citations)}
    gone = slot(slots[citation.number])
    lines = [
        line
        for line in slotted(checked.text, slots).split("\n")
        if order_of(line) != order_of(gone)
    ]
    text = "\n".join(lines).strip()
    order = order_of(text)
    return replace(
        checked,
        text=with_markers(text, order),
        citations=renumber([checked.citations[at] for at in order]),
    )


def _alike(one: str, other: str) -> float:
    """Share of the words two statements have in common, numbers aside."""
    words = [
        {term for term in term_set(text) if not any(map(str.isdigit, term))}
        for text in (one, other)
    ]
    both = words[0] | words[1]
    return len(words[0] & words[1]) / len(both) if both else 0.0


def _figures_differ(one: str, other: str) -> bool:
    """Whether both state numbers of one unit and share none of them."""
    first, second = _figures(one), _figures(other)
    return any(not first[unit] & second[unit] for unit in first.keys() & second.keys())


def _figures(text: str) -> dict[str, set[str]]:
    """Numbers by unit, times and dates; numbers without a unit only where there is nothing else."""
    figures: dict[str, set[str]] = {}
    for value in values(text):
        if value.kind is ValueKind.IDENTIFIER or value.unit == "part" or value.weak:
            continue
        unit = value.unit if value.kind is ValueKind.NUMBER else value.kind.value
        figures.setdefault(unit, set()).add(value.key)
    bare = figures.pop("", set())
    return figures or ({"": bare} if bare else {})
