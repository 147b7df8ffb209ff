"""A line of results → a row that is known to be sound, be it ours or AgentV's."""

from typing import Any

from agentv_py import jsontext
from agentv_py.results.agentv import is_agentv, translate

Row = dict[str, Any]


class NotARow(ValueError):  # noqa: N818  a finding about a line, not a fault of the program
    """The line is not a row of results; the message says why."""


class NotWhole(NotARow):
    """The line is not JSON, as one that was cut off is not."""


def row_of(line: bytes) -> Row:
    try:
        found = jsontext.loads(line, jsontext.MAX_WRITTEN_DEPTH)
    except jsontext.NotJson as error:
        raise NotWhole(str(error)) from None
    if not isinstance(found, dict):
        raise NotARow("it is not an object")
    value: Row = translate(found) if is_agentv(found) else found
    if not _is_sound(value):
        _name_damage(value)
    return value


def _is_sound(value: Row) -> bool:
    """The same checks as below, in a form that costs little for a row that passes them all."""
    try:
        if not (
            value.keys().isdisjoint(_RARE)
            and value["status"] in _STATUSES
            and value["verdict"] in _VERDICTS
            and type(value["case_id"]) is type(value["suite"]) is str
            and type(score := value["score"]) in _NUMBERS
            and 0 <= score <= 1
        ):
            return False
        for result in value["evaluator_results"]:
            if not (
                result["verdict"] in _VERDICTS
                and type(result["name"]) is type(result["type"]) is str
                and type(result["misses"]) is type(value["evaluator_results"]) is list
                and type(score := result["score"]) in _NUMBERS
                and 0 <= score <= 1
                and type(result.get("details", _NONE)) is dict
            ):
                return False
    except (KeyError, TypeError):
        return False
    return True


_STATUSES = frozenset({"ok", "error"})
_VERDICTS = frozenset({"pass", "partial", "fail"})
_RARE = frozenset({"repeats", "consistency"})
_NUMBERS = frozenset({int, float})
_NONE: dict[str, Any] = {}


def _name_damage(value: Row) -> None:
    _need(value, {"case_id": str, "suite": str, "status": ("ok", "error"), **_RESULT, "evaluator_results": list})
    if "repeats" in value and not _are_scores(value["repeats"]):
        raise NotARow("its repeats are not a list of scores")
    if not _is_score(value.get("consistency", 1.0)):
        raise NotARow("its consistency is not a number from 0 to 1")
    for result in value["evaluator_results"]:
        if not isinstance(result, dict):
            raise NotARow("an evaluator's result is not an object")
        _need(result, {"name": str, "type": str, **_RESULT, "misses": list})
        if not isinstance(result.get("details", {}), dict):
            raise NotARow("an evaluator's details are not an object")


_RESULT: dict[str, Any] = {"score": float, "verdict": ("pass", "partial", "fail")}


def _need(value: dict[str, Any], wanted: dict[str, Any]) -> None:
    """Each key with a value of its kind; a score is a number from 0 to 1."""
    for key, kind in wanted.items():
        found = value.get(key)
        if isinstance(kind, tuple):
            fits = found in kind
        elif kind is float:
            fits = _is_score(found)
        else:
            fits = isinstance(found, kind)
        if not fits:
            shown = jsontext.dumps(found).decode()[:60]
            raise NotARow(f"it has no {key}" if found is None else f"its {key} cannot be {shown}")


def _is_score(value: Any) -> bool:
    return type(value) in (int, float) and 0 <= value <= 1


def _are_scores(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(map(_is_score, value))
