"""Addresses of quoted places in our own viewer, for documents whose drive has none.

Two kinds. A *place* (`/source/…`) is for people who are let in anyway. A *signed* place is its own
permit: whoever holds it sees the quoted window and its neighbours for 7 days, and nothing else of
the document. Neither holds any text: the quote is named by its offsets and a digest, by which it is
found again when the section has been edited around it.
"""

import base64
import hashlib
import hmac
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from urllib.parse import quote, urlencode

from agent.domain import Answer, Citation, DocId, Question, SectionPath
from agent.ports import Progress
from bots.ports import Answerer

VALID_FOR = timedelta(days=7)
"""How long a signed link opens."""
_DIGEST_CHARS = 12
_LONGEST_SEARCHED = 200_000


@dataclass(frozen=True, slots=True)
class Place:
    """A quoted stretch of a section.

    Attributes:
        start, end: half-open offsets in the section's source text when it was quoted.
        digest: names the quoted words; empty: no quote is meant, only the section.
    """

    doc_id: DocId
    path: SectionPath
    start: int = 0
    end: int = 0
    digest: str = ""

    @classmethod
    def of(cls, citation: Citation) -> "Place":
        """Where a citation stands."""
        return cls(
            citation.doc_id,
            citation.section_path,
            citation.start,
            citation.end,
            digest_of(citation.quote),
        )

    def find_in(self, text: str) -> tuple[int, int] | None:
        """Where the quoted words stand in the section as it reads today; None: no longer."""
        length = self.end - self.start
        if not self.digest or not 0 < length <= len(text):
            return None
        if digest_of(text[self.start : self.end]) == self.digest:
            return self.start, self.end
        for start in range(min(len(text), _LONGEST_SEARCHED) - length + 1):
            if digest_of(text[start : start + length]) == self.digest:
                return start, start + length
        return None


def digest_of(words: str) -> str:
    """A short name for quoted words."""
    return hashlib.sha256(words.encode("utf-8", "replace")).hexdigest()[:_DIGEST_CHARS]


class Permit(StrEnum):
    """What a signature is worth."""

    VALID = "valid"
    EXPIRED = "expired"
    FORGED = "forged"
    NONE = "none"


class SourceLinks:
    """Writes and checks addresses of quoted places."""

    def __init__(
        self,
        secret: bytes,
        base_url: str = "",
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        """Keep what signing needs.

        Args:
            secret: 32 random bytes, the same on every replica and after a restart.
            base_url: the private listener as readers reach it; empty: no links in chat.
            now: what time it is.
        """
        self._secret = secret
        self._base_url = base_url.rstrip("/")
        self._now = now

    def with_links(self, answer: Answer) -> Answer:
        """The answer for a chat: footnotes without an address of their drive get a signed one."""
        if not self._base_url:
            return answer
        return replace(answer, citations=tuple(self._linked(each) for each in answer.citations))

    def _linked(self, citation: Citation) -> Citation:
        return citation if citation.url else replace(citation, url=self.signed(Place.of(citation)))

    def signed(self, place: Place) -> str:
        """The address that opens this place for anybody for 7 days; empty without a base URL."""
        if not self._base_url:
            return ""
        until = int((self._now() + VALID_FOR).timestamp())
        extra = {"until": str(until), "sig": self._signature(place, until)}
        return f"{self._base_url}/{address(place, extra)}"

    def check(self, place: Place, query: Mapping[str, str]) -> Permit:
        """What the signature in an address is worth for this place."""
        given, until = query.get("sig", ""), query.get("until", "")
        if not given:
            return Permit.NONE
        if not (until.isascii() and until.isdigit() and len(until) <= 12):
            return Permit.FORGED
        right = self._signature(place, int(until))
        if not hmac.compare_digest(given.encode("utf-8", "replace"), right.encode()):
            return Permit.FORGED
        return Permit.EXPIRED if self._now().timestamp() > int(until) else Permit.VALID

    def _signature(self, place: Place, until: int) -> str:
        signed = [place.doc_id, place.path, place.start, place.end, place.digest, until]
        mac = hmac.new(self._secret, json.dumps(signed).encode(), hashlib.sha256)
        return base64.urlsafe_b64encode(mac.digest()[:24]).decode()


def address(place: Place, extra: Mapping[str, str] | None = None) -> str:
    """A place's address below the private listener's root, `source/4f0…?at=leave#leave`."""
    query: dict[str, str] = {"at": place.path}
    if place.digest:
        query |= {"from": str(place.start), "to": str(place.end), "q": place.digest}
    query |= extra or {}
    fragment = quote(place.path, safe="/~")
    return f"source/{quote(place.doc_id, safe='')}?{urlencode(query, safe='/~')}#{fragment}"


def place_in(doc_id: str, query: Mapping[str, str]) -> Place:
    """The place that an address names; whatever makes no sense in it is left out."""
    path = SectionPath(query.get("at", ""))
    start, end = _offset(query.get("from", "")), _offset(query.get("to", ""))
    if start is None or end is None or end <= start:
        return Place(DocId(doc_id), path)
    return Place(DocId(doc_id), path, start, end, query.get("q", ""))


def _offset(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 9 else None


class LinkingAnswerer:
    """An answerer whose answers open at their source, for the chats."""

    def __init__(self, answerer: Answerer, links: SourceLinks) -> None:
        self._answerer = answerer
        self._links = links

    async def answer(self, question: Question, progress: Progress) -> Answer:
        """The other's answer, with an address for every footnote that has none."""
        return self._links.with_links(await self._answerer.answer(question, progress))
