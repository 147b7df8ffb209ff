"""The action for GitHub: each of its steps from a shell, with a small copy of GitHub's API on this machine."""

import io
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
import yaml
from documents import ROOT, read_blocks

_ACTION = ROOT / ".github" / "actions" / "evalctl"


@dataclass
class GitHub:
    """What the API knows: artifacts with their content, and comments."""

    address: str = ""
    artifacts: list[dict[str, Any]] = field(default_factory=list)
    archive: bytes = b""
    comments: list[dict[str, Any]] = field(default_factory=list)
    requests: list[tuple[str, str]] = field(default_factory=list)
    tokens_elsewhere: list[str | None] = field(default_factory=list)
    """The Authorization of requests to the host that keeps the artifacts."""
    forbids_comments: bool = False

    def answer(self, method: str, path: str, body: Any) -> tuple[int, Any]:
        self.requests.append((method, path))
        if "/actions/artifacts?" in path:
            return 200, {"artifacts": self.artifacts}
        if method == "GET":
            return 200, self.comments
        if self.forbids_comments:
            return 403, {"message": "Resource not accessible by integration"}
        if method == "POST":
            self.comments.append({"id": 100 + len(self.comments), "html_url": "https://host/c"} | body)
            return 201, self.comments[-1]
        [comment] = [each for each in self.comments if path.endswith(f"/issues/comments/{each['id']}")]
        comment |= body
        return 200, comment


