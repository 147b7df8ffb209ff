"""`safety:` → the way it is judged. The union of ways is the registry."""

from typing import Annotated, Any

from pydantic import Discriminator, Tag

from agentv_py.evaluators.json_quality.model_safety import ModelSafety
from agentv_py.evaluators.json_quality.safety import Blocklist


def _way(value: Any) -> str:
    given = value.keys() if isinstance(value, dict) else getattr(type(value), "model_fields", ())
    return "llm" if "llm" in given else "blocklist"


AnySafety = Annotated[
    Annotated[Blocklist, Tag("blocklist")] | Annotated[ModelSafety, Tag("llm")],
    Discriminator(_way),
]
