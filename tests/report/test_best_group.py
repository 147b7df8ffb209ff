"""The best of several targets: the mark of a report and the verdict of a diff are one test."""

from pathlib import Path
from random import Random

from rows import lines, row

from agentv_py.report.best_group import find_best
from agentv_py.report.diff.compute import compute_diff
from agentv_py.report.groups import Groups
from agentv_py.results.read import ResultsSource

_CASES, _FILES = 14, 30


def test_a_target_is_best_where_the_diff_from_the_other_target_says_better(tmp_path: Path) -> None:
    path, chance, seen = tmp_path / "r.jsonl", Random(7), set[tuple[bool, bool]]()
    for _ in range(_FILES):
        gain = chance.choice((0.0, 0.2, 0.4))
        rows = [
            row(f"c{n}", min(1.0, round(chance.random() + gain * (target == "b"), 1)), target=target)
            for n in range(_CASES)
            for target in ("a", "b")
        ]
        path.write_text(lines(*rows), encoding="utf-8")
        groups = Groups()
        for one in rows:
            groups.add(one)
        best, source = find_best(groups), ResultsSource(path, "r.jsonl")
        for before, after in (("a", "b"), ("b", "a")):
            [shift] = compute_diff(source, source, targets=(before, after)).shifts
            verdicts = {"mean_score": shift.mean_score.shift.verdict, "pass_rate": shift.pass_rate.shift.verdict}
            expected = [figure for figure, verdict in verdicts.items() if verdict == "better"]
            assert best.get(("s", after), []) == expected
            seen.add(("mean_score" in expected, "pass_rate" in expected))
    assert seen >= {(False, False), (True, False), (True, True)}


def test_targets_that_share_no_case_have_no_best() -> None:
    groups = Groups()
    for n in range(20):
        groups.add(row(f"c{n}", float(n < 10), target="a" if n < 10 else "b"))
    assert find_best(groups) == {}
