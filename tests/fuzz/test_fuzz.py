"""Each target of the fuzzer for a moment, always with the same inputs."""

from pathlib import Path

import fuzz
import pytest
from fuzz_targets import TARGETS


@pytest.mark.parametrize("name", list(TARGETS))
def test_a_few_inputs_crash_nothing(name: str, tmp_path: Path) -> None:
    with fuzz.prepared(tmp_path):
        [fuzzer] = fuzz.fuzzers([name], tmp_path, patience=60, seed=0)
        fuzzer.work(seconds=60, most=20)
    assert list(fuzzer.crashes) == []
