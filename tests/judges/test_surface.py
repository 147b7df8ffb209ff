"""The surface of judge scripts: what `agentv_py.comparison` offers them, and that the shipped judges use nothing else."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentv_py import comparison
from agentv_py.case import Case
from agentv_py.comparison import (
    Comparison,
    Exact,
    Fuzzy,
    compare_path,
    compare_rows,
    compare_value,
    count_outcomes,
    describe_mismatches,
    macro_average,
    matchers,
    pair_by_similarity,
    split_hits_and_misses,
    value_at,
)
from agentv_py.evaluators.field_accuracy import FieldAccuracy

_JUDGES = sorted((Path(__file__).parents[2] / "judges").glob("*.py"))


def _list_imports(script: Path) -> Iterator[tuple[str, str]]:
    """Yield the module and the name of each import from the package; the name is empty if a module is imported."""
    for node in ast.walk(ast.parse(script.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names if alias.name.split(".")[0] == "agentv_py")
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "agentv_py":
            yield from ((node.module or "", alias.name) for alias in node.names)


@pytest.mark.parametrize("script", _JUDGES, ids=lambda script: script.name)
def test_a_shipped_judge_imports_the_sdk_and_the_surface_only(script: Path) -> None:
    allowed = {("agentv_py", "judge"), *(("agentv_py.comparison", name) for name in comparison.__all__)}
    imports = set(_list_imports(script))
    assert imports
    assert imports <= allowed


def test_every_name_of_the_surface_exists_and_every_match_type_is_among_them() -> None:
    surface = {name: getattr(comparison, name) for name in comparison.__all__}
    assert all(thing.__doc__ for thing in surface.values())
    assert set(matchers.FAMILY.models()) <= set(surface.values())
    with pytest.raises(AttributeError, match="has no attribute 'walk_on'"):
        comparison.walk_on  # noqa: B018  the attribute is the subject


def test_importing_a_matcher_loads_no_part_of_the_surface() -> None:
    code = (
        "import sys, agentv_py.comparison.matchers.exact\n"
        "print(*sorted(name for name in sys.modules if name.startswith('agentv_py.comparison.')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = ["comparison", "matchers", "matchers.base", "matchers.exact", "readers", "readers.text"]
    assert done.stdout.replace("agentv_py.comparison.", "").split() == loaded


def test_a_path_is_compared_under_a_match_type() -> None:
    expected = {"a": {"b": "x"}, "rows": [{"n": 1}, {"n": 2}]}
    candidate = {"a": {"b": "x"}, "rows": [{"n": 1}, {"n": 3}]}
    assert compare_path(Exact(), "a.b", expected, candidate) == [compare_value(Exact(), "x", "x", "a.b")]
    [right, wrong] = compare_path(Exact(), "rows[*].n", expected, candidate)
    assert (right.path, right.outcome) == ("rows[0].n", "match")
    assert wrong == Comparison("mismatch", "rows[1].n", 0.0, 0.0, "", 2, 3)
    [blank] = compare_path(Exact(), "missing", expected, candidate)
    assert blank.outcome == "blank"


def test_rows_are_paired_and_compared_and_what_is_left_over_is_a_miss() -> None:
    expected, actual = [{"n": "pear", "q": 1}, {"n": "plum", "q": 2}], [{"n": "plums", "q": 2}, {"n": "fig", "q": 9}]
    names = [[value_at(row, "n") for row in rows] for rows in (expected, actual)]
    pairs = pair_by_similarity(Fuzzy().matrix(*names), 0.7)
    assert pairs == [(1, 0)]
    comparisons = compare_rows(Exact(), ["n", "q"], expected, actual, pairs, "rows")
    hits, misses, wrong = split_hits_and_misses(comparisons)
    assert hits == ["rows[1].q"]
    assert misses == ["rows[0] (missing)", "rows[1].n", "rows[+1] (unexpected)"]
    assert [one["path"] for one in describe_mismatches(wrong)["mismatches"]] == ["rows[0]", "rows[1].n", "rows[+1]"]
    counts = count_outcomes(comparisons)
    assert counts == {
        "rows[].n": {"tp": 0, "tn": 0, "fp": 2, "fn": 2},
        "rows[].q": {"tp": 1, "tn": 0, "fp": 1, "fn": 1},
    }
    assert macro_average(counts.values()).f1 == 0.25


def test_no_rows_make_no_pairs() -> None:
    assert pair_by_similarity([], 0.5) == pair_by_similarity([[], []], 0.5) == []


def test_the_most_similar_rows_are_paired_first() -> None:
    assert pair_by_similarity([[0.2, 0.9], [0.8, 1.0]], 0.5) == [(1, 1)]
    assert pair_by_similarity([[0.6, 0.9], [0.8, 1.0]], 0.5) == [(0, 0), (1, 1)]


_values = st.sampled_from([0, 1, "a", "ab", " ", None, [1], {"x": 1}])


@given(_values, _values)
def test_a_value_scores_what_an_evaluator_would_give_it(expected: Any, actual: Any) -> None:
    evaluator = FieldAccuracy.model_validate({"type": "field_accuracy", "fields": [{"path": "v", "match": "fuzzy"}]})
    score = evaluator.evaluate(Case("", {"v": expected}, {"v": actual}))
    [found] = compare_path(Fuzzy(), "v", {"v": expected}, {"v": actual})
    assert found.score == score.score
