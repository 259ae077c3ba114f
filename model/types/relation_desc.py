"""The form of a collection's rows: named, typed columns."""

from __future__ import annotations

from dataclasses import dataclass

from model.types.scalar_type import ScalarType


@dataclass(frozen=True, slots=True)
class ColumnDesc:
    """Names need not be unique within a query's result; they are within a table or view."""

    name: str
    type: ScalarType
    nullable: bool = True


@dataclass(frozen=True, slots=True)
class RelationDesc:
    columns: tuple[ColumnDesc, ...]

    @property
    def arity(self) -> int:
        return len(self.columns)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)

    @property
    def types(self) -> tuple[ScalarType, ...]:
        return tuple(column.type for column in self.columns)


def relation_desc(*columns: tuple[str, ScalarType] | tuple[str, ScalarType, bool]) -> RelationDesc:
    """Returns a RelationDesc from (name, type[, nullable]) tuples; nullable is True unless told."""
    return RelationDesc(tuple(ColumnDesc(*column) for column in columns))
