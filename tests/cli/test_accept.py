"""`evalctl accept`: an answer becomes the expected value, and the file of the case keeps its form."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Evalctl
from rows import lines

from agentv_py.run.accepted_value import Findings, accept_whole

Write = Callable[[str, Any], Path]

_EVALUATORS = (
    "evaluators: [{type: object_match, comparators: {total: exact, vendor: {match: exact, any_of: true}},"
    " default: exact}]\n"
)
_ANSWER = {"total": 12, "vendor": "Acme Inc"}


def _run(evalctl: Evalctl, write: Write, name: str, text: str, answer: Any = None, suite: str = "") -> Path:
    """Run a suite whose cases are in a file; the answer to the case `b` is another one than expected."""
    answer = _ANSWER if answer is None else answer
    file = write(name, text)
    if not suite:
        write("p.jsonl", lines({"id": "b", "candidate": answer}, {"id": "a", "candidate": {"total": 1, "vendor": "x"}}))
        suite = f"{_EVALUATORS}predictions: p.jsonl\ndataset: {name}\n"
        write("s.yaml", suite)
    done = evalctl("run", "s.yaml", "-q", "-o", "r.jsonl", "--exit-zero")
    assert done.returncode == 0, done.stderr
    return file


_FORMS = {
    "lines of compact JSON": (
        "d.jsonl",
        '{"id":"a","expected":{"total":1,"vendor":"x"}}\n{"id":"b","expected":{"total": 10,"vendor":"Acme"},"note":"ü"}\n',
        '{"id":"a","expected":{"total":1,"vendor":"x"}}\n{"id":"b","expected":{"total": 12,"vendor":"Acme Inc"},"note":"ü"}\n',
    ),
    "lines that end with a carriage return, after a byte order mark": (
        "d.jsonl",
        '\ufeff{"id": "a", "expected": {"total": 1, "vendor": "x"}}\r\n{"id": "b", "expected": {"total": 10}}\r\n',
        '\ufeff{"id": "a", "expected": {"total": 1, "vendor": "x"}}\r\n{"id": "b", "expected": {"total": 12, "vendor": "Acme Inc"}}\r\n',
    ),
    "a line without an expected value, at the end of a file without a line break": (
        "d.jsonl",
        '{"id": "a", "expected": {"total": 1, "vendor": "x"}}\n{"id": "b"}',
        '{"id": "a", "expected": {"total": 1, "vendor": "x"}}\n{"id": "b", "expected": {"total": 12, "vendor": "Acme Inc"}}',
    ),
    "a line whose object loses a key": (
        "d.jsonl",
        '{"id": "a", "expected": {"total": 1, "vendor": "x"}}\n{"id": "b", "expected": {"total": 10, "vendor": "Acme Inc", "old": 1}}\n',
        '{"id": "a", "expected": {"total": 1, "vendor": "x"}}\n{"id": "b", "expected": {"total": 12, "vendor": "Acme Inc"}}\n',
    ),
    "indented JSON": (
        "d.json",
        '[\n    {"id": "b",\n     "expected": {\n        "total": 10,\n        "vendor": "Acme" } },\n  {"id": "a", "expected": {"total": 1, "vendor": "x"}}\n]\n',
        '[\n    {"id": "b",\n     "expected": {\n        "total": 12,\n        "vendor": "Acme Inc" } },\n  {"id": "a", "expected": {"total": 1, "vendor": "x"}}\n]\n',
    ),
    "YAML with comments": (
        "d.yaml",
        "# the truth\n- id: a\n  expected: {total: 1, vendor: x}\n- id: b   # checked by hand\n  expected:\n    total: 10     # with tax\n    vendor: 'Acme'  # as printed\n\n  # the end\n",
        "# the truth\n- id: a\n  expected: {total: 1, vendor: x}\n- id: b   # checked by hand\n  expected:\n    total: 12     # with tax\n    vendor: 'Acme Inc'  # as printed\n\n  # the end\n",
    ),
    "YAML whose block gets a new key": (
        "d.yaml",
        "- id: b\n  expected:\n    total: 12 # with tax\n  tags: [x]\n- {id: a, expected: {total: 1, vendor: x}}\n",
        "- id: b\n  expected:\n    total: 12 # with tax\n    vendor: Acme Inc\n  tags: [x]\n- {id: a, expected: {total: 1, vendor: x}}\n",
    ),
    "YAML in flow style": (
        "d.yaml",
        "- {id: b, expected: {total: 10}}   # short\n- {id: a, expected: {total: 1, vendor: x}}\n",
        "- {id: b, expected: {total: 12, vendor: Acme Inc}}   # short\n- {id: a, expected: {total: 1, vendor: x}}\n",
    ),
    "YAML without a value": (
        "d.yaml",
        "- id: b\n  expected:\n  tags: [x]\n- {id: a, expected: {total: 1, vendor: x}}\n",
        "- id: b\n  expected: {total: 12, vendor: Acme Inc}\n  tags: [x]\n- {id: a, expected: {total: 1, vendor: x}}\n",
    ),
    "CSV with dotted columns": (
        "d.csv",
        'id;expected.total;"expected.vendor";note\nb;10;"Acme";"a ""b"""\na;1;x;\n',
        'id;expected.total;"expected.vendor";note\nb;12;Acme Inc;"a ""b"""\na;1;x;\n',
    ),
    "CSV with JSON in a cell": (
        "d.csv",
        'id,note,expected\r\na,,"{""total"": 1, ""vendor"": ""x""}"\r\nb,"1\n2","{""total"": 10, ""vendor"": ""Acme""}"\r\n',
        'id,note,expected\r\na,,"{""total"": 1, ""vendor"": ""x""}"\r\nb,"1\n2","{""total"":12,""vendor"":""Acme Inc""}"\r\n',
    ),
}  # fmt: skip


