"""Words that stand in for one another when a follow-up asks for "the other one".

`critical` and `low`, `full-time` and `part-time`, `S1` and `S2`: a follow-up that names one
member asks the earlier question with that member in the place of its sibling.
"""

import re

from agent.text.words import is_stop_word

_SETS = tuple(
    tuple(line.split(","))
    for line in (
        "critical,high,medium,moderate,low,severe,urgent",
        "full-time,full time,part-time,part time",
        "employees,contractors,interns,freelancers,managers,directors,teammates",
        "employee,contractor,intern,freelancer,manager,director,teammate",
        "monthly,weekly,daily,yearly,annual,quarterly",
        "first,second,third,last",
        "domestic,international",
        "maternity,paternity,parental,medical,sick,bereavement,jury,military",
        "new,existing,current,former",
        "free,pro,enterprise,business,team,starter,premium",
        "staging,production,development,test",
        "windows,mac,macos,linux",
        "economy,business class,first class",
        "breakfast,lunch,dinner",
        "us,uk,eu,germany,france,spain,italy,ireland,poland,canada,mexico,brazil,japan,china,india,"
        "australia,singapore,netherlands,switzerland,austria",
        "正式员工,全职,兼职,实习生,外包,合同工,试用期员工",
        "成功,失败",
        "存活,就绪,启动",
        "最大,最小",
        "国内,国外,海外",
        "今年,去年,明年",
        "严重,高危,中危,低危",
        "北京,上海,广州,深圳,杭州,成都,香港,台北",
        "入职,离职,转正",
        "生产,测试,开发,预发",
    )
)
_NAME_WORDS = 4
_CHINESE_KIND = re.compile(r"[\u4e00-\u9fff]{1,5}([假险费期金岗率])")
_LATIN = re.compile(r"[A-Za-z][\w.+-]*\d*|\d[\w.]*")

_SHAPES = (
    ("year", re.compile(r"\d{4}")),
    ("number", re.compile(r"\d[\d.]*")),
    ("code", re.compile(r"[A-Za-z]{1,3}-?\d+")),
    ("version", re.compile(r"v\d[\w.]*", re.IGNORECASE)),
    ("acronym", re.compile(r"[A-Z]{2,6}s?")),
    ("name", re.compile(r"[A-Z][a-z]+[A-Z]\w*")),
)


def replaced(earlier: str, wanted: str) -> str | None:
    """The earlier question with `wanted` in the place of its sibling; None where it has none."""
    for siblings in _SETS:
        if wanted.casefold() not in siblings:
            continue
        for sibling in siblings:
            found = _find(earlier, sibling)
            if found and sibling != wanted.casefold():
                return earlier[: found[0]] + wanted + earlier[found[1] :]
    return _same_shape(earlier, wanted) or _same_head(earlier, wanted)


def _find(text: str, word: str) -> tuple[int, int] | None:
    if word.isascii():
        match = re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", text, re.IGNORECASE)
        return match.span() if match else None
    at = text.find(word)
    return (at, at + len(word)) if at >= 0 else None


def _same_shape(earlier: str, wanted: str) -> str | None:
    """`S2` for `S1`, `NSO` for `ISO`, `2023` for `2024`, `BestEffort` for `Guaranteed`."""
    if not _LATIN.fullmatch(wanted):
        return None
    for match in _LATIN.finditer(earlier):
        word = match.group()
        if word != wanted and _shape(word) == _shape(wanted) != "":
            return earlier[: match.start()] + wanted + earlier[match.end() :]
    return None


def _same_head(earlier: str, wanted: str) -> str | None:
    """`sick leave` for `parental leave`, 病假 for 产假: the same kind of thing."""
    if chinese := _CHINESE_KIND.fullmatch(wanted):
        found = re.match(rf"[\u4e00-\u9fff]{{1,4}}?{chinese[1]}", earlier)
        return wanted + earlier[found.end() :] if found and found.group() != wanted else None
    words = wanted.split()
    if not 2 <= len(words) <= _NAME_WORDS or any(map(is_stop_word, words)):
        return None
    head = re.escape(words[-1])
    for found in re.finditer(rf"([\w'’-]+)\s+{head}(?![\w-])", earlier, re.IGNORECASE):
        same = found.group().casefold() == wanted.casefold()
        start = found.start(1) if not is_stop_word(found[1]) else found.end(1) + 1
        return None if same else earlier[:start] + wanted + earlier[found.end() :]
    return None


def _shape(word: str) -> str:
    """A coarse picture of a name; empty for a plain word, which says nothing."""
    return next((name for name, pattern in _SHAPES if pattern.fullmatch(word)), "")
