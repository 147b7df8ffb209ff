"""Files of recorded answers → the answer to each case."""

from typing import Literal

from pydantic import Field

from agentv_py.options import Files
from agentv_py.targets.base import Target


class Recorded(Target):
    type: Literal["recorded"]
    predictions: Files = Field(
        description="Files of rows {id, candidate}, joined on id; or a folder of JSON files, joined on the file's name."
    )
