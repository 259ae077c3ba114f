"""Parameters as values of columns, of which an INSERT may have tens of thousands."""

from __future__ import annotations

from typing import Any

from model.types.scalar_type import UNKNOWN, ScalarType, holds_domain
from planner.catalog_view import ItemView
from planner.ir.scalar import Parameter, Scalar
from planner.scope.analysis import Analysis


class ParametersAssigned:
    """Assigns parameters to the columns of one statement's target; decisions per column are made once, not per row."""

    def __init__(self, analysis: Analysis, item: ItemView) -> None:
        self._analysis = analysis
        # A value of these is the parameter as it is: there are no domains to check, and no modifiers to apply.
        self._types: list[ScalarType | None] = [
            column.type if column.type == column.type.plain() and not holds_domain(column.type) else None
            for column in item.desc.columns
        ]

    def value_of(self, node: Any, at: int) -> Scalar | None:
        """Returns the value assigned to the column at `at`, if just a parameter; None for any other expression."""
        type_ = self._types[at]
        if type_ is None or node.WhichOneof("node") != "param_ref":
            return None
        number, types = node.param_ref.number, self._analysis.parameter_types
        if number not in types:
            self._analysis.parameter(number, node.param_ref.location)
        known = types[number]
        if known is UNKNOWN:
            types[number] = type_
        elif known is not type_ and known != type_:
            return None
        return Parameter(number, type_)
