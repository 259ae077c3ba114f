"""NOT and IS [NOT] TRUE, FALSE, UNKNOWN. AND and OR are nodes of the language, not functions."""

from __future__ import annotations

import operator as python

from model.scalar_type import BOOL
from planner.functions.rows import syntax
from planner.functions.signature import Function

_ONE = (BOOL,)

FUNCTIONS: tuple[Function, ...] = (
    syntax("not", _ONE, BOOL, python.not_),
    syntax("is_true", _ONE, BOOL, lambda value: value is True, strict=False),
    syntax("is_not_true", _ONE, BOOL, lambda value: value is not True, strict=False),
    syntax("is_false", _ONE, BOOL, lambda value: value is False, strict=False),
    syntax("is_not_false", _ONE, BOOL, lambda value: value is not False, strict=False),
    syntax("is_unknown", _ONE, BOOL, lambda value: value is None, strict=False),
    syntax("is_not_unknown", _ONE, BOOL, lambda value: value is not None, strict=False),
)
