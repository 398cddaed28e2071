"""Two thousand broken files, made from the real samples beside the project; run by `make bench`."""

import time
from pathlib import Path

import pytest

from tests.faults.test_mutated_samples import LIMITS, SAMPLES, outcomes, trouble
from tests.mutations import files_of, mutants

COUNT = 2_000


@pytest.mark.skipif(not SAMPLES.is_dir(), reason="the sample files are not beside the project")
async def test_two_thousand_broken_samples_end_with_an_outcome(tmp_path: Path) -> None:
    began = time.monotonic()
    found = await outcomes(list(mutants(files_of(SAMPLES), COUNT)), tmp_path, LIMITS)
    said = [said for each in found if (said := trouble(*each))]
    read = sum(document.reason == "" for _, document in found)
    print(f"\n{COUNT} broken samples in {time.monotonic() - began:.0f} s, {read} read whole")
    print("\n".join(said))
    assert said == []
