"""The kinds of error of a summary → a table of attributes, a table of lists, and the named patterns with an example."""

from collections import Counter
from collections.abc import Iterator

from agentv_py import jsontext
from agentv_py.formats.sections import Section
from agentv_py.formats.text import format_count
from agentv_py.report.error_kinds import ErrorKinds, Example
from agentv_py.report.evaluator_summary import EvaluatorSummary
from agentv_py.report.result_errors import KINDS, ROW_KINDS
from agentv_py.report.summary import Summary

_MOST_LINES = 5
_LONGEST_VALUE = 40
_LONGEST_PATH = 60


def list_error_sections(report: Summary) -> Iterator[Section]:
    for evaluator in report.evaluators:
        kinds = evaluator.kinds
        if kinds is None or not (kinds.attributes or kinds.lists or kinds.unreadable_answers):
            continue
        most = None if report.full else _MOST_LINES
        name = report.name_evaluator(evaluator)
        title = "kinds of error" if len(report.evaluators) == 1 else f"kinds of error, {name}"
        rows = _list_attributes(evaluator, kinds)
        shown = [kind for kind in KINDS if any(own.get(kind) for own in kinds.attributes.values())]
        columns = [number for number, kind in enumerate(("name", "right", *KINDS)) if number < 2 or kind in shown]
        cells = [tuple(str(row[number]) for number in columns) for row in rows[:most]]
        remarks = [*_describe_patterns(kinds), *_describe_limits(kinds), *_describe_rest(len(rows) - len(cells))]
        if cells or remarks:
            yield Section("kinds of error", (title, ">right", *(f">{kind}" for kind in shown)), cells, remarks)
        if kinds.lists:
            heads = ("rows of lists", *(f">{kind}" for kind in ROW_KINDS))
            lists = sorted(kinds.lists.items(), key=lambda item: -sum(item[1].values()))
            lines = [(path, *(str(own.get(kind, 0)) for kind in ROW_KINDS)) for path, own in lists[:most]]
            yield Section("rows of lists", heads, lines)


def _list_attributes(evaluator: EvaluatorSummary, kinds: ErrorKinds) -> list[tuple[str | int, ...]]:
    """List the attributes that have errors, the ones with most errors first."""
    totals = evaluator.attributes
    lines: list[tuple[str | int, ...]] = []
    for name in sorted(kinds.attributes, key=lambda name: -sum(kinds.attributes[name].values())):
        own, counts = kinds.attributes[name], totals.get(name)
        right = 0 if counts is None else counts["tp"] + counts["tn"]
        lines.append((name, right, *(own.get(kind, 0) for kind in KINDS)))
    return lines


def _describe_rest(hidden: int) -> Iterator[str]:
    if hidden > 0:
        verb, them = ("has", "it") if hidden == 1 else ("have", "them")
        yield f"{format_count(hidden, 'more attribute')} {verb} errors; `evalctl report RESULTS` lists {them}"


def _describe_patterns(kinds: ErrorKinds) -> Iterator[str]:
    """Describe each named pattern: how often, where most often, and an example."""
    totals = Counter[str]()
    for (name, _), number in kinds.patterns.items():
        totals[name] += number
    for name, number in totals.most_common():
        places = Counter({attribute: n for (own, attribute), n in kinds.patterns.items() if own == name})
        [(place, _)] = places.most_common(1)
        where = f"in {_cut_path(place)}" if len(places) == 1 else f"most often in {_cut_path(place)}"
        yield f"{name}: {number:,} times {where}{describe_example(kinds.examples.get(name))}".replace(
            " 1 times ", " once "
        )


def describe_example(example: Example | None) -> str:
    if example is None:
        return ""
    place = f", such as {_cut_path(example.case_id)} {_cut_path(example.path)}"
    if example.expected is None and example.actual is None:
        return place
    return f"{place}: expected {_write_value(example.expected)}, got {_write_value(example.actual)}"


def _cut_path(path: str) -> str:
    return path if len(path) <= _LONGEST_PATH else f"…{path[1 - _LONGEST_PATH :]}"


def _write_value(value: object) -> str:
    text = jsontext.dumps(value).decode()
    return text if len(text) <= _LONGEST_VALUE else text[: _LONGEST_VALUE - 1] + "…"


def _describe_limits(kinds: ErrorKinds) -> Iterator[str]:
    if kinds.unreadable_answers:
        verb = "is" if kinds.unreadable_answers == 1 else "are"
        yield f"{format_count(kinds.unreadable_answers, 'answer')} {verb} not valid JSON and in no line above"
    unknown = sum(own.get("unknown", 0) for own in kinds.attributes.values())
    if unknown:
        yield f"unknown: {format_count(unknown, 'error')} of cases with more than 50 misses, whose rows list 50 of them"
    if kinds.without_values:
        cases = format_count(kinds.without_values, "case")
        yield f"{cases} without values (--no-data): no patterns and no duplicated rows can be seen"
