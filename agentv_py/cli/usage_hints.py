"""A wrong command line → what the user may write instead, at the end of the error's message."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

_SELECTIONS = frozenset({"--case", "--tag", "--where", "--limit", "--split", "--sample", "--shard", "--failed-from"})
_BREAKDOWNS = {
    "report": "`--slice KEY` and `--by KEY` break results down",
    "diff": "`--slice KEY` breaks a diff down",
    "trend": "`--slice KEY` breaks a trend down",
}


@contextmanager
def add_hints(command: str, arguments: Sequence[str]) -> Iterator[None]:
    """Let a usage error say what to write, if the arguments tell what was meant."""
    given = list(arguments)  # the parser takes the arguments out of the list
    try:
        yield
    except Exception as error:
        message = getattr(error, "message", None)
        if isinstance(message, str) and (hint := _find_hint(command, given, message)):
            error.message = f"{message.removesuffix('.')}; {hint}"  # type: ignore[attr-defined]
        raise


def _find_hint(command: str, arguments: list[str], message: str) -> str:
    if "unexpected extra argument" in message:
        return _find_repeated(arguments, message)
    if "No such option" in message and command in _BREAKDOWNS:
        flag = next((each for each in arguments if each.partition("=")[0] in _SELECTIONS), "").partition("=")[0]
        return f"`{flag}` selects cases of `evalctl run`, and {_BREAKDOWNS[command]}" if flag else ""
    if "No such command" in message and command == "baseline" and arguments and "." in arguments[0]:
        return f"write: evalctl baseline set {arguments[0]}"
    return ""


def _find_repeated(arguments: list[str], message: str) -> str:
    """Find an option that is followed by two values: each value needs the option's name."""
    for flag, first, second in zip(arguments, arguments[1:], arguments[2:], strict=False):
        if flag.startswith("--") and "=" not in flag and not first.startswith("-") and f"({second}" in message:
            return f"repeat the option for each value: {flag} {first} {flag} {second}"
    return ""
