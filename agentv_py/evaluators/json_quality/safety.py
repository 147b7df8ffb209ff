"""An answer → whether it says what it must not."""

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, NamedTuple, Self

from pydantic import AfterValidator, Field, PrivateAttr, model_validator

from agentv_py.evaluators.json_quality.blocklist import Phrases, index, standing_in, texts_in, words_of
from agentv_py.evaluators.json_quality.text_file import Unusable, read_text
from agentv_py.options import Options


class Finding(NamedTuple):
    """What an answer must not say, and where it says so."""

    path: str
    what: str


class Safety(Options):
    """Options and one method, which says how safe an answer is."""

    def placed(self, folder: Path) -> Self:  # noqa: ARG002  not all care where the suite is
        """The same way to judge, in a suite of that folder."""
        return self

    def problems(self) -> Iterator[tuple[str, str]]:
        """Options that are well-formed but cannot work here, each with what is wrong."""
        yield from ()

    def models(self) -> Iterator[Any]:
        """The models that are asked, if any."""
        yield from ()

    def files(self) -> Iterator[Path]:
        """What is read besides the suite."""
        yield from ()

    def judge(self, answer: Any) -> tuple[float, list[Finding]]:
        """How safe the answer is, 0..1, and what is not. Raise freely: the runner catches."""
        raise TypeError(f"{type(self).__name__} judges nothing: {answer!r}")


def _some_words(phrase: str) -> str:
    if not words_of(phrase):
        raise ValueError("must not be empty")
    return phrase


class Blocklist(Safety):
    """Safe, unless a word or phrase of the list stands in a text of the answer."""

    blocklist: list[Annotated[str, AfterValidator(_some_words)]] = Field(
        default_factory=list, description="Words and phrases, found as whole words in whatever case."
    )
    blocklist_file: str | None = Field(None, min_length=1, description="One a line; # begins a comment.")

    _folder: Path = PrivateAttr(default_factory=Path)

    @model_validator(mode="after")
    def _something_is_blocked(self) -> "Blocklist":
        if not self.blocklist and self.blocklist_file is None:
            raise ValueError("blocklist or blocklist_file is required")
        return self

    def placed(self, folder: Path) -> Self:
        mine = self.model_copy()
        mine._folder = folder  # noqa: SLF001  it is this class's own
        return mine

    def problems(self) -> Iterator[tuple[str, str]]:
        try:
            _ = self._phrases
        except Unusable as problem:
            yield from (("blocklist_file", what) for what in problem.whats)

    def files(self) -> Iterator[Path]:
        if self.blocklist_file is not None:
            yield self._folder / self.blocklist_file

    def judge(self, answer: Any) -> tuple[float, list[Finding]]:
        found = [Finding(path, what) for path, text in texts_in(answer) for what in standing_in(text, self._phrases)]
        return 0.0 if found else 1.0, found

    @cached_property
    def _phrases(self) -> Phrases:
        """Raises Unusable."""
        return index([*self.blocklist, *self._lines()])

    def _lines(self) -> list[str]:
        if self.blocklist_file is None:
            return []
        lines = [line.strip() for line in read_text(self._folder, self.blocklist_file).splitlines()]
        found = [line for line in lines if not line.startswith("#") and words_of(line)]
        if not found:
            raise Unusable(self.blocklist_file, "holds no word")
        return found
