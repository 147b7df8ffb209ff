"""What an evaluator is: a name, a weight, and a way to turn a case into a score."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Self

from pydantic import Field, PrivateAttr

from agentv_py.case import Case
from agentv_py.errors import EvaluationError
from agentv_py.models.redaction import without_cut_key, without_keys
from agentv_py.options import Options, Weight
from agentv_py.score import Score

_SHOWN_SAID = 100
_SHOWN_STDERR = 400


class Quotes(NamedTuple):
    """What another program said, before anything is left out: a cut could leave a part of a secret."""

    said: str = ""
    stderr: str = ""
    is_cut: bool = False
    """Whether stderr's beginning is missing."""

    def shorten_said(self, secrets: Sequence[str]) -> str:
        said: str = without_keys(self.said, secrets)
        return said if len(said) <= _SHOWN_SAID else f"{said[:_SHOWN_SAID]}…"

    def shorten_stderr(self, secrets: Sequence[str]) -> str:
        text = without_cut_key(self.stderr, secrets) if self.is_cut else self.stderr
        end: str = without_keys(text, secrets)
        return end.strip()[-_SHOWN_STDERR:]


class EvaluatorFailed(EvaluationError):  # noqa: N818  renamed with its room
    """Another program failed; the error quotes what it said."""

    def __init__(self, kind: str, message: str, quotes: Quotes | None = None) -> None:
        super().__init__(kind, message)
        self.secrets: Sequence[str] = ()
        """Values that the evaluator's own options handed to another program."""
        self._quotes = quotes or Quotes()

    def describe(self, keys: Sequence[str]) -> str:
        """The message with what another program said, without keys and other secrets."""
        secrets = (*keys, *self.secrets)
        message, said, end = str(self), self._quotes.shorten_said(secrets), self._quotes.shorten_stderr(secrets)
        return message + (f": {said}" if said else "") + (f"; stderr: {end}" if end else "")


class Evaluator(Options):
    """Options and one method. Every evaluator has a `type`, which selects it."""

    name: str | None = Field(None, min_length=1, description="Default: the type. Unique within a case.")
    weight: Weight = Field(1.0, description="Of this evaluator in the case's score.")
    required: bool = Field(False, description="true: the case fails unless this evaluator passes.")

    outside: ClassVar[bool] = False
    """Whether the work is done by other programs: then it pays to have several at once, and rows come one by one."""

    _folder: Path = PrivateAttr(default_factory=Path)

    def placed(self, folder: Path) -> Self:
        """The same evaluator, in a suite of that folder."""
        mine = self.model_copy()
        mine._folder = folder  # noqa: SLF001  it is this class's own
        return mine

    def problems(self) -> Iterator[tuple[str | tuple[str | int, ...], str]]:
        """Options that are well-formed but cannot work here, each by its key or its place, with what is wrong."""
        yield from ()

    def files(self) -> Iterator[Path]:
        """What is read besides the suite, and shapes the scores."""
        yield from ()

    def models(self) -> Iterator[Any]:
        """The models that `evaluate` asks; the questions of many cases are then fetched at once."""
        yield from ()

    def evaluate(self, case: Case) -> Score:
        """Score one case. Raise freely: the runner catches, and stamps name, type, weight and duration.

        An evaluator that asks a model lists it in `models`, asks with `agentv_py.models.replies.ask`, and so runs
        twice over each case: in the first pass `ask` records the questions and returns placeholders of the shape of a
        reply, in the second pass it returns the replies. The score of the first pass is thrown away. Ask the same
        questions both times; let no reply decide whether another question is asked; have no effect but the score.
        """
        raise TypeError(f"{type(self).__name__} scores nothing: {case.id}")

    def between_answers(self) -> Self | None:
        """The evaluator that says how far two answers agree, one of them in the place of what is expected.

        None where that would say nothing.
        """
        return self

    @property
    def tag(self) -> str:
        return str(self.type)  # type: ignore[attr-defined]

    def doubts(self) -> Iterator[tuple[tuple[str | int, ...], str]]:
        """Places in these options that are valid but can hardly be meant, each with what is odd there."""
        yield from ()
