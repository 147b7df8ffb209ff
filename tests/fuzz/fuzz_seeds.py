"""Inputs to begin with, for each shape: every option and every kind of value stands somewhere in them."""

import json
from pathlib import Path
from typing import Any

EVALS = Path(__file__).parents[2] / "evals"

_FIELDS = [
    {"path": "exact"}, {"path": "fuzzy", "match": "fuzzy", "threshold": 0.8, "algorithm": "jaro_winkler"},
    {"path": "token_set", "match": "fuzzy", "algorithm": "token_set", "case_sensitive": True},
    {"path": "near", "match": "numeric_tolerance", "tolerance": 0.02, "relative": True},
    {"path": "within", "match": "within", "tolerance": 5, "mode": "absolute"},
    {"path": "numeric", "match": "numeric", "nullable": True, "weight": 2}, {"path": "date", "match": "date"},
    {"path": "day", "match": "date", "formats": ["DD/MM/YYYY", "%d-%b-%Y"], "day_first": True},
    {"path": "name", "match": "name", "threshold": 0.9}, {"path": "one_of", "match": "one_of", "values": ["USD", 1, [2]]},
    {"path": "contains", "match": "contains", "substring": "a", "case_sensitive": False},
    {"path": "regex", "match": "regex", "pattern": "INV-[0-9]{3}"}, {"path": "presence", "match": "presence"},
    {"path": "semantic", "match": "semantic"}, {"path": "iou", "match": "iou", "format": "xywh"},
    {"path": "polygon", "match": "iou", "format": "polygon"}, {"path": "distance", "match": "distance", "threshold": 5},
    {"path": "cosine", "match": "distance", "metric": "cosine", "threshold": 0.1}, {"path": "ignore", "match": "ignore"},
    {"path": 'rows[*]["x.y"]', "required": False},
]  # fmt: skip
_TRUTH: dict[str, Any] = {
    "exact": {"a": [1, True, "x"]}, "fuzzy": "Microsoft Corporation", "token_set": "one two three", "near": 100,
    "within": "1,234.50", "numeric": "$1,234.50", "date": "2025-01-15", "day": "15/01/2025", "name": "Müller GmbH",
    "one_of": "USD", "contains": "banana", "regex": "INV-123", "presence": "x", "semantic": "an engineer of ten years",
    "iou": [0, 0, 10, 10], "polygon": [[0, 0], [4, 0], [4, 4], [0, 4]], "distance": [1, 2], "cosine": {"x": 1, "y": 2},
    "ignore": 1, "rows": [{"x.y": 1, "d": "pipe", "n": 2}, {"x.y": None, "d": "plate", "n": 3.5}], "matrix": [[1, 2], [3, 4]],
}  # fmt: skip
_ANSWER = _TRUTH | {"fuzzy": "microsoft corp", "near": 101, "iou": {"left": 1, "top": 1, "right": 9, "bottom": 9},
                    "date": "January 15, 2025", "rows": _TRUTH["rows"][::-1], "matrix": [[4, 3], [2, 1]], "new": "x"}  # fmt: skip
_OBJECTS = [{"label": "car", "box": [0, 0, 10, 10], "iscrowd": 0}, {"label": "cat", "box": [5, 5, 8, 8], "area": 9}]
_FOUND = [
    {"label": "car", "box": [1, 1, 10, 10], "confidence": 0.9},
    {"label": "cat", "box": [0, 0, 1, 1], "confidence": 0.2},
]

EVALUATORS: list[dict[str, Any]] = [
    {"type": "field_accuracy", "fields": _FIELDS, "aggregation": "weighted_average", "required": True},
    {"type": "object_match", "comparators": {
        "fuzzy": "fuzzy", "near": {"match": "within", "tolerance": 0.05, "weight": 2}, "exact": {"a": {"ordered": "exact"}},
        "rows": {"unordered": {"d": "name", "n": "numeric"}, "matching": "greedy", "threshold": 0.2},
        "matrix": {"unordered": {"unordered": "exact"}}, "date": "date", "iou": {"match": "iou", "format": "xywh"}}},
    {"type": "object_match", "name": "keyed", "weight": 0.5, "comparators": {"rows": {"unordered": {"d": "exact"}, "key": "d"}}},
    {"type": "json_quality", "strategies": {"name": "FUZZY", "semantic": "semantic"}, "safety": {"blocklist": ["idiot"]}},
    {"type": "iou_score", "bbox_path": "iou", "format": "xywh", "threshold": 0.7},
    {"type": "coordinate_distance", "point_path": "distance", "threshold": 5},
]  # fmt: skip
_JUDGE = {"type": "llm_judge", "base_url": "http://127.0.0.1:9/v1", "model": "m", "prices": {"prompt": 1, "completion": 2},
          "prompt": "{% for t in tags %}{{ t }}{% endfor %}{{ candidate }}", "requests_per_minute": 60,
          "rubric": [{"id": "r", "text": "is right", "weight": 2, "required": True}, "is short"]}  # fmt: skip
