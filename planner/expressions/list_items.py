"""Items and slices of a list."""

from __future__ import annotations

from typing import Any

from model.types.scalar_type import INT8
from planner.expressions.calls import call_syntax
from planner.expressions.planner import Expressions
from planner.ir.scalar import Literal, Scalar

_FIRST, _LAST = Literal(1, INT8), Literal(2**63 - 1, INT8)


def item_or_slice(expressions: Expressions, items: Scalar, index: Any, location: int) -> Scalar:
    """Plans one subscript of a list; further ones apply to its result."""
    analysis = expressions.analysis
    if not index.is_slice:
        return call_syntax(analysis, "list_item", [items, _place(expressions, index.uidx, location)], location)
    first = _place(expressions, index.lidx, location) if index.HasField("lidx") else _FIRST
    last = _place(expressions, index.uidx, location) if index.HasField("uidx") else _LAST
    return call_syntax(analysis, "list_slice", [items, first, last], location)


def _place(expressions: Expressions, node: Any, location: int) -> Scalar:
    return expressions.to_type(expressions.plan(node), INT8, "list subscript", location)
