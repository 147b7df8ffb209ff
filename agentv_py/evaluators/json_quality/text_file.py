"""A file that an evaluator names → its text, or what is wrong with it."""

from pathlib import Path

from agentv_py.input_file import read_regular_file


class Unusable(ValueError):  # noqa: N818  a finding about a file, not a fault of the program
    """The file cannot be used; `whats` says why, one sentence for each reason."""

    def __init__(self, name: str, *whats: str) -> None:
        self.whats = [f"{name!r} {what}" for what in whats]
        super().__init__("; ".join(self.whats))


def read_text(folder: Path, name: str) -> str:
    try:
        return read_regular_file(folder / name).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Unusable(name, f"is not valid UTF-8: byte {error.object[error.start]:#04x}") from None
    except OSError as error:
        raise Unusable(name, f"cannot be read: {error.strerror}") from None
    except ValueError:  # a NUL in the name
        raise Unusable(name, "is not the name of a file") from None
