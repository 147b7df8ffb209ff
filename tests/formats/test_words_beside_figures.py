"""Words beside figures: what errors do to a mean, when runs have a trend, and how many attributes a table leaves out."""

import pytest

from agentv_py.formats.sections.errors import _describe_rest
from agentv_py.formats.text import describe_errors_in_mean, describe_trend
from agentv_py.report.tally import Tally
from agentv_py.report.trend import Run, Series, Trend


@pytest.mark.parametrize(
    ("passed", "errors", "words"),
    [(4, 0, ""), (4, 8, "errors count as 0; 1.000 over the 4 others"), (0, 3, "errors count as 0")],
)
def test_a_mean_score_says_what_errors_count(passed: int, errors: int, words: str) -> None:
    tally = Tally()
    tally.cases, tally.passed, tally.errors, tally.total = passed + errors, passed, errors, float(passed)
    assert describe_errors_in_mean(tally) == words


@pytest.mark.parametrize(
    ("runs", "words"),
    [(1, "no trend yet: it takes 3 runs"), (2, "no trend yet: it takes 3 runs"), (3, "not degrading")],
)
def test_fewer_than_three_runs_have_no_trend(runs: int, words: str) -> None:
    assert describe_trend(Trend([Series("s", [Run(f"{n}.jsonl", "") for n in range(runs)])])) == words


@pytest.mark.parametrize(
    ("hidden", "words"),
    [
        (0, []),
        (1, ["1 more attribute has errors; `evalctl report RESULTS` lists it"]),
        (2, ["2 more attributes have errors; `evalctl report RESULTS` lists them"]),
    ],
)
def test_attributes_that_a_table_leaves_out_are_said_to_have_errors(hidden: int, words: list[str]) -> None:
    assert list(_describe_rest(hidden)) == words
