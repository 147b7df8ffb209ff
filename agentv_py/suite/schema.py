"""What a suite file, a row of a dataset and a row of predictions may hold; its JSON Schema."""

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


def _check_names(given: Any, validate: Callable[[Any], list[Any]]) -> list[Any]:
    """Validate the evaluators. Raise one error with the repeated names and the problems of each evaluator."""
    errors = list(_find_repeated_names(given))
    try:
        evaluators = validate(given)
    except ValidationError as error:
        errors += [_copy_error(details) for details in error.errors(include_url=False)]
        raise ValidationError.from_exception_data("evaluators", errors) from None
    if errors:
        raise ValidationError.from_exception_data("evaluators", errors)
    return evaluators


def _find_repeated_names(given: Any) -> Iterator[InitErrorDetails]:
    names: list[str] = []
    for index, evaluator in enumerate(given if isinstance(given, list) else ()):
        name = evaluator.get("name") if isinstance(evaluator, dict) else getattr(evaluator, "name", None)
        if isinstance(name, str) and name in names:
            what = ValueError(f"two evaluators are named {name!r}; names are unique within a case")
            yield InitErrorDetails(type="value_error", loc=(index, "name"), input=name, ctx={"error": what})
        elif isinstance(name, str):
            names.append(name)


def _copy_error(details: ErrorDetails) -> InitErrorDetails:
    copy = InitErrorDetails(type=details["type"], loc=details["loc"], input=details["input"])
    return copy | {"ctx": details["ctx"]} if "ctx" in details else copy


def _check_weights(evaluators: list[Any]) -> list[Any]:
    if not any(evaluator.weight for evaluator in evaluators):
        raise ValueError("every weight is 0, so nothing would count")
    return evaluators


Evaluators = Annotated[
    list[AnyEvaluator], Field(min_length=1), AfterValidator(_check_weights), WrapValidator(_check_names)
]


def _make_list(files: Any) -> Any:
    if not isinstance(files, str | list):
        raise ValueError(f"must be a path, a glob or a list of them, not {files!r}")  # noqa: TRY004  pydantic shows only this one
    return [files] if isinstance(files, str) else files


Files = Annotated[
    list[Annotated[str, Field(min_length=1)]],
    Field(min_length=1),
    BeforeValidator(_make_list, json_schema_input_type=str | list[str]),
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
    def _check_candidates(self) -> Self:
        _exclude_both(self)
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
    def _check_candidates(self) -> Self:
        _exclude_both(self)
        if not self.model_fields_set & {"candidate", "candidates"}:
            raise ValueError("candidate is required")
        return self


def _exclude_both(row: BaseModel) -> None:
    if {"candidate", "candidates"} <= row.model_fields_set:
        raise ValueError("candidate and candidates exclude each other")


class Verdicts(Options):
    """The least scores that pass, or pass in part."""

    pass_: Share = Field(0.8, alias="pass")
    partial: Share = 0.6

    @model_validator(mode="before")
    @classmethod
    def _lower_partial(cls, given: Any) -> Any:
        needs_partial = (
            isinstance(given, dict) and "partial" not in given and isinstance(given.get("pass"), int | float)
        )
        return given | {"partial": min(0.6, given["pass"])} if needs_partial else given

    @model_validator(mode="after")
    def _check_order(self) -> "Verdicts":
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


def _tag_dataset(value: Any) -> str:
    return "<coco>" if isinstance(value, dict | Coco) else "<files>"


Dataset = Annotated[Annotated[Files, Tag("<files>")] | Annotated[Coco, Tag("<coco>")], Discriminator(_tag_dataset)]


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


def build_json_schema() -> dict[str, Any]:
    """Return the JSON Schema of a suite file, for editors."""
    schema = Suite.model_json_schema()
    # A mapping of fields and a mapping of options can look alike. Their keys decide, and oneOf cannot express that.
    comparators = schema["$defs"]["Comparators"]
    comparators["anyOf"] = comparators.pop("oneOf")
    header = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    return header | schema | {"title": "evalctl suite"}
