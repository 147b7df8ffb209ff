"""A valid suite → warnings about the ground truth of its cases, each with a count and the first place."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from agentv_py.comparison.paths import ROOT
from agentv_py.comparison.truth.collector import parse_expected
from agentv_py.errors import Problem
from agentv_py.suite.gold.field import Field, Leaf
from agentv_py.suite.gold.repeats import Pair, RepeatFinder
from agentv_py.suite.gold.schema_violations import SchemaChecks
from agentv_py.suite.gold.spellings import Spelling, classify_texts, list_spellings
from agentv_py.suite.locate import shorten_value
from agentv_py.suite.plan import Plan
from agentv_py.suite.raw_case import get_case_id

_LEAST_CASES = 2
_MOST_SPELLINGS = 5


class _Place(NamedTuple):
    file: str
    line: int
    case_id: str


class GoldChecker:
    """Looks at each case once, then tells what it saw."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._places: list[_Place] = []
        self._root = Field(ROOT, 0)
        self._repeats = RepeatFinder()
        self._schemas = SchemaChecks(plan)

    def check(self) -> list[Problem]:
        for case_file in self._plan.case_files:
            for row in case_file.read_decoded_rows():
                if not isinstance(row, Problem):  # the suite is known to be valid
                    case_id = get_case_id(row.value, case_file.path.stem, row.line)
                    self._observe(row.value, _Place(case_file.display_name, row.line, case_id))
        return list(self._list_problems())

    def _observe(self, value: dict[str, Any], place: _Place) -> None:
        expected = value.get("expected")
        expected = parse_expected(expected) if type(expected) is str else expected
        number = len(self._places)
        self._places.append(place)
        leaves: list[Leaf] = []
        hashed = self._root.observe(expected, number, leaves)
        self._repeats.observe(value.get("input"), hashed, leaves)
        if "expected" in value:
            self._schemas.observe(expected, number)

    def _list_problems(self) -> Iterator[Problem]:
        for violations in self._schemas.list_violations():
            more = f" ({violations.cases:,} cases)" if violations.cases > 1 else ""
            yield self._build(
                violations.first, violations.path, f"violates {violations.schema}: {violations.message}{more}"
            )
        for field in self._root.list_all():
            yield from self._check_field(field)
        yield from self._check_repeats()

    def _check_field(self, field: Field) -> Iterator[Problem]:
        if not field.kinds:
            if field.count >= _LEAST_CASES and field is not self._root:
                yield self._build(
                    field.first, field.path, f"is empty in all {field.count:,} places; fill it or leave it out"
                )
            return
        if len(field.kinds) > 1:
            yield self._describe_kinds(field)
        texts = classify_texts(field.texts)
        if texts.unreadable:
            first, count = texts.unreadable[0], sum(one.seen.number for one in texts.unreadable)
            total = field.kinds["text"].number
            verb = f"is no {texts.noun}" if count == 1 else f"are no {texts.noun}s"
            what = f"{count:,} of {total:,} texts {verb}, such as {shorten_value(first.example)}"
            yield self._build(first.seen.first, field.path, what)
        if len(texts.shapes) > 1:
            what = f"{texts.noun}s are written in {len(texts.shapes)} ways: {_join(texts.shapes)}"
            yield self._build(texts.shapes[1].seen.first, field.path, what)
        if not texts.noun:
            yield from self._describe_spellings(field)

    def _describe_kinds(self, field: Field) -> Problem:
        kinds = sorted(field.kinds.items(), key=lambda item: (-item[1].number, item[1].first))
        words = [f"{count.number:,} {kind}{'' if count.number == 1 else 's'}" for kind, count in kinds]
        return self._build(kinds[1][1].first, field.path, f"has values of different types: {' and '.join(words)}")

    def _describe_spellings(self, field: Field) -> Iterator[Problem]:
        groups = sorted(list_spellings(field), key=lambda group: -sum(one.seen.number for one in group))
        if groups:
            more = f"; and {len(groups) - 1:,} more values" if len(groups) > 1 else ""
            what = f"one value is written in {len(groups[0])} ways: {_join(groups[0])}{more}"
            yield self._build(groups[0][1].seen.first, field.path, what)

    def _check_repeats(self) -> Iterator[Problem]:
        found = self._repeats.find()
        yield from self._describe_pairs(found.contradictions, "has the same input as {}, but another expected value")
        yield from self._describe_pairs(found.duplicates, "repeats {}")
        yield from self._describe_pairs(found.near, "is nearly the same as {}")

    def _describe_pairs(self, pairs: Sequence[Pair], words: str) -> Iterator[Problem]:
        """Describe the first pair, and say how many cases are like it."""
        if pairs:
            first, second = (self._places[number] for number in pairs[0])
            place = f"{first.file}:{first.line}" if first.file != second.file else f"line {first.line}"
            what = words.format(f"case {first.case_id!r} ({place})")
            count = len({later for _, later in pairs})
            more = f" ({count:,} such cases)" if count > 1 else ""
            yield Problem(f"case {second.case_id!r} {what}{more}", "", second.file, second.line)

    def _build(self, case: int, path: str, what: str) -> Problem:
        place = self._places[case]
        where = "expected" if path == ROOT else f"expected{'' if path.startswith('[') else '.'}{path}"
        return Problem(what, where, place.file, place.line)


def _join(spellings: Sequence[Spelling]) -> str:
    shown = [f"{shorten_value(one.example)} ({one.seen.number:,})" for one in spellings[:_MOST_SPELLINGS]]
    more = [f"{len(spellings) - _MOST_SPELLINGS:,} more"] if len(spellings) > _MOST_SPELLINGS else []
    return ", ".join([*shown, *more])
