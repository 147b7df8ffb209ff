"""Cases without answers → the same cases with the answers of their targets, in order; scoring goes on meanwhile."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, wait
from pathlib import Path
from typing import Any, NamedTuple

from agentv_py.case import ABSENT
from agentv_py.models.policy import CallPolicy
from agentv_py.run.asker import Asker, AskOutcome
from agentv_py.suite.plan import Plan
from agentv_py.suite.raw_case import RawCase, build_case
from agentv_py.targets.answer import build_prediction
from agentv_py.targets.live import LiveTarget, TargetCase

_AHEAD_PER_ANSWER = 8
_LEAST_AHEAD = 64
# How long an answer may wait for others, with which it is scored.
_MOST_SECONDS = 0.05

Record = Callable[[str, dict[str, Any]], None]
"""Keeps the prediction of a target."""


class _Pending(NamedTuple):
    """A case, and its answer to come; None if the case has an answer already."""

    raw: RawCase
    future: Future[AskOutcome] | None

    def is_ready(self) -> bool:
        return self.future is None or self.future.done()


class AnswerStage:
    """Asks the live targets of a plan. Answers are produced ahead of scoring, in a thread of their own."""

    def __init__(self, plan: Plan, policy: CallPolicy, record: Record | None = None) -> None:
        self.plan = plan
        self.policy = policy
        self.stopped = ""
        """The limit of the budget that stopped the run, and the amount spent."""
        self.targets = {
            target.name: target.options for target in plan.targets if isinstance(target.options, LiveTarget)
        }
        self._record = record
        self._asker: Asker | None = None
        together = sum(target.max_concurrency for target in self.targets.values())
        self._ahead = max(_LEAST_AHEAD, _AHEAD_PER_ANSWER * together)
        self.counts: dict[str, list[int]] = {name: [0, 0] for name in self.targets}
        """For each target, how many answers it gave now, and how many the cache had."""

    def fill(self, raws: Iterable[RawCase], most: int) -> Iterator[list[RawCase]]:
        """Yield the cases in order, at most so many at a time, up to the first that the budget left unasked."""
        self._asker = asker = Asker(self.policy)
        pending: deque[_Pending] = deque()
        try:
            for raw in self._prepare(raws, asker):
                pending.append(_Pending(raw, self._submit(raw, asker)))
                if len(pending) >= self._ahead:
                    yield from self._take(pending, most)
                    if self.stopped:
                        return
            while pending and not self.stopped:
                yield from self._take(pending, most)
        finally:
            self.close()

    def close(self) -> None:
        """End what the targets have started. A traceback may keep `fill` waiting, so its end is not enough."""
        asker, self._asker = self._asker, None
        if asker is not None:
            asker.close(self.targets.values())

    def _take(self, pending: "deque[_Pending]", most: int) -> Iterator[list[RawCase]]:
        """Wait for answers, and yield the cases that can be scored now: together they cost less than one by one."""
        _wait_for_several(pending, most)
        filled = list[RawCase]()
        while pending and len(filled) < most and (not filled or pending[0].is_ready()):
            if (raw := self._finish(*pending.popleft())) is None:
                break
            filled.append(raw)
        if filled:
            yield filled

    def _prepare(self, raws: Iterable[RawCase], asker: Asker) -> Iterable[RawCase]:
        """Ask the targets that answer all cases in one batch. They need every case before the first answer."""
        batches = {name: target for name, target in self.targets.items() if target.answers_together}
        if not batches:
            return raws
        every = list(raws)
        for name, target in batches.items():
            own = [self._build_question(raw) for raw in every if raw.target == name]
            asker.ask_batch(target, own, target.repeat)
        return every

    def _submit(self, raw: RawCase, asker: Asker) -> "Future[AskOutcome] | None":
        target = self.targets.get(raw.target or "")
        return None if target is None else asker.submit(target, self._build_question(raw), target.repeat)

    def _build_question(self, raw: RawCase) -> TargetCase:
        case, _ = build_case(raw._replace(prediction=ABSENT), self.plan.folder, plain=self.plan.plain)
        return TargetCase(case, Path(raw.folder))

    def _finish(self, raw: RawCase, future: "Future[AskOutcome] | None") -> RawCase | None:
        """Return the case with its answers; None if it was not asked because the budget is spent."""
        if future is None:
            return raw
        given = future.result()
        if given.is_out_of_budget:
            self.stopped = self.policy.spending.limit_reached_message()
            return None
        if raw.target in self.counts:
            self.counts[raw.target][0] += given.asked
            self.counts[raw.target][1] += given.cached
        if given.failure is not None:
            return raw._replace(failure=given.failure)
        prediction = build_prediction(given.case, given.answers)
        if self._record is not None and raw.target is not None:
            self._record(raw.target, prediction)
        return raw._replace(prediction=prediction)

    def describe_counts(self) -> Iterator[str]:
        for name, (asked, cached) in self.counts.items():
            yield f"target {name}: {asked:,} asked, {cached:,} from the cache"
            yield from (f"target {name}: {remark}" for remark in self.targets[name].describe_leftovers())


def _wait_for_several(pending: "deque[_Pending]", most: int) -> None:
    """Wait until half of the cases are answered, so that the targets stay busy with the rest; not for long."""
    future = pending[min(most, -(-len(pending) // 2)) - 1].future
    if future is not None:
        wait([future], timeout=_MOST_SECONDS)
