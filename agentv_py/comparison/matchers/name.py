"""Two names of people or companies → their similarity, whatever the case, accents, legal form and middle names."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from agentv_py.comparison.comparison import Incomparable
from agentv_py.comparison.matchers.base import Match, explain_other_than_text
from agentv_py.comparison.matchers.fuzzy import build_scorer, compare_all_texts
from agentv_py.options import Share
from agentv_py.score import SLACK

if TYPE_CHECKING:
    import numpy as np

    from agentv_py.comparison.gap import Gap
    from agentv_py.comparison.matchers.base import Matrix
    from agentv_py.comparison.readers.name import NameSpelling

_SAME_PERSON = 0.95
"""The least similarity of two names that differ in middle names only."""
_OTHER_NAME = 0.85
"""The most similarity of two names that are alike in their letters, but not in what tells such names apart."""
_SHORT_WORD = 4


class Name(Match):
    """The same person or company, whatever the case, punctuation, accents, legal form and middle names."""

    match: Literal["name"] = "name"
    threshold: Share = Field(0.9, description="The least similarity that passes.")

    scalars = frozenset({"text"})
    always_read = frozenset({str})

    @property
    def passes_at(self) -> float:
        return self.threshold - SLACK

    def similarity(self, expected: Any, actual: Any) -> float:
        if type(expected) is not str or type(actual) is not str:
            raise Incomparable("type mismatch")
        lefts, rights, score = self._read_name(expected), self._read_name(actual), self._score_letters
        similarities = [
            _weigh_words(left, right, score(left.letters, right.letters)) for left in lefts for right in rights
        ]
        return max(similarities)

    @cached_property
    def _read_name(self) -> "Callable[[str], tuple[NameSpelling, ...]]":
        from agentv_py.comparison.readers.name import read_name

        return read_name

    @cached_property
    def _score_letters(self) -> Callable[[str, str], float]:
        return build_scorer("levenshtein")

    def describe_rule(self) -> str:
        return f"similarity ≥ {self.threshold:.10g} of the names"

    def explain_gap(self, expected: Any, actual: Any, similarity: float) -> "Gap":  # noqa: ARG002  it is measured already
        from agentv_py.comparison.gap import describe_similarity

        return describe_similarity(similarity, self.threshold)

    def explain_unreadable(self, value: Any) -> str:
        return explain_other_than_text(value)

    def matrix(self, expecteds: Sequence[Any], actuals: Sequence[Any]) -> "Matrix":
        """Return the similarities of all pairs. Of the two spellings of an umlaut the more similar one counts."""
        import numpy as np

        left, rows = _list_spellings(expecteds)
        right, columns = _list_spellings(actuals)
        similarities = _compare_all(left, right)
        for second, row in enumerate(rows, start=len(expecteds)):
            similarities[row] = np.fmax(similarities[row], similarities[second])
        for second, column in enumerate(columns, start=len(actuals)):
            similarities[:, column] = np.fmax(similarities[:, column], similarities[:, second])
        return similarities[: len(expecteds), : len(actuals)]


def _list_spellings(values: Sequence[Any]) -> tuple[list["NameSpelling | None"], list[int]]:
    """Return the first spelling of each value, then the second ones, and the indexes of the values that have two."""
    from agentv_py.comparison.readers.name import read_name

    spellings: list[tuple[NameSpelling | None, ...]] = [
        read_name(value) if type(value) is str else (None,) for value in values
    ]
    doubled = [index for index, each in enumerate(spellings) if len(each) > 1]
    return [each[0] for each in spellings] + [spellings[index][1] for index in doubled], doubled


def _compare_all(left: list["NameSpelling | None"], right: list["NameSpelling | None"]) -> "Matrix":
    """Return what `_weigh_words` gives for each pair. It is called for the few pairs that it can change."""
    import numpy as np

    letters, others = ([None if name is None else name.letters for name in names] for names in (left, right))
    similarities = compare_all_texts(letters, others, "levenshtein")
    near = np.nonzero((similarities > _OTHER_NAME) & (similarities < 1.0))
    rows, columns = _number_numberings(left, right)
    is_other = rows[near[0]] != columns[near[1]]
    similarities[near[0][is_other], near[1][is_other]] = _OTHER_NAME
    near_people = zip(near[0][~is_other].tolist(), near[1][~is_other].tolist(), strict=True)
    for row, column in {*near_people, *_pair_same_ends(left, right)}:
        one, other = left[row], right[column]
        if one is not None and other is not None:
            similarities[row, column] = _weigh_words(one, other, float(similarities[row, column]))
    return similarities


def _number_numberings(*sides: list["NameSpelling | None"]) -> "list[np.ndarray[tuple[int], np.dtype[np.int64]]]":
    """Return a whole number for each name of each side. Names of the same numbering get the same."""
    import numpy as np

    numbers: dict[str, int] = {}
    return [
        np.array([numbers.setdefault(name.numbering if name else "", len(numbers)) for name in names], dtype=np.int64)
        for names in sides
    ]


def _pair_same_ends(left: list["NameSpelling | None"], right: list["NameSpelling | None"]) -> set[tuple[int, int]]:
    """Return the pairs of names with equal first and last words: only they can differ in middle names alone."""
    columns = defaultdict[tuple[str, str], list[int]](list)
    for column, name in enumerate(right):
        if name and len(name.person) > 1:
            columns[name.person[0], name.person[-1]].append(column)
    return {
        (row, column)
        for row, name in enumerate(left)
        if name and len(name.person) > 1
        for column in columns.get((name.person[0], name.person[-1]), ())
    }


def _weigh_words(left: "NameSpelling", right: "NameSpelling", similarity: float) -> float:
    """Return the similarity of two names, given the similarity of their letters."""
    if left.letters == right.letters:
        return 1.0
    if left.numbering != right.numbering:
        return min(similarity, _OTHER_NAME)
    if not left.person or not right.person:
        return similarity
    if _differ_in_middle_names(left.person, right.person):
        return max(similarity, _SAME_PERSON)
    return min(similarity, _OTHER_NAME) if _differ_in_short_words(left.person, right.person) else similarity


def _differ_in_middle_names(left: tuple[str, ...], right: tuple[str, ...]) -> bool:
    """Return whether the first and last words are equal and one name only leaves out or shortens middle names."""
    shorter, longer = sorted((left, right), key=len)
    if len(shorter) < 2 or shorter[0] != longer[0] or shorter[-1] != longer[-1]:
        return False
    middle = iter(longer[1:-1])
    return all(any(_is_same_middle_name(name, other) for other in middle) for name in shorter[1:-1])


def _is_same_middle_name(name: str, other: str) -> bool:
    return name == other or (1 in {len(name), len(other)} and name[0] == other[0])


def _differ_in_short_words(left: tuple[str, ...], right: tuple[str, ...]) -> bool:
    """Return whether a word of few letters is another word in the other name: Joan and John are not a typo."""
    return len(left) == len(right) and any(
        one != other and min(len(one), len(other)) <= _SHORT_WORD for one, other in zip(left, right, strict=True)
    )