_CASES: list[dict[str, Any]] = [
    {
        "id": "all",
        "expected": _TRUTH,
        "candidate": _ANSWER,
        "input": {"q": 1},
        "metadata": {"vendor": "x"},
        "tags": ["a"],
    },
    {"id": "text", "expected": json.dumps(_TRUTH), "candidate": f"So:\n```json\n{json.dumps(_ANSWER)}\n```"},
    {"id": "several", "expected": {"exact": 1}, "candidates": [{"exact": 1}, {"exact": 2}, "none"]},
]


def suites() -> list[bytes]:
    judges = str(EVALS.parent / "judges").encode()
    texts = [path.read_bytes().replace(b"../judges", judges) for path in sorted(EVALS.glob("*.yaml"))]
    several: list[dict[str, Any]] = [
        {"evaluators": [evaluator], "cases": _CASES, "verdicts": {"pass": 0.8, "partial": 0.6}}
        for evaluator in EVALUATORS
    ]
    several += [
        {"evaluators": [_JUDGE], "cases": _CASES, "budget": {"cost": 1, "calls": 5}, "gates": {"pass_rate": 0.5}},
        {"evaluators": [{"type": "detection", "min_confidence": 0.3}], "cases": [
            {"id": "d", "expected": _OBJECTS, "candidate": _FOUND}, {"id": "e", "expected": [], "candidate": []}]},
        {"evaluators": [{"type": "code_judge", "script": ["cat", "reply"], "persistent": True, "env": {"A": "b"}, "x": 1}],
         "dataset": ["d.js*", "d.csv"], "predictions": "p.jsonl"},
        {"evaluators": EVALUATORS, "cases": [_CASES[0] | {"evaluators": EVALUATORS[:1]}], "name": "s", "description": "d"},
    ]  # fmt: skip
    anchors = b"a: &a {x: 1}\ncases:\n- {<<: *a, id: x, expected: *a}\n- ? id\n  : !!str 5\nname: |\n  two\n  lines\n"
    return [*(json.dumps(suite).encode() for suite in several), anchors, *texts]


def rows() -> list[dict[str, Any]]:
    return [*_CASES, {"expected": {"exact": 1}, "candidate": None, "other": 5}, {"id": 7, "expected": _OBJECTS}]


def predictions() -> list[dict[str, Any]]:
    return [
        {"id": "all", "candidate": _ANSWER},
        {"id": "text", "candidate": "{}"},
        {"id": "several", "candidates": [1, {}]},
    ]


