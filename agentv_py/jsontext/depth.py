"""A value → whether it is nested too deeply to be read or written."""

from typing import Any

MAX_DEPTH = 200
# A row of results holds values of that depth, some levels below its own.
MAX_WRITTEN_DEPTH = 300
ORJSON_DEPTH = 255  # orjson writes no value that is deeper


def is_deeper(value: Any, limit: int) -> bool:
    level = [value]
    for _ in range(limit + 1):
        level = [child for item in level for child in _list_children(item)]
        if not level:
            return False
    return True


def _list_children(item: Any) -> list[Any]:
    if isinstance(item, dict):
        return list(item.values())
    return item if isinstance(item, list) else []
