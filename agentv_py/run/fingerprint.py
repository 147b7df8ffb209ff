"""A plan and a case → the fingerprint of the case's row: a short hash of what shapes its score."""

from collections.abc import Iterator
from hashlib import sha256
from typing import Any
from zlib import crc32

from agentv_py import jsontext
from agentv_py.case import ABSENT
from agentv_py.results.row import Fingerprint, write_fingerprint
from agentv_py.score import MEAN_RULE
from agentv_py.suite.plan import Plan
from agentv_py.suite.raw_case import RawCase, decode_raw_row, get_case_id, read_own_evaluators

_DIGITS = 8


class Fingerprints:
    """Computes the fingerprints of a plan's rows. Each has two parts.

    The first part is of what scores the case: the verdicts, the evaluators, the content of the files that they read,
    the comparators that fit all cases if an evaluator learns them, and where answers have their confidences. It is the
    same for every case without evaluators of its own, and a diff compares it.
    The second part is of the case itself: its row in the dataset, and its recorded answer. For a target that is asked,
    the options of the target replace the answer, because nobody knows the answer before the target is asked.
    """

    def __init__(self, plan: Plan) -> None:
        checksums = [plan.files.checksum(path) for path in plan.evaluator_files]
        rules = [] if plan.pass_rule == MEAN_RULE else [plan.pass_rule]
        learned = [] if plan.learned is None else [plan.learned.build_comparators()]
        confidence = [] if plan.suite.confidence is None else [plan.suite.confidence.model_dump()]
        self._base = jsontext.dumps([dict(plan.suite.verdicts), checksums, *rules, *learned, *confidence])
        self._suite = self._hash_options(plan.written.get("evaluators"))
        self._asked = {
            target.name: crc32(target.options.describe_options().encode())
            for target in plan.targets
            if target.predictions is None
        }

    def compute(self, raw: RawCase, *, has_own: bool) -> str:
        """Return the fingerprint of the row of a case; `has_own`: the case lists evaluators of its own."""
        options = self._hash_options(read_own_evaluators(raw)) if has_own else self._suite
        return write_fingerprint(options, self.compute_case(raw))

    def compute_plain(self, line: bytes) -> str:
        """Return the fingerprint of a line of a dataset that has its own answer, and no evaluators of its own."""
        return write_fingerprint(self._suite, crc32(line.strip()))

    def compute_case(self, raw: RawCase) -> int:
        """Return the part of the fingerprint that is of the case itself."""
        _, _, row, prediction, target, _, _ = raw
        # A line has its line break or, at the end of a file, none.
        line = row.strip() if type(row) is bytes else jsontext.dumps(row)
        checksum = crc32(line, self._asked.get(target, 0)) if target is not None else crc32(line)
        if prediction is not ABSENT and target not in self._asked:
            checksum = crc32(prediction if type(prediction) is bytes else jsontext.dumps(prediction), checksum)
        return checksum

    def compute_options(self, evaluators: Any) -> int:
        """Return the part that is of what scores a case: evaluators of its own, or those of the suite."""
        return int(self._hash_options(evaluators) if evaluators else self._suite, 16)

    def _hash_options(self, evaluators: Any) -> str:
        return sha256(self._base + jsontext.dumps(evaluators)).hexdigest()[:_DIGITS]


def list_fingerprints(plan: Plan) -> Iterator[tuple[tuple[str, str | None], Fingerprint]]:
    """Yield the id and the target of each selected case of a plan, and the fingerprint of its row."""
    fingerprints = Fingerprints(plan)
    for raw in plan.read_raw_cases():
        row = decode_raw_row(raw, plain=plan.plain)
        fingerprint = Fingerprint(fingerprints.compute_options(row.get("evaluators")), fingerprints.compute_case(raw))
        yield (get_case_id(row, raw.stem, raw.line), raw.target), fingerprint
