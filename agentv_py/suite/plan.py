"""A valid suite → its selected cases, one by one."""

import os
from array import array
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import TypeAdapter, ValidationError

from agentv_py import jsontext
from agentv_py.case import ABSENT, Case
from agentv_py.errors import InputChanged, Problem, UserError
from agentv_py.evaluators.grade import NamedEvaluator, assign_names
from agentv_py.suite.datasets.rows import InvalidRow, Row, decode, read_rows
from agentv_py.suite.inputs import Inputs
from agentv_py.suite.predictions import Predictions
from agentv_py.suite.schema import CaseRow, Evaluators, Suite
from agentv_py.suite.values import Value, examine_rows, read_values

_CASE_KEYS = frozenset(CaseRow.model_fields)

NamedEvaluators = Sequence[NamedEvaluator]


class Source(NamedTuple):
    """A file of cases; the suite file itself is one, with its inline cases as rows."""

    path: Path
    shown: str
    inline: Sequence[Row] | None = None

    def rows(self) -> Iterator[Row | Problem]:
        return iter(self.inline) if self.inline is not None else read_rows(self.path, self.shown)

    def values(self) -> Iterator[Value | Problem]:
        """The same rows, decoded, with what there is to know of them before a run."""
        if self.inline is not None:
            return examine_rows(self.inline, self.shown)
        return read_values(self.path, self.shown)


class Selection(NamedTuple):
    """Which of a suite's cases to run."""

    cases: Sequence[str] = ()
    tags: Sequence[str] = ()
    limit: int | None = None

    def takes(self, id_: str, tags: Sequence[str]) -> bool:
        named_so = not self.cases or any(id_ == glob or fnmatchcase(id_, glob) for glob in self.cases)
        return named_so and (not self.tags or any(tag in tags for tag in self.tags))


class RawCase(NamedTuple):
    """A case as it stands in its files: cheap to hand to another process."""

    stem: str
    line: int
    row: bytes | dict[str, Any]
    prediction: bytes | Any = ABSENT


class Place(NamedTuple):
    """Where a case stands."""

    shown: str
    line: int


@dataclass(slots=True)
class Plan:
    suite: Suite
    name: str
    shown: str
    sources: Sequence[Source]
    predictions: Predictions
    selected: "array[int]"
    """Positions of the cases to run, over all sources."""
    plain: bool
    """Whether every row can be read the fastest way."""
    outside: bool = False
    """Whether any evaluator is another program's work."""
    warnings: list[Problem] = field(default_factory=list)
    written: Mapping[str, Any] = field(default_factory=dict)
    """The suite as it stands in its file."""
    asks: bool = False
    """Whether any evaluator asks a model."""
    unpriced: bool = False
    """Whether any of those models has no price, so that nobody knows the cost."""
    reads: Sequence[Path] = ()
    """What its evaluators read."""
    key_names: Sequence[str] = ()
    """The environment variables that hold its models' keys."""
    files: Inputs = field(default_factory=Inputs)
    """All of these files, as they were when they were checked."""

    @property
    def folder(self) -> str:
        return os.path.dirname(self.shown)  # noqa: PTH120  "" stays the working folder

    def inputs(self) -> Iterator[Path]:
        """Every file this plan reads."""
        yield Path(self.shown)
        yield from (source.path for source in self.sources)
        yield from self.predictions.paths()
        yield from self.reads

    def raw_cases(self) -> Iterator[RawCase]:
        try:
            yield from self._raw_cases()
        finally:
            self.predictions.close()

    def _raw_cases(self) -> Iterator[RawCase]:
        wanted = iter(self.selected)
        position, next_wanted = -1, next(wanted, None)
        for source in self.sources:
            stem = source.path.stem
            for row in source.rows():
                if next_wanted is None:
                    return
                if isinstance(row, Problem):  # none was there when the suite was loaded
                    raise UserError(row)
                position += 1
                if position != next_wanted:
                    continue
                next_wanted = next(wanted, None)
                yield RawCase(stem, row.line, row.raw, self._prediction(source, row))
        if next_wanted is not None:
            files = ", ".join(source.shown for source in self.sources)
            raise InputChanged(Problem("changed during the run: cases that were selected are gone", "", files))

    def places(self, ids: Collection[str]) -> dict[str, Place]:
        """Where the cases with these ids stand."""
        found: dict[str, Place] = {}
        for source in self.sources if ids else ():
            for row in source.rows():
                if len(found) == len(ids):
                    return found
                if not isinstance(row, Problem) and (id_ := _row_id(source, row)) in ids:
                    found[id_] = Place(source.shown, row.line)
        return found

    def _prediction(self, source: Source, row: Row) -> bytes | Any:
        return self.predictions.raw(_row_id(source, row)) if self.predictions else ABSENT


def _row_id(source: Source, row: Row) -> str:
    """The id of a row that was checked before."""
    try:
        return id_of(decode(row), source.path.stem, row.line)
    except InvalidRow:
        raise InputChanged(Problem("changed during the run", "", source.shown, row.line)) from None


def id_of(value: dict[str, Any], stem: str, line: int) -> str:
    id_ = value.get("id")
    return f"{stem}:{line}" if id_ is None else str(id_)


def raw_id(raw: RawCase) -> str:
    try:
        value = jsontext.loads(raw.row) if isinstance(raw.row, bytes) else raw.row
        return id_of(value, raw.stem, raw.line)
    except (jsontext.NotJson, AttributeError):
        raise other_case(raw) from None


def other_case(raw: RawCase) -> InputChanged:
    """What there is to say where a case is not the one that was checked."""
    return InputChanged(Problem("the file changed during the run", "", raw.stem, raw.line))


def build_case(raw: RawCase, folder: str, *, plain: bool) -> tuple[Case, NamedEvaluators | None]:
    """Return the case, and evaluators of its own. Raise InputChanged if it is not the case that was checked."""
    value = raw.row
    try:
        if isinstance(value, bytes):
            value = jsontext.loads_plain(value) if plain else jsontext.loads(value)
        answer = value if raw.prediction is ABSENT else _decode_prediction(raw, value)
    except jsontext.NotJson:
        raise other_case(raw) from None
    if not isinstance(value, dict):
        raise other_case(raw)
    metadata = value.get("metadata")
    if not _CASE_KEYS.issuperset(value):
        if not (metadata is None or isinstance(metadata, dict)):
            raise other_case(raw)
        metadata = {key: value[key] for key in value if key not in _CASE_KEYS} | (metadata or {})
    case = Case(
        id_of(value, raw.stem, raw.line),
        value.get("expected", ABSENT),
        answer.get("candidate", ABSENT),
        value.get("input"),
        metadata,
        value.get("tags") or [],
        answer.get("candidates"),
    )
    own = value.get("evaluators")
    try:
        return case, _own_evaluators(jsontext.dumps(own), folder) if own else None
    except ValidationError:  # they were valid when the row was checked
        raise other_case(raw) from None


def _decode_prediction(raw: RawCase, value: Any) -> dict[str, Any]:
    """Return the row that has the answer to the case of this value."""
    answer = jsontext.loads(raw.prediction) if isinstance(raw.prediction, bytes) else raw.prediction
    if not (isinstance(answer, dict) and isinstance(value, dict)):
        raise other_case(raw)
    if str(answer.get("id")) != id_of(value, raw.stem, raw.line):
        raise other_case(raw)
    return answer


@lru_cache(maxsize=256)
def _own_evaluators(configuration: bytes, folder: str) -> NamedEvaluators:
    own = TypeAdapter(Evaluators).validate_python(jsontext.loads(configuration))
    return assign_names([one.placed(Path(folder)) for one in own])
