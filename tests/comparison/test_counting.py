"""What everything costs, by an independent count over random trees: every pairing is tried, every leaf is listed."""

from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentv_py import compare, exact, fuzzy, unordered

# A tree is "leaf", "optional", {key: tree} or [tree], a list without an order. `absent` is a key that is not there.
_ABSENT = object()
_values = st.sampled_from([0, 1, 2, "a", None, " "])
_TREES: list[Any] = [
    {"a": "leaf", "b": "optional"},
    {"a": "leaf", "o": {"x": "leaf", "y": "optional"}},
    ["leaf"],
    ["optional"],
    [{"a": "leaf", "b": "leaf"}],
    [{"a": "leaf", "b": "optional"}],
    {"k": "leaf", "rows": [{"a": "leaf", "t": ["leaf"]}]},
    [["leaf"]],
]


def _data(tree: Any) -> st.SearchStrategy[Any]:
    if isinstance(tree, str):
        return _values
    if isinstance(tree, dict):
        return st.fixed_dictionaries({}, optional={key: _data(below) for key, below in tree.items()})
    return st.lists(_data(tree[0]), max_size=3)


def _shapes(tree: Any) -> st.SearchStrategy[Any]:
    """Data of the tree's shape, with some containers of another shape."""
    if isinstance(tree, str):
        return _values
    odd = st.sampled_from([None, "x", 5])
    if isinstance(tree, dict):
        below = {key: _shapes(one) | odd if not isinstance(one, str) else _shapes(one) for key, one in tree.items()}
        return st.fixed_dictionaries({}, optional=below)
    return st.lists(_shapes(tree[0]), max_size=2)


def _comparators(tree: Any) -> Any:
    if isinstance(tree, str):
        return exact(required=tree == "leaf")
    if isinstance(tree, dict):
        return {key: _comparators(below) for key, below in tree.items()}
    return unordered(_comparators(tree[0]))


def _empty(value: Any) -> bool:
    return value is _ABSENT or value is None or (isinstance(value, str) and not value.strip())


def _leaves(tree: Any, value: Any, missing: bool) -> int:
    """The leaves that a value costs where the other side has nothing."""
    if isinstance(tree, dict) and isinstance(value, dict):
        return sum(_leaves(below, value.get(key), missing) for key, below in tree.items())
    if isinstance(tree, list) and isinstance(value, list):
        return sum(_leaves(tree[0], one, missing) for one in value)
    return 0 if _empty(value) or (missing and not _is_required(tree)) else 1


def _is_required(tree: Any) -> bool:
    if isinstance(tree, str):
        return tree == "leaf"
    return any(map(_is_required, tree.values() if isinstance(tree, dict) else tree))


class _Count:
    """The counts of a part, the sum of its leaf scores, its leaves, and its score in the tree; None: nothing counts."""

    def __init__(self, tp: int = 0, fp: int = 0, fn: int = 0, hits: float = 0.0, leaves: float = 0.0) -> None:
        self.tp, self.fp, self.fn, self.hits, self.leaves = tp, fp, fn, hits, leaves
        self.score: float | None = None

    def add(self, other: "_Count") -> None:
        self.tp, self.fp, self.fn = self.tp + other.tp, self.fp + other.fp, self.fn + other.fn
        self.hits, self.leaves = self.hits + other.hits, self.leaves + other.leaves


def _count(tree: Any, expected: Any, actual: Any) -> _Count:
    if expected is _ABSENT:
        return _Count()
    if isinstance(tree, str):
        return _count_leaf(tree, expected, actual)
    if isinstance(tree, dict) and isinstance(expected, dict) and (isinstance(actual, dict) or _empty(actual)):
        return _count_object(tree, expected, {} if _empty(actual) else actual)
    if isinstance(tree, list) and isinstance(expected, list) and isinstance(actual, list):
        best: _Count = max(_count_pairings(tree[0], expected, actual), key=lambda one: one[0])[1]
        return best
    return _count_other_shape(tree, expected, actual)


def _count_leaf(tree: str, expected: Any, actual: Any) -> _Count:
    if tree == "optional" and _empty(actual):
        return _Count()
    if _empty(expected) or _empty(actual):
        blank = _empty(expected) and _empty(actual)
        found = _Count(0, int(not blank and _empty(expected)), int(not blank and _empty(actual)), float(blank), 1)
    else:
        same = expected == actual
        found = _Count(int(same), int(not same), int(not same), float(same), 1)
    found.score = found.hits
    return found


