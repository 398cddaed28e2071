"""Two thousand broken files, made from the real samples beside the project; run by `make bench`."""

import time
from pathlib import Path

import pytest

from tests.faults.test_mutated_samples import LIMITS, SAMPLES, outcomes
from tests.mutations import files_of, mutants

COUNT = 2_000


@pytest.mark.skipif(not SAMPLES.is_dir(), reason="the sample files are not beside the project")
async def test_two_thousand_broken_samples_end_with_an_outcome(tmp_path: Path) -> None:
    began = time.monotonic()
    result = await outcomes(mutants(files_of(SAMPLES), COUNT), tmp_path, LIMITS)
    seconds = time.monotonic() - began
    print(f"\n{result.count} broken samples in {seconds:.0f} s, {result.read} of them readable")
    print("\n".join(result.trouble))
    assert (result.count, result.trouble) == (COUNT, [])
