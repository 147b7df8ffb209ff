"""What a target that is asked has: limits, retries, secrets of the environment, and a way to ask it."""

import os
import re
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

from pydantic import Field, PrivateAttr

from agentv_py import jsontext, messages
from agentv_py.case import Case
from agentv_py.models.endpoint import Prices
from agentv_py.targets.answer import Answer
from agentv_py.targets.base import Target

if TYPE_CHECKING:
    from agentv_py.models.exchange import RequestError
    from agentv_py.models.sender import Sender

_VARIABLE = re.compile(r"\$\{(\w+)\}")

NAMES = ("input", "id", "metadata", "tags")
"""What templates of a target may name. The expected value is not among them."""

Place = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class TargetCase:
    """One case as a target sees it."""

    case: Case
    folder: Path
    """The folder to which paths in the input are relative."""

    def values(self) -> dict[str, Any]:
        """Return the values of templates."""
        case = self.case
        return {"input": case.input, "id": case.id, "metadata": case.metadata or {}, "tags": case.tags}

    def write_prompt(self) -> str:
        """Return the input as one text, with the content of the files that its messages name."""
        return messages.write_prompt(self.case.input, self.folder)

    def list_files(self) -> list[Path]:
        """Return the files that the messages of the input name."""
        return [self.folder / name for name in messages.list_files(self.case.input)]


class LiveTarget(Target):
    """A target that is asked for each case: `build_request` makes a request of a question, `ask` gets its answer."""

    timeout: float = Field(60.0, gt=0, le=1e6, allow_inf_nan=False, description="Seconds, per answer.")
    retries: int = Field(2, ge=0, le=20, description="After 429, 5xx, resets and timeouts.")
    backoff: float = Field(0.5, ge=0, le=60, allow_inf_nan=False, description="Seconds before the first retry.")
    max_concurrency: int = Field(8, ge=1, le=256, description="Answers under way at once.")
    requests_per_minute: float | None = Field(None, gt=0, allow_inf_nan=False)
    repeat: int = Field(1, ge=1, le=1000, description="How often each case is asked.")
    prices: Prices | None = Field(None, description="Per million tokens, for answers that tell tokens but no cost.")

    is_live: ClassVar[bool] = True
    counts_usage: ClassVar[bool] = False
    """Whether `ask` itself counts the tokens and the cost in the budget, also those of attempts that failed."""

    _folder: Path = PrivateAttr(default_factory=Path)
    _label: str = PrivateAttr("")
    _secrets: tuple[str, ...] = PrivateAttr(())
    _written: str = PrivateAttr("")

    def prepare(self, folder: Path, name: str) -> Self:
        """Return a copy that works in the suite's folder, with the values of the environment in its texts."""
        values = {name: value for name in self.list_variables() if (value := os.environ.get(name)) is not None}
        changes = {key: _replace(getattr(self, key), values) for key in self.model_fields_set} if values else {}
        copy = self.model_copy(update=changes)
        copy._folder, copy._label = folder, name  # noqa: SLF001  they are this class's own
        copy._written = self.describe_options()  # noqa: SLF001  as above
        copy._secrets = tuple(value for value in values.values() if value)  # noqa: SLF001  as above
        return copy

    def describe_options(self) -> str:
        return self._written or super().describe_options()

    def list_variables(self) -> dict[str, Place]:
        """Return the environment variables that the texts name as `${NAME}`, each with its place."""
        return {name: place for place, text in _list_texts(self.model_dump(), ()) for name in _VARIABLE.findall(text)}

    def problems_of_environment(self) -> Iterator[tuple[str | Place, str]]:
        """Yield the place of each variable that is not set, and the problem; before `prepare` fills in the others."""
        for name, place in self.list_variables().items():
            if not os.environ.get(name):
                yield place, f"the environment variable {name!r} is not set"

    def problems(self) -> Iterator[tuple[str | Place, str]]:
        """Yield each option that is valid but cannot work here: its key or place, and the problem."""
        return iter(())

    def problems_of_code(self) -> Iterator[tuple[str, str]]:
        """Yield each option that turns out to be wrong when the user's code is loaded; only a run does that."""
        return iter(())

    def list_files(self) -> Iterator[Path]:
        """Yield the files, besides the suite, that shape the answers."""
        return iter(())

    @property
    def label(self) -> str:
        """The name of the target in this suite."""
        return self._label

    @property
    def has_unknown_cost(self) -> bool:
        """Whether every answer costs something that nobody tells, so that no budget can limit it."""
        return False

    @property
    def answers_together(self) -> bool:
        """Whether `answer_all` answers all questions at once, instead of `ask` one by one."""
        return False

    def answer_all(self, requests: list[Any]) -> "dict[str, Answer | RequestError]":
        """Return the answer to each request, or the error instead, by the id of its case."""
        raise NotImplementedError

    def key(self) -> str | None:
        return None

    def secrets(self) -> Sequence[str]:
        return self._secrets

    @abstractmethod
    def build_request(self, question: TargetCase) -> Any:
        """Return what is sent for a question. Raises EvaluationError."""

    @abstractmethod
    def describe_request(self, request: Any) -> Any:
        """Return a JSON value that holds everything that shapes the answer, for the key of the cache."""

    @abstractmethod
    async def ask(self, request: Any, sender: "Sender") -> Answer:
        """Try until there is an answer. Raises RequestError, OutOfBudget and InvalidAnswer."""

    def build_key(self, request: Any, repeat: int) -> str:
        """Return the key of an answer in the cache. Two names are two targets, also where they ask for the same."""
        parts = ["target", self._label, self.tag, self.describe_request(request), repeat]
        return sha256(jsontext.dumps(parts)).hexdigest()

    def describe_leftovers(self) -> Iterator[str]:
        """Yield what the target could not end."""
        return iter(())

    def close(self) -> None:
        """End what the target has started. It is not asked again."""


class LocalTarget(LiveTarget):
    """A target on this machine: it has no address, so its name stands for it in limits and messages."""

    @property
    def url(self) -> str:
        return f"{self.tag}:{self._label}"

    @property
    def host(self) -> str:
        return self._label


def hash_file(path: Path) -> str:
    with path.open("rb") as file:
        digest = sha256()
        while piece := file.read(2**20):
            digest.update(piece)
    return digest.hexdigest()


def _list_texts(value: Any, place: Place) -> Iterator[tuple[Place, str]]:
    if isinstance(value, str):
        yield place, value
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from _list_texts(item, (*place, key))


def _replace(value: Any, values: dict[str, str]) -> Any:
    if isinstance(value, str):
        return _VARIABLE.sub(lambda match: values.get(match[1], match[0]), value)
    if isinstance(value, dict):
        return {key: _replace(item, values) for key, item in value.items()}
    if isinstance(value, list):
        return [_replace(item, values) for item in value]
    if isinstance(value, Target | LiveTarget) or not hasattr(value, "model_copy"):
        return value
    return value.model_copy(update={key: _replace(getattr(value, key), values) for key in value.model_fields_set})
