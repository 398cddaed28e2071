"""What a document says of its own place in time: since when it holds, when it was updated, version.

Read from its title and from where it begins; a date counts for the nearest words before it, so
that a next review is not taken for the last one.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agent.domain import Section
from agent.text.dates import date_parts, moments, readings

_BEGINNING_CHARS = 1_500
_SECTIONS = 3
_REACH_CHARS = 32
_BEHIND_CHARS = 3
"""In Chinese the word may follow its date: 自2024年1月1日起施行."""
_EFFECTIVE = (
    r"effective|valid (?:from|as of)|in force|in effect|applies from|applicable from"
    r"|生效|施行|实施|执行|起用"
)
_UPDATED = (
    r"(?:last |latest )?(?:updated?|revised|reviewed|modified|changed|edited|approved|issued"
    r"|published|revision|amended)|as of|stand|更新|修订|修改|发布|印发|颁布|审核|批准"
)
_NOT_ITS_OWN = (
    r"next|until|expir\w*|before|due|deadline|valid (?:to|through|until)|created|since|born"
    r"|下次|截止|到期|有效期至|废止|失效|创建"
)
_WORDS = re.compile(
    rf"(?P<other>\b(?:{_NOT_ITS_OWN})|下次|截止|到期|有效期至|废止|失效|创建)"
    rf"|(?P<effective>{_EFFECTIVE})|(?P<updated>{_UPDATED})",
    re.IGNORECASE,
)
_VERSION = re.compile(
    r"(?<![a-z])(?:v|ver\.?|version|rev\.?|revision|edition|release)[ _:：]{0,2}"
    r"(\d{1,3}(?:\.\d{1,4}){0,3})(?![\d%])"
    r"|(?:版本号?|版次)[ ：:]{0,2}[vV]?(\d{1,3}(?:\.\d{1,4}){0,3})"
    r"|第(\d{1,3})版|[vV](\d{1,3}(?:\.\d{1,4}){1,3})版",
    re.IGNORECASE,
)
_VERSION_LINE = re.compile(
    r"^\W*(?:document |文档|文件)?(?:version|ver\.?|revision|rev\.?|版本号?|版次)\W{0,4}"
    r"[vV]?(\d{1,3}(?:\.\d{1,4}){0,3})\b",
    re.IGNORECASE | re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Stated:
    """What stands in a document about itself, empty where nothing does.

    Attributes:
        effective: since when it holds; `updated`: when it was last changed, or the date in its
            title. Both `2026-04-01`, or `2026-04` where no day is said.
        version: `2.1`.
    """

    effective: str = ""
    updated: str = ""
    version: str = ""


def stated(title: str, sections: Sequence[Section]) -> Stated:
    """Dates and version as the title and the first lines of the text state them."""
    beginning = unicodedata.normalize("NFKC", _beginning(sections))
    name = unicodedata.normalize("NFKC", title).replace("_", " ")
    found = list(_dated(beginning))
    effective = max((day for kind, day in found if kind == "effective"), default="")
    updated = max((day for kind, day in found if kind == "updated"), default="")
    named = max((day for _, _, day in _days(name)), default="")
    return Stated(effective, updated or named, _version(name, beginning))


def _beginning(sections: Sequence[Section]) -> str:
    return "\n\n".join(section.text[:_BEGINNING_CHARS] for section in sections[:_SECTIONS])


def _dated(text: str) -> Iterator[tuple[str, str]]:
    """(`effective` or `updated`, date) of every date that such a word stands beside."""
    words = [(match.end(), match.start(), match.lastgroup or "") for match in _WORDS.finditer(text)]
    for start, end, day in _days(text):
        before = [
            word for word in words if 0 <= start - word[0] <= _REACH_CHARS
            and "\n\n" not in text[word[0] : start]
        ]  # fmt: skip
        behind = [word for word in words if 0 <= word[1] - end <= _BEHIND_CHARS]
        chinese = [word for word in behind if not text[word[1]].isascii()]
        nearest = chinese[0] if chinese else max(before, default=None)
        if nearest and nearest[2] != "other":
            yield nearest[2], day


def _days(text: str) -> Iterator[tuple[int, int, str]]:
    """Dates with a year that can be read in one way only, as (start, end, ISO)."""
    for moment in moments(text):
        if moment.kind != "date" or len(readings(moment.keys[0])) > 1:
            continue
        year, month, day = date_parts(readings(moment.keys[0])[0])
        if year and month:
            yield moment.start, moment.end, "-".join(filter(None, (year, month, day)))


def _version(name: str, beginning: str) -> str:
    found = _VERSION.search(name) or _VERSION_LINE.search(beginning)
    return next((group for group in found.groups() if group), "") if found else ""
