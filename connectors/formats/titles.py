"""What a document is called: the first name that means something.

Metadata is full of names that programs left behind ("untitled", "Microsoft Word - x.doc");
a title that tells an asker nothing is worse than the file name.
"""

import re
from collections.abc import Iterable
from pathlib import PurePosixPath

_PLACEHOLDER = re.compile(
    r"""
    \W* (?: untitled(?:[ -]?(?:document|\d+))? | anonymous | no\ title | unknown | none | null
      | title | document\d* | doc\d+ | template | normal | new\ document
      | (?:powerpoint|microsoft\ word|word)?[ -]*(?:presentation|dokument|document)\d*
      | (?:folie|slide|sheet|tabelle|feuille|seite|page)\ ?\d*
      | paper\ title .* | (?:microsoft\ (?:word|powerpoint|excel)) (?:\ -.*)?
      | 无标题 .* | 未命名 .* | 文档\ ?\d* | 演示文稿\ ?\d* | ppt演示文稿 | 幻灯片\ ?\d*
      | \d{1,4} | [a-z]:\\.* | file:.* | https?://\S*
      | \S+\.(?:docx?|pdf|dvi|tex|html?|jpe?g|png|indd|qxd|qxp|exe|tmp|xlsx?|pptx?|txt|md|ps)
      | \S+\.(?:rtf|odt)
    ) \W*
    """,
    re.IGNORECASE | re.VERBOSE,
)
_EMPTY_NAME = re.compile(
    r"[\W_]*(?:\d+|(?:untitled|document|dokument|doc|scan|scanned|img|image|file|copy|new|download"
    r"|attachment|page|test|temp|tmp|新建文档|文档|新建|扫描件|扫描|未命名)[\W_\d]*)[\W_]*",
    re.IGNORECASE,
)
_LONGEST = 200


def tidy(title: str) -> str:
    """One line, single blanks, at most 200 characters."""
    line = " ".join(title.replace("\0", " ").split())
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1].rstrip() + "…"


def means_something(title: str) -> bool:
    """Whether a title says more than the program that wrote it."""
    return any(char.isalnum() for char in title) and not _PLACEHOLDER.fullmatch(title.strip())


def first_meaningful(candidates: Iterable[str]) -> str:
    """The first candidate that means something, tidied; empty where none does."""
    for candidate in candidates:
        title = tidy(candidate)
        if title and means_something(title):
            return title
    return ""


def name_says_nothing(name: str) -> bool:
    """Whether a file's name (`1.docx`, `scan_0003.pdf`) could not serve as its title."""
    return _EMPTY_NAME.fullmatch(PurePosixPath(name).stem) is not None


def same(title: str, other: str) -> bool:
    """Whether two titles are the same words; blanks, case and punctuation aside."""
    return bool(folded(title)) and folded(title) == folded(other)


def folded(title: str) -> str:
    """Letters and digits alone, without case."""
    return "".join(char for char in title.casefold() if char.isalnum())
