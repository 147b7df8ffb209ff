"""What a suite file may say."""

from collections.abc import Callable, Iterator
from typing import Annotated, Any, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    Tag,
    ValidationError,
    WrapValidator,
    model_validator,
)
from pydantic_core import ErrorDetails, InitErrorDetails

from agentv_py.evaluators import AnyEvaluator
from agentv_py.models.budget import Budget
from agentv_py.options import Options, Share


def _distinct_names(given: Any, validate: Callable[[Any], list[Any]]) -> list[Any]:
    """The evaluators, or all that is wrong: names that stand twice, beside what is wrong with each of them."""
    found = list(_repeated_names(given))
    try:
        evaluators = validate(given)
    except ValidationError as error:
        found += [_again(one) for one in error.errors(include_url=False)]
        raise ValidationError.from_exception_data("evaluators", found) from None
    if found:
        raise ValidationError.from_exception_data("evaluators", found)
    return evaluators


def _repeated_names(given: Any) -> Iterator[InitErrorDetails]:
    seen: list[str] = []
    for index, one in enumerate(given if isinstance(given, list) else ()):
        name = one.get("name") if isinstance(one, dict) else getattr(one, "name", None)
        if isinstance(name, str) and name in seen:
            what = ValueError(f"two evaluators are named {name!r}; names are unique within a case")
            yield InitErrorDetails(type="value_error", loc=(index, "name"), input=name, ctx={"error": what})
        elif isinstance(name, str):
            seen.append(name)


def _again(finding: ErrorDetails) -> InitErrorDetails:
    same = InitErrorDetails(type=finding["type"], loc=finding["loc"], input=finding["input"])
    return same | {"ctx": finding["ctx"]} if "ctx" in finding else same


def _some_weight(evaluators: list[Any]) -> list[Any]:
    if not any(evaluator.weight for evaluator in evaluators):
        raise ValueError("every weight is 0, so nothing would count")
    return evaluators


Evaluators = Annotated[
    list[AnyEvaluator], Field(min_length=1), AfterValidator(_some_weight), WrapValidator(_distinct_names)
]


def _listed(files: Any) -> Any:
    if not isinstance(files, str | list):
        raise ValueError(f"must be a path, a glob or a list of them, not {files!r}")  # noqa: TRY004  pydantic shows only this one
    return [files] if isinstance(files, str) else files


Files = Annotated[
    list[Annotated[str, Field(min_length=1)]],
    Field(min_length=1),
    BeforeValidator(_listed, json_schema_input_type=str | list[str]),
]
Id = Annotated[
    str,
    Field(min_length=1),
    BeforeValidator(lambda number: str(number) if type(number) is int else number, json_schema_input_type=str | int),
]


class CaseRow(BaseModel):
    """A row of a dataset: keys beyond these go to the case's metadata."""

    model_config = ConfigDict(extra="allow", strict=True, defer_build=True)

    id: Id | None = Field(None, description="Default: <file stem>:<line>.")
    input: Any = Field(None, description="What the system was asked.")
    expected: Any = Field(None, description="The ground truth: any JSON value, or text that holds JSON.")
    candidate: Any = Field(None, description="The answer being scored: any JSON value, or text that holds JSON.")
    candidates: list[Any] | None = Field(
        None, min_length=1, description="Several answers to the same input, instead of one candidate."
    )
    metadata: dict[str, Any] | None = None
    tags: list[str] | None = None
    evaluators: Evaluators | None = Field(None, description="Replace the suite's for this case.")

    @model_validator(mode="after")
    def _one_or_several(self) -> Self:
        _only_one_of_both(self)
        return self


class InlineCase(CaseRow):
    """A case written into the suite file."""

    model_config = ConfigDict(extra="forbid", strict=True, defer_build=True)


class PredictionRow(BaseModel):
    """An answer for the case with this id; it overrides an inline candidate."""

    model_config = ConfigDict(extra="allow", strict=True, defer_build=True)

    id: Id
    candidate: Any = None
    candidates: list[Any] | None = Field(None, min_length=1)

    @model_validator(mode="after")
    def _one_or_several(self) -> Self:
        _only_one_of_both(self)
        if not self.model_fields_set & {"candidate", "candidates"}:
            raise ValueError("candidate is required")
        return self


def _only_one_of_both(row: BaseModel) -> None:
    if {"candidate", "candidates"} <= row.model_fields_set:
        raise ValueError("candidate and candidates exclude each other")


class Verdicts(Options):
    """The least scores that pass, or pass in part."""

    pass_: Share = Field(0.8, alias="pass")
    partial: Share = 0.6

    @model_validator(mode="before")
    @classmethod
    def _partial_follows_pass(cls, given: Any) -> Any:
        low = isinstance(given, dict) and "partial" not in given and isinstance(given.get("pass"), int | float)
        return given | {"partial": min(0.6, given["pass"])} if low else given

    @model_validator(mode="after")
    def _in_order(self) -> "Verdicts":
        if self.partial > self.pass_:
            raise ValueError(f"partial ({self.partial}) is above pass ({self.pass_})")
        return self


class Gates(Options):
    """What the run must reach; where there are gates, they alone decide between exit 0 and 1."""

    mean_score: Share | None = None
    pass_rate: Share | None = None


class CocoFiles(Options):
    """COCO's own files. Every image is a case."""

    annotations: str = Field(min_length=1, description="Images, categories and annotations, relative to this file.")
    results: str | None = Field(None, min_length=1, description="Detections; left out, the cases have no candidates.")


class Coco(Options):
    coco: CocoFiles


def _dataset(value: Any) -> str:
    return "<coco>" if isinstance(value, dict | Coco) else "<files>"


Dataset = Annotated[Annotated[Files, Tag("<files>")] | Annotated[Coco, Tag("<coco>")], Discriminator(_dataset)]


class Suite(Options):
    """Cases, evaluators, and where answers come from."""

    name: str = Field("", min_length=1, description="Default: the file's stem.")
    description: str = ""
    verdicts: Verdicts = Verdicts()
    evaluators: Evaluators | None = Field(None, description="Apply to every case that has none of its own.")
    cases: list[InlineCase] | None = None
    dataset: Dataset | None = Field(
        None, description="Path, glob or list; .jsonl .json .yaml .csv; relative to this file; or coco: ..."
    )
    predictions: Files | None = Field(None, description="Files of rows {id, candidate}, joined on id.")
    gates: Gates = Gates()
    budget: Budget = Budget()
