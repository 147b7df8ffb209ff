"""evalctl in people's tests: `assert_match`, and suites that pytest collects, each case an item."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from requirements import environment_without_coverage

from agentv_py import exact
from agentv_py.testing import assert_match

Write = Callable[[str, Any], Path]

_SUITE = """\
evaluators: [{type: object_match, default: auto}]
cases:
- {id: one, tags: [smoke], expected: {x: 1.5}, candidate: {x: 1.5}}
- {id: two, expected: {x: 1.5}, candidate: {x: 2}}
- {id: three, expected: {x: 1.5}}
"""


def test_values_that_match_raise_nothing() -> None:
    assert_match({"a": 1.5, "day": "2025-01-15"}, {"a": "1.50", "day": "15 January 2025"})
    assert_match({"a": 1, "b": 2}, {"a": 1, "b": 3}, threshold=0.5)


def test_the_message_is_the_list_of_misses() -> None:
    with pytest.raises(AssertionError) as raised:
        assert_match({"total": 120.5, "rows": [1]}, {"total": 125, "rows": []}, {"total": exact, "rows": exact})
    assert str(raised.value).splitlines() == [
        "score 0.000",
        "total: expected 120.5, answer 125",
        "    exact: the same value",
        "rows[0]: expected 1 (missing)",
        "    exact: the same value",
    ]
    with pytest.raises(AssertionError, match=r"score 0\.500, below 0\.9\n") as raised:
        assert_match({"a": 1.25, "b": 2}, {"a": 1.5, "b": 2}, threshold=0.9)
    assert "a tolerance of at least 0.25 would let it pass" in str(raised.value)
    with pytest.raises(AssertionError, match='candidate: answer "sorry" \\(not valid JSON\\)'):
        assert_match({"a": 1}, "sorry")


def _run(folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "agentv_py.testing.plugin", "-q", *arguments],
        cwd=folder, capture_output=True, text=True, check=False,
        env={key: value for key, value in environment_without_coverage().items() if not key.startswith("PYTEST_")}
        | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
    )  # fmt: skip
    return done.stdout + done.stderr


def test_suites_are_collected_only_on_demand_and_nothing_is_imported_before(tmp_path: Path, write: Write) -> None:
    write("evals/s.yaml", _SUITE)
    write(
        "test_it.py",
        "import sys\ndef test_nothing_is_loaded():\n"
        "    ours = {name for name in sys.modules if name.startswith('agentv_py')}\n"
        "    assert ours == {'agentv_py', 'agentv_py.testing', 'agentv_py.testing.plugin'}\n"
        "    assert not {'pydantic', 'orjson', 'numpy'} & sys.modules.keys()\n",
    )
    assert _run(tmp_path).splitlines()[-1].startswith("1 passed")


def test_each_case_is_an_item_with_junit_last_failed_and_workers(tmp_path: Path, write: Write) -> None:
    write("evals/s.yaml", _SUITE)
    write("evals/broken.yaml", "evaluators: 5\n")
    write("other.yaml", "a: 1\n")
    write("pytest.ini", "[pytest]\nevalctl_suites =\n    evals/s.yaml\n")
    shown = _run(tmp_path, "--junitxml=j.xml")
    assert "2 failed, 1 passed" in shown
    assert f"evals{os.sep}s.yaml:4: fail 0.000, passes from 0.8\nx: expected 1.5, answer 2\n" in shown
    assert "no_candidate: the case has no candidate" in shown
    cases = ET.parse(tmp_path / "j.xml").getroot().iter("testcase")
    assert {case.attrib["name"]: case.find("failure") is None for case in cases} == {
        "one": True, "two": False, "three": False,
    }  # fmt: skip
    assert _run(tmp_path, "--lf", "-p", "xdist", "-n", "1").splitlines()[-1].startswith("2 failed in")


def test_suites_on_the_command_line_with_a_tag_and_a_broken_one(tmp_path: Path, write: Write) -> None:
    write("any/s.yaml", _SUITE)
    write("any/broken.yaml", "evaluators: 5\ncases: []\n")
    files = ("any/s.yaml", "any/broken.yaml")
    shown = _run(tmp_path, "--evalctl", *files, "-k", "smoke", "--continue-on-collection-errors")
    assert "1 passed, 2 deselected, 1 error" in shown.splitlines()[-1]
    assert "error: " in shown
    assert "broken.yaml:1" in shown
