"""Results with misses → their kinds of error: per attribute, per list, and as named patterns with an example."""

from collections.abc import Iterator, Mapping
from typing import Any, Literal, NamedTuple, get_args

from agentv_py.comparison.paths import attribute_of, parse_path
from agentv_py.comparison.scoring import cut_value
from agentv_py.report.error_patterns import SWAPPED, TRUNCATED, Mismatch, find_swapped, is_truncated, name_pattern
from agentv_py.report.row_values import list_hits, parse_values
from agentv_py.score import NOT_JSON

Kind = Literal["misread", "missed", "invented", "type", "unreadable", "unknown"]
KINDS: tuple[Kind, ...] = get_args(Kind)
RowKind = Literal["missed", "invented", "duplicated"]
ROW_KINDS: tuple[RowKind, ...] = get_args(RowKind)
_KINDS_OF: dict[str, Kind] = {"missing": "missed", "extra": "invented"}
_TYPE = "type mismatch"
_UNREADABLE = ("not a ", "not an ", "not text", "ambiguous date", "invalid bounding box", "has no length")


class Example(NamedTuple):
    case_id: str
    path: str
    expected: Any
    actual: Any


class Pattern(NamedTuple):
    """A named error in one result."""

    name: str
    attribute: str
    path: str
    expected: Any = None
    actual: Any = None


class ErrorKinds:
    """The kinds of error of one evaluator."""

    def __init__(self) -> None:
        self.attributes: dict[str, dict[Kind, int]] = {}
        self.lists: dict[str, dict[RowKind, int]] = {}
        self.patterns: dict[tuple[str, str], int] = {}
        """By name and attribute."""
        self.examples: dict[str, Example] = {}
        """By name of the pattern: the first case that has it."""
        self.unreadable_answers = 0
        self.without_values = 0
        """The number of results whose values are not in the results file, so that no pattern can be seen."""

    def add(self, result: Mapping[str, Any], row: Mapping[str, Any]) -> None:
        """Add a result that has misses."""
        if NOT_JSON in result["misses"]:
            self.unreadable_answers += 1
            return
        errors = ResultErrors(result, row)
        for attribute, kind, number in errors.list_kinds():
            own = self.attributes.setdefault(attribute, {})
            own[kind] = own.get(kind, 0) + number
        for path, row_kind in errors.list_rows():
            rows = self.lists.setdefault(path, {})
            rows[row_kind] = rows.get(row_kind, 0) + 1
        for pattern in errors.list_patterns():
            key = pattern.name, pattern.attribute
            self.patterns[key] = self.patterns.get(key, 0) + 1
            if pattern.name not in self.examples:
                example = Example(str(row["case_id"]), pattern.path, pattern.expected, pattern.actual)
                self.examples[pattern.name] = example
        self.without_values += errors.lacks_values

    def merge(self, other: "ErrorKinds") -> None:
        for own, more in ((self.attributes, other.attributes), (self.lists, other.lists)):
            for name, counts in more.items():
                mine: dict[Any, int] = own.setdefault(name, {})
                for kind, number in counts.items():
                    mine[kind] = mine.get(kind, 0) + number
        for key, number in other.patterns.items():
            self.patterns[key] = self.patterns.get(key, 0) + number
        self.examples = other.examples | self.examples
        self.unreadable_answers += other.unreadable_answers
        self.without_values += other.without_values


