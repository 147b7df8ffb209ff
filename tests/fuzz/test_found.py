"""Inputs that crashed a target of the fuzzer once."""

from pathlib import Path

import fuzz
import pytest
from fuzz_targets import TARGETS

_HUGE = b"1" + b"0" * 400


@pytest.mark.parametrize(
    ("target", "data"),
    [
        ("judge_replies", b'{"score": ' + _HUGE + b"}"),
        ("model_replies", b'{"data": [{"index": 0, "embedding": [1e300]}, {"index": 1, "embedding": [1]}]}'),
    ],
)
def test_an_input_that_once_crashed_a_target_crashes_it_no_more(target: str, data: bytes, tmp_path: Path) -> None:
    with fuzz.prepared(tmp_path):
        TARGETS[target].run(data)
