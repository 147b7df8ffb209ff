"""The page in a real browser: what a reader sees, and what they can do."""

import json
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from browser import Browser, Keys
from commands import Commands
from conftest import Evalctl

from agentv_py.case import Case
from agentv_py.evaluators.iou_score import IouScore
from agentv_py.formats import render
from agentv_py.report.summary import Summary

PLANTED = "</script><script>window.planted=1</script><img src=x onerror='window.planted=2'>\u2028&lt;"

_SUITE: dict[str, Any] = {
    "name": f"invoices {PLANTED}",
    "evaluators": [
        {"name": "header", "type": "field_accuracy", "fields": [{"path": "number"}, {"path": "total"}, {"path": "vendor", "match": "fuzzy"}]},
        {"name": f"lines {PLANTED}", "type": "object_match", "comparators": {"lines": {"unordered": {"what": "fuzzy", "price": "exact"}}}},
    ],
}  # fmt: skip
_LINES = [{"what": "Bolt", "price": 1}, {"what": "Nut", "price": 2}, {"what": "Washer", "price": 3}]
_EXPECTED = {"number": "INV-1", "total": 12345678901234567890, "vendor": "Acme", "lines": _LINES, "x.y": 1}
_CASES = [
    {"id": "right", "tags": ["german"], "expected": _EXPECTED, "candidate": _EXPECTED},
    {"id": "total", "tags": ["german", PLANTED], "expected": _EXPECTED, "candidate": _EXPECTED | {"total": 12345678901234567891}},
    {"id": "pairs", "expected": _EXPECTED, "candidate": _EXPECTED | {"lines": [_LINES[1], {"what": "Bolt", "price": 9}, {"what": "Gift", "price": 0}]}},
    {"id": "none", "expected": _EXPECTED},
    {"id": PLANTED, "metadata": {PLANTED: PLANTED}, "expected": _EXPECTED | {"number": PLANTED, PLANTED: 1}, "candidate": json.dumps({"number": PLANTED + "!", "vendor": "Acme Zürich", PLANTED: 2})},
]  # fmt: skip


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory, commands: Commands) -> Path:
    folder = tmp_path_factory.mktemp("page")
    (folder / "s.yaml").write_text(json.dumps(_SUITE | {"cases": _CASES}), encoding="utf-8")
    for arguments in (
        ["run", "s.yaml", "-o", "r.jsonl", "-q"],
        ["report", "r.jsonl", "--format", "html", "-o", "r.html"],
    ):
        commands.run(arguments, folder)
    return folder / "r.html"


@pytest.fixture
def opened(running: Browser, page: Path) -> Iterator[Browser]:
    """The page, freshly opened; whatever a test does there, it leaves no word on the console."""
    running.width(1280)
    running.prefer("light")
    running.open(page)
    running.until("document.querySelectorAll('.row').length > 0")
    yield running
    assert running.console() == []


def test_the_figures_are_those_of_the_run(opened: Browser) -> None:
    assert opened.texts(".big") == ["40.0%", "0.517"]
    assert opened.texts(".tally") == ["✓2passed (1\u00a0with\u00a0misses)", "◐1partial", "✗1failed", "!1errors"]
    assert opened.texts("#evaluators tbody th") == ["header", f"lines {PLANTED}"]
    assert len(opened.all("#figures svg")) == 4
    assert opened.texts("#attributes tbody th")[:3] == ["micro", "macro", "total"]
    assert len(opened.all("#attributes tr:nth-child(3) .bar")) == 3 * 2


def test_the_worst_cases_come_first_and_heads_sort(opened: Browser) -> None:
    assert opened.ids() == ["none", PLANTED, "pairs", "total", "right"]
    for clicks, order in (
        (1, ["none", PLANTED, "pairs", "total", "right"]),
        (2, ["right", "total", "pairs", PLANTED, "none"]),
    ):
        opened.run("document.querySelector('[data-sort=score] button').click()")
        assert opened.ids() == order, clicks
    assert opened.one("[data-sort=score]").get_attribute("aria-sort") == "descending"
    opened.run("document.querySelector('[data-sort=id] button').click()")
    assert opened.ids() == [PLANTED, "none", "pairs", "right", "total"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("PAIR", ["pairs"]), ("german", ["total", "right"]), ("gift", ["pairs"]), ("window.planted=1</script>", [PLANTED, "pairs", "total", "right"]),
        ("zürich", [PLANTED]), ("price", []), ("no such thing", []), ("invoices", ["none", PLANTED, "pairs", "total", "right"]),
        ("\\", []), ("img src=x onerror='window.planted=2'>\u2028&lt;!", [PLANTED]),
    ],
)  # fmt: skip
def test_a_search_finds_ids_suites_tags_and_values(opened: Browser, text: str, found: list[str]) -> None:
    if "planted" in text and "script" in text:  # the suite's name holds it too
        found = ["none", *found]
    opened.search(text)
    opened.until(
        "document.getElementById('count').textContent.startsWith(arguments[0])",
        f"{len(found)} of" if len(found) < 5 else "All",
    )
    assert opened.ids() == found
    assert opened.one("#none").is_displayed() == (not found)


