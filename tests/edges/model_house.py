"""The whole engine over a small library, with a model behind real HTTP that replies as scripted."""

import json
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from agent.domain import WORKSPACE, Answer, Outcome, ProgressEvent, Question
from bots.app import Engine, open_engine
from config.settings import ModelSettings, Settings, SourceSettings
from tests.edges.model_server import Answer as Scripted
from tests.edges.model_server import ModelServer, completion, model_server

LEAVE = "Parents receive 14 weeks of parental leave at full pay."
SICK = "A certificate is needed from the fourth day of sick leave."
HOTEL = "A hotel night may cost 160 euros."
DOCS = {
    "leave.md": f"# Leave\n\n## Parental leave\n\n{LEAVE}\n\n## Sick leave\n\n{SICK}\n",
    "travel.md": f"# Travel\n\n## Hotels\n\n{HOTEL}\n",
}
QUESTION = "How long is parental leave?"
WINDOW = re.compile(r"<<<(D\d+\.\d+) [^\n]*? ([0-9a-f]{8})>>>\n(.*?)\n<<<end \2>>>", re.DOTALL)


def prompt_of(request: dict[str, Any]) -> str:
    return "\n".join(message["content"] for message in request["messages"])


def section_with(request: dict[str, Any], text: str) -> str:
    """The id of the section whose window holds this text, as the model reads it."""
    return next(
        (found[1] for found in WINDOW.finditer(prompt_of(request)) if text in found[3]), "D9.9"
    )


def decision(**keys: Any) -> str:
    empty = {"missing": "", "reason": "", "action": "answer", "sections": [], "query": ""}
    return json.dumps(empty | {"quotes": [], "answer": "", "support": "stated"} | keys)


def quoting(quote: str, answer: str = "", **keys: Any) -> Scripted:
    """A model that quotes this text from wherever it was shown."""

    def reply(request: dict[str, Any]) -> Any:
        quotes = [{"section": section_with(request, quote), "text": quote}]
        return completion(decision(quotes=quotes, answer=answer or f"{quote} [1]", **keys))

    return reply


def deciding(**keys: Any) -> Scripted:
    return lambda _: completion(decision(**keys))


def saying(text: str, **extra: Any) -> Scripted:
    return lambda _: completion(text, **extra)


class Silent:
    async def show(self, event: ProgressEvent) -> None:
        """Nobody watches."""


class ModelHouse:
    """The engine and the model it asks."""

    def __init__(self, engine: Engine, server: ModelServer) -> None:
        self.engine = engine
        self.server = server

    async def ask(self, text: str = QUESTION, thread: str = "") -> Answer:
        question = Question(text, WORKSPACE, thread_key=thread)
        return await self.engine.assistant.answer(question, Silent())

    @property
    def prompts(self) -> list[str]:
        return [prompt_of(request) for request in self.server.requests]


@asynccontextmanager
async def house(
    folder: Path,
    *answers: Scripted,
    docs: Mapping[str, str] = DOCS,
    closed: Mapping[str, str] | None = None,
    **model: Any,
) -> AsyncIterator[ModelHouse]:
    sources = [_source(folder, "handbook", docs)]
    if closed:
        sources.append(_source(folder, "closed", closed, egress="none"))
    async with model_server(*answers) as server:
        settings = Settings(
            data_dir=folder / "data",
            sources=tuple(sources),
            model=ModelSettings(
                kind="openai", name="big", base_url=server.base_url, **{"timeout_s": 5.0} | model
            ),
        )
        async with open_engine(settings) as engine:
            await engine.jobs.run()
            yield ModelHouse(engine, server)


def _source(folder: Path, name: str, docs: Mapping[str, str], **keys: Any) -> SourceSettings:
    place = folder / name
    for doc, text in docs.items():
        (place / doc).parent.mkdir(parents=True, exist_ok=True)
        (place / doc).write_text(text, encoding="utf-8")
    return SourceSettings(name=name, path=place, audience=("workspace",), **keys)


def checked(answer: Answer) -> Answer:
    """Every quote stands in its document, every sentence carries a marker."""
    whole = " ".join(DOCS.values())
    assert all(" ".join(one.quote.split()) in " ".join(whole.split()) for one in answer.citations)
    if answer.outcome in (Outcome.ANSWERED, Outcome.PARTIAL):
        assert answer.citations
    return answer
