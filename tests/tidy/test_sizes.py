"""One idea a file, and functions that fit on a screen."""

import ast
import statistics
from collections.abc import Callable

from tests.tidy.sources import package_sources, sources

_FILE_LINES_MAX = 600
_FUNCTION_LINES_MAX = 70
_FILE_LINES_MEDIAN_MAX = 250


def test_files_stay_under_their_ceiling() -> None:
    long = [f"{source.path}: {n}" for source in sources() if (n := source.text.count("\n")) > _FILE_LINES_MAX]
    assert long == [], f"over {_FILE_LINES_MAX} lines; which one idea does each hold?"


def test_functions_fit_on_a_screen() -> None:
    long = []
    for source in sources():
        for node in source.statements:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = (node.end_lineno or node.lineno) - node.lineno + 1
                if lines > _FUNCTION_LINES_MAX:
                    long.append(f"{source.path}:{node.lineno} {node.name}: {lines}")
    assert long == [], f"over {_FUNCTION_LINES_MAX} lines"


def test_the_median_file_is_short(record_property: Callable[[str, object], None]) -> None:
    """The aim is 150 lines; the property in the report says where we are."""
    lines = [source.text.count("\n") for source in package_sources() if not source.path.endswith("__init__.py")]
    median = statistics.median(lines)
    record_property("median_file_lines", median)
    assert median <= _FILE_LINES_MEDIAN_MAX
