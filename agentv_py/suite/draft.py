"""Cases, a folder, a JSON Schema or a model → a suite in a folder, with the reason behind every comparator."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from agentv_py import jsontext
from agentv_py.errors import UserError
from agentv_py.inference.example import build_example
from agentv_py.inference.suggest import suggest
from agentv_py.inference.yaml_text import add_reason, write_comparators, write_scalar
from agentv_py.suite.answers import split_name
from agentv_py.suite.draft_source import FIRST_CASES, STEP, Source, read_source
from agentv_py.suite.new_files import SCHEMA_LINE

_CASES = "cases.jsonl"


class Draft(NamedTuple):
    """A suite that is not written yet, and the cases beside it."""

    files: dict[str, str]
    """Name → text."""
    cases: int
    has_answers: bool


def draft_suite(name: str, predictions: Sequence[str], folder: str) -> Draft:
    """Read what `name` names, and write the suite that fits it. `predictions`: FILE or NAME=FILE. Raises UserError."""
    named = _name_predictions(predictions)
    source = read_source(name, list(named.values()))
    if source.is_schema:
        return _draft_from_schema(source, predictions)
    dataset = add_reason(f"dataset: {_write_path(name, folder)}", _describe_cases(source))
    answers = _write_answers(named, folder, has_names=[*named.values()] != [*predictions])
    text = "\n".join([*_write_head(source), dataset, *answers, *_write_evaluators(source)]) + "\n"
    return Draft({"suite.yaml": text}, source.cases, source.has_answers or bool(predictions))


def _name_predictions(predictions: Sequence[str]) -> dict[str, str]:
    """Return the path of each file of answers by the name of its target, as `run --predictions` names it."""
    named: dict[str, str] = {}
    for given in predictions:
        name, path = split_name(given)
        if not name and len(predictions) > 1:
            raise UserError(f"--predictions: {given!r} gives no name; write NAME={given}")
        if name in named:
            raise UserError(f"--predictions: two targets are named {name!r}; name one with --predictions NAME=FILE")
        named[name] = path
    return named


def _write_answers(named: dict[str, str], folder: str, *, has_names: bool) -> Iterator[str]:
    """Yield `predictions:` for one file without a name of its own, else a recorded target for each file."""
    if len(named) == 1 and not has_names:
        yield from (f"predictions: {_write_path(path, folder)}" for path in named.values())
    elif named:
        yield "targets:"
        for name, path in named.items():
            yield f"  - {{name: {write_scalar(name)}, type: recorded, predictions: {_write_path(path, folder)}}}"


def _draft_from_schema(source: Source, predictions: Sequence[str]) -> Draft:
    if predictions:
        raise UserError(f"--predictions: {source.name} declares answers and has no cases that predictions could answer")
    example = build_example(source.profile)
    case = {"id": "example", "expected": example, "candidate": example}
    dataset = add_reason(f"dataset: {_CASES}", "one example of the schema; put your own cases in its place")
    text = "\n".join([*_write_head(source), dataset, *_write_evaluators(source)]) + "\n"
    return Draft({"suite.yaml": text, _CASES: jsontext.dumps(case).decode() + "\n"}, 1, has_answers=True)


def _write_head(source: Source) -> Iterator[str]:
    yield SCHEMA_LINE
    yield add_reason("", f"Written by `evalctl init --from {source.name}`.").strip()
    yield "# The reason for each comparator is behind it. Change what does not fit; evalctl never overwrites it."
    yield f"name: {write_scalar(_find_name(source.name))}"


def _find_name(name: str) -> str:
    """Return a name for the suite: `invoice` for invoice.schema.json, gold/ and app.models:Invoice alike."""
    last = name.rpartition(":")[2] if ":" in name else Path(name).name
    return last.partition(".")[0].strip("*") or Path(name).absolute().parent.name or "suite"


def _describe_cases(source: Source) -> str:
    cases = "1 case" if source.cases == 1 else f"{source.cases:,} cases"
    if source.cases <= FIRST_CASES:
        return cases
    return f"{cases}; the reasons below are from the first {FIRST_CASES:,} and then every {STEP}th"


def _write_evaluators(source: Source) -> Iterator[str]:
    yield "evaluators:"
    yield "  - type: object_match"
    yield from write_comparators(suggest(source.profile), 4)


def _write_path(path: str, folder: str) -> str:
    """Write a path of the command line as the suite names it: relative to the suite's folder."""
    relative = path if os.path.isabs(path) else os.path.relpath(path, folder)  # noqa: PTH117  keeps the user's spelling
    is_folder = os.path.isdir(path)  # noqa: PTH112  as above
    return write_scalar(relative.replace(os.sep, "/") + ("/" if is_folder else ""))
