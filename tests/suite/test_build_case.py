"""A row that is no longer the one that was checked is an input that changed; a bug is a bug."""

from typing import Any

import pytest

from agentv_py.errors import InputChanged
from agentv_py.evaluators import grade
from agentv_py.suite import raw_case
from agentv_py.suite.raw_case import RawCase, build_case

_OWN = {"id": "c", "evaluators": [{"type": "field_accuracy", "fields": [{"path": "a"}]}]}


@pytest.mark.parametrize("plain", [True, False])
@pytest.mark.parametrize(
    "raw",
    [
        RawCase("d", 3, b'{"id": "c"'),
        RawCase("d", 3, b"[1]"),
        RawCase("d", 3, {"id": "c", "metadata": [1], "more": 1}),
        RawCase("d", 3, {"id": "c", "evaluators": [{"type": "none"}]}),
        RawCase("d", 3, {"id": "c"}, b'{"id": "other", "candidate": 1}'),
        RawCase("d", 3, {"id": "c"}, b'{"candidate": 1}'),
        RawCase("d", 3, {"id": "c"}, b"5"),
        RawCase("d", 3, {"id": "c"}, b"{"),
    ],
)
def test_a_row_that_cannot_have_been_checked_is_an_input_that_changed(raw: RawCase, plain: bool) -> None:
    with pytest.raises(InputChanged, match="d:3: the file changed during the run"):
        build_case(raw, "", plain=plain)


@pytest.mark.parametrize("error", [AttributeError, KeyError, TypeError])
def test_a_bug_in_making_evaluators_is_not_blamed_on_the_file(
    error: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_given: Any) -> Any:
        raise error("a bug")

    monkeypatch.setattr(raw_case, grade.assign_names.__name__, fail)
    raw_case._build_evaluators.cache_clear()  # noqa: SLF001  another test may have made the same ones
    with pytest.raises(error, match="a bug"):
        build_case(RawCase("d", 3, _OWN), "", plain=True)
