"""What a suite file, a row of a dataset and a row of predictions may hold; its JSON Schema."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    Tag,
    WrapValidator,
    model_validator,
)

from agentv_py.evaluators import Evaluators
from agentv_py.models.budget import Budget
from agentv_py.options import Files, Member, Options, Share, check_names
from agentv_py.suite.other_names import suggest_other_name
from agentv_py.suite.slice_key import MIN_CASES, check_slice_key
from agentv_py.targets import AnyTarget
from agentv_py.targets.base import Target

if TYPE_CHECKING:
    from agentv_py.suite.split import Split
    from agentv_py.targets.confidence import Confidence
else:  # few suites have them
    Split = Annotated[Any, Member("agentv_py.suite", "split")]
    Confidence = Annotated[Any, Member("agentv_py.targets", "confidence")]


def _check_target_names(given: Any, validate: Callable[[Any], list[Any]]) -> list[Any]:
    return check_names(given, validate, "targets", "names are unique within a suite")


Targets = Annotated[list[AnyTarget], Field(min_length=1), WrapValidator(_check_target_names)]


Id = Annotated[
    str,
    Field(min_length=1),
    BeforeValidator(lambda number: str(number) if type(number) is int else number, json_schema_input_type=str | int),
]


Figure = Annotated[float, Field(ge=0, allow_inf_nan=False)]


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
    trace: Any = Field(None, description="The calls of tools that led to the candidate.")
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
    latency_ms: Figure | None = None
    cost: Figure | None = None
    tokens: dict[str, int] | int | None = None
    trace: Any = None
    confidence: Any = None
    repeats: list[dict[str, Any]] | None = Field(None, description="The same facts for each of several candidates.")

    @model_validator(mode="after")
    def _check_candidates(self) -> Self:
        _exclude_both(self)
        if self.repeats is not None and len(self.repeats) != len(self.candidates or ()):
            raise ValueError("repeats must have an entry for each of the candidates")
        if not self.model_fields_set & {"candidate", "candidates"}:
            hint = suggest_other_name("candidate", self.model_extra or ())
            raise ValueError(f"candidate is required{hint}")
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


class SliceOptions(Options):
    """What reports are broken down by."""

    by: Annotated[str, AfterValidator(check_slice_key)] = Field(description="tags, or metadata.PATH.")
    min_cases: int = Field(MIN_CASES, ge=1, description="A slice of fewer cases has too few for a figure.")


def _list_slices(given: Any) -> Any:
    members = [given] if isinstance(given, str | dict) else given
    if not isinstance(members, list):
        return given
    return [{"by": member} if isinstance(member, str) else member for member in members]


def _check_slices(slices: list[SliceOptions]) -> list[SliceOptions]:
    keys = [member.by for member in slices]
    if twice := next((key for key in keys if keys.count(key) > 1), None):
        raise ValueError(f"{twice!r} is listed twice")
    return slices


SliceList = Annotated[
    list[SliceOptions],
    Field(min_length=1),
    AfterValidator(_check_slices),
    BeforeValidator(_list_slices, json_schema_input_type=str | list[str | SliceOptions]),
]


class SliceGates(Options):
    """What every slice of a key must reach, if it has enough cases."""

    mean_score: Share | None = None
    pass_rate: Share | None = None
    min_cases: int | None = Field(None, ge=1, description="Default: that of slices:, else 10.")


class FigureGates(Options):
    mean_score: Share | None = None
    pass_rate: Share | None = None
    f1: dict[str, Share] | None = Field(None, description="By attribute, or EVALUATOR/ATTRIBUTE: the least F1.")
    invented: Share | None = Field(
        None, description="The greatest share of the candidates' values that the truth leaves empty."
    )


class Gates(FigureGates):
    """What the run must reach; where there are gates, they alone decide between exit 0 and 1."""

    slices: dict[Annotated[str, AfterValidator(check_slice_key)], SliceGates] | None = None
    targets: dict[str, FigureGates] | None = Field(
        None, description="By target: gates that replace those of all targets."
    )


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
    extends: str | None = Field(None, min_length=1, description="A file with evaluators, gates and verdicts to add.")
    verdicts: Verdicts = Verdicts.model_construct()
    evaluators: Evaluators | None = Field(None, description="Apply to every case that has none of its own.")
    cases: list[InlineCase] | None = None
    dataset: Dataset | None = Field(
        None, description="Path, glob or list; .jsonl .json .yaml .csv; relative to this file; or coco: ..."
    )
    predictions: Files | None = Field(None, description="Files of rows {id, candidate}, joined on id.")
    targets: Targets | None = Field(None, description="Where answers come from. Each case has a row for each target.")
    target: AnyTarget | None = Field(None, description="A list of one target.")
    split: Split | None = Field(None, description="Parts of the cases for --split, such as {train: 0.8, test: 0.2}.")
    slices: SliceList | None = Field(None, description="What reports are broken down by: tags, metadata.PATH.")
    gates: Gates = Gates.model_construct()
    budget: Budget = Budget.model_construct()
    confidence: Confidence | None = Field(None, description="Where answers say how sure they are of each value.")

    @model_validator(mode="after")
    def _check_answers(self) -> Self:
        given = [key for key in ("predictions", "targets", "target") if getattr(self, key) is not None]
        if len(given) > 1:
            way_out = (
                "make each a member of targets:" if "predictions" not in given else "add {type: recorded} to targets:"
            )
            raise ValueError(f"{given[0]} and {given[1]} exclude each other; {way_out}")
        return self

    def list_targets(self) -> list[Target]:
        return [self.target] if self.target is not None else self.targets or []


def build_json_schema() -> dict[str, Any]:
    """Return the JSON Schema of a suite file, for editors."""
    schema = Suite.model_json_schema()
    # A mapping of fields and a mapping of options can look alike. Their keys decide, and oneOf cannot express that.
    comparators = schema["$defs"]["Comparators"]
    comparators["anyOf"] = comparators.pop("oneOf")
    for key in ("split", "confidence"):  # pydantic sees no model there, and repeats the key as a title
        del schema["properties"][key]["title"]
    header = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    return header | schema | {"title": "evalctl suite"}
