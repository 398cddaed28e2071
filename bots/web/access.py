"""Who is answered on the private listener.

A request without a token must come straight from this machine: a loopback peer, a loopback Host,
no sign of a proxy and no foreign Origin. A proxy on the same machine is a loopback peer as well,
so everything that proxies add to a request counts against it. Pages of other sites are kept out
by Origin, and names that point at this machine (DNS rebinding) by Host.
"""

import hmac
import ipaddress
import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from aiohttp import HttpVersion11, web

_LOOPBACK_HOST = re.compile(
    r"(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?", re.ASCII | re.IGNORECASE
)
_PROXY_HEADERS = frozenset(
    {"forwarded", "via", "x-real-ip", "x-client-ip", "x-cluster-client-ip", "x-original-host"}
    | {"true-client-ip", "cf-connecting-ip", "fastly-client-ip", "x-envoy-external-address"}
)
_PROXY_PREFIX = "x-forwarded"
_BEARER = "bearer "


class Access(StrEnum):
    """What a request may see."""

    OPEN = "open"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Caller:
    """What is known of who sends a request.

    Attributes:
        peer: address of the other end of the connection; empty for a Unix socket.
        hosts: every Host header, as sent.
        origins: every Origin header, as sent.
        authorizations: every Authorization header, as sent.
        header_names: names of all headers, in small letters.
        modern: HTTP/1.1; plain nginx speaks 1.0 to what is behind it and adds no header at all.
    """

    peer: str
    hosts: tuple[str, ...]
    origins: tuple[str, ...] = ()
    authorizations: tuple[str, ...] = ()
    header_names: frozenset[str] = frozenset()
    modern: bool = True

    @classmethod
    def of(cls, request: web.BaseRequest) -> Self:
        """What the connection and its headers say."""
        peer = request.transport.get_extra_info("peername") if request.transport else None
        headers = request.headers
        return cls(
            peer=str(peer[0]) if isinstance(peer, tuple) else "",
            hosts=tuple(headers.getall("Host", ())),
            origins=tuple(headers.getall("Origin", ())),
            authorizations=tuple(headers.getall("Authorization", ())),
            header_names=frozenset(name.lower() for name in headers),
            modern=request.version >= HttpVersion11,
        )


def access(caller: Caller, token: str | None) -> Access:
    """Whether the caller is answered.

    Args:
        caller: who sends the request.
        token: the configured token; None: no request can present one.

    Returns:
        `OPEN` for the right token, or for a direct request of this machine that presents none.
        A wrong token is refused from everywhere.
    """
    if caller.authorizations:
        return Access.OPEN if _presents(caller.authorizations, token) else Access.REFUSED
    return Access.OPEN if is_direct(caller) else Access.REFUSED


def is_direct(caller: Caller) -> bool:
    """Whether the request comes from this machine itself, with nothing in between."""
    return (
        is_loopback(caller.peer)
        and caller.modern
        and len(caller.hosts) == 1
        and _LOOPBACK_HOST.fullmatch(caller.hosts[0]) is not None
        and all(_same_site(origin, caller.hosts[0]) for origin in caller.origins)
        and not _came_through_a_proxy(caller.header_names)
    )


def is_loopback(address: str) -> bool:
    """Whether an IP address is this machine, also as IPv4 inside IPv6."""
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    mapped = ip.ipv4_mapped if isinstance(ip, ipaddress.IPv6Address) else None
    return (mapped or ip).is_loopback


def _same_site(origin: str, host: str) -> bool:
    return origin.lower() == f"http://{host.lower()}"


def _came_through_a_proxy(names: frozenset[str]) -> bool:
    return bool(names & _PROXY_HEADERS) or any(name.startswith(_PROXY_PREFIX) for name in names)


def _presents(authorizations: tuple[str, ...], token: str | None) -> bool:
    if not token or len(authorizations) != 1:
        return False
    scheme, given = authorizations[0][: len(_BEARER)], authorizations[0][len(_BEARER) :]
    right = hmac.compare_digest(
        given.strip().encode("utf-8", "surrogateescape"), token.encode("utf-8", "surrogateescape")
    )
    return scheme.lower() == _BEARER and right
