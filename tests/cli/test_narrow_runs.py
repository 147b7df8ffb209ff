"""Runs of some cases: what they write, what they say, and what later commands know about them."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Evalctl
from rows import lines, row

from agentv_py import run_suite

Write = Callable[[str, Any], Path]

_EVALUATORS = "evaluators: [{type: object_match, comparators: {a: exact}}]\n"


def _write_rows(write: Write, name: str = "s", extra: str = "") -> None:
    rows = [
        {"id": f"c{n}", "expected": {"a": n}, "candidate": {"a": n % 4}, "vendor": ("acme", "globex")[n % 2]}
        for n in range(10)
    ]
    write(f"{name}.jsonl", "".join(f"{json.dumps(row)}\n" for row in rows))
    write(f"{name}.yaml", f"{_EVALUATORS}dataset: {name}.jsonl\n{extra}")


def _read(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def test_the_number_of_cases_and_the_flags_are_said_and_kept_in_every_row(
    evalctl: Evalctl, write: Write, tmp_path: Path
) -> None:
    _write_rows(write, extra="split: {train: 0.5, test: 0.5}\n")
    flags = ("--split", "train", "--where", "metadata.vendor=acme", "--limit", "2")
    done = evalctl("run", "s.yaml", *flags, "-o", "r.jsonl", "--exit-zero")
    said = "2 of 10 cases: --split train, --where metadata.vendor=acme, --limit 2"
    assert done.stderr == f"{said}\nresults: r.jsonl\n"
    assert done.stdout.splitlines()[1:3] == [" s · 2 cases", f" {said}"]
    selection = {"cases": 2, "of": 10, "flags": "--split train, --where metadata.vendor=acme, --limit 2"}
    assert [row["selection"] for row in _read(tmp_path / "r.jsonl")] == [selection] * 2
    report = json.loads(evalctl("report", "r.jsonl", "--format", "json").stdout)
    assert report["selections"] == [{"suite": "s"} | selection]
    assert f"\n· {said}\n" in evalctl("report", "r.jsonl", "--format", "markdown").stdout
    assert said in evalctl("report", "r.jsonl", "--format", "html").stdout
    assert "of 10" not in evalctl("run", "s.yaml", "-q", "--limit", "1", "-o", "q.jsonl").stderr


def test_later_commands_know_that_runs_are_of_other_selections(evalctl: Evalctl, write: Write, tmp_path: Path) -> None:
    _write_rows(write)
    evalctl("run", "s.yaml", "-o", "all.jsonl", "--exit-zero")
    done = evalctl("run", "s.yaml", "--failed-from", "all.jsonl", "-o", "failed.jsonl", "--exit-zero")
    assert done.stderr == "6 of 10 cases: --failed-from all.jsonl\nresults: failed.jsonl\n"
    every, failed = _read(tmp_path / "all.jsonl"), _read(tmp_path / "failed.jsonl")
    assert [row["case_id"] for row in failed] == ["c4", "c5", "c6", "c7", "c8", "c9"]
    assert not any("selection" in row for row in every)
    assert {row["fingerprint"] for row in failed} < {row["fingerprint"] for row in every}
    sentence = "the baseline of all cases, the candidate of 6 of 10 cases: --failed-from all.jsonl"
    assert sentence in " ".join(evalctl("diff", "all.jsonl", "failed.jsonl", COLUMNS="200").stdout.split())
    assert "other selections" not in evalctl("diff", "failed.jsonl", "failed.jsonl").stdout
    done = evalctl("trend", "all.jsonl", "failed.jsonl", "--format", "json")
    assert "failed.jsonl: its run of 's' is of another selection" in done.stderr
    assert [run["file"] for run in json.loads(done.stdout)["series"][0]["runs"]] == ["all.jsonl"]
    done = evalctl("run", "s.yaml", "--limit", "3", "-o", "failed.jsonl", "--resume")
    assert (done.returncode, "case 'c4', which is not selected" in done.stderr) == (2, True)
    evalctl("run", "s.yaml", "-o", "failed.jsonl", "--resume", "--exit-zero")
    assert [row["case_id"] for row in _read(tmp_path / "failed.jsonl")] == [f"c{n}" for n in range(10)]
    assert "of 10 cases" not in evalctl("report", "failed.jsonl").stdout


def test_a_case_that_did_not_pass_for_any_target_runs_for_all_of_them(evalctl: Evalctl, write: Write) -> None:
    _write_rows(write)
    write("good.jsonl", "".join(f'{{"id": "c{n}", "candidate": {{"a": {n}}}}}\n' for n in range(10)))
    write("bad.jsonl", "".join(f'{{"id": "c{n}", "candidate": {{"a": 9}}}}\n' for n in range(10)))
    answers = ("--predictions", "good.jsonl", "--predictions", "bad.jsonl")
    evalctl("run", "s.yaml", *answers, "-o", "r.jsonl", "-q")
    done = evalctl("run", "s.yaml", *answers, "--failed-from", "r.jsonl", "-o", "f.jsonl", "-q", "--format", "json")
    assert done.returncode == 1
    done = evalctl("run", "s.yaml", *answers, "--failed-from", "r.jsonl", "-o", "f.jsonl")
    assert done.stderr.startswith("9 of 10 cases: --failed-from r.jsonl\n")


def test_a_torn_line_of_earlier_results_is_said(evalctl: Evalctl, write: Write, tmp_path: Path) -> None:
    _write_rows(write)
    evalctl("run", "s.yaml", "-o", "r.jsonl", "-q")
    rows = (tmp_path / "r.jsonl").read_text(encoding="utf-8")
    (tmp_path / "r.jsonl").write_text(rows[:-20], encoding="utf-8")
    done = evalctl("run", "s.yaml", "--failed-from", "r.jsonl", "-o", "f.jsonl")
    said = "warning: r.jsonl:10: the last line is torn, and left out\n5 of 10 cases: --failed-from r.jsonl\n"
    assert done.stderr.startswith(said)


def test_suites_that_lack_a_key_run_nothing_as_long_as_another_has_it(evalctl: Evalctl, write: Write) -> None:
    _write_rows(write)
    write("t.yaml", _EVALUATORS + "cases: [{expected: {a: 1}, candidate: {a: 1}}]\n")
    done = evalctl("run", "s.yaml", "t.yaml", "--where", "metadata.vendor=acme", "-o", "r.jsonl")
    flags = "--where metadata.vendor=acme"
    assert done.stderr == f"s: 5 of 10 cases: {flags}\nt: 0 of 1 case: {flags}\nresults: r.jsonl\n"


@pytest.mark.parametrize(
    ("flags", "code", "error"),
    [
        ("--where metadata.vendr=acme", 2,
         "s.yaml: --where metadata.vendr: no case has 'metadata.vendr'; did you mean 'metadata.vendor'?"),
        ("--where metadata.colour=red", 2,
         "s.yaml: --where metadata.colour: no case has 'metadata.colour'; the keys are id, expected, expected.a, metadata.vendor"),
        ("--where metadata.vendor=acm", 5,
         "s.yaml: no case fits --where metadata.vendor=acm, so nothing ran; did you mean 'acme'?"),
        ("--split test", 2, "s.yaml:1:1: --split 'test': the suite has no split:"),
        ("--seed 3", 2, "--seed needs --sample"),
        ("--shard 5/4", 2, "--shard '5/4': must be K/N with K from 1 to N, such as 1/4"),
        ("--failed-from other.jsonl", 2,
         "s.yaml: --failed-from other.jsonl: has no row of suite 's'; its suites: 'invoices'"),
        ("--failed-from passed.jsonl", 5, "s.yaml: no case fits --failed-from passed.jsonl, so nothing ran"),
        ("--failed-from passed.jsonl -o passed.jsonl", 2,
         "-o passed.jsonl: is a file of --failed-from; name another file"),
        ("--failed-from pased.jsonl", 2,
         "pased.jsonl: cannot be read: No such file or directory; did you mean 'passed.jsonl'?"),
    ],
)  # fmt: skip
def test_a_wrong_selection_is_an_error_with_the_way_out(
    evalctl: Evalctl, write: Write, flags: str, code: int, error: str
) -> None:
    _write_rows(write)
    row = {"case_id": "c1", "status": "ok", "score": 1.0, "verdict": "pass", "evaluator_results": []}
    write("passed.jsonl", json.dumps(row | {"suite": "s"}) + "\n")
    write("other.jsonl", json.dumps(row | {"suite": "invoices"}) + "\n")
    done = evalctl("run", "s.yaml", *flags.split())
    assert (done.returncode, done.stderr) == (code, f"error: {error}\n")


@pytest.mark.parametrize(
    ("split", "error"),
    [
        ("{train: 0.8, test: 0.3}", "3:8: split: the shares add up to 1.1, not to 1"),
        ("{by: metadata.vendor}", "3:8: split: names no part; write for example {train: 0.8, test: 0.2}"),
        ("{train: 1, by: vendor}",
         "3:8: split: 'vendor' is not a key of a case, which begins with id, tags, metadata, input or expected; did you mean 'metadata.vendor'?"),
        ("{train: 1.0, by: metadata.vendr}", "3:25: split.by: no case has 'metadata.vendr'; did you mean 'metadata.vendor'?"),
        ("{train: half, test: 0.5}", "3:16: split.train: must be a number, not 'half'"),
    ],
)  # fmt: skip
def test_a_wrong_split_is_an_error_at_its_line(evalctl: Evalctl, write: Write, split: str, error: str) -> None:
    _write_rows(write, extra=f"split: {split}\n")
    done = evalctl("validate", "s.yaml")
    assert (done.returncode, done.stderr) == (2, f"error: s.yaml:{error}\n")


def test_cases_without_the_value_of_by_are_counted(evalctl: Evalctl, write: Write) -> None:
    write("s.yaml", _EVALUATORS + "split: {a: 0.5, b: 0.5, by: metadata.v}\ncases:\n"
          "- {expected: {a: 1}, candidate: {a: 1}, metadata: {v: 1}}\n- {expected: {a: 1}, candidate: {a: 1}}\n")  # fmt: skip
    warning = "warning: s.yaml:2:29: split.by: 1 of 2 cases have no such value; each is split by its id\n"
    assert evalctl("validate", "s.yaml").stderr == warning


def test_python_callers_select_with_the_same_flags(write: Write, tmp_path: Path) -> None:
    _write_rows(write)
    rows = run_suite(tmp_path / "s.yaml", where=["metadata.vendor=acme"], sample=4, seed=2, shard="1/2")
    ids = [row["case_id"] for row in rows]
    assert len(ids) == 2
    assert {int(id_[1]) % 2 for id_ in ids} == {0}


def _run_last_failed(evalctl: Evalctl, *flags: str) -> tuple[int, str]:
    done = evalctl("run", "s.yaml", "--last-failed", *flags, "-q", "--format", "json")
    return done.returncode, done.stderr


def test_last_failed_runs_what_did_not_pass_when_it_last_ran(evalctl: Evalctl, write: Write, tmp_path: Path) -> None:
    def answer(*right: int) -> None:
        rows = [{"id": f"c{n}", "expected": {"a": n}, "candidate": {"a": n if n in right else -1}} for n in range(4)]
        write("s.jsonl", "".join(f"{json.dumps(row)}\n" for row in rows))

    def last_ids() -> list[str]:
        return [row["case_id"] for row in _read(max((tmp_path / ".evalctl/results").iterdir(), key=_time_of))]

    write("s.yaml", f"{_EVALUATORS}dataset: s.jsonl\n")
    write("t.yaml", f"{_EVALUATORS}cases: [{{expected: {{a: 1}}, candidate: {{a: 2}}}}]\n")
    answer(0)
    evalctl("run", "s.yaml", "t.yaml", "-q")
    answer(0, 1)
    assert _run_last_failed(evalctl) == (1, "")
    assert last_ids() == ["c1", "c2", "c3"]
    assert _run_last_failed(evalctl, "--case", "c3") == (1, "")
    assert last_ids() == ["c3"]
    answer(0, 1, 2, 3)
    assert _run_last_failed(evalctl) == (0, "")
    assert last_ids() == ["c2", "c3"]
    done = evalctl("run", "s.yaml", "--last-failed")
    assert (done.returncode, done.stderr) == (5, "error: s.yaml: no case fits --last-failed, so nothing ran\n")


def _time_of(file: Path) -> tuple[str, int]:
    first, _, last = file.stem.rpartition("-")
    return (first.rpartition("-")[2], int(last)) if last.isdecimal() else (last, 1)


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        ((), "--last-failed: .evalctl/results has no results; run without -o first, or use --failed-from RESULTS"),
        (("--failed-from", "x.jsonl"), "--last-failed and --failed-from name the same cases in two ways; use one of them"),
    ],
)  # fmt: skip
def test_what_last_failed_cannot_do_is_exit_2(
    evalctl: Evalctl, write: Write, flags: tuple[str, ...], message: str
) -> None:
    _write_rows(write)
    assert _run_last_failed(evalctl, *flags) == (2, f"error: {message}\n")


def test_last_failed_of_another_suite_is_exit_2(evalctl: Evalctl, write: Write) -> None:
    _write_rows(write, "t")
    evalctl("run", "t.yaml", "-q")
    _write_rows(write)
    assert _run_last_failed(evalctl) == (
        2,
        "error: s.yaml: --last-failed: has no row of suite 's'; its suites: 't'\n",
    )


def test_a_trend_names_runs_by_label_and_does_not_stretch_noise(evalctl: Evalctl, write: Write) -> None:
    for number, score in enumerate((0.9, 0.905, 0.9)):
        about = {"label": "model b", "commit": "c" * 40} if number == 1 else {}
        write(
            f"a-very-long-name-of-results-{number}.jsonl",
            lines(row("c", score, timestamp=f"2026-01-0{number}", **about)),
        )
    files = [f"a-very-long-name-of-results-{number}.jsonl" for number in range(3)]
    text = evalctl("trend", *files).stdout
    assert "model b ccccccc" in text
    assert "▄▄▄" in text
    runs = json.loads(evalctl("trend", *files, "--format", "json").stdout)["series"][0]["runs"]
    assert [run["name"] for run in runs] == [files[0], "model b ccccccc", files[2]]
