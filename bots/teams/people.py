"""What those who see a reply may read: the scope of a message from Teams.

A personal chat has its asker's rights. A standard channel counts as the whole workspace. A group
chat or private channel does so while all its members are people of the house; else it has, like a
channel shared with another organisation, only what names it as an audience. Guests, people of
other tenants and whoever has no account here get nothing.
"""

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Generic, TypeVar

from agent.domain import Scope
from agent.errors import ServiceUnreachable
from bots.clock import Clock
from bots.ports import Incoming, Place
from bots.teams.activity import Address, Json, text_in
from bots.teams.connector import Connector, ConnectorRefused, ConnectorUnreachable, patiently

_PERSON_KNOWN_FOR = timedelta(hours=1)
_ROOM_KNOWN_FOR = timedelta(minutes=10)
_REMEMBERED = 10_000
_NO_ROSTER = frozenset({400, 403, 404, 405, 501})
_TRIES = 3
_WORKSPACE = "workspace"

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Person:
    """What the roster says of an asker.

    Attributes:
        belongs: an own account of the tenant, no guest.
        mails: address and sign-in name, in small letters; may be empty.
    """

    belongs: bool
    mails: tuple[str, ...] = ()


class Directory:
    """Knows askers for an hour and rooms for ten minutes; Teams is not asked at every question."""

    def __init__(self, connector: Connector, clock: Clock, *, anonymous: bool) -> None:
        """Keep the way to the roster.

        Args:
            connector: asks Teams.
            clock: tells when a person has to be looked up again.
            anonymous: nobody is checked (loopback without an app id), so that an asker without
                an account is as good as any other.
        """
        self._connector = connector
        self._clock = clock
        self._anonymous = anonymous
        self._people = _Remembered[Person](clock, _PERSON_KNOWN_FOR)
        self._rooms = _Remembered[bool](clock, _ROOM_KNOWN_FOR)

    async def complete(self, incoming: Incoming) -> Incoming:
        """The message with its scope and its asker's rights.

        Raises:
            ServiceUnreachable: Teams does not say who is there.
        """
        person = await self._person(incoming)
        rights = frozenset(_rights(incoming, person)) if person.belongs else frozenset()
        if incoming.place is Place.DIRECT or not rights:
            return replace(incoming, rights=rights, scope=Scope(rights))
        among_us = await self._among_us(incoming)
        scope = Scope.of(*_audiences(incoming, among_us=among_us))
        return replace(incoming, rights=rights, scope=scope)

    async def _person(self, incoming: Incoming) -> Person:
        address = Address.from_json(incoming.address)
        if not address.person_object_id:
            return Person(belongs=self._anonymous)

        async def look_up() -> Person:
            member = await self._ask(lambda: self._connector.member(address))
            if member is None:  # Teams vouched for the account by its token
                return Person(belongs=True)
            return person_from(member, address.tenant_id)

        return await self._people.get(incoming.asker, look_up)

    async def _among_us(self, incoming: Incoming) -> bool:
        """Whether everybody who reads along is of the house."""
        address, kind = Address.from_json(incoming.address), incoming.address.get("channel_type")
        if incoming.place is Place.CHANNEL and kind != "private":
            return kind != "shared"

        async def look_up() -> bool:
            members = await self._ask(lambda: self._connector.members(address))
            if members is None:
                return self._anonymous
            return all(person_from(each, address.tenant_id).belongs for each in members)

        return await self._rooms.get(incoming.conversation_key, look_up)

    async def _ask(self, call: Callable[[], Awaitable[T]]) -> T | None:
        """What the roster says; None where there is none for us."""
        try:
            return await patiently(call, self._clock, tries=_TRIES)
        except ConnectorRefused as refusal:
            if refusal.status in _NO_ROSTER:
                return None
            raise _unknown(refusal) from refusal
        except ConnectorUnreachable as silence:
            raise _unknown(silence) from silence


class _Remembered(Generic[T]):
    """Looked-up values, each for a while, the oldest dropped when there are too many."""

    def __init__(self, clock: Clock, known_for: timedelta) -> None:
        self._clock = clock
        self._known_for = known_for
        self._values: dict[str, tuple[T, datetime]] = {}

    async def get(self, key: str, look_up: Callable[[], Awaitable[T]]) -> T:
        known = self._values.pop(key, None)
        if known is None or known[1] <= self._clock.now():
            known = (await look_up(), self._clock.now() + self._known_for)
        while len(self._values) >= _REMEMBERED:
            del self._values[next(iter(self._values))]
        self._values[key] = known
        return known[0]


def person_from(member: Json, tenant_id: str) -> Person:
    """The person behind an entry of the roster."""
    foreign = bool(tenant_id) and text_in(member, "tenantId") not in ("", tenant_id)
    guest = text_in(member, "userRole").lower() in ("guest", "anonymous")
    if foreign or guest:
        return Person(belongs=False)
    named = (text_in(member, key).strip().lower() for key in ("email", "userPrincipalName"))
    return Person(belongs=True, mails=tuple(dict.fromkeys(mail for mail in named if mail)))


def _rights(incoming: Incoming, person: Person) -> Iterator[str]:
    yield from (_WORKSPACE, incoming.asker)
    yield from (f"mail:{mail}" for mail in person.mails)


def _audiences(incoming: Incoming, *, among_us: bool) -> Iterator[str]:
    place = incoming.address
    yield incoming.conversation_key
    if place.get("channel"):
        yield f"teams:{place['channel']}"
    if place.get("channel_type") != "shared":
        yield from (f"teams:{place[key]}" for key in ("team", "team_object") if place.get(key))
    if among_us:
        yield _WORKSPACE


def _unknown(problem: Exception) -> ServiceUnreachable:
    return ServiceUnreachable(
        "Teams does not tell me who reads along here, so I cannot know what I may say.",
        hint=f"Ask again in a minute. ({type(problem).__name__})",
    )
