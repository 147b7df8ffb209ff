"""The verdicts of a judge, and of people where `expected` holds them → how far the judge agrees with people."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from agentv_py.score import SLACK

PASS_AT = 0.8
"""The least score of a person that means pass."""
_VERDICTS = {"pass": True, "fail": False}
_KEYS = frozenset({"verdict", "score", "by", "reason"})


@dataclass(slots=True)
class Agreement:
    """How often a judge and people say pass or fail."""

    both_pass: int = 0
    both_fail: int = 0
    only_judge: int = 0
    """The judge passes what people fail."""
    only_people: int = 0

    @property
    def cases(self) -> int:
        return self.both_pass + self.both_fail + self.only_judge + self.only_people

    @property
    def agreement(self) -> float:
        return (self.both_pass + self.both_fail) / self.cases

    @property
    def base_rate(self) -> float:
        """The share of cases that people pass: a judge that always says pass agrees this often."""
        return (self.both_pass + self.only_people) / self.cases

    @property
    def kappa(self) -> float | None:
        """Cohen's κ: the agreement beyond chance; None if chance alone explains full agreement."""
        judge, people = (self.both_pass + self.only_judge) / self.cases, self.base_rate
        chance = judge * people + (1 - judge) * (1 - people)
        return None if chance == 1 else (self.agreement - chance) / (1 - chance)

    @property
    def true_pass_rate(self) -> float | None:
        """The share of what people pass that the judge passes."""
        people = self.both_pass + self.only_people
        return self.both_pass / people if people else None

    @property
    def true_fail_rate(self) -> float | None:
        """The share of what people fail that the judge fails."""
        people = self.both_fail + self.only_judge
        return self.both_fail / people if people else None

    def add(self, result: Mapping[str, Any], *, person_passes: bool) -> None:
        judge_passes = result["verdict"] == "pass"
        if judge_passes and person_passes:
            self.both_pass += 1
        elif judge_passes:
            self.only_judge += 1
        elif person_passes:
            self.only_people += 1
        else:
            self.both_fail += 1

    def merge(self, other: "Agreement") -> None:
        for name in ("both_pass", "both_fail", "only_judge", "only_people"):
            setattr(self, name, getattr(self, name) + getattr(other, name))


def read_person(expected: Any) -> bool | None:
    """Read whether a person passes the answer; None if `expected` holds no verdict of a person.

    It is "pass" or "fail", or an object that has `verdict` or `score` and no keys beyond `by` and `reason`. A bare
    number or a bare true is an answer, and no verdict.
    """
    if isinstance(expected, str):
        return _VERDICTS.get(expected)
    if not isinstance(expected, dict) or not _KEYS.issuperset(expected):
        return None
    verdict: Any = expected.get("verdict")
    score: Any = expected.get("score")
    if isinstance(verdict, str) and verdict in _VERDICTS:
        return _VERDICTS[verdict]
    if "verdict" not in expected and type(score) in (int, float) and 0 <= score <= 1:
        return bool(score >= PASS_AT - SLACK)
    return None
