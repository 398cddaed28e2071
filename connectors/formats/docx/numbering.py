"""The bullets and numbers that Word prints before list items and keeps out of their text."""

from dataclasses import dataclass, field

from lxml import etree

from connectors.formats.docx.names import VAL, W, value

_CHINESE = "〇一二三四五六七八九"
_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"),
    (50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Level:
    form: str
    text: str
    start: int


@dataclass(slots=True)
class Numbering:
    """Counts the items of every list of one document, in reading order."""

    _lists: dict[str, str] = field(default_factory=dict)
    _levels: dict[tuple[str, int], _Level] = field(default_factory=dict)
    _counts: dict[tuple[str, int], int] = field(default_factory=dict)

    @classmethod
    def of(cls, part: etree._Element | None) -> "Numbering":
        """The lists that a numbering part defines."""
        numbering = cls()
        for abstract in () if part is None else part.iterfind(f"{W}abstractNum"):
            key = abstract.get(f"{W}abstractNumId", "")
            for level in abstract.iterfind(f"{W}lvl"):
                place = (key, _whole(level.get(f"{W}ilvl"), 0))
                numbering._levels[place] = _Level(
                    value(level, f"{W}numFmt") or "decimal",
                    value(level, f"{W}lvlText") or "",
                    _whole(value(level, f"{W}start"), 1),
                )
        for number in () if part is None else part.iterfind(f"{W}num"):
            abstract_id = value(number, f"{W}abstractNumId") or ""
            numbering._lists[number.get(f"{W}numId", "")] = abstract_id
        return numbering

    def marker(self, number_id: str, level: int) -> str:
        """The mark of the next item of a list, `-`, `2.`, `b)`; empty where it has none."""
        abstract = self._lists.get(number_id)
        form = self._levels.get((abstract or "", level))
        if abstract is None or form is None or form.form == "none":
            return ""
        self._count(abstract, level, form.start)
        if form.form == "bullet":
            return "-"
        return self._filled(abstract, level, form.text)

    def _count(self, abstract: str, level: int, start: int) -> None:
        place = (abstract, level)
        self._counts[place] = self._counts.get(place, start - 1) + 1
        for other, deeper in list(self._counts):
            if other == abstract and deeper > level:
                del self._counts[(other, deeper)]

    def _filled(self, abstract: str, level: int, text: str) -> str:
        for above in range(level + 1):
            form = self._levels.get((abstract, above))
            if form is not None:
                count = self._counts.get((abstract, above), form.start)
                text = text.replace(f"%{above + 1}", written(count, form.form))
        return text.strip()


def list_place(properties: etree._Element | None) -> tuple[str, int] | None:
    """(numId, level) stated by a paragraph itself; numId "0" takes it out of its list."""
    number = None if properties is None else properties.find(f"{W}numPr/{W}numId")
    if number is None:
        return None
    return number.get(VAL, "0"), _whole(value(properties, f"{W}numPr/{W}ilvl"), 0)


def written(count: int, form: str) -> str:
    """A number as its list writes it: `3`, `c`, `III`, `三`."""
    match form:
        case "lowerLetter" | "upperLetter":
            letters = chr(ord("a") + (count - 1) % 26) * ((count - 1) // 26 + 1)
            return letters.upper() if form == "upperLetter" else letters
        case "lowerRoman" | "upperRoman":
            return _roman(count).upper() if form == "upperRoman" else _roman(count)
        case "decimalZero":
            return f"{count:02d}"
        case (
            "chineseCounting" | "chineseCountingThousand" | "ideographDigital" | "japaneseCounting"
        ):
            return _chinese(count)
        case _:
            return str(count)


def _roman(count: int) -> str:
    result = ""
    for worth, letters in _ROMAN:
        result += letters * (count // worth)
        count %= worth
    return result


def _chinese(count: int) -> str:
    if not 0 < count < 100:
        return str(count)
    tens, ones = divmod(count, 10)
    head = "" if tens == 0 else ("十" if tens == 1 else _CHINESE[tens] + "十")
    return head + (_CHINESE[ones] if ones else "")


def _whole(text: str | None, default: int) -> int:
    return int(text) if text and text.isdecimal() else default