@pytest.fixture
def github() -> Iterator[GitHub]:
    state = GitHub()

    class Handler(BaseHTTPRequestHandler):
        def _serve(self) -> None:
            if self.path == "/download":
                self._send(302, b"", Location=f"http://localhost:{server.server_port}/blob")
            elif self.path == "/blob":
                state.tokens_elsewhere.append(self.headers["Authorization"])
                self._send(200, state.archive)
            else:
                length = int(self.headers["Content-Length"] or 0)
                body = json.loads(self.rfile.read(length) or b"null")
                assert self.headers["Authorization"] == "Bearer t0ken"
                status, answer = state.answer(self.command, self.path, body)
                self._send(status, json.dumps(answer).encode())

        def _send(self, status: int, content: bytes, **headers: str) -> None:
            self.send_response(status)
            for name, value in {**headers, "Content-Length": str(len(content))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_POST = do_PATCH = _serve  # noqa: N815  the names that the class looks for

        def log_message(self, *_: Any) -> None:
            """Keep the tests' output clean."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        state.address = f"http://127.0.0.1:{server.server_port}"
        yield state
        server.shutdown()
        thread.join()


@dataclass
class Runner:
    """Runs the steps of the action as GitHub does, in a copy of a repository."""

    folder: Path
    github: GitHub
    log: str = ""

    def run(self, inputs: dict[str, str], steps: tuple[str, ...], **environment: str) -> int:
        """Run these steps in their order, and return the exit code of the last."""
        action = yaml.safe_load((_ACTION / "action.yml").read_text(encoding="utf-8"))
        values = {f"inputs.{name}": str(option.get("default", "")) for name, option in action["inputs"].items()}
        values |= {f"inputs.{name}": value for name, value in inputs.items()} | {"github.token": "t0ken"}
        values["inputs.token"] = "t0ken"
        self.log, code = "", 0
        shutil.rmtree(self.folder / ".evalctl", ignore_errors=True)
        for step in (step for step in action["runs"]["steps"] if step["name"] in steps):
            outputs = self.folder.parent / "outputs.txt"
            outputs.write_text("", encoding="utf-8")
            own = {name: _fill(value, values) for name, value in step.get("env", {}).items()}
            done = self._shell(_fill(step["run"], values), own | environment | {"GITHUB_OUTPUT": str(outputs)})
            self.log, code = self.log + done.stdout + done.stderr, done.returncode
            assert not code or step["name"] == steps[-1], self.log
            for line in outputs.read_text(encoding="utf-8").splitlines():
                name, _, value = line.partition("=")
                values[f"steps.{step['id']}.outputs.{name}"] = value
        return code

    def _shell(self, script: str, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        fixed = {
            "PATH": path, "GITHUB_ACTION_PATH": str(_ACTION), "GITHUB_API_URL": self.github.address,
            "GITHUB_REPOSITORY": "o/r", "GITHUB_RUN_ID": "5", "GITHUB_STEP_SUMMARY": str(self.folder.parent / "job.md"),
            "GITHUB_EVENT_PATH": str(self.folder.parent / "event.json"),
        }  # fmt: skip
        return subprocess.run(
            ["bash", "-eo", "pipefail", "-c", script],
            cwd=self.folder, env=os.environ | fixed | environment, capture_output=True, text=True, check=False,
        )  # fmt: skip


def _fill(text: str, values: dict[str, str]) -> str:
    return re.sub(r"\$\{\{ *([\w.-]+) *\}\}", lambda match: values.get(match[1], ""), text)


@pytest.fixture
def runner(tmp_path: Path, github: GitHub) -> Runner:
    shutil.copytree(ROOT / "evals", tmp_path / "r" / "evals")
    (tmp_path / "event.json").write_text('{"pull_request": {"number": 7}}', encoding="utf-8")
    return Runner(tmp_path / "r", github)


def _artifact(address: str, day: int, **more: Any) -> dict[str, Any]:
    run = {"repository_id": 1, "head_repository_id": 1, "head_branch": "main"} | more
    return {
        "created_at": f"2026-01-{day:02}T00:00:00Z",
        "expired": False,
        "archive_download_url": f"{address}/download",
        "workflow_run": run,
    }


def _archive(folder: Path) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for file in folder.iterdir():
            archive.write(file, file.name)
    return content.getvalue()


def test_the_steps_run_from_a_shell_and_keep_one_comment(runner: Runner, github: GitHub, tmp_path: Path) -> None:
    [workflow] = [block.text for block in read_blocks("README.md") if block.file == ".github/workflows/evals.yaml"]
    [use] = [step for step in yaml.safe_load(workflow)["jobs"]["evals"]["steps"] if "evalctl" in step["uses"]]
    inputs = {name: value for name, value in use["with"].items() if name != "package"}
    assert runner.run(inputs, ("base", "run", "finish"), GITHUB_REF_NAME="main") == 0
    assert github.requests == []
    folder = runner.folder / ".evalctl" / "action"
    kept = {"results.jsonl", "summary.md", "report.html", "junit.xml", "log.txt"}
    assert {file.name for file in folder.iterdir()} == kept
    github.archive = _archive(folder)
    fork = _artifact("http://127.0.0.1:1", 9, head_repository_id=2)
    other = _artifact("http://127.0.0.1:1", 8, head_branch="other")
    github.artifacts = [fork, _artifact(github.address, 1), other]

    steps = ("install", "base", "run", "comment", "finish")
    pull = {"GITHUB_BASE_REF": "main", "GITHUB_HEAD_REF": "faster"}
    broken = inputs | {"options": "--predictions model=evals/invoices.model-b.jsonl"}
    assert runner.run(broken, steps, **pull) == 1
    assert "evalctl " in runner.log
    assert "base: .evalctl/base/results.jsonl\n" in runner.log
    assert "::error title=evalctl::a case did not pass, or a gate was missed or violated" in runner.log
    [comment] = github.comments
    assert comment["body"].startswith("<!-- evalctl: evals -->\n### invoices · main → faster: tied\n")
    assert "**hooli**: 1.000 → 0.750" in comment["body"]
    assert "\n- `gate violated: broken: 1 passed before and do not pass now`\n" in comment["body"]
    assert comment["body"].endswith(
        "\n[The run](https://github.com/o/r/actions/runs/5) has every case in its artifact.\n"
    )
    assert github.tokens_elsewhere == [None]

    assert runner.run(inputs, steps[1:], **pull) == 0
    [comment] = github.comments
    assert "tied: no score changed in 12 cases" in comment["body"]
    assert "gate violated" not in comment["body"]
    assert "updated: https://host/c" in runner.log
    assert (tmp_path / "job.md").read_text(encoding="utf-8").count("### invoices · ") == 5


def test_what_the_api_refuses_is_a_warning(runner: Runner, github: GitHub) -> None:
    github.artifacts, github.forbids_comments = [_artifact(github.address, 1)], True
    github.archive = b"no archive"
    (runner.folder / "evals" / "baselines").mkdir()
    (runner.folder / "evals" / "baselines" / "x.jsonl").touch()
    assert runner.run({}, ("base", "comment"), GITHUB_BASE_REF="main") == 0
    warnings = [line for line in runner.log.splitlines() if line.startswith("::warning title=evalctl::")]
    assert [line.partition("::")[2].partition("::")[2] for line in warnings] == [
        "the results of main cannot be read: File is not a zip file",
        f"the comment cannot be written: POST {github.address}/repos/o/r/issues/7/comments: 403 Forbidden",
    ]
    assert "base: baseline\n" in runner.log


def test_a_run_that_cannot_start_fails_the_job(runner: Runner) -> None:
    assert runner.run({"suites": "evals/none.yaml"}, ("run", "comment", "finish")) == 2
    assert "evalctl wrote no report; see the log." in runner.github.comments[0]["body"]
    assert "- `error: evals/none.yaml: " in runner.github.comments[0]["body"]
