"""What `init --from` names: cases, a folder, a JSON Schema or a model → what is known about its answers."""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from agentv_py.case import Case
from agentv_py.errors import InvalidSuite, Problem, UserError
from agentv_py.inference.json_schema import UnusableSchema, profile_schema
from agentv_py.inference.profile import Profile
from agentv_py.suite.datasets import find_reader, read_decoded_rows, read_rows
from agentv_py.suite.datasets.files import find_files
from agentv_py.suite.datasets.row import DatasetRow, InvalidRow, decode
from agentv_py.suite.other_names import suggest_other_name
from agentv_py.suite.schema import CaseRow

FIRST_CASES = 5_000
"""So many cases are looked at from the start. Of the others one in `STEP` is enough to see what they hold."""
STEP = 50
_FIRST_ANSWERS = 1_000
"""So many answers are enough to see how answers are written."""

_MODEL = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_][\w.]*")


class Source(NamedTuple):
    """What a draft is made from."""

    name: str
    """What the user named."""
    profile: Profile
    is_schema: bool
    """Whether the source declares answers, and holds no cases."""
    cases: int = 0
    has_answers: bool = False


def read_source(name: str, predictions: Sequence[str] = ()) -> Source:
    """Read cases and the answers to them, or as many as are needed, or a schema. Raises UserError."""
    if _is_model(name):
        from agentv_py.inference.model import read_model_schema

        return _read_schema(name, read_model_schema(name))
    schema = _find_schema(name)
    return _read_cases(name, predictions) if schema is None else _read_schema(name, schema)


def _is_model(name: str) -> bool:
    return _MODEL.fullmatch(name) is not None and not os.path.exists(name)  # noqa: PTH110  keeps the user's spelling


def _find_schema(name: str) -> Any:
    """Return the JSON Schema that a file holds; None if it holds cases."""
    if not name.endswith(".json") or os.path.isdir(name):  # noqa: PTH112  as above
        return None
    from agentv_py.inference.schema_file import read_schema

    try:
        schema = read_schema(Path(), name)
    except UnusableSchema as error:
        raise UserError(f"{name}: {error}") from None
    is_schema = isinstance(schema, dict) and ("$schema" in schema or isinstance(schema.get("properties"), dict))
    return schema if name.endswith(".schema.json") or is_schema else None


def _read_schema(name: str, schema: Any) -> Source:
    try:
        return Source(name, profile_schema(schema), is_schema=True)
    except UnusableSchema as error:
        from agentv_py.inference.schema_file import find_line

        line = None if _is_model(name) else find_line(Path(), name, error)
        raise UserError(Problem(str(error), "", name, line)) from None


def _read_cases(name: str, predictions: Sequence[str]) -> Source:
    files, problem = find_files("", name)
    if problem:
        raise UserError(f"{name}: {problem}")
    answers = _profile_predictions(predictions)
    profile, cases, expected, has_answers = Profile(), 0, 0, False
    row: dict[str, Any] = {}
    for row in _sample_rows(files):
        cases += 1
        if row:
            has_answers = has_answers or "candidate" in row or "candidates" in row
            if cases <= _FIRST_ANSWERS:
                _add_answers(answers, row)
        if row.get("expected") is not None:
            expected += 1
            profile.add(Case("", row["expected"]).parsed_values()[0])
    if not expected:
        raise UserError(f"{name}: {_explain_no_expected(row) if cases else 'holds no row'}")
    profile.add_answers(answers)
    if cases > FIRST_CASES:
        profile.mark_sample()
    return Source(name, profile, is_schema=False, cases=cases, has_answers=has_answers)


def _explain_no_expected(row: Mapping[str, Any]) -> str:
    """Say that no case has an expected value, and the way out for rows like this one."""
    way_out = suggest_other_name("expected", row)
    if not way_out and (key := next((key for key in row if key not in CaseRow.model_fields), "")):
        way_out = f'; name a column "expected.{key}", or write objects {{"id": ..., "expected": {{"{key}": ...}}}}'
    return f"no case has an 'expected' value, so there is nothing to compare with{way_out}"


def _profile_predictions(names: Sequence[str]) -> Profile:
    """Return what is known about the first recorded answers of each name. The run reports what is wrong with them."""
    profile = Profile()
    for name in names:
        files, problem = find_files("", name)
        if problem:
            raise UserError(f"--predictions: {name}: {problem}")
        rows = (row for file in files for row in read_decoded_rows(Path(file), file, "prediction"))
        for row in islice(rows, _FIRST_ANSWERS):
            if not isinstance(row, Problem) and isinstance(row.value, dict):
                _add_answers(profile, row.value)
    return profile


def _add_answers(profile: Profile, row: dict[str, Any]) -> None:
    several = row.get("candidates")
    for answer in several if isinstance(several, list) else [row.get("candidate")]:
        profile.add(Case("", None, answer).parsed_values()[1])


def _sample_rows(files: list[str]) -> Iterator[dict[str, Any]]:
    """Yield each row that is looked at as an object, and {} for each other row. Raises InvalidSuite."""
    number = 0
    for file in files:
        path = Path(file)
        if not find_reader(path).holds_rows(path, file) and path.suffix != ".json":
            raise UserError(f"{file}: is a suite already; name its dataset")
        for row in read_rows(path, file):
            if isinstance(row, Problem):
                raise InvalidSuite(row)
            yield _decode(row, file) if number < FIRST_CASES or number % STEP == 0 else {}
            number += 1


def _decode(row: DatasetRow, file: str) -> dict[str, Any]:
    try:
        return decode(row)
    except InvalidRow as error:
        raise InvalidSuite(Problem(str(error), "", file, row.line)) from None
