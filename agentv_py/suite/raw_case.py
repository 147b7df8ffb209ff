"""A case as its files hold it → a case that evaluators score."""

from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pydantic import TypeAdapter, ValidationError

from agentv_py import jsontext
from agentv_py.case import ABSENT, Case
from agentv_py.errors import InputChanged, Problem
from agentv_py.evaluators import Evaluators
from agentv_py.evaluators.grade import assign_names
from agentv_py.score import Thresholds
from agentv_py.suite.evaluators import NamedEvaluators
from agentv_py.suite.schema import CaseRow

if TYPE_CHECKING:
    from agentv_py.inference.suggestion import Suggestion

_CASE_KEYS = frozenset(CaseRow.model_fields)
_USUAL_KEYS = frozenset({"id", "input", "expected", "candidate"})
FACTS = ("latency_ms", "cost", "tokens", "trace", "confidence", "repeats")
"""What an answer may tell about itself besides its value."""


class RawCase(NamedTuple):
    """A case as its files hold it: cheap to hand to another process."""

    stem: str
    line: int
    row: bytes | dict[str, Any]
    prediction: bytes | Any = ABSENT
    target: str | None = None
    """The name of the target that the answer comes from."""
    folder: str = ""
    """The folder of the file, to which paths in the input are relative."""
    failure: tuple[str, str] | None = None
    """Why the target gave no answer: kind and message."""


# The plain way to build a named tuple takes twice as long.
build_raw_case: Callable[[tuple[str, int, bytes | dict[str, Any], Any, None, str, None]], RawCase] = partial(
    tuple.__new__, RawCase
)


def get_case_id(value: dict[str, Any], stem: str, line: int) -> str:
    id_ = value.get("id")
    return f"{stem}:{line}" if id_ is None else str(id_)


def get_raw_case_id(raw: RawCase) -> str:
    return get_case_id(decode_raw_row(raw), raw.stem, raw.line)


def read_own_evaluators(raw: RawCase) -> Any:
    """Return the evaluators that a case itself lists, as its row has them; None if there are none."""
    return decode_raw_row(raw).get("evaluators") or None


def decode_raw_row(raw: RawCase, *, plain: bool = False) -> dict[str, Any]:
    """Return the row of a case; `plain`: orjson alone can decode it. Raise InputChanged if it has changed."""
    decode = jsontext.loads_plain if plain else jsontext.loads
    try:
        value = decode(raw.row) if isinstance(raw.row, bytes) else raw.row
    except jsontext.NotJson:
        raise build_change_error(raw) from None
    if not isinstance(value, dict):
        raise build_change_error(raw)
    return value


def build_change_error(raw: RawCase) -> InputChanged:
    """Return the error for a case that is not the case that was checked."""
    return InputChanged(Problem("the file changed during the run", "", raw.stem, raw.line))


def build_case(
    raw: RawCase,
    folder: str,
    *,
    plain: bool,
    learned: "Suggestion | None" = None,
    thresholds: Thresholds = Thresholds(),  # noqa: B008  it never changes
    value: Any = None,
) -> tuple[Case, NamedEvaluators | None]:
    """Return the case, and evaluators of its own. Raise InputChanged if it is not the case that was checked.

    `value` is the decoded row, if it is known.
    """
    stem, line, row, prediction, target, _, failure = raw
    try:
        if value is None:
            value = row
        if isinstance(value, bytes):
            value = jsontext.loads_plain(value) if plain else jsontext.loads(value)
        # A target that has no answer must not be credited with the answer that the case itself has.
        has_own = prediction is ABSENT and target is None
        answer = value if has_own else _decode_prediction(raw, value)
    except jsontext.NotJson:
        raise build_change_error(raw) from None
    if not isinstance(value, dict):
        raise build_change_error(raw)
    if has_own and _USUAL_KEYS.issuperset(value):  # most cases; this takes half the time
        id_ = get_case_id(value, stem, line)
        return Case(id_, value.get("expected", ABSENT), value.get("candidate", ABSENT), value.get("input")), None
    metadata = value.get("metadata")
    if not _CASE_KEYS.issuperset(value):
        if not (metadata is None or isinstance(metadata, dict)):
            raise build_change_error(raw)
        metadata = collect_metadata(value)
    case = Case(
        get_case_id(value, stem, line),
        value.get("expected", ABSENT),
        answer.get("candidate", ABSENT),
        value.get("input"),
        metadata,
        value.get("tags") or [],
        answer.get("candidates"),
        target,
        _read_facts(answer) if not has_own else {"trace": answer["trace"]} if "trace" in answer else None,
        failure,
    )
    own = value.get("evaluators")
    try:
        return case, _build_evaluators(jsontext.dumps(own), folder, learned, thresholds) if own else None
    except ValidationError:  # they were valid when the row was checked
        raise build_change_error(raw) from None


def collect_metadata(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the metadata of a case; keys of its row that no case has are metadata, too."""
    return {key: row[key] for key in row if key not in _CASE_KEYS} | (row.get("metadata") or {})


def _read_facts(answer: dict[str, Any]) -> dict[str, Any] | None:
    return {key: answer[key] for key in FACTS if key in answer} or None


def _decode_prediction(raw: RawCase, value: Any) -> dict[str, Any]:
    """Return the row that has the answer to the case of this value; an empty one if there is no such row."""
    if raw.prediction is ABSENT:
        return {}
    answer = jsontext.loads(raw.prediction) if isinstance(raw.prediction, bytes) else raw.prediction
    if not (isinstance(answer, dict) and isinstance(value, dict)):
        raise build_change_error(raw)
    if str(answer.get("id")) != get_case_id(value, raw.stem, raw.line):
        raise build_change_error(raw)
    return answer


@lru_cache(maxsize=256)
def _build_evaluators(
    configuration: bytes, folder: str, learned: "Suggestion | None", thresholds: Thresholds
) -> NamedEvaluators:
    own = TypeAdapter(Evaluators).validate_python(jsontext.loads(configuration))
    placed = [evaluator.in_folder(Path(folder)) for evaluator in own]
    ready = placed if learned is None else [evaluator.learn(learned) for evaluator in placed]
    return assign_names(ready, thresholds)
