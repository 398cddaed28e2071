"""Units a number may carry, English and Chinese, each under one key.

Only units that people mix up to somebody's harm are told apart: time, money, shares, sizes.
A noun that is merely counted (`14 people`) is no unit.
"""

import re

_DURATIONS = {
    "day": "days day d 天 日 个工作日 工作日 个自然日 自然日 个日历日 日历日",
    "week": "weeks week wks wk w 个星期 星期 周 个礼拜 礼拜",
    "month": "months month mths mth mos mo 个月",
    "quarter": "quarters quarter 个季度 季度",
    "year": "years year yrs yr y 年 周年",
    "hour": "hours hour hrs hr h 个小时 小时 个钟头 钟头",
    "minute": "minutes minute mins min 分钟",
    "second": "seconds second secs sec s 秒钟 秒",
    "millisecond": "milliseconds millisecond msecs msec ms 毫秒",
}
_MONEY = {
    "USD": "us_dollars us_dollar dollars dollar usd 美元 美金",
    "EUR": "euros euro eur € 欧元",
    "GBP": "gbp £ pounds_sterling 英镑",
    "CNY": "cny rmb yuan renminbi 元人民币 人民币元 人民币 元 块钱 块",
    "JPY": "jpy yen 日元",
    "HKD": "hkd 港元 港币",
    "CHF": "chf",
    "CAD": "cad",
    "AUD": "aud",
    "INR": "inr",
    "SGD": "sgd",
    "KRW": "krw",
    "cent": "cents cent",
}
_PREFIXES = {
    "USD": "us$ $ usd",
    "EUR": "€ eur",
    "GBP": "£ gbp",
    "CNY": "cny rmb cn¥ 人民币",
    "¥": "¥",
    "JPY": "jpy",
    "HKD": "hk$ hkd",
    "CHF": "chf",
    "CAD": "ca$ c$ cad",
    "AUD": "au$ a$ aud",
    "INR": "₹ inr",
    "SGD": "s$ sgd",
    "KRW": "₩ krw",
}
_SHARES = {"%": "% percent per_cent percentage_points percentage_point pct 个百分点 百分点"}
_SIZES = {
    "kb": "kb kib kilobytes kilobyte",
    "mb": "mb mib megabytes megabyte",
    "gb": "gb gib gigabytes gigabyte",
    "tb": "tb tib terabytes terabyte",
    "km": "km kilometers kilometres kilometer kilometre 公里 千米",
    "mile": "miles mile 英里",
    "m": "meters metres meter metre 米",
    "cm": "cm centimeters centimetres 厘米",
    "mm": "mm millimeters millimetres 毫米",
    "kg": "kg kilograms kilogram kilos kilo 公斤 千克",
    "g": "grams gram 克",
    "litre": "liters litres liter litre 升",
    "°c": "°c 摄氏度",
    "°f": "°f",
    "mhz": "mhz",
    "ghz": "ghz",
    "mbps": "mbps",
    "kwh": "kwh",
}
_ADJECTIVES = (
    "working business calendar full consecutive additional paid unpaid extra more whole further "
    "total or about completed US"
)
_POWERS = {
    "k": 10**3, "thousand": 10**3, "m": 10**6, "mn": 10**6, "mio": 10**6, "million": 10**6,
    "bn": 10**9, "b": 10**9, "billion": 10**9, "trillion": 10**12, "dozen": 12, "百": 100,
    "千": 10**3, "万": 10**4, "萬": 10**4, "百万": 10**6, "千万": 10**7, "亿": 10**8,
    "億": 10**8, "万亿": 10**12,
}  # fmt: skip
_ONLY_WITH_MONEY = ("m", "b")


def _spelled(table: dict[str, str]) -> dict[str, str]:
    return {
        spelling.replace("_", " "): key
        for key, spellings in table.items()
        for spelling in spellings.split()
    }


SUFFIXES = _spelled(_DURATIONS | _MONEY | _SHARES | _SIZES)
"""Spelling after a number, case folded, to unit."""
PREFIXES = _spelled(_PREFIXES)
"""Spelling before a number, case folded, to unit."""
POWERS = _POWERS
"""Spelling of a multiplier, case folded, to its factor."""


def _alternatives(spellings: list[str]) -> str:
    """Longest first; a Latin spelling must not run on into a word."""
    escaped = []
    for spelling in sorted(spellings, key=len, reverse=True):
        border = "(?![A-Za-z])" if spelling[-1].isascii() and spelling[-1].isalpha() else ""
        escaped.append(re.escape(spelling).replace(r"\ ", "[ -]") + border)
    return "|".join(escaped)


SUFFIX = _alternatives(list(SUFFIXES))
"""Regex (case to be ignored) of a unit after a number."""
PREFIX = _alternatives(list(PREFIXES)).replace("(?![A-Za-z])", "")
"""Regex (case to be ignored) of a currency before a number."""
POWER = "(?!千[米克])(?:" + _alternatives([p for p in _POWERS if p not in _ONLY_WITH_MONEY]) + ")"
"""Regex (case to be ignored) of a multiplier after a number."""
MONEY_POWER = _alternatives(list(_POWERS))
"""The same after an amount of money, where `m` is a million."""
ADJECTIVES = rf"(?:(?:{'|'.join(_ADJECTIVES.split())})[ -]){{0,2}}"
"""Regex of words that may stand between a number and its unit."""


def unit_of(spelling: str) -> str:
    """The key of a unit as matched by `SUFFIX` or `PREFIX`; empty for none."""
    plain = spelling.casefold().replace("-", " ")
    return SUFFIXES.get(plain) or PREFIXES.get(plain, "")
