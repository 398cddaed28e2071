"""The real title of a document, never `1.docx`.

Properties, headings, the first line and the file name are asked in this order; placeholders
that programs leave behind are refused everywhere.
"""

import re
import unicodedata
from collections.abc import Sequence
from pathlib import PurePosixPath

from agent.domain import BlockKind, ParsedDocument, ParsedSection

MAX_TITLE_CHARS = 200
_FIRST_LINE_CHARS = 100

_PLACEHOLDER = re.compile(
    r"""(?:\(?(?:untitled(?:\ \w+)?|anonymous|unknown|unnamed|none|null)\)?
    |(?:no\ )?title|new|draft
    |(?:new\ )?(?:microsoft\ )?(?:word|excel|powerpoint|office)?\s*
        (?:document|dokument|presentation|präsentation|workbook|book|sheet|page|slide|folie|doc|file|scan|img|image)
        [\s_-]*\d*
    |powerpoint[-\s]pr\S+
    |paper\ title.*|type\ the\ document\ title.*|\[.*title.*\]
    |click\ to\ (?:add|edit).*|insert\ title.*
    |(?:新建)?\s*(?:microsoft\s*word|microsoft\s*excel|microsoft\s*powerpoint)?\s*
        (?:无标题|未命名|文档|演示文稿|工作簿|幻灯片|标题|新建文档|新建文本文档)\s*\d*
    |microsoft\s(?:word|excel|powerpoint)
    |[\W\d_]*)""",
    re.IGNORECASE | re.VERBOSE,
)
_FILE_NAME = re.compile(
    r".*\.(?:docx?|pdf|pptx?|xlsx?|odt|rtf|txt|md|html?|dvi|tex|jpe?g|png|tiff?|indd|qxd|exe|ai|eps|ps)$",
    re.IGNORECASE,
)
_EMPTY = re.compile(
    r"introduction|background|overview|summary|abstract|preface|foreword|contents|table of contents"
    r"|agenda|notes?|appendix|annex|about|general|misc(?:ellaneous)?|readme|index|home|welcome"
    r"|purpose|scope|test|tmp|temp|copy|final|template|draft"
    r"|(?:scan|img|image|dsc|document|doc|file|export|download|attachment|unnamed|untitled|page"
    r"|copy)[\W\d]*|einleitung|einführung|überblick|inhalt(?:sverzeichnis)?|zusammenfassung"
    r"|hintergrund|概述|概要|简介|介绍|引言|前言|序言|背景|目录|摘要|说明|总则|附录|正文|扫描件?"
    r"|新建.*|[\W\d_]+"
)
"""Titles that any document could bear."""
_PROGRAM_PREFIX = re.compile(r"^Microsoft (?:Word|PowerPoint|Excel) - ", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.。;；,，:：]$")


def title_of(parsed: ParsedDocument, doc: str) -> str:
    """The title to show for a document.

    Args:
        parsed: what the parser found; its own title wins unless it is a placeholder.
        doc: path inside the source; its last part is the last resort.
    """
    candidates = (
        _PROGRAM_PREFIX.sub("", parsed.title),
        _single_top_heading(parsed.sections),
        _first_heading(parsed.sections),
        _first_line(parsed.sections),
    )
    for candidate in candidates:
        title = _tidy(candidate)
        if title and not is_placeholder(title):
            return title
    return readable_file_name(doc)


def is_placeholder(title: str) -> bool:
    """Whether a title was left by a program rather than written by somebody."""
    title = title.strip()
    return bool(_PLACEHOLDER.fullmatch(title) or _FILE_NAME.fullmatch(title))


def says_nothing(title: str, doc: str) -> bool:
    """Whether a title, also one made of the file name, does not tell what a document is about."""
    own = title.rpartition(" – ")[2] if title == readable_file_name(doc) else title
    plain = own.strip(" :.…-–—").casefold()
    return is_placeholder(own) or bool(_EMPTY.fullmatch(plain))


def readable_file_name(doc: str) -> str:
    """`hr/parental_leave-2024.docx` → `Parental leave 2024`; a generic name gets its folder."""
    path = PurePosixPath(doc.rsplit("!/", 1)[-1])
    name = _words(path.stem) or path.name
    parent = _words(path.parent.name)
    generic = name.casefold() in {"index", "readme", "default", "main", "_index"}
    if parent and (generic or is_placeholder(name)):
        return parent if generic else f"{parent} – {name}"
    return name


def path_words(doc: str) -> str:
    """A path as words to search by: folders and name, without the ending."""
    path = PurePosixPath(doc)
    return " ".join(re.sub(r"[\W_]+", " ", part) for part in (*path.parent.parts, path.stem))


def _words(name: str) -> str:
    words = re.sub(r"[\s_]+|(?<=\w)-(?=\w)", " ", name).strip(" -.")
    return words[:1].upper() + words[1:]


def _tidy(title: str) -> str:
    title = unicodedata.normalize("NFC", " ".join(title.split()))
    if len(title) <= MAX_TITLE_CHARS:
        return title
    return title[: MAX_TITLE_CHARS - 1].rsplit(" ", 1)[0] + "…"


def _single_top_heading(sections: Sequence[ParsedSection]) -> str:
    tops = [section.heading for section in sections if section.level == 1 and section.heading]
    return tops[0] if len(tops) == 1 else ""


def _first_heading(sections: Sequence[ParsedSection]) -> str:
    return next((section.heading for section in sections if section.heading), "")


def _first_line(sections: Sequence[ParsedSection]) -> str:
    """The first line of the text, if it looks like a title and not like a sentence."""
    for section in sections:
        for block in section.blocks:
            line = block.text.strip().split("\n", 1)[0].strip()
            if not line:
                continue
            fits = block.kind is BlockKind.PARAGRAPH and len(line) <= _FIRST_LINE_CHARS
            return line if fits and not _SENTENCE_END.search(line) else ""
    return ""
