"""The commands with an embedder and a reranker in a folder."""

from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.edges.test_commands import footnote, result

MODELS = Path(__file__).parents[1] / "data" / "models"
ENV = {
    "FOOTNOTE_EMBEDDER__KIND": "folder",
    "FOOTNOTE_EMBEDDER__PATH": str(MODELS / "embedder"),
    "FOOTNOTE_RERANKER__KIND": "folder",
    "FOOTNOTE_RERANKER__PATH": str(MODELS / "reranker"),
}
needs_models = pytest.mark.skipif(
    find_spec("onnxruntime") is None, reason="the extra `local-models` is not installed"
)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A working directory with one document and settings that name its folder."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "travel.md").write_text("# Travel\n\nA room costs 120 euros a night.\n")
    (tmp_path / "footnote.toml").write_text(
        '[[sources]]\nname = "docs"\npath = "docs"\naudience = ["workspace"]\ncontact = "#hr"\n'
    )
    return tmp_path


@needs_models
def test_a_sync_makes_the_vectors_and_the_doctor_counts_them(place: Path) -> None:
    done = footnote(place, "sync", env=ENV)
    [vectors] = result(footnote(place, "doctor", "embedder", "--json", env=ENV))
    [judge] = result(footnote(place, "doctor", "reranker", "--json", env=ENV))
    answer = result(footnote(place, "ask", "How much may a room cost?", "--json", env=ENV))

    assert done.returncode == 0, done.stderr
    assert vectors["state"] == "ok"
    assert "3 numbers" in vectors["says"]
    assert "1 of 1 texts have theirs" in vectors["says"]
    assert (judge["state"], "reranker ranked two texts" in judge["says"]) == ("ok", True)
    assert "120 euros" in answer["answer"]


def test_a_server_that_is_not_there_stops_no_sync(place: Path) -> None:
    if find_spec("numpy") is None:
        pytest.skip("numpy is not installed")
    env = {
        "FOOTNOTE_EMBEDDER__KIND": "openai",
        "FOOTNOTE_EMBEDDER__BASE_URL": "http://127.0.0.1:9/v1",
        "FOOTNOTE_EMBEDDER__NAME": "small",
        "FOOTNOTE_EMBEDDER__TIMEOUT_S": "3",
    }
    done = footnote(place, "sync", env=env)
    doctor = footnote(place, "doctor", "embedder", "--json", env=env)

    assert done.returncode == 0, done.stderr
    assert "Searched by words alone" in done.stderr
    assert "The embedder at 127.0.0.1:9" in doctor.stdout
    assert doctor.returncode == 1


def test_a_folder_without_a_model_is_refused_with_a_sentence(place: Path) -> None:
    env = ENV | {"FOOTNOTE_EMBEDDER__PATH": str(place)}
    done = footnote(place, "ask", "How much may a room cost?", env=env)

    assert done.returncode == 3
    assert "embedder." in done.stderr
