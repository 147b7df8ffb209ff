"""Names, read from the source: functions are verbs, classes are nouns, and a central noun means one thing."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

_ROOT = Path(__file__).parents[1]

# A participle alone does not tell an action from a property: `told(...)` may build, test or return something.
_IRREGULAR = {
    "begun", "bent", "bought", "bound", "broken", "brought", "built", "caught", "chosen", "cut", "done", "drawn",
    "driven", "fallen", "fed", "felt", "forgotten", "fought", "found", "frozen", "given", "gone", "gotten", "grown",
    "held", "hidden", "hit", "kept", "known", "laid", "lain", "led", "left", "lent", "let", "lit", "lost", "made",
    "meant", "met", "overridden", "paid", "proven", "put", "read", "rebuilt", "rewritten", "ridden", "risen",
    "said", "seen", "sent", "set", "shaken", "shown", "shut", "sold", "spelt", "spent", "split", "spoken", "spread",
    "stolen", "stood", "struck", "sung", "swept", "sworn", "taken", "taught", "thought", "thrown", "told", "torn",
    "understood", "undone", "unheard", "unknown", "unsaid", "unseen", "upheld", "withdrawn", "withheld", "woken",
    "won", "worn", "written",
}  # fmt: skip
_ALLOWED = {
    "cut": "an imperative too",
    "hit": "a noun: a path that passes",
    "let": "an imperative too",
    "read": "an imperative too",
    "set": "an imperative too",
    "shut": "an imperative too",
    "split": "an imperative too",
    "spread": "a noun: how far values differ",
    "expected": "a word of the wire: the expected value",
    "ordered": "a word of suite files and of the Python API",
    "unordered": "a word of suite files and of the Python API",
    "embed": "a verb",
    "exceed": "a verb",
    "feed": "a verb",
    "need": "a verb",
    "proceed": "a verb",
    "recorded": "a word of suite files: a type of target",
    "seed": "a noun",
    "speed": "a noun",
}
_CENTRAL_NOUNS = (
    "Answer", "Column", "Compared", "Entry", "Ledger", "Line", "Place", "Question", "Result", "Row", "Scored", "Side",
    "Source",
)  # fmt: skip

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def _parse(*folders: str) -> Iterator[tuple[str, ast.Module]]:
    for folder in folders:
        for path in sorted((_ROOT / folder).rglob("*.py")):
            yield str(path.relative_to(_ROOT)), ast.parse(path.read_text(encoding="utf-8"))


def _is_participle(name: str) -> bool:
    [first, *others] = re.findall(r"[A-Z]?[a-z]+|[A-Z]+|\d+", name) or [""]
    word = first.lower()
    return not others and word not in _ALLOWED and (word in _IRREGULAR or re.fullmatch(r"\w+ed", word) is not None)


def test_no_function_or_class_is_named_by_a_participle_alone() -> None:
    places = [
        f"{file}:{node.lineno} {node.name}"
        for file, tree in _parse("agentv_py", "judges", "benchmarks")
        for node in ast.walk(tree)
        if isinstance(node, Definition) and _is_participle(node.name)
    ]
    assert places == []


@pytest.mark.parametrize(
    ("name", "expected"),
    [("told", True), ("_kept", True), ("Scored", True), ("_Numbered", True), ("is_kept", False), ("pair_rows", False),
     ("PairedRow", False), ("need", False), ("Unordered", False), ("__init__", False)],
)  # fmt: skip
def test_a_participle_is_known_by_its_form(name: str, expected: bool) -> None:
    assert _is_participle(name) == expected


def test_a_central_noun_is_defined_once() -> None:
    places: dict[str, list[str]] = {noun: [] for noun in _CENTRAL_NOUNS}
    for file, tree in _parse("agentv_py"):
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef) and (noun := node.name.lstrip("_")) in places:
                places[noun].append(f"{file}:{node.lineno}")
    assert {noun: files for noun, files in places.items() if len(files) > 1} == {}
