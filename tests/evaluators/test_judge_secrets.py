"""What a suite hands to its judges as a secret is in no message that is kept."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Evalctl

from agentv_py.process.pipes import MOST_STDERR

Write = Callable[[str, Any], Path]

_KEY = "sk-live-0123456789abcdef"
_PASSWORD = "pä$$ w0rd/+=" + "".join(map(str, range(150)))


@pytest.fixture
def message(evalctl: Evalctl, write: Write, tmp_path: Path) -> Callable[..., str]:
    """The error of a case whose judge has a password, in a suite one of whose models has a key."""

    def run_judge(source: str, **options: Any) -> str:
        write("judge.py", f"import os, sys\nerr = lambda text: sys.stderr.buffer.write(text.encode())\n{source}\n")
        judge = {"type": "code_judge", "script": "judge.py", "env": {"PASSWORD": _PASSWORD, "MODE": "on"}, **options}
        model: dict[str, Any] = {
            "type": "llm_judge",
            "base_url": "http://127.0.0.1:1/v1",
            "model": "m",
            "api_key_env": "MY_KEY",
        }
        model |= {"rubric": "Is it one?", "retries": 0}
        cases = [{"id": "judged", "candidate": 1}, {"id": "asked", "candidate": 1, "evaluators": [model]}]
        write("s.yaml", {"evaluators": [judge], "cases": cases})
        done = evalctl("run", "s.yaml", "-o", "r.jsonl", "--no-cache", "--case", "judged", MY_KEY=f" {_KEY}\n")
        assert done.returncode == 3, done.stderr
        rows = (tmp_path / "r.jsonl").read_text(encoding="utf-8")
        for secret in (_KEY, _PASSWORD, _PASSWORD[-100:]):
            assert secret not in rows + done.stdout + done.stderr
        text: str = json.loads(rows.splitlines()[0])["error"]["message"]
        return text

    return run_judge


@pytest.mark.parametrize("persistent", [True, False])
def test_keys_and_env_values_are_redacted_from_stderr(message: Callable[..., str], persistent: bool) -> None:
    source = 'err(f\'no access with {os.environ["PASSWORD"]} on {os.environ["MY_KEY"].strip()}!\'); sys.exit(3)'
    assert message(source, persistent=persistent) == (
        "the judge exited with code 3; stderr: no access with [redacted] on [redacted]!"
    )


def test_a_secret_that_the_cut_goes_through_is_redacted_whole(message: Callable[..., str]) -> None:
    found = message("err(os.environ['PASSWORD'] + 'x' * 250); sys.exit(3)")
    assert found == f"the judge exited with code 3; stderr: [redacted]{'x' * 250}"


def test_a_part_of_a_secret_where_the_kept_end_begins_is_left_out(message: Callable[..., str]) -> None:
    found = message("err(os.environ['PASSWORD'] * 40 + ' and no more'); sys.exit(3)")
    whole = MOST_STDERR // len(_PASSWORD.encode())
    assert found == f"the judge exited with code 3; stderr: {'[redacted]' * whole} and no more"


@pytest.mark.parametrize("source", ["print(os.environ['MY_KEY'])", "print('x' * 70 + os.environ['PASSWORD'])"])
def test_what_a_message_quotes_of_stdout_is_redacted_as_well(message: Callable[..., str], source: str) -> None:
    assert "[redacted]" in message(source)


def test_a_score_that_is_a_secret_is_redacted(message: Callable[..., str]) -> None:
    source = "import json; print(json.dumps({'score': os.environ['MY_KEY'].strip()}))"
    assert message(source) == 'the judge\'s score is not a number from 0 to 1: "[redacted]"'
