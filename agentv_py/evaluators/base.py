"""What an evaluator is: options, and one method that turns a case into a score."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Self

from pydantic import AfterValidator, Field, PrivateAttr

from agentv_py.case import Case
from agentv_py.comparison.field_rule import FieldRule
from agentv_py.comparison.private_data import remove_values
from agentv_py.comparison.truth import Truth
from agentv_py.options import Options, Share, Weight
from agentv_py.score import SKIPPED, EvaluatorResult, Score, Thresholds

if TYPE_CHECKING:
    from agentv_py.comparison.partners import ListPartners
    from agentv_py.comparison.scoring import FullScore
    from agentv_py.inference.suggestion import Suggestion

Place = tuple[str | int, ...]
"""Where something is in an evaluator's options: keys and indexes."""
ReadExpected = Callable[[], Iterable[Any]]


def _check_condition(text: str) -> str:
    from agentv_py.comparison.rule import check_rule  # few evaluators have a condition

    return check_rule(text)


class Evaluator(Options):
    """Options and one method, `evaluate`. Its `type` selects it.

    An evaluator that holds other evaluators in its options is a composite. They are its children, and the base class
    asks them, too: for problems, warnings, files, models, and whether they run programs. So a composite only needs
    `evaluate`, where `grade` and `combine` of evaluators/grade.py score its children. A class that overrides one of
    these methods and has children calls `super()` as well.
    """

    name: str | None = Field(None, min_length=1, description="Default: the type. Unique within a case.")
    weight: Weight = Field(1.0, description="How much this evaluator counts in the case's score.")
    required: bool = Field(False, description="true: the case fails unless this evaluator passes.")
    negate: bool = Field(False, description="true: the score is 1 minus the score, and what passes fails.")
    min_score: Share | None = Field(None, description="The least score that passes; below it the evaluator fails.")
    when: Annotated[str, AfterValidator(_check_condition)] | None = Field(
        None, description="A rule about the case. Where it does not hold, the evaluator is skipped."
    )

    harmless_details: ClassVar[frozenset[str]] = frozenset({"mismatches_omitted", "parsed", "readings", "formats"})
    """The keys of its details that hold no values of the case; `--no-data` leaves the others out."""

    field_options: ClassVar[frozenset[str]] = frozenset()
    """The options that say how single fields are compared; `list_rules` tells them."""

    _folder: Path = PrivateAttr(default_factory=Path)

    def evaluate(self, case: Case) -> Score:
        """Score one case. It may raise: `grade` catches that, and adds name, type, weight and duration.

        An evaluator that asks a model lists it in `models`, asks with `agentv_py.models.replies.ask`, and so runs
        twice over each case: in the first pass `ask` records the questions and returns placeholders of the shape of a
        reply, in the second pass it returns the replies. The score of the first pass is thrown away. Ask the same
        questions both times; let no reply decide whether another question is asked; have no effect but the score.
        """
        raise TypeError(f"{type(self).__name__} scores nothing: {case.id}")

    def evaluate_if_met(self, case: Case) -> Score:
        """Score one case if the rule of `when` holds for it; otherwise skip it."""
        from agentv_py.comparison.rule import is_met

        return self.evaluate(case) if self.when is None or is_met(self.when, case) else SKIPPED

    @property
    def full_score(self) -> "FullScore | None":
        """The score that cases share which are wholly right; None if each case has its own."""
        return None

    def with_thresholds(self, thresholds: Thresholds) -> Self:  # noqa: ARG002  most evaluators need none
        """Return an evaluator whose children pass at these scores; most evaluators have no children."""
        return self

    def children(self) -> Iterator[tuple[Place, "Evaluator"]]:
        """Yield the evaluators that these options hold, alone or in a list, each with its place."""
        for key in type(self).model_fields:
            value = getattr(self, key)
            if isinstance(value, Evaluator):
                yield (key,), value
            elif isinstance(value, list):
                yield from (((key, index), item) for index, item in enumerate(value) if isinstance(item, Evaluator))

    @property
    def runs_subprocess(self) -> bool:
        """Whether other programs do the work. Then even few cases run in parallel, and rows are written one by one."""
        return any(child.runs_subprocess for _, child in self.children())

    @property
    def learns_from_cases(self) -> bool:
        """Whether what it compares depends on the expected values of all cases. Then `learn` gets what they show."""
        return any(child.learns_from_cases for _, child in self.children())

    def learn(self, suggestion: "Suggestion") -> Self:
        """Return a copy that, like its children, compares with the comparators that fit all cases."""
        return self._with_children(lambda child: child.learn(suggestion))

    def in_folder(self, folder: Path) -> Self:
        """Return a copy that, like its children, looks for its files in the folder."""
        copy = self._with_children(lambda child: child.in_folder(folder))
        copy._folder = folder  # noqa: SLF001  it is this class's own
        return copy

    def _with_children(self, change: "Callable[[Evaluator], Evaluator]") -> Self:
        changes: dict[str, Any] = {}
        for (key, *index), child in self.children():
            if index:
                changes.setdefault(str(key), []).append(change(child))
            else:
                changes[str(key)] = change(child)
        copy = self.model_copy(update=changes)
        for compiled in vars(copy).keys() - type(self).model_fields.keys() if changes else ():
            del vars(copy)[compiled]  # it is compiled from the children before the change
        return copy

    def problems(self) -> Iterator[tuple[str | Place, str]]:
        """Yield each option that is valid but cannot work here: its key or place in the options, and the problem."""
        for place, child in self.children():
            for key, what in child.problems():
                yield (*place, *(key.split(".") if isinstance(key, str) else key)), what

    def warnings(self) -> Iterator[tuple[Place, str]]:
        """Yield each option that works but is probably a mistake: its place in the options, and the reason."""
        for place, child in self.children():
            yield from (((*place, *below), what) for below, what in child.warnings())

    def truths(self) -> Iterator[Truth]:
        """Yield a new collector of what the expected values of the cases have at the paths that these options name.

        An evaluator that yields one needs expected values, even if its options name no path.
        """
        for place, child in self.children():
            for truth in child.truths():
                truth.option = (*place, *truth.option)
                yield truth

    def list_rules(self, read_expected: ReadExpected) -> Iterator[FieldRule]:  # noqa: ARG002  most rules follow from options
        """Yield how each field is compared, and why. `read_expected` reads the expected values of the cases."""
        yield from ()

    def list_attributes(self) -> list[str] | None:
        """Return the attributes that this evaluator can count; None if only a run can tell."""
        return None

    def list_partners(self, case: Case) -> "Iterator[ListPartners]":  # noqa: ARG002  most evaluators pair nothing
        """Yield the lists whose rows this evaluator pairs by similarity or key, with the partner of each row."""
        yield from ()

    def describe_settings(self) -> dict[str, Any]:
        """Return the options that are not about one field, with their values, also the defaults."""
        hidden = {"name", "type", "weight", "required", *self.field_options, *(() if self.negate else ("negate",))}
        settings = {
            field.alias or name: getattr(self, name)
            for name, field in type(self).model_fields.items()
            if name not in hidden
        }
        return {name: value for name, value in settings.items() if value not in (None, [], {}, "")}

    def files(self) -> Iterator[Path]:
        """Yield the files, besides the suite, that shape the scores."""
        for _, child in self.children():
            yield from child.files()

    def models(self) -> Iterator[Any]:
        """Yield the models that it asks. The questions of many cases are collected and sent together."""
        for _, child in self.children():
            yield from child.models()

    def remove_data(self, result: EvaluatorResult) -> EvaluatorResult:
        """Return a result of this evaluator without the user's data."""
        return remove_values(result, self.harmless_details)

    def for_consistency(self) -> Self | None:
        """Return the evaluator that compares two answers with each other, one of them as the expected value.

        Return None if that makes no sense.
        """
        return self

    @property
    def tag(self) -> str:
        return str(self.type)  # type: ignore[attr-defined]
