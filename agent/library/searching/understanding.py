"""A question in the library's own words: typing errors mended, abbreviations known.

Whatever is told to the asker here, a corrected word or a long form, was found in a document of
his scope; the vocabulary of the whole library only proposes.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from agent.domain import Correction, Expansion, Scope
from agent.library.index.choice import fulltext_of
from agent.library.reading import read_sections
from agent.library.scoping import visible
from agent.library.searching.correcting import likely_stems, meant, mistyped, other_beginnings
from agent.library.searching.kinship import kin_of, synonyms_of
from agent.library.searching.statistics import Statistics
from agent.library.tables import abbreviations, documents
from agent.text.words import Word, WordKind, index_terms, query_terms

_MOST_LONG_FORMS = 3
_TEXTS_TRIED = 3


@dataclass(frozen=True, slots=True)
class Understood:
    """A question as it will be searched.

    Attributes:
        words: mended, in the question's order.
        frequencies: of every form, in rows of the whole library.
        also: by the indexed form of a word, the short or long forms that count as the same.
        kin: by the indexed form of a word, derived forms and synonyms, which count half.
    """

    words: tuple[Word, ...]
    frequencies: Mapping[str, int]
    corrections: tuple[Correction, ...] = ()
    expansions: tuple[Expansion, ...] = ()
    also: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    kin: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def forms_of(self, word: Word) -> set[str]:
        """All forms under which a word is found."""
        return {word.key, *self.also.get(word.key, ()), *self.kin.get(word.key, ())}


class Understanding:
    """Reads questions on one connection, for one scope."""

    def __init__(
        self,
        connection: Connection,
        scope: Scope,
        statistics: Statistics,
        glossary: Mapping[str, str],
    ) -> None:
        self._connection = connection
        self._index = fulltext_of(connection)
        self._scope = scope
        self._statistics = statistics
        self._glossary = glossary
        self._mended: dict[str, tuple[str, str] | None] = {}

    def of(self, query: str) -> Understood:
        """Mend and expand the words of a question."""
        words = query_terms(query)
        frequencies = self._frequencies(words)
        mended = [(word, self._correction(word, frequencies)) for word in words]
        words = tuple(replace(word, key=found[0]) if found else word for word, found in mended)
        corrections = tuple(Correction(word.written, found[1]) for word, found in mended if found)
        expansions = self._expansions(query, words)
        words = tuple(_with_long_form(word, expansions) for word in words)
        also = dict(_short_forms(words, expansions))
        kin = self._kin(words, frequencies)
        if corrections or expansions or kin:
            frequencies = self._frequencies(words, (*also.values(), *kin.values()))
        return Understood(words, frequencies, corrections, expansions, also, kin)

    def _frequencies(
        self, words: Iterable[Word], also: Iterable[Sequence[str]] = ()
    ) -> Mapping[str, int]:
        forms = {form for word in words for form in (word.key, *word.parts)}
        return self._known(forms | {form for forms in also for form in forms})

    def _kin(
        self, words: Iterable[Word], frequencies: Mapping[str, int]
    ) -> dict[str, tuple[str, ...]]:
        unknown = [word for word in words if _is_unknown(word, frequencies)]
        if not unknown:
            return {}
        known = self._known(form for word in unknown for form in synonyms_of(word))
        found = {
            word.key: kin_of(word, self._statistics.stems(self._connection, word.key[0]), known)
            for word in unknown
        }
        return {key: forms for key, forms in found.items() if forms}

    def _known(self, forms: Iterable[str]) -> Mapping[str, int]:
        """Those of the forms that the library has, with their frequencies."""
        asked = sorted(set(forms))
        return self._index.frequencies(self._connection, asked) if asked else {}

    def _correction(self, word: Word, frequencies: Mapping[str, int]) -> tuple[str, str] | None:
        """Stem and written form of the word that was meant, if it stands in the scope."""
        if not mistyped(word, frequencies):
            return None
        if word.key not in self._mended:
            self._mended[word.key] = self._meant_by(word)
        return self._mended[word.key]

    def _meant_by(self, word: Word) -> tuple[str, str] | None:
        alike = self._statistics.vocabulary(self._connection, word.key[0])
        others = self._known(other_beginnings(word))
        for stem in likely_stems(word, {**alike, **others}):
            if found := meant(stem, self._text_with(stem), word.written):
                return stem, found
        return None

    def _text_with(self, stem: str) -> str:
        """Text of the scope in which a stem stands, empty if there is none."""
        rows = self._index.candidates(self._connection, {stem: 1.0}, self._scope, _TEXTS_TRIED)
        places = [(row.doc_id, row.position) for row in rows]
        found = read_sections(self._connection, self._scope, places)
        return " ".join(
            " ".join((document.title, *section.headings, section.text))
            for document, section in found.values()
        )

    def _expansions(self, query: str, words: Sequence[Word]) -> tuple[Expansion, ...]:
        """Short and long forms that the question touches, from settings and documents."""
        short = {word.written for word in words if _is_short_form(word)}
        known = [Expansion(s, long) for s, long in self._glossary.items() if s in short]
        if short:
            rows = self._connection.execute(
                sa.select(abbreviations.c.short, abbreviations.c.long)
                .join(documents, documents.c.doc_id == abbreviations.c.doc_id)
                .where(abbreviations.c.short.in_(sorted(short)), visible(self._scope))
                .group_by(abbreviations.c.short, abbreviations.c.long)
                .order_by(abbreviations.c.short, sa.func.count().desc(), abbreviations.c.long)
                .limit(_MOST_LONG_FORMS * len(short))
            )
            known += [Expansion(row.short, row.long) for row in rows]
        folded = query.casefold()
        known += [
            Expansion(s, long) for s, long in self._glossary.items() if long.casefold() in folded
        ]
        return tuple({each.long.casefold(): each for each in reversed(known)}.values())


def _is_unknown(word: Word, frequencies: Mapping[str, int]) -> bool:
    return word.kind is WordKind.WORD and word.key.isalpha() and not frequencies.get(word.key)


def _is_short_form(word: Word) -> bool:
    return word.kind is not WordKind.CJK and sum(each.isupper() for each in word.written) > 1


def _with_long_form(word: Word, expansions: Sequence[Expansion]) -> Word:
    """A short form counts half where all words of its long form stand."""
    for each in expansions:
        if each.short == word.written:
            parts = tuple(dict.fromkeys(index_terms(each.long)))
            return replace(word, parts=(*word.parts, *parts))
    return word


def _short_forms(
    words: Sequence[Word], expansions: Sequence[Expansion]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The words of a long form that the question spells out count as found in the short one."""
    asked = {word.key for word in words}
    for each in expansions:
        long = set(index_terms(each.long))
        if long <= asked:
            for form in long:
                yield form, tuple(index_terms(each.short))
