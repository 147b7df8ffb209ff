"""Files of cases → their valid cases in order and the ranges that hold them; in this process, or with others.

Other processes check the ranges of a large file. If one finds anything to say about a range, or anything that depends
on earlier cases, then this process checks the range itself. So messages do not depend on the number of processes.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from agentv_py.errors import Problem
from agentv_py.suite.case_files import CaseFile, FilePart
from agentv_py.suite.case_ranges import CaseRange
from agentv_py.suite.datasets.lines import LineBlock, LineRange
from agentv_py.suite.diagnostics import Diagnostics, Refusal
from agentv_py.suite.duplicate_ids import IdFacts, find_duplicates
from agentv_py.suite.row_checker import RowChecker
from agentv_py.suite.selection import CheckedCases
from agentv_py.suite.truth_checker import ExpectedFacts, TruthChecker

# With fewer bytes left, the start of other processes costs more than it saves.
_WORTH_SHARING = 2**24
# So many ranges make one task for another process.
_RANGES_PER_TASK = 4


class CheckTask(NamedTuple):
    """Ranges of a file for another process to check."""

    file: CaseFile
    ranges: Sequence[LineRange]


class TaskFacts(NamedTuple):
    """What another process knows about ranges that are valid."""

    counts: list[tuple[int, int]]
    """For each range: the number of its cases, and its checksum."""
    id_facts: IdFacts
    ids: list[str]
    """The ids, if predictions must be joined to them."""
    plain: bool
    expected: ExpectedFacts


Share = Callable[[Callable[[CheckTask], TaskFacts | None], Iterable[CheckTask]], Iterator[TaskFacts | None]]
"""Applies a function to tasks in forked processes, and yields the results in the order of the tasks."""


class CaseChecker:
    def __init__(
        self,
        rows: RowChecker,
        truth: TruthChecker,
        diagnostics: Diagnostics,
        share: Share | None = None,
    ) -> None:
        self.ranges: list[CaseRange] = []
        self._rows = rows
        self._truth = truth
        self._diagnostics = diagnostics
        self._share = share
        self.needs_rows: Callable[[], bool] = lambda: True
        """Whether anybody else must see the rows of further cases."""

    def check(self, case_files: Sequence[CaseFile]) -> Iterator[CheckedCases]:
        for number, case_file in enumerate(case_files):
            self._truth.start_file()
            for part in case_file.read_parts():
                yield from self._check_part(number, case_file, part)
                if part.block is not None and self._is_worth_sharing(case_file, part.block):
                    yield from self._check_together(number, case_file, part.block)
                    break
            self._truth.end_file()
        self._diagnostics.add_errors(*find_duplicates(case_files, self._rows.ids.find_repeated()))

    def _check_part(self, number: int, case_file: CaseFile, part: FilePart) -> Iterator[CheckedCases]:
        first = self._rows.position
        for rows in part.rows:
            yield self._rows.check(case_file, rows)
        count = self._rows.position - first
        self.ranges.append(
            CaseRange(number, first, count)
            if part.block is None
            else CaseRange(number, first, count, part.block.lines, part.block.checksum)
        )

    def _is_worth_sharing(self, case_file: CaseFile, block: LineBlock) -> bool:
        if self._share is None or self.needs_rows():
            return False
        rest = case_file.measure() - block.lines.end
        return rest >= _WORTH_SHARING and self._truth.prepare_to_share()

    def _check_together(self, number: int, case_file: CaseFile, block: LineBlock) -> Iterator[CheckedCases]:
        """Let other processes check the rest of a file."""
        sent, problems = deque[CheckTask](), list[Problem]()
        results = self._share(self.check_task, _build_tasks(case_file, block, sent, problems)) if self._share else ()
        for facts in results:
            task = sent.popleft()
            if facts is not None:
                yield self._add_facts(number, task, facts)
                continue
            for lines in task.ranges:
                yield from self._check_part(number, case_file, case_file.read_part(lines))
        for problem in problems:
            yield self._rows.check(case_file, problem)

    def check_task(self, task: CheckTask) -> TaskFacts | None:
        """Check ranges in a forked process; None if this process cannot say all about them."""
        self._diagnostics.refuses = True
        self._rows.forget()
        self._truth.take_facts()
        ids, counts = list[str](), list[tuple[int, int]]()
        try:
            for lines in task.ranges:
                part, first = task.file.read_part(lines), self._rows.position
                for rows in part.rows:
                    checked = self._rows.check(task.file, rows)
                    if self._rows.has_predictions:
                        ids += checked.ids
                counts.append((self._rows.position - first, part.block.checksum if part.block else 0))
        except Refusal:
            return None
        expected = self._truth.take_facts()
        return expected and TaskFacts(counts, self._rows.ids.take_facts(), ids, self._rows.plain, expected)

    def _add_facts(self, number: int, task: CheckTask, facts: TaskFacts) -> CheckedCases:
        first = self._rows.position
        for lines, (count, checksum) in zip(task.ranges, facts.counts, strict=True):
            self.ranges.append(CaseRange(number, self._rows.position, count, lines, checksum))
            self._rows.position += count
        self._rows.add_facts(facts.id_facts, facts.ids, plain=facts.plain)
        self._truth.add_facts(facts.expected)
        return CheckedCases(range(first, self._rows.position))


def _build_tasks(
    case_file: CaseFile, block: LineBlock, sent: "deque[CheckTask]", problems: list[Problem]
) -> Iterator[CheckTask]:
    """Yield the ranges after a block, some at a time. If the file cannot be read, `problems` gets the reason."""
    found = case_file.find_ranges(block)
    while some := list(islice(found, _RANGES_PER_TASK)):
        problems += (one for one in some if isinstance(one, Problem))
        task = CheckTask(case_file, [one for one in some if isinstance(one, LineRange)])
        sent.append(task)
        yield task
