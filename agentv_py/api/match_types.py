"""Names for Python callers → match types: `exact`, `fuzzy(threshold=0.8)`, `within(0.05)`.

The parameters of a function are the options of the match type in a suite file, with the same defaults. Three of them
are common to all: `weight`, how much the field counts beside its siblings; `required=False`, an empty answer does not
count; `any_of=True`, the expected value is a list of accepted readings.
"""

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal

from agentv_py.api.options import build, suggest_names
from agentv_py.comparison.matchers.base import Match
from agentv_py.comparison.matchers.contains import Contains
from agentv_py.comparison.matchers.date import Date
from agentv_py.comparison.matchers.distance import Distance, Metric
from agentv_py.comparison.matchers.exact import Exact
from agentv_py.comparison.matchers.fuzzy import Algorithm, Fuzzy
from agentv_py.comparison.matchers.ignore import Ignore
from agentv_py.comparison.matchers.iou import Iou, PolygonArea
from agentv_py.comparison.matchers.name import Name
from agentv_py.comparison.matchers.numeric import Numeric
from agentv_py.comparison.matchers.numeric_tolerance import NumericTolerance
from agentv_py.comparison.matchers.one_of import OneOf
from agentv_py.comparison.matchers.presence import Presence
from agentv_py.comparison.matchers.regex import Regex
from agentv_py.comparison.matchers.semantic import Semantic
from agentv_py.comparison.matchers.within import Within
from agentv_py.comparison.readers.box import BoxFormat
from agentv_py.comparison.readers.number import DecimalMark
from agentv_py.targets.python_value import to_json


@suggest_names
def exact(*, weight: float = 1.0, required: bool = True, any_of: bool = False) -> Exact:
    """The same JSON type, and deep-equal. The order of lists counts, the order of keys does not."""
    return build(Exact, locals())


@suggest_names
def fuzzy(
    *,
    threshold: float = 0.85,
    algorithm: Algorithm = "levenshtein",
    case_sensitive: bool = False,
    weight: float = 1.0,
    required: bool = True,
    any_of: bool = False,
) -> Fuzzy:
    """Text of a similar spelling; the similarity is the score: `fuzzy(threshold=0.8, algorithm="token_set")`."""
    return build(Fuzzy, locals())


@suggest_names
def numeric_tolerance(
    *,
    tolerance: float = 0.0,
    relative: bool = False,
    decimal: DecimalMark = ".",
    strip: Sequence[str] = (),
    weight: float = 1.0,
    required: bool = True,
    any_of: bool = False,
) -> NumericTolerance:
    """Numbers at most a tolerance apart: `numeric_tolerance(tolerance=0.01, relative=True, decimal=",")`."""
    return build(NumericTolerance, locals())


@suggest_names
def within(
    tolerance: float,
    mode: Literal["percentage", "absolute"] = "percentage",
    *,
    decimal: DecimalMark = ".",
    strip: Sequence[str] = (),
    weight: float = 1.0,
    required: bool = True,
    any_of: bool = False,
) -> Within:
    """A number at most a share of the expected one away, or an amount: `within(0.05)`, `within(5, mode="absolute")`."""
    match = build(Within, locals())
    for _, message in match.warnings():
        warnings.warn(message, stacklevel=3)
    return match


@suggest_names
def numeric(
    *,
    nullable: bool = False,
    decimal: DecimalMark = ".",
    strip: Sequence[str] = (),
    weight: float = 1.0,
    required: bool = True,
    any_of: bool = False,
) -> Numeric:
    """Equal as numbers, however they are written: `numeric(nullable=True, decimal="auto", strip=["x"])`."""
    return build(Numeric, locals())


@suggest_names
def date(
    *,
    formats: Sequence[str] | None = None,
    day_first: bool = False,
    language: str | Sequence[str] = "en",
    weight: float = 1.0,
    required: bool = True,
    any_of: bool = False,
) -> Date:
    """The same calendar day: `date(formats=["DD/MM/YYYY"])`, `date(language=["de", "fr"])`."""
    return build(Date, locals())


@suggest_names
def name(*, threshold: float = 0.9, weight: float = 1.0, required: bool = True, any_of: bool = False) -> Name:
    """The same person or company, whatever its case, accents, legal form and middle names: `name(threshold=0.95)`."""
    return build(Name, locals())


@suggest_names
def one_of(values: Iterable[Any], *, weight: float = 1.0, required: bool = True, any_of: bool = False) -> OneOf:
    """A value that equals the expected one and is one of these: `one_of(["paid", "open"])`, or the class of an enum."""
    if isinstance(values, str | Mapping):
        raise TypeError(f"one_of takes a list of values, not {values!r}")
    return build(OneOf, locals() | {"values": [to_json(value) for value in values]})


@suggest_names
def contains(
    *,
    substring: str | None = None,
    case_sensitive: bool = True,
    weight: float = 1.0,
    required: bool = True,
    any_of: bool = False,
) -> Contains:
    """The actual text contains the expected one, or a text of yours: `contains(substring="paid")`."""
    return build(Contains, locals())


@suggest_names
def regex(
    pattern: str, *, search: bool = False, weight: float = 1.0, required: bool = True, any_of: bool = False
) -> Regex:
    r"""The pattern matches the whole of the actual text, or with `search=True` a part: `regex(r"INV-\d+")`."""
    return build(Regex, locals())


@suggest_names
def presence(*, weight: float = 1.0, required: bool = True, any_of: bool = False) -> Presence:
    """Both values are present, or both are empty."""
    return build(Presence, locals())


@suggest_names
def semantic(
    *,
    threshold: float = 0.8,
    backend: str | Mapping[str, Any] = "lexical",
    weight: float = 1.0,
    required: bool = True,
    any_of: bool = False,
) -> Semantic:
    """Text of a similar meaning, as a backend rates it: `semantic(threshold=0.7, backend="lexical")`."""
    return build(Semantic, locals())


@suggest_names
def iou(
    *,
    format: BoxFormat = "xyxy",  # noqa: A002  the option's name in a suite
    threshold: float = 0.5,
    polygon: PolygonArea = "bounding_box",
    weight: float = 1.0,
    required: bool = True,
    any_of: bool = False,
) -> Iou:
    """Boxes or polygons that overlap: `iou(format="xywh", threshold=0.7)`."""
    return build(Iou, locals())


@suggest_names
def distance(
    threshold: float,
    metric: Metric = "euclidean",
    *,
    weight: float = 1.0,
    required: bool = True,
    any_of: bool = False,
) -> Distance:
    """Points or vectors whose distance is at most the threshold: `distance(5, metric="manhattan")`."""
    return build(Distance, locals())


@suggest_names
def ignore(*, weight: float = 1.0, required: bool = True, any_of: bool = False) -> Ignore:
    """Never counts."""
    return build(Ignore, locals())


NEED_NO_OPTIONS: frozenset[Callable[..., Match]] = frozenset(
    {exact, fuzzy, numeric_tolerance, numeric, date, name, contains, presence, semantic, iou, ignore}
)
"""The match types whose name alone is a comparator: `{"number": exact}` is `{"number": exact()}`."""
