"""What the SDK leaves undone, done.

- An entity loses all its keys but `type` when it is sent: no citations, no label, no streaming.
- Signing keys are fetched without a time limit, and a key that is new within a day is refused.
- Connections, and with them access tokens, are thrown away after every call.
- An error page in HTML hides its status behind a broken parse.
"""

import asyncio
import json
import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import msal  # type: ignore[import-untyped] # ships no types
import requests
from botbuilder.integration.aiohttp import ConfigurationBotFrameworkAuthentication
from botbuilder.schema import Activity, Entity
from botframework.connector.aio import ConnectorClient
from botframework.connector.auth import (
    AuthenticateRequestResult,
    ClaimsIdentity,
    ConnectorFactory,
    JwtTokenExtractor,
)
from jwt.algorithms import RSAAlgorithm
from urllib3.exceptions import NewConnectionError

from bots.teams.connector import ConnectorRefused, ConnectorUnreachable

logger = logging.getLogger(__name__)

_CONNECT_S = 10.0
_READ_S = 20.0
_REFRESH_S = 12 * 3600.0
_VALID_S = 24 * 3600.0
_UNKNOWN_KEY_S = 300.0
_PAUSE_S = 10.0
_REASON_CHARS = 300


class WholeEntity(Entity):
    """An entity that is sent with all its keys."""

    _attribute_map = {  # noqa: RUF012 - the SDK's serializer reads it from the class
        **Entity._attribute_map,
        "additional_properties": {"key": "", "type": "{object}"},
    }


def to_activity(plain: Mapping[str, Any]) -> Activity:
    """An activity of the SDK from plain JSON."""
    entities = [_entity(each) for each in plain.get("entities", ())]
    rest = {key: value for key, value in plain.items() if key != "entities"}
    activity: Activity = Activity.deserialize(rest)  # type: ignore[no-untyped-call]
    activity.entities = entities or None
    return activity


def _entity(plain: Mapping[str, Any]) -> WholeEntity:
    entity = WholeEntity(type=plain["type"])
    entity.additional_properties = {key: plain[key] for key in plain if key != "type"}
    return entity


@dataclass(frozen=True, slots=True)
class _Key:
    """What the SDK's token check asks of a key."""

    public_key: Any
    endorsements: list[str]