_NEW_KEYS = {
    "lines that end with a carriage return, after a byte order mark",
    "YAML whose block gets a new key",
    "YAML in flow style",
}
"""Forms whose truth has no vendor, so that only --field accepts one."""


@pytest.mark.parametrize("form", _FORMS)
def test_the_whole_answer_becomes_the_truth_and_the_file_keeps_its_form(
    evalctl: Evalctl, write: Write, form: str
) -> None:
    name, before, after = _FORMS[form]
    file = write(name, "")
    file.write_bytes(before.encode())
    write("p.jsonl", lines({"id": "b", "candidate": _ANSWER}, {"id": "a", "candidate": {"total": 1, "vendor": "x"}}))
    write("s.yaml", f"{_EVALUATORS}predictions: p.jsonl\ndataset: {name}\n")
    assert evalctl("run", "s.yaml", "-q", "-o", "r.jsonl", "--exit-zero").returncode == 0
    fields = ("--field", "total", "--field", "vendor") if form in _NEW_KEYS else ()
    done = evalctl("accept", "r.jsonl", "--case", "b", "--yes", *fields)
    assert (done.returncode, done.stderr) == (0, f"written: {name}\n")
    assert file.read_bytes().decode() == after
    assert evalctl("run", "s.yaml", "-q", "-o", "r.jsonl").returncode == 0


def test_inline_cases_are_changed_in_the_suite(evalctl: Evalctl, write: Write) -> None:
    suite = (
        f"# mine\n{_EVALUATORS}cases:\n  - {{expected: {{total: 1}}, candidate: {{total: 1}}}}\n"
        "  - id: b\n    expected: {total: 10, vendor: NO}  # really\n    candidate: {total: 12, vendor: 2025-01-15}\n"
    )
    file = _run(evalctl, write, "s.yaml", suite, suite=suite)
    assert evalctl("accept", "r.jsonl", "--case", "b", "-y").returncode == 0
    assert file.read_text(encoding="utf-8") == suite.replace(
        "{total: 10, vendor: NO}", "{total: 12, vendor: 2025-01-15}"
    )


def test_a_file_of_its_own_is_changed(evalctl: Evalctl, write: Write, tmp_path: Path) -> None:
    write("gold/b.json", '{\n  "total": 10,\n  "vendor": "Acme"\n}\n')
    write("gold/a.json", '{"expected": {"total": 1, "vendor": "x"}}\n')
    _run(evalctl, write, "gold/*.json".replace("*", "a"), '{"expected": {"total": 2, "vendor": "x"}}\n')
    write("s.yaml", f"{_EVALUATORS}predictions: p.jsonl\ndataset: gold/*.json\n")
    evalctl("run", "s.yaml", "-q", "-o", "r.jsonl", "--exit-zero")
    for case in "ab":
        assert evalctl("accept", "r.jsonl", "--case", case, "-y").returncode == 0
    texts = [(tmp_path / f"gold/{name}.json").read_text(encoding="utf-8") for name in "ab"]
    assert texts == [
        '{"expected": {"total": 1, "vendor": "x"}}\n',
        '{\n  "total": 12,\n  "vendor": "Acme Inc"\n}\n',
    ]


