"""Ids that are used twice are found in flat memory, with few cases and with many."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentv_py.suite import duplicate_ids
from agentv_py.suite.duplicate_ids import IdHashes


@pytest.mark.parametrize("few", [0, 4, 1_000])
@given(ids=st.lists(st.sampled_from("abcdefgh") | st.text(max_size=3)), more=st.lists(st.text(max_size=1)))
def test_ids_that_are_added_twice_are_found(few: int, ids: list[str], more: list[str]) -> None:
    hashes, others = IdHashes(), IdHashes()
    every = [*ids, *more, *ids[:1]]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(duplicate_ids, "_FEW", few)
        hashes.add(ids)
        others.add(more)
        hashes.add_facts(others.take_facts())
        hashes.add(ids[:1])
        assert hashes.find_repeated() == {hash(id_) for id_ in every if every.count(id_) > 1}
        assert others.find_repeated() == set()


@given(
    ids=st.lists(st.text("0123", max_size=3), unique=True),
    cuts=st.lists(st.integers(0, 12), max_size=3),
    again=st.integers(0, 12),
)
def test_ids_in_ascending_order_are_searched_only_if_one_comes_again(
    ids: list[str], cuts: list[int], again: int
) -> None:
    hashes, bounds = IdHashes(), [0, *sorted(cuts), len(ids)]
    ids.sort(key=lambda id_: (len(id_), id_))
    for start, end in pairwise(bounds):
        others = IdHashes()
        others.add(ids[start:end])
        hashes.add_facts(others.take_facts())
    assert hashes.take_facts().are_ascending
    hashes.add([*ids, *ids[again : again + 1]])
    assert hashes.find_repeated() == set(map(hash, ids[again : again + 1]))
