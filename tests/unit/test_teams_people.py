"""What those who see a reply may read, by what Teams' roster says of the asker."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from agent.errors import ServiceUnreachable
from bots.ports import Incoming
from bots.teams.connector import ConnectorRefused, ConnectorUnreachable
from bots.teams.people import Directory
from bots.teams.translate import to_incoming
from tests.chat_fakes import SwiftClock
from tests.teams_fakes import (
    ANN,
    CHANNEL,
    TEAM,
    TENANT,
    Activity,
    MemoryConnector,
    group,
    in_channel,
    personal,
)

MEMBER = {"id": "29:ann", "email": "Ann@Example.com", "userPrincipalName": "ann@example.com"}


class House:
    """A directory on a connector in memory."""

    def __init__(self, roster: dict[str, Any] | None = None, *, anonymous: bool = False) -> None:
        self.clock = SwiftClock()
        self.connector = MemoryConnector()
        self.connector.roster = MEMBER if roster is None else roster
        self.directory = Directory(self.connector, self.clock, anonymous=anonymous)

    async def complete(self, activity: dict[str, Any]) -> Incoming:
        return await self.directory.complete(to_incoming(activity))

    async def audiences(self, activity: dict[str, Any]) -> frozenset[str]:
        return (await self.complete(activity)).scope.audiences


async def test_a_personal_chat_has_its_askers_rights() -> None:
    incoming = await House().complete(personal())

    assert incoming.scope.audiences == {"workspace", f"teams:{ANN}", "mail:ann@example.com"}
    assert incoming.rights == incoming.scope.audiences


async def test_a_channel_has_its_own_rights_never_the_askers() -> None:
    incoming = await House().complete(in_channel())

    assert incoming.scope.audiences == {
        "workspace",
        f"teams:{CHANNEL}",
        f"teams:{TEAM}",
        "teams:team-object",
    }
    assert "mail:ann@example.com" in incoming.rights


async def test_a_group_chat_among_ourselves_reads_what_the_workspace_reads() -> None:
    assert await House().audiences(group()) == {"workspace", "teams:19:group@thread.v2"}


def private_channel() -> Activity:
    """A post in a private channel."""
    activity = in_channel()
    activity["channelData"]["channel"]["type"] = "private"
    return activity


@pytest.mark.parametrize("place", [group, private_channel])
@pytest.mark.parametrize("outsider", [{"userRole": "guest"}, {"tenantId": "another"}], ids=str)
async def test_where_others_read_along_only_what_names_the_place_is_said(
    place: Callable[[], Activity], outsider: dict[str, Any]
) -> None:
    house = House()
    house.connector.room.append(outsider)
    incoming = await house.complete(place())

    assert "workspace" not in incoming.scope.audiences
    assert incoming.conversation_key in incoming.scope.audiences
    assert "workspace" in incoming.rights


async def test_a_room_is_looked_at_every_ten_minutes() -> None:
    house = House()
    await house.complete(group())
    await house.complete(group())
    assert [call.verb for call in house.connector.calls] == ["member", "members"]

    await house.clock.sleep(601)
    await house.complete(group())
    assert [call.verb for call in house.connector.calls] == ["member", "members", "members"]


async def test_a_room_that_cannot_be_looked_into_counts_as_open_to_others() -> None:
    house = House()
    house.connector.fail("members", ConnectorRefused(403))

    assert await house.audiences(group()) == {"teams:19:group@thread.v2"}


async def test_a_standard_channel_is_not_looked_into() -> None:
    house = House()
    await house.complete(in_channel())

    assert [call.verb for call in house.connector.calls] == ["member"]


async def test_a_channel_shared_with_others_reads_only_what_names_it() -> None:
    activity = in_channel()
    activity["channelData"]["channel"]["type"] = "shared"

    assert await House().audiences(activity) == {f"teams:{CHANNEL}"}


@pytest.mark.parametrize("place", [personal, group, in_channel])
@pytest.mark.parametrize(
    "roster",
    [
        pytest.param({"userRole": "guest"}, id="guest"),
        pytest.param({"userRole": "anonymous"}, id="anonymous"),
        pytest.param({"tenantId": "another-tenant"}, id="another tenant"),
    ],
)
async def test_guests_and_strangers_read_nothing(
    place: Callable[[], dict[str, Any]], roster: dict[str, Any]
) -> None:
    incoming = await House(roster).complete(place())

    assert incoming.scope.audiences == frozenset()
    assert incoming.rights == frozenset()


async def test_whoever_has_no_account_reads_nothing() -> None:
    activity = personal() | {"from": {"id": "29:x", "name": "X"}}

    assert await House().audiences(activity) == frozenset()


async def test_on_this_machine_alone_an_account_is_not_asked_for() -> None:
    activity = personal() | {"from": {"id": "29:x", "name": "X"}}

    assert "workspace" in await House(anonymous=True).audiences(activity)


async def test_a_person_is_looked_up_once_an_hour() -> None:
    house = House()
    await house.complete(personal())
    await house.complete(in_channel())
    assert len(house.connector.calls) == 1

    await house.clock.sleep(3_601)
    await house.complete(personal())
    assert len(house.connector.calls) == 2


@pytest.mark.parametrize("status", [403, 404, 405, 501])
async def test_where_there_is_no_roster_the_token_vouches(status: int) -> None:
    house = House()
    house.connector.fail("member", ConnectorRefused(status))

    assert await house.audiences(personal()) == {"workspace", f"teams:{ANN}"}


@pytest.mark.parametrize(
    "trouble",
    [ConnectorRefused(503), ConnectorRefused(429), ConnectorUnreachable("silent", arrived=True)],
    ids=str,
)
async def test_a_passing_trouble_is_waited_out(trouble: Exception) -> None:
    house = House()
    house.connector.fail("member", trouble)

    assert "mail:ann@example.com" in await house.audiences(personal())


async def test_unknown_rights_are_no_rights() -> None:
    house = House()
    house.connector.fail("member", *[ConnectorRefused(503)] * 3)

    with pytest.raises(ServiceUnreachable, match="who reads along"):
        await house.complete(personal())


async def test_a_tenant_that_is_not_named_is_no_foreign_one() -> None:
    activity = personal()
    del activity["channelData"]
    activity["conversation"] = {"id": "a:ann", "conversationType": "personal"}

    assert "workspace" in await House({"tenantId": TENANT}).audiences(activity)


async def test_the_rest_of_the_message_stays_as_it_was() -> None:
    incoming = to_incoming(personal())
    completed = await House().directory.complete(incoming)

    assert replace(completed, scope=incoming.scope, rights=incoming.rights) == incoming
