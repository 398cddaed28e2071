"""What a mail quotes of earlier ones goes under the line that introduces it.

An answer below or between what it answers stays where it is, as it means nothing without it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from agent.domain import BlockKind
from connectors.formats import text
from connectors.formats.sections import SectionBuilder

_INTRODUCED = re.compile(
    r"(?:on\s.{5,200}\swrote|am\s.{5,200}\sschrieb\s.{2,100}|.{5,100}\sschrieb(?:\sam\s.{5,60})?"
    r"|le\s.{5,200}\sa écrit|el\s.{5,200}\sescribió|il\s.{5,200}\sha scritto"
    r"|em\s.{5,200}\sescreveu|op\s.{5,200}\sschreef.{0,100}|den\s.{5,200}\sskrev.{0,100}"
    r"|(?:在|於|于).{5,120}(?:写道|寫道|写到)|.{5,120}さんは書きました)\s?[:：]",
    re.IGNORECASE,
)
_RULED = re.compile(
    r"[-–—_=\s]*(?:original message|forwarded (?:message|by .{0,80})|original appointment"
    r"|reply message|ursprüngliche nachricht|weitergeleitete nachricht|message d['’]origine"
    r"|message (?:original|transféré)|mensaje (?:original|reenviado)|messaggio (?:originale"
    r"|inoltrato)|mensagem (?:original|encaminhada)|oorspronkelijk bericht|原始邮件|原始郵件"
    r"|原邮件|转发邮件|转发的邮件|轉寄的郵件|回复的原邮件|元のメッセージ|転送されたメッセージ)[-–—_=\s]*",
    re.IGNORECASE,
)
_FORWARDED = re.compile(
    r"(?:begin forwarded message|anfang der weitergeleiteten (?:nachricht|e-mail)"
    r"|début du message (?:réexpédié|transféré))\s?:",
    re.IGNORECASE,
)
_FROM = re.compile(
    r"\**(?:from|von|de|da|van|发件人|寄件者|差出人)\**\s?[:：]\**\s*\S", re.IGNORECASE
)
_SENT = re.compile(
    r"\**(?:sent|date|gesendet|datum|envoyé|enviado(?: el| em)?|fecha|inviato|data|verzonden"
    r"|发送时间|日期|寄件日期|送信日時|日付)\**\s?[:：]",
    re.IGNORECASE,
)
_RULE = re.compile(r"\s*[-_=*]{5,}\s*")
_MARK = re.compile(r"^[ \t]*(?:>[ \t]?)+")
_HEAD_LINES = 4
_LONGEST_HEADING = 160


@dataclass(frozen=True, slots=True)
class _Cut:
    """Where a quote begins: its heading, and the line after it."""

    at: int
    heading: str
    rest: int


def write(content: str, builder: SectionBuilder) -> None:
    """The text of a mail: its own words, then each quote as a section."""
    lines = content.split("\n")
    start = 0
    for cut in [*_cuts(lines), _Cut(len(lines), "", len(lines))]:
        for kind, block in text.blocks("\n".join(_MARK.sub("", x) for x in lines[start : cut.at])):
            builder.add(kind, block)
        builder.heading(cut.heading, 1)
        start = cut.rest


def write_blocks(
    blocks: Sequence[tuple[BlockKind, str]], builder: SectionBuilder, level: int
) -> None:
    """The same for the pieces of a formatted mail, below headings of this level."""
    for kind, block in blocks:
        cuts = _cuts(block.split("\n"), alone=True) if kind is BlockKind.PARAGRAPH else []
        if not cuts:
            builder.add(kind, block)
            continue
        lines = block.split("\n")
        builder.add(kind, "\n".join(lines[: cuts[0].at]))
        builder.heading(cuts[0].heading, level)
        builder.add(kind, "\n".join(lines[cuts[0].rest :]))


def _cuts(lines: Sequence[str], *, alone: bool = False) -> list[_Cut]:
    """Where quotes begin that nothing of the mail's own follows.

    Args:
        lines: of the text.
        alone: whether they are a paragraph of their own, of which the end says nothing.
    """
    found: list[_Cut] = []
    own_until = -1 if alone else _last_own_line(lines)
    place = 0
    while place < len(lines):
        cut = _cut_at(lines, place)
        if cut and own_until >= cut.rest and _is_marked(lines, cut.rest):
            cut = None
        if cut:
            found.append(cut)
        place = cut.rest if cut else place + 1
    return found


def _cut_at(lines: Sequence[str], place: int) -> _Cut | None:
    line = _plain(lines[place])
    if not line:
        return None
    if _RULED.fullmatch(line) or _FORWARDED.fullmatch(line):
        return _below_rule(lines, place, line)
    if _INTRODUCED.fullmatch(line) and len(line) <= _LONGEST_HEADING + 60:
        return _Cut(place, line, place + 1)
    if place + 1 < len(lines) and line[:3].casefold() in ("on ", "am ", "le ", "el ", "il "):
        both = f"{line} {_plain(lines[place + 1])}"
        if _INTRODUCED.fullmatch(both):
            return _Cut(place, both, place + 2)
    if _FROM.match(line) and len(line) <= _LONGEST_HEADING and _is_head(lines, place):
        ruled = place > 0 and _RULE.fullmatch(lines[place - 1])
        return _Cut(place - bool(ruled), _one_line(line), place + 1)
    return None


def _below_rule(lines: Sequence[str], place: int, rule: str) -> _Cut:
    """A quote goes by who wrote it, where the line below the rule says it."""
    after = place + 1
    while after < len(lines) - 1 and not _plain(lines[after]):
        after += 1
    line = _plain(lines[after]) if after < len(lines) else ""
    if _FROM.match(line) and len(line) <= _LONGEST_HEADING and _is_head(lines, after):
        return _Cut(place, _one_line(line), after + 1)
    return _Cut(place, rule.strip("-–—_= \t"), place + 1)


def _one_line(line: str) -> str:
    return " ".join(line.replace("*", "").split())


def _is_head(lines: Sequence[str], place: int) -> bool:
    """Whether the head lines of another mail begin here."""
    after = [_plain(line) for line in lines[place + 1 : place + 1 + _HEAD_LINES]]
    return any(_SENT.match(line) for line in after)


def _last_own_line(lines: Sequence[str]) -> int:
    """Place of the last line before the signature that is not marked as quoted; -1 without."""
    last = -1
    for place, line in enumerate(lines):
        if line.rstrip() == "--":
            break
        if line.strip() and not _MARK.match(line):
            last = place
    return last


def _is_marked(lines: Sequence[str], start: int) -> bool:
    """Whether the next line that holds anything is marked as quoted."""
    following = lines[start : start + _HEAD_LINES]
    return _MARK.match(next(filter(str.strip, following), "")) is not None


def _plain(line: str) -> str:
    return _MARK.sub("", line).strip()