def test_filters_by_verdict_tag_evaluator_and_attribute(opened: Browser) -> None:
    opened.choose("verdict", "pass")
    assert opened.ids() == ["total", "right"]
    opened.choose("tag", PLANTED)
    assert opened.ids() == ["total"]
    opened.run("document.getElementById('clear').click()")
    opened.choose("evaluator", "header")
    opened.choose("verdict", "pass")
    assert opened.ids() == ["right", "pairs"]
    opened.choose("verdict", "")
    opened.choose("attribute", "total")
    assert opened.ids() == [PLANTED, "total"]
    assert opened.texts("#count") == ["2 of 5 cases"]


def test_a_figure_leads_to_its_cases(opened: Browser) -> None:
    opened.run("document.querySelector('.tally.is-error').click()")
    assert opened.ids() == ["none"]
    opened.run(
        "[...document.querySelectorAll('#attributes button')].find(one => one.textContent === 'lines[].price').click()"
    )
    assert opened.ids() == [PLANTED, "pairs"]


def test_an_open_case_marks_what_differs_with_every_digit(opened: Browser) -> None:
    opened.open_case("total")
    assert opened.texts(".detail .verdict b") == ["header", f"lines {PLANTED}"]
    assert opened.texts(".side.differs .field") == ["total"]
    assert opened.texts(".side.differs .value") == ["12345678901234567890", "12345678901234567891≠ differs"]
    assert opened.texts(".side.uncompared .field") == ["x.y"]


def test_pairs_are_drawn_and_rows_without_a_partner_stand_out(opened: Browser) -> None:
    opened.open_case("pairs")
    assert opened.texts(".pairing .tie title") == ["0 with 1, similarity 0.500", "1 with 0, similarity 1.000"]
    assert opened.texts(".pairing .alone") == ["2  Washer · 3 (no partner)", "2  Gift · 0 (no partner)"]
    fields = opened.texts(".side .field")
    assert "0 ↔ 1" in fields
    assert "+2" in fields
    assert opened.texts(".side.differs .why") == ["≠ differs", "− missing", "+ unexpected"]


def test_planted_markup_stays_text_wherever_it_stands(opened: Browser) -> None:
    for name in (PLANTED, "total"):
        opened.open_case(name)
    opened.run("for (const one of document.querySelectorAll('details')) one.open = true")
    opened.until("document.querySelectorAll('.detail').length === 2")
    assert opened.run("return window.planted") is None
    assert opened.all("main script, main img, header script, header img") == []
    shown = opened.run("return document.body.innerText")
    assert opened.run("return document.title").startswith("invoices </script><script>")
    assert shown.count("<script>window.planted=1</script>") > 10
    assert '"</script><script>window.planted=1</script>' in opened.one(".detail pre").text


def test_dark_and_light_follow_the_system_and_the_button(opened: Browser) -> None:
    def paper() -> str:
        return str(opened.run("return getComputedStyle(document.body).backgroundColor"))

    light = paper()
    opened.prefer("dark")
    dark = paper()
    assert light != dark
    opened.one("#theme").click()
    assert paper() == light
    opened.one("#theme").click()
    assert paper() == dark


def test_a_phone_shows_everything_without_scrolling_sideways(opened: Browser) -> None:
    opened.width(375)
    for name in (PLANTED, "pairs"):
        opened.open_case(name)
    assert opened.run("return document.documentElement.scrollWidth") == 375
    assert opened.run(
        "return [...document.querySelectorAll('.row, .card')].every(one => one.getBoundingClientRect().right <= 375)"
    )


