"""Bytes into text when nobody says which encoding they are in.

Order: byte order mark, zero bytes (UTF-16), valid UTF-8, then the legacy encodings by how well
their common characters explain the bytes. General detectors were measured and mistook western
files for Polish or Russian ones; the offices we read from write these few encodings.
"""

import codecs
import re

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_HIGH_RUN = re.compile(rb"[\x80-\xff]+")
_BESIDE_LETTER = re.compile(rb"[A-Za-z][\x80-\xff]+|[\x80-\xff]+(?=[A-Za-z])")
_SAMPLE_BYTES = 65_536
_WESTERN_LETTER = re.compile(rb"[\xc0-\xd6\xd8-\xf6\xf8-\xff\x8a\x8c\x8e\x9a\x9c\x9e\x9f]")
_WESTERN_MARK = re.compile(rb"[\x80\x85\x91-\x97\x99\xa0-\xbf]")

_COMMON_PAIRS = {
    # lead and trail bytes of punctuation and of the characters in daily use
    "gb18030": re.compile(rb"[\xa1-\xa3\xb0-\xd7][\xa1-\xfe]"),
    "big5": re.compile(rb"[\xa1-\xa3\xa4-\xc6][\x40-\x7e\xa1-\xfe]"),
    "shift_jis": re.compile(rb"[\x81-\x83\x88-\x97][\x40-\x7e\x80-\xfc]"),
}
_ANY_PAIR = {
    "gb18030": re.compile(rb"[\x81-\xfe][\x30-\x39][\x81-\xfe][\x30-\x39]|[\x81-\xfe][\x40-\xfe]"),
    "big5": re.compile(rb"[\x81-\xfe][\x40-\x7e\xa1-\xfe]"),
    "shift_jis": re.compile(rb"[\x81-\x9f\xe0-\xfc][\x40-\x7e\x80-\xfc]|[\xa1-\xdf]"),
}
_CODECS = {"gb18030": "gb18030", "big5": "big5hkscs", "shift_jis": "cp932"}
_KANA = re.compile(rb"\x82[\x9f-\xf1]|\x83[\x40-\x96]")
_CP1252 = {byte: bytes((byte,)).decode("cp1252", "ignore") or byte for byte in range(128, 160)}
_POLISH = re.compile(rb"[A-Za-z][\xb3\xb9\xbf][a-z]")
"""Letters of cp1250 where cp1252 has signs that stand in no word."""
_EUC_PAIR = re.compile(rb"[\xa1-\xfe][\xa1-\xfe]")
_LEAST_PAIRS = 12
_CYRILLIC = ("cp1251", "koi8-r", "cp866")
_SMALL_CYRILLIC = frozenset("абвгдежзийклмнопрстуфхцчшщъыьэюяёіїєґ")
_SEVEN_BIT = {"hz-gb-2312": "hz", "hz": "hz", "utf-7": "utf-7", "unicode-1-1-utf-7": "utf-7"}
_ALIASES = {
    "iso-8859-1": "cp1252",
    "latin-1": "cp1252",
    "latin1": "cp1252",
    "ascii": "cp1252",
    "us-ascii": "cp1252",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "big5": "big5hkscs",
    "shift_jis": "cp932",
    "shift-jis": "cp932",
    "sjis": "cp932",
    "x-sjis": "cp932",
}


def decode(data: bytes, declared: str = "") -> str:
    """The text of a file, whatever it holds; never raises.

    Args:
        data: the whole file.
        declared: what the file says of itself (an HTML charset); believed where the bytes agree.

    Returns:
        The text with `\\n` line ends and without byte order mark.
    """
    return _decode(data, declared).replace("\r\n", "\n").replace("\r", "\n")


def guess(data: bytes) -> str:
    """The legacy encoding of bytes of some length; empty where they are ASCII or UTF-8."""
    if data.isascii() or _strict(data, "utf-8") is not None:
        return ""
    return _legacy_encoding(data[:_SAMPLE_BYTES])


def is_wide(data: bytes) -> bool:
    """Whether a file is written in UTF-16 or UTF-32, with a mark or without."""
    marked = any(data.startswith(mark) for mark, name in _BOMS if name != "utf-8")
    return marked or bool(_wide_encoding(data))


def _decode(data: bytes, declared: str) -> str:
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, errors="replace")
    if wide := _wide_encoding(data):
        return data.decode(wide, errors="replace")
    if seven := _seven_bit_encoding(data, declared):
        return data.decode(seven, errors="replace")
    text = _strict(data, "utf-8")
    if text is None and declared:
        text = _strict(data, _ALIASES.get(declared.lower(), declared))
    if text is None:
        text = _strict(data, _legacy_encoding(data[:_SAMPLE_BYTES]))
    return _western(data) if text is None else text


