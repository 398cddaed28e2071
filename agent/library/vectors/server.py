"""JSON questions to a model server of search: its errors become sentences, its slowness ends.

Addresses and keys are those of the language model's servers, Azure's included.
"""

import asyncio
import random
from collections.abc import Mapping
from importlib import import_module
from time import monotonic
from typing import TYPE_CHECKING, Any

from agent.cores.addresses import address_of
from agent.errors import ConfigError, ServiceUnreachable
from config.settings import EmbedderSettings, RerankerSettings

if TYPE_CHECKING:
    import httpx2

_TRIES = 3
_FIRST_WAIT_S = 0.2
_MAY_PASS = (408, 409, 429, 500, 502, 503, 504)


class ModelServer:
    """One server, asked by POST."""

    def __init__(self, group: str, settings: EmbedderSettings | RerankerSettings) -> None:
        """Nothing is opened before the first call.

        Args:
            group: `embedder` or `reranker`, the settings it is told of in errors.
            settings: which server and model.

        Raises:
            ConfigError: the address is none, or no model is named.
        """
        try:
            self._address = address_of(settings.base_url)
        except ConfigError as error:
            raise ConfigError(
                f"{group}.base_url {settings.base_url!r} is no address.",
                hint=f"Write it as https://host/v1 (FOOTNOTE_{group.upper()}__BASE_URL).",
            ) from error
        self.model = settings.name or self._address.deployment
        if not self.model:
            raise ConfigError(
                f"{group}.name is not set.", hint=f"Set FOOTNOTE_{group.upper()}__NAME."
            )
        self._group = group
        self._settings = settings
        self._client: httpx2.AsyncClient | None = None

    @property
    def base(self) -> str:
        """The address it asks."""
        return self._address.base

    async def post(self, path: str, body: Mapping[str, Any]) -> Any:
        """The answer's JSON; what may pass is tried again within the call's time.

        Raises:
            ServiceUnreachable: it does not answer, or turns us away.
        """
        await asyncio.to_thread(import_module, "httpx2")  # takes a second the first time
        limit = monotonic() + self._settings.timeout_s
        for tried in range(1, _TRIES + 1):
            try:
                async with asyncio.timeout(max(0.0, limit - monotonic())):
                    return await self._once(path, body)
            except TimeoutError:
                raise self._told(f"did not answer within {self._settings.timeout_s:g} s") from None
            except _Passing as passing:
                wait = _FIRST_WAIT_S * 2 ** (tried - 1) * random.uniform(0.5, 1.0)
                if tried == _TRIES or monotonic() + wait >= limit:
                    raise passing.told from passing
                await asyncio.sleep(wait)
        raise AssertionError("unreachable")

    async def close(self) -> None:
        """Close the connections; a later call opens new ones."""
        client, self._client = self._client, None
        if client is not None:
            await client.aclose()

    def unusable(self) -> ServiceUnreachable:
        """What to say where the answer is not of the agreed form."""
        return self._told("answered something else than was asked for")

    async def _once(self, path: str, body: Mapping[str, Any]) -> Any:
        import httpx2

        if self._client is None:
            limit = self._settings.timeout_s
            self._client = httpx2.AsyncClient(headers=self._headers(), timeout=limit)
        try:
            answered = await self._client.post(self._url(path), json=dict(body))
        except httpx2.HTTPError as error:
            raise _Passing(self._told("cannot be reached")) from error
        if answered.status_code >= 400:
            told = self._told(_status_words(answered.status_code))
            raise _Passing(told) if answered.status_code in _MAY_PASS else told
        try:
            return answered.json()
        except ValueError as error:
            raise self.unusable() from error

    def _url(self, path: str) -> str:
        address = self._address
        if not address.api_version:
            return address.base.rstrip("/") + path
        place = f"/openai/deployments/{self.model}{path}?api-version={address.api_version}"
        return address.base.rstrip("/") + place

    def _headers(self) -> dict[str, str]:
        key = self._settings.api_key
        if key is None:
            return {}
        secret = key.get_secret_value()
        azure = {"api-key": secret} if self._address.api_version else {}
        return {"Authorization": f"Bearer {secret}"} | azure

    def _told(self, what: str) -> ServiceUnreachable:
        return ServiceUnreachable(
            f"The {self._group} at {self._address.shown} {what}.",
            hint=f"Check [{self._group}] in the settings, and that the server runs.",
        )


class _Passing(Exception):  # noqa: N818 - it never leaves this module
    """What a later try may not meet."""

    def __init__(self, told: ServiceUnreachable) -> None:
        self.told = told
        super().__init__(told.problem)


def _status_words(status: int) -> str:
    match status:
        case 401 | 403:
            return "refuses the key"
        case 404:
            return "knows no such model or path"
        case 429:
            return "has no room for more calls now"
        case _:
            return f"failed ({status})"
