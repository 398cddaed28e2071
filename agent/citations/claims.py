"""The sentences of an answer, judged one by one against its evidence."""

import re
from collections.abc import Iterator, Mapping, Sequence

from agent.citations.computing import computed, counted
from agent.citations.evidence import CLOSE, OPEN, Evidence, quoted, slot
from agent.citations.widening import has_negation
from agent.phrases import language_of, phrase
from agent.text.sentences import sentences
from agent.text.values import foreign
from agent.text.words import term_set

_ONE_MARKER = r"[\[【]\d{1,3}(?:\s*[,，、]\s*\d{1,3})*[\]】]"
_MARKER = re.compile(_ONE_MARKER)
_MARKER_AND_BLANK = re.compile(rf"\s*{_ONE_MARKER}")
_MARKERS_BEHIND = re.compile(rf"(?:\s*{_ONE_MARKER})+[.。]?")
_MARKED_LINE_END = re.compile(rf"{_ONE_MARKER}[.。]?[ \t]*(?=\n)")
_SLOT = re.compile(f"{OPEN}(\\d+){CLOSE}")
_SLOTS = re.compile(f"(?:{OPEN}\\d+{CLOSE}\\s?)*{OPEN}\\d+{CLOSE}")
_GOES_ON = re.compile(r"[:：;；]\s*$")
_YES_NO = re.compile(
    r"(?:yes|no|yeah|nope|correct|right|是的?|不是的?|对的?|不对|可以的?|不可以|不行|不能|能|会|不会"
    r"|有的?|没有)\s*[.,!。，！]*",
    re.IGNORECASE,
)
_BULLET = re.compile(r"[ \t]*(?:[-*•]|\d{1,2}[.)、])\s+")
_BEFORE_WORDS = re.compile(r"[\s.;,。；，、]*(?:(?:[-*•]|\d{1,2}[.)、])\s+)?")
_SENTENCE_BORDER = re.compile(r"[\n.。]")
_BORDER_MARKS = "“”\"'‘’「」『』 \n.。"
_CHINESE = re.compile(r"[\u3400-\u9fff]")
_MARKED = re.compile(r"[(（]\s*(?:my translation|我的翻译|我的翻譯)\s*[)）]", re.IGNORECASE)
_SAID_CHARS = 120


