"""A row of results ⇄ its line in a file. A line that is read is checked, whether evalctl or AgentV wrote it."""

import re
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, NotRequired, TypeGuard, cast

from agentv_py import jsontext
from agentv_py.results.agentv import is_agentv, translate
from agentv_py.score import ErrorInfo, EvaluatorResult, Outcome


class Row(Outcome):
    """The result of one case: a line of a results file."""

    timestamp: str
    suite: str
    case_id: str
    status: Literal["ok", "error"]
    evaluator_results: list[EvaluatorResult]
    duration_ms: float
    error: NotRequired[ErrorInfo]
    input: NotRequired[Any]
    expected: NotRequired[Any]
    candidate: NotRequired[Any]
    candidates: NotRequired[list[Any]]
    """The answers, if the case has several; then there is no `candidate`."""
    repeats: NotRequired[list[float]]
    """The score of each answer."""
    worst_repeat: NotRequired[int]
    """The number of the answer that hits, misses and details are about, from 1."""
    consistency: NotRequired[float]
    """How far the answers agree."""
    flaky: NotRequired[bool]
    """True if some answers of the case pass and others do not."""
    metadata: NotRequired[dict[str, Any]]
    tags: NotRequired[list[str]]
    fingerprint: NotRequired[str]
    """What shaped the score: see `Fingerprint`."""
    selection: NotRequired[Mapping[str, Any]]
    """Which cases of the suite ran, if not all did: their number (`cases`), that of all (`of`), and the `flags`."""
    skipped: NotRequired[list[str]]
    """The names of evaluators that do not apply to the case."""
    label: NotRequired[str]
    """What the user calls the run."""
    commit: NotRequired[str]
    """The commit that git had checked out, if the run has a label."""
    target: NotRequired[str]
    """The name of the target that gave the answer."""
    latency_ms: NotRequired[float]
    cost: NotRequired[float]
    tokens: NotRequired[Any]
    trace: NotRequired[Any]
    confidence: NotRequired[Any]


class Fingerprint(NamedTuple):
    """What shaped the score of a row, as two short hashes: what scores the case, and the case itself."""

    options: int
    case: int


def write_fingerprint(options: str, case: int) -> str:
    return f"{options}-{case.to_bytes(4).hex()}"  # twice as fast as the format 08x


def read_fingerprint(text: Any) -> Fingerprint | None:
    """Read the fingerprint of a row; None if it has none, as a row of an earlier version or of AgentV."""
    return Fingerprint(int(text[:8], 16), int(text[9:], 16)) if _is_fingerprint(text) else None


def read_options(text: Any) -> str | None:
    """Read only the options of a fingerprint, which takes half the time."""
    return text[:8] if _is_fingerprint(text) else None


def _is_fingerprint(text: Any) -> TypeGuard[str]:
    return isinstance(text, str) and _FINGERPRINT.fullmatch(text) is not None


_FINGERPRINT = re.compile(r"[0-9a-f]{8}-[0-9a-f]{8}")


class RowSelection(NamedTuple):
    """Which cases of its suite the run of a row selected."""

    cases: int
    of: int
    flags: str

    def __str__(self) -> str:
        return f"{self.cases:,} of {self.of:,} case{'' if self.of == 1 else 's'}: {self.flags}"


def read_selection(value: Any) -> RowSelection | None:
    """Read the selection of a row; None if evalctl does not write such a selection."""
    if not isinstance(value, Mapping) or value.keys() != {"cases", "of", "flags"}:
        return None
    selection = RowSelection(**value)
    return selection if [type(part) for part in selection] == [int, int, str] else None


class NotARow(ValueError):  # noqa: N818  a finding about a line, not a fault of the program
    """The line is not a row of results; the message says why."""


class TornRow(NotARow):
    """The line is not JSON; a run that was killed may have cut it off."""


def encode_row(row: Mapping[str, Any]) -> bytes:
    return jsontext.dumps_line(row)


