"""Stand-ins for what helps the search beyond words."""

from collections.abc import Callable, Sequence
from typing import Any

from aiohttp import web

from agent.errors import ServiceUnreachable
from agent.ports import Vector

LEAVE = {"leave", "holiday", "days", "pause"}
HOTEL = {"hotel", "room", "night"}


def meaning_of(text: str) -> list[float]:
    """Three numbers: of leave, of hotels, of anything else."""
    words = text.lower().replace(">", " ").replace(".", " ").replace("?", " ").split()
    return [
        float(sum(word in LEAVE for word in words)),
        float(sum(word in HOTEL for word in words)),
        0.1,
    ]


class FakeEmbedder:
    """Knows two subjects; keeps what it was asked."""

    def __init__(self, name: str = "fake", *, outside: bool = False) -> None:
        self.name = name
        self.outside = outside
        self.down = False
        self.texts: list[str] = []
        self.questions: list[str] = []

    async def embed(self, texts: Sequence[str], *, asked: bool = False) -> Sequence[Vector]:
        if self.down:
            raise ServiceUnreachable("The embedder is down.")
        (self.questions if asked else self.texts).extend(texts)
        return [meaning_of(text) for text in texts]

    async def close(self) -> None:
        """Nothing is held."""


class FakeReranker:
    """Likes texts with `answer` in them."""

    def __init__(self, *, outside: bool = False) -> None:
        self.name = "fake"
        self.outside = outside
        self.down = False
        self.shown: list[str] = []

    async def rank(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        if self.down:
            raise ServiceUnreachable("The reranker is down.")
        self.shown.extend(texts)
        return [float(text.count("answer")) for text in texts]

    async def close(self) -> None:
        """Nothing is held."""


def embeddings(body: dict[str, Any]) -> web.Response:
    """What an embedding server answers, in another order than it was asked."""
    data = [
        {"object": "embedding", "index": place, "embedding": meaning_of(text)}
        for place, text in enumerate(body["input"])
    ]
    return web.json_response({"object": "list", "model": body["model"], "data": data[::-1]})


def rankings(word: str = "relevance_score") -> Callable[[dict[str, Any]], web.Response]:
    """What a reranking server answers, best first; `word` is its name of the score."""

    def answer(body: dict[str, Any]) -> web.Response:
        scores = [float(text.count("answer")) for text in body["documents"]]
        order = sorted(range(len(scores)), key=lambda place: -scores[place])
        return web.json_response({"results": [{"index": n, word: scores[n]} for n in order]})

    return answer
