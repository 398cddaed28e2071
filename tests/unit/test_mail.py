"""Mails: their own words, what they quote, and what hangs on them as documents of their own."""

import base64
from email.message import EmailMessage
from pathlib import Path

import pytest

from agent.domain import ParsedDocument, ParseOutcome
from tests.format_files import everything, headings, read, texts, zipped

_HEAD = "From: a@b.example\nTo: c@d.example\nSubject: x\nMIME-Version: 1.0\n"


def mail(subject: str, body: str) -> EmailMessage:
    message = EmailMessage()
    message["Subject"], message["From"], message["To"] = subject, "a@b.example", "c@d.example"
    message["Date"] = "Fri, 23 Dec 2022 12:08:48 -0600"
    message.set_content(body)
    return message


def read_mail(folder: Path, message: EmailMessage) -> ParsedDocument:
    return read(folder, "a.eml", message.as_bytes())


def attached(document: ParsedDocument) -> dict[str, ParsedDocument]:
    return {each.name: each.document for each in document.attachments}


def own_words(document: ParsedDocument) -> list[str]:
    """The lead without its head lines."""
    heads = ("From:", "To:", "Cc:", "Date:", "Attachments:")
    return [text for text in texts(document) if not text.startswith(heads)]


def test_a_mail_goes_by_its_subject_and_keeps_its_head_lines(tmp_path: Path) -> None:
    document = read_mail(tmp_path, mail("Urlaub für Ännchen", "Hello.\n"))
    assert (document.title, document.format) == ("Urlaub für Ännchen", "eml")
    assert texts(document)[0] == "From: a@b.example"
    assert texts(document)[-1] == "Hello."


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("=?utf-8?Q?ab=E4?=\n =?utf-8?Q?=BD=A0?=", "ab你"),  # a character cut in two
        ("=?gb2312?B?xPq6w9XFyP0=?= ok", "您好张三 ok"),
        ("=?nonsense?Q?a=20b?=", "a b"),
    ],
)
def test_encoded_subjects_are_decoded(tmp_path: Path, written: str, shown: str) -> None:
    data = f"From: a@b.example\nTo: c@d.example\nSubject: {written}\n\nHello\n"
    assert read(tmp_path, "a.eml", data).title == shown


def test_a_subject_in_bare_bytes_of_an_old_charset_is_decoded(tmp_path: Path) -> None:
    data = "From: a@b.example\nSubject: 关于年度休假安排的通知\n\n请查收。\n".encode("gb18030")
    assert read(tmp_path, "a.eml", data).title == "关于年度休假安排的通知"


def test_a_mail_out_of_a_mailbox_file_or_in_wide_characters_is_one(tmp_path: Path) -> None:
    source = f"{_HEAD}Date: today\n\nHello.\n"
    boxed = read(tmp_path, "a.eml", f"From someone Wed Jul 16 06:24:10 2008\n{source}")
    wide = read(tmp_path, "b.eml", source.encode("utf-16"))
    assert [(each.format, own_words(each)) for each in (boxed, wide)] == [("eml", ["Hello."])] * 2


@pytest.mark.parametrize(
    ("introduction", "heading"),
    [
        ("On Mon, 2 May 2024, Ann wrote:", "On Mon, 2 May 2024, Ann wrote:"),
        (
            "On Mon, 2 May 2024 at 10:00,\nAnn <a@b.example> wrote:",
            "On Mon, 2 May 2024 at 10:00, Ann <a@b.example> wrote:",
        ),
        ("-----Original Message-----\nFrom: Ann\nSent: Monday\nSubject: May I", "From: Ann"),
        ("_____________\nFrom: Ann\nSent: Monday\nTo: Bob", "From: Ann"),
        ("Von: Ann\nGesendet: Montag", "Von: Ann"),
        ("发件人: 王五\n发送时间: 2024年5月2日", "发件人: 王五"),
        ("Begin forwarded message:", "Begin forwarded message:"),
        ("在 2024年5月2日，王五 写道：", "在 2024年5月2日，王五 写道："),
    ],
)
def test_what_a_mail_quotes_stands_below_who_wrote_it(
    tmp_path: Path, introduction: str, heading: str
) -> None:
    document = read_mail(tmp_path, mail("Re: leave", f"Yes.\n\n{introduction}\n\n> May I go?\n"))
    assert own_words(document) == ["Yes."]
    assert headings(document) == [(1, heading)]
    assert texts(document, heading)[-1] == "May I go?"


def test_an_answer_between_what_it_answers_stays_with_it(tmp_path: Path) -> None:
    body = "On Mon, 2 May 2024, Ann wrote:\n> May I bring a dog?\n\nYes.\n\n> And a cat?\n\nNo.\n"
    document = read_mail(tmp_path, mail("Re: pets", body))
    assert headings(document) == []
    asked = "On Mon, 2 May 2024, Ann wrote:\nMay I bring a dog?"
    assert own_words(document) == [asked, "Yes.", "And a cat?", "No."]