class ResultErrors:
    """The errors of one result, from the mismatches that it stores and from its counts, which are complete."""

    def __init__(self, result: Mapping[str, Any], row: Mapping[str, Any]) -> None:
        details = result.get("details") or {}
        stored = details.get("mismatches")
        items = stored if isinstance(stored, list) else []
        self._mismatches: list[Mismatch] = [
            item for item in items if isinstance(item, dict) and isinstance(item.get("path"), str)
        ]
        self._is_complete = not details.get("mismatches_omitted")
        metrics = details.get("metrics")
        self._metrics: Mapping[str, Any] = metrics if isinstance(metrics, dict) else {}
        self._result, self._row = result, row
        self._rows: list[tuple[str, RowKind]] | None = None

    @property
    def lacks_values(self) -> bool:
        return bool(self._mismatches) and not any("expected" in m or "actual" in m for m in self._mismatches)

    def list_kinds(self) -> Iterator[tuple[str, Kind, int]]:
        """List the number of errors of each kind and attribute.

        A wrong value counts as false positive and as false negative, so what the stored mismatches do not explain of
        the counts is missing or invented: leaves of rows without a partner. Where mismatches are left out, their kind
        is unknown.
        """
        known = self._count_stored()
        for attribute, counts in self._metrics.items():
            if not isinstance(counts, dict):
                continue
            if not (counts.get("fp") or counts.get("fn") or attribute in known):  # most attributes of most cases
                continue
            own = known.get(attribute) or {}
            fp, fn = _read_count(counts, "fp"), _read_count(counts, "fn")
            wrong = own.get("misread", 0) + own.get("type", 0) + own.get("unreadable", 0)
            fp, fn = max(0, fp - wrong - own.get("invented", 0)), max(0, fn - wrong - own.get("missed", 0))
            if not own and self._is_complete and not self._has_rows(attribute):
                fp, fn, own = fp - min(fp, fn), fn - min(fp, fn), {"misread": min(fp, fn)}
            rest: dict[Kind, int] = {"missed": fn, "invented": fp} if self._is_complete else {"unknown": max(fp, fn)}
            for kind, number in (*own.items(), *rest.items()):
                if number:
                    yield attribute, kind, number
        if not self._metrics:
            yield from ((attribute, kind, n) for attribute, own in known.items() for kind, n in own.items())

    def list_rows(self) -> list[tuple[str, RowKind]]:
        """List the rows of lists that are missing, invented, or there twice."""
        if self._rows is None:
            self._rows = list(self._find_rows())
        return self._rows

    def _find_rows(self) -> Iterator[tuple[str, RowKind]]:
        for mismatch in self._mismatches:
            path = mismatch["path"]
            if not path.endswith("]") or mismatch.get("outcome") not in _KINDS_OF:
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
        if any(mismatch["path"].endswith("]") for mismatch in self._mismatches):
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
        _, candidate = parse_values(self._row)  # type: ignore[arg-type]  # a row as far as this needs it
        steps = parse_path(path).steps or ()
        rows = parse_path(path.rpartition("[")[0] or "$").build_getter()(candidate)
        index = steps[-1].number if steps else None
        if not isinstance(rows, list) or index is None or index >= len(rows):
            return False
        return any(other == rows[index] for number, other in enumerate(rows) if number != index)

    def _list_truncated(self) -> Iterator[str]:
        missing: dict[str, set[int]] = {}
        for mismatch in self._mismatches:
            place = _split_index(mismatch["path"])
            if place is not None and mismatch.get("outcome") == "missing":
                missing.setdefault(place[0], set()).add(place[1])
        extra = {m["path"].rpartition("[+")[0] for m in self._mismatches if "[+" in m["path"]}
        for path, indexes in missing.items():
            if path not in extra and is_truncated(indexes, self._list_known(path, indexes)):
                yield path or "$"

    def _list_known(self, path: str, missing: set[int]) -> set[int]:
        """List the indexes of the rows of a list that the answer has."""
        paths = [*list_hits(self._result), *(mismatch["path"] for mismatch in self._mismatches)]
        start = f"{path}["
        inside = (each[len(start) :].partition("]")[0] for each in paths if each.startswith(start))
        return {int(index) for index in inside if index.isdigit() and len(index) < 10} - missing


def list_error_words(row: Mapping[str, Any]) -> list[str]:
    """List the kinds and patterns of a row's errors, each once, for filters."""
    words: dict[str, None] = {}
    for result in row["evaluator_results"]:
        if "error" in result or not result["misses"]:
            continue
        if NOT_JSON in result["misses"]:
            words["unreadable"] = None
            continue
        errors = ResultErrors(result, row)
        words |= dict.fromkeys(kind for _, kind, _ in errors.list_kinds())
        words |= {f"{kind} rows": None for _, kind in errors.list_rows()}
        words |= dict.fromkeys(pattern.name for pattern in errors.list_patterns())
    return list(words)


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
    """Split the path of a list's element into the list and the index."""
    if not path.endswith("]"):
        return None
    start, _, index = path[:-1].rpartition("[")
    return (start, int(index)) if index.isdigit() and len(index) < 10 else None


def _read_count(counts: Mapping[str, Any], name: str) -> int:
    number = counts.get(name)
    return number if type(number) is int and number > 0 else 0