class Draft:
    """An answer on its way through the check.

    Attributes:
        problems: what failed so far, one sentence each.
    """

    def __init__(self, evidence: Evidence, answer: str) -> None:
        self._evidence = evidence
        self._answer = answer.replace(OPEN, "").replace(CLOSE, "")
        self._results = (
            *computed(without_markers(self._answer), evidence.every_source()),
            *counted(self._answer),
        )
        self._used: set[int] = set()
        self.problems: list[str] = []

    def checked(self) -> str:
        """The verified sentences with slots for their footnotes; see `with_markers`."""
        said: list[str] = []
        bare: list[tuple[int, str]] = []
        for gap, sentence in _units(self._with_quote_marks()):
            if not _MARKER.search(sentence):
                bare.append((len(said), sentence))
            kept = self._judged(sentence) if _MARKER.search(sentence) else ""
            said.append(f"{gap}{kept}" if kept else gap if "\n" in gap else "")
        for at, sentence in bare:
            if quote := self._in_its_place(sentence):
                said[at] = f"{said[at] or ' '}{quote}"
        return re.sub(r"\n{3,}", "\n\n", "".join(said)).strip()

    def _with_quote_marks(self) -> str:
        """The answer with quote marks around what is nothing but the words of its quote."""
        parts: list[str] = []
        begin = 0
        for marker in _MARKER.finditer(self._answer):
            said = self._answer[begin : marker.start()]
            parts += (self._in_marks(said, marker.group(), opens=begin == 0), marker.group())
            begin = marker.end()
        return "".join((*parts, self._answer[begin:]))

    def _in_marks(self, said: str, marker: str, *, opens: bool) -> str:
        """What is said before a marker; in quote marks if it is whole and the source's own."""
        lead = _BEFORE_WORDS.match(said)
        head = lead.group() if lead else ""
        words = said[len(head) :].strip()
        if "“" in said or not (opens or _SENTENCE_BORDER.search(head)):
            return said
        for at in self._evidence.cited(_numbers(marker)):
            if words and self._evidence.holds(at, words):
                return f"{head}{self._evidence.in_marks(at, words)} "
        return said

    def _judged(self, sentence: str) -> str:
        """What may be said for a sentence with markers; empty for nothing."""
        cited = self._evidence.cited(_numbers(sentence))
        body = _MARKER_AND_BLANK.sub("", sentence).strip()
        if not cited:
            return self._fail(body, "its quote does not stand in the text shown")
        if self._turns(body, cited):
            return self._quotes(cited)
        added = self._covering(body, cited)
        if added is None:
            return ""
        if not self._related(body, cited):
            return self._quotes(cited)
        self._used.update((*cited, *added))
        return self._with_slots(sentence, added)

    def _fail(self, body: str, why: str) -> str:
        self.problems.append(f"“{_short(body)}”: {why}.")
        return ""

    def _turns(self, body: str, cited: Sequence[int]) -> bool:
        """Whether a quote read whole limits what the sentence says without limit."""
        turned = [at for at in cited if at in self._evidence.turned]
        if not turned or has_negation(body):
            return False
        if not any(self._evidence.holds(at, _inner(body)) for at in turned):
            whole = quoted(self._evidence.pool[turned[0]], self._evidence.language)
            self._fail(body, f"its quote, read whole, says: {whole}; check the answer by it")
        return True

    def _covering(self, body: str, cited: Sequence[int]) -> tuple[int, ...] | None:
        """Further citations that the values of a sentence need; None where a value is foreign."""
        missing = self._foreign(body, cited)
        added: list[int] = []
        for at in range(len(self._evidence.pool)):
            left = self._foreign(body, (*cited, *added, at)) if missing else ()
            if len(left) < len(missing):
                added.append(at)
                missing = left
        if missing:
            self._fail(body, f"{', '.join(missing)} stands in no quote and not in the question")
            return None
        return tuple(added)

    def _foreign(self, body: str, cited: Sequence[int]) -> tuple[str, ...]:
        return foreign(body, (*self._evidence.sources(cited), *self._results))

    def _related(self, body: str, cited: Sequence[int]) -> bool:
        """Whether a sentence shares a content word with its quotes, where languages allow it."""
        if term_set(body) & self._evidence.words(cited):
            return True
        return any(self._translated(body, at) for at in cited)

    def _translated(self, body: str, at: int) -> bool:
        """Whether a sentence says in another language what its quote says."""
        words = term_set(body)
        if not any(character.isalpha() for character in body):
            return False
        quote = self._evidence.pool[at].quote
        if words <= self._evidence.words([at]) or (
            _CHINESE.search(body) and _CHINESE.search(quote)
        ):
            return False
        return language_of(body) != language_of(quote)

    def _quotes(self, cited: Sequence[int]) -> str:
        """The quotes themselves, those that were not said yet."""
        fresh = [at for at in cited if at not in self._used]
        self._used.update(fresh)
        return " ".join(map(self._evidence.quote, fresh))

    def _in_its_place(self, sentence: str) -> str:
        """What to say for a sentence without a marker: the quote nearest to it, said once.

        A sentence that is itself the source's words only lacks its marker.
        """
        best = self._evidence.best_for(sentence)
        if best is None:
            return ""
        if self._evidence.holds(best, _inner(sentence)):
            self._used.add(best)
            return f"{sentence} {slot(best)}"
        return self._quotes([best])

    def _with_slots(self, sentence: str, added: Sequence[int]) -> str:
        def slots(match: re.Match[str]) -> str:
            return "".join(map(slot, self._evidence.cited(_numbers(match.group()))))

        text = _MARKER.sub(slots, sentence)
        last = list(_SLOT.finditer(text))[-1].end()
        text = f"{text[:last]}{''.join(map(slot, added))}{text[last:]}"
        return self._marked_as_translated(text)

    def _marked_as_translated(self, text: str) -> str:
        body = _SLOT.sub("", text)
        slots = list(_SLOT.finditer(text))
        if not all(self._translated(body, int(found[1])) for found in slots):
            return text
        before, behind = text[: slots[0].start()].rstrip(), text[slots[0].start() :]
        if _MARKED.search(body):
            return text
        language = "zh" if _CHINESE.search(body) else "en"
        return f"{before}{phrase(language, 'my_translation')}{behind}"