def _count_object(tree: dict[str, Any], expected: dict[str, Any], actual: dict[str, Any]) -> _Count:
    found, scores = _Count(), []
    for key, below in tree.items():
        one = _count(below, expected.get(key, _ABSENT), actual.get(key, _ABSENT))
        found.add(one)
        scores += [] if one.score is None else [one.score]
    found.score = sum(scores) / len(scores) if scores else None
    return found


def _count_other_shape(tree: Any, expected: Any, actual: Any) -> _Count:
    fn, surplus = _leaves(tree, expected, missing=True), _leaves(tree, actual, missing=False)
    if _empty(expected) or _empty(actual):
        value, missing = (actual, False) if _empty(expected) else (expected, True)
        found = _Count(fp=0 if missing else surplus, fn=fn if missing else 0, leaves=fn if missing else surplus)
        if _leaves(tree, value, missing=False) == 0:
            found = _Count()
            found.score = 1.0
        elif fn or not missing:
            found.score = 0.0
        return found
    found = _Count(fp=1, fn=fn, leaves=max(fn, 1))
    found.score = 0.0
    return found


def _count_pairings(tree: Any, expected: list[Any], actual: list[Any]) -> Any:
    """Every pairing with its rank: the sum of its scores. Only pairings that pair as much as possible matter here."""
    longer, shorter, swapped = (expected, actual, False) if len(expected) >= len(actual) else (actual, expected, True)
    for order in permutations(range(len(longer)), len(shorter)):
        pairs = [(short, long) if swapped else (long, short) for short, long in enumerate(order)]
        yield _count_pairing(tree, expected, actual, pairs)


def _count_pairing(tree: Any, expected: list[Any], actual: list[Any], pairs: list[tuple[int, int]]) -> Any:
    found, scores, made = _Count(), [], []
    for left, right in pairs:
        one = _count(tree, expected[left], actual[right])
        if one.score is not None and not one.tp and not _is_blank_pair(tree, expected[left], actual[right]):
            continue  # under exact leaves such a pair is not similar at all
        made.append((left, right))
        found.add(one)
        scores += [] if one.score is None else [one.score]
    alone = [
        [
            _leaves(tree, row, missing=True)
            for index, row in enumerate(expected)
            if index not in {one for one, _ in made}
        ],
        [
            _leaves(tree, row, missing=False)
            for index, row in enumerate(actual)
            if index not in {one for _, one in made}
        ],
    ]
    found.fn, found.fp = found.fn + sum(alone[0]), found.fp + sum(alone[1])
    found.leaves += max(map(sum, alone))
    rows = len(scores) + max(sum(map(bool, side)) for side in alone)
    found.score = sum(scores) / rows if rows else 1.0
    return (round(sum(scores), 9), round(found.score, 9), -found.fn - found.fp), found


def _is_blank_pair(tree: Any, expected: Any, actual: Any) -> bool:
    return not _leaves(tree, expected, missing=False) and not _leaves(tree, actual, missing=False)


_FLAT = [tree for tree in _TREES if not isinstance(tree, list) and "rows" not in tree]


@pytest.mark.parametrize("tree", [*_FLAT, ["leaf"], ["optional"]], ids=str)
@given(data=st.data())
def test_scores_and_counts_are_those_of_an_independent_count(tree: Any, data: st.DataObject) -> None:
    expected, actual = data.draw(_shapes(tree)), data.draw(_shapes(tree))
    found, reference = compare(expected, actual, _comparators(tree)), _count(tree, expected, actual)
    if reference.score is not None and (reference.leaves or isinstance(tree, list)):
        metrics = (found.details or {})["metrics"].values()
        assert found.score == pytest.approx(reference.score)
        assert [sum(one[key] for one in metrics) for key in ("tp", "fp", "fn")] == [
            reference.tp, reference.fp, reference.fn,
        ]  # fmt: skip
        if not any(one["fp"] and "(type mismatch)" in str(found.misses) for one in metrics):
            by_leaves = compare(expected, actual, _comparators(tree), aggregate="leaves").score
            assert by_leaves == pytest.approx(reference.hits / reference.leaves if reference.leaves else 1.0)


@pytest.mark.parametrize("tree", _TREES, ids=str)
@given(data=st.data())
def test_each_expected_leaf_is_found_or_missed_and_each_answer_is_right_or_wrong(
    tree: Any, data: st.DataObject
) -> None:
    tree = _require(tree)
    expected, actual = data.draw(_data(tree)), data.draw(_data(tree))
    score = compare(expected, actual, _comparators(tree), absent="empty")
    counts = [(score.details or {}).get("metrics", {}).values()]
    tp, fp, fn = (sum(one[key] for one in counts[0]) for key in ("tp", "fp", "fn"))
    assert tp + fn == _leaves(tree, expected, missing=True)
    assert tp + fp == _leaves(tree, actual, missing=False)