_LINE = (
    '{"id": "a", "expected": {"total": 1, "vendor": "x"}}\n{"id": "b", "expected": {"total": 10, "vendor": "Acme"}}\n'
)


def test_the_change_is_shown_first_and_written_only_when_told(evalctl: Evalctl, write: Write) -> None:
    file = _run(evalctl, write, "d.jsonl", _LINE)
    done = evalctl("accept", "r.jsonl", "--case", "b", "--field", "total")
    assert (done.returncode, done.stderr) == (1, "nothing is written; --yes writes it\n")
    assert done.stdout == (
        "total: 10 → 12\n\n--- d.jsonl\n+++ d.jsonl\n@@ -1,2 +1,2 @@\n"
        ' {"id": "a", "expected": {"total": 1, "vendor": "x"}}\n'
        '-{"id": "b", "expected": {"total": 10, "vendor": "Acme"}}\n'
        '+{"id": "b", "expected": {"total": 12, "vendor": "Acme"}}\n'
    )
    assert file.read_text(encoding="utf-8") == _LINE


def test_a_further_reading_joins_those_that_are_accepted(evalctl: Evalctl, write: Write) -> None:
    file = _run(evalctl, write, "d.jsonl", _LINE)
    flags = ("accept", "r.jsonl", "--case", "b", "--field", "vendor", "--reading", "--yes")
    assert evalctl(*flags).returncode == 0
    assert '"vendor": ["Acme", "Acme Inc"]}' in file.read_text(encoding="utf-8")
    evalctl("run", "s.yaml", "-q", "-o", "r.jsonl", "--exit-zero")
    done = evalctl(*flags)
    assert (done.returncode, done.stderr) == (2, 'error: vendor: "Acme Inc" is an accepted reading already\n')


def test_what_passed_in_another_spelling_and_what_nobody_looked_at_stays(evalctl: Evalctl, write: Write) -> None:
    write(
        "p.jsonl",
        lines({"id": "b", "candidate": {"day": "3 Jan 2025", "total": 2, "rows": [4, 3], "new": 1, "more": 5}}),
    )
    comparators = "{day: date, total: exact, rows: {unordered: exact}, more: exact}"
    write(
        "s.yaml",
        f"evaluators: [{{type: object_match, comparators: {comparators}}}]\npredictions: p.jsonl\ndataset: d.jsonl\n",
    )
    row = {"id": "b", "expected": {"day": "2025-01-03", "total": 1, "rows": [3, 4], "left": 7, "more": None}}
    file = write("d.jsonl", lines(row))
    evalctl("run", "s.yaml", "-q", "-o", "r.jsonl", "--exit-zero")
    assert evalctl("accept", "r.jsonl", "--case", "b", "-y").returncode == 0
    accepted = {"day": "2025-01-03", "total": 2, "rows": [3, 4], "left": 7, "more": 5}
    assert json.loads(file.read_text(encoding="utf-8")) == {"id": "b", "expected": accepted}
    assert evalctl("run", "s.yaml", "-q", "-o", "r.jsonl").returncode == 0
    assert evalctl("accept", "r.jsonl", "--case", "b", "--field", "day", "-y").returncode == 0
    assert json.loads(file.read_text(encoding="utf-8"))["expected"]["day"] == "3 Jan 2025"


