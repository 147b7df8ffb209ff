"""The changes of a case: their order, their notes, and where long values are cut."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rows import row

from agentv_py.formats.console.changes import cut_around, draw_changes
from agentv_py.report.diff.changes import cut_together, list_distinct_changes

_TEXTS = st.text(st.characters(exclude_categories=["C", "M", "Z"]), max_size=120)


def _row(candidate: dict[str, Any], *mismatches: dict[str, Any]) -> Any:
    result = {
        "name": "e", "type": "t", "score": 0.5, "verdict": "fail", "hits": [],
        "misses": [f"{m['path']} ({m['note']})" if "note" in m else m["path"] for m in mismatches],
        "details": {"mismatches": list(mismatches)},
    }  # fmt: skip
    expected = {"a": "1", "b": "2", "c": "3"}
    return row("c", 0.5, expected=expected, candidate=candidate, evaluator_results=[result])


def test_what_became_wrong_comes_first_and_each_side_has_its_own_note() -> None:
    before = _row(
        {"a": "x", "b": "2", "c": "y"},
        {"path": "a", "outcome": "mismatch", "expected": "1", "actual": "x", "note": "not a number"},
        {"path": "c", "outcome": "mismatch", "expected": "3", "actual": "y", "note": "not a number"},
    )
    after = _row(
        {"a": "1", "c": "z"},
        {"path": "b", "outcome": "missing", "expected": "2", "note": "required, missing"},
        {"path": "c", "outcome": "mismatch", "expected": "3", "actual": "z"},
    )
    assert list(map(str, list_distinct_changes(before, after))) == [
        '↓ b: expected "2", was "2", now nothing (required, missing)',
        '· c: expected "3", was "y" (not a number), now "z"',
        '↑ a: expected "1", was "x" (not a number), now "1"',
    ]


def test_long_values_are_cut_around_the_place_where_they_differ() -> None:
    same = "same " * 200
    expected, was, now = cut_together(f"{same}left", f"{same}left", f"{same}right")
    assert (expected == was, "left" in was, "right" in now, max(map(len, (was, now))) < 310) == (True, True, True, True)
    assert cut_around(f"{same}left", [f"{same}right"], 30) == "…e same same left"


def test_values_that_do_not_fit_beside_each_other_have_lines_of_their_own() -> None:
    long = "value " * 12
    before = _row({"a": f"{long}was"}, {"path": "a", "outcome": "mismatch", "expected": "1", "actual": f"{long}was"})
    after = _row({"a": f"{long}now"}, {"path": "a", "outcome": "mismatch", "expected": "1", "actual": f"{long}now"})
    drawn = [str(line) for line in draw_changes(list_distinct_changes(before, after), 78)]
    assert [line.split()[0] for line in drawn] == ["·", "expected", "was", "now"]
    assert drawn[2].endswith('was"')
    assert drawn[3].endswith('now"')
    assert max(map(cell_len, drawn)) <= 78


@given(_TEXTS, _TEXTS, st.integers(8, 60))
def test_a_cut_value_fits_and_shows_where_it_differs(text: str, other: str, room: int) -> None:
    cut = cut_around(text, [other], room)
    assert cell_len(cut) <= room
    assert cut == text or "…" in cut
