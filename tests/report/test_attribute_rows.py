"""The counts that a diff keeps of each result: they are those of a report."""

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from agentv_py.report.attribute_counts import read_vector
from agentv_py.report.diff.attribute_rows import AttributeRows
from agentv_py.report.evaluator_summary import EvaluatorSummary

_COUNTS = st.fixed_dictionaries({name: st.integers(0, 2) for name in ("tp", "tn", "fp", "fn")})
_ODD = st.sampled_from([5, None, "tp", {"tp": 1}, {"tp": -1, "tn": 0, "fp": 0, "fn": 0}, 2**70, float("nan")])
_METRICS = st.dictionaries(st.sampled_from(["a", "b.c", "d[].e", "\ud800"]), _COUNTS | _ODD)
_DETAILS = st.fixed_dictionaries({}, optional={"metrics": _METRICS | st.sampled_from([None, 5, [1]])})
_RESULTS = st.lists(st.tuples(st.sampled_from([None, {}]) | _DETAILS, st.booleans()), min_size=1, max_size=12)


def _result(details: Any) -> dict[str, Any]:
    return {"score": 1.0, "verdict": "pass"} | ({} if details is None else {"details": details})


@given(results=_RESULTS)
def test_the_sums_of_some_results_are_those_of_a_report_on_them(results: list[tuple[Any, bool]]) -> None:
    rows, summary = AttributeRows(), EvaluatorSummary("", "")
    for details, is_counted in results:
        rows.add(_result(details))
        if is_counted:
            summary.add(_result(details))
    sums = rows.sum_up(np.array([is_counted for _, is_counted in results]))
    known = summary.attributes
    assert {name: counts for name, counts in sums.items() if name in known or any(counts.values())} == known


@given(results=_RESULTS, attribute=st.sampled_from(["a", "d[].e", "unknown"]))
def test_the_columns_of_an_attribute_hold_the_counts_of_each_result(
    results: list[tuple[Any, bool]], attribute: str
) -> None:
    rows = AttributeRows()
    for details, _ in results:
        rows.add(_result(details))
    columns = np.array(rows.list_counts(attribute)).T.tolist()
    assert columns == [_read_counts(details, attribute) for details, _ in results]


def _read_counts(details: Any, attribute: str) -> list[int]:
    metrics = (details or {}).get("metrics")
    vector = read_vector(metrics.get(attribute)) if isinstance(metrics, dict) else None
    tp, _, fp, fn = vector or (0, 0, 0, 0)
    return [tp, fp, fn]
