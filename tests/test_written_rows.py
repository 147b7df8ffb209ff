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