class SigningKeys:
    """The keys with which the channel signs, in the place where the SDK looks for them.

    They are fetched anew every 12 hours, used for at most 24, and asked for again when a token
    names an unknown one, but never more than once in 5 minutes for that reason.
    """

    def __init__(self, url: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._url = url
        self._clock = clock
        self._keys: dict[str, Mapping[str, Any]] = {}
        self._fetched_at = self._tried_at = float("-inf")
        self._refreshing = asyncio.Lock()

    @classmethod
    def install(cls, url: str) -> "SigningKeys":
        """Put keys for this address into the SDK's cache, in place of its own."""
        keys = cls(url)
        JwtTokenExtractor.metadataCache[url] = keys
        return keys

    async def get(self, key_id: str | None) -> _Key:
        """The key of that id, as the SDK's token check asks for it.

        Raises:
            PermissionError: there is none.
            OSError: the keys cannot be fetched, and those at hand are too old.
        """
        due_s = _REFRESH_S if key_id in self._keys else _UNKNOWN_KEY_S
        if self._clock() - self._fetched_at > due_s:
            await self._try_to_refresh()
        known = self._keys.get(key_id or "")
        if known is None:
            raise PermissionError("the token is signed with an unknown key")
        return _Key(RSAAlgorithm.from_jwk(json.dumps(known)), list(known.get("endorsements", ())))

    async def refresh(self) -> None:
        """Fetch the keys; raises OSError where they cannot be had, or not be read."""
        async with self._refreshing:
            if self._clock() - self._tried_at < _PAUSE_S:
                return
            self._tried_at = self._clock()
            self._keys = await asyncio.get_running_loop().run_in_executor(None, self._fetch)
            self._fetched_at = self._clock()

    async def _try_to_refresh(self) -> None:
        try:
            await self.refresh()
        except OSError:
            if self._clock() - self._fetched_at > _VALID_S:
                raise
            logger.warning("teams: signing keys cannot be refreshed; using those at hand")

    def _fetch(self) -> dict[str, Mapping[str, Any]]:
        try:
            listed = _json_at(_json_at(self._url)["jwks_uri"])["keys"]
            return {str(key["kid"]): key for key in listed}
        except (ValueError, LookupError, TypeError) as error:
            raise OSError(f"no list of keys stands at {self._url}") from error


def _json_at(url: str) -> Any:
    response = requests.get(url, timeout=(_CONNECT_S, _READ_S))
    response.raise_for_status()
    return response.json()


class Authentication(ConfigurationBotFrameworkAuthentication):
    """The SDK's, with connections that are kept and refusals that say their status."""

    def __init__(self, configuration: Any) -> None:
        super().__init__(configuration)
        self._factory: _KeptConnectors | None = None

    async def authenticate_request(
        self, activity: Activity, auth_header: str
    ) -> AuthenticateRequestResult:
        """Check a request; the way back goes through the kept connections."""
        result = await super().authenticate_request(activity, auth_header)
        result.connector_factory = self.create_connector_factory(result.claims_identity)
        return result

    def create_connector_factory(self, claims_identity: ClaimsIdentity) -> ConnectorFactory:
        """One factory for all: there is one bot."""
        if self._factory is None:
            self._factory = _KeptConnectors(super().create_connector_factory(claims_identity))
        return self._factory

    async def create_user_token_client(self, claims_identity: ClaimsIdentity) -> Any:
        """None: nobody is ever signed in."""

    async def close(self) -> None:
        """Close every kept connection."""
        if self._factory is not None:
            await self._factory.close()


class _KeptConnectors(ConnectorFactory):
    """One connector a service, whose token is fetched outside the event loop."""

    def __init__(self, inner: ConnectorFactory) -> None:
        self._inner = inner
        self._kept: dict[str, ConnectorClient] = {}

    async def create(self, service_url: str, audience: str = "") -> ConnectorClient:
        """The connector of a service with a token that is still good."""
        if service_url not in self._kept:
            connector = await self._inner.create(service_url, audience)
            settings: Any = connector.config
            settings.retry_policy.retries = 0  # `connector.patiently` knows when to try again
            settings.connection.timeout = (_CONNECT_S, _READ_S)
            settings.hooks.append(_say_status)
            self._kept[service_url] = connector
        connector = self._kept[service_url]
        credentials: Any = connector.config.credentials
        if credentials.microsoft_app_id:
            await asyncio.get_running_loop().run_in_executor(None, _fetch_token, credentials)
        return connector

    async def close(self) -> None:
        for connector in self._kept.values():
            await connector.__aexit__(None, None, None)  # type: ignore[no-untyped-call]


def _fetch_token(credentials: Any) -> None:
    """Fill the credentials' own cache; their later, blocking call then finds it."""
    try:
        if credentials.app is None:
            credentials.app = msal.ConfidentialClientApplication(
                client_id=credentials.microsoft_app_id,
                client_credential=credentials.microsoft_app_password,
                authority=credentials.oauth_endpoint,
                timeout=_READ_S,
            )
        credentials.get_access_token()
    except PermissionError as error:
        raise ConnectorRefused(401, str(error)[:_REASON_CHARS]) from error
    except (OSError, ValueError) as error:
        raise ConnectorUnreachable(f"no token: {error}", arrived=False) from error


def _say_status(response: requests.Response, *_: object, **__: object) -> None:
    if response.status_code < 400:
        return
    wait = response.headers.get("Retry-After", "")
    raise ConnectorRefused(
        response.status_code,
        response.text[:_REASON_CHARS],
        float(wait) if wait.isdigit() else None,
    )


def may_have_arrived(error: Exception) -> bool:
    """Whether a failed call may have reached Teams: not if no connection was ever made."""
    said = getattr(error, "inner_exception", None)  # of an odd reply it is no exception at all
    inner = next(each for each in (said, error.__cause__, error) if isinstance(each, Exception))
    if isinstance(inner, requests.exceptions.ConnectTimeout):
        return False
    reason = getattr(inner.args[0], "reason", None) if inner.args else None
    return not isinstance(reason, NewConnectionError)