def test_keys_reach_everything(opened: Browser) -> None:
    opened.press("/")
    assert opened.run("return document.activeElement.id") == "search"
    opened.press(Keys.ARROW_DOWN)
    opened.press(Keys.ARROW_DOWN, Keys.ARROW_DOWN)
    assert opened.run("return document.activeElement.querySelector('.id').textContent") == "pairs"
    opened.press(Keys.ENTER)
    assert opened.run("return document.activeElement.getAttribute('aria-expanded')") == "true"
    assert opened.texts(".side.differs .field")[0] == "price"
    opened.press(Keys.ESCAPE)
    assert opened.all(".detail") == []
    opened.press(Keys.END)
    assert opened.run("return document.activeElement.querySelector('.id').textContent") == "right"
    assert opened.run("return getComputedStyle(document.activeElement).outlineStyle") == "solid"


def test_paper_gets_every_row_and_what_is_open(opened: Browser) -> None:
    opened.open_case("pairs")
    opened.run("window.printedRows = 0; addEventListener('beforeprint', () => { window.printedRows = [...document.querySelectorAll('.body > *')].map(one => one.className) })")  # fmt: skip
    assert opened.printed().startswith(b"%PDF-")
    assert opened.run("return window.printedRows") == ["row", "row", "row", "detail", "row", "row"]
    assert opened.ids() == ["none", PLANTED, "pairs", "total", "right"]
    assert len(opened.all(".detail")) == 1


def _row(number: int) -> Any:
    verdict = "fail" if number % 10 == 0 else "pass"
    result = {"name": "e", "type": "field_accuracy", "score": 0.5, "verdict": verdict, "misses": []}
    values = {"expected": {"a": number}, "candidate": {"a": f"value {number}"}}
    return {"suite": "s", "case_id": f"case-{number:05}", "status": "ok", "score": 0.5, "verdict": verdict, "evaluator_results": [result], **values}  # fmt: skip


def _write(rows: list[Any], path: Path) -> None:
    summary = Summary(rows=partial(iter, rows))
    for row in rows:
        summary.add(row)
    path.write_text("".join(render(summary, "html")), encoding="utf-8")


def test_ten_thousand_cases_are_a_handful_of_rows(running: Browser, tmp_path: Path) -> None:
    _write([_row(number) for number in range(10_000)], tmp_path / "big.html")
    running.width(1280)
    running.open(tmp_path / "big.html")
    running.run("scrollTo(0, document.body.scrollHeight)")
    running.until("[...document.querySelectorAll('.id')].some(one => one.textContent === 'case-09999')")
    assert len(running.all(".row")) < 60
    assert running.one("#grid").get_attribute("aria-rowcount") == "10001"
    running.search("value 4321")
    running.until("document.getElementById('count').textContent.startsWith('1 of 10,000')")
    assert running.ids() == ["case-04321"]
    assert running.console() == []


_FORMS = ("xyxy", "xywh", "polygon")


def test_boxes_are_drawn_whatever_their_format(running: Browser, tmp_path: Path) -> None:
    rows = []
    for number, (form, expected, actual) in enumerate([
        ("xyxy", [10, 10, 110, 60], [20, 15, 120, 70]),
        ("xywh", [10, 10, 100, 50], [20, 15, 100, 55]),
        ("polygon", [[0, 0], [100, 0], [100, 50]], [[0, 0], [90, 0], [90, 50]]),
        ("object", {"x": 1, "y": 2, "width": 3, "height": 4}, {"left": 1, "top": 2, "right": 5, "bottom": 6}),
        ("unreadable", "a box", [1]),
    ]):  # fmt: skip
        row = _row(number + 1) | {"case_id": form, "expected": {"bbox": expected}, "candidate": {"bbox": actual}}
        areas = {"expected": 0, "actual": 0, "iou": 0.6, "intersection": 90 * 45, "union": 5000 + 5500 - 90 * 45}
        result = row["evaluator_results"][0] | {
            "type": "iou_score",
            "hits": ["bbox"],
            "details": {"format": form if form in _FORMS else "xyxy", "pairs": [areas]},
        }
        rows.append(row | {"evaluator_results": [result]})
    _write(rows, tmp_path / "boxes.html")
    running.open(tmp_path / "boxes.html")
    running.until("document.querySelectorAll('.row').length === 5")
    for form in ("xyxy", "xywh", "polygon", "object", "unreadable"):
        running.open_case(form)
        shapes = running.run("return [...document.querySelectorAll('.shape')].map(one => [one.getAttribute('class'), one.getAttribute('points').split(' ').length])")  # fmt: skip
        corners = 3 if form == "polygon" else 4
        assert shapes == ([] if form == "unreadable" else [["shape expected", corners], ["shape candidate", corners]])
        running.click_case(form)
    assert running.console() == []


