"""The only way to and from Teams: Microsoft's botbuilder behind our own words.

Together with `fixes.py` this is all that knows the SDK, which is archived: whoever
replaces it writes these two files anew and keeps the methods of `Framework`. Incoming requests are
checked by the SDK; everything written goes through its adapter and a stored address, so that
nothing depends on the request that asked.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from types import SimpleNamespace
from typing import Any, TypeVar

from azure.core.exceptions import DeserializationError
from botbuilder.core import TurnContext
from botbuilder.integration.aiohttp import CloudAdapter
from botbuilder.schema import (
    Activity,
    ChannelAccount,
    ConversationAccount,
    ConversationParameters,
    ConversationReference,
)
from botframework.connector.auth import AuthenticationConstants
from msrest.exceptions import ClientException

from agent.errors import ConfigError
from bots.teams.activity import Address
from bots.teams.connector import ConnectorUnreachable, NotAuthentic
from bots.teams.sdk.fixes import (
    Authentication,
    SigningKeys,
    may_have_arrived,
    to_activity,
)
from bots.teams.sdk.own_loop import OwnLoop
from config.settings import TeamsSettings

logger = logging.getLogger(__name__)

_SERVICE_URL_CLAIM = "serviceurl"
_CHECK_S = 12.0
_CALL_S = 30.0
_PAGES = 10

T = TypeVar("T")


class Framework:
    """Checks what claims to come from Teams, and writes to Teams."""

    def __init__(self, settings: TeamsSettings) -> None:
        """Prepare everything without any I/O.

        Raises:
            ConfigError: an app id without its password.
        """
        if settings.app_id and settings.app_password is None:
            raise ConfigError(
                "teams.app_id is set, but teams.app_password is not.",
                hint="Set FOOTNOTE_TEAMS__APP_PASSWORD to the client secret of the registration.",
            )
        self._app_id = settings.app_id
        configuration = _configuration(settings)
        self._keys = SigningKeys.install(configuration.TO_BOT_FROM_CHANNEL_OPENID_METADATA_URL)
        self._authentication = Authentication(configuration)
        self._adapter = CloudAdapter(self._authentication)
        self._loop = OwnLoop("teams-sdk")

    async def warm_up(self) -> None:
        """Fetch the signing keys, so that the first message does not wait for them."""
        if not self._app_id:
            return
        try:
            await self._loop.run(self._keys.refresh())
        except OSError as error:
            logger.warning("teams: signing keys cannot be fetched yet: %s", error)

    async def check(self, header: str | None, channel_id: str, service_url: str) -> None:
        """Make sure that a request comes from Teams and names its own service.

        Args:
            header: the Authorization header; ignored without an app id.
            channel_id: the channel that the activity names; its key must be endorsed for it.
            service_url: where the activity says that replies go; the token must say the same.

        Raises:
            NotAuthentic: in every other case, whatever the SDK calls it.
        """
        if not self._app_id:
            return
        activity = Activity(channel_id=channel_id, service_url=service_url)
        try:
            async with asyncio.timeout(_CHECK_S):
                result = await self._loop.run(
                    self._authentication.authenticate_request(activity, header or "")
                )
            claims = result.claims_identity.claims
        except Exception as error:  # the SDK refuses with whatever came to hand
            raise NotAuthentic(f"{type(error).__name__}: {error}") from error
        if claims.get(_SERVICE_URL_CLAIM) != service_url:
            raise NotAuthentic("the token is for another service, or for none")

    async def send(self, address: Address, activity: Mapping[str, Any]) -> str:
        """Post an activity; gives back its id (may be empty). Raises as `_call`."""
        prepared = to_activity(activity)

        async def post(context: TurnContext) -> str:
            response = await context.send_activity(prepared)
            return str(response.id or "") if response else ""

        return await self._call(address, post)

    async def update(self, address: Address, activity_id: str, activity: Mapping[str, Any]) -> None:
        """Replace an activity of ours. Raises as `_call`."""
        prepared = to_activity(activity)
        prepared.id = activity_id

        async def replace(context: TurnContext) -> None:
            await context.update_activity(prepared)

        await self._call(address, replace)

    async def delete(self, address: Address, activity_id: str) -> None:
        """Take back an activity of ours. Raises as `_call`."""

        async def remove(context: TurnContext) -> None:
            await context.delete_activity(activity_id)

        await self._call(address, remove)

    async def member(self, address: Address) -> Mapping[str, Any]:
        """What Teams knows of the asker in this conversation. Raises as `_call`."""

        async def look_up(context: TurnContext) -> Mapping[str, Any]:
            connector: Any = context.turn_state[CloudAdapter.BOT_CONNECTOR_CLIENT_KEY]
            found = await connector.conversations.get_conversation_member(
                _without_thread(address), address.person_id
            )
            return _plain(_told(found))

        return await self._call(address, look_up)

    async def members(self, address: Address) -> Sequence[Mapping[str, Any]]:
        """Everybody in this conversation, at most 5,000. Raises as `_call`."""

        async def list_all(context: TurnContext) -> list[Mapping[str, Any]]:
            connector: Any = context.turn_state[CloudAdapter.BOT_CONNECTOR_CLIENT_KEY]
            found: list[Mapping[str, Any]] = []
            token = None
            for _ in range(_PAGES):
                page = await connector.conversations.get_conversation_paged_members(
                    _without_thread(address), page_size=500, continuation_token=token
                )
                found += [_plain(each) for each in _told(page).members or ()]
                token = page.continuation_token
                if not token:
                    break
            return found

        return await self._call(address, list_all)

    async def open_personal(self, address: Address) -> str:
        """The id of the personal chat with the asker, opened if need be. Raises as `_call`."""
        opened: list[str] = []

        async def note(context: TurnContext) -> None:
            opened.append(str(context.activity.conversation.id))

        parameters = ConversationParameters(
            is_group=False,
            bot=ChannelAccount(id=address.bot_id, name=address.bot_name),
            members=[ChannelAccount(id=address.person_id, name=address.person_name)],
            tenant_id=address.tenant_id or None,
            channel_data={"tenant": {"id": address.tenant_id}},
        )
        await self._guarded(
            self._adapter.create_conversation(
                self._app_id, note, parameters, address.channel_id, address.service_url
            )
        )
        return opened[0] if opened else ""

    async def close(self) -> None:
        """Give back connections and the thread."""
        await self._loop.run(self._authentication.close())
        await self._loop.close()

    async def _call(self, address: Address, work: Callable[[TurnContext], Awaitable[T]]) -> T:
        """Do something in a conversation.

        Raises:
            ConnectorRefused: Teams said no.
            ConnectorUnreachable: it said nothing, or nothing that can be read.
        """
        results: list[T] = []

        async def turn(context: TurnContext) -> None:
            context.activity.id = address.activity_id or None
            results.append(await work(context))

        await self._guarded(
            self._adapter.continue_conversation(_reference(address), turn, self._app_id)
        )
        return results[0]

    async def _guarded(self, call: Coroutine[Any, Any, Any]) -> None:
        try:
            async with asyncio.timeout(_CALL_S):
                await self._loop.run(call)
        except (ClientException, DeserializationError, TimeoutError, OSError) as error:
            raise ConnectorUnreachable(
                f"{type(error).__name__}: {error}", arrived=may_have_arrived(error)
            ) from error


def _without_thread(address: Address) -> str:
    return address.conversation_id.partition(";")[0]


def _told(reply: Any) -> Any:
    """A reply's content; one without any is none that can be read."""
    if reply is None:
        raise ConnectorUnreachable("the reply is empty", arrived=True)
    return reply


