"""The gold of a set, as the stand-in knows it: what is asked, and where its words stand."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz, process

from agent.evaluation.matching import folded
from agent.evaluation.oracle.prompts import Listed, ReadPrompt, Shown
from agent.evaluation.questions import EvalQuestion, Evidence
from agent.text.words import query_terms

_QUOTE_CHARS = 400
_LEAST_LIKE = 70.0
"""How alike, 0 to 100, a part must be to the question it was split from."""
_HEADING_CHARS = 60
_GOLD_WORDS = 10
_CUT = "…"
_LEAD = "(beginning)"


@dataclass(frozen=True, slots=True)
class Held:
    """Evidence that stands in a prompt: which, in which section or passage, in which words."""

    evidence: Evidence
    id: str
    words: str


class GoldBook:
    """Knows the questions of a set and their gold."""

    def __init__(self, questions: Sequence[EvalQuestion]) -> None:
        self._by_words = {folded(one.question): one for one in questions}

    def of(self, asked: str) -> EvalQuestion | None:
        """The question that is asked, or that a part was split from; None: none of this set."""
        words = folded(asked)
        if words in self._by_words or not words:
            return self._by_words.get(words)
        found = process.extractOne(
            words, self._by_words.keys(), scorer=fuzz.partial_ratio, score_cutoff=_LEAST_LIKE
        )
        return self._by_words[found[0]] if found else None


def needed(question: EvalQuestion) -> tuple[Evidence, ...]:
    """The evidence that can answer it; for `any` each of it alone."""
    return question.gold_evidence


def held(question: EvalQuestion, prompt: ReadPrompt) -> list[Held]:
    """The gold that stands in a prompt, in the texts shown and in the quotes kept."""
    texts = (*prompt.shown, *prompt.kept)
    found = (_held(evidence, question, texts, prompt) for evidence in needed(question))
    return [one for one in found if one is not None]


def enough(question: EvalQuestion, found: Sequence[Held]) -> bool:
    """Whether that answers the question."""
    if question.gold_mode == "all":
        return bool(found) and len(found) == len(needed(question))
    return bool(found)


def gold_sections(question: EvalQuestion, prompt: ReadPrompt) -> dict[str, str]:
    """Ids of listed gold sections by the quote that stands in them."""
    ids: dict[str, str] = {}
    for evidence in needed(question):
        for section in prompt.listed:
            if _is_of(evidence.doc, section.document) and _is_section(evidence, section):
                ids.setdefault(evidence.quote, section.id)
    return ids


def gold_words(question: EvalQuestion, found: Sequence[Held] = ()) -> str:
    """Words of the gold that is not found yet: of its headings and quotes, the first ten."""
    there = {one.evidence.quote for one in found}
    absent = [one for one in needed(question) if one.quote not in there]
    texts = [f"{' '.join(one.section[-1:])} {one.quote}" for one in absent]
    words = dict.fromkeys(word.written for text in texts for word in query_terms(text))
    return " ".join(list(words)[:_GOLD_WORDS])


def _held(
    evidence: Evidence, question: EvalQuestion, texts: Sequence[Shown], prompt: ReadPrompt
) -> Held | None:
    wanted = folded(evidence.quote)
    docs = (evidence.doc, *question.alt_docs)
    for shown in texts:
        where = prompt.documents.get(shown.id.partition(".")[0], shown.place)
        ours = wanted and any(_is_of(doc, where) for doc in docs)
        if ours and (words := _words_in(evidence.quote, shown.text)):
            return Held(evidence, shown.id, words)
    return None


def _words_in(quote: str, text: str) -> str:
    """The stretch of a text that reads as a quote, as it stands; cut if it is too long."""
    wanted = folded(quote)
    letters = [
        (letter, at)
        for at, character in enumerate(text)
        if character.isalnum()
        for letter in character.lower()
    ]
    found = "".join(letter for letter, _ in letters).find(wanted)
    if found < 0:
        return ""
    start, end = letters[found][1], letters[found + len(wanted) - 1][1] + 1
    before, after = _marks_around(quote)
    while start and text[start - 1] in before:
        start -= 1
    while end < len(text) and text[end] in after:
        end += 1
    stretch = text[start:end]
    return stretch if len(stretch) <= _QUOTE_CHARS else stretch[:_QUOTE_CHARS].rsplit(None, 1)[0]


def _marks_around(quote: str) -> tuple[str, str]:
    """The marks a quote begins and ends with (`$`, `.`); blanks are none of it."""
    places = [at for at, character in enumerate(quote) if character.isalnum()]
    first, last = places[0], places[-1]
    return "".join(quote[:first].split()), "".join(quote[last + 1 :].split())


def _is_of(doc: str, where: str) -> bool:
    """Whether a document's line, or a passage's place, names this path."""
    return any(f"({shown})" in where or where.startswith(shown) for shown in _as_shown(doc))


def _as_shown(doc: str) -> Iterator[str]:
    yield doc
    yield f"{doc[:119].rstrip()}{_CUT}"


def _is_section(evidence: Evidence, section: Listed) -> bool:
    """Whether a listed section is the gold one, by its heading; a title may be none of its own."""
    listed = section.heading
    if listed == _LEAD:
        return len(evidence.section) <= 1
    heading = evidence.section[-1] if evidence.section else ""
    if listed.endswith(_CUT):
        return folded(heading).startswith(folded(listed)) and len(listed) <= _HEADING_CHARS
    return folded(heading) == folded(listed)