def test_boxes_are_drawn_as_their_evaluator_says_and_found_where_it_looked(running: Browser, tmp_path: Path) -> None:
    boxes = [[10, 20, 40, 60], [200, 20, 210, 60]]  # edges or sizes, both would do
    rows = []
    for form in ("xyxy", "xywh"):
        evaluator = IouScore(
            type="iou_score", bbox_path="said.boxes", expected_bbox_path="truth", format=form, matching="optimal"
        )
        data: dict[str, Any] = {"expected": {"truth": boxes}, "candidate": {"said": {"boxes": boxes[::-1]}}}
        score = evaluator.evaluate(Case(form, **data))
        result = {"type": "iou_score", "hits": score.hits, "details": score.details}
        rows.append(_row(1) | data | {"case_id": form})
        rows[-1]["evaluator_results"] = [rows[-1]["evaluator_results"][0] | result]
    _write(rows, tmp_path / "told.html")
    running.open(tmp_path / "told.html")
    running.until("document.querySelectorAll('.row').length === 2")
    for form, slope in (("xyxy", 40 / 30), ("xywh", 60 / 40)):
        running.open_case(form)
        points = running.run("return [...document.querySelectorAll('.shape')].map(one => one.getAttribute('points'))")
        assert (len(points), points[0], points[2]) == (4, points[1], points[3])
        left, top, *_, right, bottom = [*map(float, re.split("[ ,]", points[0]))][:6]
        assert (bottom - top) / (right - left) == pytest.approx(slope, rel=0.02)
        columns = [*enumerate(boxes), *enumerate(boxes[::-1])]
        assert running.texts(".sides .field") == ["truth", "0", "1", "said", "boxes", "+0", "+1"]
        assert running.texts(".pairing li") == [f"{number}  {box}" for number, box in columns]
        running.click_case(form)
    assert running.console() == []


def test_boxes_among_other_fields_are_drawn_each_of_them(running: Browser, tmp_path: Path) -> None:
    blocks = [{"kind": "heading", "box": [72, 72, 240, 28]}, {"kind": "footer", "box": [260, 760, 80, 12]}]
    hits = [f"blocks[{number}].{name}" for number in (0, 1) for name in ("kind", "box")]
    result = _row(1)["evaluator_results"][0] | {
        "type": "object_match",
        "hits": hits,
        "misses": [],
        "details": {"formats": {"blocks[].box": "xywh"}},
    }
    data = {"expected": {"blocks": blocks}, "candidate": {"blocks": blocks}, "evaluator_results": [result]}
    _write([_row(1) | data], tmp_path / "blocks.html")
    running.open(tmp_path / "blocks.html")
    running.until("document.querySelectorAll('.row').length === 1")
    running.open_case("case-00001")
    assert running.texts(".boxes li")[2:] == ["blocks[0].box", "blocks[1].box"]
    assert len(running.all(".shape")) == 4


_DEEP: Any = 1
for _ in range(150):
    _DEEP = [{"a": _DEEP}]


@pytest.mark.parametrize(
    "more",
    [
        {"expected": _DEEP, "candidate": _DEEP},
        {"expected": {str(number): number for number in range(5000)}, "candidate": {}},
        {"expected": {"__proto__": 1, "constructor": {"toString": 2}}, "candidate": {"__proto__": {"x": 1}}},
        {"expected": "x" * 1_000_000, "candidate": ["\ud800", "\u202e", "\x00", 1e308, None, True, ""]},
        {"expected": None}, {"candidate": None}, {"expected": [], "candidate": {}}, {"expected": [[[]]], "candidate": [[[1]]]},
        {"metadata": [1], "tags": [1, None, {"a": 1}], "timestamp": 5, "duration_ms": "x", "target": {"a": 1}}, {"tags": "x", "metadata": "y", "target": "z"},
    ],
    ids=",".join,
)  # fmt: skip
def test_a_case_opens_whatever_it_holds(running: Browser, tmp_path: Path, more: dict[str, Any]) -> None:
    odd = [{"path": "a[0", "similarity": "x"}, {"path": 5}, 7, {"path": "$", "note": 3}, {"path": "a.b[0]['c']"}]
    details = [
        {"mismatches": odd, "alignment": {"$": [[0, 1]], "a": [[0]], "b": 3}, "mismatches_omitted": 3, "metrics": []},
        {"mismatches": {"a": 1}, "alignment": [1], "pairs": [1], "matches": [[0, 0, "x"], 5]},
    ]
    results = [
        {"name": "e", "type": kind, "score": 0, "verdict": "fail", "misses": ["a", 5], "hits": hits, "details": one}
        for kind, hits, one in zip(("detection", "iou_score"), (["[0]", 5], "no list"), details, strict=True)
    ]
    error = {"name": "f", "type": "code_judge", "score": 0, "verdict": "fail", "misses": [], "error": {"kind": 5}}
    _write([_row(1) | more | {"evaluator_results": [*results, error]}], tmp_path / "odd.html")
    running.width(1280)
    running.open(tmp_path / "odd.html")
    running.until("document.querySelectorAll('.row').length === 1")
    running.open_case("case-00001")
    assert running.run("return document.documentElement.scrollWidth") == 1280
    assert running.console() == []


