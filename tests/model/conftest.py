"""The served models; a test that cannot have one is skipped with the reason."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.model.packages import ADVERSARY, CAPABLE, ModelNotThereError, PackagedModel, model_file

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / ".venv" / ".models"


@contextmanager
def served(model: PackagedModel) -> Iterator[str]:
    """The base URL of a model that is being served."""
    pytest.importorskip("xllamacpp", reason="the runtime is not installed: make test-model")
    FOLDER.mkdir(parents=True, exist_ok=True)
    try:
        file = model_file(model, FOLDER)
    except ModelNotThereError as error:
        pytest.skip(f"the model cannot be had: {error}")
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.model.serve", str(file)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout is not None
    try:
        address = process.stdout.readline().strip()
        assert address, "the model could not be loaded"
        yield f"{address.rstrip('/')}/v1"
    finally:
        process.terminate()
        process.wait(timeout=30)
        process.stdout.close()


@pytest.fixture(scope="session")
def capable() -> Iterator[str]:
    with served(CAPABLE) as url:
        yield url


@pytest.fixture(scope="session")
def adversary() -> Iterator[str]:
    with served(ADVERSARY) as url:
        yield url
