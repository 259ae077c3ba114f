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
    """`condition` is FILTER's; rows for which it is not true do not count.

    Without `order`, an aggregate whose answer depends on order takes its arguments in their own ascending order, so
    that every way of computing it agrees.
    """

    function: str
    arguments: tuple[Scalar, ...]
    type: ScalarType
    distinct: bool = False
    condition: Scalar | None = None
    order: tuple[SortKey, ...] = ()
