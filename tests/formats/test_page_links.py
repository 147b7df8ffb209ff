"""Links of the page: to its parts, to a case and to filters; and what it shows of errors and confidence."""

import json
from pathlib import Path
from typing import Any

import pytest
from browser import Browser
from commands import Commands

_LONG = "k" * 200
_ROWS = [{"x": n, "y": n} for n in range(20)]


def _case(number: int) -> dict[str, Any]:
    confidence = 0.9 if number % 5 else 0.3
    total = number if number % 5 else -number - 1
    return {
        "id": f"case {number}",
        "expected": {"total": number + 1, _LONG: 1, "rows": _ROWS},
        "candidate": {
            "total": {"_value": total + 1 if number % 5 else total, "_confidence": confidence},
            _LONG: {"_value": 2 if number == 7 else 1, "_confidence": 0.8},
            "rows": _ROWS[:-1] if number == 8 else _ROWS,
        },
    }


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory, commands: Commands) -> Path:
    folder = tmp_path_factory.mktemp("links")
    evaluator = {
        "name": "e",
        "type": "object_match",
        "comparators": {"total": "exact", _LONG: "exact", "rows": {"unordered": {"x": "exact", "y": "exact"}}},
    }
    suite = {"evaluators": [evaluator], "confidence": {"wrapper": {}}, "cases": [_case(n) for n in range(40)]}
    (folder / "s.yaml").write_text(json.dumps(suite), encoding="utf-8")
    commands.run(["run", "s.yaml", "-o", "r.jsonl", "-q", "--report", "r.html"], folder)
    return folder / "r.html"


def _open(browser: Browser, page: Path, hash_: str = "") -> None:
    browser.driver.get("about:blank")
    browser.driver.get(page.as_uri() + hash_)
    browser.until("document.querySelectorAll('.row').length > 0")


def test_the_parts_of_the_page_stay_one_click_away(running: Browser, page: Path) -> None:
    _open(running, page)
    parts = ["Cases", "Figures", "Evaluators", "Attributes", "Kinds of error", "Confidence"]
    assert running.texts("#navigation a") == parts
    running.run("scrollTo(0, document.documentElement.scrollHeight)")
    assert running.run("return document.getElementById('navigation').getBoundingClientRect().top") == 0
    running.run("document.querySelector('#navigation a').click()")
    assert 0 <= running.run("return document.getElementById('cases').getBoundingClientRect().top") < 200
    assert running.console() == []


def test_a_link_opens_its_case_and_the_address_follows(running: Browser, page: Path) -> None:
    _open(running, page, "#verdict=fail&case=case+8")
    running.until("document.querySelector('.detail') !== null")
    assert running.run("return document.querySelector('.row[aria-expanded=true] .id').textContent") == "case 8"
    assert running.run("return document.querySelector('.permalink a').getAttribute('href')") == "#case=case+8"
    running.run("document.querySelector('.row[aria-expanded=true]').click()")
    assert running.run("return location.hash") == ""
    running.run("location.hash = '#case=case+3'")
    running.until("document.querySelector('.row[aria-expanded=true] .id')?.textContent === 'case 3'")
    _open(running, page, "#case=no+such+case")
    assert running.all(".detail") == []
    assert running.console() == []


def test_filters_are_in_the_address(running: Browser, page: Path) -> None:
    _open(running, page)
    running.choose("kind", "sign")
    assert running.run("return location.hash") == "#kind=sign"
    found = running.ids()
    _open(running, page, "#kind=sign")
    assert running.ids() == found
    assert running.run("return document.getElementById('by-kind').value") == "sign"
    _open(running, page, "#kind=missed+rows")
    assert running.ids() == ["case 8"]
    running.run("document.getElementById('clear').click()")
    assert running.run("return location.hash") == ""


def test_a_kind_of_error_leads_to_its_cases(running: Browser, page: Path) -> None:
    _open(running, page)
    assert running.texts("#errors tbody th")[0] == "total"
    running.run("[...document.querySelectorAll('#errors th button')].find(b => b.textContent === 'sign').click()")
    assert running.run("return location.hash") == "#kind=sign"
    assert len(running.ids()) == 8


def test_confidence_has_sentences_and_one_curve(running: Browser, page: Path) -> None:
    _open(running, page)
    assert running.texts(".sentences li")[0].startswith("accept at 99 %: too few fields")
    assert len(running.all("#confidence svg.coverage")) == 1
    assert running.texts("#confidence svg.coverage text")[0].endswith("%")


def test_a_long_list_shows_only_its_differences_on_demand(running: Browser, page: Path) -> None:
    _open(running, page, "#case=case+7")
    running.until("document.querySelector('.detail') !== null")
    lines = len(running.all(".side"))
    running.run("[...document.querySelectorAll('.more button')].find(b => /Only|all/.test(b.textContent)).click()")
    assert len(running.all(".side")) != lines
    shown = min(lines, len(running.all(".side")))
    assert shown == 2


@pytest.mark.parametrize("width", [1400, 375])
def test_a_key_of_200_characters_breaks_nothing(running: Browser, page: Path, width: int) -> None:
    running.width(width)
    _open(running, page, "#case=case+7")
    running.until("document.querySelector('.detail') !== null")
    assert running.run("return document.documentElement.scrollWidth") <= width
    running.width(1280)
    assert running.console() == []
