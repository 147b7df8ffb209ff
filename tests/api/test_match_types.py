"""The comparators' names in Python: real signatures, the options of a suite, and errors that name the nearest option."""

import enum
import inspect
import pydoc
from typing import Any

import pytest

import agentv_py
from agentv_py import (
    compare,
    contains,
    custom,
    date,
    exact,
    fuzzy,
    ignore,
    name,
    numeric,
    numeric_tolerance,
    one_of,
    ordered,
    presence,
    regex,
    semantic,
    unordered,
    within,
)
from agentv_py.api.comparators import as_plain
from agentv_py.comparison.comparators import Ordered, Unordered
from agentv_py.evaluators.object_match import ObjectMatch


@pytest.mark.parametrize(("function", "model"), [(unordered, Unordered), (ordered, Ordered)])
def test_a_list_has_the_options_of_a_suite(function: Any, model: Any) -> None:
    [_, *options] = inspect.signature(function).parameters.values()
    [_, *fields] = sorted(model.model_fields, key=lambda field: field not in ("unordered", "ordered"))
    assert {option.name for option in options} == set(fields)
    assert function(exact).model_dump() == model(**{function.__name__: {"match": "exact"}}).model_dump()


def test_a_misspelt_option_is_an_error_for_type_checkers_and_at_run_time() -> None:
    # mypy, which runs over this file, would call an ignore without an error unused.
    with pytest.raises(TypeError, match=r"fuzzy has no option 'treshold'; did you mean 'threshold'\?"):
        fuzzy(treshold=1)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"unordered has no option 'keys'; did you mean 'key'\?"):
        unordered(exact, keys="sku")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="exact has no option 'zzz'; valid: weight, required, any_of"):
        exact(zzz=1)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"Within has no option 'wieght'; did you mean 'weight'\?"):
        within(0.1)(wieght=2)
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'tolerance'"):
        within()  # type: ignore[call-arg]


def test_a_wrong_value_is_an_error_in_the_words_of_a_suite() -> None:
    with pytest.raises(ValueError, match=r"^threshold: must be less than or equal to 1, not 2$"):
        fuzzy(threshold=2)
    with pytest.raises(ValueError, match=r"^algorithm: Invalid algorithm: 'jaro_winkl'; did you mean 'jaro_winkler'\?"):
        fuzzy(algorithm="jaro_winkl")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="strip: must be a list, not 'RM'"):
        numeric(strip="RM")
    with pytest.raises(TypeError, match="one_of takes a list of values, not 'abc'"):
        one_of("abc")
    with pytest.raises(ValueError, match="fn: must be callable, not 'x'"):
        custom("x")  # type: ignore[arg-type]


def test_a_percentage_above_1_warns_at_the_callers_line() -> None:
    with pytest.warns(UserWarning, match="a tolerance of 5 is 500%; for an amount say mode: absolute") as caught:
        within(tolerance=5)
    assert caught[0].filename == __file__


def test_a_name_alone_is_a_comparator_at_every_place() -> None:
    value = {"a": 1, "b": [{"c": "x"}], "d": ["y"], "e": True}
    comparators = {"a": exact, "b": unordered({"c": fuzzy}), "d": {"ordered": name}}
    assert compare(value, value, comparators, default=presence).hits == ("a", "b[0].c", "d[0]", "e")
    assert compare(value, value, exact).hits == ("$",)
    with pytest.raises(ValueError, match=r"comparators.a: within is not a match type: call it if it returns one"):
        compare(value, value, {"a": within})


def test_tuples_and_enums_stand_for_lists_of_their_values() -> None:
    class Status(enum.Enum):
        PAID = "paid"
        OPEN = "open"

    assert one_of(Status).values == ["paid", "open"]
    assert numeric(strip=("x", "@")).strip == ["x", "@"]
    assert date(formats=("DD/MM/YYYY",), language=("de", "fr")) == date(formats=["DD/MM/YYYY"], language=["de", "fr"])
    assert unordered(exact, key=("a", "b")).key == ["a", "b"]


def test_a_wrapper_never_changes_what_it_wraps() -> None:
    close = fuzzy(threshold=0.5)
    before = close.model_dump()
    unordered(close, matching="greedy", weight=3)
    ordered(close, weight=2)
    assert close(weight=2) == fuzzy(threshold=0.5, weight=2)
    assert close.model_dump() == before


def test_python_and_yaml_parse_to_the_same_objects() -> None:
    written = {
        "a": "exact", "b": {"match": "within", "tolerance": 0.1, "weight": 2}, "c": {"unordered": {"d": "name"}, "key": "d"},
        "e": {"ordered": "numeric"}, "f": {"match": "one_of", "values": [1]}, "g": {"match": "regex", "pattern": "x"},
        "h": "presence", "i": "ignore", "j": "contains", "k": "date", "l": "fuzzy", "m": "numeric_tolerance",
        "n": {"match": "semantic", "threshold": 0.7, "backend": "lexical"},
    }  # fmt: skip
    built = {
        "a": exact, "b": within(tolerance=0.1, weight=2), "c": unordered({"d": name}, key="d"), "e": ordered(numeric),
        "f": one_of([1]), "g": regex("x"), "h": presence, "i": ignore, "j": contains, "k": date, "l": fuzzy,
        "m": numeric_tolerance, "n": semantic(threshold=0.7, backend="lexical"),
    }  # fmt: skip
    one, other = (
        ObjectMatch.model_validate({"type": "object_match", "comparators": comparators})
        for comparators in (written, as_plain(built))
    )
    assert one.model_dump() == other.model_dump()


def test_every_public_name_is_there_and_documented() -> None:
    for public in agentv_py.__all__:
        assert getattr(agentv_py, public) is getattr(agentv_py, public)
        assert inspect.getdoc(getattr(agentv_py, public)), public
    assert set(agentv_py.__all__) == {known for known in dir(agentv_py) if not known.startswith("_")}


def test_python_suggests_the_nearest_name() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'fuzy'") as caught:
        _ = agentv_py.fuzy
    assert (caught.value.name, caught.value.obj) == ("fuzy", agentv_py)  # from which it finds "Did you mean: 'fuzzy'?"


def test_help_shows_every_option_with_its_default() -> None:
    shown = " ".join(pydoc.plain(pydoc.render_doc(name)).split())  # Python 3.13 shows one option a line
    assert "*, threshold: float = 0.9, weight: float = 1.0, required: bool = True, any_of: bool = False" in shown
    assert "The same person or company" in shown
