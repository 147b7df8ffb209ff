"""Which cases of a suite run: by id, by tag, and up to a limit."""

from collections.abc import Iterator

import pytest

from agentv_py.suite.selection import PositionedCase, Selection

_TAGS = {"a-1": ["x"], "a-2": ["y"], "b-1": ["x"], "[odd]": ["y"], "none": None}


def _cases() -> Iterator[PositionedCase]:
    return ((position, id_, {"id": id_, "tags": tags}) for position, (id_, tags) in enumerate(_TAGS.items(), 10))


@pytest.mark.parametrize(
    ("selection", "positions", "flags"),
    [
        (Selection(), [10, 11, 12, 13, 14], ""),
        (Selection(cases=["a-*"]), [10, 11], "--case"),
        (Selection(cases=["[odd]", "b-1"]), [12, 13], "--case"),
        (Selection(tags=["y"]), [11, 13], "--tag"),
        (Selection(cases=["a-*"], tags=["x"]), [10], "--case and --tag"),
        (Selection(limit=2), [10, 11], "--limit"),
        (Selection(tags=["y"], limit=1), [11], "--tag and --limit"),
        (Selection(limit=0), [], "--limit"),
        (Selection(["*"], ["x", "y"], 3), [10, 11, 12], "--case, --tag and --limit"),
    ],
)
def test_a_selection_gives_positions_and_names_its_flags(
    selection: Selection, positions: list[int], flags: str
) -> None:
    assert (list(selection.select(_cases())), selection.describe_flags()) == (positions, flags)


def test_a_selection_reads_every_case_because_reading_checks_it() -> None:
    cases = _cases()
    Selection(limit=1).select(cases)
    assert list(cases) == []
