"""Text as search terms: what a word is to the library, in English and in Chinese.

The full-text index, the scoring of passages, coverage and the extractive core must agree on
what counts as the same word, so they all ask here. English words are folded and stemmed,
Chinese is cut into character bigrams (as good as a segmenter and ten times faster), and
identifiers (`S2`, `ERR-4021`, `v2.3.1`, `foo_bar`) count whole and in parts.
"""

import re
import threading
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Literal

import snowballstemmer

from agent.text.stopwords import (
    CHINESE_FILLERS,
    ENGLISH_CONTRACTIONS,
    ENGLISH_FRAMES,
    ENGLISH_STOP_WORDS,
    KEPT_ACRONYMS,
)

Language = Literal["en", "zh"]

CJK = (
    "\u3005\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7af\uf900-\ufaff\U00020000-\U0002ffff"
)
"""Characters written without blanks between words, as a regex class body."""
_LETTER = (
    "0-9A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u0300-\u036f\u0370-\u03ff\u0400-\u052f"
    "\u0590-\u06ff\u0900-\u0dff\u0e00-\u0e7f\u1e00-\u1eff"
)
_TOKEN = re.compile(
    rf"[{CJK}]+"
    r"|\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\d,])"
    rf"|[{_LETTER}]+(?:[._\-/@&'’‐‑+]+[{_LETTER}]+)*(?:\+\+|#(?![{_LETTER}]))?"
)
_ASCII_TOKEN = re.compile(
    r"\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\d,])"
    r"|[0-9A-Za-z]+(?:[._\-/@&'+]+[0-9A-Za-z]+)*(?:\+\+|#(?![0-9A-Za-z]))?"
)
"""The same for plain ASCII, twice as fast: most English text is."""
_FIRST_CJK = "\u3005"
_CJK_CHARACTER = re.compile(rf"[{CJK}]")
_LATIN_WORD = re.compile(rf"[{_LETTER}]+")
_PIECE = re.compile(r"[^\W\d_]+|\d+")
_CONNECTOR = re.compile(r"[._\-/@&'+#]+")
_CAMEL = re.compile(r"[a-z][A-Z]")
_CAMEL_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_FILLERS = re.compile("|".join((*ENGLISH_FRAMES, *CHINESE_FILLERS)))
_MAX_TERM_CHARS = 64
_NOUN_OF_R = ("rral", "rrals")
"""Ends of nouns whose doubled r hides their verb from the stemmer."""

_stemmer = snowballstemmer.stemmer("english")
_stemmer_lock = threading.Lock()


