"""Orders as Spark SQL: PostgreSQL's places for NULLs, written out always; ties broken by the whole row."""

from __future__ import annotations

from compute.operators.rendered import Form
from compute.scalars.comparisons import interval_span
from compute.scalars.spark_sql import Sql
from compute.scalars.value import Value
from model.physical import column_name
from model.scalar_type import ScalarType, TypeName


def sortable(sql: str, type_: ScalarType, depth: int = 0) -> Sql:
    """An expression that Spark orders as PostgreSQL orders the values; inside arrays and records NULL is greatest."""
    match type_.name:
        case TypeName.INTERVAL:
            return interval_span(sql)
        case TypeName.ARRAY:
            assert type_.element is not None
            item = f"x{depth}"
            inner = sortable(item, type_.element, depth + 1)
            return Sql(f"transform({sql}, {item} -> struct({item} IS NULL, {inner}))")
        case TypeName.RECORD:
            parts = ", ".join(
                f"{sql}.f{i} IS NULL, {sortable(f'{sql}.f{i}', field, depth)}"
                for i, (_, field) in enumerate(type_.fields)
            )
            return Sql(f"CASE WHEN {sql} IS NULL THEN NULL ELSE struct({parts}) END")
        case _:
            return Sql(sql)


def sort_item(value: Value, descending: bool, nulls_first: bool) -> str:
    direction = "DESC" if descending else "ASC"
    return f"{sortable(value.sql, value.type)} {direction} NULLS {'FIRST' if nulls_first else 'LAST'}"


def whole_row(forms: tuple[Form, ...]) -> list[str]:
    """The items that order rows by all their columns, ascending."""
    items = [f"{sortable(column_name(i), form.type)} ASC NULLS LAST" for i, form in enumerate(forms)]
    # Intervals of equal span may differ (a month, 30 days): the parts make the order total.
    parts = [f"{column_name(i)} ASC NULLS LAST" for i, form in enumerate(forms) if form.type.name is TypeName.INTERVAL]
    return items + parts
