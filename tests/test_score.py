"""A score never changes: cases that are wholly right share one."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentv_py import jsontext
from agentv_py.case import Case
from agentv_py.evaluators.field_accuracy import FieldAccuracy
from agentv_py.evaluators.grade import assign_names
from agentv_py.formats import json as json_format
from agentv_py.report.summary import Summary
from agentv_py.run.scorer import Scorer
from agentv_py.suite.raw_case import RawCase
from agentv_py.suite.schema import Verdicts


def _evaluator() -> FieldAccuracy:
    return FieldAccuracy.model_validate({"type": "field_accuracy", "fields": [{"path": "a"}, {"path": "b"}]})


def _case(number: int) -> Case:
    return Case(str(number), {"a": 1, "b": 2}, {"a": 1, "b": 2})


def test_a_score_and_its_hits_cannot_be_changed() -> None:
    score: Any = _evaluator().evaluate(_case(1))
    with pytest.raises(AttributeError):
        score.score = 0.0
    with pytest.raises(AttributeError):
        score.hits.append("planted")


def test_a_hit_that_is_added_to_one_row_is_in_no_other_row() -> None:
    scorer = Scorer("s", assign_names([_evaluator()]), Verdicts())
    first, second = (scorer.score(_case(number), scorer.evaluators, "") for number in (1, 2))
    first["hits"].append("planted")
    assert second["hits"] == second["evaluator_results"][0]["hits"] == ["a", "b"]


_RIGHT = {"expected": {"a": 1, "b": 2}, "candidate": {"a": 1, "b": 2}}
_ROWS: list[dict[str, Any]] = [
    _RIGHT,
    {**_RIGHT, "candidate": {"b": 2, "a": 1, "c": "unlisted"}},
    {**_RIGHT, "candidate": {"a": 1, "b": 2, "c": float("nan")}},
    {**_RIGHT, "candidate": {"a": 1, "b": 2, "c": 2**70}},
    {**_RIGHT, "candidate": {"a": 1, "b": 3}},
    {**_RIGHT, "candidate": '{"a": 1, "b": 2}'},
    {**_RIGHT, "candidate": '```json\n{"a": 1, "b": 2}\n```'},
    {**_RIGHT, "input": "a question"},
    {**_RIGHT, "tags": ["t"], "metadata": {"m": 1}},
    {**_RIGHT, "trace": []},
    {"expected": {"a": 1}, "candidate": {"a": 1}},
    {"expected": {"a": 1, "b": 2}},
]


@given(st.lists(st.sampled_from(_ROWS), max_size=12), st.sampled_from([{}, {"label": "mine"}]), st.booleans())
def test_a_chunk_has_the_rows_and_the_figures_of_its_cases_one_by_one(
    rows: list[dict[str, Any]], about: dict[str, str], plain: bool
) -> None:
    lines: Any = _Lines()
    scorer = Scorer("s", assign_names([_evaluator()]), Verdicts(), about=about, fingerprints=lines, plain=plain)
    values = [{"id": f"case {line}", **row} for line, row in enumerate(rows)]
    raws = [RawCase("d", line, jsontext.dumps(value) if plain else value) for line, value in enumerate(values)]
    chunk, alone = scorer(raws), [scorer([raw]) for raw in raws]
    assert _read(bytes(chunk.rows)) == [row for each in alone for row in _read(bytes(each.rows))]
    figures = Summary()
    for each in alone:
        figures.merge(each.summary)
    assert "".join(json_format.render(chunk.summary)) == "".join(json_format.render(figures))


class _Lines:
    """Instead of the fingerprints of a plan: the lines of the cases."""

    def compute(self, raw: RawCase, *, has_own: bool) -> str:
        line = raw.row if isinstance(raw.row, bytes) else jsontext.dumps(raw.row)
        return f"own {line.decode()}" if has_own else self.compute_plain(line)

    def compute_plain(self, line: bytes) -> str:
        return line.decode()


def _read(lines: bytes) -> list[Any]:
    rows = [json.loads(line) for line in lines.splitlines()]
    for row in rows:
        del row["timestamp"], row["duration_ms"]
        for result in row["evaluator_results"]:
            del result["duration_ms"]
    return rows