def test_repeats_show_how_far_answers_agree_and_lead_to_their_case(
    running: Browser, tmp_path: Path, evalctl: Evalctl
) -> None:
    suite = {
        "evaluators": [{"type": "field_accuracy", "fields": [{"path": "a"}, {"path": "b"}]}],
        "cases": [
            {"id": "wavers", "expected": {"a": 1, "b": 2}, "candidates": [{"a": 1, "b": 2}, {"a": 1, "b": 3}]},
            {"id": PLANTED, "expected": {"a": 1, "b": 2}, "candidates": [{"a": 1, "b": 2}] * 2},
        ],
    }
    (tmp_path / "s.yaml").write_text(json.dumps(suite), encoding="utf-8")
    evalctl("run", "s.yaml", "-q", "-o", "r.jsonl", "--report", "r.html")
    running.open(tmp_path / "r.html")
    running.until("document.querySelectorAll('.row').length > 0")
    cells = running.texts("#evaluators .panel:last-child tbody :is(th, td)")
    assert cells[:7] == ["all 2 cases", "1.000", "0.875", "0.031", "0.177", "0.750", "1 2"]
    assert cells[7:10] == ["wavers", "1.000", "0.750"]
    assert cells[11:] == ["0.250", "0.500", "1 2", PLANTED, "1.000", "1.000", "0.000", "0.000", "1.000", "1 2"]
    running.all("#evaluators .panel:last-child tbody button")[0].click()
    running.until("document.querySelectorAll('.row').length === 1")
    running.all(".row")[0].click()
    running.until("document.querySelector('.about')")
    assert {"repeats 1.000 0.500", "consistency 0.500"} <= set(running.texts(".about span"))
    assert running.console() == []


def test_objects_that_were_found_are_drawn_with_their_labels(running: Browser, tmp_path: Path) -> None:
    expected = [{"label": PLANTED, "box": [10, 10, 50, 40]}, {"label": "dog", "box": [100, 20, 60, 80]}]
    candidate = [{"label": "dog", "box": [104, 22, 58, 80]}, {"label": PLANTED, "box": [12, 9, 50, 42]}]
    details = {"format": "xywh", "matches": [[0, 1, 0.880734], [1, 0, 0.861199]], "coco": []}
    result = _row(1)["evaluator_results"][0] | {"type": "detection", "hits": ["[0]", "[1]"], "details": details}
    _write(
        [_row(1) | {"expected": expected, "candidate": candidate, "evaluator_results": [result]}],
        tmp_path / "found.html",
    )
    running.open(tmp_path / "found.html")
    running.until("document.querySelectorAll('.row').length === 1")
    running.open_case("case-00001")
    assert running.texts(".boxes text") == [PLANTED[:23] + "…", "dog"]
    assert running.texts(".boxes li")[2:] == ["[0]  IoU 0.881", "[1]  IoU 0.861"]
    assert running.texts(".pairing .tie title") == ["0 with 1, similarity 0.881", "1 with 0, similarity 0.861"]
    assert running.run("return window.planted") is None
    assert running.console() == []


def test_a_report_of_nothing_is_a_page_all_the_same(running: Browser, tmp_path: Path) -> None:
    _write([], tmp_path / "empty.html")
    running.open(tmp_path / "empty.html")
    running.until("document.querySelectorAll('.big').length === 2")
    assert running.texts("h1") == ["No suite"]
    assert running.one("#none").is_displayed()
    assert running.console() == []
