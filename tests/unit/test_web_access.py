"""Who is answered on the private listener, with and without a token."""

from dataclasses import replace

import pytest

from bots.web.access import Access, Caller, access, is_loopback

DIRECT = Caller("127.0.0.1", ("localhost:3979",))
TOKEN = "a-long-token"


def with_headers(*names: str) -> Caller:
    return replace(DIRECT, header_names=frozenset(names))


@pytest.mark.parametrize(
    "caller",
    [
        pytest.param(DIRECT, id="localhost"),
        pytest.param(replace(DIRECT, hosts=("127.0.0.1:3979",)), id="127.0.0.1"),
        pytest.param(replace(DIRECT, peer="::1", hosts=("[::1]:3979",)), id="IPv6"),
        pytest.param(replace(DIRECT, hosts=("LOCALHOST",)), id="capitals, no port"),
        pytest.param(replace(DIRECT, peer="::ffff:127.0.0.1"), id="IPv4 inside IPv6"),
        pytest.param(replace(DIRECT, hosts=("localhost:8000",)), id="another port, as over SSH"),
        pytest.param(replace(DIRECT, origins=("http://localhost:3979",)), id="its own page"),
    ],
)
def test_a_direct_request_of_this_machine_needs_no_token(caller: Caller) -> None:
    assert access(caller, None) is Access.OPEN


@pytest.mark.parametrize(
    "caller",
    [
        pytest.param(replace(DIRECT, peer="192.0.2.7"), id="a peer from elsewhere"),
        pytest.param(replace(DIRECT, peer=""), id="a peer without an address"),
        pytest.param(replace(DIRECT, hosts=("docs.example",)), id="a name that points here"),
        pytest.param(
            replace(DIRECT, hosts=("localhost.evil.example",)), id="a name that begins so"
        ),
        pytest.param(replace(DIRECT, hosts=("127.0.0.1.nip.example",)), id="an address in a name"),
        pytest.param(replace(DIRECT, hosts=("127.0.0.2",)), id="another loopback address"),
        pytest.param(replace(DIRECT, hosts=("localhost:1:2",)), id="a Host that is no host"),
        pytest.param(replace(DIRECT, hosts=()), id="no Host"),
        pytest.param(replace(DIRECT, hosts=("localhost", "docs.example")), id="two Hosts"),
        pytest.param(replace(DIRECT, origins=("https://evil.example",)), id="another site's page"),
        pytest.param(replace(DIRECT, origins=("null",)), id="a page without an origin"),
        pytest.param(replace(DIRECT, origins=("https://localhost:3979",)), id="another scheme"),
        pytest.param(replace(DIRECT, origins=("http://localhost:9000",)), id="another port's page"),
        pytest.param(replace(DIRECT, origins=("http://127.0.0.1:3979",)), id="another name's page"),
        pytest.param(with_headers("forwarded"), id="Forwarded"),
        pytest.param(with_headers("x-forwarded-for"), id="X-Forwarded-For"),
        pytest.param(with_headers("x-forwarded-proto"), id="X-Forwarded-Proto"),
        pytest.param(with_headers("x-forwarded-anything"), id="any X-Forwarded-"),
        pytest.param(with_headers("x-real-ip"), id="X-Real-IP"),
        pytest.param(with_headers("via"), id="Via"),
        pytest.param(replace(DIRECT, modern=False), id="HTTP/1.0, as a plain nginx speaks"),
    ],
)
def test_anything_else_needs_one(caller: Caller) -> None:
    assert access(caller, None) is Access.REFUSED
    assert access(caller, TOKEN) is Access.REFUSED
    assert access(replace(caller, authorizations=(f"Bearer {TOKEN}",)), TOKEN) is Access.OPEN


@pytest.mark.parametrize(
    "authorizations",
    [
        pytest.param(("Bearer another",), id="another token"),
        pytest.param((f"Bearer {TOKEN}x",), id="a longer one"),
        pytest.param((TOKEN,), id="no scheme"),
        pytest.param((f"Basic {TOKEN}",), id="another scheme"),
        pytest.param(("Bearer ",), id="an empty one"),
        pytest.param(("Bearer \udcff",), id="bytes that are no text"),
        pytest.param((f"Bearer {TOKEN}", "Bearer x"), id="two of them"),
    ],
)
def test_a_wrong_token_is_refused_even_from_this_machine(authorizations: tuple[str, ...]) -> None:
    assert access(replace(DIRECT, authorizations=authorizations), TOKEN) is Access.REFUSED


def test_without_a_configured_token_none_is_right() -> None:
    for given in ("Bearer ", "Bearer None", "Bearer x"):
        assert access(replace(DIRECT, authorizations=(given,)), None) is Access.REFUSED


@pytest.mark.parametrize("address", ["::1%lo", "127.8.9.10", "::ffff:127.0.0.1"])
def test_loopback_addresses_are_known(address: str) -> None:
    assert is_loopback(address)


@pytest.mark.parametrize("address", ["", "localhost", "10.0.0.1", "::ffff:10.0.0.1", "fe80::1%lo"])
def test_other_addresses_are_not(address: str) -> None:
    assert not is_loopback(address)
