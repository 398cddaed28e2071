"""Mails packed into a signature (S/MIME): the mail stands inside, unencrypted, in BER.

Only as much of the format is read as leads to the content; the signature is not checked, as
nothing here rests on who signed.
"""

from collections.abc import Iterator
from dataclasses import dataclass

_SEQUENCE, _OCTETS, _OCTET_PIECES, _CONTENT = 0x30, 0x04, 0x24, 0xA0
_SIGNED = bytes.fromhex("2a864886f70d010702")
_OBJECT = 0x06
_DEEPEST = 12


@dataclass(frozen=True, slots=True)
class _Value:
    tag: int
    start: int
    end: int
    after: int


def signed_content(data: bytes) -> bytes:
    """What was signed; empty where the data is something else, such as an encrypted mail."""
    try:
        outer = _value(data, 0, 0)
        parts = list(_inside(data, outer))
        kind = data[parts[0].start : parts[0].end]
        if parts[0].tag != _OBJECT or kind != _SIGNED:
            return b""
        signed = next(_inside(data, parts[1]))
        packed = next(each for each in _inside(data, signed) if each.tag == _SEQUENCE)
        holder = next(each for each in _inside(data, packed) if each.tag == _CONTENT)
        return b"".join(_octets(data, next(_inside(data, holder)), 0))
    except (IndexError, StopIteration, ValueError):
        return b""


def _octets(data: bytes, value: _Value, depth: int) -> Iterator[bytes]:
    if value.tag == _OCTETS:
        yield data[value.start : value.end]
    elif value.tag == _OCTET_PIECES and depth < _DEEPEST:
        for each in _inside(data, value):
            yield from _octets(data, each, depth + 1)


def _inside(data: bytes, value: _Value) -> Iterator[_Value]:
    place = value.start
    while place < value.end:
        found = _value(data, place, 0)
        yield found
        place = found.after


def _value(data: bytes, at: int, depth: int) -> _Value:
    """The value that begins here; raises IndexError or ValueError where none does."""
    tag, length = data[at], data[at + 1]
    start = at + 2
    if length == 0x80:
        return _open_ended(data, at, depth)
    if length & 0x80:
        count = length & 0x7F
        length = int.from_bytes(data[start : start + count], "big")
        start += count
    if start + length > len(data):
        raise ValueError
    return _Value(tag, start, start + length, start + length)


def _open_ended(data: bytes, at: int, depth: int) -> _Value:
    """A value without a length, which two zero bytes end."""
    if depth > _DEEPEST:
        raise ValueError
    place = at + 2
    while data[place] or data[place + 1]:
        place = _value(data, place, depth + 1).after
    return _Value(data[at], at + 2, place, place + 2)
