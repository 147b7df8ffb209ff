"""Python callers → the same comparators, the same walk, the same rows."""

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeVar

from pydantic import ValidationError

from agentv_py import jsontext
from agentv_py.asking.desk import Desk, Notebook, at
from agentv_py.asking.terms import Terms
from agentv_py.case import ABSENT, Case
from agentv_py.comparing.comparators import ExtraKeys, Ordered, Unordered
from agentv_py.evaluators.object_match import ObjectMatch
from agentv_py.executor import Executor, answer
from agentv_py.frozen import Frozen
from agentv_py.function_match import Custom
from agentv_py.match import Match
from agentv_py.matchers.contains import Contains
from agentv_py.matchers.date import Date
from agentv_py.matchers.distance import Distance
from agentv_py.matchers.exact import Exact
from agentv_py.matchers.fuzzy import Fuzzy
from agentv_py.matchers.ignore import Ignore
from agentv_py.matchers.iou import Iou
from agentv_py.matchers.name import Name
from agentv_py.matchers.numeric import Numeric
from agentv_py.matchers.numeric_tolerance import NumericTolerance
from agentv_py.matchers.one_of import OneOf
from agentv_py.matchers.presence import Presence
from agentv_py.matchers.regex import Regex
from agentv_py.matchers.semantic import Semantic
from agentv_py.matchers.within import Within
from agentv_py.report.labels import Labels
from agentv_py.report.summary import Summary
from agentv_py.results import Row, Writer, encode
from agentv_py.runner import Scorer, now
from agentv_py.score import Score, verdict
from agentv_py.suite.locate import problems_of
from agentv_py.suite.models import NamedEvaluator, Verdicts

_Model = TypeVar("_Model", bound=Frozen)

Comparators = Match | Unordered | Ordered | Mapping[str, Any] | str

exact = Exact()
"""Same JSON type and deep-equal."""
fuzzy = Fuzzy()
"""Text of a normalised similarity: `fuzzy(threshold=0.8, algorithm="jaro_winkler")`."""
numeric = Numeric()
"""Equal as numbers, however they are written: `numeric(nullable=True, decimal=",")`."""
numeric_tolerance = NumericTolerance()
"""Numbers at most a tolerance apart: `numeric_tolerance(tolerance=0.01, relative=True)`."""
date = Date()
"""The same calendar day: `date(formats=["DD/MM/YYYY"])`."""
name = Name()
"""The same person or company, whatever the case, punctuation, accents and legal form: `name(threshold=0.95)`."""
contains = Contains()
"""The actual text contains the expected one: `contains(substring="paid", case_sensitive=False)`."""
semantic = Semantic()
"""Text of like meaning, as a backend says: `semantic(threshold=0.7, backend="lexical")`."""
iou = Iou()
"""Boxes or polygons that overlap: `iou(format="xywh", threshold=0.7)`."""
presence = Presence()
"""Both present or both empty."""
ignore = Ignore()
"""Never counts."""


def within(tolerance: float, mode: Literal["percentage", "absolute"] = "percentage", **options: Any) -> Within:
    """Numbers within a share (0.05 is 5 %) or, with mode="absolute", an amount of the expected one."""
    match = Within(tolerance=tolerance, mode=mode, **options)
    for _, what in match.doubts():
        warnings.warn(what, stacklevel=2)
    return match


def distance(
    threshold: float, metric: Literal["euclidean", "manhattan", "cosine"] = "euclidean", **options: Any
) -> Distance:
    """Points or vectors at most so far apart."""
    return Distance(threshold=threshold, metric=metric, **options)


def one_of(values: Iterable[Any], **options: Any) -> OneOf:
    """Equal to the expected value, and one of these."""
    if isinstance(values, str):
        raise TypeError("one_of takes a list of values, not a text")
    return OneOf(values=list(values), **options)


