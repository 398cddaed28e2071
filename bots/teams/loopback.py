"""Whether something is this machine, for a bot without an app id.

Then nobody can be told from anybody, so that only who sits at the machine may write: no request
that came through a proxy or tunnel, none that a web page of another site made.
"""

import ipaddress

from aiohttp import web

_PROXY_HEADERS = frozenset(
    {"forwarded", "via", "x-real-ip", "x-client-ip", "x-original-host", "true-client-ip"}
)


def came_directly(request: web.Request) -> bool:
    """Whether a request was made on this machine, with nothing in between."""
    peer = request.transport.get_extra_info("peername") if request.transport else None
    names = {name.lower() for name in request.headers}
    return (
        isinstance(peer, tuple)
        and is_loopback(str(peer[0]))
        and is_loopback(_host_name(request.headers.get("Host", "")))
        and "origin" not in names
        and not names & _PROXY_HEADERS
        and not any(name.startswith("x-forwarded") for name in names)
    )


def is_loopback(host: str) -> bool:
    """Whether a host name or address is this machine."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def _host_name(header: str) -> str:
    name, colon, port = header.rpartition(":")
    return name if colon and port.isdigit() else header
