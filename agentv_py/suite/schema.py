"""The suite's models → JSON Schema for editors."""

from typing import Any

from agentv_py.suite.models import Suite


def suite_schema() -> dict[str, Any]:
    schema = Suite.model_json_schema()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "evalctl suite"} | schema
