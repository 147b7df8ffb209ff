"""The flags that choose cases → one selection, and its words."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from agentv_py.errors import Problem, UserError
from agentv_py.suite.condition import Condition

_LONGEST = 200


class CheckedCases(NamedTuple):
    """Some valid cases in order."""

    positions: Sequence[int]
    """The position of each among all cases of its suite."""
    ids: Sequence[str] = ()
    rows: Sequence[Mapping[str, Any]] = ()
    """Both are empty if another process has checked the cases, which it does only if nobody else must see them."""


class FailedCases(NamedTuple):
    """The cases that did not pass in results files."""

    files: Sequence[str]
    """Empty for the results in .evalctl/results, which `--last-failed` reads."""
    ids: Mapping[str, Collection[str]]
    """By suite; a suite that the files have and whose cases all passed has none."""
    torn_lines: Sequence[Problem] = ()
    """The last lines of files of runs that were killed."""

    @property
    def flag(self) -> str:
        return f"--failed-from {', '.join(self.files)}" if self.files else "--last-failed"


class Shard(NamedTuple):
    """One of several parts of the same size, counted from 1."""

    number: int
    of: int

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"


def parse_shard(text: str) -> Shard:
    """Read `1/4`. Raises UserError."""
    match = re.fullmatch(r"([0-9]{1,9})/([0-9]{1,9})", text)
    shard = Shard(*map(int, match.groups())) if match else Shard(0, 0)
    if not 1 <= shard.number <= shard.of:
        raise UserError(f"--shard {text!r}: must be K/N with K from 1 to N, such as 1/4")
    return shard


class Selection(NamedTuple):
    """Which cases of a suite run. Each field is a flag of the command line."""

    cases: Sequence[str] = ()
    tags: Sequence[str] = ()
    limit: int | None = None
    where: Sequence[Condition] = ()
    split: str | None = None
    failed: FailedCases | None = None
    sample: int | None = None
    seed: int | None = None
    shard: Shard | None = None

    def __bool__(self) -> bool:
        """Whether any flag narrows the cases."""
        return bool(self.list_flags())

    def list_flags(self, *, data: bool = True) -> list[str]:
        """Return the flags in the order in which they apply; without `data`, without values of the cases."""
        values = list(self._list_values(data=data))
        if not values:
            return []
        from shlex import quote  # most runs are of all cases

        return [flag if value is None else f"{flag} {quote(value)}" for flag, value in values]

    def describe(self, *, data: bool = True) -> str:
        """Return the flags as one text of limited length, which always has the shard: `evalctl merge` reads it."""
        text = ", ".join(self._replace(shard=None).list_flags(data=data))
        cut = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
        return ", ".join(filter(None, (cut, *Selection(shard=self.shard).list_flags())))

    def _list_values(self, *, data: bool) -> Iterator[tuple[str, str | None]]:
        yield from (("--case", glob) for glob in self.cases)
        yield from (("--tag", tag) for tag in self.tags)
        yield from (("--split", name) for name in (self.split,) if name is not None)
        for condition in self.where:
            is_shown = data or not condition.key.startswith(("input", "expected"))
            yield "--where", str(condition if is_shown else condition._replace(value="…"))
        if self.failed is not None:
            yield from (("--failed-from", file) for file in self.failed.files)
            yield from () if self.failed.files else (("--last-failed", None),)
        numbers = {"--sample": self.sample, "--seed": self.seed, "--limit": self.limit, "--shard": self.shard}
        yield from ((flag, str(number)) for flag, number in numbers.items() if number is not None)


class SelectedCases(NamedTuple):
    """The cases of a suite that a selection takes: how many there are, and what it found nowhere."""

    selection: Selection = Selection()
    cases: int = 0
    of: int = 0
    unknown: Mapping[str, str] = {}
    """What the flags name and the suite does not have: by flag, why."""
    hint: str = ""
    """Values that cases have, if no case has the wanted one."""

    def __str__(self) -> str:
        return f"{self.cases:,} of {self.of:,} case{'' if self.of == 1 else 's'}: {self.selection.describe()}"

    def to_row(self, *, data: bool) -> dict[str, Any] | None:
        """Return what every row of the run says about its selection; None if every case runs."""
        if not self.selection:
            return None
        return {"cases": self.cases, "of": self.of, "flags": self.selection.describe(data=data)}
