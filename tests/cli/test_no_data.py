"""`--no-data`: results that tell how good the answers are, and not what they say."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from conftest import Evalctl

Write = Callable[[str, Any], Path]

_SECRET = "Zanzibar"
_JUDGE = """
from agentv_py import judge

def score(payload):
    said = payload.candidate["name"]
    return judge.Result(
        0.5, ["id"], [f"name ({said} is wrong)"], f"they said {said}",
        {"said": said, "total": 7, "metrics": {"name": {"tp": 0, "tn": 0, "fp": 1, "fn": 1, "said": said}},
         "mismatches": [{"path": "name", "outcome": "mismatch", "actual": said, "note": said, "similarity": 0.1}],
         "alignment": {"rows": [[0, 1, 0.5], [said, 0, 1]]}},
    )

judge.run(score)
"""
_EVALUATORS = [
    {"type": "field_accuracy", "fields": [{"path": "name"}, {"path": "id"}]},
    {"type": "object_match", "comparators": {"rows": {"unordered": {"name": "fuzzy"}}}, "default": "exact"},
    {"type": "json_quality", "safety": {"blocklist": [_SECRET]}},
    {"type": "iou_score", "bbox_path": "box", "format": "xyxy"},
    {"type": "coordinate_distance", "point_path": "point"},
    {"type": "code_judge", "script": "judge.py"},
]
_CASE = {
    "id": "x",
    "input": {"text": _SECRET},
    "expected": {
        "id": 1, "name": f"{_SECRET} Inc", "rows": [{"name": f"{_SECRET} 1"}], "box": [0, 0, 4, 4], "point": [1, 2],
    },
    "candidate": {
        "id": 1, "name": f"{_SECRET} Ltd", "rows": [{"name": f"{_SECRET} 22222"}], "box": [0, 0, 4, 5], "point": [1, 3],
    },
}  # fmt: skip


def _run(evalctl: Evalctl, write: Write, *flags: str) -> Any:
    write("judge.py", _JUDGE)
    write("s.yaml", {"evaluators": _EVALUATORS, "cases": [_CASE]})
    return json.loads(evalctl("run", "s.yaml", "-o", "-", "-q", *flags).stdout)


def test_no_value_of_a_case_is_in_its_row(evalctl: Evalctl, write: Write) -> None:
    whole, row = _run(evalctl, write), _run(evalctl, write, "--no-data")
    assert not {"input", "expected", "candidate"} & row.keys()
    assert _SECRET in json.dumps(whole)
    assert _SECRET not in json.dumps(row)
    assert [result["score"] for result in row["evaluator_results"]] == [
        result["score"] for result in whole["evaluator_results"]
    ]


def test_paths_outcomes_similarities_and_counts_stay(evalctl: Evalctl, write: Write) -> None:
    fields, tree, quality, box, point, judge = _run(evalctl, write, "--no-data")["evaluator_results"]
    assert fields["details"]["mismatches"] == [{"path": "name", "outcome": "mismatch", "similarity": 0.0}]
    assert fields["details"]["metrics"]["name"] == {"tp": 0, "tn": 0, "fp": 1, "fn": 1}
    assert (fields["hits"], fields["misses"]) == (["id"], ["name"])
    assert tree["details"]["alignment"] == {"rows": [[0, 0, 0.642857]]}
    assert quality["details"]["both_non_null"] == ["id", "name", "rows", "box", "point"]
    assert "safety (name)" in quality["misses"]
    assert box["details"]["pairs"] == [
        {"expected": 0, "actual": 0, "iou": 0.8, "intersection": 16.0, "union": 20.0}
    ]  # fmt: skip
    assert point["details"]["distances"] == [1.0]
    assert (judge["hits"], judge["misses"], judge["reasoning"]) == (["id"], ["name"], "")
    assert judge["details"] == {
        "metrics": {"name": {"tp": 0, "tn": 0, "fp": 1, "fn": 1}},
        "alignment": {"rows": [[0, 1, 0.5]]},
        "mismatches": [{"path": "name", "outcome": "mismatch", "similarity": 0.1}],
    }
