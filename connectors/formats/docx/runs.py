"""The words of one paragraph as a reader sees them.

Tracked insertions and moves count, deletions do not; field codes and hidden runs stay out; text
boxes are handed back, as they stand beside the paragraph and not in it.
"""

from dataclasses import dataclass, field

from lxml import etree

from connectors.formats.docx.grounds import Grounds, is_white
from connectors.formats.docx.names import MC, WP, M, R, W, is_on, value
from connectors.formats.docx.styles import Styles

_SKIPPED = frozenset(
    f"{W}{name}"
    for name in (
        "del", "moveFrom", "delText", "instrText", "delInstrText", "pPr", "rPr", "rt", "sdtPr",
        "commentReference", "annotationRef", "footnoteRef", "endnoteRef", "lastRenderedPageBreak",
    )
) | {f"{MC}Fallback", f"{WP}docPr", f"{WP}extent"}  # fmt: skip
_BOXES = (f"{W}txbxContent",)
_PLAIN = {"tab": "\t", "ptab": "\t", "noBreakHyphen": "-", "softHyphen": ""}
_TINY_HALF_POINTS = 4


@dataclass(slots=True)
class Words:
    """Text of a paragraph while it is read.

    Attributes:
        boxes: contents of text boxes anchored here.
        notes: (kind, id) of footnotes and endnotes referred to, in order.
        hidden_chars: characters kept out because no reader sees them.
    """

    parts: list[str] = field(default_factory=list)
    chars: int = 0
    bold_chars: int = 0
    hidden_chars: int = 0
    boxes: list[etree._Element] = field(default_factory=list)
    notes: list[tuple[str, str]] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    largest: int = 0

    @property
    def raw(self) -> str:
        """The text with its tabs."""
        return "".join(self.parts)

    @property
    def text(self) -> str:
        """The text with single blanks; line breaks kept."""
        return "\n".join(" ".join(line.split()) for line in self.raw.split("\n")).strip()

    @property
    def bold(self) -> bool:
        """Whether all that is read is bold."""
        return self.chars > 0 and self.bold_chars == self.chars


@dataclass(frozen=True, slots=True)
class RunReader:
    """Reads paragraphs of one document."""

    styles: Styles
    targets: dict[str, str]
    note_marks: dict[tuple[str, str], str]
    grounds: Grounds

    def read(self, paragraph: etree._Element, *, bold: bool, hidden: bool) -> Words:
        """The words of a paragraph.

        Args:
            paragraph: a `w:p`.
            bold: whether its style is bold.
            hidden: whether its style is hidden.
        """
        words = Words()
        self._children(paragraph, words, (bold, hidden))
        return words

    def _children(self, element: etree._Element, words: Words, look: tuple[bool, bool]) -> None:
        for child in element.iterchildren(etree.Element):
            tag = child.tag
            if tag == f"{W}r":
                self._run(child, words, look)
            elif tag in (f"{W}hyperlink", f"{W}fldSimple"):
                self._link(child, words)
                self._children(child, words, look)
            elif tag == f"{M}oMath":
                words.parts += [text.text or "" for text in child.iter(f"{M}t")]
            elif tag not in _SKIPPED:
                self._children(child, words, look)

    def _run(self, run: etree._Element, words: Words, look: tuple[bool, bool]) -> None:
        properties = run.find(f"{W}rPr")
        bold, hidden = self._look(properties, look)
        if properties is not None and not hidden and is_white(properties):
            hidden = not self.grounds.below(run)
        for child in run.iterchildren(etree.Element):
            text = self._text(child, words)
            if hidden:
                words.hidden_chars += len(text.strip())
                continue
            words.parts.append(text)
            count = len(text.strip())
            words.chars += count
            words.bold_chars += count if bold else 0
        size = value(properties, f"{W}sz") or ""
        if size.isdecimal() and words.chars and not hidden:
            words.largest = max(words.largest, int(size))

    def _look(
        self, properties: etree._Element | None, look: tuple[bool, bool]
    ) -> tuple[bool, bool]:
        bold, hidden = look
        if properties is None:
            return look
        if style_id := value(properties, f"{W}rStyle"):
            style = self.styles.look(style_id)
            bold, hidden = bold or style.bold, hidden or style.hidden
        own_bold, own_hidden = is_on(properties, f"{W}b"), is_on(properties, f"{W}vanish")
        bold = bold if own_bold is None else own_bold
        hidden = hidden if own_hidden is None else own_hidden
        return bold, hidden or _is_tiny(properties)

    def _text(self, child: etree._Element, words: Words) -> str:
        name = child.tag.removeprefix(W)
        if name in _PLAIN:
            return _PLAIN[name]
        match name:
            case "t":
                return child.text or ""
            case "br" | "cr":
                return "\n" if child.get(f"{W}type") not in ("page", "column") else " "
            case "sym":
                return _symbol(child)
            case "footnoteReference" | "endnoteReference" as kind:
                return self._note(kind.removesuffix("Reference"), child, words)
            case _:
                return self._other(child, words)

    def _note(self, kind: str, child: etree._Element, words: Words) -> str:
        key = (kind, child.get(f"{W}id", ""))
        words.notes.append(key)
        self.note_marks.setdefault(key, str(len(self.note_marks) + 1))
        return f"[^{self.note_marks[key]}]"

    def _other(self, child: etree._Element, words: Words) -> str:
        """Drawings and the like: their boxes are kept for later; ruby gives its base text."""
        if child.tag in _SKIPPED:
            if child.tag == f"{W}instrText":
                self._instruction(child.text or "", words)
            return ""
        if child.tag == f"{W}ruby":
            return "".join(text.text or "" for text in child.iterfind(f"{W}rubyBase//{W}t"))
        self._find_boxes(child, words)
        return ""

    def _find_boxes(self, element: etree._Element, words: Words) -> None:
        if element.tag in _BOXES:
            words.boxes.append(element)
            return
        for child in element.iterchildren(etree.Element):
            if child.tag != f"{MC}Fallback":
                self._find_boxes(child, words)

    def _link(self, element: etree._Element, words: Words) -> None:
        target = self.targets.get(element.get(f"{R}id", ""))
        if target:
            words.links.append(target)
        self._instruction(element.get(f"{W}instr", ""), words)

    def _instruction(self, code: str, words: Words) -> None:
        parts = code.split('"')
        if parts[0].strip().upper() == "HYPERLINK" and len(parts) > 1:
            words.links.append(parts[1])


def _is_tiny(properties: etree._Element) -> bool:
    size = value(properties, f"{W}sz") or ""
    return size.isdecimal() and 0 < int(size) < _TINY_HALF_POINTS


def _symbol(child: etree._Element) -> str:
    """A character of a symbol font; those of private areas mean nothing outside it."""
    try:
        code = int(child.get(f"{W}char", ""), 16)
    except ValueError:
        return ""
    return "" if 0xE000 <= code <= 0xF8FF else chr(code)