CSV = (
    b"id,expected.near,expected.fuzzy,candidate.near,candidate.fuzzy,tags,input,note\n"
    b'x,100,Acme,"1,01",acme corp,"a;b",{},n\n"y, z",,"say ""so""",null,[1],,"{""a"": 1}",\n'
)
REPLIES = [
    {
        "score": 0.5,
        "hits": ["a"],
        "misses": ["b (missing)"],
        "reasoning": "so",
        "details": {"metrics": {"a": {"tp": 1}}},
    },
    {"score": 1, "details": {"alignment": {"rows": [[0, 1, 0.5]]}, "mismatches": [{"path": "a", "expected": 1}]}},
    {"assertions": [{"text": "a", "passed": True}], "score": True},
]
SAID = [
    {"choices": [{"message": {"content": '{"score": 0.5, "reasoning": "so"}', "refusal": None}}],
     "usage": {"prompt_tokens": 5, "completion_tokens": 2}},
    {"choices": [{"message": {"content": '{"reasoning": "", "items": {"r": {"reasoning": "", "met": true}}}'}}]},
    {"data": [{"index": 0, "embedding": [0.5, 1]}, {"index": 1, "embedding": [1, -1]}], "usage": {"prompt_tokens": 9}},
    {"error": {"message": "no"}},
]  # fmt: skip
TEXTS = [
    'Here: {"a": [1, 2.5e3, null], "b": {"c": "d"}} and [1]', '```json\n{"a": 1}\n```\n```\n[2]\n```', '<think>{"a": 1}</think>{"b": 2}',
    '{"a": 1e400, "b": NaN, "c": 123456789012345678901234567890}', "prose [see] {below}", '"text"', "-0.0", '{"a": 1, "a": 2}',
]  # fmt: skip
PATHS = ["a.b[0].c", "a[*].b", 'a["x.y"].z', "$", "a..b", "a[", "['q']", "a.0.1", "[+1][2]", "x[0][1][*]"]
NUMBERS = [
    "1,234.50", "1.234,50", "($5.00)", "-5", "5-", "12.5%", "RM10.35", "US$ 5", "1e-5", "1'200.—", "12,34,567.00", "EUR 1 234",
    "٣٫٥", "1200.-", "−7", "+.5", "5.", "1,23,4", "Rs. 500/-", "$5 CAD", "USD $ 5", "100:-", "１，２３４", "CHF -.50", "¥5-", "x 3",
]  # fmt: skip
DATES = [
    "2025-01-15", "2025-01-15T10:11:12.5+01:00", "15-JAN-2025", "15 January 2025", "January 15, 2025", "01/15/2025",
    "15.01.2025", "20250115", "2025-W03-3", "2025-015", "13/02/25", "2025年1月15日", "DD/MM/YYYY", "%d/%m/%y", "MMM D, YYYY",
    "1er janvier 2025", "2025. gada 15. janvāris", "15 lip '25", "Mi., 15. Jänner 2025 um 10:30 Uhr", "15 ม.ค. 2025", "D 'de' MMM YY",
]  # fmt: skip
NAMES = [
    "John A. Smith Jr.", "John Andrew Smith", "Müller GmbH & Co. KG", "S. de R.L. de C.V.", "株式会社トヨタ", "ООО «Ромашка»", "Fund II",
]  # fmt: skip
TEMPLATES = [
    "Rubric: {{ rubric }}{% if input is not none %}{{ input }}{% endif %}{{ candidate }}", "{{ candidate.a[0] | upper ~ '!' }}",
    "{% for x in candidate.a %}{{ loop.index * 3 }}{{ x | tojson }}{% else %}-{% endfor %}", "{% set n = 2 ** 9 %}{{ n }}",
    "{% macro f(n) %}{{ f(n - 1) if n }}{% endmacro %}{{ f(3) }}{# note #}{% raw %}{{{% endraw %}",
]  # fmt: skip
PHRASES = ["idiot\nconfidential draft\n# a note\n機密\nﬁx", "a\nb\nc"]
RULES = [
    "close(sum(candidate.items, 'n'), candidate.total)", "candidate.total > 3 and not expected.a == 2", "days(candidate.date, '2025-02-01') < 30",
    "candidate.items[0].n + 1 ** 2 // 3 % 5", "input.q is none or 'x' in candidate", "count(candidate.items) in [1, 2]", "tags is defined", "-5 ~ 'x'",
]  # fmt: skip
SCHEMAS: list[Any] = [
    {"type": "object", "required": ["a"], "additionalProperties": False, "properties": {
        "a": {"type": ["string", "null"], "format": "date", "enum": ["x", None]}, "n": {"type": "number", "multipleOf": 0.01, "minimum": 0},
        "rows": {"type": "array", "items": {"$ref": "#/$defs/row"}, "maxItems": 5, "uniqueItems": True}, "t": {"prefixItems": [{}, True]},
        "x": {"type": "string", "pattern": "^[0-9]+$", "x-evalctl": {"match": "fuzzy", "threshold": 0.5}}},
     "$defs": {"row": {"$id": "row", "$anchor": "r", "properties": {"d": {"const": 1}, "more": {"$ref": "#"}}}}},
    {"anyOf": [{"type": "integer"}, {"$ref": "#/definitions/b"}], "definitions": {"b": {"allOf": [{"type": "string"}, {"not": {}}]}}},
    {"$schema": "http://json-schema.org/draft-07/schema#", "if": {}, "then": {"items": [{"type": "boolean"}]}, "patternProperties": {"^a": {}}},
]  # fmt: skip
TARGET_REPLIES: list[Any] = [
    {"output": {"a": {"v": 1, "c": 0.9}}, "cost": 0.5, "tokens": {"input": 1, "output": 2}, "latency_ms": 3, "trace": [{}], "confidence": 0.5},
    {"id": "x", "output": "text", "tokens": 7}, {"id": "x", "error": "no"}, {"text": "hi", "output_messages": [{"role": "assistant", "content": "a"}]},
    {"output": [{"role": "assistant", "content": [{"type": "text", "value": "b"}], "tool_calls": [{"tool": "t", "input": {}}]}]},
]  # fmt: skip
