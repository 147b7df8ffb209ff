"""The house rules, read from the source."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from requirements import environment_without_coverage

_ROOT = Path(__file__).parents[1]
_PACKAGE = _ROOT / "agentv_py"

# Imports point from a later row to an earlier one, or within a row.
_LAYERS = (
    ("errors", "options", "jsontext", "messages", "case", "score", "input_file", "state_folder"),
    ("process",),
    ("models",),
    ("comparison",),
    ("evaluators", "targets", "judge", "inference"),
    ("suite",),
    ("results",),
    ("report",),
    ("run",),
    ("formats",),
    ("api", "cli", "testing"),
)
_DOORS = {
    "typer": ("cli/*.py",),
    "rich": ("formats/console/*.py", "cli/progress.py"),
    "yaml": ("suite/yaml_document.py",),
    "rapidfuzz": ("comparison/matchers/fuzzy.py",),
    "regex": ("comparison/matchers/regex.py", "evaluators/json_quality/blocklist.py"),
    "lap": ("comparison/pairing/assignment.py",),
    "shapely": ("comparison/readers/polygon.py",),
    "multiprocessing": ("run/engines/local.py", "run/engines/replies.py"),
    "ray": ("run/engines/ray.py", "run/engines/cluster.py"),
    "subprocess": ("process/child.py", "process/pipes.py", "process/watchdog.py"),
    "orjson": ("jsontext/*.py",),
    "httpx": ("models/connection.py", "models/exchange.py", "models/http_clients.py"),
    "h11": ("models/connection.py",),
    "jinja2": ("models/prompt_template.py", "models/expression.py"),
    "jsonschema_rs": ("inference/schema_validator.py",),
    "pyarrow": ("suite/datasets/parquet.py", "formats/parquet_file.py"),
    "python_calamine": ("suite/datasets/xlsx.py",),
    "sqlite3": ("models/cache.py",),
    "sentence_transformers": ("models/backends/sentence_transformers.py",),
}


def _files() -> list[Path]:
    return [path for path in sorted(_PACKAGE.rglob("*.py")) if path.name != "__main__.py"]


@cache
def _imports(path: Path) -> tuple[str, ...]:
    return tuple(_read_imports(path))


def _read_imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            if node.module == "agentv_py":
                yield from (f"agentv_py.{alias.name}" for alias in node.names if not alias.name.startswith("__"))


def _layer(part: str) -> int:
    return next(number for number, layer in enumerate(_LAYERS) if part in layer)


def test_imports_point_one_way() -> None:
    assert [wrong for path in _files() for wrong in _list_wrong_imports(path)] == []


def _list_wrong_imports(path: Path) -> Iterator[str]:
    own = path.relative_to(_PACKAGE).parts[0].removesuffix(".py")
    for name in () if own == "__init__" else _imports(path):
        parts = name.split(".")
        if parts[0] == "agentv_py" and len(parts) > 1 and _layer(parts[1]) > _layer(own):
            yield f"{path} imports {name}"


@pytest.mark.parametrize("library", _DOORS)
def test_a_library_comes_in_through_its_door(library: str) -> None:
    users = [path for path in _files() if library in {name.split(".")[0] for name in _imports(path)}]
    doors = {path for door in _DOORS[library] for path in _PACKAGE.glob(door)}
    assert users
    assert set(users) <= doors


def test_the_version_loads_nothing_heavy() -> None:
    code = (
        "import sys; sys.argv = ['evalctl', '--version']\n"
        "from agentv_py.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "heavy = {'pydantic', 'rich', 'yaml', 'rapidfuzz', 'numpy', 'orjson', 'regex', 'lap', 'shapely', 'httpx', 'jinja2', 'jsonschema_rs'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment_without_coverage()
    )
    assert done.stdout.splitlines()[1] == "[]"


def test_a_plain_run_loads_what_the_suite_names_and_nothing_for_models_that_are_asked(tmp_path: Path) -> None:
    suite = tmp_path / "s.yaml"
    suite.write_text(
        "evaluators: [{type: object_match, comparators: {a: fuzzy}}]\ncases: [{expected: {a: x}, candidate: {a: x}}]\n"
    )
    code = (
        "import sys; sys.argv = ['evalctl', 'run', 's.yaml', '-q', '-o', 'r.jsonl']\n"
        "from agentv_py.cli import main\n"
        "try: main()\n"
        "except SystemExit as ended: print(ended.code)\n"
        "print([one for one in sorted(sys.modules) if one.startswith(('agentv_py.evaluators.', 'agentv_py.models.backends.'))])\n"
        "print(sorted(one for one in sys.modules if one.startswith('agentv_py.comparison.matchers.')))\n"
        "from agentv_py.suite.schema import CaseRow, Suite\n"
        "print([one.__name__ for one in (Suite, CaseRow) if one.__pydantic_complete__])\n"
        "print(sorted({'httpx', 'jinja2', 'sqlite3', 'asyncio', 'numpy', 'regex', 'ssl'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
        env=environment_without_coverage(),
    )
    matchers = "['agentv_py.comparison.matchers.base', 'agentv_py.comparison.matchers.exact', 'agentv_py.comparison.matchers.fuzzy']"  # equal keys pair rows
    assert done.stdout.splitlines() == [
        "0",
        "['agentv_py.evaluators.adjustment', 'agentv_py.evaluators.base', 'agentv_py.evaluators.grade', 'agentv_py.evaluators.learning', 'agentv_py.evaluators.object_match']",
        matchers,
        "['Suite']",
        "[]",
    ]
