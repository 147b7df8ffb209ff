"""Which cases of a suite run: filters, then a sample, then a limit, then a shard."""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import chain, pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentv_py.errors import UserError
from agentv_py.suite.condition import parse_condition
from agentv_py.suite.selection import CheckedCases, FailedCases, Selection, Shard, parse_shard
from agentv_py.suite.selector import Selector
from agentv_py.suite.split import Split, hash_stably

_ROWS: dict[str, dict[str, Any]] = {
    "a-1": {"tags": ["x"], "metadata": {"vendor": "acme", "pages": 1, "ok": True, "langs": ["de", "fr"]}},
    "a-2": {"tags": ["y"], "metadata": {"vendor": "globex", "pages": 2.0, "ok": False, "langs": []}},
    "b-1": {"tags": ["x"], "vendor": "acme", "pages": "2", "expected": '{"currency": "EUR"}'},
    "[odd]": {
        "tags": ["y"],
        "metadata": {"vendor": None, "a.b": 1, "deep": {"er": 5}},
        "expected": {"currency": "USD"},
    },
    "none": {"tags": None, "metadata": None, "input": {"file": "a=b"}},
}


def _list_cases() -> Iterator[CheckedCases]:
    for position, (id_, row) in enumerate(_ROWS.items(), 10):
        yield CheckedCases([position], [id_], [{"id": id_} | row])


def _where(*texts: str) -> Selection:
    return Selection(where=[parse_condition(text) for text in texts])


def _select(selection: Selection, split: Split | None = None) -> list[str]:
    positions = Selector(selection, "s", split).select(_list_cases())
    return [list(_ROWS)[position - 10] for position in positions]


@pytest.mark.parametrize(
    ("selection", "ids", "flags"),
    [
        (Selection(), list(_ROWS), ""),
        (Selection(where=[], tags=[]), list(_ROWS), ""),
        (Selection(cases=["a-*"]), ["a-1", "a-2"], "--case 'a-*'"),
        (Selection(cases=["[odd]", "b-1"]), ["b-1", "[odd]"], "--case '[odd]', --case b-1"),
        (Selection(tags=["y"]), ["a-2", "[odd]"], "--tag y"),
        (Selection(cases=["a-*"], tags=["x"]), ["a-1"], "--case 'a-*', --tag x"),
        (Selection(limit=2), ["a-1", "a-2"], "--limit 2"),
        (Selection(tags=["y"], limit=1), ["a-2"], "--tag y, --limit 1"),
        (Selection(limit=0), [], "--limit 0"),
        (Selection(shard=Shard(2, 3)), ["a-2", "b-1"], "--shard 2/3"),
        (Selection(shard=Shard(1, 9)), [], "--shard 1/9"),
        (Selection(failed=FailedCases(["r.jsonl"], {"s": {"none", "a-2", "gone"}})), ["a-2", "none"], "--failed-from r.jsonl"),
        (Selection(sample=9, seed=4, limit=3, shard=Shard(2, 2)), ["a-2", "b-1"],
         "--sample 9, --seed 4, --limit 3, --shard 2/2"),
    ],
)  # fmt: skip
def test_a_selection_chooses_cases_and_says_by_which_flags(selection: Selection, ids: list[str], flags: str) -> None:
    assert (_select(selection), selection.describe(), bool(selection)) == (ids, flags, bool(flags))


@pytest.mark.parametrize(
    ("conditions", "ids"),
    [
        (["metadata.vendor=acme"], ["a-1", "b-1"]),
        (["metadata.vendor=acme", "metadata.vendor=globex"], ["a-1", "a-2", "b-1"]),
        (["metadata.vendor=acme", "metadata.pages=1"], ["a-1"]),
        (["metadata.vendor!=acme"], ["a-2", "[odd]", "none"]),
        (["metadata.vendor!=acme", "metadata.vendor!=globex"], ["[odd]", "none"]),
        (["metadata.vendor="], ["[odd]", "none"]),
        (["metadata.vendor!="], ["a-1", "a-2", "b-1"]),
        (["metadata.vendor=null"], ["[odd]"]),
        (["metadata.pages=2"], ["a-2", "b-1"]),
        (["metadata.pages=2.0"], ["a-2"]),
        (["metadata.ok=true"], ["a-1"]),
        (["metadata.ok=1"], []),
        (["metadata.langs=fr"], ["a-1"]),
        (['metadata.langs=["de","fr"]'], ["a-1"]),
        (["metadata.langs=[]"], ["a-2"]),
        (["metadata.deep.er=5"], ["[odd]"]),
        (["metadata.a.b=1"], ["[odd]"]),
        (['metadata["a.b"]=1'], ["[odd]"]),
        (['metadata.deep={"er": 5}'], ["[odd]"]),
        (["tags=x"], ["a-1", "b-1"]),
        (["id=b-1"], ["b-1"]),
        (["input.file=a=b"], ["none"]),
        (["expected.currency=EUR"], ["b-1"]),
    ],
)
def test_a_condition_compares_texts_as_text_and_other_values_as_json(conditions: list[str], ids: list[str]) -> None:
    assert _select(_where(*conditions)) == ids


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("vendor=acme", "'vendor' is not a key of a case, which begins with id, tags, metadata, input or expected; did you mean 'metadata.vendor'?"),
        ("metdata.vendor=acme", "'metdata.vendor' is not a key of a case, which begins with id, tags, metadata, input or expected; did you mean 'metadata'?"),
        ("metadata..x=1", "'metadata..x' is not a path, such as metadata.vendor"),
        ("metadata.vendor", "must be KEY=VALUE or KEY!=VALUE, such as metadata.vendor=acme"),
        ("=acme", "must be KEY=VALUE or KEY!=VALUE, such as metadata.vendor=acme"),
        ("", "must be KEY=VALUE or KEY!=VALUE, such as metadata.vendor=acme"),
    ],
)  # fmt: skip
def test_a_wrong_condition_says_what_to_write(text: str, why: str) -> None:
    with pytest.raises(UserError) as raised:
        parse_condition(text)
    assert str(raised.value) == f"--where {text!r}: {why}"