def _require(tree: Any) -> Any:
    if isinstance(tree, str):
        return "leaf"
    return {key: _require(one) for key, one in tree.items()} if isinstance(tree, dict) else [_require(tree[0])]


@pytest.mark.parametrize("tree", _TREES, ids=str)
@given(data=st.data())
def test_optional_leaves_that_are_left_empty_cost_as_much_as_ignored_ones(tree: Any, data: st.DataObject) -> None:
    expected, actual = data.draw(_data(tree)), _drop_optional(tree, data.draw(_data(tree)))
    without = _drop_optional(tree, expected)
    for aggregate in ("tree", "leaves"):
        found, reference = (
            compare(one, actual, _comparators(tree), aggregate=aggregate) for one in (expected, without)
        )
        if found.leaves and reference.leaves:
            assert found.score == pytest.approx(reference.score)
            assert (found.details or {})["metrics"] == (reference.details or {})["metrics"]


def _drop_optional(tree: Any, value: Any) -> Any:
    if isinstance(tree, dict) and isinstance(value, dict):
        return {key: _drop_optional(tree[key], one) for key, one in value.items() if tree[key] != "optional"}
    if isinstance(tree, list) and isinstance(value, list):
        return [] if tree[0] == "optional" else [_drop_optional(tree[0], one) for one in value]
    return value


@pytest.mark.parametrize("tree", _TREES, ids=str)
@given(data=st.data(), aggregate=st.sampled_from(["tree", "leaves"]), absent=st.sampled_from(["unlabelled", "empty"]))
def test_a_shuffled_copy_is_right_and_permuting_either_side_changes_nothing(
    tree: Any, data: st.DataObject, aggregate: Any, absent: Any
) -> None:
    expected, actual, chance = (
        data.draw(_data(tree)),
        data.draw(_data(tree)),
        data.draw(st.randoms(use_true_random=False)),
    )
    options: Any = {"aggregate": aggregate, "absent": absent}
    copy = compare(expected, _shuffle(expected, chance), _comparators(tree), **options)
    assert copy.score == (1.0 if "(no expected value" not in str(copy.misses) else 0.0)
    before, after = (
        compare(*sides, _comparators(tree), **options)
        for sides in ((expected, actual), (_shuffle(expected, chance), _shuffle(actual, chance)))
    )
    assert after.score == pytest.approx(before.score)
    assert (after.details or {}).get("metrics") == (before.details or {}).get("metrics")


def _shuffle(value: Any, chance: Any) -> Any:
    if isinstance(value, dict):
        return {key: _shuffle(one, chance) for key, one in value.items()}
    return [_shuffle(one, chance) for one in chance.sample(value, len(value))] if isinstance(value, list) else value


_texts = st.text("abcdef ", min_size=1, max_size=8).filter(lambda text: text.strip())
_rows = st.lists(st.fixed_dictionaries({"p": _texts, "q": _texts}), max_size=3)
_documents = st.fixed_dictionaries(
    {"a": _texts},
    optional={"b": _texts | st.none(), "o": st.fixed_dictionaries({"x": _texts}), "t": st.lists(_texts, max_size=4), "rows": _rows},
)  # fmt: skip


@given(_documents, _documents)
def test_the_sum_by_leaves_is_anls_star(expected: dict[str, Any], actual: dict[str, Any]) -> None:
    anls_star = pytest.importorskip("anls_star")
    # Its package counts a key that only the answer has, and that is null there, as a leaf that nothing can match.
    actual = {key: value for key, value in actual.items() if value is not None or key in expected}
    leaf = fuzzy(threshold=0.5)
    comparators = {
        "a": leaf, "b": leaf, "o": {"x": leaf}, "t": unordered(leaf), "rows": unordered({"p": leaf, "q": leaf}),
    }  # fmt: skip
    ours = compare(expected, actual, comparators, absent="empty", aggregate="leaves").score
    assert ours == pytest.approx(_anls(anls_star, expected, actual), abs=1e-9)


def _anls(anls_star: Any, expected: Any, actual: Any) -> float:
    """Lists that one side lacks are empty lists: ANLS* would count the list itself as one more leaf."""
    lists = [key for key in ("t", "rows") if key in expected or key in actual]
    sides = [{**{key: [] for key in lists}, **side} for side in (expected, actual)]
    return float(anls_star.anls_score(*sides))
