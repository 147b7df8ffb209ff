"""A file that an evaluator's options name → its text, or why it cannot be used."""

from pathlib import Path

from agentv_py.input_file import describe_failure, read_regular_file


class UnusableFile(ValueError):  # noqa: N818  a finding about a file, not a fault of the program
    """The file cannot be used, for these `reasons`."""

    def __init__(self, name: str, *reasons: str) -> None:
        self.reasons = [f"{name!r} {reason}" for reason in reasons]
        super().__init__("; ".join(self.reasons))


def read_text_file(folder: Path, name: str) -> str:
    try:
        return read_regular_file(folder / name).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnusableFile(name, f"is not valid UTF-8: byte {error.object[error.start]:#04x}") from None
    except OSError as error:
        raise UnusableFile(name, f"cannot be read: {describe_failure(error, name, str(folder))}") from None
    except ValueError:  # a NUL in the name
        raise UnusableFile(name, "is not the name of a file") from None
