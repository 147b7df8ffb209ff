"""What a caller wants of a run: which suites, which cases, where the rows go, and what must be reached."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from agentv_py.errors import UserError
from agentv_py.run.engines import LOCAL, EngineChoice
from agentv_py.score import MEAN_RULE
from agentv_py.suite.answers import AnswerChoice
from agentv_py.suite.slice_key import NO_SLICES, SliceChoice

if TYPE_CHECKING:
    from agentv_py.models.policy import CacheUse


class RunRequest(NamedTuple):
    """The flags of `evalctl run`, without those that only concern what is shown."""

    suites: Sequence[str]
    cases: Sequence[str] = ()
    """Globs: a case whose id fits any of them is selected."""
    tags: Sequence[str] = ()
    limit: int | None = None
    where: Sequence[str] = ()
    """KEY=VALUE or KEY!=VALUE: a case that has one of the values of each key is selected."""
    split: str | None = None
    """A part of the suite's split."""
    sample: int | None = None
    """How many cases are drawn at random, by `seed`."""
    seed: int | None = None
    shard: str | None = None
    """K/N: one of N parts of the selected cases."""
    failed_from: Sequence[str] = ()
    """Results files: a case that did not pass in any of them is selected."""
    last_failed: bool = False
    """Whether cases are selected that did not pass when they last ran, by the results in .evalctl/results."""
    predictions: Sequence[str] = ()
    """FILE or NAME=FILE: recorded answers instead of those that the suites name."""
    targets: Sequence[str] = ()
    """The names of the targets that run; all of them, if there are no names."""
    repeat: int | None = None
    """How often each target is asked about a case, instead of its own `repeat`."""
    pass_rule: str = MEAN_RULE
    """When a case with several answers passes: mean, all, any, majority or rate:SHARE."""
    record: str | None = None
    """A file for the answers of targets that are asked."""
    output: str | None = None
    """The results file; "-" is stdout, None a new file in .evalctl/results for each suite."""
    resume: bool = False
    force: bool = False
    label: str = ""
    """What the user calls the run: every row says so, and reports show it."""
    data: bool = True
    """False: rows hold no expected values and no answers."""
    jobs: int | None = None
    engine: EngineChoice = LOCAL
    mean_score: float | None = None
    """A gate that replaces the suite's own; so does `pass_rate`."""
    pass_rate: float | None = None
    against: str | None = None
    """Earlier results that the run is compared with: a file, or the word baseline."""
    fail_on: Sequence[str] = ()
    """Gates of this comparison."""
    exit_zero: bool = False
    strict: bool = False
    """Whether a warning about a suite is an error."""
    budget: float | None = None
    """The highest cost of all models together."""
    no_cache: bool = False
    refresh: bool = False
    slices: SliceChoice = NO_SLICES
    """What reports are broken down by, besides what the suites say."""

    @property
    def answers(self) -> AnswerChoice:
        return AnswerChoice(self.predictions, self.targets, self.repeat, self.pass_rule)

    @property
    def cache(self) -> "CacheUse":
        return "off" if self.no_cache else "refresh" if self.refresh else "use"

    def check(self) -> None:
        """Raise a UserError if two flags exclude each other, one needs another, or one has no such value."""
        if self.resume and self.output in (None, "-"):
            raise UserError("--resume continues a file; name it with -o")
        if self.pass_rule != MEAN_RULE:
            from agentv_py.run.pass_rule import check_rule

            check_rule(self.pass_rule)
        if self.engine.address is not None and self.engine.name != "ray":
            raise UserError("--address needs --engine ray")
        if self.seed is not None and self.sample is None:
            raise UserError("--seed needs --sample")
        if self.last_failed and self.failed_from:
            raise UserError("--last-failed and --failed-from name the same cases in two ways; use one of them")
        if self.fail_on and self.against is None:
            raise UserError("--fail-on is about a comparison; name earlier results with --against")
        if self.force and not self.resume:
            raise UserError("--force needs --resume")
        if self.no_cache and self.refresh:
            raise UserError("--no-cache and --refresh contradict each other")
