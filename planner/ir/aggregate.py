"""Aggregates: one value for the rows of a group, named by function keys of the table in planner/functions."""

from __future__ import annotations

from dataclasses import dataclass

from model.types.scalar_type import ScalarType
from planner.ir.scalar import Scalar


@dataclass(frozen=True, slots=True)
class SortKey:
    """One key of an order; NULLs stand where `nulls_first` says."""

    expression: Scalar
    descending: bool
    nulls_first: bool


@dataclass(frozen=True, slots=True)
class Aggregate:
    """A call of an aggregate function over a group. `condition`: FILTER; only rows for which the condition is true
    count.

    An aggregate whose result depends on the order of rows, without `order`, takes arguments in ascending order, so that
    all evaluators agree.
    """

    function: str
    arguments: tuple[Scalar, ...]
    type: ScalarType
    distinct: bool = False
    condition: Scalar | None = None
    order: tuple[SortKey, ...] = ()
