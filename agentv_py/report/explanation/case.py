"""A row of results, and how it was scored if that is known → the story of its case."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from agentv_py import jsontext
from agentv_py.case import ABSENT, Case
from agentv_py.comparison.comparison import Incomparable
from agentv_py.comparison.gap import Gap
from agentv_py.comparison.partners import ListPartners
from agentv_py.comparison.paths import join_path, parse_path
from agentv_py.report.differences import read_error
from agentv_py.report.explanation.case_model import (
    CaseStory,
    EvaluatorStory,
    Finding,
    Judgement,
    Scoring,
    SharedPartners,
)
from agentv_py.report.explanation.model import PlacedRule, join_names
from agentv_py.report.explanation.repairs import Rescorer
from agentv_py.report.explanation.rule_index import RuleIndex
from agentv_py.report.misses import UNREADABLE, Miss, read_mismatches, read_misses
from agentv_py.report.row_values import find_partner, parse_values
from agentv_py.results.row import Row

_VALUES = ("input", "expected", "candidate", "candidates")
_MOST_UNSCORED = 20


def explain_row(
    row: Row,
    where: str = "",
    scoring: Scoring | None = None,
    why_no_scoring: str = "",
    other_suites: Sequence[str] = (),
) -> CaseStory:
    """Tell the story of a row. Nothing is asked: evaluators that ask models or start programs are not run again."""
    row = _choose_repeat(row)
    story = CaseStory(
        suite=row["suite"],
        case_id=row["case_id"],
        target=str(row.get("target", "")),
        where=where,
        status=row["status"],
        score=row["score"],
        verdict=row["verdict"],
        error=": ".join(filter(None, read_error(row))) if "error" in row else "",
        values={key: row[key] for key in _VALUES if key in row},  # type: ignore[literal-required]  # keys of a row
        parsed=_find_parsed(row),
        evaluators=[_describe_evaluator(result) for result in row["evaluator_results"]],
        findings=_CaseReader(row, scoring).list_findings(),
        rules_missing=why_no_scoring,
        other_suites=other_suites,
        skipped=list(map(str, row.get("skipped", ()))),
        repeats=row.get("repeats", ()),
        worst_repeat=row.get("worst_repeat"),
    )
    if scoring is not None:
        story.thresholds, story.rules_from = scoring.thresholds, scoring.source
        _add_what_if(story, row, scoring)
    story.unscored = _list_unscored(row, story.findings)
    return story


def _choose_repeat(row: Row) -> Row:
    """Return a row with several answers as one of the answer that its hits and misses are about."""
    number, answers = row.get("worst_repeat"), row.get("candidates")
    if isinstance(number, int) and isinstance(answers, list) and 0 < number <= len(answers):
        return {**row, "candidate": answers[number - 1]}
    return row


def _add_what_if(story: CaseStory, row: Row, scoring: Scoring) -> None:
    """Add what needs the evaluators: who is paired with whom, and what would let the case pass."""
    if "expected" not in row or "candidate" not in row or row["status"] != "ok":
        return
    expected, candidate = parse_values(row)
    if isinstance(candidate, str) and isinstance(expected, dict | list):  # no JSON is in it
        return
    case = Case(row["case_id"], expected, candidate, row.get("input"), row.get("metadata"))
    story.partners = _share_partners(scoring, case)
    rescorer = Rescorer(row, scoring, case)
    if story.findings and not story.repeats and rescorer.can_score():
        rescorer.repair_each(story.findings)
        if story.verdict != "pass" and (repair := rescorer.find_fewest(story.findings)):
            story.repairs = [repair]


def _share_partners(scoring: Scoring, case: Case) -> list[SharedPartners]:
    """List the pairs of every list once, with the names of the evaluators that make them."""
    shared: list[tuple[ListPartners, list[str]]] = []
    for named, evaluator in scoring.evaluators:
        for partners in evaluator.list_partners(case):
            names = next((names for known, names in shared if known == partners), None)
            if names is None:
                shared.append((partners, [named.name]))
            else:
                names.append(named.name)
    return [SharedPartners(tuple(names), partners) for partners, names in shared]


class _CaseReader:
    def __init__(self, row: Row, scoring: Scoring | None) -> None:
        self._row = row
        self._expected, self._candidate = parse_values(row)
        self._rules = {} if scoring is None else {name: RuleIndex(rules) for name, rules in scoring.rules.items()}

    def list_findings(self) -> list[Finding]:
        """List every miss once, with what each evaluator says about it."""
        findings: dict[tuple[Any, ...], Finding] = {}
        for result in self._row["evaluator_results"]:
            for miss in () if "error" in result else read_misses(result):
                finding = self._read_finding(miss, result)
                key = (finding.path, finding.note, _write(finding.expected), _write(finding.actual))
                known = findings.setdefault(key, finding)
                members = list(_list_members(result, miss.mismatch))
                earlier = [judgement.evaluator for judgement in known.judgements].count(result["name"])
                decider = members[min(earlier, len(members) - 1)] if members else result["name"]
                known.judgements.append(self._judge(finding, result["name"], decider))
        return list(findings.values())

    def _read_finding(self, miss: Miss, result: Mapping[str, Any]) -> Finding:
        mismatch = miss.mismatch
        if mismatch is UNREADABLE:
            return Finding(miss.path, "mismatch", miss.note, actual=self._row.get("candidate", ABSENT))
        expected, actual = mismatch.get("expected", ABSENT), mismatch.get("actual", ABSENT)
        path = find_partner(miss.path, result)
        return Finding(
            miss.path,
            str(mismatch.get("outcome", "")),
            miss.note,
            self._complete(expected, self._expected, miss.path),
            actual if path is None else self._complete(actual, self._candidate, path),
            mismatch.get("similarity"),
        )

    def _complete(self, stored: Any, whole: Any, path: str) -> Any:
        """Return the whole value where the row stores the beginning of its text."""
        if not (isinstance(stored, str) and stored.endswith("…")):
            return stored
        found = parse_path(path).build_getter()(whole)
        return stored if found is ABSENT else found

    def _judge(self, finding: Finding, evaluator: str, decider: str) -> Judgement:
        """Return what an evaluator says. The rule is that of the decider, which is the evaluator or a member of it."""
        index = self._rules.get(decider)
        placed = None if index is None or not finding.outcome else index.find(
            finding.path, finding.expected, finding.actual
        )  # fmt: skip
        return Judgement(evaluator, placed, None if placed is None else _measure_gap(finding, placed))


def _list_members(result: Mapping[str, Any], mismatch: Mapping[str, Any]) -> Iterator[str]:
    """List the innermost members of a composite's result that store a mismatch, by their whole names."""
    members = (result.get("details") or {}).get("members") if result["type"] == "composite" and mismatch else None
    for member in members or ():
        if any(mismatch == own for own in read_mismatches(member)):
            below = list(_list_members(member, mismatch)) or [member["name"]]
            yield from (join_names(result["name"], name) for name in below)


