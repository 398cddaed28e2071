"""Templates and the files beside them, read once from the package."""

import hashlib
import mimetypes
from collections.abc import Iterable
from importlib.resources import files
from urllib.parse import quote

from aiohttp import web
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from bots.problem import Problem
from bots.web.pages.shown import Piece
from bots.web.pages.words import Words, page_language
from bots.web.problems import as_json

_FILES = ("footnote.css", "footnote.js", "icon.svg")
_LONG = "public, max-age=31536000, immutable"
_MARK = Markup("<mark>{}</mark>")


class StaticFiles:
    """The style sheet, the script and the icon; they hold nothing of the library."""

    def __init__(self) -> None:
        folder = files("bots.web.pages").joinpath("static")
        self._bodies = {name: folder.joinpath(name).read_bytes() for name in _FILES}

    def version(self, name: str) -> str:
        """Changes whenever the file does."""
        return hashlib.sha256(self._bodies[name]).hexdigest()[:12]

    async def serve(self, request: web.Request) -> web.Response:
        """One file; kept by browsers for as long as its version is the one asked for."""
        name = request.match_info["name"]
        if name not in self._bodies:
            raise web.HTTPNotFound
        current = request.query.get("v") == self.version(name)
        return web.Response(
            body=self._bodies[name],
            content_type=mimetypes.guess_type(name)[0] or "application/octet-stream",
            charset=None if name.endswith(".svg") else "utf-8",
            headers={"Cache-Control": _LONG if current else "no-cache"},
        )


class Renderer:
    """Fills templates; everything put in is escaped."""

    def __init__(self, static: StaticFiles) -> None:
        self._templates = Environment(
            loader=PackageLoader("bots.web.pages", "templates"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._templates.globals |= {"asset": static.version, "pieces": pieces_html}
        self._templates.filters |= {"fragment": fragment, "web_address": web_address}

    def html(self, template: str, request: web.Request, **values: object) -> str:
        """A page or a part of one, in the reader's language."""
        context = {"t": words_of(request), "root": root_of(request), "open": True, "here": ""}
        return self._templates.get_template(template).render(context | values)

    def page(
        self, template: str, request: web.Request, *, status: int = 200, **values: object
    ) -> web.Response:
        """A whole reply."""
        text = self.html(template, request, **values)
        return web.Response(text=text, status=status, content_type="text/html", charset="utf-8")

    def problem(self, request: web.Request, problem: Problem) -> web.Response:
        """A refusal: a page for people, `{error, hint}` for programs."""
        wants_html = "text/html" in request.headers.get("Accept", "")
        if not wants_html or request.path.startswith("/api/"):
            return as_json(request, problem)
        reply = self.page(
            "problem.html",
            request,
            status=problem.status,
            problem=problem,
            open=problem.status != 401,
        )
        reply.headers.update(problem.headers)
        return reply


def pieces_html(pieces: Iterable[Piece]) -> Markup:
    """Text with its quote in `<mark>`."""
    return Markup("").join(
        _MARK.format(piece.text) if piece.marked else escape(piece.text) for piece in pieces
    )


def fragment(path: str) -> str:
    """A section path behind the # of an address."""
    return quote(path, safe="/~")


def web_address(url: str) -> str:
    """The address, if it is one of the web; a drive's may be anything, also a script."""
    return url if url.lower().startswith(("https://", "http://")) else ""


def words_of(request: web.Request) -> Words:
    """The phrases in the language the reader prefers."""
    accepted = request.headers.get("Accept-Language", "")
    return Words(page_language(accepted, request.query.get("lang", "")))


def root_of(request: web.Request) -> str:
    """What leads from a page to the listener's root, so that a proxy may add a prefix."""
    return "../" * max(request.path.count("/") - 1, 0)
