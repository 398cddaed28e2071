"""What every reranker promises: the fake, one on a server, one in a folder."""

from collections.abc import AsyncIterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from agent.errors import ConfigError, ServiceUnreachable
from agent.library.reranking.endpoint import RerankServer
from agent.library.reranking.folder import FolderReranker
from agent.ports import Reranker
from config.settings import RerankerSettings
from tests.edges.model_server import failure, model_server
from tests.finding_fakes import FakeReranker, rankings

FOLDER = Path(__file__).parents[1] / "data" / "models" / "reranker"
TEXTS = ["nothing of it", "the answer", "a room"]
needs_models = pytest.mark.skipif(
    find_spec("onnxruntime") is None, reason="the extra `local-models` is not installed"
)


@pytest.fixture(params=["fake", "server", pytest.param("folder", marks=needs_models)])
async def reranker(request: pytest.FixtureRequest) -> AsyncIterator[Reranker]:
    if request.param == "fake":
        yield FakeReranker()
    elif request.param == "folder":
        yield FolderReranker(RerankerSettings(kind="folder", path=FOLDER))
    else:
        async with model_server(rankings()) as server:
            made = RerankServer(settings(server.base_url))
            yield made
            await made.close()


def settings(base_url: str, **more: object) -> RerankerSettings:
    given = {"kind": "openai", "base_url": base_url, "name": "judge", "timeout_s": 5} | more
    return RerankerSettings.model_validate(given)


async def test_the_text_that_answers_scores_best(reranker: Reranker) -> None:
    scores = list(await reranker.rank("question", TEXTS))

    assert len(scores) == len(TEXTS)
    assert scores.index(max(scores)) == 1


async def test_no_texts_have_no_scores(reranker: Reranker) -> None:
    assert list(await reranker.rank("question", [])) == []


async def test_it_has_a_name_and_says_whether_texts_leave_the_machine(reranker: Reranker) -> None:
    assert reranker.name
    assert reranker.outside is isinstance(reranker, RerankServer)


async def test_the_server_is_asked_in_the_common_form() -> None:
    async with model_server(rankings()) as server:
        made = RerankServer(settings(server.base_url, api_key="secret"))
        await made.rank("a question", TEXTS)
        await made.close()

    assert server.seen[0].path == "/v1/rerank"
    assert server.seen[0].headers["Authorization"] == "Bearer secret"
    assert server.requests[0] == {
        "model": "judge",
        "query": "a question",
        "documents": TEXTS,
        "top_n": 3,
        "return_documents": False,
    }


async def test_the_other_name_of_the_score_is_known_too() -> None:
    async with model_server(rankings("score")) as server:
        made = RerankServer(settings(server.base_url))
        scores = await made.rank("question", TEXTS)
        await made.close()

    assert list(scores) == [0.0, 1.0, 0.0]


async def test_what_the_server_leaves_out_comes_last() -> None:
    def short(body: dict[str, object]) -> object:
        from aiohttp import web

        return web.json_response({"results": [{"index": 2, "relevance_score": -3.0}]})

    async with model_server(short) as server:  # type: ignore[arg-type]
        made = RerankServer(settings(server.base_url))
        scores = list(await made.rank("question", TEXTS))
        await made.close()

    assert scores.index(max(scores)) == 2


@pytest.mark.parametrize("status", [200, 401, 404])
async def test_a_server_without_rankings_is_told_in_a_sentence(status: int) -> None:
    async with model_server(lambda _: failure(status, "no")) as server:
        made = RerankServer(settings(server.base_url))
        with pytest.raises(ServiceUnreachable, match="The reranker at 127"):
            await made.rank("question", TEXTS)
        await made.close()


def test_a_model_must_be_named() -> None:
    with pytest.raises(ConfigError, match=r"reranker\.name is not set"):
        RerankServer(settings("http://127.0.0.1:9/v1", name=""))


@needs_models
def test_a_folder_must_be_named() -> None:
    with pytest.raises(ConfigError, match=r"reranker\.path is not set"):
        FolderReranker(RerankerSettings(kind="folder"))
