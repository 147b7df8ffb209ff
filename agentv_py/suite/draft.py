"""Cases, a folder, a JSON Schema or a model → a suite in a folder, with the reason behind every comparator."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from agentv_py import jsontext
from agentv_py.errors import UserError
from agentv_py.inference.example import build_example
from agentv_py.inference.suggest import suggest
from agentv_py.inference.yaml_text import add_reason, write_comparators, write_scalar
from agentv_py.suite.draft_source import FIRST_CASES, STEP, Source, read_source
from agentv_py.suite.new_files import SCHEMA_LINE

_CASES = "cases.jsonl"


class Draft(NamedTuple):
    """A suite that is not written yet, and the cases beside it."""

    files: dict[str, str]
    """Name → text."""
    cases: int
    has_answers: bool


def draft_suite(name: str, predictions: str | None, folder: str) -> Draft:
    """Read what `name` names, and write the suite that fits it. Raises UserError."""
    source = read_source(name, [] if predictions is None else [predictions])
    if source.is_schema:
        return _draft_from_schema(source, predictions)
    names = [("dataset", name, _describe_cases(source))]
    names += [] if predictions is None else [("predictions", predictions, "")]
    lines = [add_reason(f"{key}: {_write_path(path, folder)}", reason) for key, path, reason in names]
    text = "\n".join([*_write_head(source), *lines, *_write_evaluators(source)]) + "\n"
    return Draft({"suite.yaml": text}, source.cases, source.has_answers or predictions is not None)


def _draft_from_schema(source: Source, predictions: str | None) -> Draft:
    if predictions is not None:
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
