"""Every fault case of the materialization protocol has a row in docs/sink_faults.md, and a test that holds it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache

import pytest

from tests.tidy.sources import ROOT, sources

_CASES = range(1, 40)
_ROW = re.compile(r"^\| (\d+) \|(?:[^|]*\|){3}([^|]*)\|([^|]*)\|$", re.MULTILINE)
_MARKED = re.compile(r"mark\.fault\(|^@case\(", re.MULTILINE)
_NAME = re.compile(r"`(\w+)`")


@cache
def _numbered() -> frozenset[tuple[int, str]]:
    """Numbers, and the functions that are marked with them."""
    marked = [source for source in sources() if source.path.startswith("tests/") and _MARKED.search(source.text)]
    nodes = [node for source in marked for node in ast.walk(source.tree)]
    functions = [node for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    return frozenset((number, node.name) for node in functions for number in _numbers(node))


def _numbers(node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[int]:
    for decorator in node.decorator_list:
        match decorator:
            case ast.Call(func=ast.Name(id="case"), args=[ast.Constant(value=int(number)), *_]):
                yield number
            case ast.Call(func=ast.Attribute(attr="fault"), args=arguments):
                yield from (each.value for each in arguments if isinstance(each, ast.Constant))  # type: ignore[misc]


def _told() -> dict[int, tuple[list[str], str]]:
    """What the page says of each number: the tests, and the defect."""
    page = (ROOT / "docs/sink_faults.md").read_text()
    return {int(number): (_NAME.findall(tests), defect.strip()) for number, tests, defect in _ROW.findall(page)}


@pytest.mark.parametrize("number", _CASES)
def test_a_fault_case_is_held_by_a_test_that_the_page_names(number: int) -> None:
    named, defect = _told()[number]
    assert named and defect
    marked = {name for each, name in _numbered() if each == number}
    assert marked and set(named) == marked, f"{number} is held by {marked}, and the page says {named}"


def test_no_other_numbers_are_told() -> None:
    assert sorted(_told()) == list(_CASES) == sorted({number for number, _ in _numbered()})
