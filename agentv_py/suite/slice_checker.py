"""The slice keys of a suite and of `--slice` → problems with keys that no case has."""

from collections.abc import Iterable, Iterator, Sequence

from agentv_py.suite.locate import KeyPath
from agentv_py.suite.raw_case import collect_metadata
from agentv_py.suite.schema import Suite
from agentv_py.suite.selection import CheckedCases
from agentv_py.suite.slice_key import METADATA, MIN_CASES, TAGS, KeyNames, SliceChoice, SliceKey


class SliceChecker:
    """Looks at the tags and the metadata of each case once, while the cases are checked."""

    def __init__(self, suite: Suite | None, flags: Sequence[str]) -> None:
        self._places = dict(_list_places(suite))
        self._readers = {key: SliceKey(key).build_reader() for key in (*self._places, *flags)}
        self._names = KeyNames()
        self.missing = set(self._readers)
        """The keys that no case has, once all cases are checked."""

    def watch(self, cases: Iterable[CheckedCases]) -> Iterable[CheckedCases]:
        """Return the cases, which are looked at when they are read; without keys, nothing is looked at."""
        return self._watch(cases) if self._readers else cases

    def _watch(self, cases: Iterable[CheckedCases]) -> Iterator[CheckedCases]:
        for checked in cases:
            for case in checked.rows:
                if not self.missing:
                    break
                row = {METADATA: collect_metadata(case), TAGS: case.get(TAGS)}
                self.missing -= {key for key in self.missing if self._readers[key](row)}
                self._names.add(row)
            yield checked

    def list_problems(self) -> Iterator[tuple[KeyPath, str]]:
        """Yield the place of each key of the suite that no case has, and what is wrong with it."""
        for key, place in self._places.items():
            if key in self.missing:
                yield place, self.explain(key)

    def explain(self, key: str) -> str:
        return self._names.explain(key)


def list_slice_keys(suite: Suite, choice: SliceChoice) -> list[SliceKey]:
    """Return what rows are broken down by: the keys of the suite, of its gates, and of the command line."""
    given = {member.by: member.min_cases for member in suite.slices or ()}
    least = given | {text: MIN_CASES for text in (*(suite.gates.slices or ()), *choice.keys) if text not in given}
    return [SliceKey(text, choice.min_cases or own) for text, own in least.items()]


def _list_places(suite: Suite | None) -> Iterator[tuple[str, KeyPath]]:
    if suite is not None:
        yield from ((key, ("gates", "slices", key)) for key in suite.gates.slices or ())
        yield from ((member.by, ("slices", number)) for number, member in enumerate(suite.slices or ()))
