"""Templates: what they give, and an end to those that would have none."""

import sys
from typing import Any

import pytest

from agentv_py.errors import EvaluationError
from agentv_py.models.prompt_template import fill_template, find_names

_VALUES: dict[str, Any] = {"candidate": {"items": [1, "two", None], "keys": "mine"}, "tags": ["a", "b"]}
_TEN = "{% for x in '0123456789' %}"


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("{{ candidate }}", '{"items":[1,"two",null],"keys":"mine"}'),
        ("{{ candidate.keys }} {{ candidate['items'] | length * 2 ** 3 }}", "mine 24"),
        ("{% for tag in tags %}{{ loop.index }}{{ tag * 3 }};{% endfor %}", "1aaa;2bbb;"),
        ("{{ tags | join('-' * 3) }}\n", "a---b\n"),
    ],
)
def test_a_template_is_filled_in(template: str, text: str) -> None:
    assert fill_template(template, _VALUES) == text


@pytest.mark.parametrize(
    ("template", "why"),
    [
        (_TEN * 9 + "{% endfor %}" * 9, "it takes more than 1,000,000 steps"),
        ("{% macro f(n) %}{{ f(n - 1) ~ f(n - 1) if n else '' }}{% endmacro %}{{ f(40) }}", "it takes more than 1,000,000 steps"),
        ("{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}", "maximum recursion depth exceeded"),
        ("{{ 'x' * 10 ** 12 }}", "the result of * is too large"),
        ("{{ 10 ** 99999999 }}", "the result of ** is too large"),
        ("{{ 2.5 ** 10000 }}", "("),
        ("{{ 10 ** 5000 }}", "Exceeds the limit (4300 digits) for integer string conversion"),
        ("{{ candidate.nothing }}", "'dict object' has no attribute 'nothing'"),
        ("{{ tags.pop() }}", "access to attribute 'pop' of 'list' object is unsafe."),
        ("{{ tags | sum }}", "unsupported operand type(s) for +"),
    ],
)  # fmt: skip
def test_a_template_that_cannot_be_filled_in_says_so_and_ends(template: str, why: str) -> None:
    find_names(template, list(_VALUES))
    with pytest.raises(EvaluationError) as caught:
        fill_template(template, _VALUES)
    assert str(caught.value).startswith("the template cannot be filled in: ")
    assert why in str(caught.value)


@pytest.mark.parametrize(
    ("template", "why"),
    [
        ("{{ " + "(" * 5_000 + ")" * 5_000 + " }}", "the template is nested too deeply"),
        ("{% for x in tags %}" * 50 + "{% endfor %}" * 50, "the template is nested too deeply"),
        ("{{ candidate | shout }}", "line 1 of the template: No filter named 'shout'."),
        ("{{ lipsum(5) }}", "unknown name 'lipsum'"),
    ],
)
def test_what_is_no_template_is_refused_before_anything_runs(template: str, why: str) -> None:
    with pytest.raises(ValueError, match="^" + why.replace("(", r"\(")):
        find_names(template, list(_VALUES))


def test_who_traces_the_program_goes_on_tracing() -> None:
    before = sys.gettrace()
    sys.settrace(trace := lambda *_: None)
    try:
        fill_template("{{ candidate }}", _VALUES)
        assert sys.gettrace() is trace
    finally:
        sys.settrace(before)


@pytest.mark.parametrize(
    "template",
    [
        "'a'.center(10**9)", "'a'|center(10**9)", "'a'|indent(width=10**9)", "'%999999999d' % 1", "'%*d' % (999999999, 1)",
        "'%999999999d'|format(1)", "'{:999999999}'.format(1)", "'{:{}}'.format(1, 10**9)", "[1]|batch(10**9, 0)|list",
        "1.5|round(10**9, 'ceil')",
    ],
)  # fmt: skip
def test_widths_and_counts_of_methods_and_filters_are_bounded(template: str) -> None:
    with pytest.raises(EvaluationError, match="too large"):
        fill_template(f"{{{{ {template} }}}}", {})


def test_large_numbers_of_the_data_are_no_widths() -> None:
    template = "{{ 20250115123|string }} {{ '%5.1f' % 1.5 }} {{ '100% of {}'.format(id) }} {{ [id]|join }}"
    assert fill_template(template, {"id": 10**12}) == "20250115123   1.5 100% of 1000000000000 1000000000000"
