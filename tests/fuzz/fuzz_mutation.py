"""An input and a source of chance → another input, mostly still of the same shape."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

import yaml

MOST_BYTES = 64 * 1024

# A number too long for Python to write, or a spelling that json.dumps would not choose.
_RAW = re.compile(r'"@@(.*?)@@"')

NUMBERS: list[Any] = [
    0, 1, -1, 2, 7, 200, 0.5, -0.0, 1e-320, 1e-9, 0.1, 1e308, -1e308, 2**31, 2**53 + 1, 2**63 - 1, 2**63, 2**64, 10**19,
    -(10**19), 10**400, float("nan"), float("inf"), float("-inf"), "@@1e400@@", "@@-1e-400@@", "@@1E+2@@", "@@0e0@@",
    f"@@{'9' * 4300}@@", f"@@{'9' * 4301}@@", f"@@-{'1' * 6000}@@", f"@@0.{'3' * 5000}@@",
]  # fmt: skip
TEXTS = [
    "", " ", "\n", "\0", "\x1b[31m", "\ud800", "\udfff\ud800", "\U0001f600", "é", "e\u0301", "ß", "İ", "\u200b", "\u202e",
    "\ufeff", "ﬁ", "＝1", "=1+1", "::error::x", "##[x]", "%s%n", "{{ x }}", "${HOME}", "<script>", "|", "`", "a.b", "a[0]",
    "a[*].b", "a..b", "a[", '["x.y"]', "$", "[]", "{}", "[*]", "a.b[0].c[1]", "true", "null", "NaN", "1", "1.5", "1,234.50",
    "1.234,50", "$1,234.50", "(5)", "12.5%", "1e5", "1e999", "-", "+", ".", "1'000", "٣", "²", "½", "2025-01-15", "15.01.2025",
    "01/02/2025", "30 February 2025", "2025-W03-3", "2025-015", "9999-12-31", "0000-01-01", "Jan 15, 2025", "20250115",
    '{"a": 1}', '```json\n{"a": [1]}\n```', "<think>x", "[1]", "[" * 250, '{"a":' * 250, "x" * 300, "1" * 4301, "a" * 5000,
    "ab " * 2000, "pass", "fail", "ok", "error", "exact", "unordered", "*", "(", "(a+)+$", "[a-z", "\\", "../x", "/dev/null",
]  # fmt: skip
SHAPES: list[Any] = [
    None, True, False, [], {}, [[]], [{}], {"": ""}, [None], [0, 0, 0, 0], [0, 0, 10, 10], [5, 5, 1, 1], [[0, 0], [1, 1]],
    [[0, 0], [4, 0], [4, 4], [0, 4]], [1e308, 1e308, -1e308, -1e308], {"x": 1, "y": 2}, {"left": 1, "top": 2, "right": 3},
    {"match": "exact"}, {"unordered": "exact"}, {"a": {"a": {"a": 1}}},
]  # fmt: skip

# One of each kind that a reader may not have thought of: put at every place of every seed.
KINDS: list[Any] = [
    None, True, 0, -1, 0.5, 1e308, 10**400, float("nan"), float("-inf"), "", "x", "\ud800", "1" * 4301, [], [0], [[]], {},
    {"a": 0}, ["x", 1, None], [[0, 0], [1]],
]  # fmt: skip

_MOST_ALIKE = 3

Shape = str
"""`json`, `lines` (of JSON), `yaml`, `csv` or `text`."""


class Mutator:
    """Mutates inputs of one shape; what it takes from one input it may put into another."""

    def __init__(self, shape: Shape, chance: Random) -> None:
        self.shape = shape
        self.chance = chance
        self.keys = ["id", "a", "expected", "candidate"]

    def mutate(self, data: bytes, other: bytes) -> bytes:
        if self.shape == "text" or self.chance.random() < 0.25:
            mutated = self._mutate_bytes(data, other)
        elif self.shape == "lines":
            mutated = self._mutate_lines(data, other)
        elif self.shape == "csv":
            mutated = self._mutate_cells(data)
        else:
            mutated = self._mutate_document(data, other)
        return mutated[:MOST_BYTES]

    def changes(self, seeds: Sequence[bytes]) -> Iterator[bytes]:
        """Each kind of value at each place of the seeds, one at a time; places that differ by an index are alike."""
        documents = [parts for seed in seeds if self.shape != "text" and (parts := self._parts(seed))]
        wanted = [
            (document, part, place, kind)
            for document, parts in enumerate(documents)
            for part, value in enumerate(parts)
            for place in _places(value)
            for kind in range(len(KINDS))
        ]
        self.chance.shuffle(wanted)
        tried = Counter[tuple[Any, ...]]()
        for document, part, place, kind in wanted:
            alike = (kind, *("[]" if isinstance(step, int) else step for step in place))
            tried[alike] += 1
            if tried[alike] > _MOST_ALIKE:
                continue
            parts = list(documents[document])
            parts[part] = _changed(parts[part], place, lambda _: KINDS[kind])  # noqa: B023  it is called at once
            yield "\n".join(map(_spell, parts)).encode()[:MOST_BYTES]

    def _parts(self, seed: bytes) -> list[Any]:
        """The documents in a seed; none where it is not of its shape."""
        try:
            return [self._read(part) for part in (seed.splitlines() if self.shape == "lines" else [seed])]
        except (ValueError, yaml.YAMLError):
            return []

    def _mutate_bytes(self, data: bytes, other: bytes) -> bytes:
        for _ in range(self.chance.choice((1, 1, 2, 4, 8))):
            at, length = self._span(len(data))
            data = self.chance.choice(self._edits(other))(data, at, at + length)
        return data

    def _edits(self, other: bytes) -> Sequence[Callable[[bytes, int, int], bytes]]:
        token = str(self.chance.choice([*TEXTS, *NUMBERS])).strip("@").encode("utf-8", "surrogatepass")
        start, length = self._span(len(other))
        noise = bytes(self.chance.choice((self.chance.randrange(256), *b'{}[]",:\n \\\t&*<-0')) for _ in range(1))
        return (
            lambda data, at, end: data[:at] + data[end:],
            lambda data, at, end: data[:at] + noise + data[at:],
            lambda data, at, end: data[:at] + noise + data[at + 1 :],
            lambda data, at, end: data[:at] + token + data[at:],
            lambda data, at, end: data[:at] + token + data[end:],
            lambda data, at, end: data[:end] + data[at:end] * self.chance.choice((1, 2, 50)) + data[end:],
            lambda data, at, end: data[:at] + other[start : start + length] + data[end:],
            lambda data, at, end: data[:at],
        )

    def _span(self, size: int) -> tuple[int, int]:
        at = self.chance.randrange(size + 1)
        return at, self.chance.choice((0, 1, 2, 8, self.chance.randrange(size - at + 1)))

    def _mutate_lines(self, data: bytes, other: bytes) -> bytes:
        lines, others = data.split(b"\n"), other.split(b"\n")
        for _ in range(self.chance.choice((1, 1, 2, 4))):
            at = self.chance.randrange(len(lines))
            if self.chance.random() < 0.15:
                lines.insert(at, self.chance.choice(others))
            else:
                lines[at] = self._mutate_document(lines[at], self.chance.choice(others))
        return b"\n".join(lines)

    def _mutate_cells(self, data: bytes) -> bytes:
        rows = [line.split(b",") for line in data.split(b"\n")]
        for _ in range(self.chance.choice((1, 2, 4))):
            row = self.chance.choice(rows)
            cell = _spell(self.chance.choice((self._scalar(), self._value(3)))).replace('"', '""')
            quoted = f'"{cell}"' if self.chance.random() < 0.8 else cell
            row[self.chance.randrange(len(row))] = quoted.encode("utf-8", "replace")
        return b"\n".join(b",".join(row) for row in rows)

    def _mutate_document(self, data: bytes, other: bytes) -> bytes:
        try:
            value, donor = self._read(data), self._read(other)
        except (ValueError, yaml.YAMLError, RecursionError):
            return self._mutate_bytes(data, other)
        self.keys.extend(key for key in _keys(value) if key not in self.keys)
        for _ in range(self.chance.choice((1, 1, 1, 2, 4, 8))):
            value = self._mutate_value(value, donor)
        try:
            return _spell(value).encode()
        except (RecursionError, ValueError):
            return data

    def _read(self, data: bytes) -> Any:
        text = data.decode()
        return yaml.load(text, Loader=_Plain) if self.shape == "yaml" else json.loads(text)

    def _mutate_value(self, value: Any, donor: Any) -> Any:
        """The value with something else at one place in it."""
        place = self._place(value)
        edit = self.chance.choice((self._replaced, self._replaced, self._reshaped, self._spliced))
        return _changed(value, place, lambda found: edit(found, donor))

    def _place(self, value: Any) -> Sequence[Any]:
        """Any place is as likely as any other, or any key is on each level: deep values and short ones are both reached."""
        if self.chance.random() < 0.5:
            return self.chance.choice(list(_places(value)))
        place: list[Any] = []
        while isinstance(value, dict | list) and value and self.chance.random() < 0.85:
            keys: Any = list(value) if isinstance(value, dict) else range(len(value))
            place.append(self.chance.choice(keys))
            value = value[place[-1]]
        return place

    def _replaced(self, value: Any, _donor: Any) -> Any:
        if isinstance(value, int | float) and abs(value) < 1e300 and self.chance.random() < 0.3:
            return self.chance.choice((-value, value + 1, value * 1e10, value / 3, str(value), bool(value)))
        if isinstance(value, str) and self.chance.random() < 0.4:
            at, length = self._span(len(value))
            return value[:at] + str(self.chance.choice(TEXTS)) + value[at + length :]
        return self._value(4)

    def _reshaped(self, value: Any, _donor: Any) -> Any:
        if isinstance(value, dict) and value and self.chance.random() < 0.7:
            key = self.chance.choice(list(value))
            rest = {one: item for one, item in value.items() if one != key}
            return self.chance.choice((rest, rest | {self._key(): value[key]}, value | {self._key(): self._value(3)}))
        if isinstance(value, list) and value and self.chance.random() < 0.7:
            at = self.chance.randrange(len(value))
            again = value[:at] + [value[at]] * self.chance.choice((2, 2, 40)) + value[at + 1 :]
            return self.chance.choice((value[:at] + value[at + 1 :], again, value[::-1], [*value, self._value(3)]))
        return self.chance.choice(([value], {self._key(): value}, [value] * 3, self._nested(value)))

    def _spliced(self, _value: Any, donor: Any) -> Any:
        while isinstance(donor, dict | list) and donor and self.chance.random() < 0.8:
            donor = self.chance.choice(list(donor.values()) if isinstance(donor, dict) else donor)
        return donor

    def _nested(self, value: Any) -> Any:
        for _ in range(self.chance.choice((3, 20, 150, 190, 199, 205))):
            value = [value] if self.chance.random() < 0.5 else {"a": value}
        return value

    def _value(self, depth: int) -> Any:
        if depth and self.chance.random() < 0.2:
            return [self._value(depth - 1) for _ in range(self.chance.randrange(4))]
        if depth and self.chance.random() < 0.2:
            return {self._key(): self._value(depth - 1) for _ in range(self.chance.randrange(4))}
        return self._scalar()

    def _scalar(self) -> Any:
        return self.chance.choice(self.chance.choice((NUMBERS, TEXTS, SHAPES)))

    def _key(self) -> str:
        return self.chance.choice(self.keys) if self.chance.random() < 0.7 else self.chance.choice(TEXTS)


class _Plain(yaml.CSafeLoader):
    """Dates are text, as in the suites that are mutated."""


_Plain.add_constructor("tag:yaml.org,2002:timestamp", lambda _loader, node: node.value)


def _spell(value: Any) -> str:
    return _RAW.sub(r"\1", json.dumps(value))


def _places(value: Any) -> Iterator[tuple[Any, ...]]:
    waiting: list[tuple[tuple[Any, ...], Any]] = [((), value)]
    while waiting:
        place, found = waiting.pop()
        yield place
        if isinstance(found, dict | list):
            keys: Any = found if isinstance(found, dict) else range(len(found))
            waiting.extend(((*place, key), found[key]) for key in keys)


def _changed(value: Any, place: Sequence[Any], change: Callable[[Any], Any]) -> Any:
    if not place:
        return change(value)
    key, *below = place
    changed = _changed(value[key], below, change)
    if isinstance(value, dict):
        return {one: changed if one == key else item for one, item in value.items()}
    return [changed if one == key else item for one, item in enumerate(value)]


def _keys(value: Any) -> set[str]:
    if isinstance(value, dict):
        return {str(key) for key in value}.union(*map(_keys, value.values()))
    return set().union(*map(_keys, value)) if isinstance(value, list) else set()
