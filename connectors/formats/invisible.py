"""Takes out characters that show nothing: control characters, turned writing, empty marks.

They pass every format, and would end in a terminal, turn the text around them or hide words
from search. All documents come through here when they are finished.
"""

import re
from dataclasses import dataclass, replace

from agent.domain import ParsedDocument, ParsedSection, TextBlock

_BREAK = re.compile(r"\r\n|[\r\v\f\x85\u2028\u2029]")
_INVISIBLE = re.compile(
    r"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f"  # control characters, without tab and breaks
    r"\u202a-\u202e\u2066-\u2069"  # change the direction of writing
    r"\u200b\u2060\ufeff"  # no width
    r"\U000e0000-\U000e007f]"  # letters that are never drawn
)


def without_invisible(document: ParsedDocument) -> ParsedDocument:
    """The document without them; its `hidden_chars` counts them, its blank blocks are gone."""
    cleaner = _Cleaner()
    title = cleaner.line(document.title)
    sections = cleaner.sections(document.sections)
    if not cleaner.changed:
        return document
    hidden = document.hidden_chars + cleaner.removed
    return replace(document, title=title, sections=sections, hidden_chars=hidden)


@dataclass(slots=True)
class _Cleaner:
    removed: int = 0
    changed: bool = False

    def text(self, text: str) -> str:
        """The text with `\\n` for every kind of line break and nothing invisible."""
        if text.isascii() and text.isprintable():
            return text
        broken = _BREAK.sub("\n", text)
        clean, count = _INVISIBLE.subn("", broken)
        self.removed += count
        self.changed |= clean != text
        return clean

    def line(self, text: str) -> str:
        """The same on one line."""
        clean = self.text(text)
        return clean if clean == text else " ".join(clean.split())

    def sections(self, sections: tuple[ParsedSection, ...]) -> tuple[ParsedSection, ...]:
        """Clean sections; one whose heading was invisible joins the one before."""
        kept: list[ParsedSection] = []
        for written in sections:
            section = self._section(written)
            if kept and written.heading and not section.heading:
                kept[-1] = replace(kept[-1], blocks=(*kept[-1].blocks, *section.blocks))
            elif section.heading or section.blocks or not written.blocks:
                kept.append(section)
        return tuple(kept)

    def _section(self, section: ParsedSection) -> ParsedSection:
        heading = self.line(section.heading)
        blocks = tuple(block for block in map(self._block, section.blocks) if block.text.strip())
        label = self.line(section.page_label)
        level = section.level if heading or not section.heading else 1
        return replace(section, heading=heading, level=level, blocks=blocks, page_label=label)

    def _block(self, block: TextBlock) -> TextBlock:
        return replace(block, text=self.text(block.text).rstrip())
