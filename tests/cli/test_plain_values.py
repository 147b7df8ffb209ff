"""Parameters that take texts as they are: what typer makes of them is the same, and `report` loads no pydantic."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from agentv_py.cli import COMMANDS, build_app
from agentv_py.cli.plain_values import _Other, take_plain_value

VALUES: tuple[Any, ...] = (None, "", "text", "-", "3", ("a",), ["a", "b"], (), True, 7)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_value_that_is_taken_as_it_is_is_what_typer_returns(command: str) -> None:
    group: Any = get_command(build_app())
    chosen = group.commands[command]
    chosen = next(iter(chosen.commands.values())) if hasattr(chosen, "commands") else chosen
    for parameter in chosen.params:
        for value in (*VALUES, parameter.default):
            plain = take_plain_value(parameter, value)
            if plain is not _Other.OTHER:
                context = chosen.context_class(chosen)
                assert plain == type(parameter).process_value(parameter, context, value)


def test_a_report_loads_no_pydantic(tmp_path: Path) -> None:
    row = (
        b'{"timestamp":"t","suite":"s","case_id":"c","status":"ok","score":1.0,"verdict":"pass","hits":["a"],"misses":[],'
        b'"reasoning":"","evaluator_results":[],"duration_ms":1.0}\n'
    )
    (tmp_path / "r.jsonl").write_bytes(row)
    code = (
        "import sys; from agentv_py.cli import main; sys.argv = ['evalctl', 'report', 'r.jsonl']\n"
        "try: main()\nexcept SystemExit: pass\nprint('pydantic.main' in sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stderr.splitlines() == ["False"]
