"""`evalctl init --from`: cases, folders, schemas and models become a suite that runs."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Evalctl
from rows import lines

from agentv_py.errors import UserError
from agentv_py.suite.draft import draft_suite

Write = Callable[[str, Any], Path]

_ROWS: list[dict[str, Any]] = [
    {"id": "a", "expected": {"invoice_id": "A-1", "total": 10.5}, "candidate": {"invoice_id": "A-1", "total": "10.50"}},
    {"id": "b", "expected": {"invoice_id": "A-2", "total": 20.25}, "candidate": {"invoice_id": "A-2", "total": 99}},
]
_SCHEMA = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "properties": {
        "number": {"type": "string", "examples": ["INV-7"]},
        "issued": {"type": "string", "format": "date"},
        "rows": {"type": "array", "items": {"$ref": "#/$defs/row"}},
    },
    "$defs": {"row": {"properties": {"sku": {"type": "string"}, "parts": {"items": {"$ref": "#/$defs/row"}}}}},
}


def _write_rows(write: Write, *without: str) -> None:
    rows = [{key: value for key, value in row.items() if key not in without} for row in _ROWS]
    write("data/cases.jsonl", "".join(json.dumps(row) + "\n" for row in rows))


def test_cases_with_answers_become_a_suite_that_runs(evalctl: Evalctl, write: Write, tmp_path: Path) -> None:
    _write_rows(write)
    done = evalctl("init", "evals", "--from", "data/cases.jsonl")
    assert (done.returncode, done.stderr.splitlines()[:1]) == (0, [done.stderr.splitlines()[0]])
    assert "total  expected 20.25  got 99" in done.stdout
    assert (tmp_path / "evals/suite.yaml").read_text(encoding="utf-8").splitlines()[3:] == [
        "name: cases",
        "dataset: ../data/cases.jsonl                                  # 2 cases",
        "evaluators:",
        "  - type: object_match",
        "    comparators:",
        "      invoice_id: exact                                       # ends in 'id', all different",
        "      total: {match: numeric_tolerance, tolerance: 0.005}     # 2 numbers, 2 decimals",
    ]
    assert evalctl("validate", "--strict", "evals/suite.yaml").returncode == 0


def test_cases_without_answers_become_a_suite_that_says_what_to_add(evalctl: Evalctl, write: Write) -> None:
    _write_rows(write, "candidate")
    done = evalctl("init", "--from", "data/cases.jsonl")
    assert (done.returncode, done.stderr) == (0, "")
    assert "suite.yaml: valid, but its cases have no answers yet." in done.stdout
    write("answers.jsonl", '{"id": "a", "candidate": {}}\n{"id": "b", "candidate": {}}\n')
    done = evalctl("init", "other", "--from", "data/cases.jsonl", "--predictions", "answers.jsonl")
    assert done.returncode == 0
    assert "0 passed" in done.stdout


def test_a_suite_that_is_not_valid_leaves_nothing_behind(evalctl: Evalctl, write: Write, tmp_path: Path) -> None:
    _write_rows(write, "candidate")
    write("wrong.jsonl", '{"id": "z", "candidate": {}}\n')
    write("used/notes.txt", "mine")
    for folder in ("new/deep", "used"):
        done = evalctl("init", folder, "--from", "data/cases.jsonl", "--predictions", "wrong.jsonl")
        assert (done.returncode, done.stderr.splitlines()) == (2, [
            f"removed {folder}/suite.yaml: it is not valid",
            "error: wrong.jsonl: the only prediction is for no case; "
            "the first prediction is for 'z', the first case is 'a'",
        ])  # fmt: skip
    assert sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*")) == [
        "data", "data/cases.jsonl", "used", "used/notes.txt", "wrong.jsonl",
    ]  # fmt: skip


def test_two_folders_are_joined_on_the_names_of_their_files(evalctl: Evalctl, write: Write, tmp_path: Path) -> None:
    for row in _ROWS:
        write(f"gold/{row['id']}.json", json.dumps(row["expected"]))
        write(f"out/{row['id']}.json", json.dumps(row["candidate"]))
    done = evalctl("init", "--from", "gold/", "--predictions", "out")
    assert (done.returncode, "1 passed" in done.stdout) == (0, True), done.stderr
    text = (tmp_path / "suite.yaml").read_text(encoding="utf-8")
    assert "name: gold\ndataset: gold/ " in text
    assert "predictions: out/\n" in text


@pytest.mark.parametrize(
    ("expected", "answers", "written"),
    [
        (["2025-06-26", "2025-04-05"], ["26/06/2025", "05/04/2025"], "{match: date, day_first: true}, answers"),
        (["2025-06-26", "2025-04-05"], ["06/26/2025", "04/05/2025"], "date, "),
        (["2025-06-26", "2025-04-25"], ["26/06/2025", "04/25/2025"], "date, both"),
        (["2025-06-26", "2025-04-05"], ["99/01/2025", "x"], "date, "),
        (["06/26/2025", "04/05/2025"], ["26/06/2025", "05/04/2025"], "date, month"),
        (["05/04/2025", "06/07/2025"], ["05/04/2025", "16/07/2025"], "{match: date, day_first: true}, answers"),
    ],
)
def test_answers_show_the_order_of_day_and_month_where_expected_dates_do_not(
    write: Write, tmp_path: Path, expected: list[str], answers: list[str], written: str
) -> None:
    rows = [{"id": str(n), "expected": {"on": [{"date": day}]}} for n, day in enumerate(expected)]
    gold = write("gold.jsonl", lines(*rows))
    out = [{"id": str(n), "candidate": json.dumps({"on": [{"date": day}]})} for n, day in enumerate(answers)]
    predictions = write("out.jsonl", lines(*out, {"id": "9", "candidate": "no JSON"}))
    inline = write("inline.jsonl", lines(*(row | answer for row, answer in zip(rows, out, strict=False))))
    comparator, _, reason = written.rpartition(", ")
    reasons = {
        "answers": "2 dates; answers have the day first",
        "month": "2 dates, the month first; answers have the day first, so a swap may go unseen",
        "both": "2 dates; answers have the day first and the month first, so a swap may go unseen",
        "": "2 dates",
    }
    for source, files in ((gold, [str(predictions)]), (inline, [])):
        text = draft_suite(str(source), files, str(tmp_path)).files["suite.yaml"]
        [line] = [line for line in text.splitlines() if " date: " in line]
        assert [part.strip() for part in line.split("  # ")] == [f"date: {comparator}", reasons[reason]]


def test_a_schema_becomes_a_suite_with_one_example(evalctl: Evalctl, write: Write, tmp_path: Path) -> None:
    write("invoice.schema.json", json.dumps(_SCHEMA))
    done = evalctl("init", "--from", "invoice.schema.json")
    assert (done.returncode, "1 passed" in done.stdout) == (0, True), done.stderr
    row = json.loads((tmp_path / "cases.jsonl").read_text(encoding="utf-8"))
    assert row["expected"] == {"number": "INV-7", "issued": "2025-01-15", "rows": [{"sku": "text", "parts": []}]}
    assert evalctl("init", "--from", "invoice.schema.json").stderr == (
        "error: suite.yaml: exists already; name another folder\n"
    )


@pytest.mark.parametrize("kind", ["(BaseModel)", ""])
def test_a_model_becomes_the_suite_of_its_schema(evalctl: Evalctl, write: Write, tmp_path: Path, kind: str) -> None:
    head = "from pydantic import BaseModel\n" if kind else "from dataclasses import dataclass\n@dataclass\n"
    write(
        "app.py",
        f"from datetime import date\n{head}class Order{kind}:\n    order_id: str\n    due: date\n    total: float\n",
    )
    done = evalctl("init", "evals", "--from", "app:Order")
    assert (done.returncode, "1 passed" in done.stdout) == (0, True), done.stderr
    text = (tmp_path / "evals/suite.yaml").read_text(encoding="utf-8")
    assert "name: Order\n" in text
    assert "due: date                                               # format date\n" in text


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("none.jsonl", "none.jsonl: does not exist"),
        ("bad.jsonl", "bad.jsonl:2: "),
        ("other.jsonl", "'expected' value, so there is nothing to compare with; rename 'ground_truth' to 'expected'"),
        ("out.schema.json", "out.schema.json: has a $ref 'x.json' that leads out of the file"),
        ("empty.schema.json", "empty.schema.json: is not a JSON Schema of answers"),
        ("torn.schema.json", "torn.schema.json: is not valid JSON"),
        ("nowhere.models:Invoice", "'nowhere.models' cannot be imported"),
        ("app:Ordr", "app has no 'Ordr'; did you mean 'Order'?"),
        ("app:value", "is no pydantic model or dataclass"),
        ("suite.old.yaml", "suite.old.yaml: is a suite already; name its dataset"),
        ("folder", "folder: is a folder without .json files"),
    ],
)
def test_a_wrong_source_is_an_error_and_nothing_is_written(
    evalctl: Evalctl, write: Write, tmp_path: Path, source: str, message: str
) -> None:
    write("bad.jsonl", '{"expected": {}}\nx\n')
    write("other.jsonl", '{"ground_truth": {}}\n')
    write("out.schema.json", '{"properties": {"a": {"$ref": "x.json"}}}')
    write("empty.schema.json", "{}")
    write("torn.schema.json", "{")
    write("app.py", "class Order:\n    pass\nvalue = object()\n")
    write("suite.old.yaml", "cases: []\n")
    write("folder/a.txt", "")
    done = evalctl("init", "new", "--from", source)
    assert done.returncode == 2
    assert message in done.stderr
    assert not (tmp_path / "new").exists()


def test_predictions_alone_are_an_error(evalctl: Evalctl) -> None:
    done = evalctl("init", "--predictions", "a.jsonl")
    assert (done.returncode, done.stderr) == (2, "error: --predictions needs --from: the cases that they answer\n")


def test_several_files_of_answers_are_a_recorded_target_each(evalctl: Evalctl, write: Write, tmp_path: Path) -> None:
    _write_rows(write, "candidate")
    for name in ("a", "b"):
        write(f"{name}.jsonl", lines(*({"id": row["id"], "candidate": row["candidate"]} for row in _ROWS)))
    done = evalctl(
        "init", "mine", "--from", "data/cases.jsonl", "--predictions", "a.jsonl", "--predictions", "other=b.jsonl"
    )
    assert (done.returncode, " · 2 cases × 2 targets" in done.stdout) == (0, True), done.stderr
    assert (tmp_path / "mine/suite.yaml").read_text(encoding="utf-8").splitlines()[5:9] == [
        "targets:",
        "  - {name: a, type: recorded, predictions: ../a.jsonl}",
        "  - {name: other, type: recorded, predictions: ../b.jsonl}",
        "evaluators:",
    ]


@pytest.mark.parametrize(
    ("files", "problem"),
    [
        (["x/a.jsonl", "y/a.jsonl"], "two targets are named 'a'; name one with --predictions NAME=FILE"),
        (["x/a.jsonl", "*.jsonl"], "'*.jsonl' gives no name; write NAME=*.jsonl"),
    ],
)
def test_files_of_answers_need_a_name_each(files: list[str], problem: str) -> None:
    with pytest.raises(UserError) as error:
        draft_suite("cases.jsonl", files, ".")
    assert str(error.value) == f"--predictions: {problem}"


def test_many_cases_are_sampled_and_the_suite_says_so(write: Write, tmp_path: Path) -> None:
    rows = [
        {"id": str(n), "expected": {"a": n, "rows": [{"sku": "x"}, {"sku": "y"}], "note": None}} for n in range(5200)
    ]
    write("cases.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    text = draft_suite(str(tmp_path / "cases.jsonl"), (), str(tmp_path)).files["suite.yaml"]
    reasons = [line.partition("  # ")[2] for line in text.splitlines() if "  # " in line]
    assert reasons == [
        "5,200 cases; the reasons below are from the first 5,000 and then every 50th",
        "5,004 whole numbers",
        "sku is unique in every list in the cases looked at",
        "2 different values in 10,008",
        "always empty in the cases looked at, so any answer is invented",
    ]


def test_a_folder_of_folders_is_read_without_them_and_that_is_said(evalctl: Evalctl, write: Write) -> None:
    write("gold/a.json", {"total": 1})
    write("gold/sub/b.json", {"total": 2})
    write("s.yaml", "dataset: gold\npredictions: gold/\nevaluators: [{type: object_match, default: auto}]\n")
    said = (
        "'gold/sub/b.json' is not read: only the .json files in 'gold/' itself are; 'gold/**/*.json' names all of them"
    )
    assert f"warning: suite.yaml:5:10: dataset: {said}\n" in evalctl("init", "--from", "gold/").stderr
    done = evalctl("validate", "s.yaml")
    assert f"warning: s.yaml:2:14: predictions: {said}\n" in done.stderr
    assert (done.returncode, done.stderr.count("is not read"), "1 case" in done.stdout) == (0, 2, True)


def test_git_ignores_what_evalctl_keeps(evalctl: Evalctl, tmp_path: Path) -> None:
    evalctl("init", "demo")
    evalctl("run", "demo/suite.yaml")
    for folder in (tmp_path, tmp_path / "demo"):
        assert (folder / ".evalctl/.gitignore").read_text(encoding="utf-8").splitlines()[-1] == "*"


def test_files_without_rows_are_named(evalctl: Evalctl, write: Write, tmp_path: Path) -> None:
    _write_rows(write, "candidate")
    write("empty.jsonl", "\n")
    assert evalctl("init", "--from", "empty.jsonl").stderr == "error: empty.jsonl: holds no row\n"
    done = evalctl("init", "--from", "data/cases.jsonl", "--predictions", "empty.jsonl")
    assert (done.returncode, done.stderr.splitlines()[1:]) == (2, ["error: empty.jsonl: holds no row"])
    assert not (tmp_path / "suite.yaml").exists()


def test_rows_without_an_expected_value_hear_how_to_name_it(evalctl: Evalctl, write: Write) -> None:
    write("gold.csv", "id,total\na,1.5\n")
    write("gold.jsonl", '{"id": "a", "total": 1.5}\n')
    what = "no case has an 'expected' value, so there is nothing to compare with"
    way_out = 'name a column "expected.total", or write objects {"id": ..., "expected": {"total": ...}}'
    for file in ("gold.csv", "gold.jsonl"):
        done = evalctl("init", "--from", file)
        assert (done.returncode, done.stderr) == (2, f"error: {file}: {what}; {way_out}\n")
