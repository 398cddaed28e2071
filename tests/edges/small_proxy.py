"""A reverse proxy of the usual kind, a process of its own: `small_proxy.py UPSTREAM MODE`.

It prints its address once it listens. Modes, by what well-known proxies do unless told otherwise:
`forwarded` adds X-Forwarded-For, -Proto and -Host and keeps Host (Caddy, Traefik);
`standard` adds Forwarded (RFC 7239); `via` adds Via alone (Varnish, Apache with ProxyVia).
"""

import asyncio
import sys

from aiohttp import ClientSession, web

_ADDED = {
    "forwarded": {
        "X-Forwarded-For": "192.0.2.7",
        "X-Forwarded-Proto": "https",
        "X-Forwarded-Host": "docs.example",
    },
    "standard": {"Forwarded": "for=192.0.2.7;proto=https;host=docs.example"},
    "via": {"Via": "1.1 proxy"},
}


async def main(upstream: str, mode: str) -> None:
    """Pass requests on until killed."""
    async with ClientSession(auto_decompress=False) as client:

        async def handle(request: web.Request) -> web.Response:
            headers = request.headers.copy()
            headers.update(_ADDED[mode])
            async with client.request(
                request.method,
                upstream + request.path_qs,
                headers=headers,
                data=await request.read(),
                allow_redirects=False,
            ) as reply:
                kind = {"Content-Type": reply.headers.get("Content-Type", "text/plain")}
                return web.Response(body=await reply.read(), status=reply.status, headers=kind)

        app = web.Application()
        app.router.add_route("*", "/{path:.*}", handle)
        runner = web.AppRunner(app)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        sys.stdout.write(f"http://127.0.0.1:{runner.addresses[0][1]}\n")
        sys.stdout.flush()
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2]))