def slotted(text: str, slots: Mapping[int, int]) -> str:
    """A text with slots in place of its `[n]` markers.

    Args:
        text: with markers.
        slots: marker number to the index its slot gets; markers not named there are dropped.
    """

    def places(match: re.Match[str]) -> str:
        return "".join(slot(slots[n]) for n in _numbers(match.group()) if n in slots)

    return _MARKER.sub(places, text)


def order_of(text: str) -> tuple[int, ...]:
    """The indexes in a text's slots in the order they are first seen."""
    return tuple(dict.fromkeys(int(found) for found in _SLOT.findall(text)))


def with_markers(text: str, order: Sequence[int]) -> str:
    """A text with `[n]` markers in place of slots; n is the index's place in `order`, from 1."""

    def markers(match: re.Match[str]) -> str:
        slots = dict.fromkeys(int(found) for found in _SLOT.findall(match.group()))
        return "".join(f"[{order.index(at) + 1}]" for at in slots)

    return _SLOTS.sub(markers, text)


def without_markers(text: str) -> str:
    """The words alone."""
    return _MARKER_AND_BLANK.sub("", text)


def cited_sentences(text: str) -> list[tuple[str, tuple[int, ...]]]:
    """The sentences of a text, each with the numbers of its markers."""
    return [(sentence, tuple(_numbers(sentence))) for _, sentence in _units(text)]


# ---------------------------------------------------------------- sentences


def _units(answer: str) -> Iterator[tuple[str, str]]:
    """Sentences of an answer, each after the white space before it.

    A line that leads into the next one, and a bare yes or no, belong to what follows.
    """
    begin = 0
    pending: int | None = None
    for start, end in _spans(answer):
        start = start if pending is None else pending
        text = answer[start:end]
        if not _MARKER.search(text) and (_GOES_ON.search(text) or _YES_NO.fullmatch(text)):
            pending = start
            continue
        yield answer[begin:start], text
        begin, pending = end, None
    if pending is not None:
        yield answer[begin:pending], answer[pending:].rstrip()


def _spans(answer: str) -> Iterator[tuple[int, int]]:
    """Sentences, each with the markers right behind it; quoted stretches are never cut."""
    taken = 0
    for start, end in _lines_and_sentences(answer):
        if end <= taken:
            continue
        end = _end_of_quotation(answer, max(start, taken), end)
        behind = _MARKERS_BEHIND.match(answer, end)
        end = behind.end() if behind else end
        start = max(start, taken)
        start += len(answer[start:end]) - len(answer[start:end].lstrip())
        taken = end
        yield start, end


def _lines_and_sentences(answer: str) -> Iterator[tuple[int, int]]:
    """Sentences, cut also where a line ends with its markers."""
    for start, end in sentences(answer):
        for line in _MARKED_LINE_END.finditer(answer, start, end):
            yield start, line.end()
            start = line.end()
        yield start, end


def _end_of_quotation(answer: str, start: int, end: int) -> int:
    """The end of the sentence in which the quotation marks opened so far are closed again."""
    while answer.count("“", start, end) > answer.count("”", start, end):
        close = answer.find("”", end)
        if close < 0:
            return end
        following = [stop for begin, stop in sentences(answer) if begin <= close < stop]
        end = following[0] if following and following[0] > end else close + 1
    return end


def _numbers(text: str) -> list[int]:
    return [int(number) for found in _MARKER.findall(text) for number in re.findall(r"\d+", found)]


def _inner(body: str) -> str:
    return _BULLET.sub("", body, count=1).strip(_BORDER_MARKS)


def _short(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= _SAID_CHARS else f"{plain[:_SAID_CHARS]}…"
