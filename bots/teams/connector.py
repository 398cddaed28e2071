"""What we ask of Teams' connector; `framework.Framework` keeps it, tests and successors too."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from bots.teams.activity import Address


class Connector(Protocol):
    """Writes into conversations and says who is in them.

    Every method raises `ConnectorRefused` where Teams says no and `ConnectorUnreachable` where
    it says nothing. Activities are plain JSON as Teams documents it.
    """

    async def send(self, address: Address, activity: Mapping[str, Any]) -> str:
        """Post an activity; gives back its id, empty where Teams names none."""
        ...

    async def update(self, address: Address, activity_id: str, activity: Mapping[str, Any]) -> None:
        """Replace an activity of ours."""
        ...

    async def delete(self, address: Address, activity_id: str) -> None:
        """Take back an activity of ours."""
        ...

    async def member(self, address: Address) -> Mapping[str, Any]:
        """The asker as the conversation's roster knows him, `userRole`, `tenantId`, `email`, …"""
        ...

    async def members(self, address: Address) -> Sequence[Mapping[str, Any]]:
        """Everybody in the conversation, in the same words; at most some thousands."""
        ...

    async def open_personal(self, address: Address) -> str:
        """The id of the personal chat with the asker, opened if need be."""
        ...
