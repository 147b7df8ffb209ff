"""A path in the expected value → the path of its partner in the candidate, whose rows may be in another order."""

import re
from collections.abc import Callable

from agentv_py.comparison.paths import ROOT, read_index

_INDEX = re.compile(r"\[(\d+)\]")

FindPartner = Callable[[str, int | None], int | None]
"""The path of a list and the index of an expected row → the index of its partner; None if it has no partner."""


def find_partner_path(path: str, find_partner: FindPartner) -> str | None:
    """Return the path in the candidate; None if a row on the way has no partner. `[+1]` is an index there already."""
    partner_path, end = "", 0
    for index in _INDEX.finditer(path):
        partner = find_partner(path[: index.start()] or ROOT, read_index(index[1]))
        if partner is None:
            return None
        partner_path, end = f"{partner_path}{path[end : index.start()]}[{partner}]", index.end()
    return partner_path + path[end:]