def test_what_a_formatted_mail_quotes_is_cut_off_too(tmp_path: Path) -> None:
    message = mail("Re", "x")
    page = "<p>Yes.</p><div><b>From:</b> Ann<br><b>Sent:</b> Monday<br>To: Bob</div><p>May I?</p>"
    message.set_content(page, subtype="html")
    document = read_mail(tmp_path, message)
    assert own_words(document) == ["Yes."]
    assert texts(document, "From: Ann")[-1] == "May I?"


def test_a_mail_in_html_alone_is_read(tmp_path: Path) -> None:
    message = mail("News", "x")
    message.set_content("<p>Read <b>this</b>.</p>", subtype="html")
    assert own_words(read_mail(tmp_path, message)) == ["Read this."]


def test_of_two_versions_of_a_text_one_is_read(tmp_path: Path) -> None:
    message = mail("News", "Read this.\n")
    message.add_alternative("<p>Read <b>this</b>.</p>", subtype="html")
    assert own_words(read_mail(tmp_path, message)) == ["Read this."]


def test_a_plain_version_that_says_nothing_gives_way(tmp_path: Path) -> None:
    message = mail("News", "Your program shows no HTML.\n")
    page = "<p>The canteen is closed on Friday, and the shop from Monday until Wednesday.</p>"
    message.add_alternative(page, subtype="html")
    assert own_words(read_mail(tmp_path, message))[0].startswith("The canteen is closed")


def test_a_text_in_a_seven_bit_charset_is_decoded(tmp_path: Path) -> None:
    kind = "Content-Type: text/plain; charset=iso-2022-jp\n\n"
    data = (_HEAD + kind).encode() + "休暇の申請".encode("iso-2022-jp")
    assert own_words(read(tmp_path, "a.eml", data)) == ["休暇の申請"]


def test_an_attachment_is_a_document_of_its_own(tmp_path: Path) -> None:
    message = mail("Forms", "See the form.\n")
    message.add_attachment("# Leave form\n\nFill in.\n", filename="form.md")
    message.add_attachment(mail("Inner", "Deep.\n"))
    document = read_mail(tmp_path, message)
    inside = attached(document)
    assert list(inside) == ["form.md", "Inner.eml"]
    assert (inside["form.md"].title, everything(inside["form.md"])) == ("Leave form", "Fill in.")
    assert own_words(inside["Inner.eml"]) == ["Deep."]
    assert "Attachments: form.md, Inner.eml" in texts(document)
    assert "Fill in." not in everything(document)


def test_attachments_of_the_same_name_stay_apart_and_no_name_leaves_the_mail(
    tmp_path: Path,
) -> None:
    message = mail("Twice", "x\n")
    for name in ("a.txt", "a.txt", "../../b.txt", ""):
        message.add_attachment(f"In {name}.\n", filename=name)
    names = list(attached(read_mail(tmp_path, message)))
    assert names == ["a.txt", "a (2).txt", "_.._b.txt", "attachment.txt"]


def test_an_attachment_that_cannot_be_read_has_its_reason_and_harms_no_mail(
    tmp_path: Path,
) -> None:
    message = mail("Files", "Here.\n")
    for name, data in (("a.zip", zipped({"x": "y"})), ("b.docx", b"PK\x03\x04"), ("c.txt", b" ")):
        message.add_attachment(data, maintype="application", subtype="x", filename=name)
    document = read_mail(tmp_path, message)
    assert document.outcome is ParseOutcome.OK
    reasons = {name: each.reason.split(":")[0] for name, each in attached(document).items()}
    assert reasons == {"a.zip": "unsupported", "b.docx": "damaged", "c.txt": "empty"}


def test_pictures_of_the_text_and_signatures_hang_on_no_mail(tmp_path: Path) -> None:
    message = mail("Logo", "x\n")
    message.add_alternative("<p>x <img src='cid:logo'></p>", subtype="html")
    logo = base64.b64decode("iVBORw0KGgo=")
    message.add_attachment(logo, "image", "png", cid="<logo>", filename="logo.png")
    message.add_attachment(logo, "image", "png", filename="plan.png")
    message.add_attachment(b"-", "application", "pgp-signature", filename="signature.asc")
    assert list(attached(read_mail(tmp_path, message))) == ["plan.png"]


def test_mails_packed_in_mails_end(tmp_path: Path) -> None:
    message = mail("0", "deepest")
    for level in range(1, 8):
        outer = mail(str(level), "x")
        outer.add_attachment(message)
        message = outer
    document, opened = read_mail(tmp_path, message), 1
    while document.attachments:
        document, opened = document.attachments[0].document, opened + 1
    assert opened == 4
    assert document.reason.startswith("too_large")


