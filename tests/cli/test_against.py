"""Runs that are compared with earlier results: `--against`, `baseline set`, and the label of a run."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from conftest import Evalctl
from rows import SCHEMA, lines, row

from agentv_py.run.commit import read_commit

Write = Callable[[str, Any], Path]


def _suite(*answers: int, **more: Any) -> str:
    cases = [{"id": f"c{n}", "expected": 1, "candidate": answer} for n, answer in enumerate(answers)]
    return json.dumps({"evaluators": [{"type": "object_match", "comparators": "exact"}], "cases": cases, **more})


def _rows(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


@pytest.fixture(autouse=True)
def before(evalctl: Evalctl, write: Write) -> None:
    """The results of a suite whose two cases pass; then the second answer is wrong."""
    write("s.yaml", _suite(1, 1))
    evalctl("run", "s.yaml", "-q", "-o", "before.jsonl")
    write("s.yaml", _suite(1, 2))


def test_a_run_shows_what_changed_since_earlier_results(evalctl: Evalctl, tmp_path: Path) -> None:
    flags = ("--against", "before.jsonl", "--diff", "out/d.json", "--diff", "d.md", "--report", "r.json")
    done = evalctl("run", "s.yaml", "-o", "after.jsonl", *flags)
    assert done.returncode == 1
    assert done.stdout.index(" s · 2 cases\n") < done.stdout.index("newly broken (1)\n ✗ c1  1.000 → 0.000")
    assert done.stderr == "results: after.jsonl\n"
    diff, summary = (json.loads((tmp_path / name).read_text(encoding="utf-8")) for name in ("out/d.json", "r.json"))
    assert (diff["kind"], len(diff["broken"]), summary["kind"]) == ("diff", 1, "summary")
    assert (tmp_path / "d.md").read_text(encoding="utf-8").startswith("### s: tied\n")


def test_a_violated_gate_of_the_comparison_is_exit_1_although_the_suite_s_own_gates_are_met(evalctl: Evalctl) -> None:
    flags = ("--against", "before.jsonl", "--min-pass-rate", "0.5", "-o", "after.jsonl", "-q")
    assert evalctl("run", "s.yaml", *flags).returncode == 0
    done = evalctl("run", "s.yaml", *flags, "--fail-on", "broken")
    said = "gate violated: broken: 1 passed before and do not pass now\n"
    assert (done.returncode, done.stdout, done.stderr) == (1, "", said)
    assert evalctl("run", "s.yaml", *flags, "--fail-on", "broken", "--exit-zero").returncode == 0


def test_stdout_holds_one_document_and_the_comparison_is_one_sentence_on_stderr(evalctl: Evalctl) -> None:
    done = evalctl("run", "s.yaml", "--against", "before.jsonl", "--format", "json", "-o", "after.jsonl")
    assert json.loads(done.stdout)["kind"] == "summary"
    assert done.stderr.startswith("against before.jsonl: tied: the mean score fell by 0.5000")


def test_rows_on_stdout_are_compared_too(evalctl: Evalctl) -> None:
    done = evalctl("run", "s.yaml", "-o", "-", "--against", "before.jsonl", "--fail-on", "broken", "-q")
    assert (done.returncode, len(done.stdout.splitlines())) == (1, 2)
    assert done.stderr == "gate violated: broken: 1 passed before and do not pass now\n"


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        ("--against befor.jsonl", "--against befor.jsonl: there is no such file; did you mean 'before.jsonl'?"),
        ("--against before.jsonl -o before.jsonl", "-o before.jsonl: is the file of --against; name another file"),
        ("--against before.jsonl --fail-on worse", "--fail-on 'worse': is not a gate; valid ones: "),
        ("--against before.jsonl --diff d.pdf", "--diff 'd.pdf': the suffix selects the format; valid: "),
        ("--against gold.jsonl", "gold.jsonl:1: not a row of results: "),
        ("--against empty.jsonl", "--against empty.jsonl: holds no results"),
        ("--fail-on broken", "--fail-on is about a comparison; name earlier results with --against"),
        ("--diff d.md", "--diff writes a comparison; name earlier results with --against"),
        ("--against baseline", "--against baseline: there is no evals/baselines/s.jsonl; keep one with `evalctl baseline set RESULTS`"),
    ],
)  # fmt: skip
def test_what_cannot_be_compared_ends_before_anything_runs(
    evalctl: Evalctl, write: Write, tmp_path: Path, flags: str, message: str
) -> None:
    write("gold.jsonl", '{"id": "c0", "expected": 1}\n')
    write("empty.jsonl", "\n")
    content = (tmp_path / "before.jsonl").read_bytes()
    done = evalctl("run", "s.yaml", *flags.split())
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"error: {message}")
    assert ((tmp_path / "before.jsonl").read_bytes(), (tmp_path / ".evalctl").exists()) == (content, False)


def test_if_no_case_can_be_compared_the_results_are_still_written(evalctl: Evalctl, write: Write) -> None:
    write("other.jsonl", lines(row("z", 1.0)))
    done = evalctl("run", "s.yaml", "--against", "other.jsonl", "-o", "after.jsonl", "-q")
    assert done.returncode == 2
    assert done.stderr.startswith("error: --against: nothing to compare: no case is on both sides; ")
    assert evalctl("report", "after.jsonl").returncode == 0


def test_a_baseline_is_kept_and_moves_by_hand_only(evalctl: Evalctl, write: Write, tmp_path: Path) -> None:
    said = "baseline: evals/baselines/s.jsonl: 2 rows, 2 passed, mean score 1.000"
    assert evalctl("baseline", "set", "before.jsonl").stderr == f"{said}\n"
    kept = (tmp_path / "evals/baselines/s.jsonl").read_bytes()
    assert kept == (tmp_path / "before.jsonl").read_bytes()
    done = evalctl("run", "s.yaml", "--against", "baseline", "--fail-on", "broken", "-q", "-o", "after.jsonl")
    assert done.returncode == 1
    assert (tmp_path / "evals/baselines/s.jsonl").read_bytes() == kept
    moved = evalctl("baseline", "set", "after.jsonl")
    assert moved.stderr == (
        "baseline: evals/baselines/s.jsonl: 2 rows, 1 passed, mean score 0.500 "
        "(before: 2 rows, 2 passed, mean score 1.000)\n"
    )
    done = evalctl("run", "s.yaml", "--against", "baseline", "--fail-on", "broken", "-q", "--min-pass-rate", "0.5")
    assert (done.returncode, done.stderr) == (0, "")
    assert write("baseline", (tmp_path / "before.jsonl").read_text(encoding="utf-8")).exists()
    assert "before.jsonl" not in evalctl("run", "s.yaml", "--against", "baseline").stdout


def test_each_suite_has_a_baseline_of_its_own(evalctl: Evalctl, write: Write, tmp_path: Path) -> None:
    write("t.yaml", _suite(1, name="t: 1/2"))
    evalctl("run", "s.yaml", "t.yaml", "-q", "-o", "both.jsonl")
    evalctl("baseline", "set", "both.jsonl", "--folder", "baselines")
    assert sorted(file.name for file in (tmp_path / "baselines").iterdir()) == ["s.jsonl", "t-1-2.jsonl"]
    done = evalctl("run", "s.yaml", "t.yaml", "--against", "baseline", "--exit-zero", "--diff", "d.json", "-q")
    assert (done.returncode, done.stderr) == (0, "")
    diff = json.loads((tmp_path / "d.json").read_text(encoding="utf-8"))
    assert (diff["suites"], diff["matched"], diff["baseline"]) == (
        ["s", "t: 1/2"],
        3,
        "baselines/s.jsonl, baselines/t-1-2.jsonl",
    )


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "r.jsonl: holds no row"),
        (lines(row("a", 1.0)) + '{"t', "r.jsonl:2: the last line is torn, and left out"),
        (lines(row("a", 1.0, selection={"cases": 1, "of": 9, "flags": "--limit 1"})),
         "r.jsonl: is a run of some cases only (suite 's': 1 of 9 cases: --limit 1); --force keeps it as the baseline"),
        (lines(row("a", 1.0, suite="a b"), row("a", 1.0, suite="a/b")),
         "r.jsonl: two of its suites would have the same file of a baseline"),
        (lines(row("a", 1.0, suite="other name")),
         "evals/baselines/other-name.jsonl: is the baseline of suite 'other/name', not of 'other name'; rename one"),
    ],
)  # fmt: skip
def test_what_is_no_baseline_is_exit_2(
    evalctl: Evalctl, write: Write, tmp_path: Path, content: str, message: str
) -> None:
    earlier = write("evals/baselines/other-name.jsonl", lines(row("a", 1.0, suite="other/name")))
    write("r.jsonl", content)
    done = evalctl("baseline", "set", "r.jsonl")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"error: {message}")
    assert list((tmp_path / "evals/baselines").iterdir()) == [earlier]


def test_a_label_and_the_commit_are_in_rows_and_headings(evalctl: Evalctl, write: Write, tmp_path: Path) -> None:
    write(".git/HEAD", "ref: refs/heads/main\n")
    write(".git/refs/heads/main", "0123456789" * 4 + "\n")
    flags = ("-o", "after.jsonl", "--report", "r.json", "--report", "r.md", "--report", "r.xml")
    done = evalctl("run", "s.yaml", *flags, "--label", "my *branch*", GITHUB_STEP_SUMMARY=str(tmp_path / "job.md"))
    assert " s · 2 cases · my *branch* 0123456\n" in done.stdout
    assert [(one["label"], one["commit"]) for one in _rows(tmp_path / "after.jsonl")] == [
        ("my *branch*", "0123456789" * 4)
    ] * 2
    heading = "### s · my \\*branch\\* 0123456: 1 of 2 passed\n"
    assert (tmp_path / "r.md").read_text(encoding="utf-8").startswith(heading)
    assert (tmp_path / "job.md").read_text(encoding="utf-8").startswith(heading)
    assert '<property name="label" value="my *branch* 0123456"/>' in (tmp_path / "r.xml").read_text(encoding="utf-8")
    report = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(SCHEMA).validate(report)
    assert report["labels"] == [{"label": "my *branch*", "commit": "0123456789" * 4}]
    diff = json.loads(evalctl("diff", "before.jsonl", "after.jsonl", "--format", "json").stdout)
    jsonschema.Draft202012Validator(SCHEMA).validate(diff)
    assert diff["labels"] == {"baseline": [], "candidate": report["labels"]}
    markdown = evalctl("diff", "before.jsonl", "after.jsonl", "--format", "markdown").stdout
    assert markdown.startswith("### s · before.jsonl → my \\*branch\\* 0123456: tied\n")


def test_rows_without_a_label_are_as_before(tmp_path: Path) -> None:
    assert not {"label", "commit"} & _rows(tmp_path / "before.jsonl")[0].keys()


@pytest.mark.parametrize(
    "arguments",
    [
        ("run", "s.yaml", "-q", "--against", "before.jsonl"),
        ("report", "before.jsonl"),
        ("diff", "before.jsonl", "before.jsonl"),
        ("trend", "before.jsonl"),
    ],
)
def test_no_summary_leaves_the_job_s_summary_alone(
    evalctl: Evalctl, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    evalctl(*arguments, "--no-summary", GITHUB_STEP_SUMMARY=str(tmp_path / "job.md"))
    assert not (tmp_path / "job.md").exists()


def test_the_commit_is_git_s_own_also_in_a_worktree_and_where_references_are_packed(tmp_path: Path) -> None:
    def git(*words: str) -> str:
        settings = ("-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false")
        return subprocess.run(
            ["git", "-C", str(tmp_path / "r"), *settings, *words], check=True, capture_output=True, text=True
        ).stdout.strip()

    (tmp_path / "r" / "deep").mkdir(parents=True)
    assert read_commit(tmp_path / "r") == ""
    git("init", "-q")
    assert read_commit(tmp_path / "r") == ""
    git("commit", "-q", "--allow-empty", "-m", "one")
    first = git("rev-parse", "HEAD")
    git("worktree", "add", "-q", "-b", "other", str(tmp_path / "w"))
    git("commit", "-q", "--allow-empty", "-m", "two")
    found = read_commit(tmp_path / "r" / "deep"), read_commit(tmp_path / "w")
    assert found == (git("rev-parse", "HEAD"), first)
    git("pack-refs", "--all")
    assert (read_commit(tmp_path / "r"), read_commit(tmp_path / "w")) == found
    git("checkout", "-q", "--detach", first)
    assert read_commit(tmp_path / "r") == first
