"""What the address of a model server says: whose it is, and how to speak to it.

Azure's addresses come in two kinds. `…/openai/v1` speaks like any other server. The older kind
names a deployment in the path and a version in the query; it is known by its host, or by an
`api-version` in the address.
"""

from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit

from agent.errors import ConfigError

VENDOR = "https://api.openai.com/v1"
_AZURE_HOSTS = (".openai.azure.com", ".cognitiveservices.azure.com", ".openai.azure.us")
_AZURE_VERSION = "2024-10-21"
_DEPLOYMENTS = "/deployments/"


@dataclass(frozen=True, slots=True)
class Address:
    """Where a model server is.

    Attributes:
        base: what requests are sent to; for Azure's older kind the part before `/openai`.
        api_version: of Azure's older kind; empty: the server speaks like any other.
        deployment: the model that the address itself names; may be empty.
    """

    base: str
    api_version: str = ""
    deployment: str = ""

    @property
    def shown(self) -> str:
        """The host, for people; never a key that stands in the address."""
        parts = urlsplit(self.base)
        return f"{parts.hostname}:{parts.port}" if parts.port else parts.hostname or self.base

    @property
    def length_word(self) -> str:
        """What it likely calls the most tokens of a reply."""
        return "max_completion_tokens" if self.base == VENDOR else "max_tokens"


def address_of(base_url: str) -> Address:
    """The address in `model.base_url`; empty means the vendor's own.

    Raises:
        ConfigError: it is no http address.
    """
    if not base_url:
        return Address(VENDOR)
    parts = urlsplit(base_url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ConfigError(
            f"model.base_url {base_url!r} is no address.",
            hint="Write it as https://host/v1 (FOOTNOTE_MODEL__BASE_URL).",
        )
    version = parse_qs(parts.query).get("api-version", [""])[0]
    azure = version or (parts.hostname.endswith(_AZURE_HOSTS) and "/openai/v1" not in parts.path)
    if not azure:
        return Address(base_url)
    before, _, rest = parts.path.partition("/openai")
    deployment = rest.partition(_DEPLOYMENTS)[2].partition("/")[0]
    base = f"{parts.scheme}://{parts.netloc}{before.rstrip('/')}"
    return Address(base, version or _AZURE_VERSION, deployment)
