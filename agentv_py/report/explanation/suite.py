"""A valid suite → its evaluators, and of each field the comparator, what passes, and who decided so."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, islice
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from agentv_py import jsontext
from agentv_py.evaluators import Evaluators
from agentv_py.evaluators.base import Evaluator, Place
from agentv_py.evaluators.grade import assign_names
from agentv_py.report.explanation.case_model import Scoring
from agentv_py.report.explanation.model import BELOW, EvaluatorRules, PlacedRule, SuiteRules, join_names
from agentv_py.score import Thresholds
from agentv_py.suite.locate import find_node
from agentv_py.suite.plan import Plan
from agentv_py.suite.raw_case import RawCase, build_case, get_raw_case_id, read_own_evaluators
from agentv_py.suite.yaml_document import read_yaml
from agentv_py.suite.yaml_node import Node

_MOST_OWN = 20


@dataclass(slots=True)
class _Group:
    """The cases that are scored by the same evaluators."""

    evaluators: Sequence[Evaluator]
    case_ids: list[str]
    locate: Callable[[int, Place], str]
    """The index of an evaluator and a place in its options → file and line."""


def explain_suite(plan: Plan) -> SuiteRules:
    """Explain a suite. Nothing is scored or asked; only the cases are read."""
    verdicts = plan.suite.verdicts
    groups = _group_cases(plan)
    evaluators = [
        rules for key, group in islice(groups.items(), _MOST_OWN) for rules in _explain_group(plan, key, group)
    ]
    return SuiteRules(
        plan.name,
        plan.file,
        len(plan.selected),
        Thresholds(verdicts.pass_, verdicts.partial),
        evaluators,
        max(0, len(groups) - _MOST_OWN),
    )


def build_scoring(plan: Plan, case_id: str) -> Scoring:
    """Return how a suite scores a case; a case that it no longer has is scored by the suite's own evaluators."""
    verdicts, groups = plan.suite.verdicts, _group_cases(plan)
    key = next((key for key, group in groups.items() if case_id in group.case_ids), b"")
    group = groups.get(key) or _Group([], [], lambda _index, _place: plan.file)
    explained = dict[str, list[PlacedRule]]()
    for rules in _explain_group(plan, key, group):
        for name in accumulate(rules.name.split(BELOW), join_names):  # a result may be that of any evaluator around it
            explained.setdefault(name, []).extend(rules.rules)
    placed = [evaluator.in_folder(Path(plan.folder)) for evaluator in group.evaluators]
    thresholds = Thresholds(verdicts.pass_, verdicts.partial)
    named = list(zip(assign_names(placed, thresholds), placed, strict=True))
    return Scoring(plan.file, named, explained, thresholds)


def _group_cases(plan: Plan) -> dict[bytes, _Group]:
    """Return the suite's own evaluators first, then those of single cases. Equal ones are one group."""
    document, groups = read_yaml(Path(plan.file), plan.file), dict[bytes, _Group]()
    if plan.suite.evaluators is not None:
        locate = _build_locator(plan, document, ("evaluators",))
        groups[b""] = _Group(plan.suite.evaluators, [], locate)
    for number, raw in enumerate(_read_cases(plan)):
        key = _get_group_key(raw)
        if key and key not in groups:
            own = TypeAdapter(Evaluators).validate_python(jsontext.loads(key))
            own = own if plan.learned is None else [evaluator.learn(plan.learned) for evaluator in own]
            groups[key] = _Group(own, [], _locate_own(plan, document, raw, number))
        if key:
            groups[key].case_ids.append(get_raw_case_id(raw))
    return groups


def _explain_group(plan: Plan, key: bytes, group: _Group) -> Iterator[EvaluatorRules]:
    def read_expected() -> Iterator[Any]:
        for raw in _read_cases(plan):
            if _get_group_key(raw) == key:
                yield build_case(raw, plan.folder, plain=plan.plain)[0].expected

    placed = [evaluator.in_folder(Path(plan.folder)) for evaluator in group.evaluators]
    for name, (index, *place), evaluator in _list_named("", [((index,), one) for index, one in enumerate(placed)]):
        yield EvaluatorRules(
            name,
            evaluator.tag,
            evaluator.weight,
            evaluator.required,
            group.locate(int(index), tuple(place)),
            group.case_ids,
            evaluator.describe_settings(),
            [
                PlacedRule(rule, group.locate(int(index), (*place, *rule.place)) if rule.place else "")
                for rule in evaluator.list_rules(read_expected)
            ],
        )


def _list_named(above: str, evaluators: Sequence[tuple[Place, Evaluator]]) -> Iterator[tuple[str, Place, Evaluator]]:
    """Yield each evaluator with its name and its place, and behind it those that its options hold."""
    names = [named.name for named in assign_names([evaluator for _, evaluator in evaluators])]
    for name, (place, evaluator) in zip(names, evaluators, strict=True):
        whole = join_names(above, name) if above else name
        yield whole, place, evaluator
        yield from _list_named(whole, [((*place, *below), child) for below, child in evaluator.children()])


def _read_cases(plan: Plan) -> Iterator[RawCase]:
    """Read each case once, also if several targets answer it."""
    return islice(plan.read_raw_cases(), None, None, max(1, len(plan.targets)))


def _get_group_key(raw: RawCase) -> bytes:
    own = read_own_evaluators(raw)
    return jsontext.dumps(own) if own else b""


def _locate_own(plan: Plan, document: Node, raw: RawCase, number: int) -> Callable[[int, Place], str]:
    """Return what locates the evaluators of a case: in the suite, or at the line of a dataset."""
    if number < len(plan.suite.cases or ()):
        return _build_locator(plan, document, ("cases", number, "evaluators"))
    place = next((file.display_name for file in plan.case_files if file.path.stem == raw.stem), raw.stem)
    return lambda _index, _place: f"{place}:{raw.line}"


def _build_locator(plan: Plan, document: Node, start: Place) -> Callable[[int, Place], str]:
    return lambda index, place: f"{plan.file}:{find_node(document, [*start, index, *place]).line}"
