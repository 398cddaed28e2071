"""What the sentences of one answer may rest on: verified citations and what stands over them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from agent.citations.quoting import Place, covers, merged
from agent.citations.widening import has_negation
from agent.domain import Citation
from agent.phrases import phrase
from agent.text.folding import find, fold
from agent.text.words import term_set

OPEN, CLOSE = "\x02", "\x03"
"""Around the place of a footnote in a text whose footnotes are not numbered yet."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What an answer may rest on.

    Attributes:
        pool: verified citations, overlaps joined.
        by_quote: for every quote of the decision, the indexes into `pool` of its parts.
        turned: indexes of citations that negate or limit what was quoted of them.
        over: indexes of lines and header rows that nobody quoted, cited only for their numbers.
        also: texts whose values may be used without a footnote.
        language: of the question, for fixed phrases.
    """

    pool: tuple[Citation, ...]
    by_quote: tuple[tuple[int, ...], ...]
    turned: frozenset[int]
    over: frozenset[int]
    also: tuple[str, ...]
    language: str

    @classmethod
    def of(cls, places: Sequence[Sequence[Place]], also: tuple[str, ...], language: str) -> Self:
        """The evidence that the located quotes of a decision make."""
        located = [place for found in places for place in found]
        above = [place.over for place in located if place.over]
        pool = merged([*(place.citation for place in located), *above])

        def index(place: Place) -> int:
            return next(at for at, whole in enumerate(pool) if covers(whole, place.citation))

        by_quote = tuple(tuple(dict.fromkeys(map(index, found))) for found in places)
        return cls(
            pool,
            by_quote,
            frozenset(index(place) for place in located if place.turned),
            frozenset(range(len(pool))) - {at for found in by_quote for at in found},
            also,
            language,
        )

    def cited(self, numbers: Sequence[int]) -> tuple[int, ...]:
        """Indexes into the pool that these quote numbers stand for; unknown numbers for none."""
        known = [number - 1 for number in numbers if 0 < number <= len(self.by_quote)]
        return tuple(dict.fromkeys(at for number in known for at in self.by_quote[number]))

    def sources(self, cited: Sequence[int]) -> list[str]:
        """Texts whose values a sentence with these footnotes may use."""
        texts = list(self.also)
        for at in cited:
            one = self.pool[at]
            texts += (one.quote, one.title, one.doc, " / ".join(one.section))
        return texts

    def every_source(self) -> list[str]:
        """Texts whose values any sentence may use, with the right footnotes."""
        return self.sources(range(len(self.pool)))

    def words(self, cited: Sequence[int]) -> frozenset[str]:
        """Content words of these citations and of the headings over them."""
        found = [self.pool[at] for at in cited]
        texts = (f"{one.quote}\n{one.header}\n{' '.join(one.section)}" for one in found)
        return frozenset[str]().union(*map(term_set, texts))

    def holds(self, at: int, words: str) -> bool:
        """Whether these very words stand in a citation's quote."""
        return find(words, self.pool[at].quote) is not None

    def in_marks(self, at: int, words: str) -> str:
        """Words of a citation's quote in quote marks; the whole quote with what it stands under."""
        whole = self.pool[at]
        if fold(words).text == fold(whole.quote.strip()).text:
            return quoted(whole, self.language)
        return f"“{words}”"

    def best_for(self, sentence: str) -> int | None:
        """The citation that shares most content words with a sentence; a lone one in any case."""
        quoted_ones = [at for at in range(len(self.pool)) if at not in self.over]
        if len(quoted_ones) == 1:
            return quoted_ones[0]
        wanted = term_set(sentence)
        shares = [len(wanted & self.words([at])) for at in quoted_ones]
        most = max(shares, default=0)
        return quoted_ones[shares.index(most)] if most else None

    def quote(self, at: int) -> str:
        """A citation's quote with the slot for its number."""
        return f"{quoted(self.pool[at], self.language)} {slot(at)}"

    def all_quoted(self) -> str:
        """Every quote with its slot, one a line."""
        return "\n".join(self.quote(at) for at in range(len(self.pool)) if at not in self.over)


def slot(at: int) -> str:
    """The place of a footnote that is not numbered yet; `at` is its index in the pool."""
    return f"{OPEN}{at}{CLOSE}"


def quoted(citation: Citation, language: str) -> str:
    """A quote for running text: in quote marks, a row with its column names.

    What stands over a quote is no part of it; it is shown where it holds no value that the quote
    would have to vouch for.
    """
    words = "\n".join(filter(None, map(str.strip, citation.quote.splitlines())))
    header = " ".join(citation.header.split())
    if not header or any(character.isdigit() for character in header):
        return f"“{words}”"
    if " | " in citation.quote:
        return f"“{words}” {phrase(language, 'columns', header=header)}"
    return f"“{header} … {words}”" if has_negation(header) else f"“{words}”"
