"""Figures by tag and metadata value, in every command and every format."""

import csv
import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import jsonschema
import pytest
from conftest import Evalctl
from rows import SCHEMA, lines, row

Write = Callable[[str, Any], Path]

_FORMATS = ("console", "markdown", "json", "csv", "junit", "html")
_LONG = "v" * 200
_METRICS = {
    1.0: {"total": {"tp": 1, "tn": 0, "fp": 0, "fn": 0}},
    0.0: {"total": {"tp": 0, "tn": 0, "fp": 1, "fn": 1}},
}


def _row(number: int, score: float, vendor: str, **more: Any) -> dict[str, Any]:
    metadata = {"vendor": vendor, "page": {"count": number % 2}}
    scored = row(f"c{number}", score, metadata=metadata, tags=["scan"] if number % 3 else [], **more)
    scored["evaluator_results"][0]["details"] = {"metrics": _METRICS[score]}
    return scored


def _rows(weak: float = 0.0, **more: Any) -> list[dict[str, Any]]:
    """Twenty right cases of acme, twelve of hooli that are wrong, and three of a vendor with a long name."""
    vendors = ["acme"] * 20 + ["hooli"] * 12 + [_LONG] * 3
    return [_row(n, weak if vendor == "hooli" else 1.0, vendor, **more) for n, vendor in enumerate(vendors)]


def _report(evalctl: Evalctl, *arguments: str) -> Any:
    done = evalctl(*arguments, "--format", "json")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    jsonschema.Draft202012Validator(SCHEMA).validate(report)
    return report


def test_a_slice_has_its_cases_figures_and_f1_and_the_weakest_is_named(evalctl: Evalctl, write: Write) -> None:
    write("r.jsonl", lines(*_rows()))
    [table] = _report(evalctl, "report", "r.jsonl", "--slice", "metadata.vendor")["slices"]
    assert [(one["value"], one["cases"], one["too_few"], one["worse"]) for one in table["slices"]] == [
        ("hooli", 12, False, True), ("acme", 20, False, False), (_LONG, 3, True, False),
    ]  # fmt: skip
    hooli, _, few = table["slices"]
    assert (hooli["pass_rate"]["value"], hooli["f1"], few["pass_rate"], few["mean_score"], few["f1"]) == (
        0.0, {"e": {"total": None}}, None, None, {},
    )  # fmt: skip
    assert (table["weakest"]["value"], table["weakest"]["figure"], table["weakest"]["rest"]) == (
        "hooli", "pass_rate", 1.0,
    )  # fmt: skip
    assert (table["by"], table["min_cases"], table["values"], table["cases_without"]) == ("metadata.vendor", 10, 3, 0)


def test_tags_lists_numbers_and_nested_metadata_are_slices(evalctl: Evalctl, write: Write) -> None:
    write("r.jsonl", lines(*_rows()))
    flags = ("--slice", "tags", "--slice", "metadata.page.count", "--min-cases", "2")
    tags, counts = _report(evalctl, "report", "r.jsonl", *flags)["slices"]
    assert [(one["value"], one["cases"]) for one in tags["slices"]] == [("scan", 23)]
    assert tags["cases_without"] == 12
    assert {one["value"]: one["cases"] for one in counts["slices"]} == {"0": 18, "1": 17}


