"""Behind a reverse proxy on the same machine nobody is let in without the token.

The proxies are real processes that connect from loopback: nginx where it is installed, and a small
one of ours that adds what Caddy, Traefik and Varnish add.
"""

import asyncio
import os
import shutil
import socket
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import pytest

from agent.domain import WORKSPACE, DocId
from bots.links import Place, SourceLinks, digest_of
from tests.web_house import PARENTAL, SECRET, House, open_house, private_app, served

NGINX = shutil.which("nginx")
TOKEN = "a-long-token"
BEARER = {"Authorization": f"Bearer {TOKEN}"}
PATHS = ("/", "/map", "/gaps", "/readyz", "/metrics", "/source/0000000000000000", "/nothing")

HEADERS = {
    "nothing added": "",
    "as documented": """
        proxy_set_header Host $host;
        proxy_set_header X-Real-IP $remote_addr;
        proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
        proxy_set_header X-Forwarded-Proto $scheme;
        proxy_http_version 1.1;
    """,
    "address only": "proxy_set_header X-Real-IP $remote_addr; proxy_http_version 1.1;",
    "host only": "proxy_set_header Host docs.example; proxy_http_version 1.1;",
}


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    opened = open_house(tmp_path)
    yield opened
    opened.store.close()


@asynccontextmanager
async def nginx(upstream: str, headers: str, folder: Path) -> AsyncIterator[str]:
    """nginx in front of an address, with everything it writes in a folder."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    # Started by root its worker becomes another user, who may not enter the folder.
    user = "user root;" if os.getuid() == 0 else ""
    temporary = "".join(
        f"{kind}_temp_path {folder}/{kind};"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    config = folder / "nginx.conf"
    config.write_text(
        f"{user} daemon off; pid {folder}/pid; error_log {folder}/error.log; "
        f"events {{}} http {{ access_log off; {temporary} server {{ listen 127.0.0.1:{port}; "
        f"location / {{ proxy_pass {upstream}; {headers} }} }} }}"
    )
    assert NGINX is not None
    process = await asyncio.create_subprocess_exec(
        *(NGINX, "-p", str(folder), "-e", str(folder / "error.log"), "-c", str(config))
    )
    try:
        await _listens(port)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        await process.wait()


async def _listens(port: int) -> None:
    async with asyncio.timeout(30):
        for _ in iter(int, 1):
            try:
                _, writer = await asyncio.open_connection("127.0.0.1", port)
            except ConnectionRefusedError:
                await asyncio.sleep(0.05)
            else:
                writer.close()
                await writer.wait_closed()
                return


@asynccontextmanager
async def small_proxy(upstream: str, mode: str) -> AsyncIterator[str]:
    """Our own proxy in front of an address."""
    script = Path(__file__).with_name("small_proxy.py")
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, str(script), upstream, mode), stdout=asyncio.subprocess.PIPE
    )
    try:
        assert process.stdout is not None
        async with asyncio.timeout(60):
            yield (await process.stdout.readline()).decode().strip()
    finally:
        process.terminate()
        await process.wait()


@pytest.fixture(params=[*HEADERS, "forwarded", "standard", "via"])
async def proxy(request: pytest.FixtureRequest, house: House, tmp_path: Path) -> AsyncIterator[str]:
    """Each proxy in turn, in front of a private listener with a token."""
    mode: str = request.param
    async with served(private_app(house, TOKEN)) as upstream:
        if mode in HEADERS and NGINX is None:
            pytest.skip("nginx is not installed; the small proxy stands in for it")
        behind = (
            nginx(upstream, HEADERS[mode], tmp_path)
            if mode in HEADERS
            else small_proxy(upstream, mode)
        )
        async with behind as address:
            yield address


async def test_nobody_is_let_in_through_a_proxy_without_the_token(proxy: str, house: House) -> None:
    async with aiohttp.ClientSession() as http:
        for path in PATHS:
            reply = await http.get(proxy + path)
            assert reply.status == 401, path
            assert set(await reply.json()) == {"error", "hint"}
        asked = await http.post(f"{proxy}/api/ask", json={"question": "parental"})

    assert asked.status == 401
    assert house.answerer.asked == []


async def test_the_token_opens_everything_through_a_proxy(proxy: str) -> None:
    async with aiohttp.ClientSession(headers=BEARER) as http:
        assert (await http.get(f"{proxy}/map")).status == 200
        asked = await http.post(f"{proxy}/api/ask", json={"question": "parental"})

        assert (await asked.json())["citations"][0]["quote"] == PARENTAL


async def test_a_signed_link_opens_through_a_proxy(proxy: str, house: House) -> None:
    (entry,) = [
        each
        for each in await house.library.read_document_map(WORKSPACE)
        if each.document.doc == "people-handbook.md"
    ]
    place = Place(
        DocId(entry.document.doc_id),
        next(line.path for line in entry.outline if line.path.endswith("parental-leave")),
        0,
        len(PARENTAL),
        digest_of(PARENTAL),
    )
    async with aiohttp.ClientSession() as http:
        reply = await http.get(SourceLinks(SECRET, proxy).signed(place))

        assert reply.status == 200
        assert f"<mark>{PARENTAL}</mark>" in await reply.text()


async def test_without_a_proxy_the_same_listener_answers(house: House) -> None:
    async with served(private_app(house, TOKEN)) as url, aiohttp.ClientSession() as http:
        assert (await http.get(f"{url}/map")).status == 200
