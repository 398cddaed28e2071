"""First sentences and one-line summaries, made by rule from a document's own words."""

import re
from collections.abc import Sequence

from agent.domain import BlockKind, Section
from agent.text.sentences import sentences

MAX_SENTENCE_CHARS = 240
_CAPTION = re.compile(r"(?:figure|fig\.|table|tab\.|abb\.|listing|图|表|圖)\s*\d", re.IGNORECASE)
_BULLET = re.compile(r"\s*(?:[-*•‣◦·▪]|\(?\d{1,3}[.)、])\s")
_BOILERPLATE = re.compile(
    r"(?:©|copyright\b|all rights reserved|internal use only|for internal use"
    r"|(?:strictly |company |private and )?confidential\W*$"
    r"|last (?:updated|modified|reviewed|revised)|updated on|table of contents|contents\W*$"
    r"|on this page|skip to |this page (?:was|is) (?:last|under|generated|archived)"
    r"|back to top|click here|edit this page|(?:we|this site|this website) uses? cookies"
    r"|page \d+(?: of \d+)?\W*$|version \d[\d.]*\W*$|draft(?: v?\d[\d.]*)?\W*$"
    r"|(?:effective|valid|in force)\b.{0,12}\d.{0,20}$|effective date\b|next review"
    r"|this (?:version|document|policy) (?:replaces|supersedes)\b"
    r"|(?:by|author|date|status|owner|version|reviewer)s?:"
    r"|版权所有|内部资料|保密|机密|最后更新|生效日期|发布日期|更新时间|更新日期|修订日期|目录\W*$"
    r"|第\s*\d+\s*页|(?:作者|日期|版本|状态|负责人)[：:])",
    re.IGNORECASE,
)
_LETTERS = re.compile(r"[^\W\d_]")


def first_sentence(section: Section) -> str:
    """The first sentence that says something; empty where there is only structure.

    Boilerplate, captions and bullets are passed over; at most 240 characters.
    """
    for block in section.blocks:
        if block.kind is not BlockKind.PARAGRAPH:
            continue
        for start, end in sentences(section.text, block.start, block.end):
            sentence = " ".join(section.text[start:end].split())
            if says_something(sentence):
                return shortened(sentence, MAX_SENTENCE_CHARS)
    return ""


def summary_of(sections: Sequence[Section], firsts: Sequence[str]) -> str:
    """One line for a whole document: its opening sentence, else the names of its chapters."""
    for section, first in zip(sections[:3], firsts[:3], strict=True):
        if first and (not section.headings or section.level == 1):
            return first
    tops = [section.heading for section in sections if section.level == 1 and section.heading]
    if tops:
        return shortened("; ".join(tops), MAX_SENTENCE_CHARS)
    return next((first for first in firsts if first), "")


def shortened(text: str, chars: int) -> str:
    """The text cut at a word to at most `chars` characters, with an ellipsis where cut."""
    if len(text) <= chars:
        return text
    cut = text[: chars - 1]
    head, blank, _ = cut.rpartition(" ")
    return (head if blank and len(head) > chars // 2 else cut).rstrip(" ,;:，；、") + "…"


def says_something(sentence: str) -> bool:
    """Whether a sentence is one: no caption, bullet, version, date line or other boilerplate."""
    if _CAPTION.match(sentence) or _BULLET.match(sentence) or _BOILERPLATE.match(sentence):
        return False
    return len(_LETTERS.findall(sentence)) >= 4