def _strict(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except (UnicodeDecodeError, LookupError):
        return None


def _western(data: bytes) -> str:
    """cp1252; the five bytes it does not know become what Latin-1 makes of them."""
    return data.decode("latin-1").translate(_CP1252)


def _wide_encoding(data: bytes) -> str:
    """UTF-16 without a mark: every second byte of mostly Latin text is zero."""
    sample = data[:4_096]
    if len(sample) < 4 or b"\0" not in sample:
        return ""
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    half = len(sample) / 2
    if odd > 0.4 * half and even < 0.05 * half:
        return "utf-16-le"
    if even > 0.4 * half and odd < 0.05 * half:
        return "utf-16-be"
    return ""


def _seven_bit_encoding(data: bytes, declared: str) -> str:
    """Encodings that look like ASCII: by their escapes, or as the file says of itself."""
    name = declared.lower()
    if b"\x1b$" in data and _HIGH_RUN.search(data) is None:
        return name if name.startswith("iso-2022-") else "iso-2022-jp-2"
    if name in _SEVEN_BIT and data.isascii():
        return _SEVEN_BIT[name]
    return ""


def _legacy_encoding(sample: bytes) -> str:
    if _POLISH.search(sample) and _decodes(sample, "cp1250"):
        runs = _HIGH_RUN.findall(sample)
        if len(b"".join(runs)) < 1.5 * len(runs):
            return "cp1250"
    if _looks_western(sample):
        return "cp1252"
    if extended := _extended_unix(sample):
        return extended
    scores = {name: _score(sample, name) for name in _CODECS}
    best = max(scores, key=lambda name: scores[name])
    if scores[best] >= 0.7:
        return _CODECS[best]
    return _cyrillic(sample) or "cp1252"


def _extended_unix(sample: bytes) -> str:
    """EUC-JP by its kana, EUC-KR where all is Hangul; both are valid GB 18030 of odd characters."""
    pairs: list[bytes] = _EUC_PAIR.findall(sample)
    leads = [pair[0] for pair in pairs if pair[0] > 0xA3]
    if len(leads) < _LEAST_PAIRS:
        return ""
    hangul = sum(0xB0 <= lead <= 0xC8 for lead in leads) / len(leads)
    if hangul >= 0.95 and _decodes(sample, "cp949"):
        return "cp949"
    kana = sum(lead in (0xA4, 0xA5) for lead in leads) / len(leads)
    return "euc_jp" if kana >= 0.2 and _decodes(sample, "euc_jp") else ""


def _looks_western(sample: bytes) -> bool:
    """Accented letters among plain ones, as in `können`; other scripts fill whole words."""
    runs: list[bytes] = _HIGH_RUN.findall(sample)
    high = b"".join(runs)
    letters = len(_WESTERN_LETTER.findall(high))
    marks = len(_WESTERN_MARK.findall(high))
    return (
        bool(runs)
        and len(high) <= 2 * len(runs)
        and letters + marks == len(high)
        and 2 * len(_BESIDE_LETTER.findall(sample)) >= len(runs)
        and (letters >= 0.5 * len(high) or len(high) < 0.05 * len(sample))
    )


def _cyrillic(sample: bytes) -> str:
    """The Cyrillic encoding that makes words of small letters; empty where none does."""
    runs = _HIGH_RUN.findall(sample)
    high = b"".join(runs)
    if len(high) < 2 * len(runs):
        return ""
    shares = {name: _share_of(high.decode(name, "ignore"), _SMALL_CYRILLIC) for name in _CYRILLIC}
    best = max(shares, key=lambda name: shares[name])
    return best if high and shares[best] >= 0.7 else ""


def _share_of(text: str, chars: frozenset[str]) -> float:
    return sum(char in chars for char in text) / max(len(text), 1)


def _score(sample: bytes, name: str) -> float:
    """Share of double bytes that are characters in daily use, 0 to 1."""
    if not _decodes(sample, _CODECS[name]):
        return 0.0
    pairs: list[bytes] = _ANY_PAIR[name].findall(sample)
    common = sum(_COMMON_PAIRS[name].fullmatch(pair) is not None for pair in pairs)
    score = common / max(len(pairs), 1)
    if name == "shift_jis" and not _KANA.search(sample):
        score -= 0.05
    return score


def _decodes(sample: bytes, encoding: str) -> bool:
    """Whether the sample is valid; a character cut at its end does not count against it."""
    try:
        codecs.getincrementaldecoder(encoding)().decode(sample)
    except UnicodeDecodeError:
        return False
    return True
