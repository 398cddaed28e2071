"""What every embedder promises: the fake, one on a server, one in a folder."""

from collections.abc import AsyncIterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from agent.errors import ConfigError, ServiceUnreachable
from agent.library.vectors.endpoint import EmbeddingsServer
from agent.library.vectors.folder import FolderEmbedder
from agent.ports import Embedder
from config.settings import EmbedderSettings
from tests.edges.model_server import failure, model_server
from tests.finding_fakes import FakeEmbedder, embeddings

FOLDER = Path(__file__).parents[1] / "data" / "models" / "embedder"
needs_models = pytest.mark.skipif(
    find_spec("onnxruntime") is None, reason="the extra `local-models` is not installed"
)


@pytest.fixture(params=["fake", "server", pytest.param("folder", marks=needs_models)])
async def embedder(request: pytest.FixtureRequest) -> AsyncIterator[Embedder]:
    if request.param == "fake":
        yield FakeEmbedder()
    elif request.param == "folder":
        yield FolderEmbedder(EmbedderSettings(kind="folder", path=FOLDER))
    else:
        async with model_server(embeddings) as server:
            made = EmbeddingsServer(settings(server.base_url))
            yield made
            await made.close()


def settings(base_url: str, **more: object) -> EmbedderSettings:
    given = {"kind": "openai", "base_url": base_url, "name": "small", "timeout_s": 5} | more
    return EmbedderSettings.model_validate(given)


def likeness(one: object, other: object) -> float:
    a, b = list(one), list(other)  # type: ignore[call-overload]
    length = (sum(x * x for x in a) * sum(x * x for x in b)) ** 0.5
    return float(sum(x * y for x, y in zip(a, b, strict=True)) / length)


async def test_texts_that_mean_the_same_are_near(embedder: Embedder) -> None:
    leave, holiday, hotel = await embedder.embed(["days of leave", "a holiday", "a hotel room"])

    assert likeness(leave, holiday) > likeness(leave, hotel)


async def test_vectors_come_in_the_order_of_the_texts(embedder: Embedder) -> None:
    texts = ["hotel", "leave days holiday", "room"]
    together = await embedder.embed(texts)
    alone = [(await embedder.embed([text]))[0] for text in texts]

    for one, other in zip(together, alone, strict=True):
        assert list(one) == pytest.approx(list(other))


async def test_a_question_is_near_its_text(embedder: Embedder) -> None:
    [asked] = await embedder.embed(["holiday days"], asked=True)
    leave, hotel = await embedder.embed(["leave", "hotel"])

    assert likeness(asked, leave) > likeness(asked, hotel)


async def test_no_text_needs_no_vector(embedder: Embedder) -> None:
    assert list(await embedder.embed([])) == []


async def test_it_has_a_name_and_says_whether_texts_leave_the_machine(embedder: Embedder) -> None:
    assert embedder.name
    assert embedder.outside is isinstance(embedder, EmbeddingsServer)


async def test_the_key_the_model_and_the_prefix_go_to_the_server() -> None:
    async with model_server(embeddings) as server:
        made = EmbeddingsServer(settings(server.base_url, api_key="secret", query_prefix="query: "))
        await made.embed(["leave"], asked=True)
        await made.close()

    assert server.requests[0]["model"] == "small"
    assert server.requests[0]["input"] == ["query: leave"]
    assert server.seen[0].path == "/v1/embeddings"
    assert server.seen[0].headers["Authorization"] == "Bearer secret"


async def test_trouble_that_passes_is_tried_again() -> None:
    async with model_server(lambda _: failure(503, "busy"), embeddings) as server:
        made = EmbeddingsServer(settings(server.base_url))
        [vector] = await made.embed(["leave"])
        await made.close()

    assert vector
    assert len(server.requests) == 2


@pytest.mark.parametrize(
    ("status", "words"),
    [
        pytest.param(401, "refuses the key", id="key"),
        pytest.param(404, "no such model", id="model"),
        pytest.param(400, "failed (400)", id="request"),
    ],
)
async def test_a_refusal_is_told_in_a_sentence(status: int, words: str) -> None:
    async with model_server(lambda _: failure(status, "no")) as server:
        made = EmbeddingsServer(settings(server.base_url))
        with pytest.raises(ServiceUnreachable, match="The embedder at 127") as caught:
            await made.embed(["leave"])
        await made.close()

    assert words in caught.value.problem
    assert len(server.requests) == 1


async def test_a_server_that_answers_something_else_is_told() -> None:
    async with model_server(lambda _: failure(200, "hello")) as server:
        made = EmbeddingsServer(settings(server.base_url))
        with pytest.raises(ServiceUnreachable, match="something else"):
            await made.embed(["leave"])
        await made.close()


async def test_a_server_that_is_not_there_is_told() -> None:
    made = EmbeddingsServer(settings("http://127.0.0.1:9/v1", timeout_s=2))
    with pytest.raises(ServiceUnreachable, match="cannot be reached"):
        await made.embed(["leave"])
    await made.close()


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        pytest.param({"name": ""}, "embedder.name is not set", id="no model"),
        pytest.param({"base_url": "localhost"}, "embedder.base_url", id="no address"),
    ],
)
def test_settings_that_cannot_work_are_refused(given: dict[str, str], problem: str) -> None:
    with pytest.raises(ConfigError, match=problem):
        EmbeddingsServer(settings(**({"base_url": "http://127.0.0.1:9/v1"} | given)))


@needs_models
def test_a_folder_without_a_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="holds no model"):
        FolderEmbedder(EmbedderSettings(kind="folder", path=tmp_path))


@needs_models
async def test_a_broken_model_is_told_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "model.onnx").write_bytes(b"no model")
    (tmp_path / "tokenizer.json").write_bytes((FOLDER / "tokenizer.json").read_bytes())
    made = FolderEmbedder(EmbedderSettings(kind="folder", path=tmp_path))

    with pytest.raises(ServiceUnreachable, match="cannot be used"):
        await made.embed(["leave"])


@needs_models
def test_another_model_has_another_name(tmp_path: Path) -> None:
    for file in ("model.onnx", "tokenizer.json"):
        (tmp_path / file).write_bytes((FOLDER / file).read_bytes())
    same = FolderEmbedder(EmbedderSettings(kind="folder", path=tmp_path)).name
    (tmp_path / "model.onnx").write_bytes(b"another one")
    other = FolderEmbedder(EmbedderSettings(kind="folder", path=tmp_path)).name

    assert same == FolderEmbedder(EmbedderSettings(kind="folder", path=FOLDER)).name != other
