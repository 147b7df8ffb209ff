"""What another program did wrong, and its output → an error whose message shows no secrets."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from agentv_py.errors import EvaluationError
from agentv_py.models.redaction import redact_cut_key, redact_keys

if TYPE_CHECKING:
    from agentv_py.process.child import ProcessResult

_SHOWN_OUTPUT = 100
_SHOWN_STDERR = 400


class Quotes(NamedTuple):
    """The whole output of another program. Secrets are redacted before a cut, which could leave a part of one."""

    output: str = ""
    stderr: str = ""
    is_cut: bool = False
    """Whether the beginning of stderr is missing."""

    def shorten_output(self, secrets: Sequence[str]) -> str:
        output: str = redact_keys(self.output, secrets)
        return output if len(output) <= _SHOWN_OUTPUT else f"{output[:_SHOWN_OUTPUT]}…"

    def shorten_stderr(self, secrets: Sequence[str]) -> str:
        """Return the line that tells most, and below it the end of stderr."""
        text = redact_cut_key(self.stderr, secrets) if self.is_cut else self.stderr
        whole: str = redact_keys(text, secrets).strip()
        lines = whole.splitlines()
        if len(lines) < 2:
            return whole[-_SHOWN_STDERR:]
        first = _choose_line(lines)
        end = [line for line in whole[-_SHOWN_STDERR:].splitlines() if line.strip() and line != first]
        return "\n  ".join([first[-_SHOWN_STDERR:], *end])


def _choose_line(lines: Sequence[str]) -> str:
    """Return the last line, which is the exception in most languages; others print where it came from below it."""
    return next((line for line in reversed(lines) if line[:1].strip() and not line.startswith("Node.js v")), lines[-1])


class ProgramError(EvaluationError):
    """Another program failed; the error quotes its output."""

    def __init__(self, kind: str, message: str, quotes: Quotes | None = None) -> None:
        super().__init__(kind, message)
        self.secrets: Sequence[str] = ()
        """Values that the evaluator's options pass to another program."""
        self._quotes = quotes or Quotes()

    def describe(self, keys: Sequence[str]) -> str:
        """Return the message and the output of the other program, without keys and other secrets."""
        secrets = (*keys, *self.secrets)
        message, output, end = str(self), self._quotes.shorten_output(secrets), self._quotes.shorten_stderr(secrets)
        return message + (f": {output}" if output else "") + (f"; stderr: {end}" if end else "")


_ONE_LINE = "a persistent program answers each line of stdin with one line, and flushes stdout"
_SILENCE = {
    "unread": "did not read the question",
    "only_at_end": "read the question but wrote no line until stdin was closed",
    "silent": "read the question but wrote nothing, also when stdin was closed",
}


def check_exit(result: "ProcessResult", timeout: float, *, program: str, persistent: bool = False) -> None:
    """Raise if the program did not end as it should; `program` is what messages call it."""
    from agentv_py.process.pipes import MOST_OUTPUT  # few suites start programs

    if result.failure in _SILENCE:
        raise build_error("no_line", f"{program} {_SILENCE[result.failure]}, in {timeout:g} s; {_ONE_LINE}", result)
    if result.failure == "timeout":
        raise build_error("timeout", f"{program} took longer than {timeout:g} s", result)
    if result.failure == "output":
        raise build_error("output", f"{program} wrote more than {MOST_OUTPUT // 2**20} MiB", result)
    if result.code < 0:
        raise build_error("signal", f"{program} was ended by signal {-result.code}", result)
    if result.code > 0:
        raise build_error("exit", f"{program} exited with code {result.code}", result)
    if persistent and b"\n" not in result.stdout:
        raise build_error("exit", f"{program} ended without an answer; {_ONE_LINE}", result)


def build_error(kind: str, message: str, result: "ProcessResult", quote: str = "") -> ProgramError:
    from agentv_py.process.pipes import MOST_STDERR

    is_cut = len(result.stderr.encode()) >= MOST_STDERR
    return ProgramError(kind, message, Quotes(quote, result.stderr, is_cut=is_cut))
