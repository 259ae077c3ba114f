"""NOT, IS [NOT] TRUE, FALSE, UNKNOWN, and counting NULLs. AND and OR are nodes of the language, not functions."""

from __future__ import annotations

import operator as python
from typing import Any

from model.types.scalar_type import BOOL, INT4
from planner.functions.rows import ANY, function, syntax
from planner.functions.signature import Function


def _nulls(*values: Any) -> int:
    return sum(1 for value in values if value is None)


def _others(*values: Any) -> int:
    return sum(1 for value in values if value is not None)


_ONE = (BOOL,)

FUNCTIONS: tuple[Function, ...] = (
    syntax("not", _ONE, BOOL, python.not_),
    syntax("is_true", _ONE, BOOL, lambda value: value is True, strict=False),
    syntax("is_not_true", _ONE, BOOL, lambda value: value is not True, strict=False),
    syntax("is_false", _ONE, BOOL, lambda value: value is False, strict=False),
    syntax("is_not_false", _ONE, BOOL, lambda value: value is not False, strict=False),
    syntax("is_unknown", _ONE, BOOL, lambda value: value is None, strict=False),
    syntax("is_not_unknown", _ONE, BOOL, lambda value: value is not None, strict=False),
    function("num_nulls", (ANY,), INT4, _nulls, strict=False, variadic=True),
    function("num_nonnulls", (ANY,), INT4, _others, strict=False, variadic=True),
)