def test_text_that_holds_json_stays_text(evalctl: Evalctl, write: Write) -> None:
    text = '{"id": "b", "expected": "{\\"total\\": 10}"}\n{"id": "a", "expected": {"total": 1, "vendor": "x"}}\n'
    file = _run(evalctl, write, "d.jsonl", text, 'Here you are: ```json\n{"total": 12}\n```')
    assert evalctl("accept", "r.jsonl", "--case", "b", "-y").returncode == 0
    assert json.loads(file.read_text(encoding="utf-8").splitlines()[0])["expected"] == '{"total":12}'


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        ("--case bb", "r.jsonl: has no row of case 'bb'; did you mean 'b'?"),
        ("--case a", "case 'a': the answer is right already; --field accepts its spelling of a value"),
        ("--case b --target x", "r.jsonl: has no row of case 'b' by target 'x'"),
        ("--case b --field totl", "--field 'totl': the answer has no such value; did you mean 'total'?"),
        ("--case b --field [*].x", "--field '[*].x': must be the path of one value, such as invoice.total"),
        ("--case b --field total --reading", "total: no evaluator takes several readings of it; write `any_of: true`"),
        ("--case b --suite other.yaml", "other.yaml: is the suite 'other'; the results are of 's'"),
    ],
)  # fmt: skip
def test_what_cannot_be_accepted_is_exit_2(evalctl: Evalctl, write: Write, flags: str, message: str) -> None:
    write("other.yaml", f"{_EVALUATORS}cases: [{{expected: {{total: 1, vendor: x}}, candidate: 1}}]\n")
    file = _run(evalctl, write, "d.jsonl", _LINE)
    done = evalctl("accept", "r.jsonl", *flags.split(), "--yes")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"error: {message}")
    assert file.read_text(encoding="utf-8") == _LINE


def test_a_truth_that_changed_since_the_run_is_not_replaced(evalctl: Evalctl, write: Write) -> None:
    _run(evalctl, write, "d.jsonl", _LINE)
    write("d.jsonl", _LINE.replace("10", "11"))
    done = evalctl("accept", "r.jsonl", "--case", "b", "--yes")
    message = "d.jsonl:2: the expected value of case 'b' is not that of the results; run the suite again"
    assert (done.returncode, done.stderr) == (2, f"error: {message}\n")


def test_answers_of_several_targets_need_a_choice(evalctl: Evalctl, write: Write) -> None:
    file = _run(evalctl, write, "d.jsonl", _LINE)
    evalctl("run", "s.yaml", "-q", "-o", "r.jsonl", "--exit-zero", "--predictions", "x=p.jsonl", "--predictions", "y=p.jsonl")  # fmt: skip
    done = evalctl("accept", "r.jsonl", "--case", "b", "--yes")
    message = "r.jsonl: case 'b' has several rows (s · x, s · y); choose one with --target"
    assert (done.returncode, done.stderr) == (2, f"error: {message}\n")
    assert evalctl("accept", "r.jsonl", "--case", "b", "--yes", "--target", "y").returncode == 0
    assert '"total": 12' in file.read_text(encoding="utf-8")


def test_rows_without_data_have_no_answer_to_accept(evalctl: Evalctl, write: Write) -> None:
    _run(evalctl, write, "d.jsonl", _LINE)
    evalctl("run", "s.yaml", "-q", "-o", "r.jsonl", "--exit-zero", "--no-data")
    done = evalctl("accept", "r.jsonl", "--case", "b", "--yes")
    assert (done.returncode, done.stderr) == (2, "error: r.jsonl: case 'b' has no answer in these results\n")


@pytest.mark.parametrize(
    "text",
    [
        "- {id: a, expected: &x {total: 10, vendor: Acme}}\n- {id: b, expected: *x}\n",
        "- &x {id: a, expected: {total: 10, vendor: Acme}}\n- {<<: *x, id: b}\n",
    ],
)
def test_a_truth_that_cases_share_is_left_alone(evalctl: Evalctl, write: Write, text: str) -> None:
    file = _run(evalctl, write, "d.yaml", text)
    done = evalctl("accept", "r.jsonl", "--case", "b", "--yes")
    message = "d.yaml:2: cannot be changed in place, because of the way it is written; change it by hand"
    assert (done.returncode, done.stderr, file.read_text(encoding="utf-8")) == (2, f"error: {message}\n", text)


@pytest.mark.parametrize(
    ("miss", "accepted"),
    [
        ("$", {"vendor": {"name": "y", "city": "b"}}),
        ("vendor", {"vendor": {"name": "y", "city": "b"}}),
        ("vendor (type mismatch)", {"vendor": {"name": "y", "city": "b"}}),
        ("vendor.name", {"vendor": {"name": "y", "city": "a"}}),
    ],
)
def test_an_object_that_is_wrong_as_one_value_is_accepted_whole(miss: str, accepted: Any) -> None:
    result = {"hits": [], "misses": [miss], "details": {"mismatches": [{"path": "x"}]}}
    row: Any = {"evaluator_results": [result]}
    expected, answer = {"vendor": {"name": "x", "city": "a"}}, {"vendor": {"name": "y", "city": "b"}}
    assert accept_whole(expected, answer, Findings(row)) == accepted
