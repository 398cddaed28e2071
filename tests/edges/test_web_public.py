"""The public listener serves what chat platforms call, its health, and nothing else."""

import io

import aiohttp
import pytest
from aiohttp import web

from bots.web.public import BODY_BYTES, build_public
from tests.web_house import served


async def echo(request: web.Request) -> web.Response:
    return web.Response(body=await request.read())


async def broken(_request: web.Request) -> web.Response:
    raise ZeroDivisionError("a secret detail")


async def test_health_says_that_we_live_and_no_more() -> None:
    async with served(build_public()) as url, aiohttp.ClientSession() as http:
        reply = await http.get(f"{url}/healthz")

        assert reply.status == 200
        assert await reply.json() == {"status": "alive"}


async def test_handlers_are_served_where_they_are_given() -> None:
    async with served(build_public(teams=echo, slack=echo)) as url, aiohttp.ClientSession() as http:
        for path in ("/api/messages", "/slack/events"):
            assert await (await http.post(url + path, data=b"hi")).read() == b"hi"


@pytest.mark.parametrize(
    "path",
    ["/", "/api/ask", "/source/x", "/map", "/gaps", "/metrics", "/readyz", "/static/footnote.css"],
)
async def test_nothing_private_is_served(path: str) -> None:
    async with served(build_public(teams=echo, slack=echo)) as url, aiohttp.ClientSession() as http:
        reply = await http.get(url + path)

        assert reply.status == 404
        assert set(await reply.json()) == {"error", "hint"}


@pytest.mark.parametrize("path", ["/api/messages", "/slack/events"])
async def test_a_platform_that_is_not_set_up_has_no_address(path: str) -> None:
    async with served(build_public()) as url, aiohttp.ClientSession() as http:
        assert (await http.post(url + path)).status == 404


async def test_the_wrong_method_is_refused() -> None:
    async with served(build_public(teams=echo)) as url, aiohttp.ClientSession() as http:
        reply = await http.get(f"{url}/api/messages")

        assert reply.status == 405
        assert reply.headers["Allow"] == "POST"


async def test_a_body_beyond_the_cap_is_refused() -> None:
    async with served(build_public(teams=echo)) as url, aiohttp.ClientSession() as http:
        long = io.BytesIO(b"x" * (BODY_BYTES + 1))
        reply = await http.post(f"{url}/api/messages", data=long)

        assert reply.status == 413


async def test_a_fault_of_ours_tells_no_detail() -> None:
    async with served(build_public(teams=broken)) as url, aiohttp.ClientSession() as http:
        reply = await http.post(f"{url}/api/messages")

        assert reply.status == 500
        assert "secret" not in await reply.text()
