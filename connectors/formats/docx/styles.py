"""What a style makes of a paragraph: heading level, title, contents entry, bold, hidden.

Word keeps an outline level on most heading styles; files from other programs only have names,
in whatever language the program spoke. Style ids are translated too and never trusted.
"""

import re
from dataclasses import dataclass

from lxml import etree

from connectors.formats.docx.names import VAL, W, is_on, value

_HEADING_NAME = re.compile(
    r"(?:heading|header|überschrift|titre|título|titulo|titolo|kop|rubrik|overskrift|otsikko"
    r"|nagłówek|nadpis|заголовок|cabeçalho|encabezado|intestazione|címsor|başlık|tiêu đề"
    r"|标题|標題|見出し|제목)\s*(?P<level>[1-9])(?!\d)(?:\s*(?:char|zchn|car|字符))?",
    re.IGNORECASE,
)
_CUSTOM_NAME = re.compile(
    r"(?:^|[\W_\d])(?:h|head|heading|überschrift|chapter|section|level|lvl|标题|標題)"
    r"[\W_]{0,2}(?P<level>[1-9])(?!\d)",
    re.IGNORECASE,
)
_TITLE_NAMES = frozenset(
    (
        "title", "titel", "titre", "título", "titolo", "tytuł", "название", "标题", "標題", "表題",
        "제목", "doctitle", "document title", "book title",
    )
)  # fmt: skip
_CONTENTS_NAME = re.compile(
    r"(?:toc|contents|verzeichnis|inhaltsverzeichnis|table des matières|目录|目錄|目次|tabla"
    r"|índice)\s*(?:heading|überschrift|\d|$)|toc heading|table of figures",
    re.IGNORECASE,
)
_BODY_LEVEL = 9
_PARTS = ("pPr", "rPr")
_WHITE_GROUNDS = ("auto", "ffffff", "none", "white")
_DEPTH = 30


@dataclass(frozen=True, slots=True)
class Look:
    """What a style, with all it is based on, says about a paragraph or run.

    Attributes:
        level: heading level from 1; None for text.
        listed: (numId, ilvl) where the style itself numbers its paragraphs.
    """

    name: str = ""
    level: int | None = None
    bold: bool = False
    hidden: bool = False
    centred: bool = False
    shaded: bool = False
    listed: tuple[str, str] | None = None

    @property
    def is_title(self) -> bool:
        """Whether it marks the title of the whole document."""
        return self.name.casefold() in _TITLE_NAMES

    @property
    def is_contents(self) -> bool:
        """Whether it marks an entry or heading of a contents list."""
        return _CONTENTS_NAME.match(self.name) is not None


class Styles:
    """The styles of one document, by id."""

    def __init__(self, part: etree._Element | None) -> None:
        self._elements: dict[str, etree._Element] = {}
        self._looks: dict[str, Look] = {}
        self._default = ""
        for style in () if part is None else part.iterfind(f"{W}style"):
            key = style.get(f"{W}styleId", "")
            self._elements[key] = style
            if style.get(f"{W}type") == "paragraph" and style.get(f"{W}default") in ("1", "true"):
                self._default = key

    def look(self, style_id: str | None) -> Look:
        """The look of a style; of the default paragraph style where none is named."""
        key = self._default if style_id is None else style_id
        if key not in self._looks:
            self._looks[key] = self._resolve(key)
        return self._looks[key]

    def _resolve(self, key: str) -> Look:
        chain = self._chain(key)
        if not chain:
            return Look()
        names = [value(style, f"{W}name") or "" for style in chain]
        return Look(
            name=names[0],
            level=_level(chain, names),
            bold=bool(_first(chain, f"{W}rPr/{W}b")),
            hidden=bool(_first(chain, f"{W}rPr/{W}vanish")),
            centred=_value(chain, f"{W}pPr/{W}jc") == "center",
            shaded=any(has_ground(style.find(f"{W}{part}")) for style in chain for part in _PARTS),
            listed=_listed(chain),
        )

    def _chain(self, key: str) -> list[etree._Element]:
        """The style and those it is based on; a circle ends it."""
        chain: list[etree._Element] = []
        style = self._elements.get(key)
        while style is not None and style not in chain and len(chain) < _DEPTH:
            chain.append(style)
            style = self._elements.get(value(style, f"{W}basedOn") or "")
        return chain


def name_level(name: str) -> int | None:
    """Heading level in a style's name, in any of the languages that programs write."""
    if match := _HEADING_NAME.fullmatch(name.strip()):
        return int(match["level"])
    match = _CUSTOM_NAME.search(name)
    return int(match["level"]) if match else None


def has_ground(properties: etree._Element | None) -> bool:
    """Whether properties of letters, a paragraph, cell or table set them on a ground not white."""
    if properties is None:
        return False
    shade = properties.find(f"{W}shd")
    marked = value(properties, f"{W}highlight") or "none"
    if marked not in _WHITE_GROUNDS:
        return True
    if shade is None:
        return False
    themed = shade.get(f"{W}themeFill") is not None
    patterned = shade.get(VAL, "clear") not in ("clear", "nil")
    return themed or patterned or shade.get(f"{W}fill", "auto").lower() not in _WHITE_GROUNDS


def outline_level(properties: etree._Element | None) -> int | None:
    """Heading level from 1 stated by an outline level; 0 where it states body text."""
    stated = value(properties, f"{W}outlineLvl")
    if stated is None or not stated.isdecimal():
        return None
    return 0 if int(stated) >= _BODY_LEVEL else int(stated) + 1


def _level(chain: list[etree._Element], names: list[str]) -> int | None:
    for style in chain:
        stated = outline_level(style.find(f"{W}pPr"))
        if stated is not None:
            return stated or None
    if any(_CONTENTS_NAME.match(name) for name in names):
        return None
    return next((level for name in names if (level := name_level(name)) is not None), None)


def _first(chain: list[etree._Element], path: str) -> bool | None:
    return next((state for style in chain if (state := is_on(style, path)) is not None), None)


def _value(chain: list[etree._Element], path: str) -> str | None:
    return next((found for style in chain if (found := value(style, path)) is not None), None)


def _listed(chain: list[etree._Element]) -> tuple[str, str] | None:
    for style in chain:
        number = style.find(f"{W}pPr/{W}numPr/{W}numId")
        if number is not None:
            level = value(style, f"{W}pPr/{W}numPr/{W}ilvl") or "0"
            return number.get(VAL, "0"), level
    return None
