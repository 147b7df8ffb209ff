"""Results files of the shards of a run → the rows of the whole run in its order, or why they do not fit together."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from agentv_py.errors import Problem, UserError
from agentv_py.results.read import ResultsSource, read_located_rows, row_at
from agentv_py.results.row import Row, encode_row, read_fingerprint, read_selection

_MOST_SHOWN = 5
_SHARD = re.compile(r"(?:^|, )--shard (\d{1,9})/(\d{1,9})$")
"""The end of a selection's flags: the shard is taken last."""


class ShardSelection(NamedTuple):
    """Which cases the run of a row selected; `shard` and `shards` are 0 if it was not a shard."""

    shard: int = 0
    shards: int = 0
    cases: int = 0
    of: int = 0
    flags: str = ""
    """The flags before the shard."""


@dataclass(slots=True)
class Part:
    """The rows of one suite in one file."""

    source: ResultsSource
    selection: ShardSelection
    offsets: list[int] = field(default_factory=list)
    cases: set[str] = field(default_factory=set)
    options: set[int] = field(default_factory=set)
    """What scored the rows, as far as their fingerprints tell."""


class Merger:
    def __init__(self) -> None:
        self.suites: dict[str, list[Part]] = {}
        """The parts of each suite, in the order of the whole run."""
        self.warnings: list[str] = []
        self.problems: list[str] = []
        """Why the files do not fit together."""
        self._duplicates: list[str] = []
        self._files: dict[tuple[str, str, str, str], str] = {}
        """The file of each row, by its suite, case, target and repeat."""

    @property
    def rows(self) -> int:
        return sum(len(part.offsets) for parts in self.suites.values() for part in parts)

    def read(self, sources: Sequence[ResultsSource]) -> None:
        """Read the files once, put their parts in order, and note every problem."""
        for source in sources:
            self._read_file(source)
        if not self.suites:
            raise UserError("nothing to merge: no file holds a row")
        if self._duplicates:
            self.problems.append(_count_duplicates(self._duplicates))
        for suite, parts in self.suites.items():
            parts.sort(key=lambda part: part.selection.shard)
            self.problems.extend(f"suite {suite!r}: {what}" for what in _find_problems(parts))

    def read_lines(self) -> Iterator[bytes]:
        """Read the lines of all rows again. If no shard is missing, no row says any more that it is of a shard."""
        for parts in self.suites.values():
            is_whole = not any(_find_missing(parts))
            for part in parts:
                with part.source.path.open("rb") as file:
                    for offset in part.offsets:
                        if is_whole and part.selection.shards:
                            yield encode_row(_leave_out_shard(row_at(part.source, file, offset), parts))
                        else:
                            file.seek(offset)
                            yield file.readline().rstrip(b"\r\n") + b"\n"

    def _read_file(self, source: ResultsSource) -> None:
        parts: dict[str, Part] = {}
        for line in read_located_rows(source):
            if isinstance(line, Problem):
                self.warnings.append(str(line))
                continue
            row = line.row
            part = parts.setdefault(row["suite"], Part(source, _read_shard(row)))
            if part.selection != _read_shard(row):
                raise UserError(Problem(f"suite {row['suite']!r} has rows of several selections", "", source.shown))
            part.offsets.append(line.offset)
            part.cases.add(row["case_id"])
            if (fingerprint := read_fingerprint(row.get("fingerprint"))) is not None:
                part.options.add(fingerprint.options)
            self._note_duplicate(row, source.shown)
        if not parts:
            self.warnings.append(f"{source.shown}: holds no row")
        for suite, part in parts.items():
            self.suites.setdefault(suite, []).append(part)

    def _note_duplicate(self, row: Row, file: str) -> None:
        key = row["suite"], row["case_id"], str(row.get("target", "")), str(row.get("repeat", ""))
        if key in self._files:
            where = f"in {self._files[key]} and {file}" if self._files[key] != file else f"twice in {file}"
            target = f" · {key[2]}" if key[2] else ""
            self._duplicates.append(f"case {row['case_id']!r}{target} of suite {row['suite']!r} is {where}")
        self._files.setdefault(key, file)


def _read_shard(row: Row) -> ShardSelection:
    """Read which cases the run of a row selected; a row of a whole run has nothing."""
    selection = read_selection(row.get("selection"))
    if selection is None:
        return ShardSelection()
    cases, of, flags = selection
    shard = _SHARD.search(flags)
    if shard is None:
        return ShardSelection(0, 0, cases, of, flags)
    return ShardSelection(int(shard[1]), int(shard[2]), cases, of, flags[: shard.start()])


def _leave_out_shard(row: Row, parts: Sequence[Part]) -> dict[str, Any]:
    """Return the row as the whole run writes it."""
    first = parts[0].selection
    cases = sum(part.selection.cases for part in parts)
    whole = {"cases": cases, "of": first.of, "flags": first.flags} if first.flags else None
    return {
        key: whole if key == "selection" else value
        for key, value in row.items()
        if key != "selection" or whole is not None
    }


def _count_duplicates(duplicates: Sequence[str]) -> str:
    rest = len(duplicates) - _MOST_SHOWN
    more = f"; and {rest:,} more" if rest > 0 else ""
    return f"a row is there twice: {'; '.join(duplicates[:_MOST_SHOWN])}{more}"


def _find_problems(parts: Sequence[Part]) -> Iterator[str]:
    """Say why the parts of one suite are not the shards of one run."""
    first = parts[0]
    for part in parts[1:]:
        both = f"{first.source.shown} and {part.source.shown}"
        if part.selection.shards != first.selection.shards or part.selection.flags != first.selection.flags:
            yield f"{both} are of different selections: {_describe(first)}, and {_describe(part)}"
        elif part.selection.of != first.selection.of:
            sizes = (f"{each.selection.of:,} cases in {each.source.shown}" for each in (first, part))
            yield f"it has {' and '.join(sizes)}"
        if part.options and first.options and part.options.isdisjoint(first.options):
            yield f"other options or evaluators scored {both}"
    for part in parts:
        if part.selection.shards and len(part.cases) < part.selection.cases:
            found = f"{len(part.cases):,} of {part.selection.cases:,} cases"
            yield f"{part.source.shown} has {found}; `evalctl run ... --resume` finishes it"
    yield from _find_missing(parts)


def _find_missing(parts: Sequence[Part]) -> Iterator[str]:
    """Name the shards that no file holds; a shard without cases has no rows."""
    selection = parts[0].selection
    present = {part.selection.shard for part in parts}
    missing = [
        number
        for number in range(1, selection.shards + 1)
        if number not in present and not _is_empty_shard(number, selection)
    ]
    if missing:
        shown = ", ".join(f"{number}/{selection.shards}" for number in missing[:_MOST_SHOWN])
        more = f" and {len(missing) - _MOST_SHOWN:,} more" if len(missing) > _MOST_SHOWN else ""
        yield f"no file holds shard {shown}{more}"


def _is_empty_shard(number: int, selection: ShardSelection) -> bool:
    """Return whether a shard of the whole suite has no case. Shards are runs of neighbours, as even as possible."""
    cases, shards = selection.of, selection.shards
    return not selection.flags and number * cases // shards == (number - 1) * cases // shards


def _describe(part: Part) -> str:
    shard, shards, _, _, flags = part.selection
    return ", ".join(filter(None, (flags, f"--shard {shard}/{shards}" if shards else ""))) or "every case"
