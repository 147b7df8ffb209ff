"""Each target of the fuzzer for a moment, always with the same inputs."""

import json
from pathlib import Path
from random import Random

import fuzz
import fuzz_seeds
import pytest
from fuzz_targets import TARGETS
from pipeline import plan_of


@pytest.mark.parametrize("name", list(TARGETS))
def test_a_few_inputs_crash_nothing(name: str, tmp_path: Path) -> None:
    with fuzz.prepared(tmp_path):
        fuzzer = fuzz.Fuzzer(name, TARGETS[name], 60, tmp_path, Random(name), most_seeds=2, traced=0)
        fuzzer.work(seconds=60, most=5)
    assert list(fuzzer.crashes) == []


def test_what_the_fuzzer_begins_with_is_valid(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("s.yaml").write_text(
        json.dumps({"evaluators": fuzz_seeds.EVALUATORS, "cases": fuzz_seeds.rows()[:3]}), encoding="utf-8"
    )
    assert len(plan_of(Path("s.yaml")).selected) == 3
