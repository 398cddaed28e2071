"""Outlook messages: their code pages, their bodies of every kind, and messages inside them."""

import struct
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

import pytest

from agent.domain import ParsedDocument
from agent.errors import ParseError
from connectors.formats.mail import rtf
from connectors.formats.mail.outlook import Message
from connectors.formats.raw.compound import Compound
from tests.format_files import everything, texts

_PAGE, _SENT, _FLAGS = 0x3FFD0003, 0x00390040, 0x37140003
_TABLE = "__properties_version1.0"


class Container(Compound):
    """Streams by their path, as in an OLE file."""

    def __init__(self, streams: Mapping[str, bytes]) -> None:
        self._streams = streams

    def names(self, folder: str = "") -> list[str]:
        start = f"{folder}/" if folder else ""
        inside = [path.removeprefix(start) for path in self._streams if path.startswith(start)]
        return list(dict.fromkeys(path.split("/")[0] for path in inside))

    def stream(self, path: str) -> bytes:
        return self._streams.get(path, b"")


def table(head_bytes: int, values: Mapping[int, int]) -> bytes:
    rows = (struct.pack("<IIQ", tag, 6, value) for tag, value in values.items())
    return bytes(head_bytes) + b"".join(rows)


def streams(folder: str = "", /, **properties: str | bytes) -> dict[str, bytes]:
    """Texts by key as Unicode; bytes by their whole tag."""
    prefix = f"{folder}/" if folder else ""
    return {
        f"{prefix}__substg1.0_{key[1:]}{'' if isinstance(value, bytes) else '001F'}": (
            value if isinstance(value, bytes) else value.encode("utf-16-le")
        )
        for key, value in properties.items()
    }


def document(held: Mapping[str, bytes], fixed: Mapping[int, int] | None = None) -> ParsedDocument:
    whole = {_TABLE: table(32, fixed or {}), **held}
    return Message(Container(whole), "", 1).document()


def test_a_message_is_shown_like_a_mail() -> None:
    sent = datetime(2024, 5, 2, 10, 0, tzinfo=UTC) - datetime(1601, 1, 1, tzinfo=UTC)
    ticks = sent // timedelta(microseconds=1) * 10
    held = streams(
        _0037="Leave",
        _0C1A="Ann",
        _0C1F="/O=X",
        _5D01="a@b.example",
        _0E04="Bob\0; ",
        _1000="Hi.\0",
    )
    read = document(held, {_SENT: ticks})
    assert (read.title, read.format) == ("Leave", "msg")
    assert texts(read) == [
        "From: Ann <a@b.example>",
        "To: Bob",
        "Date: 2024-05-02 10:00 UTC",
        "Hi.",
    ]


@pytest.mark.parametrize("page", [936, 1252, 0])
def test_chinese_texts_are_read_whatever_code_page_is_claimed(page: int) -> None:
    body = "各位同事：今年的国庆节放假安排如下，请大家提前安排好手头的工作。".encode("gbk")
    held = streams(
        _0037001E="放假通知".encode("gbk"), _0C1A001E="张伟".encode("gbk"), _1000001E=body
    )
    read = document(held, {_PAGE: page} if page else {})
    assert read.title == "放假通知"
    assert texts(read)[0] == "From: 张伟"


def test_a_formatted_body_alone_is_read() -> None:
    page = '<html><head><meta charset="x"></head><body><p>Grüße</p></body></html>'
    held = streams(_0037="T", _10130102=page.encode("cp1252"))
    assert everything(document(held, {0x3FDE0003: 1252})) == "Grüße"


def test_a_compressed_body_gives_the_page_that_was_sent() -> None:
    source = (
        rb"{\rtf1\ansi\ansicpg936\fromhtml1 {\fonttbl{\f0\fcharset134 x;}}"
        rb"{\*\htmltag64 <p>}\htmlrtf {\htmlrtf0 \'c4\'e3\'ba\'c3 \u8364?{\*\htmltag84 <b>}5"
        rb"{\*\htmltag92 </b>}\htmlrtf\par}\htmlrtf0 {\*\htmltag72 </p>}}"
    )
    packed = struct.pack("<IIII", len(source) + 12, len(source), 0x414C454D, 0) + source
    assert everything(document(streams(_0037="T", _10090102=packed))) == "你好 €5"


def test_rich_text_is_unpacked_from_its_compression() -> None:
    packed = bytes.fromhex(
        "2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af862696404900a80035200c0"
    )
    assert rtf.unpacked(packed).startswith(b"{\\rtf1\\ansi\\ansicpg125")


@pytest.mark.parametrize("data", [b"", b"x" * 40, struct.pack("<IIII", 99, 99, 0x75465A4C, 0)])
def test_damaged_compression_gives_nothing(data: bytes) -> None:
    assert rtf.unpacked(data) == b""


def test_files_and_messages_inside_are_documents_and_pictures_of_the_text_are_not() -> None:
    first, second, third = (f"__attach_version1.0_#0000000{n}" for n in range(3))
    inner = f"{second}/__substg1.0_3701000D"
    held = {
        **streams(_0037="Outer", _1000="See both.", _1013="<p>See both.</p>"),
        **streams(first, _3707="plan.md", _37010102=b"# Plan\n\nGo.\n"),
        **streams(second, _3001="Inner"),
        **streams(inner, _0037="Inner one", _1000="Deep."),
        f"{inner}/{_TABLE}": table(24, {}),
        **streams(third, _3707="logo.png", _37010102=b"\x89PNG"),
        f"{third}/{_TABLE}": table(8, {_FLAGS: 4}),
    }
    read = document(held)
    assert [each.name for each in read.attachments] == ["plan.md", "Inner one.eml"]
    assert [everything(each.document) for each in read.attachments] == ["Go.", "Deep."]


def test_an_encrypted_message_is_named_as_one() -> None:
    held = streams(_0037="T", _001A="IPM.Note.SMIME")
    held |= streams("__attach_version1.0_#00000000", _3707="smime.p7m", _37010102=b"0\x82\x00")
    with pytest.raises(ParseError) as caught:
        document(held)
    assert caught.value.reason == "encrypted_mail"


def test_a_signed_message_is_read_without_its_signature() -> None:
    source = (
        b'Content-Type: multipart/signed; boundary="b"\n\n--b\nContent-Type: text/plain\n\n'
        b"Read me.\n--b\nContent-Type: application/pkcs7-signature\n\nMII=\n--b--\n"
    )
    held = streams(_0037="T", _001A="IPM.Note.SMIME.MultipartSigned")
    held |= streams("__attach_version1.0_#00000000", _3707="smime.p7m", _37010102=source)
    assert everything(document(held)) == "Read me."
