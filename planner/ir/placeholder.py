"""Placeholders in a SELECT's expressions, for values that exist only once the SELECT is assembled.

An expression is planned before the place of its values is known: `1 + sum(x)` becomes `1 + P`, where P stands for the
first aggregate noted by the SELECT. Assembling the SELECT replaces P by a column. A finished plan has no placeholders.
"""

from __future__ import annotations

from dataclasses import dataclass

from model.types.scalar_type import ScalarType


@dataclass(frozen=True, slots=True)
class AggregateValue:
    """The value of the SELECT's aggregate of this number."""

    number: int


@dataclass(frozen=True, slots=True)
class GroupingNumber:
    """The number that the SELECT's GROUPING call of this number yields."""

    number: int


@dataclass(frozen=True, slots=True)
class DirectArgument:
    """A direct argument of an ordered-set aggregate, by its number among all direct arguments of the SELECT."""

    number: int


@dataclass(frozen=True, slots=True)
class WindowValue:
    """The value of the SELECT's window call of this number."""

    number: int


@dataclass(frozen=True, slots=True)
class TableCallValue:
    """A row of the SELECT's set-returning function of this number, as one value."""

    number: int


@dataclass(frozen=True, slots=True)
class TableCallField:
    """The column at `field` of a row of the SELECT's set-returning function of this number."""

    number: int
    field: int


StandsFor = AggregateValue | GroupingNumber | DirectArgument | WindowValue | TableCallValue | TableCallField


@dataclass(frozen=True, slots=True)
class Placeholder:
    """A value that exists only once a SELECT is assembled. `depth` says how many rows out this SELECT is; 0 is the row
    that a Column reads."""

    stands_for: StandsFor
    type: ScalarType
    depth: int = 0