def test_a_key_that_no_case_has_is_unknown_and_a_near_value_is_suggested() -> None:
    selector = Selector(_where("metadata.vendr=acme", "metadata.vendor=acmee"))
    assert list(selector.select(_list_cases())) == []
    outcome = selector.summarize(0)
    assert (outcome.unknown, outcome.hint) == (
        {"--where metadata.vendr": "no case has 'metadata.vendr'; did you mean 'metadata.vendor'?"},
        "; did you mean 'acme'?",
    )


@pytest.mark.parametrize("text", ["", "1", "0/4", "5/4", "1/0", "-1/4", "1/4/2", "a/b", "٣/٤", "1/" + "9" * 5000])
def test_a_wrong_shard_says_what_to_write(text: str) -> None:
    with pytest.raises(UserError, match="must be K/N with K from 1 to N, such as 1/4"):
        parse_shard(text)


def _read_ids(ids: Sequence[str], selection: Selection, split: Split | None = None) -> list[str]:
    cases = CheckedCases(range(len(ids)), ids, [{"id": id_} for id_ in ids])
    return [ids[position] for position in Selector(selection, "", split).select([cases])]


_IDS = st.lists(st.text(min_size=1), unique=True, max_size=30)


@given(ids=_IDS, count=st.integers(1, 8), limit=st.none() | st.integers(0, 20))
def test_shards_in_order_are_the_whole_run_and_differ_by_one_case_at_most(
    ids: list[str], count: int, limit: int | None
) -> None:
    shards = [_read_ids(ids, Selection(limit=limit, shard=Shard(number, count))) for number in range(1, count + 1)]
    assert list(chain(*shards)) == _read_ids(ids, Selection(limit=limit))
    assert max(map(len, shards)) - min(map(len, shards)) <= 1


@given(ids=_IDS, seed=st.none() | st.integers(), new=st.text(min_size=1))
def test_a_smaller_sample_is_in_a_larger_one_and_a_new_case_replaces_at_most_one(
    ids: list[str], seed: int | None, new: str
) -> None:
    samples = [_read_ids(ids, Selection(sample=size, seed=seed)) for size in range(1, len(ids) + 2)]
    assert [len(sample) for sample in samples] == [min(size, len(ids)) for size in range(1, len(ids) + 2)]
    assert all(set(small) <= set(large) for small, large in pairwise(samples))
    assert all(sample == [id_ for id_ in ids if id_ in sample] for sample in samples)
    grown = _read_ids([new, *(id_ for id_ in ids if id_ != new)], Selection(sample=5, seed=seed))
    assert len(set(_read_ids(ids, Selection(sample=5, seed=seed))) - set(grown)) <= 1


@given(ids=_IDS, share=st.floats(0.05, 0.95))
def test_the_parts_of_a_split_hold_every_case_once(ids: list[str], share: float) -> None:
    split = Split.model_validate({"train": share, "test": 1 - share})
    parts = [_read_ids(ids, Selection(split=name), split) for name in ("train", "test")]
    assert sorted(chain(*parts)) == sorted(ids)


def test_a_split_is_the_same_everywhere_and_has_its_shares_also_within_a_sample() -> None:
    ids = [f"case-{number}" for number in range(10_000)]
    split = Split.model_validate({"train": 0.7, "dev": 0.1, "test": 0.2})
    numbers = (int(sha256(f"split\0{id_}".encode()).hexdigest()[:16], 16) / 16**16 for id_ in ids)
    wanted = ["train" if number < 0.7 else "dev" if number < 0.8 else "test" for number in numbers]
    assert [split.choose_part(id_) for id_ in ids] == wanted
    shares = [len(_read_ids(ids, Selection(split=name), split)) for name in split.shares]
    assert shares == pytest.approx([7000, 1000, 2000], abs=150)
    assert hash_stably("split", 1.0) == hash_stably("split", 1)
    sample = _read_ids(ids, Selection(sample=2000))
    assert len(_read_ids(sample, Selection(split="test"), split)) == pytest.approx(400, abs=60)


def test_cases_that_share_the_value_of_by_are_in_the_same_part() -> None:
    split = Split.model_validate({"train": 0.5, "test": 0.5, "by": "metadata.vendor"})
    parts = {name: _select(Selection(split=name), split) for name in split.shares}
    [part] = {name for name, ids in parts.items() for id_ in ids if id_ in ("a-1", "b-1")}
    assert {"a-1", "b-1"} <= set(parts[part])
    selector = Selector(Selection(), "s", split)
    selector.select(_list_cases())
    assert selector.without_part == 2


def test_every_case_is_read_because_reading_checks_it() -> None:
    cases = _list_cases()
    Selector(Selection(limit=1)).select(cases)
    assert list(cases) == []


def test_without_data_the_flags_hold_no_values_of_inputs_and_expected_values() -> None:
    selection = _where("expected.total=100", "metadata.vendor=acme")
    assert selection.describe(data=False) == "--where 'expected.total=…', --where metadata.vendor=acme"
    assert len(Selection(cases=["x" * 50] * 50).describe()) == 201
