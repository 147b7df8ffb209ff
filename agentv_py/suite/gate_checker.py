"""The gates of a suite → problems with attributes and targets that it does not have."""

from collections.abc import Iterator, Sequence

from agentv_py.errors import did_you_mean
from agentv_py.evaluators.base import Evaluator
from agentv_py.evaluators.grade import assign_names
from agentv_py.suite.locate import KeyPath
from agentv_py.suite.schema import Gates, Suite
from agentv_py.targets.base import assign_names as assign_target_names

_LIST = "[]"


def list_gate_problems(suite: Suite, chosen: Sequence[str]) -> Iterator[tuple[KeyPath, str]]:
    """Yield the place of each wrong name, and what is wrong. `chosen` are the targets that run."""
    gates, targets = suite.gates, list(dict.fromkeys([*assign_target_names(suite.list_targets()), *chosen]))
    for target in gates.targets or ():
        if target not in targets:
            known = did_you_mean(target, targets) or (f"; known: {', '.join(targets)}" if targets else "")
            yield ("gates", "targets", target), f"the suite has no target {target!r}{known}"
    attributes = _list_attributes(suite.evaluators or ())
    for place in _list_attribute_gates(gates) if attributes is not None else ():
        name = str(place[-1])
        if not any(_can_be(name, attribute) for attribute in attributes or ()):
            yield place, f"no evaluator counts {name!r}{did_you_mean(name, attributes or ())}"


def _list_attribute_gates(gates: Gates) -> Iterator[KeyPath]:
    yield from (("gates", "f1", name) for name in gates.f1 or ())
    for target, own in (gates.targets or {}).items():
        yield from (("gates", "targets", target, "f1", name) for name in own.f1 or ())


def _can_be(name: str, attribute: str) -> bool:
    """Return whether a gate can mean an attribute, or what holds it.

    The attribute has brackets where it is certain to have a list. Only the data tell where there are further lists.
    """
    plain, known = name.replace(_LIST, ""), attribute.replace(_LIST, "")
    if plain != known:
        return known.startswith(f"{plain}.")
    steps = zip(name.split("."), attribute.split("."), strict=True)
    return all(given.count(_LIST) >= certain.count(_LIST) for given, certain in steps)


def _list_attributes(evaluators: Sequence[Evaluator]) -> list[str] | None:
    """Return every attribute that the evaluators can count; None if only a run can tell."""
    attributes: dict[str, None] = {}
    for named, evaluator in zip(assign_names(evaluators), evaluators, strict=True):
        own = evaluator.list_attributes()
        if own is None:
            return None
        attributes |= dict.fromkeys([*own, *(f"{named.name}/{name}" for name in own)])
    return list(attributes) or None
