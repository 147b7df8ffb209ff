"""Runs that stop half-way, and how they are finished."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Evalctl
from models import Models

Write = Callable[[str, Any], Path]

_PART = b'{"evalctl":"rows of a resumed run; the next --resume takes them over"}\n'
_PRICES = {"prompt": 1000, "completion": 0}  # 0.1 a call


@pytest.fixture
def suite(write: Write, models: Models) -> Callable[..., None]:
    """A suite of cases `c0`, `c1`, ..., each with one question."""

    def make(count: int = 6, backend: dict[str, Any] | None = None, **more: Any) -> None:
        options = models.llm(prices=_PRICES, retries=0, max_concurrency=1) | (backend or {})
        field = {"path": "a", "match": "semantic", "threshold": 0.1, "backend": options}
        cases = [{"id": f"c{n}", "expected": {"a": f"text-{n};"}, "candidate": {"a": "x"}} for n in range(count)]
        evaluators = [{"type": "field_accuracy", "fields": [field]}]
        write("s.yaml", {"verdicts": {"pass": 0.5}, "evaluators": evaluators, "cases": cases, **more})

    return make


def _lines(tmp_path: Path, name: str = "r.jsonl") -> list[bytes]:
    return (tmp_path / name).read_bytes().splitlines(keepends=True)


def _ids(lines: list[bytes]) -> list[str]:
    return [json.loads(line)["case_id"] for line in lines]


def test_an_outage_in_the_middle_is_finished_later_and_nothing_else_is_touched(
    suite: Any, evalctl: Evalctl, models: Models, tmp_path: Path
) -> None:
    suite()
    down = {"status": 503, "headers": {"Retry-After": "0"}}
    models.script(("text-2;", [down]), ("text-3;", [down]))
    assert evalctl("run", "s.yaml", "-o", "r.jsonl").returncode == 3
    before = _lines(tmp_path)
    assert [json.loads(line)["status"] for line in before] == ["ok", "ok", "error", "error", "ok", "ok"]
    asked = len(models.requests())
    models.script()
    done = evalctl("run", "s.yaml", "-o", "r.jsonl", "--resume", "--format", "json")
    after = _lines(tmp_path)
    assert (done.returncode, json.loads(done.stdout)["passed"], len(models.requests()) - asked) == (0, 6, 2)
    assert _ids(after) == [f"c{n}" for n in range(6)]
    assert [after[n] for n in (0, 1, 4, 5)] == [before[n] for n in (0, 1, 4, 5)]
    assert {path.name for path in tmp_path.iterdir()} == {"s.yaml", "r.jsonl", ".evalctl"}


def test_missing_rows_are_run_and_a_torn_last_line_is_run_again(
    suite: Any, evalctl: Evalctl, models: Models, tmp_path: Path
) -> None:
    suite()
    evalctl("run", "s.yaml", "-o", "r.jsonl")
    whole = _lines(tmp_path)
    (tmp_path / "r.jsonl").write_bytes(b"".join([*whole[1:3], b"\n", whole[4][:50]]))
    done = evalctl("run", "s.yaml", "-o", "r.jsonl", "--resume")
    after = _lines(tmp_path)
    assert (done.returncode, _ids(after)) == (0, [f"c{n}" for n in range(6)])
    assert after[1:3] == whole[1:3]
    assert "warning: r.jsonl:4: the last line is torn, and left out" in done.stderr
    assert len(models.requests()) == 6


def test_a_whole_file_is_left_alone_and_a_file_that_is_not_there_is_begun(
    suite: Any, evalctl: Evalctl, tmp_path: Path
) -> None:
    suite(gates={"mean_score": 0.9})
    begun = evalctl("run", "s.yaml", "-o", "out/r.jsonl", "--resume")
    assert begun.returncode == 1
    assert "warning: out/r.jsonl: has no rows yet, so every case is run" in begun.stderr
    stamp = (tmp_path / "out/r.jsonl").stat()
    done = evalctl("run", "s.yaml", "-o", "out/r.jsonl", "--resume")
    assert (done.returncode, (tmp_path / "out/r.jsonl").stat()[:9]) == (1, stamp[:9])
    assert "gate missed: s: mean_score 0.5 is below the gate of 0.9" in done.stderr
    assert "warning" not in done.stderr


def test_what_a_killed_resume_left_is_taken_over(suite: Any, evalctl: Evalctl, models: Models, tmp_path: Path) -> None:
    suite()
    evalctl("run", "s.yaml", "-o", "r.jsonl")
    whole = _lines(tmp_path)
    (tmp_path / "r.jsonl").write_bytes(b"".join(whole[:2]))
    (tmp_path / "r.jsonl.part").write_bytes(b"".join([_PART, whole[3], whole[2], whole[4][:9]]))
    done = evalctl("run", "s.yaml", "-o", "r.jsonl", "--resume", "--no-cache")
    after = _lines(tmp_path)
    assert (done.returncode, after[:4], _ids(after)) == (0, whole[:4], [f"c{n}" for n in range(6)])
    assert (len(models.requests()), (tmp_path / "r.jsonl.part").exists()) == (8, False)


def test_a_new_run_forgets_what_a_killed_resume_left(suite: Any, evalctl: Evalctl, tmp_path: Path) -> None:
    suite()
    (tmp_path / "r.jsonl.part").write_bytes(_PART)
    assert evalctl("run", "s.yaml", "-o", "r.jsonl").returncode == 0
    assert not (tmp_path / "r.jsonl.part").exists()


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({}, 0),
        ({"description": "other", "gates": {"mean_score": 0.1}, "budget": {"calls": 100}}, 0),
        ({"count": 7}, 0),
        ({"count": 5}, 2),
        ({"backend": {"model": "other"}}, 2),
        ({"verdicts": {"pass": 0.4}}, 2),
    ],
)
def test_a_suite_that_has_changed_is_not_resumed_unless_forced(
    suite: Any, evalctl: Evalctl, change: dict[str, Any], code: int
) -> None:
    suite()
    evalctl("run", "s.yaml", "-o", "r.jsonl")
    suite(**change)
    done = evalctl("run", "s.yaml", "-o", "r.jsonl", "--resume")
    assert done.returncode == code, done.stderr
    if code:
        assert "r.jsonl: cannot be resumed: " in done.stderr
        assert evalctl("run", "s.yaml", "-o", "r.jsonl", "--resume", "--force").returncode == 0
        assert evalctl("run", "s.yaml", "-o", "r.jsonl", "--resume").returncode == 2


def test_a_dataset_that_has_changed_is_seen(write: Write, evalctl: Evalctl) -> None:
    write("s.yaml", "dataset: d.jsonl\nevaluators: [{type: field_accuracy, fields: [{path: a}]}]\n")
    write("d.jsonl", '{"id": "x", "expected": {"a": 1}, "candidate": {"a": 1}}\n')
    assert evalctl("run", "s.yaml", "-o", "r.jsonl").returncode == 0
    assert evalctl("run", "s.yaml", "-o", "r.jsonl", "--resume").returncode == 0
    write("d.jsonl", '{"id": "x", "expected": {"a": 2}, "candidate": {"a": 1}}\n')
    done = evalctl("run", "s.yaml", "-o", "r.jsonl", "--resume")
    assert (done.returncode, "warning: r.jsonl: 1 case has changed since, and run again" in done.stderr) == (1, True)
    assert evalctl("run", "s.yaml", "-o", "r.jsonl", "--resume").returncode == 1


def test_only_the_cases_that_have_changed_are_run_again(write: Write, evalctl: Evalctl, tmp_path: Path) -> None:
    write("s.yaml", {"dataset": "d.jsonl", "predictions": "p.jsonl", "evaluators": [_FIELD]})
    write("d.jsonl", "".join(f'{{"id": "{n}", "expected": {{"a": {n}}}}}\n' for n in range(4)))
    write("p.jsonl", "".join(f'{{"id": "{n}", "candidate": {{"a": 1}}}}\n' for n in range(4)))
    assert evalctl("run", "s.yaml", "-o", "r.jsonl").returncode == 1
    before = _lines(tmp_path)
    write("p.jsonl", "".join(f'{{"id": "{n}", "candidate": {{"a": {max(n, 1)}}}}}\n' for n in range(3, -1, -1)))
    done = evalctl("run", "s.yaml", "-o", "r.jsonl", "--resume")
    after = _lines(tmp_path)
    assert "warning: r.jsonl: 2 cases have changed since, and run again" in done.stderr
    assert ([json.loads(line)["score"] for line in after], after[:2]) == ([0.0, 1.0, 1.0, 1.0], before[:2])


def test_a_file_that_was_moved_is_resumed_in_another_folder(write: Write, evalctl: Evalctl, tmp_path: Path) -> None:
    cases = [{"id": f"c{n}", "expected": {"a": n}, "candidate": {"a": n}} for n in range(3)]
    write("judge.py", _JUDGE)
    write("s.yaml", {"evaluators": [{"type": "code_judge", "script": "judge.py"}], "cases": cases})
    assert evalctl("run", "s.yaml", "-o", "r.jsonl").returncode == 0
    whole = _lines(tmp_path)
    moved = tmp_path / "moved"
    moved.mkdir()
    for name in ("s.yaml", "judge.py"):
        (tmp_path / name).rename(moved / name)
    (moved / "copy.jsonl").write_bytes(b"".join(whole[:2]))
    assert evalctl("run", "moved/s.yaml", "-o", "moved/copy.jsonl", "--resume").returncode == 0
    assert _lines(tmp_path, "moved/copy.jsonl")[:2] == whole[:2]
    assert not list(tmp_path.glob("**/fingerprints"))


def test_evaluators_of_a_case_are_part_of_its_fingerprint_only(write: Write, evalctl: Evalctl, tmp_path: Path) -> None:
    def prints(match: str) -> list[str]:
        own = [{"type": "field_accuracy", "fields": [{"path": "a", "match": match}]}]
        case = {"expected": {"a": "x"}, "candidate": {"a": "x"}}
        write(
            "s.yaml", {"evaluators": [_FIELD], "cases": [{"id": "1", **case}, {"id": "2", "evaluators": own, **case}]}
        )
        evalctl("run", "s.yaml", "-o", "r.jsonl")
        return [json.loads(line)["fingerprint"] for line in _lines(tmp_path)]

    first, then = prints("exact"), prints("fuzzy")
    assert (first[0] == then[0], first[1].split("-")[0] == then[1].split("-")[0]) == (True, False)


_FIELD = {"type": "field_accuracy", "fields": [{"path": "a"}]}
_JUDGE = "import sys; sys.stdin.read(); print('{\"score\": 1}')\n"
_QUALITY = {"type": "json_quality", "strategies_file": "st.json", "safety": {"blocklist_file": "words.txt"}}


@pytest.mark.parametrize("file", ["judge.py", "st.json", "words.txt"])
@pytest.mark.parametrize("place", ["suite", "inline", "dataset"])
def test_a_file_that_any_evaluator_reads_is_seen_to_change(
    write: Write, evalctl: Evalctl, tmp_path: Path, file: str, place: str
) -> None:
    write("judge.py", _JUDGE)
    write("st.json", '{"a": "EXACT"}')
    write("words.txt", "rude\n")
    evaluators = [{"type": "code_judge", "script": "judge.py"}, _QUALITY]
    case: dict[str, Any] = {"id": "x", "expected": {"a": 1}, "candidate": {"a": 1}}
    if place != "suite":
        case["evaluators"] = evaluators
    write("d.jsonl", json.dumps(case) + "\n")
    cases = {"dataset": "d.jsonl"} if place == "dataset" else {"cases": [case]}
    write("s.yaml", cases if place != "suite" else cases | {"evaluators": evaluators})
    assert evalctl("run", "s.yaml", "-o", "r.jsonl").returncode == 0
    assert evalctl("run", "s.yaml", "-o", "r.jsonl", "--resume").returncode == 0
    (tmp_path / file).write_text((tmp_path / file).read_text(encoding="utf-8") + "\n", encoding="utf-8")
    done = evalctl("run", "s.yaml", "-o", "r.jsonl", "--resume")
    message = "an option or an evaluator of s.yaml, or a file that one reads, has changed since case 'x' was scored"
    assert (done.returncode, f"r.jsonl: cannot be resumed: {message}; --force" in done.stderr) == (2, True)


@pytest.mark.parametrize(("first", "then", "word"), [(["--no-data"], [], "with"), ([], ["--no-data"], "without")])
def test_rows_with_their_data_and_rows_without_it_are_not_mixed(
    suite: Any, evalctl: Evalctl, tmp_path: Path, first: list[str], then: list[str], word: str
) -> None:
    suite()
    evalctl("run", "s.yaml", "-o", "r.jsonl", *first)
    whole = _lines(tmp_path)
    (tmp_path / "r.jsonl").write_bytes(b"".join(whole[:2]))
    done = evalctl("run", "s.yaml", "-o", "r.jsonl", "--resume", *then)
    assert (done.returncode, f"its rows were written {word} --no-data, and these would not be" in done.stderr) == (
        2,
        True,
    )
    assert evalctl("run", "s.yaml", "-o", "r.jsonl", "--resume", *first).returncode == 0
    assert {"expected" in json.loads(line) for line in _lines(tmp_path)} == {not first}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--resume",), "--resume continues a file; name it with -o"),
        (("--resume", "-o", "-"), "--resume continues a file; name it with -o"),
        (("--force", "-o", "r.jsonl"), "--force needs --resume"),
        (("--no-cache", "--refresh"), "--no-cache and --refresh contradict each other"),
        (
            ("--resume", "-o", "unknown.jsonl"),
            "it is not known by which options the row of case 'c0' was scored; --force resumes it anyway",
        ),
        (("--resume", "-o", "s.yaml"), "s.yaml: is an input of this run; name another file with -o"),
        (("--resume", "-o", "letter.txt"), "letter.txt: exists and is not a results file"),
        (("--resume", "-o", "."), ".: cannot be resumed: it is not a file"),
        (("--resume", "-o", "r.jsonl", "--limit", "2"), "it has a row for case 'c2', which is not selected"),
    ],
)
def test_what_cannot_be_resumed_is_said(
    suite: Any, evalctl: Evalctl, tmp_path: Path, arguments: tuple[str, ...], message: str
) -> None:
    suite()
    evalctl("run", "s.yaml", "-o", "r.jsonl")
    (tmp_path / "letter.txt").write_text("Dear all,", encoding="utf-8")
    rows = [json.loads(line) for line in _lines(tmp_path)]
    unknown = "".join(json.dumps({key: row[key] for key in row if key != "fingerprint"}) + "\n" for row in rows)
    before = (tmp_path / "unknown.jsonl").write_text(unknown.replace(": ", ":", 1), encoding="utf-8")
    done = evalctl("run", "s.yaml", *arguments)
    assert (done.returncode, message in done.stderr) == (2, True), done.stderr
    assert (tmp_path / "unknown.jsonl").stat().st_size == before


@pytest.mark.parametrize(
    ("budget", "story"),
    [
        ({"cost": 0.3}, "cost 0.3 of 0.3"),
        ({"calls": 3}, "3 of 3 calls"),
        ({"tokens": 325}, "330 of 325 tokens"),
    ],
)
def test_a_budget_stops_the_run_cleanly_and_a_larger_one_goes_on(
    suite: Any, evalctl: Evalctl, models: Models, tmp_path: Path, budget: dict[str, Any], story: str
) -> None:
    suite(budget=budget)
    done = evalctl("run", "s.yaml", "-o", "r.jsonl")
    assert done.returncode == 3
    assert (
        f"error: s: the budget is spent ({story}) after 3 of 6 cases; --resume continues with a larger budget"
        in done.stderr
    )
    before = _lines(tmp_path)
    assert (_ids(before), len(models.requests())) == (["c0", "c1", "c2"], 3)
    again = evalctl("run", "s.yaml", "-o", "r.jsonl", "--resume")
    assert (again.returncode, len(models.requests()), _lines(tmp_path)) == (3, 3, before)
    suite(budget={name: 2 * most for name, most in budget.items()})
    done = evalctl("run", "s.yaml", "-o", "r.jsonl", "--resume")
    assert (done.returncode, len(models.requests()), _lines(tmp_path)[:3]) == (0, 6, before)


def test_a_budget_may_be_given_as_a_flag(suite: Any, evalctl: Evalctl, models: Models, tmp_path: Path) -> None:
    suite(120)
    done = evalctl("run", "s.yaml", "-o", "r.jsonl", "--budget", "6")
    assert (done.returncode, len(_lines(tmp_path)), len(models.requests())) == (3, 60, 60)
    done = evalctl("run", "s.yaml", "-o", "r.jsonl", "--budget", "100", "--resume", "-j", "2")
    assert (done.returncode, len(_lines(tmp_path))) == (0, 120)
    assert _ids(_lines(tmp_path)) == [f"c{n}" for n in range(120)]


def test_what_is_cached_costs_nothing_of_a_budget(suite: Any, evalctl: Evalctl) -> None:
    suite()
    evalctl("run", "s.yaml", "-o", "r.jsonl")
    assert evalctl("run", "s.yaml", "-o", "r.jsonl", "--budget", "0").returncode == 0


def test_a_budget_of_cost_needs_prices(suite: Any, evalctl: Evalctl) -> None:
    suite(backend={"prices": None}, budget={"cost": 1})
    assert "budget.cost: a model that is asked has no prices" in evalctl("validate", "s.yaml").stderr
    suite(backend={"prices": None})
    done = evalctl("run", "s.yaml", "--budget", "1")
    assert (done.returncode, "--budget: a model that is asked has no prices" in done.stderr) == (2, True)


def test_a_resumed_run_warns_of_what_a_whole_run_warns(write: Write, evalctl: Evalctl, tmp_path: Path) -> None:
    fields = [{"path": "a"}, {"path": "later"}, {"path": "note", "required": False}]
    cases = [{"id": f"c{n}", "expected": {"a": 1}, "candidate": {"a": 1}} for n in range(3)]
    cases[2]["expected"] = {"a": 1, "later": 1}
    write("judge.py", _JUDGE)
    judge = {"type": "code_judge", "script": "judge.py"}
    write("s.yaml", {"evaluators": [{"type": "field_accuracy", "fields": fields}, judge], "cases": cases})
    whole = evalctl("run", "s.yaml", "-o", "r.jsonl").stderr
    assert "note" in whole
    (tmp_path / "r.jsonl").write_bytes(b"".join(_lines(tmp_path)[:2]))
    for _ in range(2):
        assert evalctl("run", "s.yaml", "-o", "r.jsonl", "--resume").stderr == whole
