"""The parts of a mail as its reader meets them: what it says, and what hangs on it.

Mail programs nest parts in many ways; each of them is walked once. Of several versions of the
same text one is taken, pictures that belong to the text and signatures fall.
"""

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from email.message import Message

from connectors.formats.mail import headers
from connectors.formats.raw.encoding import decode

_SIGNATURES = ("application/pgp-signature", "application/pkcs7-signature")
_SIGNATURES_OLD = ("application/x-pkcs7-signature", "application/pgp-keys")
_OWN_LINES = ("message/delivery-status", "message/feedback-report", "text/rfc822-headers")
_UNSHOWN = ("style", "script", "head")
_MARK = re.compile(r"<[^<>]*>")
_ARMOUR = "-----BEGIN PGP MESSAGE-----"
_ARMOUR_END = "-----END PGP MESSAGE-----"
_MOST_BESIDE = 40
"""Words around an encrypted text that still say nothing: a greeting, a note of its program."""
_WORD = re.compile(r"\w+")
_DEEPEST = 30
_RICHER = 2
"""How many times as many words the HTML holds for which the plain text is passed over."""


@dataclass(frozen=True, slots=True)
class Body:
    """A stretch of a mail's own text; `kind` is plain, html or calendar."""

    kind: str
    content: str

    @property
    def words(self) -> int:
        """How many words a reader sees, about."""
        return _words(self.kind, self.content)

    @property
    def is_armoured(self) -> bool:
        """Whether it is an encrypted text, with next to nothing around it."""
        before, start, rest = self.content.partition(_ARMOUR)
        after = rest.partition(_ARMOUR_END)[2]
        return bool(start) and _words(self.kind, f"{before} {after}") <= _MOST_BESIDE


def _words(kind: str, content: str) -> int:
    if kind == "html":
        for name in _UNSHOWN:
            content = _without(content, name)
        content = html.unescape(_MARK.sub(" ", content))
    return len(_WORD.findall(content))


def _without(source: str, name: str) -> str:
    """HTML without the elements of a name; each stretch of it is looked at once."""
    first, *rest = re.split(rf"<{name}\b", source, flags=re.IGNORECASE)
    end = re.compile(rf"</{name}\s*>", re.IGNORECASE)
    return first + " ".join(end.split(part, maxsplit=1)[-1] for part in rest)


@dataclass(slots=True)
class Parts:
    """What was found, in the order of the mail."""

    bodies: list[Body] = field(default_factory=list)
    attached: list[Message] = field(default_factory=list)

    def take(self, other: "Parts") -> None:
        """Add what was found further down."""
        self.bodies += other.bodies
        self.attached += other.attached


def parts_of(part: Message, depth: int = 0) -> Parts:
    """Bodies and attachments of a mail or of a part of one."""
    found = Parts()
    kind = part.get_content_type()
    if depth > _DEEPEST:
        return found
    if kind == "multipart/alternative":
        return alternative([parts_of(each, depth + 1) for each in _inside(part)])
    if part.get_content_maintype() == "multipart":
        for each in _shown(part, kind):
            found.take(parts_of(each, depth + 1))
    elif not _is_dropped(part, kind):
        _take_leaf(part, kind, found)
    return found


def _shown(part: Message, kind: str) -> list[Message]:
    """The parts inside one, without its signature and without pictures of its text."""
    first, rest = _inside(part)[:1], _inside(part)[1:]
    if kind == "multipart/signed":
        return first
    return first + [each for each in rest if kind != "multipart/related" or not _is_picture(each)]


def without_shown(attached: list[Message], mail: Message) -> list[Message]:
    """What hangs on a mail, without the pictures that its text shows."""
    pages = [text_of(each) for each in mail.walk() if each.get_content_type() == "text/html"]
    return [each for each in attached if not (_is_picture(each) and _is_shown(each, pages))]


def _is_shown(part: Message, pages: list[str]) -> bool:
    name = str(part.get("Content-ID") or "").strip("<> ")
    return bool(name) and any(f"cid:{name}" in page for page in pages)


def payload_of(part: Message) -> bytes:
    """The bytes of a part, unpacked; of a mail within a mail its source."""
    if part.get_content_type() == "message/rfc822":
        packed = _inside(part)
        return packed[0].as_bytes() if packed else b""
    payload = part.get_payload(decode=True)
    return payload if isinstance(payload, bytes) else b""


def text_of(part: Message) -> str:
    """A text part decoded; what it says of its charset is believed where the bytes agree."""
    return decode(payload_of(part), part.get_content_charset("") or "")


def _inside(part: Message) -> list[Message]:
    payload = part.get_payload()
    return [each for each in payload if isinstance(each, Message)] if part.is_multipart() else []


def _take_leaf(part: Message, kind: str, found: Parts) -> None:
    if kind in _OWN_LINES:
        lines = [str(each) for each in _inside(part)] or [text_of(part)]
        found.bodies.append(Body("plain", "\n".join(lines)))
    elif kind == "text/calendar" and part.get_content_disposition() != "attachment":
        found.bodies.append(Body("calendar", text_of(part)))
    elif _is_text(part, kind):
        found.bodies.append(Body("html" if kind == "text/html" else "plain", text_of(part)))
    else:
        found.attached.append(part)


def _is_text(part: Message, kind: str) -> bool:
    """Whether a part is shown in the mail rather than hung on it."""
    if part.get_content_disposition() == "attachment":
        return False
    shown = kind in ("text/plain", "text/html", "text/enriched")
    return shown and not (headers.file_name(part) and not part.get_content_disposition())


def _is_picture(part: Message) -> bool:
    return part.get_content_maintype() == "image"


def _is_dropped(part: Message, kind: str) -> bool:
    """Signatures, and pictures that stand in the text."""
    if kind in _SIGNATURES + _SIGNATURES_OLD:
        return True
    place = part.get_content_disposition()
    inline = place == "inline" or (not place and part.get("Content-ID") is not None)
    return _is_picture(part) and inline


def alternative(versions: list[Parts]) -> Parts:
    """One version of a text that was sent in several, with what hangs on any of them."""
    found = Parts()
    texts = [each for each in versions if any(body.words for body in each.bodies)]
    plain = next((each for each in texts if _is_all(each, "plain")), None)
    rich = next((each for each in reversed(texts) if _has(each, "html")), None)
    best = plain or rich or (texts[0] if texts else None)
    if plain and rich and _count(rich) > _RICHER * _count(plain):
        best = rich
    for each in versions:
        found.attached += each.attached
    if best:
        found.bodies += best.bodies
    found.bodies += [body for each in versions if each is not best for body in _calendars(each)]
    return found


def _is_all(parts: Parts, kind: str) -> bool:
    return all(body.kind == kind for body in parts.bodies)


def _has(parts: Parts, kind: str) -> bool:
    return any(body.kind == kind for body in parts.bodies)


def _count(parts: Parts) -> int:
    return sum(body.words for body in parts.bodies)


def _calendars(parts: Parts) -> Iterator[Body]:
    return (body for body in parts.bodies if body.kind == "calendar")