def test_chance_alone_names_no_slice(evalctl: Evalctl, write: Write) -> None:
    scores = [float(n % 5 > 0) for n in range(40)]
    write("r.jsonl", lines(*(_row(n, score, "abcd"[n // 10]) for n, score in enumerate(scores))))
    [table] = _report(evalctl, "report", "r.jsonl", "--slice", "metadata.vendor")["slices"]
    assert table["weakest"] is None
    assert not any(one["worse"] for one in table["slices"])


@pytest.mark.parametrize("columns", ["80", "140"])
def test_a_value_of_200_characters_breaks_no_terminal(evalctl: Evalctl, write: Write, columns: str) -> None:
    write("r.jsonl", lines(*_rows()))
    for command in (("report", "r.jsonl"), ("diff", "r.jsonl", "r.jsonl"), ("trend", "r.jsonl")):
        text = evalctl(*command, "--slice", "metadata.vendor", "--min-cases", "1", COLUMNS=columns).stdout
        assert max(map(len, text.splitlines())) <= int(columns)
        assert "vvvv" in text
        assert "hooli" in text


def test_every_format_shows_slices(evalctl: Evalctl, write: Write) -> None:
    write("r.jsonl", lines(*_rows()))
    texts = {
        form: evalctl("report", "r.jsonl", "--slice", "metadata.vendor", "--format", form).stdout for form in _FORMATS
    }
    assert re.search(r"^ hooli ↓ +12 +0\.0% \(0\.0 to 24\.2\) +0\.000 \(", texts["console"], re.MULTILINE)
    assert re.search(r"^ v+… +3 +too few +too few$", texts["console"], re.MULTILINE)
    assert texts["console"].count("too few: fewer than ") == 1
    weakest = "weakest slice: metadata.vendor = hooli: pass rate 0.0% against 100.0% of all other cases"
    assert weakest in " ".join(texts["console"].split())
    assert weakest in evalctl("report", "r.jsonl", "--slice", "metadata.vendor", "--format", "brief").stdout
    assert "| hooli ↓ | 12 | 0.0% (0.0 to 24.2) |" in texts["markdown"]
    properties = {one.attrib["name"]: one.attrib["value"] for one in ET.fromstring(texts["junit"]).iter("property")}
    assert properties["slice.metadata.vendor = hooli"] == "12 cases: 0.0% (0.0 to 24.2)"
    cells = [line for line in csv.DictReader(io.StringIO(texts["csv"])) if line["type"] == "slice"]
    assert [(line["path"], line["outcome"], line["actual"], line["note"]) for line in cells[:1]] == [
        ("metadata.vendor = hooli", "pass_rate", "0.0", "12 cases, 0.0000 to 0.2425, worse than all other cases"),
    ]
    assert '"by":"metadata.vendor"' in texts["html"]


def test_tags_and_metadata_are_columns_of_the_csv(evalctl: Evalctl, write: Write) -> None:
    write("r.jsonl", lines(*_rows()))
    write("s.jsonl", lines(*_rows(1.0)))
    first = next(csv.DictReader(io.StringIO(evalctl("report", "r.jsonl", "--format", "csv").stdout)))
    assert (first["tags"], first["metadata.vendor"], first["metadata.page"]) == ("", "acme", '{"count":0}')
    head = evalctl("diff", "r.jsonl", "s.jsonl", "--format", "csv").stdout.splitlines()[0]
    assert head.endswith(",tags,metadata.vendor,metadata.page")


def test_a_key_with_10_000_values_floods_no_format(evalctl: Evalctl, write: Write) -> None:
    write("r.jsonl", lines(*(row(f"c{n}", 1.0, metadata={"vendor": f"vendor-{n}"}) for n in range(10_000))))
    table = _report(evalctl, "report", "r.jsonl", "--slice", "metadata.vendor")["slices"][0]
    assert (len(table["slices"]), table["values"], table["omitted"], table["cases_beyond"]) == (100, 1_000, 900, 9_000)
    text = evalctl("report", "r.jsonl", "--slice", "metadata.vendor").stdout
    assert "and 997 more slices with fewer than 10 cases" in text
    assert "9,000 cases of values beyond the first 1,000 are in no slice" in text
    markdown = evalctl("report", "r.jsonl", "--slice", "metadata.vendor", "--format", "markdown").stdout
    assert max(text.count("vendor-"), markdown.count("vendor-")) < 60
    changes = evalctl("diff", "r.jsonl", "r.jsonl", "--slice", "metadata.vendor").stdout
    assert changes.count("vendor-") < 20


def test_targets_are_never_added_up(evalctl: Evalctl, write: Write) -> None:
    write("r.jsonl", lines(*_rows(target="a"), *_rows(1.0, target="b")))
    tables = _report(evalctl, "report", "r.jsonl", "--slice", "metadata.vendor")["slices"]
    assert [(table["target"], table["slices"][0]["value"], table["slices"][0]["passed"]) for table in tables] == [
        ("a", "hooli", 0), ("b", "acme", 20),
    ]  # fmt: skip
    changes = _report(evalctl, "diff", "r.jsonl", "r.jsonl", "--slice", "metadata.vendor")["slices"]
    assert [table["target"] for table in changes] == ["a", "b"]


def test_a_diff_counts_broken_and_fixed_per_slice(evalctl: Evalctl, write: Write) -> None:
    write("old.jsonl", lines(*_rows(1.0)))
    write("new.jsonl", lines(*_rows(0.0)))
    [table] = _report(evalctl, "diff", "old.jsonl", "new.jsonl", "--slice", "metadata.vendor")["slices"]
    assert [(one["value"], one["broken"], one["fixed"], one["worse"], one["too_few"]) for one in table["slices"]] == [
        ("hooli", 12, 0, True, False), ("acme", 0, 0, False, False), (_LONG, 0, 0, False, True),
    ]  # fmt: skip
    hooli = table["slices"][0]
    assert (hooli["mean_score"]["delta"], hooli["pass_rate"]["delta"], hooli["mean_score"]["high"] < 0) == (
        -1,
        -1,
        True,
    )
    text = evalctl("diff", "old.jsonl", "new.jsonl", "--slice", "metadata.vendor").stdout
    assert re.search(r"^ hooli +12 +12 +0 +-100\.0 pp +-1\.000 +\S+$", text, re.MULTILINE)
    markdown = evalctl("diff", "old.jsonl", "new.jsonl", "--slice", "metadata.vendor", "--format", "markdown").stdout
    assert "| hooli ↓ | 12 | 12 | 0 | -100.0 pp |" in markdown


def test_a_trend_has_a_line_per_slice(evalctl: Evalctl, write: Write) -> None:
    for day, weak in enumerate((1.0, 1.0, 0.0)):
        write(f"{day}.jsonl", lines(*_rows(weak, timestamp=f"2026-01-0{day + 1}")))
    files = [f"{day}.jsonl" for day in range(3)]
    [series] = _report(evalctl, "trend", *files, "--slice", "metadata.vendor")["series"]
    assert [(one["value"], one["mean_scores"]) for one in series["slices"]] == [
        ("hooli", [1.0, 1.0, 0.0]), ("acme", [1.0, 1.0, 1.0]),
    ]  # fmt: skip
    for form in ("console", "markdown"):
        text = evalctl("trend", *files, "--slice", "metadata.vendor", "--format", form).stdout
        assert re.search(r"hooli.* 1\.000 .*0\.000 .*-0\.5000", text)


@pytest.mark.parametrize("command", [("report", "r.jsonl"), ("diff", "r.jsonl", "r.jsonl"), ("trend", "r.jsonl")])
def test_a_key_that_no_row_has_is_refused(evalctl: Evalctl, write: Write, command: tuple[str, ...]) -> None:
    write("r.jsonl", lines(*_rows()))
    done = evalctl(*command, "--slice", "metadata.vendr", "--slice", "metadata.page.cuont")
    assert (done.returncode, done.stderr) == (
        2,
        "error: --slice: no case has a value of 'metadata.vendr'; did you mean 'metadata.vendor'?\n"
        "error: --slice: no case has a value of 'metadata.page.cuont'; did you mean 'metadata.page.count'?\n",
    )
    done = evalctl(*command, "--slice", "vendor", "--slice", "tag", "--slice", "metadata.")
    assert (done.returncode, done.stderr) == (
        2,
        "error: --slice 'vendor' is not a slice key; did you mean 'metadata.vendor'?\n"
        "error: --slice 'tag' is not a slice key; did you mean 'tags'?\n"
        "error: --slice 'metadata.' is not a slice key; valid: tags, metadata.PATH\n",
    )


_SUITE = """
name: s
slices: {slices}
evaluators: [{{type: field_accuracy, fields: [{{path: a}}]}}]
dataset: cases.jsonl
"""


def _write_cases(write: Write) -> None:
    cases = (
        {"id": f"c{n}", "expected": {"a": 1}, "candidate": {"a": n % 2}, "vendor": "odd" if n % 2 else "even"}
        for n in range(40)
    )
    write("cases.jsonl", lines(*cases))


def test_a_run_breaks_down_by_what_the_suite_and_the_command_name(evalctl: Evalctl, write: Write) -> None:
    _write_cases(write)
    write("s.yaml", _SUITE.format(slices="[{by: metadata.vendor, min_cases: 21}]"))
    done = evalctl("run", "s.yaml", "-o", "r.jsonl", "--format", "json")
    [table] = json.loads(done.stdout)["slices"]
    assert [(one["value"], one["cases"], one["too_few"]) for one in table["slices"]] == [
        ("even", 20, True), ("odd", 20, True),
    ]  # fmt: skip
    done = evalctl("run", "s.yaml", "-o", "r.jsonl", "--min-cases", "5", "-j", "2", "--format", "json")
    [table] = json.loads(done.stdout)["slices"]
    assert (table["weakest"]["value"], table["weakest"]["rest"]) == ("even", 1.0)
    resumed = evalctl("run", "s.yaml", "-o", "r.jsonl", "--resume", "--min-cases", "5", "--format", "json")
    assert json.loads(resumed.stdout)["slices"] == [table]
    reported = evalctl("report", "r.jsonl", "--slice", "metadata.vendor", "--min-cases", "5", "--format", "json")
    assert json.loads(reported.stdout)["slices"] == [table]


@pytest.mark.parametrize(
    ("slices", "error"),
    [("[tags, metadata.vendr]", "s.yaml:3:16: slices[1]: no case has a value of 'metadata.vendr'; did you mean "
      "'metadata.vendor'?"),
     ("[vendor]", "s.yaml:3:10: slices[0]: 'vendor' is not a slice key; did you mean 'metadata.vendor'?"),
     ("[metadata.vendor, metadata.vendor]", "s.yaml:3:9: slices: 'metadata.vendor' is listed twice"),
     ("[{by: metadata.vendor, min_case: 3}]", "s.yaml:3:32: slices[0].min_case: unknown key 'min_case'; did you mean 'min_cases'?")],
)  # fmt: skip
def test_a_wrong_slice_of_a_suite_is_an_error_at_its_line(
    evalctl: Evalctl, write: Write, slices: str, error: str
) -> None:
    _write_cases(write)
    write("s.yaml", _SUITE.format(slices=slices))
    done = evalctl("run", "s.yaml", "-q")
    assert done.returncode == 2
    assert f"error: {error}" in done.stderr.splitlines()


def test_a_run_refuses_a_slice_that_no_case_has_before_anything_runs(
    evalctl: Evalctl, write: Write, tmp_path: Path
) -> None:
    _write_cases(write)
    write("s.yaml", _SUITE.format(slices="metadata.vendor"))
    done = evalctl("run", "s.yaml", "-o", "r.jsonl", "--slice", "metadata.vndor")
    assert (done.returncode, done.stderr) == (
        2,
        "error: s.yaml: --slice: no case has a value of 'metadata.vndor'; did you mean 'metadata.vendor'?\n",
    )
    assert not (tmp_path / "r.jsonl").exists()
