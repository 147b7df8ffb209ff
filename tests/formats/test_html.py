"""The page's bytes: what may stand in them, and what they hold of very many cases."""

import base64
import hashlib
import json
import re
import tracemalloc
from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_families import json_values

from agentv_py.formats import render
from agentv_py.report.summary import Summary


def _row(number: int, **more: Any) -> Any:
    verdict = "fail" if number % 10 == 0 else "pass"
    result = {"name": "e", "type": "t", "score": 0.5, "verdict": verdict, "misses": []}
    return {"suite": "s", "case_id": str(number), "status": "ok", "score": 0.5, "verdict": verdict, "evaluator_results": [result], **more}  # fmt: skip


def _summary(rows: list[Any]) -> Summary:
    summary = Summary(rows=partial(iter, rows))
    for row in rows:
        summary.add(row)
    return summary


def _page(rows: list[Any]) -> str:
    return "".join(render(_summary(rows), "html"))


def _block(page: str, name: str) -> Any:
    found = re.search(rf'<script type="application/json" id="{name}">(.*?)</script>', page, re.DOTALL)
    assert found
    return json.loads(found[1])


def _cases(page: str) -> list[Any]:
    blocks = re.findall(r'<script type="text/tab-separated-values" id="block-\d+">(.*?)</script>', page, re.DOTALL)
    return [[json.loads(part) for part in line.split("\t")] for block in blocks for line in block.split("\n") if line]


def test_the_same_rows_give_the_same_bytes() -> None:
    rows = [_row(number) for number in range(200)]
    assert _page(rows) == _page(rows)


@given(values=st.lists(json_values | st.sampled_from(["</script>", "<!--", "]]>", "\u2028", "\ud800"]), max_size=3))
def test_no_value_ends_its_block(values: list[Any]) -> None:
    empty = _page([_row(1)])
    text = _page([_row(1, expected=values, candidate={"</SCRIPT>": values}, tags=["<!--<script>"])])
    for mark in ("<", ">", "\u2028"):
        assert text.count(mark) == empty.count(mark)
    assert text.encode()
    assert len(_cases(text)) == 1


def test_the_policy_allows_this_script_and_this_style_and_no_request() -> None:
    page = _page([])
    policy = re.search(r'Content-Security-Policy" content="(.*?)"', page)
    assert policy
    for name in ("script", "style"):
        [text] = re.findall(rf"<{name}>(.*?)</{name}>", page, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{name}-src 'sha256-{digest}'" in policy[1]
    assert policy[1].startswith("default-src 'none'; ")
    assert not re.findall(r"https?://(?!www\.w3\.org/2000/svg)", page)


def test_a_candidate_is_shown_as_the_evaluators_read_it() -> None:
    page = _page(
        [_row(1, expected={"a": 1}, candidate='Here: {"a": 2}'), _row(2, expected={"a": 1}, candidate="none"), _row(3)]
    )
    assert [values for [values], _ in _cases(page)] == [
        {"expected": {"a": 1}, "candidate": {"a": 2}}, {"expected": {"a": 1}, "candidate": "none"}, {},
    ]  # fmt: skip


def test_up_to_twenty_thousand_cases_are_all_there() -> None:
    page = _page([_row(number) for number in range(20_000)])
    assert (len(_block(page, "index")["ids"]), _block(page, "index")["notices"]) == (20_000, [])


def test_beyond_that_every_failure_and_an_even_sample_are_and_the_page_says_so() -> None:
    page = _page([_row(number) for number in range(30_000)])
    index, report = _block(page, "index"), _block(page, "report")
    kept = [int(one) for one in index["ids"]]
    assert (len(kept), index["sides"][0]["verdict"].count("f")) == (20_000, 3_000)
    assert kept == sorted(kept)
    passed = [one for one in kept if one % 10]
    assert max(b - a for a, b in pairwise(passed)) <= 4
    assert index["notices"] == [
        "Of 30,000 cases this page holds all 3,000 that did not pass and an even sample of the others, 17,000 of 27,000. "
        "The figures are those of all cases."
    ]
    assert (report["cases"], sum(index["histograms"][""]), len(_cases(page))) == (30_000, 30_000, 20_000)


def test_the_page_holds_one_case_at_a_time_while_it_is_written() -> None:
    def rows() -> Iterator[Any]:
        return (_row(number, expected="x" * 100_000) for number in range(100))

    summary = Summary(rows=rows)
    for row in rows():
        summary.add(row)
    tracemalloc.start()
    size = sum(map(len, render(summary, "html")))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert size > 10_000_000
    assert peak < 3_000_000


@pytest.mark.parametrize("details", [{"metrics": 5}, {"metrics": {"a": 5}}, {"metrics": {"a": {"fp": "x"}}}, {}])
def test_what_a_judge_made_up_is_no_attribute(details: dict[str, Any]) -> None:
    row = _row(0)
    row["evaluator_results"][0]["details"] = details
    assert _block(_page([row]), "index")["attributes"] == []