def regex(pattern: str, **options: Any) -> Regex:
    """The pattern matches the whole of the actual text."""
    return Regex(pattern=pattern, **options)


def unordered(
    comparators: Comparators,
    *,
    matching: Literal["optimal", "greedy"] = "optimal",
    threshold: float = 0.0,
    key: str | list[str] | None = None,
    weight: float = 1.0,
) -> Unordered:
    """A list whose rows are paired by similarity, or where a key is equal; what it is given stays as it is."""
    options = {"matching": matching, "threshold": threshold, "key": key, "weight": weight}
    return _built(Unordered, {"unordered": _written(comparators)} | options)


def ordered(comparators: Comparators, *, weight: float = 1.0) -> Ordered:
    """A list whose rows are compared by index."""
    return _built(Ordered, {"ordered": _written(comparators), "weight": weight})


def custom(fn: Callable[[Any, Any], bool | float], *, threshold: float = 0.8, **options: Any) -> Custom:
    """`fn(expected, actual)` returns a bool, or a similarity that passes at the threshold and is then the score."""
    return Custom(fn=fn, threshold=threshold, **options)


def compare(
    expected: Any,
    actual: Any,
    comparators: Comparators,
    *,
    default: Match | str | None = None,
    extra_keys: ExtraKeys = "ignore",
) -> Score:
    """One comparison: score, verdict, hits, misses and details."""
    evaluator = _evaluator(comparators, default, extra_keys)
    score = evaluator.evaluate(Case("", jsontext.as_json(expected), jsontext.as_json(actual)))
    score.verdict = verdict(score.score, Verdicts().pass_, Verdicts().partial)
    return score


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What became of many cases."""

    cases: list[Row]
    passed: int
    total: int
    accuracy: float
    """Leaf fields that pass / leaf fields that count."""
    mean_score: float

    def write(self, path: str | Path) -> None:
        """The rows as JSONL, as `evalctl run` writes them."""
        with Writer(str(path)) as writer:
            writer.write(b"".join(map(encode, self.cases)))


def evaluate(
    cases: Iterable[Mapping[str, Any]],
    comparators: Comparators,
    executor: Executor | None = None,
    threshold: float = 0.8,
    *,
    default: Match | str | None = None,
    extra_keys: ExtraKeys = "ignore",
    suite: str = "evaluate",
) -> Evaluation:
    """Score cases `{id, input, expected, candidate}`; an executor turns the input into the candidate, sync or async.

    A case whose executor raises is an errored case; the others go on. Several answers stand under `candidates`.
    """
    if executor is not None and not callable(executor):
        raise TypeError(f"executor must be a function from input to answer, not {executor!r}")
    if not (isinstance(threshold, int | float) and 0.0 <= threshold <= 1.0):
        raise ValueError(f"threshold must be from 0 to 1, not {threshold!r}")
    evaluator = _evaluator(comparators, default, extra_keys)
    asked = _distinct([_case(case, number) for number, case in enumerate(cases, 1)])
    failures = answer(asked, executor) if executor is not None else {}
    leaves = hits = 0

    def counted(case: Case) -> Score:
        nonlocal leaves, hits
        if case.id in failures:
            leaves += evaluator.count_leaves(case)
            raise failures[case.id]
        score = evaluator.evaluate(case)
        leaves += score.leaves
        hits += len(score.hits)
        return score

    named = [_named(evaluator, counted)]
    verdicts = Verdicts.model_validate({"pass": threshold, "partial": min(threshold, Verdicts().partial)})
    scorer = Scorer(suite, named, verdicts)
    labels, whole = Labels(), Summary()
    with at(_foreseeing(evaluator, asked)) as desk:
        scorer.usage = desk.used
        rows = [scorer.score(case, named, labels, now()) for case in asked]
    for row in rows:
        whole.add(row)
        if row["case_id"] in failures:
            del row["candidate"]
    for _, path in labels.never(whole):
        warnings.warn(f"{path!r} is in no case's expected value; is it a typo?", stacklevel=2)
    passed = sum(row["verdict"] == "pass" for row in rows)
    return Evaluation(
        cases=rows,
        passed=passed,
        total=len(rows),
        accuracy=hits / leaves if leaves else float(0 < passed == len(rows)),
        mean_score=sum(row["score"] for row in rows) / len(rows) if rows else 0.0,
    )


def _foreseeing(evaluator: ObjectMatch, cases: Sequence[Case]) -> Desk:
    """A desk that has the answers to whatever models will be asked, all of them asked for at once."""
    if not any(True for _ in evaluator.models()):
        return Desk()
    from agentv_py.asking.fetch import fetch

    named = [_named(evaluator, evaluator.evaluate)]
    scorer = Scorer("", named, Verdicts())
    with at(Notebook()) as notes:
        for case in cases:
            scorer.score(case, named, Labels(), "")
    return Desk(answers=fetch(list(notes.noted.values()), Terms()))


def _named(evaluator: ObjectMatch, evaluate: Callable[[Case], Score]) -> NamedEvaluator:
    return NamedEvaluator(
        evaluator.tag, evaluator.tag, 1.0, required=False, evaluate=evaluate, agreement=evaluator.evaluate
    )


def _evaluator(comparators: Comparators, default: Match | str | None, extra_keys: ExtraKeys) -> ObjectMatch:
    rest = {"default": default, "extra_keys": extra_keys}
    options = {"type": "object_match", "comparators": _written(comparators), **rest}
    evaluator = _built(ObjectMatch, options)
    for place, what in evaluator.problems():
        raise ValueError(f"{'.'.join(map(str, place))}: {what}")
    return evaluator


def _written(comparators: Any) -> Any:
    """As a suite would spell it: every mapping is a plain one."""
    if not isinstance(comparators, Mapping):
        return comparators
    return {key: _written(one) for key, one in comparators.items()}


def _built(model: type[_Model], options: dict[str, Any]) -> _Model:
    """The model, or everything that is wrong with its options, in the words a suite file gets."""
    try:
        return model.model_validate(options)
    except ValidationError as error:
        raise ValueError("\n".join(map(str, problems_of(error, model, options, "", None)))) from None


def _case(case: Mapping[str, Any], number: int) -> Case:
    if not isinstance(case, Mapping):
        raise TypeError(f"case {number}: must be a mapping with expected and candidate, not {type(case).__name__}")
    unknown = case.keys() - {"id", "input", "expected", "candidate", "candidates", "metadata", "tags"}
    if unknown:
        raise ValueError(f"case {number}: unknown keys {', '.join(map(repr, sorted(unknown)))}")
    if {"candidate", "candidates"} <= case.keys():
        raise ValueError(f"case {number}: candidate and candidates exclude each other")
    try:
        keys = ("expected", "candidate", "candidates", "metadata")
        values = {key: jsontext.as_json(case[key]) for key in keys if key in case}
    except TypeError as error:
        raise TypeError(f"case {number}: {error}") from None
    expected, candidate = values.get("expected", ABSENT), values.get("candidate", ABSENT)
    several, tags = values.get("candidates"), case.get("tags") or []
    if isinstance(tags, str) or not all(isinstance(tag, str) for tag in tags):
        raise TypeError(f"case {number}: tags must be a list of texts, not {tags!r}")
    if "candidates" in case and not (isinstance(several, list) and several):
        raise ValueError(f"case {number}: candidates must be a list with an answer in it")
    named = str(number if case.get("id") is None else case["id"])
    return Case(named, expected, candidate, case.get("input"), values.get("metadata"), list(tags), several)


def _distinct(cases: list[Case]) -> list[Case]:
    seen: set[str] = set()
    for case in cases:
        if case.id in seen:
            raise ValueError(f"duplicate id {case.id!r}")
        seen.add(case.id)
    return cases
