"""The map in agentv_py/README.md shows every module with its own first line."""

from package_map import draw_map, first_line, list_modules, read_map


def test_every_module_says_what_it_does_in_its_first_line() -> None:
    assert [path for path in list_modules() if not first_line(path)] == []


def test_the_map_is_the_modules_first_lines() -> None:
    assert read_map() == draw_map(), "run: python tests/package_map.py --write"
