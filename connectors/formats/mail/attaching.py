"""What hangs on a mail: each file a document of its own, read as if it lay beside the mail.

One that cannot be read is listed with its reason like any other file, and never harms the mail.
"""

import hashlib
import logging
import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from agent.domain import Attachment, ParsedDocument
from agent.errors import ParseError
from connectors.formats.outcome import finished, not_readable

logger = logging.getLogger(__name__)

DEEPEST = 3
"""Mails within mails that are opened."""
MOST = 100
"""Attachments of one mail that are read."""
_UNFIT = re.compile(r"[/\\\x00-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069]+")
_NAME_CHARS = 120


@dataclass(slots=True)
class Hanging:
    """Collects the attachments of one mail.

    Attributes:
        depth: how many mails this one is packed in, itself counted.
    """

    depth: int
    attachments: list[Attachment] = field(default_factory=list)
    left_out: int = 0

    def add(self, name: str, data: bytes) -> None:
        """Read a file under a name that is its own among those of the mail."""
        self._add(name, lambda own: _read(data, own, self.depth), data)

    def add_mail(self, subject: str, parse: Callable[[], ParsedDocument], data: bytes) -> None:
        """Read a mail that is no file of its own; `data` tells it from others."""
        self._add(mail_name(subject), lambda own: _guarded(parse, own, self.depth), data)

    def _add(self, name: str, read: Callable[[str], ParsedDocument], data: bytes) -> None:
        if len(self.attachments) >= MOST:
            self.left_out += 1
            return
        own = self._own_name(name)
        digest = hashlib.sha256(data).hexdigest()
        self.attachments.append(Attachment(own, read(own), digest, len(data)))

    @property
    def line(self) -> str:
        """The names as a line of the mail; empty where nothing hangs on it."""
        names = ", ".join(each.name for each in self.attachments)
        return f"Attachments: {names}" if names else ""

    @property
    def lost(self) -> str:
        """Why some are missing; mostly empty."""
        if not self.left_out:
            return ""
        return f"too_large: {self.left_out} attachments beyond the first {MOST} were not read"

    def _own_name(self, name: str) -> str:
        taken = {each.name.casefold() for each in self.attachments}
        fit = fitting(name) or f"attachment {len(taken) + 1}"
        path, place = PurePosixPath(fit), 1
        while fit.casefold() in taken:
            place += 1
            fit = f"{path.stem} ({place}){path.suffix}"
        return fit


def fitting(name: str) -> str:
    """A name that can stand in a path: no slash, nothing invisible, not too long."""
    plain = unicodedata.normalize("NFC", _UNFIT.sub("_", " ".join(name.split()))).strip(" .")
    if len(plain) <= _NAME_CHARS:
        return plain
    suffix = PurePosixPath(plain).suffix[:12]
    return plain[: _NAME_CHARS - len(suffix)].rstrip() + suffix


def mail_name(subject: str) -> str:
    """The name of a mail that hangs on another one."""
    return f"{fitting(subject)[:80].strip(' .') or 'mail'}.eml"


def _read(data: bytes, name: str, depth: int) -> ParsedDocument:
    return _walled(lambda: _parsed(data, name, depth), name)


def _guarded(parse: Callable[[], ParsedDocument], name: str, depth: int) -> ParsedDocument:
    return _walled(lambda: _checked(parse, depth), name)


def _walled(parse: Callable[[], ParsedDocument], name: str) -> ParsedDocument:
    try:
        return finished(parse(), name)
    except ParseError as error:
        return not_readable(error.reason, error.problem, name=name)
    except MemoryError:
        return not_readable("too_large", "reading it takes more memory than allowed", name=name)
    except RecursionError:
        return not_readable("damaged", "its parts are nested too deeply", name=name)
    except Exception as error:  # a wall of its own: it must not harm its mail
        logger.warning("parser failed on an attachment", exc_info=True)
        return not_readable("damaged", f"its parser failed ({type(error).__name__})", name=name)


def _parsed(data: bytes, name: str, depth: int) -> ParsedDocument:
    from connectors.formats.detect import Kind, detect
    from connectors.formats.properties import with_record
    from connectors.formats.reading import read

    kind = detect(data, name)
    if kind not in (Kind.EML, Kind.MSG):
        return with_record(read(kind, data, name), kind, data)
    return _checked(lambda: _mail_parser(kind)(data, name, depth=depth + 1), depth)


def _checked(parse: Callable[[], ParsedDocument], depth: int) -> ParsedDocument:
    if depth >= DEEPEST:
        raise ParseError("too_large", f"it is packed in {depth} other mails")
    return parse()


def _mail_parser(kind: str) -> Callable[..., ParsedDocument]:
    if kind == "msg":
        from connectors.formats.mail.outlook import parse as parse_message

        return parse_message
    from connectors.formats.mail.eml import parse as parse_mail

    return parse_mail
