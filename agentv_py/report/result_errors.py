"""One result with misses → the kinds of its errors, the rows of lists that have no partner, and named patterns."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal, NamedTuple, get_args

from agentv_py.comparison.counts import RIGHT_ONCE
from agentv_py.comparison.mismatch import cut_value
from agentv_py.comparison.paths import attribute_of, parse_path
from agentv_py.report.error_patterns import SWAPPED, TRUNCATED, Mismatch, find_swapped, is_truncated, name_pattern
from agentv_py.report.misses import read_mismatches

Kind = Literal["misread", "missed", "invented", "type", "unreadable", "unknown"]
KINDS: tuple[Kind, ...] = get_args(Kind)
RowKind = Literal["missed", "invented", "duplicated"]
ROW_KINDS: tuple[RowKind, ...] = get_args(RowKind)
_KINDS_OF: dict[str, Kind] = {"missing": "missed", "extra": "invented"}
_TYPE = "type mismatch"
_UNREADABLE = ("not a ", "not an ", "not text", "ambiguous date", "invalid bounding box", "has no length")


class Pattern(NamedTuple):
    """A named error in one result."""

    name: str
    attribute: str
    path: str
    expected: Any = None
    actual: Any = None


class ResultErrors:
    """The errors of one result, from the mismatches that it stores and from its counts, which are complete."""

    def __init__(self, result: Mapping[str, Any], row: Mapping[str, Any]) -> None:
        details = result.get("details") or {}
        self._mismatches: list[Mismatch] = read_mismatches(result)
        self._is_complete = not details.get("mismatches_omitted")
        metrics = details.get("metrics")
        self._metrics: Mapping[str, Any] = metrics if isinstance(metrics, dict) else {}
        self._result, self._row = result, row
        self._at_rows = [mismatch for mismatch in self._mismatches if mismatch["path"].endswith("]")]
        self._rows: list[tuple[str, RowKind]] | None = None

    @property
    def lacks_values(self) -> bool:
        for mismatch in self._mismatches:
            if "expected" in mismatch or "actual" in mismatch:
                return False
        return bool(self._mismatches)

    def list_kinds(self) -> Iterator[tuple[str, Kind, int]]:
        """List the number of errors of each kind and attribute.

        A wrong value counts as false positive and as false negative, so what the stored mismatches do not explain of
        the counts is missing or invented: leaves of rows without a partner. Where mismatches are left out, their kind
        is unknown.
        """
        known = self._count_stored()
        for attribute, counts in self._metrics.items():
            if counts is RIGHT_ONCE or not isinstance(counts, dict):  # most attributes of most cases have no error
                continue
            fp, fn, own = counts.get("fp"), counts.get("fn"), known.get(attribute)
            if fp or fn or own:
                for kind, number in self._explain(attribute, _read_count(fp), _read_count(fn), own or {}):
                    yield attribute, kind, number
        if not self._metrics:
            yield from ((attribute, kind, n) for attribute, own in known.items() for kind, n in own.items())

    def _explain(self, attribute: str, fp: int, fn: int, own: dict[Kind, int]) -> Iterable[tuple[Kind, int]]:
        """Return the number of errors of each kind of an attribute, from its counts and its stored mismatches."""
        wrong = own.get("misread", 0) + own.get("type", 0) + own.get("unreadable", 0)
        fp, fn = max(0, fp - wrong - own.get("invented", 0)), max(0, fn - wrong - own.get("missed", 0))
        if not fp and not fn:  # most mismatches are stored
            return own.items()
        if not own and self._is_complete and not self._has_rows(attribute):
            fp, fn, own = fp - min(fp, fn), fn - min(fp, fn), {"misread": min(fp, fn)}
        rest: list[tuple[Kind, int]] = (
            [("missed", fn), ("invented", fp)] if self._is_complete else [("unknown", max(fp, fn))]
        )
        return [(kind, number) for kind, number in (*own.items(), *rest) if number]

    def list_rows(self) -> list[tuple[str, RowKind]]:
        """List the rows of lists that are missing, invented, or there twice."""
        if self._rows is None:
            self._rows = list(self._find_rows())
        return self._rows

    def _find_rows(self) -> Iterator[tuple[str, RowKind]]:
        for mismatch in self._at_rows:
            path = mismatch["path"]
            if mismatch.get("outcome") not in _KINDS_OF:
                continue
            kind: RowKind = "missed" if mismatch["outcome"] == "missing" else "invented"
            if kind == "invented" and self._is_duplicate(path):
                kind = "duplicated"
            yield attribute_of(path).removesuffix("[]") or "$", kind

    def list_patterns(self) -> Iterator[Pattern]:
        pairs = [m for m in self._mismatches if "expected" in m and "actual" in m and m.get("outcome") == "mismatch"]
        swapped = set[int]()
        for both in find_swapped(pairs) if len(pairs) > 1 else ():
            swapped.update(map(id, both))
            yield _build_pattern(SWAPPED, both[0])
        for mismatch in pairs:
            if id(mismatch) not in swapped and (name := name_pattern(mismatch["expected"], mismatch["actual"])):
                yield _build_pattern(name, mismatch)
        if self._at_rows:
            yield from (Pattern(TRUNCATED, path, path) for path in self._list_truncated())

    def find_kind(self, path: str) -> str:
        """Return the kind of the error at a path; empty if no mismatch is stored for it."""
        return next((_find_kind(m, self._result["type"]) for m in self._mismatches if m["path"] == path), "")

    def _count_stored(self) -> dict[str, dict[Kind, int]]:
        known: dict[str, dict[Kind, int]] = {}
        for mismatch in self._mismatches:
            own = known.setdefault(attribute_of(mismatch["path"]), {})
            kind = _find_kind(mismatch, self._result["type"])
            own[kind] = own.get(kind, 0) + 1
        return known

    def _has_rows(self, attribute: str) -> bool:
        """Whether rows of the list that has this attribute lack a partner."""
        return any(attribute.startswith(f"{path}[]") for path, _ in self.list_rows())

    def _is_duplicate(self, path: str) -> bool:
        """Whether the candidate has a row that equals the one at `[+n]`."""
        if "candidate" not in self._row:
            return False
        from agentv_py.report.row_values import parse_values  # few answers have a row twice

        _, candidate = parse_values(self._row)  # type: ignore[arg-type]  # a row as far as this needs it
        steps = parse_path(path).steps or ()
        rows = parse_path(path.rpartition("[")[0] or "$").build_getter()(candidate)
        index = steps[-1].number if steps else None
        if not isinstance(rows, list) or index is None or index >= len(rows):
            return False
        return any(other == rows[index] for number, other in enumerate(rows) if number != index)

    def _list_truncated(self) -> Iterator[str]:
        missing: dict[str, set[int]] = {}
        for mismatch in self._at_rows:
            place = _split_index(mismatch["path"])
            if place is not None and mismatch.get("outcome") == "missing":
                missing.setdefault(place[0], set()).add(place[1])
        extra = {m["path"].rpartition("[+")[0] for m in self._mismatches if "[+" in m["path"]}
        for path, indexes in missing.items():
            if path not in extra and is_truncated(indexes, self._list_known(path, indexes)):
                yield path or "$"

    def _list_known(self, path: str, missing: set[int]) -> set[int]:
        """List the indexes of the rows of a list that the answer has."""
        from agentv_py.report.row_values import list_hits  # few answers lack rows

        paths = [*list_hits(self._result), *(mismatch["path"] for mismatch in self._mismatches)]
        start = f"{path}["
        inside = (each[len(start) :].partition("]")[0] for each in paths if each.startswith(start))
        return {int(index) for index in inside if index.isdigit() and len(index) < 10} - missing


def _find_kind(mismatch: Mismatch, evaluator: str) -> Kind:
    """Return the kind of a mismatch of an evaluator of this type; the notes of `rules` are the user's own."""
    if (kind := _KINDS_OF.get(str(mismatch.get("outcome")))) is not None:
        return kind
    note = mismatch.get("note")
    if not note:
        return "misread"
    if note == _TYPE:
        return "type"
    return "unreadable" if evaluator != "rules" and str(note).startswith(_UNREADABLE) else "misread"


def _build_pattern(name: str, mismatch: Mismatch) -> Pattern:
    values = cut_value(mismatch["expected"]), cut_value(mismatch["actual"])
    return Pattern(name, attribute_of(mismatch["path"]), mismatch["path"], *values)


def _split_index(path: str) -> tuple[str, int] | None:
    """Split the path of a list's element into the list and the index; None if it ends with a key in brackets."""
    start, _, index = path[:-1].rpartition("[")
    return (start, int(index)) if index.isdigit() and len(index) < 10 else None


def _read_count(number: Any) -> int:
    return number if type(number) is int and number > 0 else 0