def test_of_very_many_attachments_the_rest_is_counted(tmp_path: Path) -> None:
    message = mail("Many", "x\n")
    for number in range(103):
        message.add_attachment(f"Text {number}.\n", filename=f"{number}.txt")
    document = read_mail(tmp_path, message)
    assert len(document.attachments) == 100
    assert document.outcome is ParseOutcome.PARTIAL
    assert document.reason.startswith("too_large: 3 attachments")


@pytest.mark.parametrize(
    "rest",
    [
        "Content-Type: application/pkcs7-mime; smime-type=enveloped-data\n\nMII=\n",
        'Content-Type: multipart/encrypted; boundary="b"\n\n--b\n\nx\n--b--\n',
        "Content-Type: text/plain\n\n-----BEGIN PGP MESSAGE-----\n\nhQEMA\n"
        "-----END PGP MESSAGE-----\n",
        "Content-Type: text/plain\n\nDear team,\nsee below.\nAnn\n\n\n\n"
        "-----BEGIN PGP MESSAGE-----\n\nhQEMA\n-----END PGP MESSAGE-----\n-- \nSent by phone\n",
        "Content-Type: text/html\n\n<style>p {}</style><pre>-----BEGIN PGP MESSAGE-----\n\nhQEMA\n"
        "-----END PGP MESSAGE-----</pre>\n",
    ],
)
def test_an_encrypted_mail_is_named_as_one(tmp_path: Path, rest: str) -> None:
    document = read(tmp_path, "a.eml", _HEAD + rest)
    assert document.outcome is ParseOutcome.NOT_READABLE
    assert document.reason.startswith("encrypted_mail")


def test_a_mail_that_quotes_an_encrypted_one_is_read(tmp_path: Path) -> None:
    words = "The key of the archive is replaced every spring and nobody keeps the old one. " * 4
    block = "-----BEGIN PGP MESSAGE-----\n\nhQEMA\n-----END PGP MESSAGE-----\n"
    assert read_mail(tmp_path, mail("Keys", words + "\n\n" + block)).outcome is ParseOutcome.OK


def _ber(tag: int, *inside: bytes, ended: bool = False) -> bytes:
    """A value of its length, or one that two zero bytes end."""
    content = b"".join(inside)
    if ended:
        return bytes((tag, 0x80)) + content + b"\0\0"
    length = len(content).to_bytes(2, "big")
    return bytes((tag, 0x82)) + length + content


@pytest.mark.parametrize("ended", [False, True])
def test_a_mail_packed_into_its_signature_is_taken_out(tmp_path: Path, ended: bool) -> None:
    inner = b"Content-Type: text/plain\n\nSigned words.\n"
    halves = [_ber(0x04, inner[:20]), _ber(0x04, inner[20:])]
    octets = _ber(0x24, *halves, ended=ended)
    oid = bytes.fromhex("06092a864886f70d0107")
    packed = _ber(0x30, oid + b"\x01", _ber(0xA0, octets, ended=ended), ended=ended)
    signed = _ber(0x30, b"\x02\x01\x01", b"\x31\x00", packed, ended=ended)
    data = _ber(0x30, oid + b"\x02", _ber(0xA0, signed, ended=ended), ended=ended)
    body = base64.encodebytes(data).decode()
    kind = "Content-Type: application/pkcs7-mime; smime-type=signed-data\n"
    mail_source = f"{_HEAD}{kind}Content-Transfer-Encoding: base64\n\n{body}"
    assert own_words(read(tmp_path, "a.eml", mail_source)) == ["Signed words."]


def test_a_signed_mail_is_read_without_its_signature(tmp_path: Path) -> None:
    parts = "--b\nContent-Type: text/plain\n\nRead me.\n--b\n"
    parts += "Content-Type: application/pkcs7-signature; name=smime.p7s\n\nMII=\n--b--\n"
    document = read(
        tmp_path, "a.eml", f'{_HEAD}Content-Type: multipart/signed; boundary="b"\n\n{parts}'
    )
    assert own_words(document) == ["Read me."]
    assert document.attachments == ()


def test_an_invitation_says_what_when_and_where(tmp_path: Path) -> None:
    event = (
        "BEGIN:VCALENDAR\nBEGIN:VTIMEZONE\nDTSTART:19700101T000000\nEND:VTIMEZONE\n"
        "BEGIN:VEVENT\nSUMMARY:Budget\\, round two\nDTSTART;TZID=Europe/Berlin:20240502T100000\n"
        'LOCATION:Room 4\nORGANIZER;CN="Ann Lee":mailto:ann@b.example\nEND:VEVENT\nEND:VCALENDAR\n'
    )
    document = read(tmp_path, "a.eml", f"{_HEAD}Content-Type: text/calendar\n\n{event}")
    assert own_words(document) == [
        "What: Budget, round two",
        "Begins: 2024-05-02 10:00 Europe/Berlin",
        "Where: Room 4",
        "Organizer: Ann Lee <ann@b.example>",
    ]