def without_values(row: Row, why: str) -> Row:
    """Return the row of a case whose values cannot be written: an error that holds none of them."""
    error: ErrorInfo = {"kind": "too_deep", "message": why}
    failure = {"score": 0.0, "verdict": "fail", "hits": [], "misses": [f"(too_deep: {why})"], "error": error}
    results = [
        {key: value for key, value in result.items() if key != "details"} | failure
        for result in row["evaluator_results"]
    ]
    rest = {key: value for key, value in row.items() if key not in _VALUES}
    return cast("Row", rest | failure | {"status": "error", "evaluator_results": results})


_VALUES = frozenset({
    "input", "expected", "candidate", "candidates", "trace", "confidence", "metadata", "repeats", "consistency"
})  # fmt: skip


def decode_row(line: bytes) -> Row:
    """Decode a line and check it. Raise NotARow."""
    try:
        value = jsontext.loads(line, jsontext.MAX_WRITTEN_DEPTH)
    except jsontext.NotJson as error:
        raise TornRow(str(error)) from None
    if not isinstance(value, dict):
        raise NotARow("it is not an object")
    if is_agentv(value):
        value = translate(value)
    if not _is_valid(value):
        _name_damage(value)
    return cast("Row", value)


def _is_valid(row: dict[str, Any]) -> bool:
    """Make the checks of `_name_damage` faster. True: the row passes. False: the slow check must decide."""
    try:
        if not (
            row.keys().isdisjoint(_RARE)
            and type(row.get("skipped", _NO_NAMES)) is list
            and row["status"] in _STATUSES
            and row["verdict"] in _VERDICTS
            and type(row["case_id"]) is type(row["suite"]) is type(row.get("target", "")) is str
            and type(score := row["score"]) in _NUMBERS
            and 0 <= score <= 1
        ):
            return False
        for result in row["evaluator_results"]:
            if not (
                result["verdict"] in _VERDICTS
                and type(result["name"]) is type(result["type"]) is str
                and type(result["misses"]) is type(row["evaluator_results"]) is list
                and type(score := result["score"]) in _NUMBERS
                and 0 <= score <= 1
                and type(result.get("details", _NO_DETAILS)) is dict
            ):
                return False
    except (KeyError, TypeError):
        return False
    return True


_STATUSES = frozenset({"ok", "error"})
_VERDICTS = frozenset({"pass", "partial", "fail"})
_RARE = frozenset({"repeats", "consistency"})
_NUMBERS = frozenset({int, float})
_NO_DETAILS: dict[str, Any] = {}
_NO_NAMES: list[str] = []


def _name_damage(row: dict[str, Any]) -> None:
    _need(row, {"case_id": str, "suite": str, "status": ("ok", "error"), **_OUTCOME, "evaluator_results": list})
    if not isinstance(row.get("target"), str | None):
        raise NotARow(f"its target cannot be {jsontext.dumps(row['target']).decode()[:60]}")
    if "repeats" in row and not _is_list_of_scores(row["repeats"]):
        raise NotARow("its repeats are not a list of scores")
    if not _is_score(row.get("consistency", 1.0)):
        raise NotARow("its consistency is not a number from 0 to 1")
    if not isinstance(row.get("skipped", _NO_NAMES), list):
        raise NotARow("its skipped evaluators are not a list of names")
    for result in row["evaluator_results"]:
        if not isinstance(result, dict):
            raise NotARow("an evaluator's result is not an object")
        _need(result, {"name": str, "type": str, **_OUTCOME, "misses": list})
        if not isinstance(result.get("details", {}), dict):
            raise NotARow("an evaluator's details are not an object")


_OUTCOME: dict[str, Any] = {"score": float, "verdict": ("pass", "partial", "fail")}


def _need(row: dict[str, Any], kinds: dict[str, Any]) -> None:
    """Raise NotARow unless each key has a value of its kind; float means a score."""
    for key, kind in kinds.items():
        value = row.get(key)
        if isinstance(kind, tuple):
            fits = value in kind
        elif kind is float:
            fits = _is_score(value)
        else:
            fits = isinstance(value, kind)
        if not fits:
            text = jsontext.dumps(value).decode()[:60]
            raise NotARow(f"it has no {key}" if value is None else f"its {key} cannot be {text}")


def _is_score(value: Any) -> bool:
    return type(value) in (int, float) and 0 <= value <= 1


def _is_list_of_scores(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(map(_is_score, value))
