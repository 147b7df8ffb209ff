"""Expected calls and calls that were made → which of them belong together, in any order, in order, or one by one."""

from collections.abc import Sequence

from agentv_py.comparison.readers.tool_calls import ToolCall
from agentv_py.evaluators.tool_trajectory.expected_call import ExpectedCall

Partners = dict[int, int]
"""The index of an expected call → the index of the call that matches it."""


def pair_in_any_order(expected: Sequence[ExpectedCall], calls: Sequence[ToolCall]) -> Partners:
    """Pair as many calls as possible."""
    from agentv_py.comparison.pairing.assignment import pair_optimally

    if not (expected and calls):
        return {}
    import numpy as np

    fits = np.array([[float(one.matches(call)) for call in calls] for one in expected])
    return dict(pair_optimally(fits, fits, 0.0))


def pair_in_order(expected: Sequence[ExpectedCall], calls: Sequence[ToolCall]) -> Partners:
    """Pair each expected call with the next call that matches it; other calls may come between.

    Where none matches, the next call of the same tool is used up, because it has wrong arguments. Where there is no
    such call either, nothing is left for the expected calls behind it.
    """
    partners, position = Partners(), 0
    for index, one in enumerate(expected):
        rest = range(position, len(calls))
        found = next((number for number in rest if one.matches(calls[number])), None)
        if found is not None:
            partners[index] = found
        else:
            found = next((number for number in rest if calls[number].tool == one.tool), None)
        position = len(calls) if found is None else found + 1
    return partners


def pair_by_position(expected: Sequence[ExpectedCall], calls: Sequence[ToolCall]) -> Partners:
    """Pair the first call with the first expected one, and so on."""
    both = zip(expected, calls, strict=False)
    return {index: index for index, (one, call) in enumerate(both) if one.matches(call)}
