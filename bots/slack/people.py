"""Who asks in Slack and who will read the reply: the scope, looked up and remembered for a while.

A direct message has the rights of its writer, a channel those that its kind gives it; members are
never intersected. Whoever is not a full, living member of this workspace may read nothing.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Generic, TypeVar

from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_slack_response import AsyncSlackResponse

from agent.domain import Scope
from agent.errors import FootnoteError, ServiceUnreachable
from bots.clock import Clock
from bots.ports import Incoming, Place
from bots.slack.client import SlackClients
from bots.slack.refusals import error_code, is_passing

REMEMBERED = timedelta(minutes=10)
"""How long a look-up counts; a change of rights is seen after that at the latest."""
LOOK_UP_AGAIN_S = (0.5, 2.0)
"""Pauses before a look-up is tried again."""
_ENTRIES = 10_000

T = TypeVar("T")
Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Person:
    """A member of the workspace, or somebody who is none.

    Attributes:
        words: audience words he holds; empty for guests, strangers and closed accounts.
    """

    words: frozenset[str]
    timezone: str = "UTC"
    is_workspace_admin: bool = False


@dataclass(frozen=True, slots=True)
class Room:
    """A conversation: what kind it is, and the audience words of its readers."""

    place: Place
    words: frozenset[str]


class People:
    """Looks up people, conversations and usergroups."""

    def __init__(self, clients: SlackClients, clock: Clock, *, with_groups: bool) -> None:
        """Keep what look-ups need.

        Args:
            clients: the way to Slack.
            clock: says when a look-up is too old.
            with_groups: whether any audience names a usergroup, so that membership matters.
        """
        self._clients = clients
        self._clock = clock
        self._with_groups = with_groups
        self._people = _Remembered[Person](self._ask_person, clock)
        self._rooms = _Remembered[Room](self._ask_room, clock)
        self._groups = _Remembered[frozenset[str]](self._ask_group, clock)
        self._all_groups = _Remembered[Mapping[str, frozenset[str]]](self._ask_groups, clock)

    async def complete(self, incoming: Incoming) -> Incoming:
        """The message with place, scope and time zone.

        Raises:
            FootnoteError: Slack does not let us look up who asks.
        """
        person = await self._people.get(str(incoming.address["user"]))
        words = person.words | await self._group_words(incoming, person)
        room = await self._rooms.get(str(incoming.address["channel"]))
        readers = words if room.place is Place.DIRECT else room.words
        return replace(
            incoming,
            place=room.place,
            scope=Scope(readers if person.words else frozenset()),
            timezone=person.timezone,
            rights=words,
        )

    async def person(self, user: str) -> Person:
        """Somebody by id; raises FootnoteError where the look-up is refused."""
        return await self._people.get(user)

    async def members(self, group: str) -> frozenset[str]:
        """User ids of a usergroup; raises FootnoteError where the look-up is refused."""
        return await self._groups.get(group)

    async def _group_words(self, incoming: Incoming, person: Person) -> frozenset[str]:
        if not self._with_groups or not person.words:
            return frozenset()
        groups = await self._all_groups.get("")
        user = incoming.address["user"]
        return frozenset(
            f"slack-group:{group}" for group, members in groups.items() if user in members
        )

    async def _patiently(self, call: Callable[[], Awaitable[AsyncSlackResponse]]) -> Any:
        """What a look-up says; a trouble that passes is waited out, look-ups change nothing."""
        for pause_s in LOOK_UP_AGAIN_S:
            try:
                return await call()
            except SlackApiError as error:
                if not is_passing(error):
                    raise
                await self._clock.sleep(pause_s)
        return await call()

    async def _ask_person(self, user: str) -> Person:
        us = await self._clients.identity()
        try:
            said = await self._patiently(lambda: self._clients.web.users_info(user=user))
        except SlackApiError as error:
            if error_code(error) in ("user_not_found", "user_not_visible"):
                return Person(frozenset())
            raise refused_lookup(error, "who you are", "users:read") from error
        return person_from(said.get("user") or {}, us.team_id)

    async def _ask_room(self, channel: str) -> Room:
        if channel.startswith("D"):
            return Room(Place.DIRECT, frozenset())
        try:
            said = await self._patiently(
                lambda: self._clients.web.conversations_info(channel=channel)
            )
        except SlackApiError as error:
            if error_code(error) in ("channel_not_found", "missing_scope"):
                return Room(Place.CHANNEL, frozenset({f"slack:{channel}"}))
            raise refused_lookup(error, "what channel this is", "channels:read") from error
        return room_from(said.get("channel") or {}, channel)

    async def _ask_group(self, group: str) -> frozenset[str]:
        try:
            said = await self._patiently(
                lambda: self._clients.web.usergroups_users_list(usergroup=group)
            )
        except SlackApiError as error:
            if error_code(error) == "no_such_subteam":
                return frozenset()
            raise refused_lookup(error, f"who is in {group}", "usergroups:read") from error
        return frozenset(said.get("users") or [])

    async def _ask_groups(self, _: str) -> Mapping[str, frozenset[str]]:
        try:
            said = await self._patiently(
                lambda: self._clients.web.usergroups_list(include_users=True)
            )
        except SlackApiError as error:
            raise refused_lookup(error, "your groups", "usergroups:read") from error
        groups: list[Json] = said.get("usergroups") or []
        return {str(group["id"]): frozenset(group.get("users") or []) for group in groups}


def person_from(user: Json, team_id: str) -> Person:
    """A person from what Slack says of him."""
    timezone = str(user.get("tz") or "UTC")
    enterprise: Json = user.get("enterprise_user") or {}
    ours = team_id in (user.get("team_id"), *enterprise.get("teams", ()))
    outside = ("deleted", "is_bot", "is_restricted", "is_ultra_restricted", "is_stranger")
    if not ours or any(user.get(kind) for kind in outside):
        return Person(frozenset(), timezone)
    words = {"workspace", f"slack:{user['id']}"}
    profile: Json = user.get("profile") or {}
    if address := profile.get("email"):
        words.add(f"mail:{str(address).lower()}")
    runs_it = any(user.get(role) for role in ("is_admin", "is_owner", "is_primary_owner"))
    return Person(frozenset(words), timezone, runs_it)


def room_from(channel: Json, channel_id: str) -> Room:
    """A conversation from what Slack says of it; what is not clearly public is private."""
    own = f"slack:{channel_id}"
    if channel.get("is_im"):
        return Room(Place.DIRECT, frozenset())
    if channel.get("is_mpim"):
        return Room(Place.GROUP, frozenset({own}))
    shared = any(channel.get(kind) for kind in ("is_ext_shared", "is_pending_ext_shared"))
    public = channel.get("is_channel") and channel.get("is_private") is False and not shared
    return Room(Place.CHANNEL, frozenset({own, "workspace"} if public else {own}))


def refused_lookup(error: SlackApiError, what: str, scope: str) -> FootnoteError:
    """A sentence for the asker, with what an admin has to do."""
    code = error_code(error)
    hint = "Please ask again in a few minutes."
    if is_passing(error):
        return ServiceUnreachable(
            f"Slack did not answer when I looked up {what} ({code}).", hint=hint
        )
    if code in ("missing_scope", "not_allowed_token_type", "no_permission"):
        hint = f"An admin has to give the app the scope {scope} and install it anew."
    return FootnoteError(f"Slack does not let me look up {what} ({code}).", hint=hint)


class _Remembered(Generic[T]):
    """Answers of look-ups, kept for a while; failures are not kept."""

    def __init__(self, ask: Callable[[str], Awaitable[T]], clock: Clock) -> None:
        self._ask = ask
        self._clock = clock
        self._known: dict[str, tuple[datetime, T]] = {}

    async def get(self, key: str) -> T:
        """The answer, from memory where it is fresh enough."""
        now = self._clock.now()
        if (known := self._known.get(key)) and now - known[0] < REMEMBERED:
            return known[1]
        answer = await self._ask(key)
        if len(self._known) >= _ENTRIES:
            self._known.clear()
        self._known[key] = (now, answer)
        return answer
