"""The pages of a diff and of a trend in a real browser."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser import Browser
from commands import Commands

PLANTED = "</script><script>window.planted=1</script>"

_SUITE: dict[str, Any] = {
    "name": f"invoices {PLANTED}",
    "evaluators": [{"type": "field_accuracy", "fields": [{"path": "a"}, {"path": "b"}]}],
}
_EXPECTED = {"a": 1, "b": PLANTED}
_BEFORE = {"broken": _EXPECTED, "fixed": {"a": 2, "b": "x"}, "same": _EXPECTED, "lower": {"a": 2, "b": PLANTED}, "gone": _EXPECTED, "errs": _EXPECTED}  # fmt: skip
_AFTER = {"broken": {"a": 3, "b": PLANTED + "!"}, "fixed": _EXPECTED, "same": _EXPECTED, "lower": {"a": 2, "b": 0}, "new": _EXPECTED, "errs": None}  # fmt: skip


def _suite(answers: dict[str, Any]) -> str:
    cases = [{"id": name, "expected": _EXPECTED} | ({} if answer is None else {"candidate": answer}) for name, answer in answers.items()]  # fmt: skip
    return json.dumps(_SUITE | {"cases": cases})


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory, commands: Commands) -> Path:
    folder = tmp_path_factory.mktemp("pages")
    for name, answers in (("before", _BEFORE), ("after", _AFTER)):
        (folder / f"{name}.yaml").write_text(_suite(answers), encoding="utf-8")
    for arguments in (
        ["run", "before.yaml", "-o", "before.jsonl", "-q"],
        ["run", "after.yaml", "-o", "after.jsonl", "-q", "--report", "after.html"],
        ["diff", "before.jsonl", "after.jsonl", "--format", "html", "-o", "diff.html"],
        ["trend", "before.jsonl", "after.jsonl", "--format", "html", "-o", "trend.html"],
    ):
        commands.run(arguments, folder)
    return folder


@pytest.fixture
def opened(running: Browser, pages: Path) -> Iterator[Browser]:
    running.width(1280)
    running.open(pages / "diff.html")
    running.until("document.querySelectorAll('.row').length > 0")
    yield running
    assert running.console() == []
    assert running.run("return window.planted") is None


def test_a_diff_begins_with_its_sentence_and_its_figures(opened: Browser) -> None:
    assert opened.texts("#sentence")[0].startswith("= Tied: ")
    assert opened.texts(".big") == ["0.625 → 0.500", "50.0% → 50.0%"]
    assert opened.texts(".tally") == ["✗1newly broken", "!1errored", "✓1newly fixed", "↓2lower", "↑1higher"]
    assert opened.texts("#evaluators tbody td")[1:3] == ["0.625", "0.500"]
    assert opened.texts("#attributes tbody th") == ["b", "a"]


def test_newly_broken_cases_come_first_with_both_scores(opened: Browser) -> None:
    assert opened.ids() == ["broken", "errs", "fixed", "lower", "same", "gone", "new"]
    rows = opened.run("return [...document.querySelectorAll('.row')].map(row => [...row.children].slice(0, 5).map(cell => cell.textContent.trim()))")  # fmt: skip
    assert rows[0] == ["✗ newly broken", "broken", "✓ 1.000", "✗ 0.000", "−1.000"]
    assert rows[1] == ["! errored", "errs", "✓ 1.000", "! error", "–"]
    assert rows[5] == ["− only before", "gone", "✓ 1.000", "–", "–"]


def test_cases_are_filtered_by_what_became_of_them(opened: Browser) -> None:
    opened.choose("change", "fixed")
    assert opened.ids() == ["fixed"]
    opened.run("document.querySelector('.tally.is-fail').click()")
    assert opened.ids() == ["broken"]
    opened.run("document.getElementById('clear').click()")
    opened.run("document.querySelector('[data-sort=delta] button').click()")
    assert opened.ids()[0] == "broken"


def test_a_case_shows_expected_before_and_after(opened: Browser) -> None:
    opened.open_case("broken")
    assert opened.texts(".side.names span") == ["field", "expected", "before", "after"]
    lines = opened.run("return [...document.querySelectorAll('.side.differs')].map(line => [...line.querySelectorAll('.value')].map(value => [value.classList.contains('wrong'), value.textContent]))")  # fmt: skip
    assert lines == [
        [[False, "1"], [False, "1"], [True, "3≠ differs"]],
        [[False, f'"{PLANTED}"'], [False, f'"{PLANTED}"'], [True, f'"{PLANTED}!"≠ differs']],
    ]
    assert opened.texts(".detail .verdict")[0].startswith("field_accuracyfield_accuracy✓ pass 1.000→✗ fail 0.000")


@pytest.mark.parametrize("name", ["gone", "new", "errs"])
def test_a_case_that_only_one_side_has_opens_too(opened: Browser, name: str) -> None:
    opened.open_case(name)
    assert opened.texts(".side .field")[-2:] == ["a", "b"]


def test_a_phone_shows_a_diff_without_scrolling_sideways(opened: Browser) -> None:
    opened.width(375)
    opened.open_case("broken")
    assert opened.run("return document.documentElement.scrollWidth") == 375
    whole = "return [...document.querySelectorAll('.row .number')].every(one => one.scrollWidth <= one.clientWidth)"
    assert opened.run(whole)
    assert opened.printed().startswith(b"%PDF-")


@pytest.mark.parametrize("name", ["trend", "after"])
def test_trends_and_further_reports_are_pages_as_well(running: Browser, pages: Path, name: str) -> None:
    running.width(375)
    running.open(pages / f"{name}.html")
    running.until("document.querySelectorAll('.big').length === 2")
    assert sorted(running.texts(".big")) == ["0.500", "50.0%"]
    assert running.run("return document.documentElement.scrollWidth") == 375
    assert running.console() == []
    assert running.run("return window.planted") is None