def _plain(account: Any) -> Mapping[str, Any]:
    return {"id": account.id, **(account.additional_properties or {})}


def _reference(address: Address) -> ConversationReference:
    return ConversationReference(
        service_url=address.service_url,
        channel_id=address.channel_id,
        bot=ChannelAccount(id=address.bot_id, name=address.bot_name),
        user=ChannelAccount(id=address.person_id, name=address.person_name),
        conversation=ConversationAccount(
            id=address.conversation_id,
            conversation_type=address.kind,
            is_group=address.kind != "personal",
            tenant_id=address.tenant_id or None,
        ),
    )


def _configuration(settings: TeamsSettings) -> SimpleNamespace:
    """The settings under the SDK's names; every value is given, so that tests take the same way."""
    tenant = settings.tenants[0] if settings.tenants else ""
    password = settings.app_password.get_secret_value() if settings.app_password else ""
    standard = AuthenticationConstants
    return SimpleNamespace(
        APP_ID=settings.app_id,
        APP_PASSWORD=password,
        APP_TYPE="SingleTenant" if tenant and settings.app_id else "MultiTenant",
        APP_TENANTID=tenant,
        TO_BOT_FROM_CHANNEL_TOKEN_ISSUER=settings.token_issuer
        or standard.TO_BOT_FROM_CHANNEL_TOKEN_ISSUER,
        TO_BOT_FROM_CHANNEL_OPENID_METADATA_URL=settings.openid_metadata_url
        or standard.TO_BOT_FROM_CHANNEL_OPENID_METADATA_URL,
        TO_CHANNEL_FROM_BOT_LOGIN_URL=settings.login_url
        or standard.TO_CHANNEL_FROM_BOT_LOGIN_URL_PREFIX,
        TO_CHANNEL_FROM_BOT_OAUTH_SCOPE=settings.oauth_scope
        or standard.TO_CHANNEL_FROM_BOT_OAUTH_SCOPE,
        TO_BOT_FROM_EMULATOR_OPENID_METADATA_URL=settings.openid_metadata_url
        or standard.TO_BOT_FROM_EMULATOR_OPENID_METADATA_URL,
        OAUTH_URL=standard.OAUTH_URL,
        CALLER_ID="",
        VALIDATE_AUTHORITY=not settings.login_url,
    )
