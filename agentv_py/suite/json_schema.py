"""The suite's models → JSON Schema for editors."""

from typing import Any

from agentv_py.suite.schema import Suite


def suite_schema() -> dict[str, Any]:
    schema = Suite.model_json_schema()
    # An object's mapping and an option's mapping can look alike; the words in them decide, which oneOf cannot express.
    comparators = schema["$defs"]["Comparators"]
    comparators["anyOf"] = comparators.pop("oneOf")
    about = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    return about | schema | {"title": "evalctl suite"}
