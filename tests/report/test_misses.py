"""A miss's path and note come from where they are stored; its text is never taken apart."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Evalctl
from rows import lines, row

Write = Callable[[str, Any], Path]

_PATHS_AND_NOTES = [
    ("total", "off by 3 (of 10)"),
    ("total (net)", ""),
    ("total (net)", "not a number (see page 2)"),
    ('["a (b"]', "required, missing"),
    ("vat) (", ")("),
]


def _result(misses: list[str], mismatches: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "name": "e", "type": "t", "score": 0.0, "verdict": "fail", "hits": [], "misses": misses,
        "details": {"mismatches": mismatches},
    }  # fmt: skip


def _mismatch(path: str, note: str, **more: Any) -> dict[str, Any]:
    return {"path": path, "outcome": "mismatch", "expected": 1, "actual": 2, "similarity": 0.0} | (
        {"note": note} if note else {}
    ) | more  # fmt: skip


def _rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


@pytest.mark.parametrize(("path", "note"), _PATHS_AND_NOTES)
def test_a_note_and_a_path_may_hold_brackets(evalctl: Evalctl, write: Write, path: str, note: str) -> None:
    text = f"{path} ({note})" if note else path
    write("old.jsonl", lines(row("x", 1.0)))
    write("new.jsonl", lines(row("x", 0.0, evaluator_results=[_result([text], [_mismatch(path, note)])])))
    [line] = _rows(evalctl("report", "new.jsonl", "--format", "csv").stdout)
    assert (line["path"], line["note"], line["expected"], line["actual"]) == (path, note, "1", "2")
    [broken] = json.loads(evalctl("diff", "old.jsonl", "new.jsonl", "--format", "json").stdout)["broken"]
    [changed] = broken["changed"]
    assert (changed["path"], changed.get("note", "")) == (path, note)
    assert f"{path}: expected 1, got 2" in _unescaped(evalctl("report", "new.jsonl", "--format", "junit").stdout)


def _unescaped(text: str) -> str:
    return text.replace("&quot;", '"')


def test_two_misses_of_one_text_keep_their_own_values(evalctl: Evalctl, write: Write) -> None:
    mismatches = [_mismatch("a", "", actual=2), _mismatch("a", "", actual=3)]
    write("r.jsonl", lines(row("x", 0.0, evaluator_results=[_result(["a", "a"], mismatches)])))
    assert [line["actual"] for line in _rows(evalctl("report", "r.jsonl", "--format", "csv").stdout)] == ["2", "3"]


def test_a_bare_miss_finds_the_mismatch_of_its_path(evalctl: Evalctl, write: Write) -> None:
    write("r.jsonl", lines(row("x", 0.0, evaluator_results=[_result(["a"], [_mismatch("a", "too high")])])))
    [line] = _rows(evalctl("report", "r.jsonl", "--format", "csv").stdout)
    assert (line["path"], line["note"], line["actual"]) == ("a", "too high", "2")


def test_a_miss_in_a_judge_s_own_words_is_shown_whole(evalctl: Evalctl, write: Write) -> None:
    words = "the total is missing (page 2) and (page 3)"
    write("r.jsonl", lines(row("x", 0.0, evaluator_results=[_result([words], [])])))
    [line] = _rows(evalctl("report", "r.jsonl", "--format", "csv").stdout)
    assert (line["path"], line["outcome"], line["note"]) == (words, "mismatch", "")
    assert words in evalctl("report", "r.jsonl", "--format", "junit").stdout


def test_misses_beyond_those_stored_are_paired_with_the_other_side_s_hits(evalctl: Evalctl, write: Write) -> None:
    paths = [f"f{number} (net)" for number in range(60)]
    fields = [{"path": path, "match": "numeric"} for path in paths]
    for name, answer in (("old", 1), ("new", "one")):
        case = {"id": "x", "expected": dict.fromkeys(paths, 1), "candidate": dict.fromkeys(paths, answer)}
        write(
            f"{name}.yaml", {"name": "s", "evaluators": [{"type": "field_accuracy", "fields": fields}], "cases": [case]}
        )
        evalctl("run", f"{name}.yaml", "-q", "-o", f"{name}.jsonl")
    summary = _rows(evalctl("report", "new.jsonl", "--format", "csv").stdout)
    assert [line["path"] for line in summary[48:52]] == [
        *paths[48:50],
        *(f"{path} (not a number)" for path in paths[50:52]),
    ]
    [broken] = json.loads(evalctl("diff", "old.jsonl", "new.jsonl", "--format", "json").stdout)["broken"]
    assert [field["path"] for field in broken["changed"]] == paths
    assert all((field["baseline"], field["candidate"]) == (1, "one") for field in broken["changed"])


def test_a_candidate_that_is_not_json_has_a_path_and_a_note(evalctl: Evalctl, write: Write) -> None:
    suite = "name: s\nevaluators: [{type: field_accuracy, fields: [{path: a}]}]\n"
    write("s.yaml", suite + "cases: [{id: x, expected: {a: 1}, candidate: 'no (JSON) here'}]\n")
    evalctl("run", "s.yaml", "-q", "-o", "r.jsonl")
    [line] = _rows(evalctl("report", "r.jsonl", "--format", "csv").stdout)
    assert (line["path"], line["outcome"], line["note"]) == ("candidate", "mismatch", "not valid JSON")
    shown = evalctl("report", "r.jsonl", "--format", "junit").stdout
    assert 'candidate: got "no (JSON) here" (not valid JSON)' in shown


def test_a_terminal_shows_the_note_of_a_miss_without_values(evalctl: Evalctl, write: Write) -> None:
    stored = {"path": "a", "outcome": "mismatch", "note": "too high"}
    suite = "name: s\nevaluators: [{type: code_judge, script: [sh, judge.sh]}]\n"
    answer = {"score": 0, "misses": ["a", "candidate (not valid JSON)"], "details": {"mismatches": [stored]}}
    write("judge.sh", f"cat > /dev/null; echo '{json.dumps(answer)}'\n")
    write("s.yaml", suite + "cases: [{id: x, expected: {a: 1}, candidate: {a: 2}}]\n")
    shown = evalctl("run", "s.yaml", "-o", "r.jsonl").stdout.splitlines()
    assert [line.strip() for line in shown[-3:] if line.strip()] == ["a (too high)", "candidate (not valid JSON)"]


def test_the_error_of_a_case_whose_evaluators_are_all_skipped_is_shown(evalctl: Evalctl, write: Write) -> None:
    case = {"id": "a", "expected": 1, "candidate": 1, "evaluators": [{"type": "equals", "when": "metadata.x == 1"}]}
    write("s.yaml", {"cases": [case]})
    done = evalctl("run", "s.yaml", "-o", "r.jsonl")
    assert done.returncode == 3
    assert " ! a  error 0.000\n     no evaluator applies to this case, because no when: holds\n" in done.stdout