class WordKind(StrEnum):
    """What a word is made of."""

    WORD = "word"
    IDENTIFIER = "identifier"
    CJK = "cjk"


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a question as the index knows it.

    Attributes:
        key: the indexed form: a stem, a whole identifier or a bigram.
        written: as it stands in the question.
        parts: of an identifier, the indexed forms of its pieces; empty for others.
    """

    key: str
    written: str
    kind: WordKind
    parts: tuple[str, ...] = ()


def index_terms(text: str) -> list[str]:
    """Every indexed form in a text, in order, with repetitions; stop words left out."""
    terms: list[str] = []
    if text.isascii():
        for raw in _ASCII_TOKEN.findall(text):
            terms += _indexed(raw)
        return terms
    for raw in _TOKEN.findall(_folded(text)):
        terms += _bigrams(raw) if raw[0] >= _FIRST_CJK else _indexed(raw)
    return terms


def query_terms(text: str) -> tuple[Word, ...]:
    """The terms a question asks for, each once, in order; question and filler words left out."""
    found: dict[str, Word] = {}
    for raw in _TOKEN.findall(_FILLERS.sub(" ", _folded(text))):
        for term in _asked(raw):
            found.setdefault(term.key, term)
    alone = [term for term in found.values() if term.kind is WordKind.CJK and len(term.key) == 1]
    if len(alone) < len(found):  # a lone character is in no bigram
        return tuple(term for term in found.values() if term not in alone)
    return tuple(found.values())


def term_set(text: str) -> frozenset[str]:
    """The distinct indexed forms of a text."""
    return frozenset(index_terms(text))


def language_of(text: str) -> Language:
    """`zh` when at least as many Chinese characters as Latin words stand in the text."""
    chinese = len(_CJK_CHARACTER.findall(text))
    if not chinese:
        return "en"
    return "zh" if chinese >= len(_LATIN_WORD.findall(text)) else "en"


def is_identifier(word: str) -> bool:
    """Whether a word names one thing exactly (`S2`, `ERR-4021`, `foo_bar`): never corrected."""
    folded = _folded(word)
    return bool(_LATIN_WORD.search(folded)) and _token(folded.strip()).kind is WordKind.IDENTIFIER


def is_stop_word(word: str) -> bool:
    """Whether an English word carries no meaning of its own; question words are among them."""
    return word not in KEPT_ACRONYMS and _plain(word) in ENGLISH_STOP_WORDS


@lru_cache(maxsize=200_000)
def stem(word: str) -> str:
    """The indexed form of one folded English word; `referral` is what one does who refers."""
    if word.endswith(_NOUN_OF_R):
        word = word.removesuffix("s").removesuffix("ral")
    with _stemmer_lock:  # the stemmer keeps the word it works on in itself
        return str(_stemmer.stemWord(word))


@dataclass(frozen=True, slots=True)
class _Token:
    kind: WordKind
    key: str
    parts: tuple[str, ...]
    indexed: tuple[str, ...]


_NOTHING = _Token(WordKind.WORD, "", (), ())


def _folded(text: str) -> str:
    if text.isascii() or unicodedata.is_normalized("NFKC", text):
        return text
    return unicodedata.normalize("NFKC", text)


def _plain(word: str) -> str:
    """Case, accents and typographic marks folded."""
    word = word.casefold().replace("’", "'").replace("‐", "-").replace("‑", "-")
    if word.isascii():
        return word
    decomposed = unicodedata.normalize("NFD", word)
    return "".join(each for each in decomposed if not "\u0300" <= each <= "\u036f")


def _is_cjk(raw: str) -> bool:
    return raw[0] >= _FIRST_CJK  # every other letter we take comes before


@lru_cache(maxsize=400_000)
def _indexed(raw: str) -> tuple[str, ...]:
    return _token(raw).indexed


def _bigrams(run: str) -> list[str]:
    if len(run) == 1:
        return [run]
    return [run[i : i + 2] for i in range(len(run) - 1)]


def _asked(raw: str) -> Iterable[Word]:
    if _is_cjk(raw):
        return [Word(pair, pair, WordKind.CJK) for pair in _bigrams(raw)]
    token = _token(raw)
    if token.key:
        return [Word(token.key, raw, token.kind, token.parts)]
    return [Word(part, part, WordKind.WORD) for part in token.parts]


@lru_cache(maxsize=200_000)
def _token(raw: str) -> _Token:
    """One run of letters, digits and connectors, as the index knows it."""
    word = _plain(raw)[:_MAX_TERM_CHARS].strip("'")
    if not word:
        return _NOTHING
    if "'" in word:
        word = _without_contraction(word)
    if raw in KEPT_ACRONYMS:
        return _Token(WordKind.WORD, word, (), (word,))
    if word.isalpha() and not _CAMEL.search(raw):
        return _word(word)
    if word.replace(",", "").replace(".", "", 1).isdigit():
        number = word.replace(",", "")
        return _Token(WordKind.WORD, number, (), (number,))
    return _compound(raw, word)


def _without_contraction(word: str) -> str:
    base, _, ending = word.rpartition("'")
    if word in ENGLISH_STOP_WORDS or base in ENGLISH_STOP_WORDS:
        return base
    return base if ending in ENGLISH_CONTRACTIONS else word.replace("'", "")


def _word(word: str) -> _Token:
    if word in ENGLISH_STOP_WORDS:
        return _NOTHING
    key = stem(word)
    return _Token(WordKind.WORD, key, (), (key,))


def _compound(raw: str, word: str) -> _Token:
    """Several pieces: an identifier, or plain words joined by hyphens, slashes or dots."""
    parts = _parts(raw, word)
    pieces = _CONNECTOR.split(word)
    if all(len(piece) == 1 and piece.isalpha() for piece in pieces):  # U.S., e.g
        joined = "".join(pieces)
        return _word(joined) if joined.upper() not in KEPT_ACRONYMS else _kept(joined)
    if word.isalpha():  # camel case: known by its stem, as where it is written small
        key = stem(word)
        return _Token(WordKind.IDENTIFIER, key, parts, (key, *parts))
    if any(each.isdigit() for each in word) or set(word) & set("_@.+#"):
        indexed = (word, *(part for part in parts if part != word))
        return _Token(WordKind.IDENTIFIER, word, tuple(indexed[1:]), indexed)
    if "-" in word:
        return _Token(WordKind.WORD, "", parts, (*parts, stem("".join(pieces))))
    return _Token(WordKind.WORD, "", parts, parts)


def _kept(word: str) -> _Token:
    return _Token(WordKind.WORD, word, (), (word,))


def _parts(raw: str, word: str) -> tuple[str, ...]:
    """Indexed forms of the pieces; single characters and stop words say nothing."""
    if re.fullmatch(r"v\d[\d.]*\d", word):
        return (word[1:],)
    found: dict[str, None] = {}
    sources = _CAMEL_PART.findall(raw) if _CAMEL.search(raw) else []
    for piece in [*map(str.casefold, sources), *_CONNECTOR.split(word), *_PIECE.findall(word)]:
        if len(piece) > 1 and piece != word and piece not in ENGLISH_STOP_WORDS:
            found[stem(piece) if piece.isalpha() else piece] = None
    return tuple(found)
