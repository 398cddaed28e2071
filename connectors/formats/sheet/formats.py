"""Numbers as their cells show them: percent, currency, thousands, fractions, hidden values.

A format has up to four parts, for positive and negative numbers, zero and text; each is literals
around a pattern of digits. Dates have a module of their own.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from fractions import Fraction
from functools import lru_cache

_PIECE = re.compile(
    r'"([^"]*)"|\\(.)|[_](.)|[*](.)|\[\$([^\]-]*)(?:-[^\]]*)?\]|\[([^\]]*)\]|'
    r"([#0?](?:[#0?,.]*[#0?.])?,*)|(E[+-]0+)|([/])|(%)|(.)",
    re.IGNORECASE | re.DOTALL,
)
_LITERAL = re.compile(r'"[^"]*"|\\.|[_*].|\[[^\]]*\]', re.DOTALL)
_CONDITION = re.compile(r"(<=|>=|<>|<|>|=)\s*(-?\d+(?:\.\d+)?)")
_TESTS = {
    "<": lambda a, b: a < b,
    ">": lambda a, b: a > b,
    "=": lambda a, b: a == b,
    "<=": lambda a, b: a <= b,
    ">=": lambda a, b: a >= b,
    "<>": lambda a, b: a != b,
}
_MOST_DIGITS = 40
FORMAT_CHARS = 255
"""What a format can hold at most."""


@dataclass(frozen=True, slots=True)
class _Pattern:
    """A part of a format.

    Attributes:
        pieces: (kind, text) with kind one of text, digits, power, slash, percent, any.
        condition: what a value must meet; None without one.
    """

    pieces: tuple[tuple[str, str], ...]
    condition: tuple[str, float] | None = None

    def of(self, kind: str) -> list[str]:
        """The pieces of one kind."""
        return [text for each, text in self.pieces if each == kind]


def number(value: float, form: str) -> str:
    """A number in a format of Excel.

    Args:
        value: what the cell holds.
        form: its format, such as `#,##0.00 "EUR";[Red]-#,##0.00`; `General` for none.
    """
    patterns = _patterns(form[:FORMAT_CHARS] or "General")
    if abs(value) >= 1e300 or value != value:
        return general(value)
    pattern, signed = _chosen(patterns, value)
    if pattern.of("any"):
        return _filled(pattern, general(value if signed else abs(value)))
    if not pattern.of("digits"):
        return _literal(pattern, "-" if signed and value < 0 and pattern.pieces else "")
    try:
        return _shown(pattern, value, signed=signed)
    except (InvalidOperation, ZeroDivisionError, OverflowError):
        return general(value)


def text(value: str, form: str) -> str:
    """A text in a format: the fourth part may hide it or put words around it."""
    if form in ("General", "@", "") or (";" not in form and "@" not in form):
        return value
    patterns = _patterns(form[:FORMAT_CHARS])
    for pattern in patterns[3:] or [each for each in patterns if each.of("text-value")]:
        return "".join(value if kind == "text-value" else part for kind, part in pattern.pieces)
    return value


def general(value: float) -> str:
    """A number without a format: up to 15 digits, as many as it has."""
    if float(value).is_integer() and abs(value) < 1e15:
        return str(int(value))
    return f"{value:.15g}".replace("e+", "E+").replace("e-", "E-")


@lru_cache(maxsize=512)
def _patterns(form: str) -> tuple[_Pattern, ...]:
    return tuple(_pattern(section) for section in _sections(form)[:4])


def _sections(form: str) -> list[str]:
    found, start, place = [], 0, 0
    while place < len(form):
        if match := _LITERAL.match(form, place):
            place = match.end()
            continue
        if form[place] == ";":
            found.append(form[start:place])
            start = place + 1
        place += 1
    return [*found, form[start:]]


def _pattern(section: str) -> _Pattern:
    if section.strip().casefold() in ("general", "standard"):
        return _Pattern((("any", ""),))
    matches = list(_PIECE.finditer(section))
    bounds = [met for match in matches if (met := _CONDITION.fullmatch((match[6] or "").strip()))]
    condition = (bounds[0][1], float(bounds[0][2])) if bounds else None
    return _Pattern(tuple(_piece_of(match) for match in matches if match[6] is None), condition)


def _piece_of(match: re.Match[str]) -> tuple[str, str]:
    kind = {7: "digits", 8: "power", 9: "slash", 10: "percent"}.get(match.lastindex or 0)
    if kind:
        return kind, match[0]
    if match[0] == "@":
        return "text-value", ""
    if match[3] is not None or match[4] is not None:
        return "text", " " if match[3] else ""
    return "text", match[1] or match[2] or match[5] or match[11] or ""


def _chosen(patterns: Sequence[_Pattern], value: float) -> tuple[_Pattern, bool]:
    """(the part for a value, whether its sign is still to be shown)."""
    conditional = [each for each in patterns if each.condition]
    for pattern in conditional:
        sign, bound = pattern.condition or ("", 0.0)
        if _TESTS[sign](value, bound):
            return pattern, value < 0
    if conditional:
        rest = [each for each in patterns if not each.condition]
        return (rest[0] if rest else _Pattern((("any", ""),))), value < 0
    if value < 0 and len(patterns) > 1:
        return patterns[1], False
    if value == 0 and len(patterns) > 2:
        return patterns[2], False
    return patterns[0], True


def _literal(pattern: _Pattern, sign: str) -> str:
    return _tidy(sign + "".join(part for _, part in pattern.pieces))


def _filled(pattern: _Pattern, shown: str) -> str:
    return _tidy("".join(shown if kind == "any" else part for kind, part in pattern.pieces))


def _tidy(shown: str) -> str:
    return " ".join(shown.split())


def _shown(pattern: _Pattern, value: float, *, signed: bool) -> str:
    amount = Decimal(repr(abs(value)))
    amount *= 100 ** len(pattern.of("percent"))
    digits = pattern.of("digits")
    if pattern.of("slash") and len(digits) > 1:
        filled = _fraction(digits, amount)
    elif pattern.of("power"):
        filled = iter([_scientific(digits[0], pattern.of("power")[0], amount)])
    elif len(digits) > 1:
        filled = _spread(digits, amount)
    else:
        filled = iter([_decimal(digits[0], amount)])
    parts = [_piece(kind, part, filled) for kind, part in pattern.pieces]
    body = "".join(parts)
    minus = "-" if signed and value < 0 and any(char in "123456789" for char in body) else ""
    return _tidy(minus + body)


def _piece(kind: str, part: str, filled: Iterator[str]) -> str:
    if kind == "digits":
        return next(filled, "")
    return "" if kind == "power" else part


def _decimal(pattern: str, amount: Decimal) -> str:
    """A number in a pattern such as `#,##0.0#`; commas at its end each divide by a thousand."""
    core = pattern.rstrip(",")
    amount /= Decimal(1000) ** (len(pattern) - len(core))
    whole, _, part = core.partition(".")
    places = min(sum(char in "0#?" for char in part), _MOST_DIGITS)
    least = len(part.rstrip("#?,"))
    rounded = f"{amount.quantize(Decimal(1).scaleb(-places), rounding=ROUND_HALF_UP):f}"
    before, _, after = rounded.partition(".")
    while len(after) > least and after.endswith("0"):
        after = after[:-1]
    before = before.lstrip("0").rjust(whole.count("0"), "0")
    if "," in whole:
        before = _grouped(before)
    return f"{before}.{after}" if after or (part == "" and core.endswith(".")) else before


def _grouped(digits: str) -> str:
    head = len(digits) % 3
    groups = [digits[:head]] if head else []
    return ",".join([*groups, *(digits[at : at + 3] for at in range(head, len(digits), 3))])


def _scientific(pattern: str, power: str, amount: Decimal) -> str:
    places = sum(char in "0#?" for char in pattern.partition(".")[2])
    mantissa, _, exponent = f"{amount:.{places}E}".partition("E")
    sign, size = exponent[0], exponent[1:].lstrip("0")
    shown = sign if sign == "-" or power[1] == "+" else ""
    return f"{mantissa}E{shown}{size.rjust(len(power) - 2, '0')}"


def _fraction(digits: Sequence[str], amount: Decimal) -> Iterator[str]:
    """`# ?/?`: the whole, the numerator, the denominator."""
    widest = 10 ** min(len(digits[-1]), 4) - 1
    whole, rest = (int(amount), amount % 1) if len(digits) > 2 else (0, amount)
    part = Fraction(rest).limit_denominator(widest)
    if len(digits) > 2:
        whole, part = (whole + 1, Fraction(0)) if part == 1 else (whole, part)
        yield str(whole) if whole or not part else ""
    yield str(part.numerator)
    yield str(part.denominator)


def _spread(digits: Sequence[str], amount: Decimal) -> Iterator[str]:
    """Digits in groups, as in `000-00-0000`, filled from the right."""
    if any("." in each or "," in each for each in digits):
        return iter([_decimal(digits[0], amount), *digits[1:]])
    left = f"{amount.quantize(Decimal(1), rounding=ROUND_HALF_UP):f}"
    left = left.rjust(sum(each.count("0") for each in digits), "0")
    groups: list[str] = []
    for pattern in reversed(digits[1:]):
        left, group = left[: -len(pattern)], left[-len(pattern) :]
        groups.append(group)
    return iter([left, *reversed(groups)])