def _measure_gap(finding: Finding, placed: PlacedRule) -> Gap | None:
    match = placed.rule.match
    is_comparable = finding.outcome == "mismatch" and not finding.note
    if match is None or not is_comparable or ABSENT in (finding.expected, finding.actual):
        return None
    try:
        return match.explain_gap(finding.expected, finding.actual, finding.similarity or 0.0)
    except Incomparable:
        return None


def _describe_evaluator(result: Mapping[str, Any]) -> EvaluatorStory:
    details = result.get("details") or {}
    omitted = details.get("mismatches_omitted", 0)
    return EvaluatorStory(
        result["name"],
        result["type"],
        result.get("weight"),
        result["score"],
        result["verdict"],
        str(result.get("reasoning") or ""),
        ": ".join(filter(None, read_error(result))) if "error" in result else "",
        omitted if isinstance(omitted, int) else 0,
    )


def _find_parsed(row: Row) -> str:
    places = [(result.get("details") or {}).get("parsed", "") for result in row["evaluator_results"]]
    return next((place for place in places if isinstance(place, str) and place), "")


def _list_unscored(row: Row, findings: list[Finding] | Any) -> list[str]:
    """List keys that the answer has beyond the expected value, unless a finding is about them."""
    if "expected" not in row or "candidate" not in row:
        return []
    known = {finding.path for finding in findings}
    unscored = [path for path in _list_surplus(*parse_values(row), "") if path not in known]
    return unscored[:_MOST_UNSCORED]


def _list_surplus(expected: Any, candidate: Any, path: str) -> Iterator[str]:
    if isinstance(expected, dict) and isinstance(candidate, dict):
        for key, value in candidate.items():
            below = join_path(path, key)
            if key not in expected:
                yield below
            else:
                yield from _list_surplus(expected[key], value, below)


def _write(value: Any) -> bytes:
    return b"" if value is ABSENT else jsontext.dumps(value)
