"""What those who will see a reply may read: the scope of a message from Teams.

A personal chat has its asker's rights. A channel or group chat has its own: the workspace, and
what names it as an audience; a channel shared with another organisation only the latter. Guests,
people of other tenants and whoever has no account here get nothing.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from agent.domain import Scope
from agent.errors import ServiceUnreachable
from bots.clock import Clock
from bots.ports import Incoming, Place
from bots.teams.activity import Address, Json, text_in
from bots.teams.connector import Connector
from bots.teams.patience import patiently
from bots.teams.refusals import ConnectorRefused, ConnectorUnreachable

_KNOWN_FOR = timedelta(hours=1)
_REMEMBERED = 10_000
_NO_ROSTER = frozenset({400, 403, 404, 405, 501})
_TRIES = 3
_WORKSPACE = "workspace"


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
    """Knows askers for an hour, so that Teams is not asked for every question."""

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
        self._known: dict[str, tuple[Person, datetime]] = {}

    async def complete(self, incoming: Incoming) -> Incoming:
        """The message with its scope and its asker's rights.

        Raises:
            ServiceUnreachable: Teams does not say who the asker is.
        """
        person = await self._person(incoming)
        rights = frozenset(_rights(incoming, person)) if person.belongs else frozenset()
        if incoming.place is Place.DIRECT or not rights:
            return replace(incoming, rights=rights, scope=Scope(rights))
        return replace(incoming, rights=rights, scope=Scope.of(*_audiences(incoming)))

    async def _person(self, incoming: Incoming) -> Person:
        address = Address.from_json(incoming.address)
        if not address.person_object_id:
            return Person(belongs=self._anonymous)
        known = self._known.get(incoming.asker)
        if known and known[1] > self._clock.now():
            return known[0]
        person = await self._look_up(address)
        while len(self._known) >= _REMEMBERED:
            del self._known[next(iter(self._known))]
        self._known[incoming.asker] = (person, self._clock.now() + _KNOWN_FOR)
        return person

    async def _look_up(self, address: Address) -> Person:
        try:
            member = await patiently(
                lambda: self._connector.member(address), self._clock, tries=_TRIES
            )
        except ConnectorRefused as refusal:
            if refusal.status in _NO_ROSTER:  # Teams vouched for the account by its token
                return Person(belongs=True)
            raise _unknown(refusal) from refusal
        except ConnectorUnreachable as silence:
            raise _unknown(silence) from silence
        return person_from(member, address.tenant_id)


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


def _audiences(incoming: Incoming) -> Iterator[str]:
    place = incoming.address
    yield incoming.conversation_key
    if place.get("channel"):
        yield f"teams:{place['channel']}"
    if place.get("channel_type") == "shared":
        return
    yield _WORKSPACE
    yield from (f"teams:{place[key]}" for key in ("team", "team_object") if place.get(key))


def _unknown(problem: Exception) -> ServiceUnreachable:
    return ServiceUnreachable(
        "Teams does not tell me who you are, so I cannot know what you may read.",
        hint=f"Ask again in a minute. ({type(problem).__name__})",
    )
