"""What a run knows of the rows that it has written."""

import os
from io import FileIO
from pathlib import Path

import pytest

from agentv_py.results.file import ResultsFile


class _Interrupted(FileIO):
    """A file whose second write is ended by Ctrl-C when some bytes are written."""

    writes = 0
    most = 0

    def write(self, data: memoryview) -> int:  # type: ignore[override]
        self.writes += 1
        if self.writes == 1:
            return super().write(data)
        super().write(data[: self.most])
        raise KeyboardInterrupt


@pytest.mark.parametrize("most", [0, 5, 16])
def test_a_write_that_ctrl_c_ends_leaves_the_file_that_was_written(tmp_path: Path, most: int) -> None:
    path = tmp_path / "r.jsonl"
    with _Interrupted(path, "a+") as opened:
        opened.most = most
        file = ResultsFile(str(path), opened)
        file.append(b'{"timestamp":1}\n')
        with pytest.raises(KeyboardInterrupt):
            file.append(b'{"timestamp":2}\n')
        assert (path.stat().st_size, file.is_whole()) == (16 + most, True)
        os.truncate(path, 3)
        assert not file.is_whole()


@pytest.mark.parametrize("then", ["before the next rows", "after the last rows"])
def test_rows_that_are_overwritten_in_place_are_missed_though_size_and_time_are_restored(
    tmp_path: Path, then: str
) -> None:
    path = tmp_path / "r.jsonl"
    with ResultsFile.open(str(path)) as file:
        file.append(b'{"timestamp":1}\n')
        if then == "before the next rows":
            _overwrite(path)
        file.append(b'{"timestamp":2}\n')
        assert file.is_whole() == (then == "after the last rows")
        _overwrite(path)
        assert not file.is_whole()


def _overwrite(path: Path) -> None:
    before = path.stat()
    with path.open("r+b") as file:
        file.write(b'{"timestamp":9}')
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
