"""The shipped judges, asked as a suite asks them."""

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pipeline import rows_of
from sklearn.metrics import precision_recall_fscore_support

from agentv_py.process.persistent import stop_persistent
from agentv_py.suite.yaml_document import read_yaml

Write = Callable[[str, Any], Path]

_JUDGES = Path(__file__).parents[2] / "judges"
_ROWS = read_yaml(Path(__file__).parent / "rules.yaml", "rules.yaml").value


@pytest.fixture(autouse=True, scope="module")
def _stopped() -> Iterator[None]:
    yield
    stop_persistent()


def _judge(name: str, config: dict[str, Any], *, persistent: bool) -> dict[str, Any]:
    # In one folder, so that all rows share a process.
    return {"type": "code_judge", "script": name, "cwd": str(_JUDGES), "persistent": persistent, **config}


@pytest.mark.parametrize("row", _ROWS, ids=lambda row: row["title"])
def test_a_judge_that_ships_follows_its_rules(row: dict[str, Any], write: Write) -> None:
    evaluator = _judge(row["judge"], row["config"], persistent=True)
    case = {"id": "x", "expected": row["expected"], "candidate": row["candidate"]}
    [result] = rows_of(write("s.yaml", {"evaluators": [evaluator], "cases": [case]}))
    assert result["status"] == "ok", result
    found = result | result["evaluator_results"][0]["details"]
    want = row["want"]
    if "score" in want:
        assert found["score"] == pytest.approx(want.pop("score"))
    assert {key: found.get(key) for key in want} == want


@pytest.mark.parametrize("name", sorted({row["judge"] for row in _ROWS}))
def test_a_judge_says_the_same_both_ways(name: str, write: Write) -> None:
    cases = [{"id": str(n), "expected": row["expected"], "candidate": row["candidate"],
              "evaluators": [_judge(name, row["config"], persistent=way)]}
             for n, (row, way) in enumerate((row, way) for row in _ROWS if row["judge"] == name for way in (True, False))]  # fmt: skip
    rows = rows_of(write("s.yaml", {"cases": cases[:4]}))
    said = [{key: row[key] for key in ("score", "hits", "misses", "reasoning")} for row in rows]
    assert said[::2] == said[1::2]


def test_the_counts_are_scikit_learn_s_on_random_data(write: Write) -> None:
    chance = random.Random(0)
    words = ["a", "b", "c", None, "", "  "]
    truth = [chance.choice(words) for _ in range(400)]
    parsed = [word if chance.random() < 0.6 else chance.choice(words) for word in truth]
    cases = [
        {"id": str(n), "expected": {"w": e}, "candidate": {"w": a}}
        for n, (e, a) in enumerate(zip(truth, parsed, strict=True))
    ]
    evaluator = _judge("header_confusion.py", {"fields": [{"path": "w"}]}, persistent=True)
    rows = rows_of(write("s.yaml", {"evaluators": [evaluator], "cases": cases}))
    counts = [row["evaluator_results"][0]["details"]["metrics"]["w"] for row in rows]
    tp, fp, fn = (sum(one[key] for one in counts) for key in ("tp", "fp", "fn"))
    left, right = ([(word or "").strip() for word in side] for side in (truth, parsed))
    precision, recall, f1, _ = precision_recall_fscore_support(left, right, labels=["a", "b", "c"], average="micro")
    assert (tp / (tp + fp), tp / (tp + fn), 2 * tp / (2 * tp + fp + fn)) == pytest.approx((precision, recall, f1))


def test_a_judge_in_shell_needs_nothing_but_stdin_and_stdout(write: Write) -> None:
    evaluator = {"type": "code_judge", "script": str(_JUDGES / "same_text.sh")}
    texts = [
        ("Blue  Red", "blue red", 1.0),
        ('say "ü"\n', 'SAY "ü"', 1.0),
        ("東京", "日本", 0.0),
        ("", "x", 0.0),
        ("a\\b", "ab", 0.0),
    ]
    cases = [{"id": str(n), "expected": left, "candidate": right} for n, (left, right, _) in enumerate(texts)]
    rows = rows_of(write("s.yaml", {"evaluators": [evaluator], "cases": cases}))
    assert [(row["status"], row["score"]) for row in rows] == [("ok", score) for _, _, score in texts]
