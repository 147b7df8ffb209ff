"""`split: {train: 0.8, test: 0.2}` → the part of a case, by a stable hash."""

from collections.abc import Mapping
from hashlib import sha256
from itertools import accumulate
from typing import Annotated, Any, Self

from pydantic import ConfigDict, Field, model_validator

from agentv_py import jsontext
from agentv_py.options import Options

_SLACK = 1e-6

PartShare = Annotated[float, Field(gt=0, le=1, allow_inf_nan=False)]


class Split(Options):
    """Named parts of the cases, for --split; each name has its share, and all shares together are 1."""

    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, PartShare] = Field(init=False)

    by: str | None = Field(
        None,
        min_length=1,
        description="A key such as metadata.vendor: cases with the same value are in the same part. Default: the id.",
    )

    @model_validator(mode="after")
    def _check_shares(self) -> Self:
        from agentv_py.suite.case_key import CaseKey  # it needs the schema, which has this model

        if self.by is not None:
            CaseKey(self.by)
        if not self.shares:
            raise ValueError("names no part; write for example {train: 0.8, test: 0.2}")
        if abs((total := sum(self.shares.values())) - 1) > _SLACK:
            raise ValueError(f"the shares add up to {total:.6g}, not to 1")
        return self

    @property
    def shares(self) -> Mapping[str, float]:
        return self.__pydantic_extra__ or {}

    def choose_part(self, value: Any) -> str:
        """Return the part of all cases that have this value: of the id, or of `by`."""
        number = hash_stably("split", value) / 2**64
        bounds = zip(self.shares, accumulate(self.shares.values()), strict=True)
        return next((name for name, bound in bounds if number < bound), list(self.shares)[-1])


def hash_stably(purpose: str, value: Any) -> int:
    """Return a number below 2**64 that is the same in every process and version; 1 and 1.0 have the same."""
    if type(value) is float and value.is_integer():
        value = int(value)
    text = value.encode("utf-8", "surrogatepass") if type(value) is str else jsontext.dumps(value)
    return int.from_bytes(sha256(purpose.encode() + b"\0" + text).digest()[:8])
