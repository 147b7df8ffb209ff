"""A request → the selection of cases that its flags mean."""

import os

from agentv_py.errors import Problem, UserError
from agentv_py.results.read import open_sources, read_results
from agentv_py.run.request import RunRequest
from agentv_py.suite.condition import parse_condition
from agentv_py.suite.selection import FailedCases, Selection, parse_shard


def build_selection(request: RunRequest) -> Selection:
    """Read the flags that choose cases, and the results that --failed-from names. Raises UserError."""
    return Selection(
        request.cases,
        request.tags,
        request.limit,
        [parse_condition(text) for text in request.where],
        request.split,
        _read_failed_cases(request),
        request.sample,
        request.seed,
        None if request.shard is None else parse_shard(request.shard),
    )


def _read_failed_cases(request: RunRequest) -> FailedCases | None:
    files, ids, torn_lines = request.failed_from, dict[str, set[str]](), list[Problem]()
    if request.last_failed:
        from agentv_py.run.last_runs import read_last_runs  # most runs are of all cases

        return read_last_runs()
    if not files:
        return None
    _refuse_output(request)
    with open_sources(files) as sources:
        for source in sources:
            for row in read_results(source):
                if isinstance(row, Problem):
                    torn_lines.append(row)
                    continue
                of_suite = ids.setdefault(row["suite"], set())
                if row["verdict"] != "pass" or row["status"] == "error":
                    of_suite.add(row["case_id"])
    return FailedCases(files, ids, torn_lines=torn_lines)


def _refuse_output(request: RunRequest) -> None:
    """Raise a UserError if the results would replace the results that are read."""
    output = request.output
    exists = os.path.exists  # os, because it keeps the user's spelling
    if output is None or not exists(output):
        return
    if any(exists(file) and os.path.samefile(file, output) for file in request.failed_from):  # noqa: PTH121  as above
        raise UserError(f"-o {output}: is a file of --failed-from; name another file")
