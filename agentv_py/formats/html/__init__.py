"""Report → one page that contains everything that it shows: the figures and every case.

The page holds users' data as JSON only, in blocks that no browser runs. Every character is escaped that could end
such a block or begin a command in a job's log. The page's script reads the data and shows it as text. The policy in the
page's head allows that one script and that one style sheet, by their hashes, and no request.
"""

import base64
import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from importlib.resources import files
from typing import TYPE_CHECKING, Any, get_args

from agentv_py import __version__, jsontext
from agentv_py.case import ABSENT
from agentv_py.comparison.readers.box import FORMAT_BY_KEYS, BoxFormat
from agentv_py.comparison.scoring import MOST_PAIRS
from agentv_py.formats import json
from agentv_py.formats.html.case_index import CODES, Index, PageCase
from agentv_py.formats.html.diff_cases import DiffCases
from agentv_py.formats.html.sample import Sample
from agentv_py.formats.text import (
    describe_parsed,
    describe_selections,
    describe_size,
    describe_skipped,
)
from agentv_py.report.diff.model import Diff
from agentv_py.report.row_values import parse_values
from agentv_py.report.summary import Summary
from agentv_py.results.row import Row

if TYPE_CHECKING:
    from agentv_py.report import Report

SCRIPTS = (
    "data", "draw", "figures", "slices", "errors", "confidence", "paths", "sides", "pairings", "shapes", "boxes",
    "detail", "rows", "search", "filters", "links", "cases", "diff", "trend", "start",
)  # fmt: skip
_PER_BLOCK = 64
# The evaluators' results repeat the first three, and the values have a column of their own.
_ELSEWHERE = frozenset({"hits", "misses", "reasoning", "expected", "candidate"})
# Facts that the page's script needs too; it gets them from here.
TABLES: dict[str, Any] = {
    "verdicts": {code: verdict for verdict, code in CODES.items()},
    "box_formats": get_args(BoxFormat),
    "box_keys": FORMAT_BY_KEYS,
    "most_pairs": MOST_PAIRS,
}
_ESCAPES = [(mark, f"\\u{ord(mark):04x}") for mark in "<>&#\u2028\u2029"]


def render(report: "Report") -> Iterator[str]:
    style = _read_file("page.css")
    script = join_scripts()
    head, _, tail = _read_file("page.html").partition("{{data}}")
    yield head.replace("{{policy}}", _write_policy(script, style)).replace("{{style}}", style)
    yield from _write_block("report", json.render(report))
    yield from _write_cases(report)
    yield tail.replace("{{script}}", script)


def join_scripts() -> str:
    """Return the page's one script: its parts share one scope, in this order."""
    return '(() => {\n"use strict";\n' + "".join(_read_file(f"{name}.js") for name in SCRIPTS) + "})();\n"


def _read_file(name: str) -> str:
    return files(__package__).joinpath("page", name).read_text(encoding="utf-8")


def _write_policy(script: str, style: str) -> str:
    hashes = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in (script, style)]
    sources = "default-src 'none'; script-src 'sha256-{}'; style-src 'sha256-{}'".format(*hashes)
    return f"{sources}; base-uri 'none'; form-action 'none'"


def _write_cases(report: "Report") -> Iterator[str]:
    """Write the cases, then their index. Only the index is in memory meanwhile."""
    index = Index(2 if isinstance(report, Diff) else 1, partial(_name_evaluator, report))
    cases, notices = _select_cases(report, index)
    for position, case in enumerate(cases):
        if position % _PER_BLOCK == 0:
            yield "</script>\n" if position else ""
            yield f'<script type="text/tab-separated-values" id="block-{position // _PER_BLOCK}">'
        index.add(case)
        yield _escape(_write_case(case.rows))
    yield "</script>\n" if index.ids else ""
    page = {"per_block": _PER_BLOCK, "notices": notices, "version": __version__, "tables": TABLES}
    page |= {"size": describe_size(report)} if isinstance(report, Summary) else {}
    yield from _write_block("index", [jsontext.dumps(index.as_json() | page).decode()])


def _name_evaluator(report: "Report", row: Row, name: str) -> str:
    if isinstance(report, Summary):
        return report.name_result(row["suite"], str(row.get("target", "")), name)
    return report.name_result(row, name) if isinstance(report, Diff) else name


def _select_cases(report: "Report", index: Index) -> tuple[Iterable[PageCase], list[str]]:
    """Return the cases that the page holds, and the notices that it shows about them."""
    if isinstance(report, Summary):
        whole = report.totals
        sample = Sample(whole.cases, whole.cases - whole.passed)
        rows = sample.select(
            index.count(report.rows()), lambda row: row["status"] == "error" or row["verdict"] != "pass"
        )
        notices = [
            *describe_selections(report),
            *_describe_sample(sample, "did not pass"),
            *filter(None, [describe_parsed(report.parsed_answers)]),
            *describe_skipped(report),
        ]
        return (PageCase((row,), (row["score"],)) for row in rows), notices
    if isinstance(report, Diff):
        cases = DiffCases(report)
        return cases, [*cases.list_notices(), *_describe_sample(cases.sample, "did not pass on both sides")]
    return (), []


def _describe_sample(sample: Sample, which: str) -> list[str]:
    if sample.size == sample.optional:
        return []
    held = f"all {sample.needed:,} that {which} and an even sample of the others"
    share = f"{sample.size:,} of {sample.optional:,}"
    return [f"Of {sample.cases:,} cases this page holds {held}, {share}. The figures are those of all cases."]


def _write_case(rows: Sequence[Row | None]) -> str:
    """Write a case: its values, which the page searches, then the rest of its rows."""
    sides = [{} if row is None else _read_values(row) for row in rows]
    rest = [
        None if row is None else {key: value for key, value in row.items() if key not in _ELSEWHERE} for row in rows
    ]
    return f"{jsontext.dumps(sides).decode()}\t{jsontext.dumps(rest).decode()}\n"


def _read_values(row: Row) -> Mapping[str, Any]:
    values = zip(("expected", "candidate"), parse_values(row), strict=True)
    return {side: value for side, value in values if value is not ABSENT}


def _write_block(name: str, pieces: Iterable[str]) -> Iterator[str]:
    yield f'<script type="application/json" id="{name}">'
    yield from map(_escape, pieces)
    yield "</script>\n"


def _escape(text: str) -> str:
    for mark, escaped in _ESCAPES:
        text = text.replace(mark, escaped)
    return text
